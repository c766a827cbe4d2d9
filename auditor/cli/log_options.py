"""What the options of `log import` and `init --from` mean that say how an export is to be understood."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.base.errors import UsageError

if TYPE_CHECKING:
    from auditor.parts.log.importing import Clock, Identities, PersonColumns


class Dates(StrEnum):
    """The order of day and month between slashes."""

    DMY = "dmy"
    MDY = "mdy"


Columns = Annotated[
    list[str] | None,
    typer.Option("--map", metavar="A=B", help="Column A of the export is column B of the log.", show_default=False),
]
Person = Annotated[
    str | None,
    typer.Option("--person", metavar="A=B", help="Column A identifies the person, column B their records.", show_default=False),
]
Zone = Annotated[
    str | None, typer.Option("--timezone", metavar="ZONE", help="Time zone of times without an offset.", show_default=False)
]
Order = Annotated[Dates | None, typer.Option("--dates", help="Order of day and month in dates with slashes.", show_default=False)]
States = Annotated[
    list[str] | None,
    typer.Option("--state", metavar="A=B", help="The word A in the export means state B.", show_default=False),
]
Key = Annotated[
    Path | None,
    typer.Option("--key", metavar="KEY", help="File with the secret for pseudonyms; made if missing.", show_default=False),
]


def pairs_of(option: str, given: list[str] | None) -> dict[str, str]:
    """Read `A=B,C=D`, as often as the option is given."""
    pairs: dict[str, str] = {}
    for part in (part for each in given or () for part in each.split(",") if part.strip()):
        left, equals, right = (piece.strip() for piece in part.partition("="))
        if not (left and equals and right):
            raise UsageError(f"{option}: expected A=B, found {part.strip()}")
        if left in pairs:
            raise UsageError(f"{option}: {left} is given twice")
        pairs[left] = right
    return pairs


def person_columns(text: str) -> PersonColumns:
    """Read `A=B`: the column that says who a person is, and the one of their records."""
    from auditor.parts.log.importing import PersonColumns  # noqa: PLC0415

    pairs = pairs_of("--person", [text])
    if len(pairs) != 1:
        raise UsageError(f"--person: expected one A=B, found {text}")
    return PersonColumns(*next(iter(pairs.items())))


def states_of(given: list[str] | None) -> dict[str, str]:
    """Read words of an export, each with the state that it means."""
    from auditor.case.log_values import STATES  # noqa: PLC0415

    pairs = pairs_of("--state", given)
    for state in pairs.values():
        if state not in STATES:
            raise UsageError(f"--state: expected one of {', '.join(STATES)}, found {state}")
    return pairs


def clock_of(zone: str | None, dates: Dates | None) -> Clock:
    """Read whose clock times are, and the order of day and month."""
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # noqa: PLC0415

    from auditor.parts.log.importing import Clock  # noqa: PLC0415

    try:
        found = None if zone is None else ZoneInfo(zone)
    except (OSError, ValueError, ZoneInfoNotFoundError) as error:
        raise UsageError(f"--timezone: expected a zone such as Europe/Berlin, found {zone}") from error
    return Clock(found, None if dates is None else dates.value)


def identities_of(people: Path, person: PersonColumns) -> Identities:
    """Read a table of people."""
    from auditor.case.files import read_source  # noqa: PLC0415
    from auditor.case.tables import limit_of  # noqa: PLC0415
    from auditor.parts.log.importing.people import read_people  # noqa: PLC0415

    return read_people(read_source(people, limit=limit_of(people)), person)


def key_of(path: Path | None) -> bytes:
    """Give the secret of the pseudonyms: the file that was named, or one next to the user's key."""
    from auditor.sandbox.runs.secrets import drawn_once, key_file  # noqa: PLC0415

    try:
        file = path or key_file().with_name("pseudonym.key")
        file.parent.mkdir(parents=True, exist_ok=True)
        return drawn_once(file)
    except OSError as error:
        raise UsageError(f"--key: {error.filename or path}: {error.strerror}") from error
