"""Had the hardest records been asked for: what records with the worst margins would have left, compared with the log's batches.

A bound that is small because the log's records are easy says little of the next request. It decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from auditor.base.domain import Certificate, Reason
from auditor.parts.removal.judging.chain import Entry, Size, bounded, constants
from auditor.parts.removal.judging.measurements import Removals
from auditor.verdict.checks.finding import Values

MOST: Final = 5
"""Sizes of batches that are examined, the largest of the log: each costs a Newton step and its measurement."""


class Hardest(Values):
    """One batch of the log, and the same number of the hardest records in its place."""

    number: int
    """Of the batch, from 1."""
    batch: str
    records: int
    log: Mapping[str, float | None]
    """What the log's batch added to each bound, and the residual that was measured after it."""
    hardest: Mapping[str, float | None] | None
    """The same of the hardest records; None where there is no bound."""
    reason: Reason | None
    """Why there is none."""
    inputs: Mapping[str, object] | None
    """Of the rule that bounds their removal."""


def asked(batches: Sequence[tuple[int, bool]]) -> tuple[int, ...]:
    """Choose the batches, numbered from 1, in whose place the hardest records are removed: the first removal of each size.

    Args:
        batches: How many records each removes, and whether it was answered by training from scratch.
    """
    firsts: dict[int, int] = {}
    for number, (records, anew) in enumerate(batches, start=1):
        if not anew:
            firsts.setdefault(records, number)
    return tuple(sorted(firsts[size] for size in sorted(firsts)[-MOST:]))


def compared(
    log: Certificate, series: Sequence[Entry], tolerance: float, measured: Sequence[Removals | None]
) -> tuple[Hardest, ...]:
    """Compare each batch that was chosen with what the hardest records would have left.

    Args:
        log: The certificate of the log's own removals.
        series: Where the residual stands after training and after each batch.
        tolerance: Gradient norm at which the optimiser stops.
        measured: Of the hardest records in place of each batch that `asked` names; None where float64 does not reach it.
    """
    sizes = [(after.removed - before.removed, after.retrained) for before, after in pairwise(series)]
    rows = zip(asked(sizes), measured, strict=True)
    return tuple(_row(log, series[number - 1 : number + 1], number, tolerance, found) for number, found in rows)


def _row(log: Certificate, pair: Sequence[Entry], number: int, tolerance: float, measured: Removals | None) -> Hardest:
    before, own = pair
    records = own.removed - before.removed
    size = Size(before.rows_left, records, retrained=False)
    derived = None if measured is None else bounded(constants(log), tolerance, [size], measured)
    reason: Reason | None = Reason("removal.budget.hardest-unreached")
    hardest: dict[str, float | None] | None = None
    if derived is not None:
        said = derived.outputs.get("reason")
        reason = None if said is None else Reason("removal.budget.hardest-unbounded", {"reason": said})
        if (steps := derived.outputs["increments"]) is not None:
            hardest = {**{name: values[0] for name, values in steps.items()}, "measured": derived.outputs["measured"][0]}
    return Hardest(
        number=number,
        batch=own.batch,
        records=records,
        log={**(own.increment or {}), "measured": own.beta["measured"]},
        hardest=hardest,
        reason=reason,
        inputs=None if derived is None else derived.inputs,
    )
