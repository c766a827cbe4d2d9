"""`auditor init --log`: an export of tickets, or a log, for a case that is begun: its columns, and whose records they name.

Columns are known by what ticket systems usually call them, and by what is in them: the one whose values are ids of the data names
records, and one whose values are those of another column of the data names people. What was told goes first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

from auditor.base.domain import Problem
from auditor.base.errors import InputError, UsageError
from auditor.case.files import TEXT_LIMIT, Source, read_source
from auditor.case.log_values import READ, UNREAD
from auditor.case.logs import read_log
from auditor.case.scaffold import Log
from auditor.case.scaffold.tables import Table
from auditor.case.tables import limit_of
from auditor.parts.log.importing import EXPORTS, Options, PersonColumns, described, import_log
from auditor.parts.log.importing.appending import lines
from auditor.parts.log.importing.options import understood
from auditor.parts.log.importing.people import Identities, normal, separated
from auditor.parts.log.importing.rights import folded
from auditor.parts.log.importing.times import TIMES, mostly_times
from auditor.settings.values import show, unknown
from auditor.terminal.options import Told

USUAL: Final[Mapping[str, tuple[str, ...]]] = {
    "request_id": (
        *("ticket", "ticket_id", "ticket_number", "ticket_no", "issue_key", "case_id", "case", "reference", "key", "id"),
        *("ticketnummer", "ticket_nr", "vorgang", "vorgangsnummer", "aktenzeichen", "fallnummer", "nummer", "referenz"),
        *("numero", "numero_de_ticket", "dossier", "expediente", "pratica", "dossiernummer", "zaaknummer", "referencia"),
    ),
    "received_at": (
        *("received", "opened", "opened_at", "created", "created_at", "submitted", "submitted_at", "requested_at"),
        *("eingang", "eingegangen", "eingegangen_am", "eingangsdatum", "erstellt", "erstellt_am", "geoffnet_am", "angelegt_am"),
        *("recu_le", "date_de_reception", "cree_le", "ouvert_le", "recibido", "fecha_de_recepcion", "creado", "abierto_el"),
        *("ricevuto_il", "data_di_ricezione", "creato_il", "aperto_il", "ontvangen", "ontvangen_op", "aangemaakt_op"),
    ),
    "executed_at": (
        *("executed", "closed", "closed_at", "resolved", "resolved_at", "completed", "completed_at", "done_at"),
        *("erledigt", "erledigt_am", "geschlossen", "geschlossen_am", "abgeschlossen_am", "geloscht_am", "ausgefuhrt_am"),
        *("clos_le", "cloture_le", "ferme_le", "traite_le", "cerrado", "cerrado_el", "fecha_de_cierre", "resuelto_el"),
        *("chiuso_il", "data_di_chiusura", "evaso_il", "gesloten", "gesloten_op", "afgehandeld_op"),
        *("done", "done_on", "done_date", "date_done", "closed_on", "closed_date", "date_closed", "close_date", "closing_date"),
        *("completed_on", "completed_date", "date_completed", "completion_date", "resolved_on", "resolved_date", "date_resolved"),
        *("resolution_date", "executed_on", "execution_date", "fulfilled", "fulfilled_at", "fulfilled_on", "finished_at"),
        *("finished_on", "erased", "erased_at", "erased_on", "erasure_date", "erledigungsdatum", "erledigt_datum", "erledigt_um"),
        *("abgeschlossen", "abschlussdatum", "geschlossen_datum", "ausgefuhrt", "umgesetzt_am", "vollzogen_am", "geloscht"),
        *("loschdatum", "date_de_cloture", "cloture", "termine_le", "fecha_de_resolucion", "completado_el", "completato_il"),
        *("afgerond_op", "afgesloten_op"),
    ),
    "answered_at": ("answered", "answered_on", "informed_at", "beantwortet_am", "repondu_le", "respondido_el", "beantwoord_op"),
    "confirmed_at": ("acknowledged_at", "acknowledged_on", "receipt_confirmed_at", "receipt_confirmed_on"),
    "status": ("state", "ticket_status", "resolution", "zustand", "statut", "etat", "estado", "stato", "stand"),
    # No column that is called "reason" alone: it may say why people asked, and a reason is printed in letters.
    "reason": (
        *("denial_reason", "rejection_reason", "reason_for_refusal", "refusal_reason", "ablehnungsgrund", "motif_du_refus"),
        *("motivo_del_rechazo", "motivo_del_rifiuto", "reden_van_weigering"),
    ),
    "exception": ("legal_exception", "exemption", "ausnahme", "exception_legale", "excepcion", "eccezione", "uitzondering"),
}
"""What other systems call columns of a log, the likeliest first; without accents."""
LEAST_SHARE: Final = 0.5
"""Of a column's values that have to be in the data, so that it is taken to name records or people."""


@dataclass(frozen=True, slots=True)
class Tickets:
    """An export of tickets, or a log that is one already; implements `auditor.case.scaffold.Tickets`."""

    path: Path
    options: Options
    """With what was told; what was not is guessed."""

    def values(self) -> frozenset[str]:
        """Everything that the cells of a table hold, one by one: ids of records are among them; empty for anything but CSV."""
        if self.path.suffix.lower() != ".csv":
            return frozenset()
        table = _cells(read_source(self.path, self.path.name, limit=TEXT_LIMIT))
        return frozenset(part for column in table.columns.values() for cell in column for part in separated(cell))

    def log(self, data: Table, id_column: str) -> Log:
        """Read a log, or turn an export into one.

        Args:
            data: The training data.
            id_column: Its column of ids.

        Raises:
            InputError: If it cannot be read or understood, with every row.
            UsageError: If it holds no request, or its format has to be told.
        """
        path, options = self.path, self.options
        suffix = path.suffix.lower()
        if suffix == ".jsonl" and options.export in {"", "jsonl"}:
            read_log(path)
            return Log(read_source(path, path.name, limit=TEXT_LIMIT).data)
        if suffix not in {".csv", ".json", ".jsonl"}:
            raise InputError(
                [Problem(path.name, "--log", "an export in .csv or .json, or a log in .jsonl", show(suffix or path.name))]
            )
        if suffix != ".csv" and not options.export:
            raise UsageError(f"--log: {path.name} may be in several formats; name it with --log-from opendsr or --log-from drp")
        source, person = read_source(path, path.name, limit=TEXT_LIMIT), None
        if suffix == ".csv" and options.export in {"", "csv"}:
            options, person = _about(path, source, options, data, id_column)
        return _imported(path, source, options, person)

    def alone(self, who: Callable[[], tuple[Table, str] | None] = lambda: None) -> Log:
        """Read a log, or turn an export into one, where nothing is trained.

        Args:
            who: Reads the table that says whose records are whose, and names its column of ids; asked only where the export
                itself does not name records.

        Raises:
            InputError: If it cannot be read or understood, with every row.
            UsageError: If it holds no request for erasure.
        """
        path, options = self.path, self.options
        source = read_source(path, path.name, limit=limit_of(path))
        table = _cells(source) if path.suffix.lower() == ".csv" else None
        if table is None or (not options.columns and options.person is None and table.columns.keys() <= {*READ, *UNREAD}):
            read_log(path)
            return Log(source.data, ending=path.suffix.lower())
        columns, plain, taken = _told(options, table)
        if options.person is None and "record_ids" not in taken:
            called = [name for each in _RECORDS for name in table.columns if plain[name] == each and name not in columns]
            columns |= {called[0]: "record_ids"} if called else {}
            if not called and (held := who()) is not None:
                options, person = _about(path, source, options, *held)
                # A scan searches for records that the table lacks as well.
                return _imported(path, source, replace(options, known_records=None, known_in=""), person)
        _fill(columns, table, plain, taken)
        return _imported(path, source, replace(options, export="csv", columns=_with_guessed(options, columns)), None)


def _about(path: Path, source: Source, options: Options, data: Table, id_column: str) -> tuple[Options, str | None]:
    """Fill in what was not told of an export in CSV, with the help of a table; the column that it names people by as well.

    Raises:
        InputError: If the table lacks most of those whom the export names, with all else that is wrong with it.
    """
    options, person = _guessed(source, replace(options, export="csv"), data, id_column)
    if (erased := _erased(source, options, data, id_column)) is not None:
        raise InputError([erased.problem, *_others(path, source, options, erased.column)])
    return options, person


class _Erased(NamedTuple):
    """A column that looks like one of the data, most of whose values are not there: the data are from after the erasures."""

    column: str
    problem: Problem


def _erased(source: Source, options: Options, data: Table, id_column: str) -> _Erased | None:
    """The column that would name records or people if the data still held them; None where something else names them."""
    table = _cells(source)
    if options.person is not None or "record_ids" in {*dict(options.columns).values(), *_plain(table).values()}:
        return None
    named = [name for name in data.columns if name != id_column and len(data.distinct(name)) > data.rows / 10]
    for held in (id_column, *named):
        known, forms = frozenset(map(normal, data.distinct(held))), frozenset(map(_form, data.distinct(held)))
        for name, cells in table.columns.items():
            values = {normal(part): part for cell in cells for part in separated(cell)}
            absent = [part for value, part in values.items() if value not in known]
            met = len(absent) < len(values)
            alike = [part for part in absent if (form := _form(part)) in forms and (met or _TELLING.search(form))]
            if name in dict(options.columns) or len(alike) <= LEAST_SHARE * len(values):
                continue
            what, way = ("record ids", "record_ids") if held == id_column else ("people", "record_ids, or --person")
            expected = (
                f"{what} that {data.source.name} has in its column {held}: give the table as it was before the erasures, "
                f"or name another column with --map COLUMN={way}"
            )
            example = f", such as {show(alike[0])}" if held == id_column else ""  # a message names no person
            found = f"{len(absent)} of {len(values)} that it lacks{example}"
            return _Erased(name, Problem(source.name, f"column {name}", expected, found))
    return None


_TELLING: Final = re.compile(r"@|a.*0|0.*a")
"""Forms that are no mere numbers or words, which any column may hold."""


def _form(value: str) -> str:
    """What a value looks like: of K-204117 "a-0"; of every address "@"."""
    return "@" if "@" in value else re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", value))


def _others(path: Path, source: Source, options: Options, column: str) -> tuple[Problem, ...]:
    """What else is wrong with an export, whose column of records or people is not to blame for more."""
    columns = (*options.columns, (column, "record_ids"))
    try:
        _imported(path, source, replace(options, columns=columns, known_records=None), None)
    except InputError as error:
        return error.problems
    except UsageError:  # none of its rows asks for erasure, which the first problem explains as little as it is explained
        return ()
    return ()


def _imported(path: Path, source: Source, options: Options, person: str | None) -> Log:
    """Turn an export into a log.

    Raises:
        InputError: If a row cannot be understood.
        UsageError: If it holds no request for erasure.
    """
    found = import_log(source, options)
    if found.problems:
        raise InputError(_by_cause(found.problems))
    if not found.rows:
        left = ", ".join(f"{what} {count}" for what, count in found.left_out.items())
        raise UsageError(f"--log: none of the {found.total} row(s) of {path.name} is an erasure request, but {left}")
    return Log(lines(found.rows), person, len(found.rows), found.head, tuple(described(found)), found.provenance())


def of_told(path: Path, told: Told, export: str | None) -> Tickets:
    """Take what options say about an export of tickets.

    Args:
        path: The export.
        told: The options.
        export: Its format; None where it was not told.

    Raises:
        UsageError: If an option is wrong.
        InputError: If the table of people cannot be read.
    """
    if export is not None and export not in EXPORTS:
        raise UsageError(f"--log-from: expected one of {', '.join(EXPORTS)}, found {export}")
    return Tickets(path, understood(told, export or ""))


TICKETS: Final = of_told


def _by_cause(problems: Sequence[Problem]) -> list[Problem]:
    """One problem for each column and what was expected of it, with the rows that have it."""
    found: dict[tuple[str, str], list[tuple[str, Problem]]] = {}
    for each in problems:
        row, comma, rest = each.where.partition(", ")
        found.setdefault((rest if comma else "", each.expected), []).append((row, each))
    listed = []
    for (rest, expected), alike in found.items():
        row, first = alike[0]
        if len(alike) == 1:
            listed.append(first)
            continue
        rows = f"{row} and {len(alike) - 1} more"
        listed.append(Problem(first.file, f"{rows}, {rest}" if rest else rows, expected, first.found))
    return listed


def _guessed(source: Source, options: Options, data: Table, id_column: str) -> tuple[Options, str | None]:
    """Fill in what was not told, and name the column of the data that people are named by."""
    table = _cells(source)
    columns, plain, taken = _told(options, table)
    person = options.person
    by_record, by_person = _naming(table, data, id_column, set(columns))
    people, identities = None, options.identities
    if person is not None and identities is None and person.records not in {*table.columns, *data.columns}:
        problem = Problem(data.source.name, "--person", *unknown("column", person.records, tuple(data.columns)))
        raise InputError([problem])
    held = None if person is None else _held(person.identity, data, by_person)
    if person is not None and identities is None and held is not None and person.records not in table.columns:
        people, identities = held, _identities(data, held, id_column)
    elif person is None and "record_ids" not in taken:
        if by_record is not None:
            columns[by_record] = "record_ids"
        elif by_person is not None:
            people = by_person[1]
            person, identities = PersonColumns(by_person[0], id_column), _identities(data, by_person[1], id_column)
    naming = {each for each in (by_record, person.identity if person else None) if each is not None}
    _fill(columns, table, plain, taken, naming)
    pairs = _with_guessed(options, columns)
    options = replace(options, columns=pairs, person=person, identities=identities)
    if person is None and "record_ids" in {to for _, to in pairs} and options.known_records is None:
        options = replace(options, known_records=data.distinct(id_column), known_in=data.source.name)
    return options, people


def _told(options: Options, table: Table) -> tuple[dict[str, str], dict[str, str], set[str]]:
    """What was told of columns, all columns by their plain names, and the columns of the log that are had by these."""
    columns, plain = dict(options.columns), _plain(table)
    own = (plain[name] for name in table.columns if name not in columns)
    return columns, plain, {*(to for _, to in options.columns), *own}


def _with_guessed(options: Options, columns: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """What was told of columns, and then what was guessed."""
    return options.columns + tuple((name, to) for name, to in columns.items() if name not in dict(options.columns))


def _plain(table: Table) -> dict[str, str]:
    """Columns by their names, without case, accents and signs."""
    return {name: folded(name).strip().replace(" ", "_").replace("-", "_").rstrip("._") for name in table.columns}


def _fill(
    columns: dict[str, str], table: Table, plain: Mapping[str, str], taken: Collection[str], naming: Collection[str] = ()
) -> None:
    """Take columns for what they are usually called, where nobody said what they are."""
    for target, usual in USUAL.items():
        if target not in taken:
            called = [name for each in usual for name in table.columns if plain[name] == each]
            free = [name for name in called if name not in columns and name not in naming]
            if target in TIMES:
                # "done" may hold yes and no, and the time stand in another column.
                free = [name for name in free if mostly_times(table.columns[name])] or free
            columns |= {free[0]: target} if free else {}


_RECORDS: Final = (
    *("record_id", "records", "person_id", "customer_id", "customer", "user_id", "user", "client_id", "patient_id", "member_id"),
    *(
        "account_id",
        "subject_id",
        "data_subject",
        "kundennummer",
        "kunden_id",
        "kundennr",
        "id_client",
        "id_cliente",
        "klantnummer",
    ),
)
"""What columns that name whose records a ticket is about are usually called, the likeliest first."""


def _held(identity: str, data: Table, by_person: tuple[str, str] | None) -> str | None:
    """The column of the data that names people as one of the export does; None where there is no such column."""
    if identity in data.columns:
        return identity
    return by_person[1] if by_person is not None and by_person[0] == identity else None


def _cells(source: Source) -> Table:
    """The cells of an export, column by column, without rows that cannot be read: importing names these."""
    found = EXPORTS["csv"].read(source)
    rows = [each.values for each in found.rows if each.fault is None]
    return Table(source, {name: tuple(row.get(name, "") for row in rows) for name in found.names})


def _naming(table: Table, data: Table, id_column: str, told: set[str]) -> tuple[str | None, tuple[str, str] | None]:
    """The column that names records, and the one that names people, with the column of the data that it does so by."""
    known = {name: frozenset(map(normal, data.distinct(name))) for name in data.columns}
    by_record: tuple[float, str] | None = None
    by_person: tuple[float, str, str] | None = None
    for name in table.columns:
        values = {normal(part) for cell in table.columns[name] for part in separated(cell)}
        if not values or name in told:
            continue
        shares = {column: len(values & held) / len(values) for column, held in known.items()}
        if shares[id_column] > max(LEAST_SHARE, by_record[0] if by_record else 0.0):
            by_record = (shares[id_column], name)
        for column, share in shares.items():
            # What few values say, such as a country, names nobody.
            telling = len(known[column]) > data.rows / 10 and column != id_column
            if telling and share > max(LEAST_SHARE, by_person[0] if by_person else 0.0):
                by_person = (share, name, column)
    return by_record[1] if by_record else None, by_person[1:] if by_person else None


def _identities(data: Table, column: str, id_column: str) -> Identities:
    """Whose records are whose, by a column of the training data."""
    found: dict[str, list[str]] = {}
    for person, record in zip(data.columns[column], data.columns[id_column], strict=True):
        if person:
            found.setdefault(normal(person), []).append(record)
    return Identities(data.source.name, {person: tuple(records) for person, records in found.items()})
