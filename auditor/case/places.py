"""The places of a case without a procedure, and the table of who was in them.

Files of places are listed, and none is taken apart here.
A place is where the controller keeps something now, so that it may lie anywhere on this machine. What cannot be listed is part of
what is found out about a place: it is no problem of the case.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from auditor.base import suggestions
from auditor.base.domain import InputFile, Problem
from auditor.base.errors import InputError
from auditor.base.mixed_columns import MISSING
from auditor.base.records import Dataset
from auditor.case import mixed
from auditor.case.files import Source, kind_of, list_plain, plain_names, read_source, reason_of
from auditor.case.npz import read_arrays
from auditor.case.record_rules import check_features, check_ids, finish
from auditor.case.tables import limit_of
from auditor.settings.places import PeopleTable, PlaceTable
from auditor.settings.values import Cells, show

_WITH_IT: Final = ("-wal", "-journal", "-shm", ".wal")
"""Endings of files that databases keep next to the one that they are named by."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One file of a place."""

    path: Path
    below: str
    """Its path below the place; the file's name where the place is a file."""
    input: InputFile


@dataclass(frozen=True, slots=True)
class Place:
    """One place with its files as they were when the case was read."""

    declared: PlaceTable
    path: Path
    files: tuple[Listed, ...]
    unlisted: tuple[tuple[str, str], ...]
    """What is there and could not be listed, each with why."""

    def changed(self) -> bool:
        """Whether other files are there now; what they hold is compared where they are read."""
        roots = _roots(self.path, _name(self.declared))
        there = {_below(each, called, self.path) for root, called in roots for each in plain_names(root, called)}
        listed = {each.below for each in self.files}
        unlisted = {_below(each, _name(self.declared), self.path) for each, _ in self.unlisted}
        return not listed <= there <= listed | unlisted


@dataclass(frozen=True, slots=True, eq=False)
class WhoWasThere:
    """Who was in the places, with what is known of them."""

    records: Dataset
    names: tuple[str, ...]
    """Of its columns, in their order."""
    input: InputFile
    missing: Mapping[str, tuple[str | None, ...]] = field(default_factory=dict)
    """Of columns in which what is missing is given in several ways, the cell of each record as it stands."""


def of_table(folder: Path, table: PlaceTable, *, file: str) -> Place | Problem:
    """List a place.

    Args:
        folder: The case folder, resolved.
        table: What is declared.
        file: The file that declares it.
    """
    path = _anywhere(folder, table.path)
    expected = "a file or folder that is there"
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        return Problem(file, f"places.{table.name}", expected, f"{show(table.path)}: {reason_of(error)}")
    if not (path.is_file() or path.is_dir()):
        return Problem(file, f"places.{table.name}", expected, f"{show(table.path)}, which is {kind_of(mode)}")
    files, problems = _listed(table, path)
    return Place(table, path, tuple(files), tuple((each.file, each.found) for each in problems))


def holding(places: Iterable[Place], file: Path) -> Iterator[Place]:
    """Give the places that a file lies in."""
    there = Path(os.path.realpath(file))
    yield from (each for each in places if there.is_relative_to(each.path))


def _anywhere(folder: Path, text: str) -> Path:
    return Path(os.path.realpath(folder / text))


def _listed(table: PlaceTable, path: Path) -> tuple[list[Listed], list[Problem]]:
    """Every file of a place, those that a database keeps next to its own among them."""
    files: list[Listed] = []
    problems: list[Problem] = []
    for each, called in _roots(path, _name(table)):
        found, wrong = list_plain(each, called)
        problems += wrong
        for one in found:
            below = _below(one.path, called, path)
            files.append(Listed(path / below if path.is_dir() else each, below, one))
    return files, problems


def _name(table: PlaceTable) -> str:
    return Path(os.path.normpath(table.path)).as_posix()


def _below(name: str, called: str, path: Path) -> str:
    """The path of a file below the place; the file's name where the place is a file."""
    return name.removeprefix(f"{called}/") if path.is_dir() else Path(name).name


def _roots(path: Path, name: str) -> Iterator[tuple[Path, str]]:
    yield path, name
    if not path.is_dir():
        beside = ((path.with_name(path.name + ending), name + ending) for ending in _WITH_IT)
        yield from (each for each in beside if os.path.lexists(each[0]))


def people(folder: Path, table: PeopleTable) -> WhoWasThere:
    """Read the table of who was in the places.

    Raises:
        InputError: With every problem of it.
    """
    from auditor.case.scaffold.tables import of  # noqa: PLC0415 - the scaffold reads whole cases

    path = _anywhere(folder, table.table)
    source = read_source(path, Path(os.path.normpath(table.table)).as_posix(), limit=limit_of(path))
    if path.suffix.lower() == ".npz":
        return WhoWasThere(_of_arrays(source), (), source.listed())
    if path.suffix.lower() not in {".csv", ".parquet"}:
        expected = "a table ending in .csv, .parquet or .npz"
        raise InputError([Problem(source.name, "", expected, show(path.suffix or path.name))])
    cells = of(source).columns
    if table.id not in cells or len(cells) == 1:
        expected = f"a column {show(table.id)} of the ids, and others with what is known of people"
        near = "" if table.id in cells else suggestions.hint(table.id, cells)
        raise InputError([Problem(source.name, "columns", f"{expected}{near}", ", ".join(map(show, cells)))])
    others = {name: texts for name, texts in cells.items() if name != table.id}
    records = _of_numbers(cells[table.id], others)
    if records is None:
        records = mixed.of_texts(source.name, cells[table.id], others)
    return WhoWasThere(records, tuple(others), source.listed(), dict(_missing_in_several_ways(source, others)))


def _missing_in_several_ways(
    source: Source, columns: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, tuple[str | None, ...]]]:
    found: Mapping[str, Sequence[str | None]] = columns
    if source.name.lower().endswith(".parquet"):
        from auditor.case.parquet import texts_of  # noqa: PLC0415 - pyarrow costs a quarter of a second to import

        found = texts_of(source)
    for name, cells in found.items():
        if name in columns and len({each for each in cells if (each or "").strip().lower() in MISSING}) > 1:
            yield name, tuple(cells)


def _of_numbers(ids: Sequence[str], columns: Mapping[str, Sequence[str]]) -> Dataset | None:
    """Records of numbers alone, as vectors are, so that a vector store's rows can be compared with them; None for any other."""
    try:
        features = np.array([[float(cell) for cell in cells] for cells in columns.values()], dtype=np.float64).T
    except ValueError:
        return None
    if not np.isfinite(features).all() or len(set(ids)) < len(ids) or not all(ids):
        # What is wrong with such a table is said where tables of any kind are read.
        return None
    return Dataset(features, np.zeros(len(ids), dtype=np.int64), np.array(ids, dtype=np.str_))


def _of_arrays(source: Source) -> Dataset:
    """Vectors with their ids.

    Raises:
        InputError: If the file holds anything else.
    """
    arrays = read_arrays(source, ("features", "ids"), ("labels",))
    features, ids = arrays["features"], arrays["ids"]
    problems, cells = [], Cells(source.name)
    if features.ndim != 2 or 0 in features.shape or ids.shape != features.shape[:1]:
        problems.append(Problem(source.name, "features", "shape (n, d), with n ids", f"shapes {features.shape} and {ids.shape}"))
    if ids.dtype.kind != "U":
        problems.append(Problem(source.name, "ids", "an array of strings", f"elements of type {ids.dtype}"))
    if problems:
        raise InputError(problems)
    checked = check_features(features, lambda row, column: f"features, row {row + 1}, column {column + 1}", cells)
    check_ids(ids, lambda row: f"ids, row {row + 1}", cells)
    return finish(checked, np.zeros(len(ids), dtype=np.int64), ids, None, cells)
