"""What two audits held their results against, and what they concluded: policy, claims, guarantees, verdict.

A promise that became weaker is worse even where every result stayed the same: otherwise a release could pass by asking for less.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from auditor.base.domain import ClaimStatus, Guarantee, Verdict
from auditor.document.evidence import Evidence
from auditor.pages.words.texts import say, text
from auditor.recheck.comparison.checks import Change, Direction, Move, closer, joined, shown
from auditor.verdict.premises import unsaid

_VERDICTS: Final = {Verdict.PASS: 2, Verdict.INCONCLUSIVE: 1, Verdict.FAIL: 0}
_FAILED_ITSELF: Final = 4
_STANDINGS: Final = {ClaimStatus.SHOWN: 3, ClaimStatus.SUPPORTED: 2, ClaimStatus.NOT_SHOWN: 1, ClaimStatus.REFUTED: 0}
_STANDS: Final = frozenset({ClaimStatus.SHOWN, ClaimStatus.SUPPORTED})
_SMALLER_IS_STRICTER: Final = ("max_", "deadline_days", "epsilon", "delta")
_LARGER_IS_STRICTER: Final = ("min_",)
_MONTH: Final = (28, 31)
"""Days that a calendar month may have: the deadline where the policy sets none."""


def compare_verdicts(old: Evidence, new: Evidence) -> Change:
    """The verdicts; an audit that failed itself (exit code 4) comes after one that is merely inconclusive."""
    before, after = _verdict_rank(old), _verdict_rank(new)
    words = _verdict_words(old), _verdict_words(new)
    moves = () if before == after else (Move(_towards(after > before), " → ".join(words)),)
    return joined("verdict", "verdict", *words, moves)


def compare_by_default(old: Evidence, new: Evidence) -> Change:
    """The verdicts under the default policy, which no policy can move."""
    before, after = _VERDICTS[old.default_policy_verdict], _VERDICTS[new.default_policy_verdict]
    words = old.default_policy_verdict.value, new.default_policy_verdict.value
    moves = () if before == after else (Move(_towards(after > before), say("diff-by-default", verdicts=" → ".join(words))),)
    return joined("verdict", "default_policy_verdict", *words, moves)


def compare_worth(old: Evidence, new: Evidence) -> Iterator[Change]:
    """What a pass is worth, and the controller's statements that carry it: in two passes alone, as nothing else has either."""
    if old.strength is None or new.strength is None:
        return
    words = say("diff-strength", grade=old.strength.value), say("diff-strength", grade=new.strength.value)
    graded = () if old.strength is new.strength else (Move(_towards(new.strength.value < old.strength.value), " → ".join(words)),)
    yield joined("verdict", "strength", *words, graded)
    before, after = set(old.reliance.statements), set(new.reliance.statements)
    trusted = ", ".join(sorted(before)) or text("diff-none"), ", ".join(sorted(after)) or text("diff-none")
    moves = (
        *(Move(Direction.WORSE, say("diff-rests-on", name=name)) for name in sorted(after - before)),
        *(Move(Direction.BETTER, say("diff-rests-on-no-longer", name=name)) for name in sorted(before - after)),
    )
    yield joined("verdict", "statements", *trusted, moves)
    before, after = (set(unsaid(one.premises)) for one in (old, new))
    silent = ", ".join(sorted(before)) or text("diff-none"), ", ".join(sorted(after)) or text("diff-none")
    if old.premises and new.premises:
        moves = (
            *(Move(Direction.WORSE, say("diff-unsaid", name=name)) for name in sorted(after - before)),
            *(Move(Direction.BETTER, say("diff-unsaid-no-longer", name=name)) for name in sorted(before - after)),
        )
        yield joined("verdict", "premises", *silent, moves)


def spending(old: Evidence, new: Evidence) -> bool:
    """Whether a larger ε is what further erasures used up: more was deleted, by the same procedure, under the same promises."""
    same = (
        old.procedure.settings == new.procedure.settings
        and (old.procedure.use, old.procedure.entry, old.procedure.unlearn)
        == (new.procedure.use, new.procedure.entry, new.procedure.unlearn)
        and old.policy.settings == new.policy.settings
        and old.policy.claims == new.policy.claims
    )
    return same and new.deletion_log.records > old.deletion_log.records


def compare_guarantees(old: Guarantee | None, new: Guarantee | None, *, spent: bool = False) -> Change:
    """One guarantee in both audits: its standing first, then ε and δ.

    Args:
        old: In the old audit; None where that audit does not list it.
        new: In the new audit.
        spent: Whether a larger ε is what further erasures used up.

    Raises:
        ValueError: If neither audit lists it.
    """
    if old is not None and new is not None:
        return joined("guarantee", old.id, _standing(old), _standing(new), _guarantee_moves(old, new, spent=spent))
    listed = old or new
    if listed is None:
        raise ValueError("a guarantee that neither audit lists")
    if old is None:
        refuted = listed.status is ClaimStatus.REFUTED
        move = Move(Direction.WORSE if refuted else Direction.ONLY_NEW, say("diff-listed-now", standing=_standing(listed)))
        return joined("guarantee", listed.id, say("diff-not-listed"), _standing(listed), (move,))
    lost = listed.status in _STANDS
    move = Move(Direction.WORSE if lost else Direction.ONLY_OLD, say("diff-listed-before", standing=_standing(listed)))
    return joined("guarantee", listed.id, _standing(listed), say("diff-not-listed"), (move,))


def compare_settings(kind: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    """Every setting of the policy, or number of a claim, by its dotted name.

    Args:
        kind: policy or claim.
        old: The table in the old audit.
        new: The table in the new audit.
    """
    before, after = dict(_flat(old)), dict(_flat(new))
    for key in dict.fromkeys((*before, *after)):
        first, second = before.get(key), after.get(key)
        yield joined(kind, key, _setting_words(first), _setting_words(second), _setting_moves(key, first, second))


def _guarantee_moves(old: Guarantee, new: Guarantee, *, spent: bool) -> tuple[Move, ...]:
    before, after = _STANDINGS[old.status], _STANDINGS[new.status]
    if before != after:
        return (Move(_towards(after > before), f"{_standing(old)} → {_standing(new)}"),)
    if old.status not in _STANDS:
        return ()
    if old.order != new.order:
        return (
            Move(
                Direction.CHANGED,
                say("diff-orders-differ", old=_standing(old), new=_standing(new)),
            ),
        )
    epsilon = closer(old.epsilon, new.epsilon, smaller_is=Direction.BETTER, name="ε")
    if spent and new.epsilon is not None and any(move.direction is Direction.WORSE for move in epsilon):
        epsilon = (Move(Direction.SPENT, f"ε {shown(old.epsilon)} → {shown(new.epsilon)}"),)
    return epsilon + closer(old.delta, new.delta, smaller_is=Direction.BETTER, name="δ")


def _setting_moves(key: str, old: Any, new: Any) -> tuple[Move, ...]:
    if old == new:
        return ()
    if key == "deadline_days" and (old is None or new is None):
        return _against_a_month(old, new)
    name = key.rpartition(".")[2]
    numbers = all(value is None or _is_number(value) for value in (old, new))
    if numbers and name.startswith(_SMALLER_IS_STRICTER):
        return closer(old, new, smaller_is=Direction.BETTER, name=key)
    if numbers and name.startswith(_LARGER_IS_STRICTER):
        return closer(old, new, smaller_is=Direction.WORSE, name=key)
    return (Move(Direction.CHANGED, f"{key}: {_setting_words(old)} → {_setting_words(new)}"),)


def _against_a_month(old: int | None, new: int | None) -> tuple[Move, ...]:
    """A number of days against one calendar month: stricter or looser only where it is so in every month."""
    days = new if old is None else old
    words = " → ".join(say("diff-one-month") if value is None else say("diff-days", days=value) for value in (old, new))
    if days is None or _MONTH[0] < days < _MONTH[1]:
        return (Move(Direction.CHANGED, say("diff-deadline-either", said=words)),)
    tighter = (days <= _MONTH[0]) == (old is None)
    return (Move(_towards(tighter), say("diff-deadline", tighter=tighter, said=words)),)


def _flat(table: Mapping[str, Any], lead: str = "") -> Iterator[tuple[str, Any]]:
    for key in sorted(table):
        value = table[key]
        if isinstance(value, Mapping):
            yield from _flat(value, f"{lead}{key}.")
        elif value is not None:
            yield f"{lead}{key}", value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _setting_words(value: Any) -> str:
    return shown(value) if value is None or _is_number(value) else json.dumps(value, ensure_ascii=False)


def _verdict_rank(evidence: Evidence) -> tuple[int, bool]:
    return _VERDICTS[evidence.verdict], evidence.audit.exit_code != _FAILED_ITSELF


def _verdict_words(evidence: Evidence) -> str:
    return say("diff-verdict", verdict=evidence.verdict.value, exit_code=evidence.audit.exit_code)


def _standing(guarantee: Guarantee) -> str:
    word = guarantee.status.value.replace("-", " ")
    if guarantee.epsilon is None:
        return word
    beside = f"δ {shown(guarantee.delta)}" if guarantee.order is None else say("diff-order", order=shown(guarantee.order))
    return f"{word} (ε {shown(guarantee.epsilon)}, {beside})"


def _towards(better: bool) -> Direction:
    return Direction.BETTER if better else Direction.WORSE
