"""Columns of a table that holds more than numbers: what each code in a matrix of features stands for.

Every cell is a finite float64, so that drawing, moving, replacing and counting records need not know what a column holds; only
where records are handed to a procedure, compared or searched for do codes become values again. A number is its own code. Text is
the number of a word, a time a count of units since 1970, and a missing value a code that no value of the column has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Codes: TypeAlias = npt.NDArray[np.float64]

MOST_CATEGORIES: Final = 50
"""Distinct words up to which a column of text is one of categories; beyond, it is text that is each person's own."""
_DIMENSIONS: Final = 3
"""Numbers that stand for a word where distances are measured: no two words have the same."""


MISSING: Final = frozenset({"", "nan", "na", "n/a", "null"})
"""Cells of a table of text, in small letters, that stand for a missing value."""
MISSING_ELSEWHERE: Final = MISSING | {"none"}
"""The same of tables that are compared with it, where no cell of its column is that word."""


class Kind(StrEnum):
    """What a column holds, which decides the type that a procedure gets it in."""

    NUMBER = "number"
    """float64; a missing value is NaN."""
    INTEGER = "integer"
    """int64; no value is missing."""
    BOOLEAN = "boolean"
    """bool; no value is missing."""
    TEXT = "text"
    """str; a missing value is None."""
    TIME = "time"
    """datetime64 in UTC, without a zone; a missing value is NaT."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table of mixed columns."""

    name: str
    kind: Kind
    missing: float
    """The code of a missing value."""
    words: tuple[str, ...] = ()
    """Of text, in ascending order: code k stands for the word at k."""
    unit: Literal["s", "us"] = "s"
    """Of a time."""
    middle: float = 0.0
    """A code amid those of the column, which stands for a missing value where distances are measured."""

    @property
    def free_text(self) -> bool:
        """Whether it is text with too many words to be categories."""
        return self.kind is Kind.TEXT and len(self.words) > MOST_CATEGORIES

    def values(self, codes: Codes) -> npt.NDArray[Any]:
        """What codes stand for, shape (n,), in the type that a procedure gets.

        Codes that no record has are taken as well, for auditors make records up: of text, one beyond the words is a word that no
        record holds.
        """
        gone = codes == self.missing
        match self.kind:
            case Kind.NUMBER:
                return np.where(gone, np.nan, codes)
            case Kind.INTEGER:
                return np.rint(codes).astype(np.int64)
            case Kind.BOOLEAN:
                return codes >= 0.5
            case Kind.TIME:
                counts = np.where(gone, 0.0, np.rint(codes)).astype(np.int64)
                found = counts.astype(f"datetime64[{self.unit}]")
                found[gone] = np.datetime64("NaT")
                return found
            case Kind.TEXT:
                return np.array([self._word(code) for code in codes.tolist()], dtype=object)

    def _word(self, code: float) -> str | None:
        if code == self.missing:
            return None
        place = int(np.floor(code))
        return self.words[place] if 0 <= place < len(self.words) else f"unknown {place}"

    def cells(self, codes: Codes) -> list[str | None]:
        """What codes stand for as a table of text writes it, one way for each value; None where it is missing."""
        values = self.values(codes)
        match self.kind:
            case Kind.TEXT:
                return list(values)
            case Kind.TIME:
                return [None if np.isnat(each) else written(each) for each in values]
            case Kind.NUMBER:
                return [None if np.isnan(each) else number_written(each) for each in values.tolist()]
            case _:
                return [number_written(float(each)) for each in values.tolist()]


Columns: TypeAlias = tuple[Column, ...]


def number_written(value: float) -> str:
    """A number in the one way in which numbers are compared as text: 3 and 3.0 are the same."""
    return str(int(value)) if value == int(value) and abs(value) < 2**63 else repr(float(value))


def written(moment: np.datetime64) -> str:
    """A time in the one way in which times are compared as text: a day alone at midnight, else to the last digit that counts."""
    text = str(moment.astype("datetime64[us]"))
    return text.removesuffix(".000000").removesuffix("T00:00:00")


def moment(text: str) -> int:
    """Microseconds since 1970 in UTC; a time without an offset is taken for one in UTC.

    Raises:
        ValueError: If there is no such time.
    """
    found = datetime.fromisoformat(text)
    found = found.replace(tzinfo=UTC) if found.tzinfo is None else found
    return (found - _EPOCH) // timedelta(microseconds=1)


def time_written(text: str) -> str | None:
    """A time as `written` gives it, from another way of writing it; None for what is no time."""
    try:
        return written(np.datetime64(moment(text), "us"))
    except (ValueError, OverflowError):
        return None


def codes_of(column: Column, texts: Sequence[str], words: Mapping[str, float]) -> Codes:
    """The codes of cells of a table of text, shape (n,); NaN for what the column cannot hold.

    Args:
        column: The column.
        texts: Cells; an empty one is missing.
        words: Of a column of text, the codes of the words that count.
    """
    found = np.full(len(texts), np.nan)
    for row, given in enumerate(texts):
        text = given.strip()
        if column.kind is Kind.TEXT and given in words:
            found[row] = words[given]
        elif text.lower() in MISSING_ELSEWHERE:
            found[row] = column.missing
        elif column.kind is Kind.TIME and (told := time_written(text.strip('"'))) is not None:
            found[row] = float(moment(told)) / (1.0 if column.unit == "us" else 1e6)
        elif column.kind is Kind.BOOLEAN and text.lower() in _TRUTHS:
            found[row] = _TRUTHS[text.lower()]
        elif column.kind in {Kind.NUMBER, Kind.INTEGER} and len(text) <= _LONGEST_NUMBER:
            with suppress(ValueError):
                found[row] = float(text)
    return found


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TRUTHS: Final = {"true": 1.0, "false": 0.0, "1": 1.0, "0": 0.0}
_LONGEST_NUMBER: Final = 32


def complete(table: Columns, codes: Codes) -> npt.NDArray[np.bool_]:
    """Which columns hold fractions of which none is missing; shape (d,)."""
    fractions = np.array([each.kind is Kind.NUMBER for each in table], dtype=bool)
    return np.asarray(fractions & ~np.any(codes == missing_codes(table), axis=0))


def vectors_in(table: Columns) -> list[list[int]]:
    """Give the columns of each vector: numbers, called alike but for a number at the end, which goes on by one."""
    found: dict[str, list[tuple[int, int]]] = {}
    for place, column in enumerate(table):
        called = _NUMBERED.fullmatch(column.name)
        if called and column.kind in {Kind.NUMBER, Kind.INTEGER}:
            found.setdefault(called[1], []).append((int(called[2]), place))
    runs = [sorted(each) for each in found.values()]
    return [
        [place for _, place in each]
        for each in runs
        if [number for number, _ in each] == list(range(each[0][0], each[0][0] + len(each))) and len(each) >= _SHORTEST_VECTOR
    ]


_NUMBERED: Final = re.compile(r"(.*?)(0|[1-9]\d{0,5})", re.DOTALL | re.ASCII)
_SHORTEST_VECTOR: Final = 4
"""Numbers that a vector has at least: fewer may be anything that is called alike."""


def missing_codes(table: Columns) -> Codes:
    """The code of a missing value in each column; shape (d,)."""
    return np.array([each.missing for each in table])


def coordinates(table: Columns | None, codes: Codes) -> Codes:
    """Rows as points whose distances mean something: shape (n, d) in, (n, k) out, k at least d.

    Numbers and times stay. A word becomes three numbers drawn for it, so that any two words are about as far apart as any other
    two. That a number is missing is a further coordinate, and the middle of the column takes its place. Without a table the
    codes themselves are given back.
    """
    if table is None:
        return codes
    parts: list[Codes] = []
    for place, column in enumerate(table):
        values = codes[:, place]
        gone = values == column.missing
        if column.kind is Kind.TEXT:
            drawn = np.random.default_rng([7, place]).normal(size=(len(column.words) + 1, _DIMENSIONS))
            inside = (values >= 0) & (values < len(column.words)) & ~gone
            # Words that no record has lie where their code says, away from all others.
            points = drawn[np.where(inside, np.floor(values), len(column.words)).astype(np.int64)]
            points[~inside & ~gone] += 10.0 + np.abs(values[~inside & ~gone])[:, None]
            parts.append(points)
            continue
        filled = values.copy()
        filled[gone] = column.middle
        parts.append(filled[:, None])
        if column.kind in {Kind.NUMBER, Kind.TIME}:
            parts.append(gone[:, None].astype(np.float64))
    return np.concatenate(parts, axis=1) if parts else codes


def moves(table: Columns, codes: Codes, *, many: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which columns a moved copy changes by a share of the difference, and which it leaves alone; both of shape (d,).

    Args:
        table: The columns.
        codes: Shape (n, d).
        many: Distinct values above which numbers move by a share. Times and free text stay.
    """
    by_share = [
        each.kind in {Kind.NUMBER, Kind.INTEGER} and len(np.unique(codes[:, place])) > many for place, each in enumerate(table)
    ]
    stay = [each.kind is Kind.TIME or each.free_text for each in table]
    return np.array(by_share, dtype=bool), np.array(stay, dtype=bool)


def settled(table: Columns, codes: Codes) -> Codes:
    """Rows whose columns of whole numbers hold such alone; shape (n, d)."""
    whole = np.array([each.kind is Kind.INTEGER for each in table], dtype=bool)
    return np.where(whole, np.rint(codes), codes)


def code_below(values: Codes) -> float:
    """A code for missing values that no value of a column has, and no value between two of them either."""
    if not values.size:
        return -1.0
    low, high = float(values.min()), float(values.max())
    below = low - max(high - low, 1.0)
    return below if np.isfinite(below) and below < low else float(np.nextafter(low, -np.inf))
