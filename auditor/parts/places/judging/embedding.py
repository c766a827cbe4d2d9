"""What is known of the vectors that places keep of people: what they are computed by, and whether that may be believed.

The function that embeds is the audited party's own. It may treat deleted people apart, so that their vectors are looked for where
they never lay. What can be seen of that is counted here; a function that moves little wherever a record moves little, and has
no names of the deleted, can still be made to deceive, so that the result rests on a word.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, Self, TypeAlias

from pydantic import model_validator

from auditor.base.domain import Message
from auditor.maths.statistics.exact import larger_share_p
from auditor.settings.attestations import EMBEDDING
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.stated import Amount, Count

LEVEL: Final = 0.01
"""The p-value up to which a code is a deleted person's and no chance."""
MOST_VARIES: Final = 1e-5
"""Of the largest value: by how much a vector may differ between two runs."""
_JUMP: Final = 1.35
"""How many times the longest step towards people who stay a step towards a deleted one may be."""
_ROUGH: Final = 0.7
"""Of the usual distance between two people: a function with longer steps hides any jump."""
_MOST_UNSTEADY: Final = 0.1
"""Share of the people who stay whose vectors may jump."""
MOST_MISSED: Final = 0.05
"""Share of the pairs held out that a linear map may miss: their rows may be older than the table."""
_FEWEST_PATHS: Final = 8

Form: TypeAlias = Literal["values", "codes", "eight-bit", "signs"]
"""How an array keeps vectors: as computed or of unit length; under the store's own code; as numbers of eight bits; as signs."""


class Embedding(Values):
    """What was seen of the case's function; steps are measured in the usual distance between two people."""

    failed: bool = False
    """Whether it raised, was stopped, or returned no vectors."""
    width: Count = 0
    """Dimensions of a vector."""
    retained: Count = 0
    deleted: Count = 0
    varies: Amount = 0.0
    """The largest difference between two runs, in other batches and another order, as a share of the largest value."""
    alike: Count = 0
    """People who stay with the same vector as another."""
    unsteady: Count = 0
    """People who stay whose vector jumps where an eighth of their record changes."""
    apart: Count = 0
    """Deleted records of which the same is true."""
    paths: Count = 0
    """Paths from a record that stays to a deleted one."""
    paths_between: Count = 0
    """Paths between two records that stay."""
    longest: Amount = 0.0
    """The longest step of the first."""
    longest_between: Amount = 0.0
    """The longest step of the second."""
    named: Count = 0
    """Deleted records that are found in the function's own files, by id, name, number or value."""
    unread: Count = 0
    """Files of the function that could not be searched."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if max(self.alike, self.unsteady) > self.retained or max(self.apart, self.paths) > self.deleted:
            raise ValueError("no more is seen of records than there are")
        return self


class Vectors(Values):
    """The vectors of one place that are kept in one form."""

    form: Form
    by: Literal["function", "map"]
    """Whether vectors were computed by the case's function, or by a linear map learned from people who stay."""
    rows: Count
    retained: Count
    """People who stay that have a row."""
    deleted: Count
    """Deleted records that have one."""
    named: Count = 0
    """Rows under the id of somebody who stays."""
    own: Count = 0
    """Of these, rows with that person's vector."""
    taught: Count = 0
    """Of these, rows from which the map was learned."""
    held_out: Count = 0
    """Of these, rows that tested it."""
    missed: Count = 0
    """Of those, rows with another vector than the map gives."""
    permuted: Count = 0
    """The same where ids are exchanged."""
    shared: Count = 0
    """People who stay with the same code as another."""
    of_retained: Count
    of_deleted: Count

    @model_validator(mode="after")
    def _counted(self) -> Self:
        of_people = max(self.retained, self.shared) > self.of_retained or self.deleted > self.of_deleted
        of_rows = max(self.own, self.permuted, self.taught + self.held_out) > self.named or self.named > self.rows
        if of_people or of_rows or self.missed > MOST_MISSED * self.held_out or (self.by == "map") != bool(self.taught):
            raise ValueError("no more is met than there is")
        return self

    def joined(self, other: Vectors) -> Vectors:
        """Add those of another file in the same form; of people at least so many are met in one of the two."""
        added = {name: getattr(self, name) + getattr(other, name) for name in _OF_ROWS}
        most = {name: max(getattr(self, name), getattr(other, name)) for name in _OF_PEOPLE}
        return self.model_copy(update={**added, **most})


_OF_ROWS: Final = ("rows", "named", "own", "permuted", "taught", "held_out", "missed")
_OF_PEOPLE: Final = ("retained", "deleted", "shared")


class DerivedVectors(Values):
    """What the vectors of one place in one form show."""

    place: str
    form: Form
    p: Amount
    """The p-value of as many deleted records, were they met as often as people who stay meet another's code."""
    threshold: Amount = LEVEL


def chance(seen: Vectors) -> float:
    """Give the p-value of an exact test against the rate at which people who stay have another's code."""
    return larger_share_p(seen.deleted, seen.of_deleted, seen.shared, seen.of_retained)


def doubts(context: Context, seen: Embedding) -> Iterator[Message]:
    """Say why vectors that the function computed explain nothing, whatever they match."""
    if seen.failed:
        yield Message("places.embedding.failed")
        return
    # What speaks of deceit is answered by no word.
    if seen.named:
        yield Message("places.embedding.named", {"records": seen.named})
    if seen.unread:
        yield Message("places.embedding.unread", {"files": seen.unread})
    if seen.varies > MOST_VARIES:
        yield Message("places.embedding.varies")
    if _jumps(seen):
        yield Message("places.embedding.apart")
    elif _is_rough(seen) and not context.attests(EMBEDDING):
        yield Message("places.embedding.rough")


def _jumps(seen: Embedding) -> bool:
    more = seen.apart and larger_share_p(seen.apart, seen.deleted, seen.unsteady, seen.retained) <= LEVEL
    return bool(more) or seen.longest > _JUMP * seen.longest_between


def _is_rough(seen: Embedding) -> bool:
    """Whether it moves so unevenly that a jump would not stand out."""
    few = seen.paths_between < _FEWEST_PATHS or seen.paths < min(seen.deleted, 1)
    uneven = seen.unsteady > _MOST_UNSTEADY * seen.retained or bool(seen.apart)
    return few or uneven or seen.longest_between > _ROUGH
