"""Whether more texts of deleted people are quoted in a place than chance would quote of them.

A text counts as quoted where a place has runs of its words that the text of nobody who stays has: at least `FEWEST` of them, and
a `SHARE` of all such runs of the text. Chance is what retained people show: of how many of them are as many runs found in what is
somebody else's? Under the hypothesis that no deleted person is there, deleted and retained people are exchangeable, so that the
number of deleted ones among those who are quoted is hypergeometric (Fisher, "The Design of Experiments", 1935, §11; one-sided).
The level is split evenly over the places that were tested.
"""

from __future__ import annotations

from typing import Final, Self

from pydantic import Field, model_validator

from auditor.maths.statistics.exact import larger_share_p
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.stated import Count

WORDS: Final = 5
"""Words of a run."""
FEWEST: Final = 3
"""Runs that a quotation has at least: seven words that follow one another."""
SHARE: Final = 0.1
"""Of the runs of a text, the part that a quotation has at least."""
COPIED: Final = 8
"""Runs of a deleted person's text from which on what consists of them is a copy and no quotation."""
LEVEL: Final = 0.01
"""Chance that any place is said to quote deleted people where none does."""


class Quoted(Values):
    """Quotations of people's texts in one place."""

    deleted: Count
    """Deleted people with a text that can be quoted and is not copied as a whole."""
    quoted: Count
    """Of these, those who are quoted."""
    loose: Count = 0
    """Of these, those with a quotation in what names nobody who stays."""
    copied: Count = 0
    """Further deleted people, of whose text a chunk, a line or a paragraph consists."""
    shared: Count = 0
    """Further deleted people, of whose text rows of several retained people consist."""
    found: Count = 0
    """Of those who are quoted, the ones who are quoted more than any retained person, where the test shows them to be there."""
    otherwise: Count = Field(default=0, exclude_if=lambda value: not value)
    """Of those who are quoted, further ones of whom something else was found."""
    others: Count
    """Retained people whose texts are as long."""
    others_quoted: Count
    """Of these, those who are quoted in what is not known to be theirs."""
    others_in_rows: Count = 0
    """Of these, those who are quoted in what names somebody else."""
    left_out: bool = Field(default=False, exclude_if=lambda value: not value)
    """Whether people's texts were too many to be compared."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if self.found + self.otherwise > self.quoted or self.quoted > self.deleted or self.others_quoted > self.others:
            raise ValueError("no more people are quoted than there are")
        if self.loose > self.quoted or self.others_in_rows > self.others_quoted:
            raise ValueError("no more quotations lie somewhere than there are")
        return self

    @property
    def left(self) -> int:
        """Those who are quoted, and of whom nothing was found."""
        return self.quoted - self.found - self.otherwise

    @property
    def p(self) -> float:
        """How likely chance quotes so many deleted people, given how many people are quoted."""
        return larger_share_p(self.quoted, self.deleted, self.others_quoted, self.others)

    @property
    def least(self) -> float:
        """The p-value that there would be if no retained person were quoted: what the test can reach."""
        return larger_share_p(self.quoted, self.deleted, 0, self.others)

    def shown(self, tests: int) -> bool:
        """Whether the test shows deleted people to be quoted, at its share of the level."""
        return self.quoted > 0 and self.p <= LEVEL / max(1, tests)

    def untested(self, tests: int) -> bool:
        """Whether there are too few retained people to tell quotations from chance."""
        return self.quoted > 0 and self.least > LEVEL / max(1, tests)

    def by_chance(self, tests: int) -> bool:
        """Whether quotations are as frequent for retained people, in rows that are known to be others'."""
        if self.shown(tests) or self.untested(tests) or self.loose or not self.quoted:
            return False
        return self.quoted * self.others <= self.others_in_rows * self.deleted
