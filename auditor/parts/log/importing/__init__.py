"""`auditor log import`: exports of ticket systems and request protocols become a deletion log.

An export is read as rows of named texts (`exports`), its columns are mapped to those of the log (`mapping`), its times and states
are understood (`times`, `states`), and people become keyed pseudonyms (`people`). Nothing is dropped without being counted, and
nothing is guessed: what is not understood is a problem with its row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

from auditor.base.deletion_log import log_chain
from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.suggestions import plain
from auditor.case.files import Source
from auditor.case.log_values import READ, STATES, SYNONYMS, read_request
from auditor.pages.words.texts import say
from auditor.parts.log.importing.exports import EXPORTS, Export, Row
from auditor.parts.log.importing.people import Identities, PersonColumns, pseudonym, separated
from auditor.parts.log.importing.times import TIMES, Clock
from auditor.settings.values import show, unknown

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


def state_of(word: str, told: Mapping[str, str]) -> str:
    """Give the log's state for a word of an export.

    Args:
        word: As the export has it; case, blanks, hyphens and underscores count for nothing.
        told: Words that the user or the format explains, which go first.

    Raises:
        ValueError: With what was expected and what was found, if nobody knows the word.
    """
    plainly = plain(word)
    for known, state in told.items():
        if plain(known) == plainly:
            return state
    if plainly in SYNONYMS:
        return SYNONYMS[plainly]
    raise ValueError(f"a state that is known ({', '.join(STATES)}), or --state to explain it", f'"{word[:40]}"')


__all__ = ["EXPORTS", "Clock", "Identities", "Imported", "Options", "PersonColumns", "described", "import_log"]

MOST: Final = 1000
"""Problems that are named one by one."""


@dataclass(frozen=True, slots=True)
class Options:
    """How an export is to be understood."""

    export: str
    """A name of EXPORTS."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Columns of the export by column, to those of the log."""
    clock: Clock = field(default_factory=Clock)
    states: Mapping[str, str] = field(default_factory=dict)
    """Words of the export, to the log's states."""
    person: PersonColumns | None = None
    """Where people are named; None where a column maps to `subject`, or nobody is named."""
    key: Callable[[], bytes] = bytes
    """Gives the 32 secret bytes for pseudonyms; asked only where people are named."""
    identities: Identities | None = None
    """Whose records are whose; None where the export names records itself."""
    unknown_as_no_match: bool = False
    """Whether people whom `identities` does not know are logged as people of whom nothing is held."""


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
    problems: tuple[Problem, ...]
    """Rows that could not be understood."""

    @property
    def head(self) -> str | None:
        """The last hash of the chain; None for an empty log."""
        return self.rows[-1][log_chain.ENTRY] if self.rows else None


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
    names, rows = export.read(source)
    if not rows:
        raise InputError([Problem(source.name, "", "at least one request", "none")])
    columns = mapped_columns(source.name, names, export, options.columns, person=_person(export, options, names))
    reading = _Reading(source.name, export, options, columns)
    previous: str | None = None
    chained: list[dict[str, Any]] = []
    for row in rows:
        for found in reading.requests(row):
            try:
                chained.append(log_chain.chained(found, previous))
            except ValueError:
                reading.refuse(row.number)
                continue
            previous = chained[-1][log_chain.ENTRY]
    return Imported(tuple(chained), columns, dict(reading.left_out), reading.unsaid, tuple(reading.problems))


def _person(export: Export, options: Options, names: tuple[str, ...]) -> PersonColumns | None:
    """Where people are named: as told, or where exports of this kind name them."""
    usual = export.person
    return options.person or (usual if usual is not None and usual.identity in names else None)


def described(found: Imported) -> Iterator[str]:
    """Say which columns were taken for what, and what was left out, line by line."""
    for source, target in found.columns.pairs:
        yield say("cli-log-mapped", source=source, target=target)
    if (person := found.columns.person) is not None:
        yield say("cli-log-mapped-person", identity=person.identity, records=person.records)
    if found.columns.unread:
        yield say("cli-log-not-taken", names=", ".join(found.columns.unread))
    for what, count in found.left_out.items():
        yield say("cli-log-left-out", what=what, count=count)
    if found.unsaid:
        yield say("cli-log-unsaid", count=found.unsaid)
    undated = sum(row.get("status") == "executed" and not _dated(row) for row in found.rows)
    if undated:
        yield say("cli-log-undated", count=undated)


def _dated(row: Mapping[str, Any]) -> bool:
    return any(name in row for name in ("executed_at", "model_erased_at", "data_erased_at"))


class _Reading:
    def __init__(self, file: str, export: Export, options: Options, columns: Map) -> None:
        self._file, self._export, self._options, self._columns = file, export, options, columns
        self.left_out: dict[str, int] = {}
        self.unsaid = 0
        self.problems: list[Problem] = []
        self._key = b"" if columns.person is None else options.key()

    def requests(self, row: Row) -> Iterator[dict[str, Any]]:
        """The rows of the log that one of the export becomes: one for each person; none with a problem, which is kept."""
        if row.fault is not None:
            self._add(row.number, "", *row.fault)
            return
        if row.own is not None:
            yield from self._own(row.number, row.own)
            return
        asked = self._export.asked_for(row.values)
        if asked is None:
            self.unsaid += self._export.says_what
        elif asked.casefold() not in self._export.erasure:
            self.left_out[asked] = self.left_out.get(asked, 0) + 1
            return
        if (test := self._export.test(row.values)) is not None:
            self.left_out[test] = self.left_out.get(test, 0) + 1
            return
        before = len(self.problems)
        report = partial(self._add, row.number)
        fields = self._fields(row, report)
        found = [{**fields, **each} for each in self._people(row, fields, report)]
        for each in found:
            if len(self.problems) == before:
                read_request(row.number, {**each, "record_ids": each.get("record_ids")}, report)
        if len(self.problems) == before:
            yield from found

    def refuse(self, number: int) -> None:
        """Keep a row from the log that cannot be chained."""
        self._add(number, "", *log_chain.UNCHAINABLE)

    def _own(self, number: int, row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """A row of a log of ours, which is taken as it is."""
        before = len(self.problems)
        read_request(number, row, partial(self._add, number))
        if len(self.problems) == before:
            yield dict(row)

    def _fields(self, row: Row, report: Callable[[str, str, str], None]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for source, target in self._columns.pairs:
            cell = row.values.get(source)
            if cell is None or target in fields:
                continue
            try:
                fields[target] = self._understood(target, cell)
            except ValueError as error:
                expected, found = error.args
                report(f"column {source}", expected, found)
        self._refused_as_unmatched(row, fields)
        return fields

    def _understood(self, target: str, cell: str) -> Any:
        if target in TIMES:
            return self._options.clock.read(target, cell)
        if target == "status":
            return state_of(cell, self._options.states)
        if target == "regime":
            return self._export.regimes.get(cell.casefold(), cell)
        if target == "record_ids":
            return list(separated(cell))
        if target == "seen_releases":
            return int(cell) if cell.isdecimal() else cell
        return cell

    def _refused_as_unmatched(self, row: Row, fields: dict[str, Any]) -> None:
        """A protocol's way of saying that nobody matched is a state of its own here."""
        where = self._export.reason
        if fields.get("status") == "denied" and where is not None and row.values.get(where) == "no_match":
            fields["status"] = "no_match"

    def _people(self, row: Row, fields: dict[str, Any], report: Callable[[str, str, str], None]) -> Iterator[dict[str, Any]]:
        person = self._columns.person
        if person is None:
            yield {}
            return
        named = list(separated(row.values.get(person.identity) or ""))
        if not named:
            report(f"column {person.identity}", "a person", "nobody")
            return
        if self._options.identities is None and len(named) > 1:
            report(
                f"column {person.identity}",
                "one person, or --people to say whose records are whose",
                f"{len(named)} people in one ticket",
            )
            return
        for each in named:
            own: dict[str, Any] = {"subject": pseudonym(each, self._key)}
            if self._options.identities is not None:
                records = self._options.identities.records_of(each)
                if records:
                    own["record_ids"] = list(records)
                elif self._options.unknown_as_no_match:
                    own |= {"record_ids": [own["subject"]], "status": "no_match"}
                else:
                    table = f"{self._options.identities.file}, as it was before the erasures"
                    report(f"column {person.identity}", f"a person of {table}; or --unknown no-match", "somebody else")
                    continue
            elif "record_ids" not in fields:
                cell = row.values.get(person.records)
                if cell is None:
                    report(f"column {person.records}", "ids of the person's records", "nothing")
                    continue
                own["record_ids"] = list(separated(cell))
            yield own

    def _add(self, number: int, key: str, expected: str, found: str) -> None:
        where = f"row {number}, {key}" if key else f"row {number}"
        if len(self.problems) < MOST:
            self.problems.append(Problem(self._file, where, expected, found))
        elif len(self.problems) == MOST:
            self.problems.append(Problem(self._file, "", "fewer problems", show(f"more than {MOST}")))
