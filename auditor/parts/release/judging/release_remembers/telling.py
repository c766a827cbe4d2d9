"""What the scores come to: how far up the release ranks, and whether models that hold the records would have been detected."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.records import Floats
from auditor.maths.statistics import POWER, pool
from auditor.maths.statistics.pool import HALF
from auditor.parts.release.judging.release_remembers.observed import MILLION, Scored

MARGIN: Final = 0.1
"""τ: the share that the release may show of what models show that hold the records: approximation alone is no finding."""
LEAST_DISTINCT: Final = 20
"""With fewer retrained models that differ there is no chance to rank by."""
NO_CHANCE: Final = 2.0 / MILLION
"""Spreads of retrained models, as a share of what those show that hold the records, that count as none: scores come in
millionths, and to the millionth learners without a seed are all the same."""

_STEPS: Final = 20

Rule: TypeAlias = Literal["ranks", "share"]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Scores as arrays, one row a model and one column a score."""

    release: Floats
    """Shape (c,)."""
    retrained: Floats
    """Shape (K, c)."""
    holding: Floats
    """Shape (i, c)."""
    held_out: Floats
    """Shape (h, c)."""
    groups: npt.NDArray[np.int64]
    """Shape (c,): columns of one number count together, which are ways of asking about the same records."""
    distinct: int

    def only(self, columns: npt.NDArray[np.int64]) -> Table:
        """Some of the columns."""
        return Table(
            self.release[columns],
            self.retrained[:, columns],
            self.holding[:, columns],
            self.held_out[:, columns],
            self.groups[columns],
            self.distinct,
        )

    @property
    def rule(self) -> Rule:
        """Whether there is chance to rank by."""
        if self.distinct < LEAST_DISTINCT:
            return "share"
        gap = np.abs(pool.gaps(self.holding, self.retrained))
        return "ranks" if np.any(self.retrained.std(axis=0) > NO_CHANCE * gap) else "share"


@dataclass(frozen=True, slots=True)
class Told:
    """What becomes of one model, and of those that hold the records."""

    rule: Rule
    value: float | None
    """p, or the share; None where no column tells anything."""
    held_out: tuple[float, ...]
    """The same of models that hold the records."""
    told: int
    """How many of these are detected."""
    column: int
    """The column of the largest score."""


def table_of(observed: Scored) -> Table:
    """Read the scores."""
    columns, parts = len(observed.release), len(observed.groups)
    by_itself = np.array([each.by_itself for each in observed.kinds], dtype=np.int64)

    def rows(models: tuple[tuple[int, ...], ...]) -> Floats:
        return np.array(models, dtype=np.float64).reshape(len(models), columns)

    return Table(
        np.array(observed.release, dtype=np.float64),
        rows(observed.retrained),
        rows(observed.holding),
        rows(observed.held_out),
        np.arange(columns, dtype=np.int64) % max(1, parts) + parts * np.repeat(by_itself, parts),
        observed.distinct,
    )


def tell(table: Table, *, level: float, rule: Rule | None = None) -> Told:
    """Rank the release, and models that hold the records in its place.

    Args:
        table: The scores.
        level: p at or below it tells.
        rule: Of the whole table, where this is a part of it; its own where left out.
    """
    rule = rule or table.rule
    every = (table.release, *table.held_out)
    if rule == "ranks":
        beside = (table.retrained, table.holding)
        values = [pool.p_value(each, *beside, margin=MARGIN, groups=table.groups) for each in every]
        told = sum(each <= level for each in values[1:])
        column = pool.leading(table.release, *beside, margin=MARGIN, groups=table.groups)
        return Told(rule, values[0], tuple(values[1:]), told, column)
    shares = [pool.shares(each, table.holding, table.retrained) for each in every]
    if not np.isfinite(shares[0]).any():
        return Told(rule, None, tuple(0.0 for _ in table.held_out), 0, 0)
    largest = [max(0.0, float(each.max())) for each in shares]
    return Told(rule, largest[0], tuple(largest[1:]), sum(each > HALF for each in largest[1:]), int(np.argmax(shares[0])))


def rank(table: Table) -> float:
    """Give p by ranks, whatever rule a stage goes by.

    A share above one half accuses only together with its rank. That retrained models nearly all answer alike makes it likely, and
    not sure, that an honest release answers like them: among K others it is the odd one out in one of K + 1.
    """
    return pool.p_value(table.release, table.retrained, table.holding, margin=MARGIN, groups=table.groups)


def noticed(table: Table, *, level: float, rule: Rule, least: int) -> float | None:
    """Find from which share on a release would have been detected with a probability of four in five, in steps of a twentieth.

    Models that hold the records and that nothing was set by stand in for the release, each brought down towards retrained ones,
    score by score, so that on average it shows that share of what such models show; how it varies stays its own.

    Args:
        table: The scores.
        level: p at or below it tells.
        rule: Of the whole table.
        least: Fewer of these models than that say nothing.

    Returns:
        The share, above 0 and at most 1; None where they are not detected even as they are, or are too few.
    """
    count, gap = len(table.held_out), pool.gaps(table.holding, table.retrained)
    if count < least:
        return None

    def telling(share: float) -> bool:
        lowered = replace(table, held_out=table.held_out - (1 - share) * gap)
        return tell(lowered, level=level, rule=rule).told >= POWER * count

    # From the whole downwards, until it is not detected: what is detected far below, by chance, does not count.
    found = None
    for step in range(_STEPS, 0, -1):
        if not telling(step / _STEPS):
            break
        found = step / _STEPS
    return found


def specifically(observed: Scored, table: Table, *, rule: Rule) -> float | None:
    """Give p, or the share, by the scores alone that hold deleted records against unseen ones; None where there is none of these.

    A model that was trained longer than retrained ones, say, answers otherwise on all records: that is no memory of some.
    """
    groups = len(observed.groups)
    chosen = [number for number, kind in enumerate(observed.kinds) if kind.specific]
    columns = np.array([number * groups + group for number in chosen for group in range(groups)], dtype=np.int64)
    return tell(table.only(columns), level=0.0, rule=rule).value if len(columns) else None


def left_over(observed: Scored, table: Table) -> float | None:
    """Give the share that the release shows of what models show that hold the records, on all of them together.

    The middle of the shares over every way of asking; None where none of these tells such models from retrained ones. Where one
    of them counts by itself, each has the weight by which it tells such models, as long as there is chance: in the middle of ways
    that hardly tell them, an honest release shows more than half of the little that they do, now and then.
    """
    groups = [number for number, group in enumerate(observed.groups) if group.part == "all"]
    columns = [kind * len(observed.groups) + group for kind in range(len(observed.kinds)) for group in groups]
    found = pool.shares(table.release, table.holding, table.retrained)[columns]
    known = np.isfinite(found)
    if not known.any():
        return None
    if table.rule == "share" or not any(each.by_itself for each in observed.kinds):
        ordered: list[float] = sorted(found[known].tolist())
        middle = ordered[(len(ordered) - 1) // 2 : len(ordered) // 2 + 1]
        return sum(middle) / len(middle)
    weights = pool.heights(table.release, table.retrained, table.holding)[columns]
    return _middle(found[known], weights[known])


def _middle(values: Floats, weights: Floats) -> float:
    """The weighted median, of two between which the weights are halved the larger; unweighted where no weight is above 0."""
    order = np.argsort(values, kind="stable")
    summed = np.cumsum(weights[order] if weights.any() else np.ones(len(values)))
    return float(values[order][np.searchsorted(summed, summed[-1] / 2, side="right")])


def untold(observed: Scored, table: Table, *, level: float, rule: Rule) -> tuple[tuple[str, ...], ...]:
    """Name the requests that could not have been detected singly, those of one group together.

    By its own columns alone, each of the models that hold the records would have to be detected.
    """
    groups = len(observed.groups)
    columns = np.arange(len(observed.kinds) * groups)
    found = []
    for number, group in enumerate(observed.groups):
        if group.part != "requests":
            continue
        alone = tell(table.only(columns[columns % groups == number]), level=level, rule=rule)
        if alone.told < len(table.held_out) or not len(table.held_out):
            found.append(group.requests)
    return tuple(found)
