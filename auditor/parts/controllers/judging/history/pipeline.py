"""Whether a learner's model depends on anything but the records that are there: the same ones reached in several ways."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from auditor.base.domain import Message
from auditor.verdict.checks.finding import Finding, Values, inconclusive
from auditor.verdict.checks.stated import Amount, Count
from auditor.verdict.decisions import decide_at_most

_NAMED: Final = 3
"""Ways that a sentence lists."""


class Way(StrEnum):
    """How the records were reached that every model is learned from."""

    ANOTHER_ORDER = "another-order"
    ONE_BY_ONE = "one-by-one"
    BACKWARDS = "backwards"
    AT_ONCE = "at-once"
    FIRST = "first"


class Reached(Values):
    """What one way led to, held against learning from the records alone."""

    way: Way
    differing: tuple[str, ...]
    """Kinds of what differs: parameters, predictions, state, saved file, files."""
    largest: Amount | None
    """The largest absolute difference of numbers; None where there is none to tell."""


class Pipeline(Values):
    """What became of the ways."""

    untried: Message | None = None
    """Why none was tried."""
    records: Count = 0
    """That every way ends with."""
    deleted: Count = 0
    compared: tuple[str, ...] = ()
    """Kinds of what both sides showed."""
    steady: bool = True
    """Whether learning once more gave the same, and what differed did so again: else chance plays a part."""
    ways: tuple[Reached, ...] = ()


class Derived(Values):
    """The ways that count."""

    differing: tuple[Reached, ...]


def judged(found: Pipeline | None) -> Finding:
    """Count the ways that lead to another model; none may. Where not every way was seen, or chance plays a part, it is open."""
    if found is None or found.untried is not None:
        why = Message("state.history_independent.pipeline.not-seen") if found is None else found.untried
        return inconclusive(Message("state.history_independent.not-shown", {"why": why}))
    if not found.steady:
        return inconclusive(Message("state.history_independent.pipeline.chance"))
    cases = tuple(each for each in found.ways if each.differing)
    begin = Message(
        "state.history_independent.pipeline.tried",
        {"ways": len(found.ways), "records": found.records, "deleted": found.deleted, "compared": list(found.compared)},
    )
    if cases:
        named = [{"way": each.way.value, "kinds": list(each.differing)} for each in cases[:_NAMED]]
        value: int | None = len(cases)
        said = Message("state.history_independent.pipeline.different", {"cases": len(cases), "named": named})
    elif {each.way for each in found.ways} != set(Way) or not set(found.compared) & {"parameters", "saved file"}:
        value, said = None, Message("state.history_independent.pipeline.unseen")
    else:
        value, said = 0, Message("state.history_independent.pipeline.same")
    return Finding(
        status=decide_at_most(value, 0.0),
        value=None if value is None else float(value),
        threshold=0.0,
        reasons=(begin, said),
        derived=Derived(differing=cases),
    )
