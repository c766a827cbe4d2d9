"""Reads what each sample case is for and what its audit must give: `sample.toml` of its folder."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from auditor.base.resources import sample_models

FILE = "sample.toml"
OWN_CODE = "own code"
"""What `Sample.procedure` says of the controller's own class."""
ANSWERS = "answers alone"
"""What it says where nothing is rerun."""
PLACES = "places alone"
"""What it says where nothing was learned."""


class Sample(BaseModel):
    """Holds one `sample.toml`, whose keys `sample_models/README.md` describes, and which procedure the case declares."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    procedure: str
    """The `use` of `[procedure]` or `[controller]`, or `ANSWERS`, `PLACES`, or `OWN_CODE`, which runs at sandbox level *confined*
    or stronger only."""
    purpose: str
    exit_code: Literal[0, 1, 3]
    fails: frozenset[str] = frozenset()
    inconclusive: frozenset[str] = frozenset()
    guarantees: dict[str, Literal["shown", "supported", "refuted"]] = Field(default_factory=dict)
    slow: bool = False


def names() -> tuple[str, ...]:
    """List the sample cases by name: every folder with an `audit.toml`."""
    return tuple(sorted(path.parent.name for path in sample_models().glob("*/audit.toml")))


def read(name: str) -> Sample:
    """Read one sample.

    Raises:
        ValueError: If its `sample.toml` lacks a key, or has one that is unknown or of another type.
        OSError: If a file cannot be read.
    """
    folder = sample_models() / name
    tables = _table(folder / "audit.toml")
    if "answers" in tables or "places" in tables:
        declared = ANSWERS if "answers" in tables else PLACES
    else:
        audited = tables["procedure"] if "procedure" in tables else tables["controller"]
        programs = [audited, *(audited[part] for part in ("first", "second") if part in audited)]
        declared = OWN_CODE if any("entry" in each for each in programs) else audited["use"]
    return Sample.model_validate({**_table(folder / FILE), "name": name, "procedure": declared})


def every() -> tuple[Sample, ...]:
    """Read all samples, in the order of their names."""
    return tuple(map(read, names()))


def _table(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
