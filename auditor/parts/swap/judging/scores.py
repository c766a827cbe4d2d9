"""What attacks found on the models of a game, pair by pair, as JSON holds it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, TypeAlias

import numpy as np
from pydantic import Field

from auditor.attacks import attacks
from auditor.base.domain import Floats
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.quantities import Share

Advantages: TypeAlias = Mapping[str, tuple[Annotated[float, Field(ge=-1, le=1)], ...]]
"""Signed pair advantages by attack."""
Shares: TypeAlias = Mapping[str, tuple[Share, ...]]
"""Shares of records by attack, one a pair."""


class PairAdvantages(Values):
    """Signed pair advantages by attack, for each kind of model."""

    procedure: Advantages = Field(default_factory=dict)
    do_nothing: Advantages = Field(default_factory=dict)
    """Of the no-unlearning baseline: models that unlearned decoys, retained records, and still hold the forgotten ones."""
    learned: Advantages = Field(default_factory=dict)
    """Of models before unlearning, which private training covers; empty where there is none."""
    retrained: Advantages = Field(default_factory=dict)
    """Of models retrained with fresh seeds: what chance alone gives."""
    control: Advantages = Field(default_factory=dict)
    """Of models retrained with the same seeds on both sides."""


class PairAcceptances(Values):
    """The share of F and T together that an attack takes for trained on."""

    procedure: Shares = Field(default_factory=dict)
    retrained: Shares = Field(default_factory=dict)
    """Of models retrained with fresh seeds."""


class Identical(Values):
    """Whether both models of every pair gave the same outputs, bit for bit."""

    procedure: bool = False
    do_nothing: bool = False
    learned: bool = False
    retrained: bool = False
    """With fresh seeds."""


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Sort attacks by the catalogue's order, which JSON objects do not keep.

    Raises:
        ValueError: If there is none, or one of them is no attack of this version.
    """
    given, known = set(names), attacks()
    if not given or not given <= known.keys():
        raise ValueError(f"attacks of this version are needed, found {sorted(given - known.keys()) or 'none'}")
    return tuple(name for name in known if name in given)


def table(found: Advantages | Shares, names: tuple[str, ...]) -> Floats:
    """Stack what was found, shape (attacks, K).

    Raises:
        KeyError: If an attack is missing.
    """
    return np.array([found[name] for name in names], dtype=np.float64)


def require_alike(*kinds: Advantages | Shares) -> None:
    """See that every kind of model was attacked by the same attacks, in the same number of pairs.

    Raises:
        ValueError: If it was not.
    """
    attacked = {frozenset(kind) for kind in kinds}
    sizes = {len(pairs) for kind in kinds for pairs in kind.values()}
    if len(attacked) > 1 or len(sizes) > 1:
        raise ValueError("every kind of model needs the same attacks and as many pairs")
