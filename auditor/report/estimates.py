"""A measured value and its interval, as pages print and figures draw it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from auditor.words.told import ToldCheck


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value and its interval, as far as either exists."""

    value: float | None
    ends: tuple[float, float] | None


NOTHING: Final = Estimate(None, None)
"""Where nothing was measured."""


def of_check(check: ToldCheck) -> Estimate:
    """The value of a check and its interval."""
    return Estimate(check.value, check.interval)
