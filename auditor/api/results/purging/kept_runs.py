"""Plans which kept runs go.

They are sealed under addresses that say nothing of the records, so that one person's cannot be distinguished from another's.
"""

from __future__ import annotations

import contextlib
from pathlib import Path, PurePosixPath

from auditor.api.results.purging import files
from auditor.api.results.purging.plan import Plan
from auditor.api.results.purging.survey import Survey, has_ended, is_link
from auditor.document.purge_receipt import Gone, Kind, Stays, Why
from auditor.sandbox.runs import FOLDER, place_of, shown_ours
from auditor.sandbox.runs.storage import Elsewhere


class KeptRuns(Survey):
    """Plans which kept runs go."""

    def _plan_runs(self, plan: Plan) -> None:
        for root, inside in self._of_runs():
            self._plan_runs_in(plan, root, inside)

    def _plan_runs_in(self, plan: Plan, root: Path, inside: PurePosixPath) -> None:
        if is_link(root / inside):
            plan.stays.append(Stays(what=FOLDER, why=Why.LINK))
            return
        test = shown_ours.test_of(root / inside)
        names = files.listed(root, inside)
        shown = foreign = 0
        for name in (each for each in names if shown_ours.NAMED.fullmatch(each)):
            kind = Kind.CHECKPOINT if shown_ours.is_checkpoint(name) else Kind.RUN
            found = files.examine(root, inside / name, kind, test(name))
            if found is None:
                foreign += 1
            else:
                shown += 1
                plan.remove.append(found)
        for name in names:
            match = shown_ours.PARTIAL.fullmatch(name)
            if match and has_ended(match) and (found := files.examine(root, inside / name, Kind.PARTIAL, shown_ours.begins_ours)):
                plan.remove.append(found)
        if foreign:
            plan.stays.append(Stays(what=FOLDER, why=Why.NOT_SHOWN, files=foreign))
        elif shown and (salt := files.examine(root, inside / shown_ours.SALT, Kind.SALT)):
            plan.remove.append(salt)  # nothing that it sealed is left

    def _elsewhere(self, *, keep: bool) -> list[Gone]:
        if self._runs is None or not isinstance(place := place_of(self._runs), Elsewhere):
            return []
        found = shown_ours.remove_elsewhere(place, keep=keep)
        return [
            Gone(kind=Kind.CHECKPOINT if shown_ours.is_checkpoint(name) else Kind.RUN, path=name, bytes=size)
            for name, size in found
        ]

    def _remove_empty(self) -> None:
        for root, inside in self._of_runs():
            if inside.name == FOLDER and not is_link(root / inside) and not files.listed(root, inside):
                with contextlib.suppress(OSError):
                    (root / inside).rmdir()
