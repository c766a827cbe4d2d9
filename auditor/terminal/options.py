"""Options and arguments that several commands share, and the words that they take."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from auditor.base.errors import UsageError
from auditor.base.writing import FIRST_STAGE

if TYPE_CHECKING:
    from auditor.document.evidence import Evidence


class Device(StrEnum):
    """Where the procedure computes."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


class Backend(StrEnum):
    """Where sandboxed runs are started."""

    LOCAL = "local"
    DASK = "dask"
    RAY = "ray"


class Dates(StrEnum):
    """The order of day and month between slashes."""

    DMY = "dmy"
    MDY = "mdy"


class Unknown(StrEnum):
    """What becomes of people whom the table of people does not know."""

    REFUSE = "refuse"
    NO_MATCH = "no-match"


def take_parts(context: typer.Context, parts: Iterable[str] | None, *, of_case: Iterable[str] = ()) -> None:
    """Have foreign parts in force while a command runs: those that its options name, and those that a case names.

    Args:
        context: Of the command.
        parts: What its options name.
        of_case: What the case names.

    Raises:
        PartError: If one of the options is not installed, or one cannot be loaded or brings what no foreign part may bring.
    """
    names = list(parts or ())
    if named := list(of_case):
        from auditor.base.foreign_parts import names_installed  # noqa: PLC0415

        # One that a case names and that is not installed is a problem of the case, named with all others when it is read.
        known = names_installed()
        names += (each for each in named if each in known)
    if names:
        from auditor.pages.taking_part import taking_part  # noqa: PLC0415 - few commands need it

        context.with_resource(taking_part(names))


def take_parts_in(context: typer.Context, *evidence: Evidence) -> None:
    """Have the foreign parts in force, while a command runs, that took part in some audits.

    Raises:
        LackingPartError: If one is not installed here as it took part.
    """
    if any(each.parts for each in evidence):
        from auditor.pages.taking_part import taking_part_in  # noqa: PLC0415 - few commands need it

        context.with_resource(taking_part_in(*evidence))


def evidence_at(path: Path) -> Path:
    """Give the evidence.json that a path means: the file itself, that of an audit's folder, or that of a case's audit.

    Nothing of it is read; a file that is not one is given back, so that the reader says what is wrong with it.

    Raises:
        UsageError: If a folder has no evidence: of a case that was not audited yet, or of something else.
    """
    if path.name == "audit.toml":
        path = path.parent
    inside = (path / _EVIDENCE, path / "audit" / _EVIDENCE)
    if not path.is_dir():
        return path
    if found := next((each for each in inside if each.is_file()), None):
        return found
    check = shlex.join(["auditor", "check", str(path)])
    if (first := path / "audit" / FIRST_STAGE / _EVIDENCE).is_file():
        raise UsageError(f"{path}: no whole audit here yet, only its first stage; name {first.parent}, or run {check}")
    if (path / "audit.toml").is_file():
        raise UsageError(f"{path}: no audit here yet; run {check}")
    raise UsageError(f"{path}: expected a case or the folder of an audit, found neither audit.toml nor {_EVIDENCE}")


_EVIDENCE: Final = "evidence.json"
LANGUAGES: Final = ("en",)
"""What texts are written in."""
COMING: Final = {"de": "German"}
"""Languages that are planned."""


def refuse_language(language: str) -> None:
    """Stop before anything is read where no texts are written in a language.

    Raises:
        UsageError: If this version has none in it.
    """
    if language in LANGUAGES:
        return
    if language in COMING:
        raise UsageError(f"--lang {language}: {COMING[language]} texts are not there yet; this version writes en")
    raise UsageError(f"--lang: expected en, found {language[:20]!r}")


Parts = Annotated[
    list[str] | None,
    typer.Option("--part", metavar="NAME", help="A part of a third party that takes part; may be repeated.", show_default=False),
]
Lang = Annotated[str, typer.Option("--lang", metavar="|".join(LANGUAGES), help="Language of the texts.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object for machines.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result, without narration.")]
Shared = Annotated[
    bool, typer.Option("--shared", help="Let others read what is written, as far as the umask does; else you alone may.")
]
EvidencePath = Annotated[
    Path, typer.Argument(metavar="EVIDENCE", help="An evidence.json, or the folder of an audit or case.", show_default=False)
]
Subject = Annotated[
    str | None,
    typer.Option(metavar="S", help="The person, as in the log, if a request covers several people.", show_default=False),
]
CasePath = Annotated[
    Path, typer.Argument(metavar="CASE", help="A folder with audit.toml, or that file itself.", show_default=False)
]
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
Erasures = Annotated[
    list[str] | None,
    typer.Option(
        "--erasures",
        metavar="A=V",
        help="Value V in column A asks for erasure as well; * is any value.",
        show_default=False,
    ),
]
Key = Annotated[
    Path | None,
    typer.Option("--key", metavar="KEY", help="File with the secret for pseudonyms; made if missing.", show_default=False),
]


_SPELT: Final = {"columns": "map", "zone": "timezone"}
"""Parameters of commands that bear another name than their option."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the options of `log import` and `init --from` say about an export, as they were typed."""

    columns: list[str] | None
    person: str | None
    people: Path | None
    unknown: Unknown | None
    zone: str | None
    dates: Dates | None
    state: list[str] | None
    key: Path | None
    erasures: list[str] | None = None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Told:
        """Take them from the parameters of a command, which bear the same names."""
        return cls(**{each.name: values[each.name] for each in fields(cls)})

    @property
    def given(self) -> tuple[str, ...]:
        """The options that were given, as they are spelt."""
        named = (each.name for each in fields(self) if getattr(self, each.name) is not None)
        return tuple(f"--{_SPELT.get(name, name)}" for name in named)
