"""How long the rows that are learned from may be for the constants of a known loss to hold."""

from __future__ import annotations

from typing import Final

SLACK: Final = 1e-9
"""How far above 1 a norm may lie, for rows that were scaled by somebody and rounded."""


def longer_than_one(largest_norm: float | None) -> bool:
    """Whether a row is too long; so is one whose square float64 does not hold, which has no norm here."""
    return largest_norm is None or largest_norm > 1 + SLACK
