"""A measured value and its interval, as pages print and figures draw it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from auditor.pages.words.rendered_evidence import ToldCheck


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value and its interval, as far as either exists."""

    value: float | None
    ends: tuple[float, float] | None


NOTHING: Final = Estimate(None, None)
"""Where nothing was measured."""


def estimate(value: float | None, ends: tuple[float, float] | None) -> Estimate:
    """A value with its interval; without one whose ends are crossed, as they may be in a document that comes from anybody."""
    return Estimate(value, ends if ends is not None and ends[0] <= ends[1] else None)


def of_check(check: ToldCheck) -> Estimate:
    """The value of a check and its interval."""
    return estimate(check.value, check.interval)
