"""Tables of mixed columns: text, categories, dates, missing values and numbers, as the codes that the audit works with.

The kind of a column is settled once for a case, over training data and holdout together: what a procedure gets must not depend
on which rows are left. Of a CSV file it is read off the cells; Parquet files say it themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.mixed_columns import MISSING, Codes, Column, Columns, Kind, code_below, moment
from auditor.base.records import Dataset, Floats
from auditor.case.comma_separated import Cellar, Sheet, csv_header, csv_rows, of_microseconds
from auditor.case.files import Source
from auditor.case.record_rules import (
    check_ids_of_text,
    check_weights,
    column_problems,
    feature_names,
    finish,
    labels_from_text,
    names_beside,
    number,
)
from auditor.settings.tables import DataTable, Task
from auditor.settings.values import LARGEST_INTEGER, Cells, show, text_fault

_WHOLE: Final = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,18})", re.ASCII)
"""A whole number; one that begins with a further 0 is a code, such as that of a place."""
_LEADING_ZERO: Final = re.compile(r"[+-]?0[0-9]+", re.ASCII)
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_MOMENT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?(?:Z|[+-][0-9]{2}:[0-9]{2})?", re.ASCII
)
_LONGEST_CELL: Final = 100_000
_EXACT: Final = 2.0**53


def sheet(source: Source, columns: DataTable, task: Task | None) -> Sheet:
    """Read a CSV or Parquet file whose columns may hold anything.

    Raises:
        InputError: With every problem of the file.
    """
    if source.name.lower().endswith(".parquet"):
        from auditor.case.parquet import sheet_from_parquet  # noqa: PLC0415 - pyarrow costs a quarter of a second

        return sheet_from_parquet(source, columns, task)
    return _from_csv(source, columns, task)


def _from_csv(source: Source, table: DataTable, task: Task | None) -> Sheet:
    rows = csv_rows(source)
    names = csv_header(source, rows)
    if problems := column_problems(source.name, names, table):
        raise InputError(problems)
    lines, read, cells = list[int](), list[list[str]](), Cells(source.name)
    for line, row in rows:
        if len(row) != len(names):
            cells.add(f"row {line}", f"{len(names)} columns", f"{len(row)}")
            continue
        lines.append(line)
        read.append(row)
    if not read and not cells.count:
        raise InputError([Problem(source.name, "", "at least one row below the header", "none")])
    held = dict(zip(names, map(list, zip(*read, strict=True)), strict=True)) if read else {name: list[str]() for name in names}

    def place(row: int) -> str:
        return f"row {lines[row]}"

    ids, label_cells, id_cells = held[table.id], Cells(source.name), Cells(source.name)
    if ids:
        check_ids_of_text(ids, lambda row: f"{place(row)}, column {table.id}", id_cells)
    labels = labels_from_text(held[table.label], task, lambda row: f"{place(row)}, column {table.label}", label_cells)
    weighed = [None if name is None else _weights(held[name], name, place, cells) for name in (table.sensitivity, table.weight)]
    features = {name: cellar_of(held[name]) for name in feature_names(names, table)}
    beside = {name: cellar_of(held[name]) for name in names_beside(names, table)}
    if problems := [*cells.problems(), *label_cells.problems(), *id_cells.problems()]:
        raise InputError(problems)
    people, parents = (None if name is None else tuple(held[name]) for name in (table.person, table.derived_from))
    sensitivity, weights = weighed
    return Sheet(
        source.name, place, np.array(ids, dtype=np.str_), labels, sensitivity, weights, people, parents, features, beside
    )


def of_texts(name: str, ids: Sequence[str], columns: Mapping[str, Sequence[str]]) -> Dataset:
    """Records of which nothing is learned: every column but that of the ids, as numbers where all are, else as a table.

    Args:
        name: Of the file.
        ids: Of the records, in the order of the file.
        columns: Its other columns, as text.

    Raises:
        InputError: With every problem of the file.
    """
    problems = Cells(name)

    def place(row: int) -> str:
        return f"record {row + 1}"

    check_ids_of_text(list(ids), place, problems)
    if problems.count:
        raise InputError(problems.problems())
    features = {each: cellar_of(list(cells)) for each, cells in columns.items()}
    none = np.zeros(len(ids), dtype=np.int64)
    read = Sheet(name, place, np.array(ids, dtype=np.str_), none, None, None, None, None, features, {})
    (records,) = encoded([read], keep=False)
    if records is None:
        raise ValueError("a sheet that was read gives records")
    return records


def cellar_of(texts: list[str]) -> Cellar:
    """Take the cells of a column as text, missing ones among them."""
    gone = np.array([each.strip().lower() in MISSING for each in texts], dtype=bool)
    return Cellar(None, np.zeros(len(texts)), gone, texts)


def _weights(texts: Sequence[str], name: str, place: Callable[[int], str], cells: Cells) -> Floats:
    found = np.full(len(texts), np.nan)
    for row, text in enumerate(texts):
        try:
            found[row] = number(text)
        except ValueError:
            continue
    return check_weights(found, lambda row: f"{place(row)}, column {name}", cells)


def encoded(sheets: Sequence[Sheet | None], *, keep: bool) -> list[Dataset | None]:
    """The records of several files of one case over the same columns.

    Args:
        sheets: Training data and holdout; None where one could not be read.
        keep: Whether columns of plain numbers stay columns of a table, which a procedure gets by name.

    Raises:
        InputError: With every problem of columns that do not fit.
    """
    read = [each for each in sheets if each is not None]
    if not read:
        return [None for _ in sheets]
    first, *others = read
    problems = [
        Problem(each.file, "columns", f"the columns of {first.file}", f"{_apart(first, each)}")
        for each in others
        if list(each.features) != list(first.features)
    ]
    if problems:
        raise InputError(problems)
    made: list[tuple[Column, list[Codes]]] = []
    for name in first.features:
        column = _column(name, [(each, each.features[name]) for each in read])
        if isinstance(column, Problem):
            problems.append(column)
        else:
            made.append(column)
    if problems:
        raise InputError(problems)
    table: Columns | None = tuple(column for column, _ in made)
    if not keep and all(each.kind in {Kind.NUMBER, Kind.INTEGER, Kind.BOOLEAN} for each in table or ()):
        whole = all(not np.any(part == column.missing) for column, parts in made for part in parts)
        table = None if whole else table
    found = iter(_records(each, [parts[at] for _, parts in made], table) for at, each in enumerate(read))
    return [None if each is None else next(found) for each in sheets]


def searched(first: Sheet | None, train: Dataset | None) -> Dataset | None:
    """The training data with every column that tells something of a person; None where a procedure gets all of these.

    Raises:
        InputError: If a cell of a column that no procedure gets holds what cannot be looked for.
    """
    if first is None or train is None or not first.beside:
        return None
    every = {**first.features, **first.beside}
    made = [_column(name, [(first, cells)]) for name, cells in every.items()]
    if problems := [each for each in made if isinstance(each, Problem)]:
        raise InputError(problems)
    found = [each for each in made if not isinstance(each, Problem)]
    features = np.ascontiguousarray(np.stack([codes for _, (codes,) in found], axis=1))
    return replace(train, features=features, table=tuple(column for column, _ in found))


def _apart(first: Sheet, other: Sheet) -> str:
    lacking = [name for name in first.features if name not in other.features]
    more = [name for name in other.features if name not in first.features]
    if lacking or more:
        words = [*(f"no {show(each)}" for each in lacking[:3]), *(f"a further {show(each)}" for each in more[:3])]
        return ", ".join(words)
    return "the same in another order"


def _records(each: Sheet, columns: Sequence[Codes], table: Columns | None) -> Dataset:
    features = np.ascontiguousarray(np.stack(columns, axis=1))
    found = finish(features, each.labels, each.ids, each.sensitivity, Cells(each.file))
    if each.weights is not None:
        each.weights.setflags(write=False)
    return Dataset(found.features, found.labels, found.ids, found.sensitivity, table, each.weights)


def _column(name: str, parts: Sequence[tuple[Sheet, Cellar]]) -> tuple[Column, list[Codes]] | Problem:
    """One column over every file that has it, with its codes file by file; or what is wrong with it."""
    untyped = [(each, cells) for each, cells in parts if cells.kind is None]
    if untyped and isinstance(fault := _infer(name, untyped), Problem):
        return fault
    kinds = {cells.kind for _, cells in parts if not cells.gone.all()} or {Kind.NUMBER}
    gone = any(bool(cells.gone.any()) for _, cells in parts)
    kind = _joined(kinds, gone=gone)
    if kind is None:
        listed = " and ".join(f"{each}" for each in sorted(filter(None, kinds)))
        return Problem(parts[-1][0].file, f"column {name}", f"what it holds in {parts[0][0].file}", listed)
    if kind is Kind.TEXT:
        return _of_words(name, parts)
    unit: Literal["s", "us"] = "us" if any(cells.unit == "us" for _, cells in parts) else "s"
    codes = [cells.values * (1e6 if kind is Kind.TIME and unit == "us" and cells.unit == "s" else 1.0) for _, cells in parts]
    known = np.concatenate([each[~cells.gone] for each, (_, cells) in zip(codes, parts, strict=True)])
    if np.any(~np.isfinite(known)):
        where, row = next((each, int(np.flatnonzero(~np.isfinite(cells.values) & ~cells.gone)[0])) for each, cells in parts
                          if np.any(~np.isfinite(cells.values) & ~cells.gone))  # fmt: skip
        return Problem(where.file, f"{where.place(row)}, column {name}", "a finite number", "an infinity")
    if kind in {Kind.INTEGER, Kind.TIME} and np.any(np.abs(known) > LARGEST_INTEGER):
        found = "a larger one" if kind is Kind.INTEGER else "a time too far from 1970 for its precision"
        return Problem(parts[0][0].file, f"column {name}", f"whole numbers of at most {LARGEST_INTEGER} in size", found)
    missing = code_below(known)
    for each, (_, cells) in zip(codes, parts, strict=True):
        each[cells.gone] = missing
    middle = float(np.median(known)) if known.size else 0.0
    return Column(name, kind, missing, unit=unit, middle=middle), codes


def _joined(kinds: Iterable[Kind | None], *, gone: bool) -> Kind | None:
    """The kind of a column that files hold as different ones; None where they do not fit."""
    held = set(kinds)
    if held == {Kind.BOOLEAN} and gone:
        return Kind.TEXT
    if held <= {Kind.NUMBER, Kind.INTEGER}:
        return Kind.INTEGER if held == {Kind.INTEGER} and not gone else Kind.NUMBER
    return held.pop() if len(held) == 1 else None


def _of_words(name: str, parts: Sequence[tuple[Sheet, Cellar]]) -> tuple[Column, list[Codes]] | Problem:
    for each, cells in parts:
        if not cells.texts:  # booleans of which some are missing
            cells.texts = ["True" if value else "False" for value in cells.values.tolist()]
        for row, text in enumerate(cells.texts):
            if not cells.gone[row] and (fault := _fault(text)):
                return Problem(each.file, f"{each.place(row)}, column {name}", "text", fault)
    words = sorted({text for _, cells in parts for text, gone in zip(cells.texts, cells.gone, strict=True) if not gone})
    code = {word: float(at) for at, word in enumerate(words)}
    found = [
        np.array([-1.0 if gone else code[text] for text, gone in zip(cells.texts, cells.gone, strict=True)]) for _, cells in parts
    ]
    return Column(name, Kind.TEXT, -1.0, tuple(words)), found


def _fault(text: str) -> str | None:
    if len(text) > _LONGEST_CELL:
        return f"one of {len(text)} characters"
    if "\0" in text:
        return "the character U+0000"
    return "a lone surrogate" if any("\ud800" <= each <= "\udfff" for each in text) else None


def _infer(name: str, parts: Sequence[tuple[Sheet, Cellar]]) -> Problem | None:
    """Read off the texts what a column of CSV files holds, and make values of them."""
    known = [text.strip() for _, cells in parts for text, gone in zip(cells.texts, cells.gone, strict=True) if not gone]
    kind = kind_of_texts(known)
    for each, cells in parts:
        cells.kind = kind
        if kind is Kind.TEXT:
            continue
        texts = [text.strip() for text in cells.texts]
        try:
            cells.values, cells.unit = _values(kind, texts, cells.gone)
        except (ValueError, OverflowError):
            return Problem(each.file, f"column {name}", "times between the years 1 and 9999", "another")
    return None


def kind_of_texts(known: Sequence[str]) -> Kind:  # noqa: PLR0911 - one line a kind
    """Tell what a column of texts holds, by those that are not missing."""
    if not known:
        return Kind.NUMBER
    if any(_LEADING_ZERO.fullmatch(each) for each in known):
        return Kind.TEXT
    if all(_WHOLE.fullmatch(each) for each in known):
        return Kind.INTEGER
    if all(map(_is_number, known)):
        return Kind.NUMBER
    if all(each.lower() in {"true", "false"} for each in known):
        return Kind.BOOLEAN
    if all(_DAY.fullmatch(each) or _MOMENT.fullmatch(each) for each in known) and all(map(_is_time, known)):
        return Kind.TIME
    return Kind.TEXT


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(number(text)))
    except ValueError:
        return False


def _is_time(text: str) -> bool:
    try:
        moment(text)
    except ValueError:
        return False
    return True


def _values(kind: Kind, texts: Sequence[str], gone: npt.NDArray[np.bool_]) -> tuple[Floats, Literal["s", "us"]]:
    if kind is not Kind.TIME:
        read: Callable[[str], float] = (lambda text: float(text.lower() == "true")) if kind is Kind.BOOLEAN else number
        return np.array([0.0 if absent else read(text) for text, absent in zip(texts, gone, strict=True)]), "s"
    counts = np.array([0 if absent else moment(text) for text, absent in zip(texts, gone, strict=True)], dtype=np.int64)
    return of_microseconds(counts)


def refused(file: str, table: Columns, features: Floats) -> list[Problem]:
    """One line for each column that a procedure of numbers cannot take: the first five, and how many there are in all.

    Args:
        file: The file.
        table: Its columns.
        features: Shape (n, d).
    """
    wanted = 'numbers (use = "estimator", or a class of your own, takes a table as it is)'
    faulty = [
        (column.name, _what(column, features[:, at]))
        for at, column in enumerate(table)
        if column.kind in {Kind.TEXT, Kind.TIME} or np.any(features[:, at] == column.missing)
    ]
    named = [Problem(file, _where(name), wanted, what) for name, what in faulty[:_NAMED]]
    if len(faulty) > _NAMED:
        rest = ", ".join(show(name) for name, _ in faulty[_NAMED : 2 * _NAMED]) + ("…" if len(faulty) > 2 * _NAMED else "")
        named.append(Problem(file, "columns", wanted, f"{len(faulty) - _NAMED} more columns of which the same holds: {rest}"))
    return named


_NAMED: Final = 5


def _where(name: str) -> str:
    return f"column {name if text_fault(name) is None else show(name)}"


def _what(column: Column, codes: Codes) -> str:
    missing = int(np.count_nonzero(codes == column.missing))
    beside = f", and {missing} missing" if missing else ""
    match column.kind:
        case Kind.TEXT:
            return f"text ({len(column.words)} different{beside})"
        case Kind.TIME:
            return f"times{beside}"
        case _:
            return f"{missing} missing values"
