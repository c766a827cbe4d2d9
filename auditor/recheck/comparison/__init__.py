"""What got better and what got worse from one audit to the next, from their evidence alone.

Everything that a pass rests on is compared: verdict, checks, guarantees, and also what they were compared with. Worse is a
verdict, a status, a guarantee, or what one of them was held against; what an ordinary erasure uses up of a promise is *spent*.
Wherever two readings are possible, the one that calls a change worse is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from auditor.document.evidence import Evidence
from auditor.pages.words.lists import and_more
from auditor.pages.words.texts import say, text
from auditor.recheck.comparison.checks import Change, Direction, Move, Moved, compare_check, joined, moved, order_of, shown
from auditor.recheck.comparison.promises import (
    compare_by_default,
    compare_guarantees,
    compare_settings,
    compare_verdicts,
    compare_worth,
    spending,
)
from auditor.recheck.comparison.rows import Amended, amended, compares_marks, requests_only_in

__all__ = ["Amended", "Change", "Comparison", "Direction", "Moved", "compare", "different_cases"]

_NAMED = 5


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two audits side by side."""

    notes: tuple[str, ...]
    """What a reader has to know before the changes: other inputs, another auditor, smaller samples."""
    changes: tuple[Change, ...]
    """Verdict, checks in the order of the report, guarantees, policy, claims; those that stayed the same too."""
    requests: tuple[Moved, ...]
    """Those that hold otherwise now."""
    rows: tuple[Amended, ...]
    """Requests of which the log says something else."""
    sentence: str

    @property
    def is_worse(self) -> bool:
        """Whether anything got worse."""
        return any(change.direction is Direction.WORSE for change in self.changes)

    @property
    def exit_code(self) -> int:
        """1 where anything got worse, else 0."""
        return 1 if self.is_worse else 0


def compare(old: Evidence, new: Evidence) -> Comparison:
    """Compare two audits."""
    rows = amended(old, new)
    changes = (
        compare_verdicts(old, new),
        compare_by_default(old, new),
        *compare_worth(old, new),
        *_checks(old, new),
        *_guarantees(old, new),
        *compare_settings("policy", old.policy.settings, new.policy.settings),
        *compare_settings("claim", old.policy.claims, new.policy.claims),
        *(_rewritten(each) for each in rows if each.is_worse),
        *(_gone(request) for request in requests_only_in(old, new)),
    )
    requests = moved(old, new)
    whole = not old.requests or old.case.digest == new.case.digest or compares_marks(old, new)
    further = requests_only_in(new, old)
    added = (say("diff-note-new", count=len(further), names=_listed(list(further))),) if further else ()
    notes = (*_notes(old, new), *added, *(() if whole else (say("diff-note-marks"),)))
    return Comparison(notes, changes, requests, rows, _sentence(changes, len(requests), len(rows)))


def different_cases(old: Evidence, new: Evidence) -> bool:
    """Whether the two audits are of different cases, by name or controller."""
    controllers = {each for each in (old.case.controller, new.case.controller) if each is not None}
    return old.case.name != new.case.name or len(controllers) > 1


def _checks(old: Evidence, new: Evidence) -> Iterator[Change]:
    before, after = ({check.id: check for check in evidence.checks} for evidence in (old, new))
    was_required, is_required = frozenset(old.policy.required), frozenset(new.policy.required)
    for check_id in dict.fromkeys((*after, *before)):
        yield compare_check(
            before.get(check_id),
            after.get(check_id),
            was_required=check_id in was_required,
            is_required=check_id in is_required,
            orders=(order_of(before.get(check_id), old.version), order_of(after.get(check_id), new.version)),
        )


def _guarantees(old: Evidence, new: Evidence) -> Iterator[Change]:
    before, after = ({item.id: item for item in evidence.guarantees} for evidence in (old, new))
    for identity in dict.fromkeys((*after, *before)):
        yield compare_guarantees(before.get(identity), after.get(identity), spent=spending(old, new))


def _rewritten(row: Amended) -> Change:
    """Call what was written over, and may have been so for the better look of it, worse."""
    return joined("request", row.request_id, row.was.value, row.now.value, [Move(Direction.WORSE, row.said)])


def _gone(request: str) -> Change:
    """Call a request that the log had and has no more worse: nobody examined it again."""
    return joined("request", request, text("diff-row-listed"), "–", [Move(Direction.WORSE, text("diff-row-gone"))])


def _notes(old: Evidence, new: Evidence) -> Iterator[str]:
    if old.case.name != new.case.name:
        yield say("diff-note-cases", old=old.case.name, new=new.case.name)
    elif old.case.digest != new.case.digest:
        same = {item.path: item.sha256 for item in old.case.inputs}
        moved = [item.path for item in new.case.inputs if same.pop(item.path, None) != item.sha256] + list(same)
        yield say("diff-note-inputs", names=_listed(moved))
    if old.case.release != new.case.release:
        yield say("diff-note-release", old=shown(old.case.release), new=shown(new.case.release))
    if old.audit.auditor_version != new.audit.auditor_version:
        yield say("diff-note-versions", old=old.audit.auditor_version, new=new.audit.auditor_version)
    if old.audit.stage != new.audit.stage:
        yield say("diff-note-stage", which="new" if old.audit.stage is None else "old")
    elif old.audit.stage is not None:
        yield say("diff-note-stage", which="both")
    if old.audit.quick != new.audit.quick:
        yield say("diff-note-quick", which="old" if old.audit.quick else "new")
    if old.environment.isolation != new.environment.isolation:
        yield say("diff-note-isolation", old=old.environment.isolation, new=new.environment.isolation)
    if old.audit.finished_at > new.audit.finished_at:
        yield say("diff-note-order")


def _sentence(changes: tuple[Change, ...], requests: int, rows: int) -> str:
    """Why it is worse, or that nothing is; what was spent; how many got better and stayed; how many requests and rows changed."""
    counts = Counter(change.direction for change in changes)
    worse, spent = (_reasons(changes, direction) for direction in (Direction.WORSE, Direction.SPENT))
    said = [text("diff-worse", reasons=worse) if worse else text("diff-not-worse")]
    if spent:
        said.append(text("diff-spent", reasons=spent))
    numbers = {"all": len(changes), "better": counts[Direction.BETTER], "same": counts[Direction.SAME]}
    said.append(text("diff-counts", **{name: str(count) for name, count in numbers.items()}))
    if requests:
        said.append(text("diff-requests", count=requests))
    if rows:
        said.append(text("diff-rows", count=rows))
    return " ".join(said)


def _reasons(changes: tuple[Change, ...], direction: Direction) -> str:
    named: dict[str, list[str]] = {}
    for each in changes:
        if each.direction is direction:
            named.setdefault(each.reason, []).append(each.id)
    # What several results have in common is said once.
    found = [text("diff-reason", name=_listed(names), why=why) for why, names in named.items()]
    reasons, left = "; ".join(found[:_NAMED]), sum(len(names) for names in list(named.values())[_NAMED:])
    return text("diff-more", reasons=reasons, count=str(left)) if left else reasons


def _listed(names: list[str]) -> str:
    return and_more(names[:_NAMED], max(0, len(names) - _NAMED))
