"""Plans a purge, carries it out, and writes its receipt: first what is to go, then what went."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from auditor import __version__
from auditor.api.results.purging import copies, files, people
from auditor.api.results.purging.copies import UncutError
from auditor.api.results.purging.papers import Papers
from auditor.api.results.purging.plan import Plan, Purged
from auditor.api.results.purging.survey import digest_of, is_link
from auditor.audit.describing import stamp
from auditor.base import outputs, papers
from auditor.base.errors import StorageError
from auditor.base.writing import FIRST_STAGE, write_all
from auditor.document.purge_receipt import NAME, Cut, Gone, Kind, Receipt, Stays, Why
from auditor.recheck.files import ENVELOPE
from auditor.sandbox.runs import cleanup
from auditor.settings.tables import DataTable

if TYPE_CHECKING:
    from auditor.audit.planning import OnStep


_MOST_LISTED: Final = 1000
"""Files of a case that a receipt names."""


_RESULTS: Final = re.compile(rf"evidence\.json|report\.(?:pdf|html)|counterexample-[0-9]+\.json|.*{re.escape(ENVELOPE)}")


def _unseen(_name: str, _done: int, _total: int) -> None:
    """Show nothing of a step."""


def purge(
    path: Path,
    *,
    person: str | None = None,
    out: Path | None = None,
    runs: str | None = None,
    also: Sequence[Path] = (),
    dry: bool = False,
    on_step: OnStep = _unseen,
) -> Purged:
    """Remove what an audit no longer needs, and write a receipt next to the case.

    Args:
        path: The case folder, or its audit.toml.
        person: Whose traces are to go; None for what nobody needs any more.
        out: Where the audit wrote, if not to `CASE/audit`.
        runs: Where its runs were kept, if not in `DIR/.runs`: a folder, or an address that fsspec reaches.
        also: Folders elsewhere that letters and replies were written to.
        dry: Whether to change nothing.
        on_step: Takes what is done, and how much of it.

    Raises:
        InputError: If the case cannot be read as far as this needs it.
        UsageError: If nobody is called what was asked for.
        StorageError: If the receipt cannot be written; what was removed until then is in the one that was begun.
    """
    return _Purge(path, person, out, runs, also, dry=dry, on_step=on_step).run()


class _Purge(Papers):
    def run(self) -> Purged:
        plan = Plan()
        self._plan_runs(plan)
        self._plan_letters(plan)
        self._plan_replies(plan)
        self._plan_noted(plan)
        self._plan_copies(plan)
        places = {root / inside: (root, inside) for root, inside in (*self._folders(), *self._of_runs())}
        for root, inside in places.values():
            plan.waiting += files.left_waiting(root, inside, self._noted)
        plan.stays += self._others(plan)
        elsewhere = (*self._of_others, *(each.parent for each in plan.of_others))
        self._left_alone = tuple(dict.fromkeys(each for each in elsewhere if each.is_dir()))
        missing = tuple(dict.fromkeys(each.folder for each in self._listed if not each.folder.is_dir()))
        if missing:
            plan.stays.append(Stays(what="folders that were written to", why=Why.GONE, files=len(missing)))
        wanted = tuple(self._gone(each) for each in plan.remove)
        cut = tuple(
            Cut(path=str(each.inside), rows=rows, sha256_before=each.sha256, sha256_after=digest_of(content))
            for each, content, rows in plan.cut
        )
        receipt = Receipt(
            auditor_version=__version__,
            begun_at=self._begun,
            evidence_sha256=self._audits[0].sha256,
            other_evidence_sha256=tuple(each.sha256 for each in self._audits[1:] if each.sha256 is not None),
            keep_until=self._until,
            keep_until_declared=self._keep is not None,
            one_person=self._person is not None,
            removed=wanted,
            cut=cut,
            stays=tuple(plan.stays),
        )
        if self._dry:
            scratch = [Gone(kind=Kind.SCRATCH, bytes=each, searched=False) for each in cleanup.sizes_of_scratch()]
            would = receipt.model_copy(update={"removed": (*wanted, *self._elsewhere(keep=True), *scratch)})
            return self._purged(would, None, (), plan, missing)
        return self._done(plan, receipt, missing)

    def _done(self, plan: Plan, receipt: Receipt, missing: tuple[Path, ...]) -> Purged:
        # Next to the case: in the folder of a signed audit no statement would cover it.
        path = _free(self._case / f"purge-{self._begun:%Y%m%dT%H%M%SZ}.json")
        write_all({path: receipt.to_bytes()})  # before anything goes: what a killed purge was about to do is known
        broken: list[str] = []
        waited = 0
        try:
            waited = files.finish(plan.waiting)
        except OSError as error:
            broken.append(f"{error.filename or 'what an earlier purge left'}: {error.strerror or error}")
        for each, content, _ in plan.cut:
            now = files.examine(each.root, each.inside, each.kind)
            if now is None or now.identity != each.identity:
                broken.append(f"{each.path}: it was changed meanwhile")
                continue
            write_all({each.path: content})
            copies.remember(self._case, [each.path])
        done, failed = files.remove(plan.remove)
        broken += [f"{each.path}: {why}" for each, why in failed]
        self._remove_empty()
        removed = [self._gone(each) for each in done]
        if plan.waiting:
            removed.append(Gone(kind=Kind.WAITING, bytes=waited))
        try:
            removed += self._elsewhere(keep=False)
        except OSError as error:
            broken.append(f"{self._runs}: {error.strerror or error}")
        try:
            # What killed audits left among temporary files; of this case or of another nothing says.
            for one in cleanup.remove_scratch():
                removed.append(Gone(kind=Kind.SCRATCH, bytes=one.bytes, searched=False))
        except StorageError as error:
            broken.append(str(error))
        stays = (*receipt.stays, *(Stays(what=self._shown(each) or each.kind, why=Why.FAILED) for each, _ in failed))
        receipt = receipt.model_copy(update={"finished_at": stamp(), "removed": tuple(removed), "stays": stays})
        write_all({path: receipt.to_bytes()})
        stuck = {each.path for each, _ in failed}
        try:
            papers.forget(self._case, {each for each in plan.settled if each.path not in stuck})
        except (OSError, StorageError) as error:
            broken.append(f"{papers.FILE}: {error}")
        return self._purged(receipt, path, tuple(broken), plan, missing)

    def _purged(
        self, receipt: Receipt, path: Path | None, broken: tuple[str, ...], plan: Plan, missing: tuple[Path, ...]
    ) -> Purged:
        left = tuple(plan.left)
        return Purged(receipt, path, broken, self._holding, left=left, of_others=self._left_alone, missing=missing)

    def _plan_copies(self, plan: Plan) -> None:
        data = self._declared.tables.get("data")
        if not isinstance(data, DataTable):
            return
        for found, ours in self._tables:
            if not ours:
                continue
            if self._person is None:
                if self._over:
                    plan.remove.append(found)
                continue
            try:
                content, rows = copies.without(
                    found.inside.name, found.path.read_bytes(), self._person.has_row, data.id, data.person
                )
            except UncutError:
                continue  # it is searched with all other files
            if rows:
                plan.cut.append((found, content, rows))

    def _others(self, plan: Plan) -> Iterator[Stays]:
        going = {each.path for each in plan.remove}
        cut = {each.path for each, _, _ in plan.cut}
        ours = {found.path for found, is_ours in self._tables if is_ours}
        named = 0
        unnamed: dict[tuple[Why, bool | None], int] = {}
        for path in self._counted("files", list(self._walked())):
            if path in going or path in cut or path in plan.kept:
                continue
            why = self._why(path, ours)
            holds = None
            if self._person is not None:
                holds = None if why is Why.LINK else people.holds(path, self._person)
                if path == self._case / papers.FILE and why is Why.NEEDED:
                    # Lines of what goes go as well.
                    lines = [each.line(self._case) for each in papers.listed(self._case) if each not in plan.settled]
                    holds = self._person.in_bytes("".join(lines).encode())
                if holds is None and why is not Why.LINK and path.suffix.lower() == ".pdf":
                    holds = self._carries(path, self._person) or None
                name = path.relative_to(self._case) if path.is_relative_to(self._case) else Path(path.name)
                if holds is False and not self._person.in_text(str(name)):
                    continue
                if holds and not path.is_relative_to(self._case):
                    self._holding += (path,)
                if holds is None and why is Why.YOURS:
                    why = Why.UNSEARCHED
            # What a user calls other files may name anybody: they are named where they hold the person who was asked for.
            tell = self._person is not None or why in {Why.RESULT, Why.RECEIPT, Why.NEEDED} or self._is_declared(path)
            shown = self._shown_path(path) if tell else None
            if shown is None or named == _MOST_LISTED:
                unnamed[why, holds] = unnamed.get((why, holds), 0) + 1
                continue
            named += 1
            yield Stays(what=shown, why=why, holds_person=holds)
        yield from (
            Stays(what="other files", why=why, holds_person=holds, files=count) for (why, holds), count in unnamed.items()
        )
        yield Stays(what="the key of pseudonyms of this user (pseudonym.key)", why=Why.SHARED)
        yield Stays(what="the history of audits of this user, which names cases and no people", why=Why.SHARED)

    def _why(self, path: Path, ours: set[Path]) -> Why:
        if is_link(path):
            return Why.LINK
        if path in ours:
            return Why.KEPT_UNTIL
        if path.parent == self._case and NAME.fullmatch(path.name):
            return Why.RECEIPT
        if path in {self._case / outputs.FILE, self._case / papers.FILE}:
            return Why.NEEDED
        within = any(path.parent in {each.folder, each.folder / FIRST_STAGE} for each in self._audits)
        return Why.RESULT if within and _RESULTS.fullmatch(path.name) else Why.YOURS


def _free(path: Path) -> Path:
    """A path at which nothing lies: of two purges in one second, both receipts stay."""
    number = 1
    while os.path.lexists(path):
        number += 1
        path = path.with_name(f"{path.stem.partition('Z')[0]}Z-{number}.json")
    return path
