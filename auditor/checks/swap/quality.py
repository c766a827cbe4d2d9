"""`swap.quality`: whether attacks tell forgotten records from records never seen, held against retraining and doing nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, Self

import numpy as np
from pydantic import Field, model_validator

from auditor.attacks import attacks
from auditor.checks.card import Card, LetterWords
from auditor.checks.context import Context
from auditor.checks.definition import Definition
from auditor.checks.deletion.derived import Derived as Deletion
from auditor.checks.finding import Earlier, Finding, Values, inconclusive
from auditor.checks.quantities import Count, Share
from auditor.checks.swap.controls import quality_of_control
from auditor.checks.swap.estimates import Estimates, Largest, OfAttack, OfQuality, by_attack, ends, estimate, of_quality
from auditor.checks.swap.game import EXACT, QUICK, Cause, asked_by, decisions, declared_split, why_unplayable
from auditor.checks.swap.scores import Identical, PairAcceptances, PairAdvantages, require_alike, table
from auditor.decisions import decide_swap_quality, looks_trained_on
from auditor.domain import Reason, Status
from auditor.draws import generator
from auditor.settings.tables import SwapTable
from auditor.statistics import Quality, plug_in_quality, quality, sign_flip_p, smallest_advantage

POWER: Final = 0.8
"""The chance with which the smallest advantage that a run would have found is stated."""

CARD = Card(
    id="swap.quality",
    place=50,
    judges_unlearning=True,
    title="Unlearning quality in the SWAP test",
    question="Do deleted records look to attacks like records never seen?",
    unit="Q, from 0 (told apart at once) to 1 (like retraining)",
    failure="Attacks tell deleted records from records never seen better than the policy accepts.",
    remedy="Retrain without the deleted records, or fix the procedure: attacks tell them from records never seen.",
    direction="at least",
    needs=("deletion.renyi", EXACT),
    every_case=True,
    open_question="whether an attacker can tell the unlearned model from one that was retrained",
    letter=LetterWords(
        question="Do erased records look to an attacker like records that the model never saw?",
        open_question="whether an attacker can tell erased records from records that the model never saw",
    ),
)


class Observed(Values):
    """What the attacks found on the models of a game, and the scores shown alongside."""

    unplayable: Cause | None = None
    """Why there was no game; nothing else was observed then."""
    pair_advantages: PairAdvantages = PairAdvantages()
    pair_acceptances: PairAcceptances = PairAcceptances()
    identical: Identical = Identical()
    areas: Mapping[str, Share] = Field(default_factory=dict)
    """By attack: mean area under the ROC curve, forgotten against unseen records."""
    ic_score: float | None = None
    """Of the interclass confusion test; None where no two classes have enough records."""
    ic_score_retrained: float | None = None
    reference_models: Count = 0
    weighted: bool = False
    """Whether records weigh by their declared sensitivity."""

    @property
    def pairs(self) -> int:
        """K."""
        return max(map(len, self.pair_advantages.procedure.values()), default=0)

    @model_validator(mode="after")
    def _alike(self) -> Self:
        found, accepted = self.pair_advantages, self.pair_acceptances
        require_alike(found.procedure, found.do_nothing, found.retrained, found.control, accepted.procedure, accepted.retrained)
        if self.areas.keys() != found.procedure.keys():
            raise ValueError("every attack needs an area")
        return self


class OfControl(Values):
    """A quality that knows no chance."""

    quality: float


class Derived(Values):
    """Sizes, advantages with simultaneous intervals, and what other papers print."""

    pairs: int
    models: int
    """On each side of a pair."""
    alpha: float
    target_records: int
    retained: int
    forgotten: int
    confidence: float
    correction: Reason
    attack: str
    """The attack that found most."""
    attacks: tuple[OfAttack, ...]
    do_nothing: OfQuality
    retrained: OfControl
    """With the same seeds on both sides."""
    retrained_fresh: OfQuality
    excess: Largest
    plug_in_quality: float
    mia_score: float
    """One minus the largest area under the ROC curve."""
    ic_why: Reason | None
    """Why there is no IC score."""
    sign_flip_p: float
    over_unlearned: bool
    """Whether forgotten records look less trained on than records never seen."""
    smallest_advantage: float | None
    """What this run would have found with the chance `power`; None where not even an advantage of 1."""
    power: float


def judge(context: Context, observed: Observed, earlier: Earlier) -> Finding:
    """Hold the interval of Q = 1 − max over attacks of |advantage| against the policy, with both controls alongside."""
    if observed.unplayable is not None:
        return inconclusive(
            Reason("swap.not-shown", {"why": why_unplayable(observed.unplayable, context)}), *_other_question(earlier)
        )
    threshold = context.policy.min_quality
    found = estimate(
        observed.pair_advantages,
        observed.pair_acceptances,
        observed.identical,
        confidence=context.swap.confidence,
        decisions=_decisions(context, observed),
    )
    own, idle = quality(found.procedure), quality(found.do_nothing)
    status = decide_swap_quality(own.interval, threshold, idle.interval, [each.interval for each in found.excess])
    return Finding(
        status=Status.INCONCLUSIVE if context.quick else status,
        value=own.value,
        interval=own.interval,
        threshold=threshold,
        reasons=(
            *_played(context, observed, found, idle),
            *_undecided(context, own, idle, status),
            *_trained_on(context, found),
            *_other_question(earlier),
        ),
        derived=_derived(context, observed, found, idle),
    )


def _decisions(context: Context, observed: Observed) -> int:
    return decisions(observed.pairs, declared_split(context).forgotten)


def _played(context: Context, observed: Observed, found: Estimates, idle: Quality) -> Iterator[Reason]:
    """What was played, and in what the audited party's own file asks for less than the default would."""
    confidence = context.swap.confidence
    given = {"pairs": observed.pairs, "attack": found.names[found.worst], "confidence": confidence}
    yield Reason("swap.quality.played", {**given, "do_nothing": ends(idle.interval)})
    left_out = [name for name in attacks() if name not in found.names]
    lower = confidence < SwapTable().confidence
    if left_out or lower:
        yield Reason("swap.quality.weaker", {"without": left_out, "confidence": confidence if lower else None})


def _undecided(context: Context, own: Quality, idle: Quality, status: Status) -> Iterator[Reason]:
    threshold = context.policy.min_quality
    if context.quick:
        yield QUICK
    elif status is Status.INCONCLUSIVE and own.interval.low < threshold:
        yield Reason("swap.quality.both-sides")
    elif status is Status.INCONCLUSIVE and idle.interval.high >= threshold:
        yield Reason("swap.quality.blind")


def _trained_on(context: Context, found: Estimates) -> Iterator[Reason]:
    """Where F and T both look trained on, their likeness says nothing."""
    excess = found.excess[found.accepting]
    if looks_trained_on(excess.interval, context.policy.min_quality):
        given = {"attack": found.names[found.accepting], "acceptance": excess.mean, "interval": ends(excess.interval)}
        yield Reason("swap.quality.trained-on", given)


def _other_question(earlier: Earlier) -> Iterator[Reason]:
    """Where no release depends on the deleted records, likeness to retraining is not the question."""
    deleted = earlier["deletion.renyi"].derived
    if isinstance(deleted, Deletion) and deleted.theorem == "twins":
        yield Reason("swap.quality.independent")


def _derived(context: Context, observed: Observed, found: Estimates, idle: Quality) -> Derived:
    settings, split, excess = context.swap, declared_split(context), found.excess[found.accepting]
    own = table(observed.pair_advantages.procedure, found.names)
    return Derived(
        pairs=observed.pairs,
        models=settings.models,
        alpha=settings.alpha,
        target_records=split.target,
        retained=split.retained,
        forgotten=split.forgotten,
        confidence=settings.confidence,
        correction=Reason("swap.quality.correction", {"attacks": len(found.names)}),
        attack=found.names[found.worst],
        attacks=tuple(by_attack(found, observed.areas)),
        do_nothing=of_quality(idle),
        retrained=OfControl(quality=quality_of_control(observed.pair_advantages.control)),
        retrained_fresh=of_quality(quality(found.retrained)),
        excess=Largest(attack=found.names[found.accepting], acceptance=excess.mean, interval=ends(excess.interval)),
        plug_in_quality=plug_in_quality(own),
        mia_score=1.0 - max(observed.areas.values()),
        ic_why=Reason("swap.quality.no-confusion") if observed.ic_score is None else None,
        sign_flip_p=_sign_flips(own.tobytes(), own.shape[1], context.audit.seed),
        over_unlearned=found.procedure[found.worst].interval.high < 0,
        smallest_advantage=smallest_advantage(
            own, confidence=settings.confidence, decisions=_decisions(context, observed), power=POWER
        ),
        power=POWER,
    )


@lru_cache(maxsize=8)
def _sign_flips(advantages: bytes, pairs: int, seed: str) -> float:
    """The p-value of the signs, once for a document that is judged several times over.

    Args:
        advantages: Signed pair advantages, shape (attacks, pairs), as float64 in C order.
        pairs: K.
        seed: The auditor's own.
    """
    by_attacks = np.frombuffer(advantages).reshape(-1, pairs)
    return sign_flip_p(by_attacks, rng=generator(int(seed), "swap", "sign-flip"))


CHECK = Definition(CARD, Observed, judge, asked_by(CARD.id), wanted=lambda _context: True)
