"""Mean advantages with simultaneous intervals over pairs, attack by attack, for the procedure and its controls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np
from pydantic import Field

from auditor.attacks import attacks
from auditor.base.domain import Interval
from auditor.base.records import Floats
from auditor.maths.statistics import PairedAdvantage, Quality, advantages, allow_for_failures, quality
from auditor.parts.swap.judging.game import BLIND
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.stated import Share

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


class OfQuality(Values):
    """A quality and its interval."""

    quality: float
    interval: tuple[float, float]


class OfAdvantage(Values):
    """A mean pair advantage and its interval."""

    advantage: float
    interval: tuple[float, float]


class OfAcceptance(Values):
    """How much more of F and T is accepted after unlearning than after retraining with fresh seeds."""

    acceptance: float
    interval: tuple[float, float]


class Largest(OfAcceptance):
    """The excess that is above 0 most certainly."""

    attack: str


class OfAttack(OfAdvantage):
    """One attack."""

    name: str
    title: str
    source: str
    auc: float
    do_nothing: OfAdvantage
    retrained: OfAdvantage
    """With fresh seeds."""
    excess: OfAcceptance
    blind: bool
    """Whether it accepts nearly none or nearly all after unlearning: its finding nothing is no evidence, what it finds is."""


@dataclass(frozen=True, slots=True)
class Estimates:
    """One estimate for each attack, in the order of `names`."""

    names: tuple[str, ...]
    procedure: tuple[PairedAdvantage, ...]
    do_nothing: tuple[PairedAdvantage, ...]
    retrained: tuple[PairedAdvantage, ...]
    """With fresh seeds."""
    excess: tuple[PairedAdvantage, ...]
    """Of acceptance, after unlearning over after retraining with fresh seeds.

    A procedure that "unlearns" to a model of everything, T included, makes F and T alike, and would pass a test that examines
    their difference alone. Retraining has seen neither, so what its models have accepted of them is the measure.
    """

    blind: tuple[bool, ...]

    @property
    def seeing(self) -> tuple[int, ...]:
        """The attacks whose finding nothing is evidence; all of them where none is, so that there is something to show."""
        found = tuple(at for at, blind in enumerate(self.blind) if not blind)
        return found or tuple(range(len(self.names)))

    @property
    def all_blind(self) -> bool:
        """Whether there is no attack whose finding nothing is evidence."""
        return all(self.blind)

    @property
    def worst(self) -> int:
        """The attack that found most. One that is blind is among them: few records that it accepts may all be forgotten ones."""
        return max(range(len(self.names)), key=lambda at: abs(self.procedure[at].mean))

    @property
    def baseline(self) -> Quality:
        """Q of the no-unlearning baseline over the attacks that are not blind: only these show that something would be found."""
        return quality([self.do_nothing[at] for at in self.seeing])

    @property
    def accepting(self) -> int:
        """The attack whose excess has the largest lower confidence limit."""
        return max(range(len(self.names)), key=lambda at: self.excess[at].interval.low)


def estimate(
    found: PairAdvantages,
    accepted: PairAcceptances,
    same: Identical,
    undecided: Mapping[str, float],
    *,
    confidence: float,
    decisions: int,
) -> Estimates:
    """Estimate every attack's advantage on each kind of model.

    Args:
        found: Pair advantages.
        accepted: Pair acceptances, of the same attacks.
        same: Where outputs were equal bit for bit.
        undecided: By attack, how far from none and from all it accepts after unlearning, class by class.
        confidence: The simultaneous coverage.
        decisions: How many records an attack decided on.

    Raises:
        ValueError: If there is no attack, or one that this version does not have.
    """
    names = in_order(found.procedure)

    def over_pairs(pairs: Floats, *, identical: bool) -> tuple[PairedAdvantage, ...]:
        return advantages(pairs, confidence=confidence, decisions=decisions, identical=identical)

    idle = over_pairs(table(found.do_nothing, names), identical=same.do_nothing)
    own = over_pairs(table(found.procedure, names), identical=same.procedure)
    models = 2 * len(found.procedure[names[0]])
    return Estimates(
        names,
        allow_for_failures(own, [each.mean for each in idle], models=models, confidence=confidence),
        idle,
        over_pairs(table(found.retrained, names), identical=same.retrained),
        over_pairs(table(accepted.procedure, names) - table(accepted.retrained, names), identical=False),
        tuple(undecided[name] < BLIND for name in names),
    )


def by_attack(found: Estimates, areas: Mapping[str, float]) -> Iterator[OfAttack]:
    """List the attacks with their titles and sources.

    Args:
        found: The estimates.
        areas: Mean area under the ROC curve, by attack.
    """
    for at, name in enumerate(found.names):
        attack, own, excess = attacks()[name], found.procedure[at], found.excess[at]
        yield OfAttack(
            name=name,
            title=attack.title,
            source=attack.source,
            advantage=own.mean,
            interval=ends(own.interval),
            auc=areas[name],
            do_nothing=_of_advantage(found.do_nothing[at]),
            retrained=_of_advantage(found.retrained[at]),
            excess=OfAcceptance(acceptance=excess.mean, interval=ends(excess.interval)),
            blind=found.blind[at],
        )


def of_quality(found: Quality) -> OfQuality:
    """State a quality with its interval."""
    return OfQuality(quality=found.value, interval=ends(found.interval))


def ends(interval: Interval) -> tuple[float, float]:
    """Both ends, as JSON holds them."""
    return interval.low, interval.high


def _of_advantage(found: PairedAdvantage) -> OfAdvantage:
    return OfAdvantage(advantage=found.mean, interval=ends(found.interval))
