"""Find retained records that belong to deleted people by a value they share, and rows of a store that name them by it.

A column is compared if most of its values are different: text, whole numbers, and the beginnings and ends of record ids that
are made of parts, such as C1001 of C1001-2. Which columns these are follows from the table alone, whichever records are deleted.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.deletion_log.deletions import people
from auditor.base.deletion_log.requests import Request
from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset, Positions
from auditor.maths.statistics.columns import are_whole
from auditor.parts.store.judging.related import MOST_SHARED, Related, RelatedColumn

Marks: TypeAlias = npt.NDArray[np.bool_]

LEAST_DIFFERENT: Final = 1 / 3
"""The share of a table's records that have to hold different values for a column to be compared."""
_FEWEST: Final = 10
"""Different values that it has at least."""
_PARTS: Final = re.compile(r"[-_/.:#|\s]+")
_SHAPED: Final = 0.95
"""The share of ids that have to be made of parts, and of values that have to look like a number, for a column to be taken so."""
_PIECES: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_CALLED: Final = frozenset(
    {
        *("id", "ids", "uid", "uuid", "guid", "nr", "no", "number", "nummer", "key", "ref", "mail", "email", "phone", "tel"),
        *("telephone", "telefon", "telefonnummer", "mobile", "iban", "account", "konto", "kontonummer", "ssn", "passport"),
        *("customer", "client", "patient", "member", "kunde", "kundennummer", "kundennr", "customerid", "customerno", "userid"),
        *("clientid", "patientid", "memberid", "personid", "username", "login", "mrn"),
    }
)
"""What the name of a column of such numbers ends with."""
LOOKS: Final = re.compile(r"(?=\S*[0-9@])[^\s]{6,}")
"""What a number of a person looks like that is no plain number: a word with digits or an @."""
_WHOLE: Final = re.compile(r"\s*(-?[0-9]+)\.0+\s*", re.ASCII)
_LONGEST: Final = 64
"""Characters of a value that are compared as they stand."""
_TAG: Final = re.compile(r"\+[^@\s]*(?=@)")
_CLOSED: Final = frozenset({"denied", "revoked", "no_match"})


@dataclass(frozen=True, eq=False)
class Keys:
    """One column as text in which only letters and digits count, in lower case; empty where nothing is there."""

    name: str
    values: npt.NDArray[np.str_]
    """Shape (n,)."""
    written: tuple[str, ...] = ()
    """The same as the table writes it; none of parts of ids."""

    @property
    def compared(self) -> bool:
        """Whether so many values are different that two that are the same say something."""
        return len(np.unique(self.values)) >= max(_FEWEST, LEAST_DIFFERENT * len(self.values))


def related_rows(
    train: Dataset,
    deleted: Positions,
    requests: Sequence[Request],
    *,
    whose: Sequence[str] | None = None,
    names: Sequence[str] = (),
) -> Related | None:
    """Count deleted records that share a value with retained ones, column by column.

    Args:
        train: The training data with every column that tells something of a person.
        deleted: Positions of the deleted records.
        requests: The log, by which those are named that share one.
        whose: Whose each record is, shape (n,); None where the case does not say it.
        names: See `columns_of`.

    Returns:
        None where nothing is deleted, or nothing is left.
    """
    gone = np.zeros(len(train), dtype=bool)
    gone[deleted] = True
    if not deleted.size or gone.all():
        return None
    columns = [each for each in columns_of(train, names) if each.compared]
    parted = () if whose is None else _parted(train, gone, requests, whose)
    return Related(
        deleted=int(gone.sum()),
        retained=int((~gone).sum()),
        tested=len(columns),
        by_person=whose is not None and _several(whose),
        columns=tuple(found for each in columns if (found := _shared(each, train, gone, requests)) is not None),
        parted=tuple(each.request_id for each in parted),
        parted_subjects=people(parted, requests),
    )


def columns_of(train: Dataset, names: Sequence[str] = ()) -> Iterator[Keys]:
    """Give the columns of text and whole numbers of a table, see `written_columns`, and what its ids are made of."""
    yield from written_columns(train, names)
    ids = [_PARTS.split(each) for each in train.ids.tolist()]
    if np.mean([len(parts) > 1 and all(parts) for parts in ids]) >= _SHAPED:
        yield Keys("id, without its last part", _plain(["".join(parts[:-1]) for parts in ids]))
        yield Keys("id, without its first part", _plain(["".join(parts[1:]) for parts in ids]))


def written_columns(train: Dataset, names: Sequence[str] = ()) -> Iterator[Keys]:
    """Give the columns of text and whole numbers of a table.

    Args:
        train: The table.
        names: What its columns are called where it has numbers alone; their numbers where left out.
    """
    called = names if len(names) == train.features.shape[1] else [f"{at + 1}" for at in range(train.features.shape[1])]
    for at in range(train.features.shape[1]):
        column = Column(called[at], Kind.NUMBER, np.nan) if train.table is None else train.table[at]
        codes = train.features[:, at]
        if column.kind in {Kind.TIME, Kind.BOOLEAN} or not _is_whole(column, codes):
            continue
        # Codes say how many values differ before any is written out.
        if len(np.unique(codes)) >= max(_FEWEST, LEAST_DIFFERENT * len(codes)):
            cells = tuple("" if each is None else each for each in column.cells(codes))
            yield Keys(column.name, _plain(cells), cells)


def _is_whole(column: Column, codes: npt.NDArray[np.float64]) -> bool:
    if column.kind is Kind.TEXT:
        return True
    return are_whole(codes[codes != column.missing])


def plain(text: str) -> str:
    """Write a value by its letters and digits alone, in lower case: A-10 01 and a1001 are the same; me+shop@x.org is me@x.org.

    A whole number with a point, as a column with empty cells has it, is that number; of a long text a digest stands for the rest.
    """
    whole = _WHOLE.fullmatch(text)
    read = text if whole is None else whole[1]
    said = "".join(each for each in _TAG.sub("", unicodedata.normalize("NFKC", read).casefold()) if each.isalnum())
    if len(said) <= _LONGEST:
        return said
    return said[:_LONGEST] + blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _plain(cells: Sequence[str]) -> npt.NDArray[np.str_]:
    known = {each: plain(each) for each in set(cells)}
    return np.array([known[each] for each in cells], dtype=np.str_)


def _shared(column: Keys, train: Dataset, gone: Marks, requests: Sequence[Request]) -> RelatedColumn | None:
    """How many records share their value; None where none does, or so many do that it says nothing, whichever are deleted."""
    _, group = np.unique(column.values, return_inverse=True)
    group = group.reshape(-1)
    filled = column.values != ""
    size = np.bincount(group[filled], minlength=group.max() + 1)
    kept = np.bincount(group[filled & ~gone], minlength=len(size))
    found = gone & filled & (kept[group] > 0)
    usual = int((~gone & filled & (size[group] > 1)).sum())
    among = int((~gone & filled & (kept[group] > 1)).sum())
    together = int((filled & (size[group] > 1)).sum())
    numbers = not column.written or names_people(column)
    # Each value that is shared can be parted, so that no two retained records share any: then numbers count.
    few = numbers and (together + 1) // 2 <= int(gone.sum())
    if not together or (not few and (not usual or among > MOST_SHARED * int((~gone).sum()))):
        return None
    named = _naming(frozenset(train.ids[found].tolist()), requests)
    return RelatedColumn(
        column=column.name,
        found=int(found.sum()),
        usual=usual,
        of_people=numbers,
        together=together if together > int(found.sum()) + usual else None,
        among_retained=among,
        request_ids=tuple(each.request_id for each in named),
        subjects=people(named, requests),
    )


def _naming(records: frozenset[str], requests: Sequence[Request]) -> list[Request]:
    """The requests that name some records."""
    return [each for each in requests if not records.isdisjoint(each.record_ids)]


def _several(whose: Sequence[str]) -> bool:
    """Whether some people have several records: a column that is another for each record says whose none is."""
    return max(Counter(each for each in whose if each.strip()).values(), default=0) > 1


def _parted(train: Dataset, gone: Marks, requests: Sequence[Request], whose: Sequence[str]) -> list[Request]:
    """Requests that were carried out for people of whom a record is kept that another row names and did not turn down."""
    waiting = {record for each in requests if each.status not in _CLOSED for record in each.record_ids}
    owners = np.array(whose)
    here = np.array([bool(each.strip()) for each in whose])
    kept = ~gone & here & np.isin(train.ids, sorted(waiting))
    both = np.intersect1d(owners[gone & here], owners[kept])
    return _naming(frozenset(train.ids[gone & np.isin(owners, both)].tolist()), requests) if both.size else []


def is_number(column: Keys, gone: Marks) -> bool:
    """Whether a column holds numbers that name somebody: it is called so, or looks like it and hardly two retained ones share."""
    if _is_called(column):
        return True
    if not names_people(column):
        return False
    kept = column.values[~gone & (column.values != "")]
    _, group, sizes = np.unique(kept, return_inverse=True, return_counts=True)
    return bool((sizes[group.reshape(-1)] > 1).sum() <= MOST_SHARED * len(kept))


def names_people(column: Keys) -> bool:
    """Whether a column is called a number of people's, or its values look like one, whichever records are deleted."""
    if _is_called(column):
        return True
    filled = [each for each in column.written if each.strip()]
    if sum(LOOKS.fullmatch(each.strip()) is not None for each in filled) < _SHAPED * len(filled):
        return False
    return not all(map(_is_decimal, filled))


def _is_called(column: Keys) -> bool:
    pieces = [each.casefold() for each in _PIECES.findall(column.name)]
    return plain(column.name) in _CALLED or bool(pieces and pieces[-1] in _CALLED)


def _is_decimal(text: str) -> bool:
    """Whether it may be an amount: numbers alone name nobody unless they are called so."""
    try:
        float(text)
    except ValueError:
        return False
    return True
