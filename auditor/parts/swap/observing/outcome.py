"""What comes of the SWAP test, however it was played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from auditor.parts.swap.judging.epsilon_consistency.observed import SwapGame
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.right_counts import Counts


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the test."""

    observed: Mapping[str, Values]
    """By check id."""
    reached: SwapGame | None
    """For `epsilon.consistency`; None where there was no game."""
    unseen: Counts | None = None
    """Right predictions on records that the game's models never met; None where there was no game."""
