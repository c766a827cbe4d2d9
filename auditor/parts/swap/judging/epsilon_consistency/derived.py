"""Hold what `epsilon.consistency` works out of a run: every comparison, and what games and chains came to."""

from __future__ import annotations

from auditor.base.domain import Reason
from auditor.parts.swap.judging.epsilon_consistency.rows import Row
from auditor.verdict.checks.finding import Values


class Chains(Values):
    """Chains of noisy gradient descent that were run."""

    count: int
    """Of each kind."""
    fitted: int
    """Those that the events were fixed on."""
    tests: int
    confidence: float
    """With which all limits hold jointly."""
    order: float
    reason: Reason | None
    """Why none were run; None where some were."""


class Game(Values):
    """What the games of an adaptive requester came to."""

    requester: str | None
    own_guess: bool
    seen: int
    rounds: int
    games: int
    fitted: int
    hits: int
    trials: int
    other_hits: int
    other_trials: int
    named_right: float
    advantage: float
    advantage_lower: float
    confidence: float
    order: float
    epsilon_lower: float
    """Against any law that never saw the record."""
    epsilon_by_advantage: float
    """By Theorem 4.1 of the advantage alone."""
    largest_request: int
    replaces: bool
    quick: bool
    refuted: Reason | None
    """What falls to the games; None where nothing does."""


class Derived(Values):
    """Every comparison."""

    confidence: float | None
    """With which all lower bounds of the SWAP test hold jointly; None where it was held against nothing."""
    correction: Reason | None
    comparisons: tuple[Row, ...]
    chains: Chains | None
    """None where none were asked for, or nothing was to be held against them."""
    game: Game | None
    """What the requester's games came to; None where none were played."""
