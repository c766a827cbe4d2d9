"""People of an export: keyed pseudonyms, and whose records are whose."""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.case.files import Source
from auditor.parts.log.importing.spreadsheets import separated_rows
from auditor.settings.values import show, unknown

_APART: Final = re.compile(r"[;,\n]")
_CONTEXT: Final = b"auditor deletion log, person\0"
SAME_NAME: Final = "; export and table have to call the column A of --person A=B alike: rename it in one of them"
"""What is said where only one of the two has it."""


class PersonColumns(NamedTuple):
    """Where an export names a person and their records."""

    identity: str
    """The column that says who the person is, such as an e-mail address."""
    records: str
    """The column of their records' ids: of the export, or of the table of people."""


def separated(cell: str) -> Iterator[str]:
    """The members of a cell, between semicolons, commas or line ends."""
    return filter(None, (part.strip() for part in _APART.split(cell)))


def normal(identity: str) -> str:
    """One spelling of an identity: case and compatible characters count for nothing."""
    # Folding case leaves forms that are compatible with others again, as of ΐ: one spelling is folded and normal (Unicode 3.13).
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", identity).strip().casefold())


def pseudonym(identity: str, key: bytes) -> str:
    """Give the keyed pseudonym of a person: HMAC-SHA-256 over the identity in one spelling.

    Args:
        identity: What the export calls the person.
        key: 32 secret bytes. The same key gives the same pseudonym in the next import; anyone who has it can test guesses.

    Returns:
        `hmac-sha256:` and 64 hexadecimal digits.
    """
    return "hmac-sha256:" + hmac.new(key, _CONTEXT + normal(identity).encode(), hashlib.sha256).hexdigest()


@dataclass(frozen=True)
class Identities:
    """A table of people: whose records are whose."""

    file: str
    _records: Mapping[str, tuple[str, ...]]

    @property
    def people(self) -> Collection[str]:
        """Whom the table knows, in one spelling."""
        return self._records.keys()

    @cached_property
    def record_ids(self) -> frozenset[str]:
        """Ids of all their records."""
        return frozenset(record for records in self._records.values() for record in records)

    def records_of(self, identity: str) -> tuple[str, ...]:
        """The ids of a person's records; empty for somebody whom the table does not know."""
        return self._records.get(normal(identity), ())


def read_people(source: Source, columns: PersonColumns) -> Identities:
    """Read a table of people from CSV or Parquet, one row for each record or each person.

    Raises:
        InputError: If a column is missing, or the file cannot be read.
    """
    match Path(source.name).suffix.lower():
        case ".csv":
            names, read, _ = separated_rows(source)
            short = [(number, len(cells)) for number, cells in read if len(cells) != len(names)]
            if short:
                raise InputError(
                    [Problem(source.name, f"row {number}", f"{len(names)} columns", f"{count}") for number, count in short]
                )
            cells = (dict(zip(names, each, strict=True)) for _, each in read)
        case ".parquet":
            # pyarrow costs a quarter of a second to import, and most cases do without it.
            from auditor.case.parquet import read_table  # noqa: PLC0415

            table = read_table(source)
            names = list(table.column_names)
            wanted = table.select([name for name in columns if name in names])
            cells = ({name: "" if value is None else str(value) for name, value in row.items()} for row in wanted.to_pylist())
        case suffix:
            raise InputError([Problem(source.name, "", "a table of people ending in .csv or .parquet", show(suffix))])
    if missing := [name for name in columns if name not in names]:
        raise InputError([_lacking(source.name, name, names, columns) for name in missing])
    found: dict[str, dict[str, None]] = {}
    for row in cells:
        records = found.setdefault(normal(row[columns.identity]), {})
        records.update(dict.fromkeys(separated(row[columns.records])))
    return Identities(source.name, {identity: tuple(records) for identity, records in found.items() if identity})


def _lacking(file: str, name: str, names: Sequence[str], columns: PersonColumns) -> Problem:
    expected, found = unknown("column", name, names)
    return Problem(file, "--person", f"{expected}{SAME_NAME if name == columns.identity else ''}", found)
