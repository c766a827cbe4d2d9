"""`swap.quality`: whether attacks tell the forget set from the test set, held against retraining and no unlearning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Final, Self

import numpy as np
from pydantic import Field, model_validator

from auditor.attacks import attacks, foreign
from auditor.base.domain import Message, Status
from auditor.base.draws import generator
from auditor.document.evidence import Evidence
from auditor.maths.statistics import (
    POWER,
    Quality,
    bet_against,
    missed_share,
    plug_in_quality,
    quality,
    sign_flip_p,
    smallest_advantage,
)
from auditor.parts.swap.cards import SWAP_QUALITY
from auditor.parts.swap.judging import one_run
from auditor.parts.swap.judging.controls import Observed as OfControls
from auditor.parts.swap.judging.controls import quality_of_control
from auditor.parts.swap.judging.estimates import (
    Estimates,
    Identical,
    Largest,
    OfAttack,
    OfQuality,
    PairAcceptances,
    PairAdvantages,
    by_attack,
    ends,
    estimate,
    of_quality,
    require_alike,
    table,
)
from auditor.parts.swap.judging.game import (
    BLIND,
    LEAST_PAIRS,
    QUICK,
    Cause,
    asked_by,
    canaries,
    decisions,
    declared_split,
    unproven,
    why_unplayable,
)
from auditor.parts.swap.judging.one_run import FAILS, OneRun
from auditor.parts.swap.judging.strong import Observed as OfStrong
from auditor.settings.tables import SwapTable
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, Values, inconclusive
from auditor.verdict.checks.levels import Level, pass_needs, share, spent
from auditor.verdict.checks.stated import Count, Positive, Share
from auditor.verdict.decisions import decide_swap_quality, looks_trained_on

CARD: Final = SWAP_QUALITY


OPEN: Final = "trained-on"
"""The share of the level at which signs say that F and T look trained on, which keeps from passing."""
LEAST_TO_PASS: Final = 8
"""Pairs with fewer of which no signs could say so."""
_INDEPENDENT: Final = "release-independent"
"""The fact of runs with other records in the place of the deleted ones: with an ε of 0, nothing is left of these."""


class Observed(Values):
    """What the attacks found on the models of a game, and the scores shown alongside."""

    unplayable: Cause | None = None
    """Why there was no game; nothing else was observed then."""
    one_run: OneRun | None = Field(default=None, exclude_if=lambda seen: seen is None)
    """What a single run showed, where one was asked for in the place of pairs; nothing else was observed then."""
    pair_advantages: PairAdvantages = PairAdvantages()
    pair_acceptances: PairAcceptances = PairAcceptances()
    identical: Identical = Identical()
    undecided: Mapping[str, Annotated[float, Field(ge=0, le=0.5)]] = Field(default_factory=dict)
    """By attack: of the records of a class, among F, T and population after unlearning, the share accepted or the share refused,
    whichever is smaller; mean over classes by their size, and over pairs."""
    forgotten: tuple[Positive, ...] = ()
    """|F| of each pair."""
    batches: Count = 0
    """In how many batches F is unlearned."""
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
        before = [found.learned] if found.learned else []
        kinds = (found.procedure, found.do_nothing, found.retrained, found.control, *before)
        require_alike(*kinds, accepted.procedure, accepted.retrained)
        if self.areas.keys() != found.procedure.keys() or self.undecided.keys() != found.procedure.keys():
            raise ValueError("every attack needs an area, and a share of records that it tells from others")
        if len(self.forgotten) != self.pairs:
            raise ValueError("every pair forgets some records")
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
    """|F| where it is largest."""
    least_forgotten: int
    """|F| where it is smallest."""
    confidence: float
    correction: Message
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
    ic_why: Message | None
    """Why there is no IC score."""
    sign_flip_p: float
    missed_share: float
    """The largest share of models not unlearned at all of which this many models may show none."""
    over_unlearned: bool
    """Whether the forget set looks less trained on than the test set."""
    smallest_advantage: float | None
    """What this run would have found with the chance `power`; None where not even an advantage of 1."""
    power: float


def judge(context: Context, observed: Observed, earlier: Earlier) -> Finding:
    """Hold the interval of Q = 1 − max over attacks of |advantage| against the policy, with both controls alongside."""
    if observed.unplayable is not None:
        return inconclusive(
            Message("swap.not-shown", {"why": why_unplayable(observed.unplayable, context)}), *_other_question(earlier)
        )
    if observed.one_run is not None:
        return one_run.judge(context, observed.one_run)
    threshold = context.policy.min_quality
    found = estimate(
        observed.pair_advantages,
        observed.pair_acceptances,
        observed.identical,
        observed.undecided,
        confidence=context.swap.confidence,
        decisions=decisions(observed.forgotten),
    )
    own, idle = quality(found.procedure), found.baseline
    trained_on = _trained_on(context, observed, found)
    excess = [each.interval for each in found.excess] if trained_on else []
    status = decide_swap_quality(own.interval, threshold, idle.interval, excess)
    held = tuple(_held_back(context, observed, found, status, unproven=unproven(context, earlier)))
    return Finding(
        status=Status.INCONCLUSIVE if context.quick or held else status,
        value=own.value,
        interval=own.interval,
        threshold=threshold,
        reasons=(
            *_played(context, observed, found, idle),
            *held,
            *_undecided(context, own, idle, status),
            *trained_on,
            *_other_question(earlier),
        ),
        derived=_derived(context, observed, found, idle),
    )


def _held_back(context: Context, observed: Observed, found: Estimates, status: Status, *, unproven: bool) -> Iterator[Message]:
    """Why intervals alone decide nothing: no attack sees anything, the signs of few pairs do not agree, or there are too few."""
    if found.all_blind:
        yield Message("swap.quality.all-blind", {"share": BLIND})
    own = table(observed.pair_advantages.procedure, found.names)
    if status is Status.FAIL:
        # Student's interval is approximate for pairs that are not normal: what accuses holds whatever they are.
        bets = bet_against(own, most=1 - context.policy.min_quality)
        if not bets.rejects(share(FAILS)):
            given = {"pairs": observed.pairs, "needed": bets.pairs_needed(share(FAILS))}
            yield Message("swap.quality.not-certain", given)
    if status is Status.PASS and observed.pairs < LEAST_TO_PASS:
        yield Message("swap.quality.too-few-pairs", {"pairs": observed.pairs, "least": LEAST_TO_PASS})
    if status is Status.PASS and unproven and observed.pairs < LEAST_PAIRS:
        yield Message("swap.quality.few-pairs", {"pairs": observed.pairs, "least": LEAST_PAIRS})


def _played(context: Context, observed: Observed, found: Estimates, idle: Quality) -> Iterator[Message]:
    """What was played, and in what the audited party's own file asks for less than the default would."""
    confidence = context.swap.confidence
    given = {"pairs": observed.pairs, "attack": found.names[found.worst], "confidence": confidence}
    yield Message("swap.quality.played", {**given, "do_nothing": ends(idle.interval)})
    missed = missed_share(2 * observed.pairs, confidence=confidence)
    yield Message("swap.quality.missed", {"models": 2 * observed.pairs, "share": missed})
    blind = [name for name, each in zip(found.names, found.blind, strict=True) if each]
    if blind and not found.all_blind:
        yield Message("swap.quality.blind-attacks", {"attacks": blind, "share": BLIND})
    left_out = [name for name in attacks(context.version) if name not in found.names and name not in foreign()]
    lower = confidence < SwapTable().confidence
    if left_out or lower:
        yield Message("swap.quality.weaker", {"without": left_out, "confidence": confidence if lower else None})


def _undecided(context: Context, own: Quality, idle: Quality, status: Status) -> Iterator[Message]:
    threshold = context.policy.min_quality
    if context.quick:
        yield QUICK
    elif status is Status.INCONCLUSIVE and own.interval.low < threshold:
        yield Message("swap.quality.both-sides")
    elif status is Status.INCONCLUSIVE and idle.interval.high >= threshold:
        yield Message("swap.quality.blind")


def _trained_on(context: Context, observed: Observed, found: Estimates) -> tuple[Message, ...]:
    """Where F and T both look trained on, their likeness says nothing.

    Models that were unlearned and models that were retrained have one law where unlearning is perfect, so that the signs of their
    differences are fair coins: that they refute this is exact, as Student's interval is not.
    """
    looking = [at for at, each in enumerate(found.excess) if looks_trained_on(each.interval, context.policy.min_quality)]
    if not looking:
        return ()
    # One attack is enough, whatever is seen by another one that is surer of less.
    surest = max(looking, key=lambda at: found.excess[at].interval.low)
    excess = found.excess[surest]
    accepted = observed.pair_acceptances
    differences = (table(accepted.procedure, found.names) - table(accepted.retrained, found.names)) / 2
    if _sign_flips(differences.tobytes(), observed.pairs, context.audit.seed, "excess") > share(OPEN):
        return ()
    given = {"attack": found.names[surest], "acceptance": excess.mean, "interval": ends(excess.interval)}
    return (Message("swap.quality.trained-on", given),)


def _other_question(earlier: Earlier) -> Iterator[Message]:
    """Where no release depends on the deleted records, likeness to retraining is not the question."""
    deleted = earlier["deletion.renyi"]
    if deleted.value == 0.0 and any(each.name == _INDEPENDENT for each in deleted.facts):
        yield Message("swap.quality.independent")


def _derived(context: Context, observed: Observed, found: Estimates, idle: Quality) -> Derived:
    settings, split, excess = context.swap, declared_split(context), found.excess[found.accepting]
    own = table(observed.pair_advantages.procedure, found.names)
    return Derived(
        pairs=observed.pairs,
        models=settings.models,
        alpha=settings.alpha,
        target_records=split.target,
        retained=split.target - 2 * max(observed.forgotten),
        forgotten=max(observed.forgotten),
        least_forgotten=min(observed.forgotten),
        confidence=settings.confidence,
        correction=Message("swap.quality.correction", {"attacks": len(found.names)}),
        attack=found.names[found.worst],
        attacks=tuple(by_attack(found, observed.areas)),
        do_nothing=of_quality(idle),
        retrained=OfControl(quality=quality_of_control(observed.pair_advantages.control)),
        retrained_fresh=of_quality(quality(found.retrained)),
        excess=Largest(attack=found.names[found.accepting], acceptance=excess.mean, interval=ends(excess.interval)),
        plug_in_quality=plug_in_quality(own),
        mia_score=1.0 - max(observed.areas.values()),
        ic_why=Message("swap.quality.no-confusion") if observed.ic_score is None else None,
        sign_flip_p=_sign_flips(own.tobytes(), own.shape[1], context.audit.seed, "sign-flip"),
        missed_share=missed_share(2 * observed.pairs, confidence=settings.confidence),
        over_unlearned=found.procedure[found.worst].interval.high < 0,
        smallest_advantage=smallest_advantage(
            own, confidence=settings.confidence, decisions=decisions(observed.forgotten), power=POWER
        ),
        power=POWER,
    )


@lru_cache(maxsize=8)
def _sign_flips(advantages: bytes, pairs: int, seed: str, name: str) -> float:
    """The p-value of the signs, once for a document that is judged several times over.

    Args:
        advantages: Signed pair advantages, shape (attacks, pairs), as float64 in C order.
        pairs: K.
        seed: The auditor's own.
        name: Of what is tested, which draws signs of its own.
    """
    by_attacks = np.frombuffer(advantages).reshape(-1, pairs)
    return sign_flip_p(by_attacks, rng=generator(int(seed), "swap", name))


def levels(context: Context, observed: Observed, _finding: Finding) -> tuple[Level, ...]:
    """Declare the exact tests of bounded means, of signs and of one model's guesses, and the risk of a pass."""
    if context.quick or observed.unplayable is not None:
        return ()
    if observed.one_run is not None:
        return (spent(FAILS),) if 2.0 ** (1 - observed.one_run.guesses) <= share(FAILS) else ()
    most = 1 - context.policy.min_quality
    all_ones = np.ones((len(observed.pair_advantages.procedure), observed.pairs))
    may_fail = most < 1 and bet_against(all_ones, most=most).rejects(share(FAILS))
    found = [spent(test) for test, able in ((FAILS, may_fail), (OPEN, observed.pairs >= LEAST_TO_PASS)) if able]
    return (*found, pass_needs("quality-limit", (1 - context.swap.confidence) / 2))


def contradictions(evidence: Evidence, seen: Observed, others: Mapping[str, Values]) -> Iterator[str]:
    """Compare what was observed with the case, the log and itself."""
    if (evidence.sizes.swap.mode == "one-run") != (seen.one_run is not None) and seen.unplayable is None:
        yield f"mode is {evidence.sizes.swap.mode}, and something else was played"
    if seen.unplayable is not None:
        return
    if seen.one_run is not None:
        declared = canaries(evidence.case.training_records, evidence.sizes.swap.alpha)
        if seen.one_run.canaries != declared:
            yield f"canaries are {seen.one_run.canaries}, alpha gives {declared}"
        return
    if not evidence.audit.quick and seen.pairs != evidence.sizes.swap.pairs:
        yield f"pairs are {seen.pairs}, {evidence.sizes.swap.pairs} were declared"
    controls, strong = others.get("swap.controls"), others.get("swap.strong")
    if isinstance(controls, OfControls) and dict(controls.pair_advantages) != dict(seen.pair_advantages.control):
        yield "the controls of swap.controls are others"
    models = 2 * seen.pairs * evidence.sizes.swap.models
    if isinstance(strong, OfStrong) and strong.models != models:
        yield f"swap.strong counts {strong.models} models, the pairs make {models}"


CHECK = Definition(
    CARD,
    Observed,
    judge,
    asked_by(CARD.id),
    wanted=lambda _context: True,
    contradictions=contradictions,
    derived=(Derived, one_run.Derived),
    levels=levels,
)
