"""Copies of deleted records, equal or nearly so, among the retained ones: which of them count, and how often by chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, Self

from pydantic import Field, model_validator

from auditor.base.domain import Message
from auditor.maths.certificates.rounding import ceiling
from auditor.maths.statistics import larger_share_p
from auditor.parts.store.judging.accounting import Concerned
from auditor.verdict.checks.levels import Level, share, spent
from auditor.verdict.checks.stated import Count, Positive

LEVEL: Final = share("near-copies")
"""Of the test of whether deleted records have more near copies than others. One of equal copies shares it."""
LEVEL_EQUAL: Final = LEVEL / 4
"""Of this, what the test of equal copies has, which sees few among many that are merely near."""
LEVEL_NEAR: Final = ceiling(Fraction(LEVEL) - Fraction(LEVEL_EQUAL))
"""The rest of it, for near copies; rounded up as p-values are, so that a p of exactly this much rejects."""
TOO_FEW: Final = 0.05
"""How often a near copy may leave a case open in which so few records are deleted that no test could reject at its level."""
_ENUMERATED: Final = 64
"""Deleted or retained records up to which every draw is tried: of more, the tests have enough of both to reject."""


class Copies(Concerned):
    """Copies of deleted records, equal or nearly so, among the retained training records; the requests are all that have one."""

    deleted: Positive
    found: Count
    """Deleted records that have one."""
    retained_looked_at: Positive
    retained_with_a_copy: Count
    """Of these, the records that have such a neighbour themselves, whether it is deleted or retained."""
    equal: Count | None = Field(default=None, exclude_if=lambda value: value is None)
    """Deleted records that equal a retained one in all features; None where that was not observed."""
    retained_equal: Count = Field(default=0, exclude_if=lambda value: not value)
    """Of the retained records that were compared, those that equal another record, whether it is deleted or retained."""
    singled_out: Count = Field(default=0, exclude_if=lambda value: not value)
    """Deleted records that equal a retained one in all columns, among them dates, or text that is a person's own."""
    singled_out_of: Concerned | None = Field(default=None, exclude_if=lambda value: value is None)
    """The requests that named these."""

    @model_validator(mode="after")
    def _within(self) -> Self:
        most = (self.found <= self.deleted, self.retained_with_a_copy <= self.retained_looked_at)
        equal = ((self.equal or 0) <= self.found, self.retained_equal <= self.retained_with_a_copy)
        if not all((*most, *equal, self.singled_out <= self.deleted, bool(self.singled_out) == bool(self.singled_out_of))):
            raise ValueError("no more records have a copy than there are, and no more an equal one than a near one")
        return self


@dataclass(frozen=True, slots=True)
class Counted:
    """Which copies count.

    A record that equals a retained one in all columns, among them one that is a person's own, counts by itself. Beyond that the
    exact test decides: all near copies count where deleted records have more of them than chance gives to records deleted at
    random, whatever share of all records has one. The test is Fisher's, of near copies and of equal ones, and by the union bound
    it rejects an honest log at `LEVEL` at most: of the table it is known which records have a copy, and records deleted at random
    are a draw from it without replacement. Deleted records count where they have a copy among the retained ones, retained ones
    where they have one anywhere, which errs on the side of the log.
    """

    copies: int = 0
    """Deleted records whose copies count."""
    of_requests: Concerned | None = None
    because: Literal["more", "few", "singled"] | None = None
    """Why: deleted records have more of them than others, too few are deleted for any test, or each counts by itself."""

    @classmethod
    def of(cls, copies: Copies | None) -> Counted:
        """Decide it."""
        if copies is None:
            return cls()
        near, equal = _near_p(copies, copies.found), _equal_p(copies, copies.equal or 0)
        every = Concerned(request_ids=copies.request_ids, subjects=copies.subjects)
        if copies.found and (near <= LEVEL_NEAR or equal <= LEVEL_EQUAL):
            return cls(copies.found, every, "more")
        if copies.found and _too_few(copies) and (near <= TOO_FEW or _nothing_else(copies)):
            return cls(copies.found, every, "few")
        return cls(copies.singled_out, copies.singled_out_of, "singled") if copies.singled_out else cls()


def left_open_by(copies: Copies) -> bool:
    """Whether copies among the retained records leave a log open that nobody's word speaks for."""
    return Counted.of(copies).copies > 0


def _near_p(copies: Copies, found: int) -> float:
    """The p-value of so many deleted records with a near copy, or more."""
    return larger_share_p(found, copies.deleted, copies.retained_with_a_copy, copies.retained_looked_at)


def _equal_p(copies: Copies, found: int) -> float:
    """The p-value of so many deleted records with an equal copy, or more; 1 where there is none."""
    return larger_share_p(found, copies.deleted, copies.retained_equal, copies.retained_looked_at) if found else 1.0


def _too_few(copies: Copies) -> bool:
    """Whether no test could reject, even if all deleted records had a copy."""
    if _near_p(copies, copies.deleted) <= LEVEL_NEAR:
        return False
    return copies.equal is None or _equal_p(copies, copies.deleted) > LEVEL_EQUAL


def _nothing_else(copies: Copies) -> bool:
    """Whether the retained records have hardly a near copy but for those of deleted ones: nothing says what is usual."""
    return copies.retained_with_a_copy <= copies.found and copies.retained_with_a_copy < copies.retained_looked_at


def levels(copies: Copies | None) -> tuple[Level, ...]:
    """Declare what the test of copies spends: its share, or what copies in a small table leave open beyond it."""
    if copies is None or not copies.deleted:
        return ()
    least = LEVEL
    if _too_few(copies):
        least = _near_p(copies, copies.deleted)
        least = least if least <= TOO_FEW else 0.0
    level = max(least, _left_open_by_chance(copies))
    return (spent("near-copies", level),) if level else ()


def _left_open_by_chance(copies: Copies) -> float:
    """Bound how often near copies leave records open that are deleted at random; 0 where every test has records enough.

    How many records have a near copy in all is a matter of the table. Given that, the deleted ones among them are a draw without
    replacement, and few enough of them leave nothing open: the chance is that of as many as the least number that does, or more.
    """
    if min(copies.deleted, copies.retained_looked_at) > _ENUMERATED:
        return 0.0
    marked = copies.found + copies.retained_with_a_copy
    for found in range(max(1, marked - copies.retained_looked_at), min(copies.deleted, marked) + 1):
        equal = min(marked - found, (copies.equal or 0) + copies.retained_equal)
        drawn = copies.model_copy(update={"retained_with_a_copy": marked - found, "retained_equal": equal, "found": found})
        near = _near_p(drawn, found)
        if _too_few(drawn) and (near <= TOO_FEW or _nothing_else(drawn)):
            return near
    return 0.0


def enough_deleted(copies: Copies) -> int:
    """How many deleted records it takes for the test to reject where all of them have a near copy, all else as observed."""
    shown = copies.deleted
    while _near_p(copies.model_copy(update={"deleted": shown}), shown) > LEVEL_NEAR:
        shown += 1
    return shown


def sentences(copies: Copies, *, word: bool) -> Iterator[Message]:
    """Say of copies that they are as usual, that they are others' by somebody's word, or that they may be the same people's."""
    if not copies.found and not copies.singled_out:
        return
    because = Counted.of(copies).because
    given = {"records": copies.found, "of": copies.deleted, "share": copies.retained_with_a_copy / copies.retained_looked_at}
    if because in {"more", "few"} and word:
        yield Message("data.erased.copies-attested", given)
    elif because == "few":
        yield Message("data.erased.copies-few", {**given, "enough": enough_deleted(copies)})
    elif because == "more":
        yield Message("data.erased.copies", given)
    elif copies.found:
        yield Message("data.erased.copies-usual", given)
    if copies.singled_out:
        code = "data.erased.copies-singled-attested" if word else "data.erased.copies-singled"
        yield Message(code, {"records": copies.singled_out, "of": copies.deleted})
