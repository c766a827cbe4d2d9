"""Say what others bring to `epsilon.consistency`: tests that the SWAP test does not play, and ceilings of what it shows.

A module that brings something names it in the constant `AGAINST_EPSILON`, and its part names that module among `contributions`:
this check knows none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from auditor.base.domain import Message
from auditor.document.editions import in_force
from auditor.parts.swap.judging.epsilon_consistency.observed import Observed, Played
from auditor.parts.swap.judging.epsilon_consistency.rows import Compared, Row
from auditor.verdict.checks import constants
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import never
from auditor.verdict.checks.finding import Values


# Hold what `epsilon.consistency` works out of a run: every comparison, and what games and chains came to.
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
    reason: Message | None
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
    """Of what refutes."""
    order: float
    epsilon_lower: float
    """Against any law that never saw the record."""
    epsilon_by_advantage: float
    """By Theorem 4.1 of the advantage alone."""
    largest_request: int
    replaces: bool
    quick: bool
    refuted: Message | None
    """What falls to the games; None where nothing does."""
    suspected_confidence: float | None = None
    """Of what leaves open."""


class Derived(Values):
    """Every comparison."""

    confidence: float | None
    """With which all lower bounds of the SWAP test that may refute hold jointly; None where it was held against nothing."""
    correction: Message | None
    comparisons: tuple[Row, ...]
    chains: Chains | None
    """None where none were asked for, or nothing was to be held against them."""
    game: Game | None
    """What the requester's games came to; None where none were played."""
    suspected_confidence: float | None = None
    """With which those of the SWAP test that leave open hold jointly."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A lower limit on the advantage of an adversary in the game."""

    method: str
    title: Message
    advantage: float
    confidence: float
    decides: bool
    """Whether it may refute."""
    suspected: float
    """The limit that leaves open."""
    suspected_confidence: float
    most: float
    """The largest limit that the game could have refuted with."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """Rows of one contributor, and what it says about the run that they come from."""

    compared: Compared = field(default_factory=Compared)
    game: Game | None = None
    chains: Chains | None = None


Enough: TypeAlias = Callable[[Callable[[float], float], float], int | None]
"""Finds the pairs with which advantages like those of a game refute an ε, from the ε that an advantage shows."""
Ceiling: TypeAlias = Callable[[Context, Played, Sequence[Limit], Enough], Compared]
"""Holds limits of the SWAP test against a statement about all that its game forgets."""


def nothing(_context: Context, _observed: Observed) -> Contribution:
    """Bring no tests of one's own."""
    return Contribution()


def no_ceiling(_context: Context, _played: Played, _limits: Sequence[Limit], _enough: Enough) -> Compared:
    """Bring no ceiling of the SWAP test."""
    return Compared()


@dataclass(frozen=True, slots=True)
class Contributor:
    """What one module brings."""

    name: str
    place: int
    """Where its rows are among those of others."""
    since: str
    """The version since which it is compared."""
    plays: Callable[[Context], bool] = never
    """Whether what is declared may play its tests: they are then a family, which shares the error."""
    compare: Callable[[Context, Observed], Contribution] = nothing
    ceiling: Ceiling = no_ceiling


@lru_cache(maxsize=8)
def contributors(version: str) -> tuple[Contributor, ...]:
    """List those that a version knows, in the order of their places.

    Raises:
        ValueError: If two have one name since one version.
    """
    known = in_force(constants("AGAINST_EPSILON"), version, key=lambda each: each.name)
    return tuple(sorted(known.values(), key=lambda each: each.place))
