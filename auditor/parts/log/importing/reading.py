"""One row of an export becomes rows of the log: its times, its state, its people, and what is wrong with it.

What is not understood is a problem with its row; what was understood in one of two ways, or left out, is counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from auditor.base.deletion_log import log_chain
from auditor.base.deletion_log.deadlines import says_nothing
from auditor.base.deletion_log.look_alikes import Likeness, look_alikes
from auditor.base.deletion_log.requests import Regime
from auditor.base.domain import Problem
from auditor.base.suggestions import plain
from auditor.case.log_values import STATES, SYNONYMS, TABLES, from_text, read_request
from auditor.parts.log.importing import kinds
from auditor.parts.log.importing.exports import CODED, Export, Row
from auditor.parts.log.importing.people import Identities, PersonColumns, normal, pseudonym, separated
from auditor.parts.log.importing.rights import folded
from auditor.parts.log.importing.times import FOR_ALL_ROWS, TIMES, Clock
from auditor.settings.values import show

MOST: Final = 1000
"""Problems that are named one by one."""
TURNED_DOWN: Final = frozenset({"denied", "revoked", "no_match"})
"""States of a request after which nothing is carried out: a ticket that is closed in one was answered then."""
_CARRIED_OUT: Final = re.compile(
    r"execut|eras|delet|remov|losch|loesch|efface|supprim|suprim|borrad|elimin|cancell|verwijder|gewist|ausgefuhr|vollzog|umgesetzt"
)
"""What a column is called that holds the time of an erasure, and not that at which a ticket was closed."""
_MOST_KINDS: Final = 20
"""Kinds of requests that are counted apart."""
_FLAGS: Final[Mapping[str, bool]] = {"true": True, "false": False}
_ROWS: Final = 5
_LONGEST: Final = 40
"""Characters of a state."""
_Report: TypeAlias = Callable[[str, str, str], None]


@dataclass(frozen=True, slots=True)
class Options:
    """How an export is to be understood."""

    export: str
    """A name of EXPORTS."""
    columns: tuple[tuple[str, str], ...] = ()
    """(column of the export, column of the log); one of the export may be several of the log."""
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
    """Whether people and records that are not known are logged as ones of whom nothing is held."""
    erasures: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Values that ask for erasure, by the column that says what was asked for."""
    known_records: frozenset[str] | None = None
    """Ids of all records, where the export names records itself; None where they are not known."""
    known_in: str = ""
    """The file that holds them."""


class Map(NamedTuple):
    """The map that was taken."""

    pairs: tuple[tuple[str, str], ...]
    """(column of the export, column of the log), the one that goes first first."""
    person: PersonColumns | None
    unread: tuple[str, ...]
    """Columns of the export that nothing takes over."""

    @property
    def named(self) -> dict[str, str | list[str]]:
        """Columns of the log by column of the export; a list where one is several."""
        found: dict[str, list[str]] = {}
        for source, target in self.pairs:
            found.setdefault(source, []).append(target)
        return {source: targets[0] if len(targets) == 1 else targets for source, targets in found.items()}


class Twice(NamedTuple):
    """A local time that the clocks of its zone showed twice."""

    row: int
    column: str
    text: str
    read: str
    """The one of the two that is stricter with the controller."""


def state_of(word: str, told: Mapping[str, str]) -> str:
    """Give the log's state for a word of an export.

    Args:
        word: As the export has it; case, accents, blanks, hyphens and underscores count for nothing.
        told: Words that the user or the format explains, which go first.

    Raises:
        ValueError: With what was expected and what was found, if nobody knows the word.
    """
    plainly = plain(word)
    for known, state in told.items():
        if plain(known) == plainly:
            return state
    found = SYNONYMS.get(plainly) or SYNONYMS.get(plain(folded(word)))
    if found is None:
        raise ValueError(f"a state that is known ({', '.join(STATES)}), or --state WORD=STATE to explain it", f'"{word[:40]}"')
    return found


_LAWS: Final[Mapping[str, str]] = {
    **{each.value: each.value for each in Regime},
    "gdpr": "eu",
    "eugdpr": "eu",
    "dsgvo": "eu",
    "ukgdpr": "uk",
    "cpra": "ccpa",
}
"""What exports call the law of a request, plainly written, as the log does."""


def law_of(word: str) -> str | None:
    """The law that a word names, as the log calls it; None where it names none that is known."""
    return _LAWS.get(plain(word))


class Reading:
    """Reads an export row by row, and keeps what it could not read and what it left out."""

    def __init__(
        self, file: str, export: Export, options: Options, columns: Map, rows: Sequence[Row], asked: kinds.Asked
    ) -> None:
        self._file, self._export, self._options, self._columns, self._asked = file, export, options, columns, asked
        self._told_by = {target: source for source, target in reversed(columns.pairs)}
        self.left_out: dict[str, int] = {}
        self.unsaid = 0
        self.speaking: Counter[str] = Counter()
        """Rows that come in and name another right, by the column in which they do."""
        self.not_understood = 0
        self.twice: list[Twice] = []
        self.answered: Counter[str] = Counter()
        """Tickets that count as answered when they were closed, by state."""
        self.unmatched: Counter[str] = Counter()
        """Requests of unknown people or records, by the state that their tickets had."""
        self.problems: list[Problem] = []
        self._alike = 0
        self._groundless: list[int] = []
        self._strangers: dict[int, tuple[str, list[str]]] = {}
        self._key = b"" if columns.person is None else options.key()
        self._table = options.known_in or (options.identities.file if options.identities else "")
        self._turned_down = {
            column: {row.number: word for row in rows if _turns_down(word := row.values.get(column, ""), options.states)}
            for column in columns.unread
        }
        """Words by row of columns that nothing takes over."""

    def requests(self, row: Row) -> Iterator[dict[str, Any]]:
        """The rows of the log that one of the export becomes: one for each person; none with a problem, which is kept."""
        if row.fault is not None:
            self._add(row.number, "", *row.fault)
            return
        if row.own is not None:
            yield from self._own(row.number, row.own)
        elif self._asks_for_erasure(row):
            yield from self._read(row)

    def _asks_for_erasure(self, row: Row) -> bool:
        """Whether a row is to be read; what it is otherwise is counted."""
        if (test := self._export.test(row.values)) is not None:
            self._leave_out(test)
            return False
        if not self._asked.columns:
            self.unsaid += 1
            return True
        erasure = self._asked.erasure(row.values)
        if erasure is None:  # the problem is its column's
            self.not_understood += 1
        elif not erasure:
            self._leave_out(self._asked.named(row.values) or f"{self._asked.columns[0]} empty")
        return bool(erasure)

    def _read(self, row: Row) -> Iterator[dict[str, Any]]:
        before = len(self.problems)
        report = partial(self._add, row.number)
        fields = self._fields(row, report)
        also = self._asked.also(row.values)
        if also:
            fields.setdefault("also_asked", ", ".join(also))
        found = [{**fields, **each} for each in self._people(row, fields, report)]
        found = [self._settled(row, each, report) for each in found]
        for each in found:
            if len(self.problems) == before:
                read_request(row.number, {**each, "record_ids": each.get("record_ids")}, partial(self._add_of_column, row.number))
        if len(self.problems) != before:
            self.not_understood += 1
        elif any(_groundless(each) for each in found):
            self._groundless.append(row.number)
            self.not_understood += 1
        else:
            if not also:
                self.speaking.update(self._asked.speaks(row.values))
            yield from found

    def finish(self, read: Sequence[tuple[int, dict[str, Any]]]) -> list[tuple[int, dict[str, Any]]]:
        """Add the problems that concern several rows, and give the rows of the log that have none.

        Args:
            read: Rows of the log with the number of the row that each came from.
        """
        alike = self._look_alikes([number for number, each in read if each.get("near_match") is None])
        for number in alike:
            column, _ = self._strangers[number]
            expected = (
                f"one that {self._table} does not have in another spelling: correct it, or say why it is another's in a column: "
                "--map COLUMN=near_match"
            )
            self._add(number, f"column {column}", expected, "one that is written nearly like one that is there")
        self.not_understood += len(alike)
        self._refuse_groundless()
        refused = self._refuse_other_states([(number, each) for number, each in read if number not in alike])
        return [(number, each) for number, each in read if number not in alike | refused]

    def _closing(self) -> bool:
        """Whether what is taken for the time of execution is that at which a ticket was closed."""
        source = self._told_by.get("executed_at", "executed_at")
        return source != "executed_at" and _CARRIED_OUT.search(folded(source)) is None

    def listed(self) -> Iterator[Problem]:
        """Each problem once: what one option would say of every row with their number and the first of them."""
        alike: dict[str, list[Problem]] = {}
        for each in self.problems:
            alike.setdefault(each.expected if each.expected in FOR_ALL_ROWS else "", []).append(each)
        others = alike.pop("", [])
        for expected, those in alike.items():
            first = those[0]
            found = first.found if len(those) == 1 else f"{first.found}, and {len(those) - 1} more times like it"
            where = first.where if len(those) == 1 else f"{FOR_ALL_ROWS[expected]}, first in {first.where}"
            yield Problem(first.file, where, expected, found)
        yield from others

    def refuse(self, number: int) -> None:
        """Keep a row from the log that cannot be chained."""
        self._add(number, "", *log_chain.UNCHAINABLE)

    def refuse_column(self, column: str, expected: str, found: str) -> None:
        """Keep what a whole column has to be told."""
        self.problems.append(Problem(self._file, f"column {column}", expected, found))

    def _leave_out(self, what: str) -> None:
        known = {each.casefold(): each for each in self.left_out}
        name = known.get(what.casefold(), what)
        if name not in self.left_out and len(self.left_out) >= _MOST_KINDS:
            name = "others"  # free text, which may name people
        self.left_out[name] = self.left_out.get(name, 0) + 1

    def _own(self, number: int, row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """A row of a log of ours, which is taken as it is."""
        before = len(self.problems)
        read_request(number, row, partial(self._add, number))
        if len(self.problems) == before:
            yield dict(row)

    def _fields(self, row: Row, report: _Report) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for source, target in self._columns.pairs:
            cell = row.values.get(source)
            if cell is None or (target in fields and target != "record_ids"):
                continue
            try:
                read = self._understood(target, cell)
                if target in fields and set(read) - set(fields[target]):
                    report(
                        f"column {source}", "record ids in one column of each ticket, or the same in both", "others than before"
                    )
                fields.setdefault(target, read)
            except ValueError as error:
                expected, found = error.args
                report(f"column {source}", expected, found)
                continue
            if target in TIMES and self._options.clock.strikes_twice(cell):
                self.twice.append(Twice(row.number, source, cell, fields[target]))
        self._refused_as_unmatched(row, fields)
        return fields

    def _understood(self, target: str, cell: str) -> Any:
        if target in TIMES:
            return self._options.clock.read(target, cell)
        if target == "status":
            return state_of(cell, self._options.states)
        if target == "regime":
            return law_of(cell) or cell
        if target in {"record_ids", "terms"}:
            return list(separated(cell))
        if target in TABLES:
            # A spreadsheet writes TRUE and FALSE, which JSON does not know.
            return from_text(cell.lower() if cell.lower() in {"true", "false"} else cell)
        counted = target == "seen_releases" and cell.isdecimal()
        return int(cell) if counted else _FLAGS.get(cell.lower(), cell) if target == "canary" else cell

    def _refused_as_unmatched(self, row: Row, fields: dict[str, Any]) -> None:
        """A protocol's way of saying that nobody matched is a state of its own here."""
        where = self._export.reason
        if fields.get("status") == "denied" and where is not None and row.values.get(where) == "no_match":
            fields["status"] = "no_match"

    def _settled(self, row: Row, fields: dict[str, Any], report: _Report) -> dict[str, Any]:
        """A request that was turned down was not carried out when its ticket was closed: it was answered then."""
        state, source = fields.get("status"), self._told_by.get("executed_at", "")
        if "executed_at" not in fields or state in {None, "executed"}:
            return fields
        if state not in TURNED_DOWN or not self._closing():
            expected = f"no time at which a request was carried out that is {state}; --state WORD=STATE says what a state means"
            report(f"column {source}", expected, show(row.values.get(source)))
            return fields
        when = fields.pop("executed_at")
        fields.setdefault("answered_at", when)
        self.answered[state or ""] += 1
        return fields

    def _people(self, row: Row, fields: dict[str, Any], report: _Report) -> Iterator[dict[str, Any]]:
        person = self._columns.person
        if person is None:
            yield from self._known_records(row, fields, report)
            return
        named = list(separated(row.values.get(person.identity) or ""))
        if not named:
            report(f"column {person.identity}", "a person", "nobody")
            return
        # Identities of one request are one person's; of tickets each is somebody.
        people = [named] if self._export.identities else [[each] for each in named]
        if self._options.identities is None and len(people) > 1:
            expected = "one person, or --people TABLE to say whose records are whose"
            report(f"column {person.identity}", expected, f"{len(people)} people in one ticket")
            return
        if self._options.identities is not None and self._is_coded(row, person.identity, report):
            return
        for identities in people:
            own: dict[str, Any] = {"subject": pseudonym(identities[0], self._key)}
            if self._options.identities is not None:
                records = self._records(identities, self._options.identities, row, fields, report)
                if records is None:
                    continue
                own |= records
            elif "record_ids" not in fields:
                cell = row.values.get(person.records)
                if cell is None:
                    report(f"column {person.records}", "ids of the person's records", "nothing")
                    continue
                own["record_ids"] = list(separated(cell))
            # A planted record is nobody's.
            yield {name: value for name, value in own.items() if name != "subject" or fields.get("canary") is not True}

    def _records(
        self, named: Sequence[str], known: Identities, row: Row, fields: Mapping[str, Any], report: _Report
    ) -> dict[str, Any] | None:
        """The records of a person that a table has, or that nothing is held of them; None where that is a problem."""
        column = "" if self._columns.person is None else self._columns.person.identity
        records = [record for each in named for record in known.records_of(each)]
        if records:
            return {"record_ids": list(dict.fromkeys(records))}
        if self._options.unknown_as_no_match and not _carried_out(fields):
            unmatched = self._unmatched(row, column, [normal(each) for each in named], fields)
            return {**unmatched, "record_ids": [pseudonym(named[0], self._key)]}
        expected = f"a person of {known.file}, as it was before the erasures{_or_nobody(fields)}"
        report(f"column {column}", expected, "an id that nobody there has")
        return None

    def _is_coded(self, row: Row, column: str, report: _Report) -> bool:
        """Whether a column holds digests, which no table has: people who are known would be taken for ones who are not."""
        coded = row.values.get(column + CODED) if self._export.identities else None
        if coded is not None:
            report(f"column {column}", "identities as they are: a digest cannot be found in the table of people", show(coded))
        return coded is not None

    def _known_records(self, row: Row, fields: dict[str, Any], report: _Report) -> Iterator[dict[str, Any]]:
        """What is to be said of a row that names records itself: nothing, unless none of them is known."""
        known, column = self._options.known_records, self._told_by.get("record_ids", "record_ids")
        if known is None:
            yield {}
            return
        if self._is_coded(row, column, report):
            return
        records = fields.get("record_ids") or []
        strange = [each for each in records if each not in known]
        if not strange:
            yield {}
        elif len(strange) == len(records) and self._options.unknown_as_no_match and not _carried_out(fields):
            yield self._unmatched(row, column, strange, fields)
        elif fields.get("status") == "no_match" and len(strange) == len(records):
            self._strangers[row.number] = column, strange
            yield {}
        else:
            way = _or_nobody(fields) if len(strange) == len(records) else ": leave out what is not, or make a ticket of it"
            found = f"{len(strange)} of {len(records)} that it does not hold"
            report(f"column {column}", f"ids that {self._table} holds, as it was before the erasures{way}", found)

    def _unmatched(self, row: Row, column: str, strange: list[str], fields: Mapping[str, Any]) -> dict[str, Any]:
        """A request of somebody of whom nothing is held, whatever its ticket is called."""
        self._strangers[row.number] = column, [*self._strangers.get(row.number, (column, []))[1], *strange]
        state = fields.get("status") or "open"
        self.unmatched[state] += 1
        return {"status": "no_match"}

    def _look_alikes(self, rows: Collection[int]) -> frozenset[int]:
        """Rows whose unknown people or records are written nearly like known ones."""
        identities = self._options.identities
        known: Collection[str] = self._options.known_records or ()
        if self._columns.person is not None and identities is not None:
            known = identities.people
        asked = {number: strange for number, (_, strange) in self._strangers.items() if number in set(rows)}
        alike = look_alikes((each for strange in asked.values() for each in strange), known)
        return frozenset(number for number, strange in asked.items() if any(_seriously(alike, each) for each in strange))

    def _refuse_groundless(self) -> None:
        if not self._groundless:
            return
        lacking = [name for name in ("reason", "exception") if name not in self._told_by]
        ways = " and ".join(f"--map COLUMN={name}" for name in lacking)
        expected = "why each was refused, and the exception of the law that this rests on" + (f": {ways}" if ways else "")
        columns = ", ".join(_named(name, self._told_by.get(name, name)) for name in ("reason", "exception"))
        found = f"denied requests without: {_listed(self._groundless)}"
        self.problems.append(Problem(self._file, f"columns {columns}", expected, found))

    def _refuse_other_states(self, read: Sequence[tuple[int, dict[str, Any]]]) -> frozenset[int]:
        """Rows that count as carried out and that another column turns down."""
        done = {number for number, each in read if each.get("status") == "executed" or "executed_at" in each}
        refused: set[int] = set()
        for column, words in self._turned_down.items():
            if rows := sorted(done & words.keys()):
                refused.update(rows)
                said = ", ".join(dict.fromkeys(show(words[number]) for number in rows))
                expected = (
                    f"a state that agrees with it: --map {column}=status takes this column's, --map {column}=note "
                    "keeps it as a note where it is about something else"
                )
                self.refuse_column(column, expected, f"{said} of requests that count as carried out: {_listed(rows)}")
        self.not_understood += len(refused)
        return frozenset(refused)

    def _add_of_column(self, number: int, key: str, expected: str, found: str) -> None:
        """A problem of what was read, where its column is called otherwise in the export."""
        source = self._told_by.get(key.split(".", maxsplit=1)[0], key)
        self._add(number, key if source == key else f"column {source}, {key}", expected, found)

    def _add(self, number: int, key: str, expected: str, found: str) -> None:
        where = f"row {number}, {key}" if key else f"row {number}"
        if expected in FOR_ALL_ROWS:
            # One message says how many there are.
            self._alike += 1
            self.problems.append(Problem(self._file, where, expected, found))
        elif len(self.problems) - self._alike < MOST:
            self.problems.append(Problem(self._file, where, expected, found))
        elif len(self.problems) - self._alike == MOST:
            self.problems.append(Problem(self._file, "", "fewer problems", show(f"more than {MOST}")))


def _turns_down(word: str, told: Mapping[str, str]) -> bool:
    """Whether a cell is a state in which nothing was carried out."""
    if not word or len(word) > _LONGEST:
        return False
    try:
        return state_of(word, told) in TURNED_DOWN
    except ValueError:
        return False


def _seriously(alike: Mapping[str, Mapping[str, tuple[Likeness, Any]]], identifier: str) -> bool:
    """Whether an id looks like a known one otherwise than as many known ones do."""
    return any(likeness is not Likeness.CHANCE for likeness, _ in alike.get(identifier, {}).values())


def _carried_out(fields: Mapping[str, Any]) -> bool:
    """Whether a ticket says that data were erased: "nothing is held" is then no answer to it, whatever the table knows."""
    state = fields.get("status")
    dated = {"model_erased_at", "data_erased_at", *(() if state in TURNED_DOWN else ("executed_at",))}
    return state == "executed" or not dated.isdisjoint(fields)


def _named(target: str, source: str) -> str:
    """A column of the log, with what it is called in the export where that is something else."""
    return target if source == target else f"{target} ({source} of the export)"


def _or_nobody(fields: Mapping[str, Any]) -> str:
    """Say what else may be done about a ticket that names nobody who is known."""
    if not _carried_out(fields):
        return "; or --unknown no-match, if nothing was ever held of them"
    return (
        ": the ticket says that it was carried out, which --unknown no-match cannot answer; where nothing was ever held of "
        "them, correct the ticket's state to no_match"
    )


def _groundless(fields: Mapping[str, Any]) -> bool:
    """Whether a request was refused without what `log.deadlines` asks for."""
    return fields.get("status") == "denied" and any(says_nothing(fields.get(each)) for each in ("reason", "exception"))


def _listed(rows: Sequence[int]) -> str:
    """Rows by their numbers, the first few."""
    more = f" and {len(rows) - _ROWS} more" if len(rows) > _ROWS else ""
    return ("row " if len(rows) == 1 else "rows ") + ", ".join(map(str, rows[:_ROWS])) + more
