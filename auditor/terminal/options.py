"""Options and arguments that several commands share, and the words that they take."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

from auditor.base.errors import UsageError


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


Lang = Annotated[str, typer.Option("--lang", metavar="en|de", help="Language of the texts.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object for machines.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result, without narration.")]
CasePath = Annotated[
    Path, typer.Argument(metavar="CASE", help="A folder with audit.toml, or that file itself.", show_default=False)
]
