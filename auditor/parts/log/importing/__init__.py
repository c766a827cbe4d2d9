"""`auditor log import`: exports of ticket systems and request protocols become a deletion log.

An export is read as rows of named texts (`exports`, `spreadsheets`), and its columns are mapped to those of the log. Which rows
ask for erasure is settled first (`kinds`, by the words of `rights`); then each is read (`reading`): its times (`times`), its
state, its people, who become keyed pseudonyms (`people`). Nothing is dropped without being counted, and nothing is guessed: what
is not understood is a problem with its row or column.
"""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from auditor.base.deletion_log import log_chain
from auditor.base.domain import InputFile, Problem
from auditor.base.errors import InputError
from auditor.case.files import Source
from auditor.case.log_values import READ
from auditor.pages.words.texts import say
from auditor.parts.log.importing import kinds
from auditor.parts.log.importing.exports import EXPORTS, Export, Row
from auditor.parts.log.importing.people import SAME_NAME, Identities, PersonColumns
from auditor.parts.log.importing.reading import MOST, Map, Options, Reading, Twice, law_of
from auditor.parts.log.importing.times import Clock
from auditor.settings.values import unknown

NEEDED = ("request_id", "record_ids", "received_at")
_FREE: Final = frozenset({"basis", "note"})
"""Columns of the log that may say what was asked for."""


def mapped_columns(file: str, names: Sequence[str], export: Export, options: Options, *, person: PersonColumns | None) -> Map:
    """Map columns: as told, else by the format, else by equal names.

    Raises:
        InputError: With every column that is named and missing, that the log does not have, or that is needed and not there.
    """
    told = tuple((export.column(name, names), to) for name, to in options.columns)
    problems = [Problem(file, "--map", *unknown("column", name, names)) for name in dict(told) if name not in names]
    problems += [Problem(file, "--map", *unknown("column of the log", to, READ)) for _, to in told if to not in READ]
    problems += [Problem(file, kinds.OPTION, *unknown("column", name, names)) for name in options.erasures if name not in names]
    # Who says where a person's records are named is believed before a format's custom.
    targets, taken = {to for _, to in told} | ({"record_ids"} if options.person is not None else set()), list(told)
    for usual in (export.columns, _equal(names)):
        mapped = dict(taken)
        taken += [(name, to) for name, to in usual.items() if name in names and name not in mapped and to not in targets]
    identified = () if person is None else (person.identity, person.records)
    if person is not None and person.identity not in names:
        expected, found = unknown("column", person.identity, names)
        alike = "" if options.identities is None or export.identities else SAME_NAME
        problems.append(Problem(file, "--person", f"{expected}{alike}", found))
    by_person = options.person is not None and options.identities is None and "record_ids" not in {to for _, to in told}
    if by_person and person is not None and person.records not in names:
        problems.append(Problem(file, "--person", *unknown("column", person.records, names)))
    have = {*(to for _, to in taken), *(("record_ids",) if person is not None else ())}
    for needed in NEEDED:
        if needed not in have:
            way = "--map COLUMN=record_ids, or --person" if needed == "record_ids" else f"--map COLUMN={needed}"
            problems.append(Problem(file, needed, f"a column for it: {way}", f"columns {', '.join(names)}"))
    if problems:
        raise InputError(problems)
    pairs = tuple((name, to) for name, to in taken if name not in identified or name in dict(told))
    return Map(pairs, person, tuple(name for name in names if name not in {*dict(taken), *identified}))


def _equal(names: Sequence[str]) -> dict[str, str]:
    """Columns that are called as the log's, but for case, blanks and hyphens."""
    plainly = {name: name.strip().casefold().replace(" ", "_").replace("-", "_") for name in names}
    return {name: to for name, to in plainly.items() if to in READ}


__all__ = ["EXPORTS", "Clock", "Identities", "Imported", "Options", "PersonColumns", "described", "import_log"]


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an export."""

    rows: tuple[dict[str, Any], ...]
    """Of the log, in the order of the export, chained."""
    columns: Map
    """The map that was taken."""
    left_out: Mapping[str, int]
    """Rows that are no erasure requests, by what they are."""
    unsaid: int
    """Rows that do not say what was asked for, and were taken for erasure requests."""
    speaking: Mapping[str, int]
    """Rows that were taken and whose words name another right as well, by the column that has them."""
    problems: tuple[Problem, ...]
    """Rows that could not be understood."""
    source: InputFile
    """The export."""
    export: str
    """Its format."""
    total: int
    """How many rows it has."""
    not_understood: int
    """How many of them have a problem."""
    asked_in: tuple[str, ...]
    """Columns that say what was asked for."""
    mark: str
    """What separates its cells."""
    decimals: tuple[str, ...]
    """Columns of whole numbers that were written with a decimal comma."""
    twice: tuple[Twice, ...]
    """Local times that there were twice."""
    answered: Mapping[str, int]
    """Tickets that count as answered when they were closed, by state."""
    unmatched: Mapping[str, int]
    """Requests of unknown people or records that became "no match", by the state that their tickets had."""
    laws: tuple[str, ...]
    """Columns that nothing takes over and that name laws, where nothing else says which law a request is under."""

    @property
    def head(self) -> str | None:
        """The last hash of the chain; None for an empty log."""
        return self.rows[-1][log_chain.ENTRY] if self.rows else None

    @property
    def also_asked(self) -> Mapping[str, int]:
        """Rows of the log whose tickets ask for something else as well, by what that is."""
        return Counter(str(each["also_asked"]) for each in self.rows if each.get("also_asked"))

    def provenance(self) -> bytes:
        """Say where the log comes from, and what of the export is not in it, as JSON for a file next to the log."""
        told = {
            "export": {"name": self.source.path, "sha256": self.source.sha256, "format": self.export, "rows": self.total},
            "requests": len(self.rows),
            "head": self.head,
            "left_out": dict(self.left_out),
            "not_understood": self.not_understood,
            "kind_of_request_in": list(self.asked_in),
            "kind_unsaid": self.unsaid,
            **({"also_asked": dict(self.also_asked)} if self.also_asked else {}),
            **({"speaking_of_other_rights": dict(self.speaking)} if self.speaking else {}),
            "map": self.columns.named,
            "columns_not_taken": list(self.columns.unread),
            "answered_when_closed": dict(self.answered),
            "logged_as_no_match": dict(self.unmatched),
            "times_that_happened_twice": [{"row": each.row, "column": each.column, "read_as": each.read} for each in self.twice],
        }
        return (json.dumps(told, ensure_ascii=False, indent=2) + "\n").encode()


def import_log(source: Source, options: Options) -> Imported:
    """Read an export.

    Args:
        source: The file.
        options: How to understand it.

    Returns:
        The log, chained, with everything that was not taken over.

    Raises:
        InputError: If the file as a whole cannot be read, or a column that is needed is missing.
    """
    export = EXPORTS[options.export]
    table = export.read(source)
    names, rows = table.names, table.rows
    if not rows:
        raise InputError([Problem(source.name, "", "at least one request", "none")])
    if not names and (faults := [(row.number, row.fault) for row in rows if row.fault is not None]):
        # Of columns nothing can be said where no row can be read.
        raise InputError([Problem(source.name, f"row {number}", *fault) for number, fault in faults[:MOST]])
    columns = mapped_columns(source.name, names, export, options, person=_person(export, options, names))
    asked = kinds.Asked((), {}, ()) if rows[0].own is not None else _asked(rows, export, options, columns)
    reading = Reading(source.name, export, options, columns, rows, asked)
    for each in (*asked.unclear, *_two_or_one(table.decimals, columns, options)):
        reading.refuse_column(*each)
    read = [(row.number, found) for row in rows for found in reading.requests(row)]
    previous: str | None = None
    chained: list[dict[str, Any]] = []
    for number, found in reading.finish(read):
        try:
            chained.append(log_chain.chained(found, previous))
        except ValueError:
            reading.refuse(number)
            continue
        previous = chained[-1][log_chain.ENTRY]
    return Imported(
        rows=tuple(chained),
        columns=columns,
        left_out=dict(reading.left_out),
        unsaid=reading.unsaid,
        speaking=dict(reading.speaking),
        problems=tuple(reading.listed()),
        source=source.listed(),
        export=export.name,
        total=len(rows),
        not_understood=reading.not_understood,
        asked_in=asked.columns,
        mark=table.mark,
        decimals=table.decimals,
        twice=tuple(reading.twice),
        answered=dict(reading.answered),
        unmatched=dict(reading.unmatched),
        laws=() if "regime" in {to for _, to in columns.pairs} else tuple(_laws(rows, columns.unread)),
    )


def _laws(rows: Sequence[Row], names: Sequence[str]) -> Iterator[str]:
    """Columns of whose cells most name a law that deadlines are known of."""
    for name in names:
        cells = [row.values[name] for row in rows if name in row.values]
        if sum(law_of(cell) is not None for cell in cells) > len(cells) / 2:
            yield name


def _two_or_one(decimals: Sequence[str], columns: Map, options: Options) -> Iterator[tuple[str, str, str]]:
    """Columns of record ids in which 12,0 may be one number, or two records: taken for one, the second would be lost."""
    known = options.known_records or (options.identities.record_ids if options.identities else ())
    named = {source for source, target in columns.pairs if target == "record_ids"}
    named |= set() if columns.person is None else {columns.person.records}
    for column in decimals:
        if column in named and "0" in known:
            yield column, "record ids that are no numbers with a decimal comma, as there is a record 0", "whole numbers and ,0"


def _asked(rows: Sequence[Row], export: Export, options: Options, columns: Map) -> kinds.Asked:
    """What the columns say of what was asked for: all but those that hold ids, times, states, people and reasons."""
    person = () if columns.person is None else columns.person
    taken = {source for source, target in columns.pairs if target not in _FREE} | set(person)
    names = {name: None for row in rows for name in row.values if name not in taken or name == export.kind}
    return kinds.of_columns([row.values for row in rows if row.fault is None], names, options.erasures, export.kind)


def _person(export: Export, options: Options, names: tuple[str, ...]) -> PersonColumns | None:
    """Where people are named: as told, or where exports of this kind name them."""
    usual = export.person
    if options.person is not None:
        return PersonColumns(*(export.column(name, names) for name in options.person))
    return usual if usual is not None and usual.identity in names else None


def described(found: Imported) -> Iterator[str]:
    """Say which columns were taken for what, what was left out, and what was read in one of two ways, line by line."""
    if found.mark != ",":
        yield say("cli-log-separated", mark={";": "semicolons", "\t": "tabs", "|": "bars"}[found.mark])
    yield from (say("cli-log-decimals", column=column) for column in found.decimals)
    yield from (say("cli-log-mapped", source=source, target=target) for source, target in found.columns.pairs)
    if (person := found.columns.person) is not None:
        yield say("cli-log-mapped-person", identity=person.identity, records=person.records)
    if found.columns.unread:
        yield say("cli-log-not-taken", names=", ".join(found.columns.unread))
    yield from (say("cli-log-laws", column=column, option=shlex.quote(f"{column}=regime")) for column in found.laws)
    if found.asked_in:
        yield say("cli-log-kinds", columns=", ".join(found.asked_in))
    yield from (say("cli-log-left-out", what=what, count=count) for what, count in found.left_out.items())
    if len(found.left_out) > 1:
        yield say("cli-log-left-out-all", count=sum(found.left_out.values()), rows=found.total)
    for what, count in found.also_asked.items():
        yield say("cli-log-also-asked", what=what, count=count)
    yield from (say("cli-log-speaking", column=column, count=count) for column, count in found.speaking.items())
    if found.unsaid:
        yield say("cli-log-unsaid", count=found.unsaid)
    lawless = sum("regime" not in row for row in found.rows)
    if 0 < lawless < len(found.rows):
        yield say("cli-log-regime-empty", count=lawless)
    yield from _states(found)
    for each in found.twice:
        yield say("cli-log-twice", row=each.row, column=each.column, text=each.text, read=each.read)


def _states(found: Imported) -> Iterator[str]:
    """Say what was made of the states of tickets."""
    yield from (say("cli-log-answered", state=state, count=count) for state, count in found.answered.items())
    if found.unmatched:
        states = ", ".join(f"{state} {count}" for state, count in found.unmatched.items())
        yield say("cli-log-unmatched", states=states, count=sum(found.unmatched.values()))
    undated = sum(row.get("status") == "executed" and not _dated(row) for row in found.rows)
    if undated:
        yield say("cli-log-undated", count=undated)


def _dated(row: Mapping[str, Any]) -> bool:
    return any(name in row for name in ("executed_at", "model_erased_at", "data_erased_at"))
