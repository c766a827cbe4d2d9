"""Decide whether retained rows look derived from deleted ones: a part of `data.erased`.

Of each view it is counted how many deleted rows are as close to a retained one as a share of all rows is to any. Two groups are
compared with them by Fisher's exact test, and both have to reject: retained rows drawn at random, by which the level holds
whatever the table is where records are deleted at random; and retained rows next to the deleted ones, for people who ask for
deletion may be alike, and then their rows lie where rows are closer than elsewhere.
"""

from __future__ import annotations

from typing import Final, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from auditor.maths.statistics import larger_share_p
from auditor.parts.store.judging.accounting import Concerned
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.levels import share
from auditor.verdict.checks.stated import Count

TEST: Final = "derived-rows"
LEVEL: Final = share(TEST)
"""Of all views and shares together: it leaves open, and never accuses."""
SHARES: Final = (1 / 4, 1 / 16, 1 / 64, 1 / 256)
"""Of all rows, the closest: each share is a test of its own."""
ViewName: TypeAlias = Literal["given", "mirrored", "sorted"]
VIEWS: Final[tuple[ViewName, ...]] = ("given", "mirrored", "sorted")
LEVEL_EACH: Final = LEVEL / (len(VIEWS) * len(SHARES))
"""Of one share in one view, by Bonferroni."""


class Step(Values):
    """Rows that are as close to another as a share of all rows is."""

    found: Count
    """Retained rows that are the nearest to deleted ones as close as that; one that is nearest to several counts once."""
    retained: Count
    """Of the retained rows drawn at random, those as close to any other, deleted or retained."""
    neighbours: Count
    """The same of the retained rows next to the deleted ones."""

    def p_of_drawn(self, deleted: int, drawn: int) -> float:
        """The p-value against the rows drawn at random; 1 where none is drawn."""
        return larger_share_p(self.found, deleted, self.retained, drawn) if drawn else 1.0

    def p(self, deleted: int, drawn: int, beside: int) -> float:
        """The larger of the p-values against both groups; 1 where one of them was not measured."""
        if not beside:
            return 1.0
        return max(self.p_of_drawn(deleted, drawn), larger_share_p(self.found, deleted, self.neighbours, beside))


class ViewOfRows(Concerned):
    """What one view of the table shows; the requests are those whose rows count, none where none do."""

    view: ViewName
    retained_looked_at: Count
    """Retained rows drawn at random whose closeness was measured."""
    neighbours_looked_at: Count
    """Retained rows next to the deleted ones that were measured; 0 where the others showed nothing."""
    steps: tuple[Step, ...] = Field(min_length=len(SHARES), max_length=len(SHARES))
    """One for each of `SHARES`."""

    @model_validator(mode="after")
    def _within(self) -> Self:
        for each in self.steps:
            if each.retained > self.retained_looked_at or each.neighbours > self.neighbours_looked_at:
                raise ValueError("no more rows are close than were measured")
        return self

    def counted(self, deleted: int) -> int | None:
        """The place of the largest share whose test rejects, which names most requests; None where none does."""
        p = (each.p(deleted, self.retained_looked_at, self.neighbours_looked_at) for each in self.steps)
        return next((at for at, each in enumerate(p) if each <= LEVEL_EACH), None)


class DerivedRows(Values):
    """How close deleted rows are to retained ones, in every view of the table."""

    deleted: Count
    """Deleted rows that were measured; none where too few are left that are not declared to be made from others."""
    apart: Count = Field(default=0, exclude_if=lambda value: not value)
    """Deleted rows that were not, as they are declared to be made from others."""
    declared: Count = Field(default=0, exclude_if=lambda value: not value)
    """Rows that are declared to be made from others, deleted or retained: they are no part of the comparison."""
    views: tuple[ViewOfRows, ...] = Field(max_length=len(VIEWS))

    @model_validator(mode="after")
    def _within(self) -> Self:
        if bool(self.deleted) != bool(self.views) or not (self.views or self.declared):
            raise ValueError("rows were measured in some view, or declared to be made from others")
        if len({each.view for each in self.views}) < len(self.views):
            raise ValueError("each view once")
        if any(step.found > self.deleted for each in self.views for step in each.steps):
            raise ValueError("no more deleted rows are close than were measured")
        return self

    @property
    def counting(self) -> tuple[tuple[ViewOfRows, Step], ...]:
        """The views in which deleted rows are closer than chance explains, with the largest share that shows it."""
        found = ((each, each.counted(self.deleted)) for each in self.views)
        return tuple((each, each.steps[at]) for each, at in found if at is not None)

    @property
    def able(self) -> bool:
        """Whether a test could reject, were every deleted row as close as can be."""
        return any(self._least(each.retained_looked_at) <= LEVEL_EACH for each in self.views if each.retained_looked_at)

    def _least(self, drawn: int) -> float:
        """The least p-value: of the smallest share of all rows, those that are not deleted are retained ones."""
        close = max(1, int(SHARES[-1] * (self.deleted + drawn)))
        return larger_share_p(self.deleted, self.deleted, max(0, close - self.deleted), drawn)
