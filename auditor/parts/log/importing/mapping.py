"""Which column of an export becomes which column of the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.rows import READ
from auditor.parts.log.importing.exports import Export
from auditor.parts.log.importing.people import PersonColumns
from auditor.settings.problems import unknown

NEEDED = ("request_id", "record_ids", "received_at")


class Map(NamedTuple):
    """The map that was taken."""

    pairs: tuple[tuple[str, str], ...]
    """(column of the export, column of the log), the one that goes first first."""
    person: PersonColumns | None
    unread: tuple[str, ...]
    """Columns of the export that nothing takes over."""


def mapped_columns(
    file: str, names: Sequence[str], export: Export, told: Mapping[str, str], *, person: PersonColumns | None
) -> Map:
    """Map columns: as told, else by the format, else by equal names.

    Raises:
        InputError: With every column that is named and missing, that the log does not have, or that is needed and not there.
    """
    problems = [Problem(file, "--map", *unknown("column", name, names)) for name in told if name not in names]
    problems += [Problem(file, "--map", *unknown("column of the log", to, READ)) for to in told.values() if to not in READ]
    taken = dict(told)
    for usual in (export.columns, _equal(names)):
        taken |= {name: to for name, to in usual.items() if name in names and name not in taken and to not in {*told.values()}}
    identified = () if person is None else (person.identity, person.records)
    if person is not None and person.identity not in names:
        problems.append(Problem(file, "--person", *unknown("column", person.identity, names)))
    have = {*taken.values(), *(("record_ids",) if person is not None else ())}
    for needed in NEEDED:
        if needed not in have:
            way = "--map COLUMN=record_ids, or --person" if needed == "record_ids" else f"--map COLUMN={needed}"
            problems.append(Problem(file, needed, f"a column for it: {way}", f"columns {', '.join(names)}"))
    if problems:
        raise InputError(problems)
    pairs = tuple((name, to) for name, to in taken.items() if name not in identified or name in told)
    return Map(pairs, person, tuple(name for name in names if name not in taken and name not in identified))


def _equal(names: Sequence[str]) -> dict[str, str]:
    """Columns that are called as the log's, but for case, blanks and hyphens."""
    plainly = {name: name.strip().casefold().replace(" ", "_").replace("-", "_") for name in names}
    return {name: to for name, to in plainly.items() if to in READ}
