"""Whether deleted records belong together with retained ones: by a value that hardly any two records share.

A person who has several records shares a customer number or an address with none but themselves. Where the data do not say whose
a record is, such a value is all that shows that a retained record is a deleted person's. Of each column it is known from the
table alone which records share their value with another one. If an honest log deletes records at random, the deleted ones among
them are a draw without replacement, so Fisher's exact test rejects it at its level at most. Deleted records count where they
share with a retained one, which are fewer; retained ones where they share with any. Both err on the side of the log.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal, Self

from pydantic import Field, model_validator

from auditor.base.domain import Message
from auditor.maths.statistics import larger_share_p
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.levels import Level, share, spent
from auditor.verdict.checks.stated import Count, Positive

RELATED: Final = "related-rows"
"""The test by its name."""
MOST_SHARED: Final = 0.01
"""The share of retained records that may share their value with another retained one: of a surname or a town more do."""
TOO_FEW: Final = 0.05
"""How often records deleted at random may leave a case open by a column in which no two retained records share a value at all."""

Reason = Literal["more", "alone"]


class RelatedColumn(Values):
    """A column in which records share their value, and the requests that named deleted ones that share one with retained ones."""

    column: str
    """Its name; of record ids the part of them that is compared."""
    found: Count
    """Deleted records that share it with a retained one."""
    usual: Count
    """Retained records that share it with any other one."""
    among_retained: Count
    """Retained records that share it with another retained one."""
    of_people: bool = False
    """Whether it is called a number of people's, looks like one, or is a part of ids: then no two share it by chance."""
    together: Count | None = Field(default=None, exclude_if=lambda value: value is None)
    """Records of the whole table that share it with any other one, whichever are deleted; None where all of them are counted
    above."""
    request_ids: tuple[str, ...] = ()
    subjects: tuple[str | None, ...] = ()
    """Whose the requests are, in the same order; empty where no ticket of the log has two people."""

    @model_validator(mode="after")
    def _within(self) -> Self:
        if self.among_retained > self.usual:
            raise ValueError("a record that shares with a retained one shares with a record")
        if self.together is not None and self.together < self.found + self.usual:
            raise ValueError("a record that shares with any shares in the whole table")
        if bool(self.request_ids) != bool(self.found) or (self.subjects and len(self.subjects) != len(self.request_ids)):
            raise ValueError("a deleted record was named by a request, and each request has a subject, or none has")
        return self


class Related(Values):
    """Records that belong together by what they share.

    Columns in which none do, or too many, are counted and not listed. Numbers of people are listed also where other deletions, as
    many, could leave none that two retained records share.
    """

    deleted: Positive
    retained: Positive
    tested: Count
    """Columns that were compared, whichever records are deleted: the level is shared among them."""
    by_person: bool
    """Whether the case says whose each record is, and some people have several."""
    columns: tuple[RelatedColumn, ...] = ()
    parted: tuple[str, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Requests that were carried out for people of whom another record is kept, under a request that was neither refused nor
    withdrawn."""
    parted_subjects: tuple[str | None, ...] = Field(default=(), exclude_if=lambda value: not value)
    """Whose these are; empty where no ticket of the log has two people."""

    @model_validator(mode="after")
    def _within(self) -> Self:
        within = all(each.found <= self.deleted and each.usual <= self.retained for each in self.columns)
        if len(self.columns) > self.tested or not within:
            raise ValueError("no more columns share values than there are, and no more records than there are")
        return self


class NamedInStore(Values):
    """A file of the store that names deleted people by a number which the training data link to them."""

    place: Message
    column: str | None
    """Of the file; None where its text has it."""
    links: str
    """The column of the training data that holds the number."""
    records: Positive
    """Deleted records that the file names so, in all of its columns."""


class InHoldout(Values):
    """Records of the training data that the holdout holds as well."""

    records: Count
    """Of the holdout."""
    found: Count
    """Deleted records that are in it by their values; those count as found that nobody else would have."""
    retained: Count
    """Retained records that equal one of it."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A column that counts, and why: more deleted records share than chance gives, or no two retained ones share at all."""

    column: RelatedColumn
    because: Reason


def telling(related: Related) -> tuple[RelatedColumn, ...]:
    """List the columns in which at most `MOST_SHARED` of the retained records share a value with another."""
    return tuple(each for each in related.columns if each.among_retained <= MOST_SHARED * related.retained)


def counted(related: Related) -> tuple[Counted, ...]:
    """List the columns that say that a deleted person's records are kept."""
    found = ((each, _because(related, each)) for each in telling(related))
    return tuple(Counted(each, because) for each, because in found if because is not None)


def _because(related: Related, column: RelatedColumn) -> Reason | None:
    if not column.found:
        return None
    p = larger_share_p(column.found, related.deleted, column.usual, related.retained)
    if p <= share(RELATED) / related.tested:
        return "more"
    alone = column.of_people and not column.among_retained and (p <= TOO_FEW or _too_few(related, column))
    return "alone" if alone else None


def _too_few(related: Related, column: RelatedColumn) -> bool:
    """Whether the test could not reject, even if all deleted records shared their value with a retained one."""
    most = larger_share_p(related.deleted, related.deleted, column.usual, related.retained)
    return most > share(RELATED) / related.tested


def levels(related: Related | None) -> tuple[Level, ...]:
    """Declare what the test spends: its share, and what columns add in which no two retained records share a value.

    How many records of the whole table share a value, M of them, is known before any is deleted. That no two retained ones share
    takes at least half of the M among the deleted, and a p-value of at most `TOO_FEW` takes so many that as many or more are as
    rare among all M: found and usual leave out those alone that were deleted together, which moves both by as many. So the chance
    of the least such number bounds how often a column counts, in whichever draw it is asked.
    """
    if related is None or not related.tested:
        return ()
    beyond = math.fsum(_alone_by_chance(related, each) for each in related.columns if each.of_people)
    return (spent(RELATED, min(1.0, share(RELATED) + beyond)),)


def _alone_by_chance(related: Related, column: RelatedColumn) -> float:
    """Bound how often a column counts as `alone` and not as `more` where records are deleted at random."""
    marked = column.found + column.usual if column.together is None else column.together
    too_few = _too_few(related, column.model_copy(update={"usual": marked // 2}))
    for least in range(max((marked + 1) // 2, marked - related.retained), min(related.deleted, marked - 1) + 1):
        chance = larger_share_p(least, related.deleted, marked - least, related.retained)
        if chance <= TOO_FEW or too_few:
            return chance if chance > share(RELATED) / related.tested else 0.0
    return 0.0


def sentences(related: Related | None, *, word: bool) -> tuple[Message, ...]:
    """Name what is said of records that belong together.

    Args:
        related: What was observed.
        word: Whether the controller attests that they are other people's.
    """
    if related is None:
        return ()
    found, count = [], {each.column.column: each.because for each in counted(related)}
    for each in telling(related):
        because = count.get(each.column)
        given = {"records": each.found, "of": related.deleted, "column": each.column, "share": each.usual / related.retained}
        if not each.found:
            continue
        if because is None:
            code = "usual"
        elif related.by_person:
            code = "person"
        else:
            code = "attested" if word else because
        found.append(Message(f"data.erased.related-{code}", given))
    if related.parted:
        found.insert(0, Message("data.erased.parted", {"requests": list(related.parted)}))
    return tuple(found)
