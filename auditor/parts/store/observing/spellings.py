"""Count what the spelling of cells of a table of text could carry: 1.5, +1.5, 1.50 and "1.5" are one value.

A table is written again from its values, in the one way that fits it best; what differs from that is described, and the bits of
the description counted: which rows, which cells of them, where in the cell, and the characters there. So at most 2^n tables with
the same values have n bits. What is chosen once for a whole file, as how lines end, is not counted.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import copysign
from typing import Any, Final, TypeAlias

import numpy as np

from auditor.parts.release.observing.parquet_styles import Habit
from auditor.parts.store.judging.accounting import Spare
from auditor.parts.store.observing import missing_cells
from auditor.parts.store.observing.cell_values import codes_of, missing_in
from auditor.parts.store.observing.line_edits import bits_apart
from auditor.parts.store.observing.number_forms import NUMBERS, TIMES, TRUTHS, Form
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.row_indexes import numbers_rows
from auditor.parts.store.observing.spare_bits import OF_COLUMN

Cell: TypeAlias = str | None
"""None where a line of JSON leaves it out."""
_SAMPLE: Final = 64
"""Rows by which a form is chosen."""
_OF_FORM: Final = 5
"""Bits of the form that all columns of a file have."""
_WITH_POINT: Final = {0, 1}
"""The forms of numbers that differ in the point of whole ones only."""


def of_separated(text: str, delimiter: str, people: People, habits: list[Habit] | None = None) -> tuple[Spare, ...]:
    """What the spelling of a table of separated values could carry; the forms of its cells are added to the file's habits."""
    taken: list[str] = []

    def lines() -> Iterator[str]:
        for line in io.StringIO(text, newline=""):
            taken.append(line)
            yield line

    rows: list[list[str]] = []
    raw: list[str] = []
    for row in csv.reader(lines(), delimiter=delimiter, strict=True):
        if row:
            rows.append(row)
            raw.append("".join(taken))
            taken.clear()
    names = [name.strip() for name in rows[0]]
    fitting = [len(row) == len(names) for row in rows[1:]]
    columns = list(zip(*(row for row, fits in zip(rows[1:], fitting, strict=True) if fits), strict=True)) or [() for _ in names]
    again, bits = _columns(names, columns, people, habits)
    renewed = iter(zip(*again, strict=True))
    full = [names, *(list(next(renewed)) if fits else row for row, fits in zip(rows[1:], fitting, strict=True))]
    ends = _commonest(_end(line) for line in raw)
    coded = {at: codes_of(name, people) for at, name in enumerate(names)}
    # An index is of numbers, which some writers give without the quotes that texts have.
    first = {0} if numbers_rows(names, rows[1:], people) else set[int]()
    texts = frozenset(at for at, each in coded.items() if each is None) - first
    # A time is text to some writers.
    times = texts | {at for at, each in coded.items() if each is not None and each[0] is TIMES}
    expected = [line + ends for line in _quoted_lines(raw, full, delimiter, (texts, times))]
    if not _end(raw[-1]):
        expected[-1] = expected[-1].removesuffix(ends)
    return _spare(bits + bits_apart(raw, expected, delimiter) + 8 * len("".join(taken)), text)


def of_lines(text: str, people: People) -> tuple[Spare, ...]:
    """What the spelling of lines of JSON could carry: order of keys, spaces, escapes and forms of numbers among it."""
    raw: list[str] = []
    above = ""
    for line in text.splitlines(keepends=True):
        above += line
        if line.strip():
            raw.append(above)
            above = ""
    records: list[dict[str, Any]] = list(map(json.loads, raw))
    written: list[dict[str, Any]] = [json.loads(line, parse_float=_Literal, parse_int=_Literal) for line in raw]
    names = list(dict.fromkeys(name for each in sorted(records, key=len, reverse=True) for name in each))
    left_out = Counter(name for each in records for name in names if name not in each)
    said_null = Counter(name for each in records for name in each if each[name] is None)
    absent = {name for name in names if left_out[name] > said_null[name]}
    bits = OF_COLUMN * min(len(absent), len((left_out.keys() | said_null.keys()) - absent))
    columns: list[list[Cell]] = [[_as_text(each.get(name), raw.get(name)) for each, raw in zip(records, written, strict=True)]
                                 for name in names]  # fmt: skip
    filled = [["" if cell is None else cell for cell in column] for column in columns]
    again, more = _columns(names, filled, people)
    bits += more
    places = missing_cells.places_of(names, columns, people)
    tokens: dict[str, list[Any]] = {}
    ways: dict[bool, list[str | None]] = {True: [], False: []}
    for name, column, renewed in zip(names, columns, again, strict=True):
        given = [each.get(name) for each in records]
        literal = 2 * sum(isinstance(each, str) for each in given) < sum(each is not None for each in given)
        those = missing_in(name, cells := filled[names.index(name)], people)
        gone = [cell in those for cell in cells]
        nothing = json.loads(_commonest(json.dumps(value) for value, none in zip(given, gone, strict=True) if none) or "null")
        at = [row for row, none in enumerate(gone) if none]
        nothings = dict.fromkeys(at, nothing)
        ways_here = [_Literal("NaN") if isinstance(given[row], float) else given[row] for row in at]
        if all(each is None or isinstance(each, str) for each in ways_here):
            usual, more = _of_missing(name, ways_here, at, nothing, places, people)
            nothings, bits = dict(zip(at, usual, strict=True)), bits + more
        if any(gone):
            ways[codes_of(name, people) is None].append(nothing if nothing is None or isinstance(nothing, str) else "NaN")
        # 17 and "17" are one text.
        of_text, known = codes_of(name, people) is None, people.columns.get(name) not in {None, "declared"}
        tokens[name] = [
            nothings[row] if none
            else value if cell is None or (of_text and not (known and _is_literal(cell)))
            else _Literal(text) if literal else text
            for row, (value, cell, text, none) in enumerate(zip(given, column, renewed, gone, strict=True))
        ]  # fmt: skip
    bits += sum(map(missing_cells.of_ways, ways.values()))
    # Numbers as text in some columns, and not in others.
    bits += OF_COLUMN * min(
        sum(any(isinstance(each, _Literal) for each in tokens[name]) is kind for name in names if codes_of(name, people))
        for kind in (True, False)
    )
    rows = [
        {name: tokens[name][at] for name in names if not (name in absent and tokens[name][at] is None)} for at in range(len(raw))
    ]
    ends = _commonest(_end(line) for line in raw)
    write = min(_WRITERS, key=lambda each: sum(each(row) + ends != line for row, line in zip(rows[:_SAMPLE], raw, strict=False)))
    expected = [write(row) + ends for row in rows]
    if not _end(raw[-1]):
        expected[-1] = expected[-1].removesuffix(ends)
    return _spare(bits + bits_apart(raw, expected, ",") + 8 * len(above), text)


def of_texts(columns: Mapping[str, Sequence[object]], people: People) -> tuple[Spare, ...]:
    """What the spelling of missing cells could carry in a database or a Parquet file, and of numbers that it holds as text."""
    # Bytes are read as text is, and can be spelled as it can.
    plain = {name: [each.decode("latin-1") if isinstance(each, bytes) else each for each in column]
             for name, column in columns.items()}  # fmt: skip
    bits = missing_cells.of_columns(plain, people)
    held = {
        name: ["" if each is None else each if isinstance(each, str) else json.dumps(each, default=str) for each in column]
        for name, column in plain.items()
        if codes_of(name, people) is not None and any(isinstance(each, str) for each in column)
    }
    # How what is missing is given is counted already.
    gone = {name: missing_in(name, column, people) for name, column in held.items()}
    cells = {name: ["" if each in gone[name] else each for each in column] for name, column in held.items()}
    again, more = _columns(list(cells), list(cells.values()), people)
    bits += more + sum(bits_apart(column, renewed, "\0") for column, renewed in zip(cells.values(), again, strict=True))
    return (Spare(name="spelling of cells", bits=bits),) if bits else ()


class _Literal(str):
    """A number of JSON as it stands."""

    __slots__ = ()


def _is_literal(cell: str) -> bool:
    """Whether JSON can say a text without quotes as well."""
    try:
        return not isinstance(json.loads(cell), str | list | dict)
    except (ValueError, RecursionError):
        return False


def _as_text(value: object, raw: object) -> Cell:
    if value is None or isinstance(value, str):
        return value
    return str(raw) if isinstance(raw, _Literal) else json.dumps(value)


@dataclass(frozen=True, slots=True)
class _Writer:
    """How lines of JSON are written."""

    between: str
    colon: str
    ascii: bool
    slashes: bool
    capitals: bool

    def __call__(self, row: Mapping[str, Any]) -> str:
        pairs = (f"{self._of(name)}{self.colon}{self._of(value)}" for name, value in row.items())
        return "{" + self.between.join(pairs) + "}"

    def _of(self, value: object) -> str:
        if isinstance(value, _Literal):
            return str(value)
        text = json.dumps(value, ensure_ascii=self.ascii, separators=(self.between, self.colon))
        if self.slashes:
            text = text.replace("/", "\\/")
        return _in_capitals(text) if self.capitals else text


def _in_capitals(text: str) -> str:
    pieces = text.split("\\u")
    return "\\u".join([pieces[0], *(each[:4].upper() + each[4:] for each in pieces[1:])])


_WRITERS: Final = tuple(
    _Writer(between, colon, plain, slashes, capitals)
    for between, colon in ((", ", ": "), (",", ":"), (",", ": "), (", ", ":"))
    for plain in (True, False)
    for slashes in (False, True)
    for capitals in (False, True)
)


def _columns(
    names: Sequence[str], columns: Sequence[Sequence[str]], people: People, habits: list[Habit] | None = None
) -> tuple[list[list[str]], int]:
    """The cells of each column in the form that one writer gives them, and the bits of columns that have another than others."""
    again = [list(column) for column in columns]
    gone = [missing_in(name, column, people) for name, column in zip(names, columns, strict=True)]
    missing = _commonest(cell for those, column in zip(gone, columns, strict=True) if those for cell in column if cell in those)
    bits, habits = missing_cells.of_odd([missing]), [] if habits is None else habits
    habits += [Habit("missing", missing, _OF_FORM)] if any(gone) else []
    places = missing_cells.places_of(names, columns, people)
    for at, those in enumerate(gone):
        if those:
            rows = [row for row, cell in enumerate(again[at]) if cell in those]
            usual, more = _of_missing(names[at], [again[at][row] for row in rows], rows, missing, places, people)
            bits += more
            for row, cell in zip(rows, usual, strict=True):
                again[at][row] = cell or ""
    read: dict[int, tuple[tuple[Form, ...], list[float | None]]] = {}
    for at, (name, column) in enumerate(zip(names, columns, strict=True)):
        if (coded := codes_of(name, people)) is not None:
            forms, values_of = coded
            read[at] = (forms, values_of(column))
    signs = _signed_zeros(names, columns, {at: values for at, (_, values) in read.items()}, people)
    for at, (_, values) in read.items():
        for row in [row for row, value in enumerate(values) if value == 0]:
            values[row] = copysign(0.0, -1.0 if (at, row) in signs else 1.0)
    for whole in (True, False):
        for forms in (NUMBERS, TRUTHS, TIMES):
            alike = {at: values for at, (own, values) in read.items() if own is forms and _whole(values) is whole}
            bits += _written(alike, columns, again, forms, habits)
    return again, bits


def _of_missing(
    name: str, given: Sequence[Cell], rows: Sequence[int], usual: Cell, places: Sequence[int], people: People
) -> tuple[Sequence[Cell], int]:
    """How missing cells of a column are expected: one way, or as the training data give them where fewer differ; and its bits."""
    alike, bits = missing_cells.as_given(name, given, [places[row] for row in rows] if places else (), people)
    others, more = (sum(one != other for one, other in zip(given, each, strict=True)) for each in ([usual] * len(given), alike))
    return (alike, bits + OF_COLUMN) if others > more + 1 else ([usual] * len(given), 0)


def _written(
    alike: Mapping[int, list[float | None]],
    columns: Sequence[Sequence[str]],
    again: list[list[str]],
    forms: Sequence[Form],
    habits: list[Habit],
) -> int:
    """Write columns in the form that fits most of them, or in their own; the bits of those with their own."""
    wrong = {at: np.array(_misfits(columns[at], values, forms)) for at, values in alike.items()}
    if not wrong:
        return 0
    usual = int(np.argmin(np.sum(list(wrong.values()), axis=0)))
    fit = np.flatnonzero(np.sum(list(wrong.values()), axis=0) == 0).tolist()
    kind = f"{len(forms)} forms, {_whole(next(iter(alike.values())))}"
    habits.append(Habit(kind, frozenset(fit or [usual]), _OF_FORM))
    bits = others = 0
    for at, counts in wrong.items():
        own = usual if counts[usual] == 0 else int(np.argmin(counts))
        bits += OF_COLUMN * (own != usual)
        others += own not in {usual, *_WITH_POINT}
        again[at] = [old if value is None else forms[own](value) for old, value in zip(again[at], alike[at], strict=True)]
    # Whether whole numbers have a point is one bit of each column, where that is less.
    return min(bits, OF_COLUMN * others + len(alike)) if usual in _WITH_POINT else bits


def _misfits(column: Sequence[str], values: Sequence[float | None], forms: Sequence[Form]) -> list[int]:
    pairs = [(cell, value) for cell, value in zip(column, values, strict=True) if value is not None]
    # From everywhere in the file, for its beginning may be of small numbers only.
    some = pairs[:: max(1, len(pairs) // _SAMPLE)]
    return [sum(form(value) != cell for cell, value in some) for form in forms]


def _whole(values: Iterable[float | None]) -> bool:
    return all(each is None or each == each // 1 for each in values)


def _signed_zeros(
    names: Sequence[str], columns: Sequence[Sequence[str]], read: Mapping[int, Sequence[float | None]], people: People
) -> set[tuple[int, int]]:
    """Column and row of the zeros with a sign: none, those of the training data, or what a writer rounded to zero from below.

    Args:
        names: Of the columns.
        columns: Their cells.
        read: The values of those that are no text.
        people: Who is in the training data.
    """
    own = next((at for at, name in enumerate(names) if people.columns.get(name) == "id"), None)
    places = [] if own is None else [people.places.get(each, -1) for each in columns[own]]
    written, exact, rounded = set[tuple[int, int]](), set[tuple[int, int]](), set[tuple[int, int]]()
    for at, name in enumerate(names):
        if name not in people.features or at not in read:
            continue
        zeros = [row for row, value in enumerate(read[at]) if value == 0]
        written |= {(at, row) for row in zeros if columns[at][row].strip().startswith("-")}
        values = people.train.features[:, people.features.index(name)]
        signed = [(row, values[places[row]]) for row in zeros if places and places[row] >= 0]
        rounded |= {(at, row) for row, value in signed if np.signbit(value)}
        exact |= {(at, row) for row, value in signed if value == 0 and np.signbit(value)}
    return min((set[tuple[int, int]](), exact, rounded), key=lambda each: len(each ^ written))


def _quoted_lines(
    raw: Sequence[str], rows: Sequence[Sequence[str]], delimiter: str, texts: Sequence[frozenset[int]]
) -> list[str]:
    """Lines without their ends, with quotes round all cells, those of text, or those that need them; empty ones alike or not."""
    every = frozenset(range(len(rows[0])))
    rules = [partial(_quoted, delimiter=delimiter, always=always, empty=empty)
             for empty in (True, False) for always in (frozenset[int](), every, *texts)]  # fmt: skip
    # A missing number is text to writers that quote all text.
    rules += [partial(_quoted, delimiter=delimiter, always=always, empty=True, missing=True) for always in texts]

    def line(rule: Callable[[str, int], str], row: Sequence[str]) -> str:
        return delimiter.join(map(rule, row, range(len(row))))

    sample = list(zip(raw, rows, strict=True))[1:]
    sample = sample[:: max(1, len(sample) // _SAMPLE)]
    rule = min(rules, key=lambda each: sum(line(each, row) != old.strip("\r\n") for old, row in sample))
    # A header is text, whatever its columns hold.
    heads = [line(each, rows[0]) for each in (rule, *rules[:2])]
    head = next((each for each in heads if each == raw[0].strip("\r\n")), heads[0])
    return [head, *(line(rule, row) for row in rows[1:])]


def _quoted(cell: str, at: int, *, delimiter: str, always: frozenset[int], empty: bool, missing: bool = False) -> str:
    needed = delimiter in cell or '"' in cell or "\r" in cell or "\n" in cell or (missing and not cell)
    return '"' + cell.replace('"', '""') + '"' if needed or (at in always and (empty or cell)) else cell


def _end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def _commonest(given: Iterable[str]) -> str:
    return next((each for each, _ in Counter(given).most_common(1)), "")


def _spare(bits: int, text: str) -> tuple[Spare, ...]:
    return (Spare(name="spelling of cells", bits=min(bits, 8 * len(text))),) if bits else ()
