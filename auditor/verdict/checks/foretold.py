"""What a single run of a case could refute at best: forms of it are known before anything is trained."""

from __future__ import annotations

from dataclasses import dataclass

from auditor.base.domain import Reason


@dataclass(frozen=True, slots=True)
class Foretold:
    """What a single run could refute, known before anything is trained."""

    canaries: int
    guesses: int
    unplayable: Reason | None
    """Why there would be no run; what follows is then None."""
    epsilon: float | None
    """The lower bound if every guess is right, rounded down: no claim of as much or more can be refuted. None if no ε can."""
    delta: float
    """Of the claim of certified removal; 0 without one."""
    error: float
    """The probability with which the bound may be wrong."""
    noticed: float | None
    """The share of right guesses that would be distinguished from guessing four times in five; None if no share would."""
    claimed: float | None
    """The ε of the claim of certified removal."""
    needed: float | None
    """The true ε from which on the claim would be refuted four times in five, by an adversary who finds everything.

    None without a claim, or where it is out of reach.
    """
