"""Options and arguments that several commands share, and the words that they take."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


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


class Format(StrEnum):
    """What `report` writes."""

    PDF = "pdf"
    HTML = "html"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"
    MD = "md"


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object for machines.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only, no narration.")]
CasePath = Annotated[Path, typer.Argument(metavar="CASE", help="A folder with audit.toml, or that file.", show_default=False)]
