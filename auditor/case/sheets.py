"""Hold one file of records as it was read: the cells of each column, before it is known what other files hold there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Floats
from auditor.base.mixed_columns import Kind


@dataclass(slots=True)
class Cellar:
    """The cells of one column of one file, before it is known what other files hold there."""

    kind: Kind | None
    """None where it is still to be read off the texts."""
    values: Floats
    """Shape (n,): numbers, or times in `unit`; of text of no use."""
    gone: npt.NDArray[np.bool_]
    """Shape (n,): where a value is missing."""
    texts: list[str] = field(default_factory=list)
    unit: Literal["s", "us"] = "s"


@dataclass(slots=True)
class Sheet:
    """One file of records as it was read: roles apart, features by name."""

    file: str
    place: Callable[[int], str]
    """Names a row for a reader."""
    ids: npt.NDArray[np.str_]
    labels: npt.NDArray[Any]
    sensitivity: Floats | None
    weights: Floats | None
    people: tuple[str, ...] | None
    features: dict[str, Cellar]
    beside: dict[str, Cellar]
    """Columns that no procedure gets, whose a record is among them: searches look for what they hold as well."""


def of_microseconds(counts: npt.NDArray[np.int64]) -> tuple[Floats, Literal["s", "us"]]:
    """Times as float64 without loss: in seconds where none is finer."""
    if not np.any(counts % 1_000_000):
        return (counts // 1_000_000).astype(np.float64), "s"
    return counts.astype(np.float64), "us"
