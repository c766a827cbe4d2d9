"""What options say about an export of tickets, from how they are typed to how the export is understood."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from auditor.base.errors import UsageError
from auditor.case.files import read_source
from auditor.case.log_values import STATES
from auditor.case.tables import limit_of
from auditor.parts.log.importing import EXPORTS, Options
from auditor.parts.log.importing.kinds import ANY, OPTION
from auditor.parts.log.importing.people import Identities, PersonColumns, read_people
from auditor.parts.log.importing.times import Clock
from auditor.terminal.options import Dates, Told, Unknown


def understood(told: Told, export: str) -> Options:
    """Read what was told about an export.

    Args:
        told: The options.
        export: A name of `EXPORTS`; empty where it was not told.

    Raises:
        UsageError: If an option is wrong.
        InputError: If the table of people cannot be read.
    """
    person = None if told.person is None else _person_columns(told.person)
    columns = _each_pair("--map", told.columns)
    by_record = next((column for column, target in columns if target == "record_ids"), None)
    if told.people is not None and person is None and by_record is None:
        raise UsageError(
            "--people: expected --person A=B as well, the table's columns of identity and of records, or --map COLUMN=record_ids "
            "with a column that both have"
        )
    known = None
    if told.people is not None and person is None and by_record is not None:
        known = _identities(told.people, PersonColumns(by_record, by_record), export)
    return Options(
        export=export,
        columns=columns,
        clock=_clock(told.zone, told.dates),
        states=_states(told.state),
        person=person,
        key=lambda: _key(told.key),
        identities=None if told.people is None or person is None else _identities(told.people, person, export),
        unknown_as_no_match=told.unknown is Unknown.NO_MATCH,
        erasures=_erasures(told.erasures),
        known_records=None if known is None else known.record_ids,
        known_in="" if known is None else known.file,
    )


def _pairs(option: str, given: list[str] | None) -> dict[str, str]:
    """Read `A=B,C=D`, as often as the option is given, where nothing may stand on the left twice."""
    pairs = _each_pair(option, given)
    for left in (left for left, count in Counter(left for left, _ in pairs).items() if count > 1):
        raise UsageError(f"{option}: {left} is given twice")
    return dict(pairs)


def _each_pair(option: str, given: list[str] | None) -> tuple[tuple[str, str], ...]:
    """Read `A=B,C=D`, as often as the option is given; one that is given twice counts once."""
    pairs: dict[tuple[str, str], None] = {}
    for part in (part for each in given or () for part in each.split(",") if part.strip()):
        left, equals, right = (piece.strip() for piece in part.partition("="))
        if not (left and equals and right):
            raise UsageError(f"{option}: expected A=B, found {part.strip()}")
        pairs[left, right] = None
    return tuple(pairs)


def _erasures(given: list[str] | None) -> dict[str, frozenset[str]]:
    """Read `COLUMN=VALUE`, as often as it is given: a value may hold a comma, or be empty."""
    found: dict[str, set[str]] = {}
    for each in given or ():
        column, equals, value = each.partition("=")
        if not (column.strip() and equals):
            raise UsageError(f"{OPTION}: expected COLUMN=VALUE, found {each}")
        found.setdefault(column.strip(), set()).add(value.strip())
    for column, values in found.items():
        if ANY in values and len(values) > 1:
            raise UsageError(f"{OPTION}: expected values of {column}, or {column}={ANY} for all, found both")
    return {column: frozenset(values) for column, values in found.items()}


def _person_columns(text: str) -> PersonColumns:
    """Read `A=B`: the column that says who a person is, and the one of their records."""
    pairs = _pairs("--person", [text])
    if len(pairs) != 1:
        raise UsageError(f"--person: expected one A=B, found {text}")
    return PersonColumns(*next(iter(pairs.items())))


def _states(given: list[str] | None) -> dict[str, str]:
    """Read words of an export, each with the state that it means."""
    pairs = _pairs("--state", given)
    for state in pairs.values():
        if state not in STATES:
            raise UsageError(f"--state: expected one of {', '.join(STATES)}, found {state}")
    return pairs


def _clock(zone: str | None, dates: Dates | None) -> Clock:
    """Read whose clock times are, and the order of day and month."""
    try:
        found = None if zone is None else ZoneInfo(zone)
    except (OSError, ValueError, ZoneInfoNotFoundError) as error:
        raise UsageError(f"--timezone: expected a zone such as Europe/Berlin, found {zone}") from error
    return Clock(found, None if dates is None else dates.value)


def _identities(people: Path, person: PersonColumns, export: str) -> Identities:
    """Read a table of people."""
    prefix = EXPORTS[export].identities if export in EXPORTS else ""
    return read_people(read_source(people, limit=limit_of(people)), person, prefix)


def _key(path: Path | None) -> bytes:
    """Give the secret of the pseudonyms: the file that was named, or one next to the user's key."""
    from auditor.base.user_key import drawn_once, key_file  # noqa: PLC0415 - only where people are named

    try:
        file = path or key_file().with_name("pseudonym.key")
        file.parent.mkdir(parents=True, exist_ok=True)
        return drawn_once(file)
    except OSError as error:
        raise UsageError(f"--key: {error.filename or path}: {error.strerror}") from error
