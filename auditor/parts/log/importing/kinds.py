"""What tickets ask for: which column says it, which of its values ask for erasure, and which rows are therefore none.

What is not known (`rights`) is asked back. Taking another kind of request for an erasure would log as carried out what nobody
asked for, leaving an erasure out would hide a person: neither is ever guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from auditor.base.suggestions import plain
from auditor.parts.log.importing.rights import FLAGS, NAMES, YES, Kind, asked, folded, speaks_of_another, speaks_of_more
from auditor.settings.values import show

ANY: Final = "*"
"""For every value of a column."""
OPTION: Final = "--erasures"
"""The option that says which values ask for erasure."""
_FEW: Final = 12
"""Distinct values up to which a column is no free text."""
_SHOWN: Final = 8


class Unclear(NamedTuple):
    """What of a column has to be told."""

    column: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What the columns of an export say of what was asked for."""

    columns: tuple[str, ...]
    """Those that say it."""
    told: Mapping[str, frozenset[str]]
    """Values that ask for erasure, by column, as they were told; folded."""
    unclear: tuple[Unclear, ...]
    whole: tuple[str, ...] = ()
    """Columns of which every value was told to ask for erasure."""
    texts: tuple[str, ...] = ()
    """Columns that do not say it, in which somebody may have written what else was asked for."""

    def erasure(self, values: Mapping[str, str]) -> bool | None:
        """Whether a row asks for erasure and nothing else; None where that is not known."""
        said = {self.one(column, values.get(column, "")) for column in self.columns} - {_Said.NOTHING}
        if not said or _Said.UNKNOWN in said or len(said) > 1:
            return None
        return said == {_Said.ERASURE}

    def also(self, values: Mapping[str, str]) -> tuple[str, ...]:
        """What a row that was told to ask for erasure asks for as well, as far as its words are known.

        Where each right has a column with crosses, the other columns say it.
        """
        kinds = {each for column in (*self.told, *self.whole) for each in asked(values.get(column, ""))}
        if any(asked(column) for column in self.told):
            kinds |= {each for name, cell in values.items() if folded(cell.strip()) in YES for each in asked(name)}
        return tuple(sorted(kinds - {Kind.ERASURE}))

    def speaks(self, values: Mapping[str, str]) -> tuple[str, ...]:
        """The columns in whose words a row that asks for erasure names another right: a person has to read them."""
        return tuple(column for column in self.texts if speaks_of_more(values.get(column, "")))

    def named(self, values: Mapping[str, str]) -> str:
        """What a row asks for, as it is written."""
        return " / ".join(dict.fromkeys(values[column] for column in self.columns if values.get(column)))

    def one(self, column: str, value: str) -> _Said:
        """What one cell asks for."""
        if column in self.told:
            # What is known to ask for erasure and for nothing else stays in: to leave it out would hide a person.
            kinds = asked(value)
            if folded(value.strip()) in self.told[column] or kinds == {Kind.ERASURE}:
                return _Said.ERASURE
            # One that asks for erasure and something else is told about by its own name, or asked back.
            return _Said.UNKNOWN if Kind.ERASURE in kinds else _Said.OTHER
        if not value:
            return _Said.NOTHING
        kinds = asked(value)
        if not kinds or (Kind.ERASURE in kinds and len(kinds) > 1):
            return _Said.UNKNOWN
        return _Said.ERASURE if kinds == {Kind.ERASURE} else _Said.OTHER


class _Said(StrEnum):
    ERASURE = "erasure"
    OTHER = "other"
    UNKNOWN = "unknown"
    NOTHING = "nothing"


def of_columns(
    rows: Sequence[Mapping[str, str]], names: Iterable[str], told: Mapping[str, frozenset[str]], sure: str | None
) -> Asked:
    """Find out what the rows of an export ask for.

    Args:
        rows: Their cells by column; of empty ones none.
        names: Columns that may say it: those that hold no id, time, state or person.
        told: Values that ask for erasure, by column; `ANY` for a column that says nothing of it.
        sure: The column that says it in this format, whatever its name; None where there is none.
    """
    whole = tuple(column for column, values in told.items() if ANY in values)
    words = {column: frozenset(folded(value.strip()) for value in values) for column, values in told.items() if ANY not in values}
    if words:
        asked_by = Asked(tuple(words), words, ())
        texts = tuple(name for name in names if name not in told)
        return Asked(tuple(words), words, (*_misnamed(rows, words), *_of_both(rows, asked_by)), whole, texts)
    open_ = [name for name in names if name not in told]
    counts = {name: Counter(row[name] for row in rows if row.get(name)) for name in open_}
    deciding = tuple(name for name in open_ if counts[name] and (name == sure or _says_it(name, counts[name])))
    found = Asked(deciding, {}, ())
    unclear = list(_unclear(rows, found, counts))
    if not deciding:
        unclear += _speaking(rows, counts)
    return Asked(deciding, {}, tuple(unclear), whole, tuple(name for name in open_ if name not in deciding))


def _says_it(name: str, counts: Counter[str]) -> bool:
    """Whether a column says what was asked for: by its name, or by what is in it."""
    if plain(folded(name)) in NAMES:
        return True
    if asked(name) and FLAGS.issuperset(map(folded, counts)):
        return True  # a column for each right, and a cross in it
    known = sum(count for value, count in counts.items() if asked(value))
    return known > 0 and (len(counts) <= _FEW or 2 * known >= counts.total())


def _misnamed(rows: Sequence[Mapping[str, str]], told: Mapping[str, frozenset[str]]) -> Iterator[Unclear]:
    """Values that were named and that no row has: a slip would leave every request out."""
    for column, values in told.items():
        there = Counter(row.get(column, "") for row in rows)
        if missing := values - {folded(value.strip()) for value in there}:
            yield Unclear(
                column, f"values that it has, in {OPTION}", f"{_list(sorted(missing))} in no row; there are {_counted(there)}"
            )


def _of_both(rows: Sequence[Mapping[str, str]], found: Asked) -> Iterator[Unclear]:
    """Values that were not named and that ask for erasure and something else: left out, they would hide people."""
    for column in found.columns:
        both = Counter(row[column] for row in rows if row.get(column) and found.one(column, row[column]) is _Said.UNKNOWN)
        if both:
            expected = f'every value that asks for erasure as well, named with {OPTION} "{column}=VALUE", or two tickets'
            yield Unclear(column, expected, _counted(both, kinds=True))


def _unclear(rows: Sequence[Mapping[str, str]], found: Asked, counts: Mapping[str, Counter[str]]) -> Iterator[Unclear]:
    """Values that are not known, for each column; rows that say nothing; rows whose columns say different things."""
    for column in found.columns:
        unknown = Counter({value: n for value, n in counts[column].items() if found.one(column, value) is _Said.UNKNOWN})
        if unknown:
            known = Counter({value: n for value, n in counts[column].items() if value not in unknown})
            beside = f"; known are {_counted(known, kinds=True)}" if known else ""
            yield Unclear(column, _way_out(column), f"{_counted(unknown)}{beside}")
    silent = sum(not any(row.get(column) for column in found.columns) for row in rows)
    if found.columns and silent:
        names = ", ".join(found.columns)
        expected = (
            f'what was asked for in every row, or {OPTION} "{found.columns[0]}=WORD" for each value that asks for erasure, '
            f'"{found.columns[0]}=" for none'
        )
        yield Unclear(names, expected, f"nothing in {silent} row(s)")
    if len(found.columns) > 1:
        apart = sum(found.erasure(row) is None and not _any_unknown(found, row) and bool(found.named(row)) for row in rows)
        if apart:
            expected = f'the same in each of them, or the one that counts: {OPTION} "{found.columns[0]}=WORD"'
            yield Unclear(", ".join(found.columns), expected, f"erasure in one and something else in another, in {apart} row(s)")


def _any_unknown(found: Asked, row: Mapping[str, str]) -> bool:
    return any(found.one(column, row.get(column, "")) is _Said.UNKNOWN for column in found.columns)


def _speaking(rows: Sequence[Mapping[str, str]], counts: Mapping[str, Counter[str]]) -> Iterator[Unclear]:
    """Free text that is about another right; what it says is personal, so that only its rows are counted."""
    for column in counts:
        count = sum(speaks_of_another(row.get(column, "")) for row in rows)
        if count:
            expected = f'tickets that ask for erasure: leave out the others, or {OPTION} "{column}={ANY}" where all do'
            yield Unclear(column, expected, f"{count} row(s) that name access or another right, and no erasure")


def _way_out(column: str) -> str:
    return (
        f'values that are known; name each that asks for erasure with {OPTION} "{column}=VALUE": known erasures stay in, and '
        f'every other value is left out and counted ("{column}={ANY}" takes all)'
    )


def _counted(values: Counter[str], *, kinds: bool = False) -> str:
    shown = [
        f"{show(value) if value else 'empty cells'} ({count}{f', {_of(value)}' if kinds else ''})"
        for value, count in values.most_common(_SHOWN)
    ]
    more = len(values) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _of(value: str) -> str:
    return " and ".join(sorted(asked(value)))


def _list(values: Sequence[str]) -> str:
    return ", ".join(show(value) for value in values[:_SHOWN])
