"""The SWAP test in words: what was found, how small an effect would have been found, and what the test does not say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from auditor.base.domain import Interval
from auditor.pages import estimates, wording, words
from auditor.pages.estimates import NOTHING, Estimate, estimate
from auditor.pages.words import guesses
from auditor.pages.words.rendered_evidence import ToldCheck
from auditor.pages.words.texts import say, text
from auditor.parts.swap.judging import one_run, quality, strong
from auditor.parts.swap.judging.estimates import OfAdvantage, OfAttack, OfQuality

SHOWN_ELSEWHERE: Final = (
    *("attack", "attacks", "do_nothing", "retrained", "retrained_fresh", "plug_in_quality", "mia_score"),
    *("ic_score", "ic_score_retrained", "ic_why", "sign_flip_p", "over_unlearned", "smallest_advantage", "power"),
    "pair_advantages",
    "pair_acceptances",
    "excess",
)
"""Fields of `swap.quality` that have a place of their own in print."""
OF_ONE_RUN: Final = (
    *("canaries", "guesses", "share", "share_interval", "do_nothing", "retrained_fresh", "noticed", "over_unlearned"),
    *("one_run", "reference_models", "batches", "weighted"),
)
"""The same of a single run, which has nothing that only pairs have."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure that is printed next to Q."""

    name: str
    found: Estimate
    meaning: str


@dataclass(frozen=True, slots=True)
class Qualities:
    """Q = 1 − max over attacks of |mean advantage| of the procedure and of what it is compared with."""

    procedure: Estimate
    do_nothing: Estimate = NOTHING
    retrained_fresh: Estimate = NOTHING
    """Retraining with seeds of its own on either side of a pair."""
    retrained: Estimate = NOTHING
    """Retraining with the same seeds on both sides: 1 unless something is wrong."""


def of_one_run(check: ToldCheck) -> one_run.Derived | None:
    """What a single run showed; None where pairs were played."""
    return check.derived_as(one_run.Derived)


def qualities(check: ToldCheck) -> Qualities:
    """Q over all attacks, of the procedure and its controls."""
    own = estimates.of_check(check)
    match check.derived:
        case quality.Derived() as pairs:
            control = Estimate(pairs.retrained.quality, None)
            return Qualities(own, _quality(pairs.do_nothing), _quality(pairs.retrained_fresh), control)
        case one_run.Derived() as run:
            return Qualities(own, _quality(run.do_nothing), _quality(run.retrained_fresh))
        case _:
            return Qualities(own)


def attacks(check: ToldCheck) -> tuple[OfAttack, ...]:
    """The attacks, the one with the lowest Q first; none of a single run."""
    pairs = check.derived_as(quality.Derived)
    return () if pairs is None else tuple(sorted(pairs.attacks, key=lambda each: -abs(each.advantage)))


def deciding(check: ToldCheck) -> str:
    """The name of the attack that found most; empty of a single run."""
    pairs = check.derived_as(quality.Derived)
    return "" if pairs is None else pairs.attack


def title(attack: OfAttack) -> str:
    """What an attack is called, and that it tells nothing where it does not."""
    return say("swap-blind-title", title=attack.title) if attack.blind else attack.title


def told_apart(attack: OfAttack) -> bool:
    """Whether the interval of the procedure's advantage leaves 0 out."""
    return not attack.interval[0] <= 0 <= attack.interval[1]


def quality_of(attacked: OfAdvantage) -> Estimate:
    """Q of one attack: 1 − |advantage|; of [l, u], from 1 − max(|l|, |u|) to 1 − max(0, l, −u), never below 0."""
    low, high = attacked.interval
    ends = (max(0.0, 1 - max(abs(low), abs(high))), max(0.0, 1 - max(0.0, low, -high)))
    return Estimate(max(0.0, 1 - abs(attacked.advantage)), ends)


def measures(check: ToldCheck) -> tuple[Measure, ...]:
    """Q, both controls, and the measures that other papers print, as far as there are any."""
    found, pairs, seen = qualities(check), check.derived_as(quality.Derived), check.observed_as(quality.Observed)
    baseline = "swap-measure-baseline-means" if of_one_run(check) is None else "swap-measure-before-means"
    rows = [
        Measure(say("swap-measure-q"), found.procedure, say("swap-measure-q-means")),
        Measure(say("swap-measure-baseline"), found.do_nothing, say(baseline)),
        Measure(say("swap-measure-fresh"), found.retrained_fresh, say("swap-measure-fresh-means")),
        Measure(say("swap-measure-same"), found.retrained, say("swap-measure-same-means")),
    ]
    if pairs is not None:
        excess = estimate(pairs.excess.acceptance, pairs.excess.interval)
        rows += [
            Measure(say("swap-measure-excess"), excess, say("swap-measure-excess-means")),
            Measure(say("swap-measure-plug-in"), Estimate(pairs.plug_in_quality, None), say("swap-measure-plug-in-means")),
            Measure(say("swap-measure-signs"), Estimate(pairs.sign_flip_p, None), say("swap-measure-signs-means")),
            Measure(say("swap-measure-mia"), Estimate(pairs.mia_score, None), say("swap-measure-mia-means")),
        ]
    if seen is not None:
        retrained = Estimate(seen.ic_score_retrained, None)
        rows += [
            Measure(say("swap-measure-ic"), Estimate(seen.ic_score, None), say("swap-measure-ic-means")),
            Measure(say("swap-measure-ic-retrained"), retrained, say("swap-measure-ic-retrained-means")),
        ]
    held = [row for row in rows if row.found.value is not None]
    if pairs is not None and pairs.ic_why is not None and (seen is None or seen.ic_score is None):
        held.append(Measure(say("swap-measure-ic"), NOTHING, say("swap-measure-ic-none", why=words.sentence(pairs.ic_why))))
    return tuple(held)


def named_sides(check: ToldCheck) -> tuple[tuple[str, Estimate], ...]:
    """Of `swap.strong`: the share named right, of the procedure and of both controls; empty where nothing was named."""
    if check.value is None:
        return ()
    found, sides = check.derived_as(strong.Derived), [(say("swap-side-procedure"), estimates.of_check(check))]
    if found is not None:
        sides.append((say("swap-side-baseline"), estimate(found.do_nothing.share, found.do_nothing.interval)))
        sides.append((say("swap-side-retrained"), estimate(found.retrained.share, found.retrained.interval)))
    return tuple(sides)


def finding(check: ToldCheck) -> str | None:
    """One plain sentence on what `swap.quality` found; None where it came to no value.

    The advantage 1 − Q is TPR − FPR, told as right guesses out of 100: to the nearest tenth, between limits rounded outward, as
    page 1 has them where this attack found most.
    """
    if check.id != "swap.quality" or check.value is None:
        return None
    found, limits = qualities(check), ""
    if (ends := found.procedure.ends) is not None:
        low, high = guesses.between(Interval(*(guesses.of_advantage(1 - end) for end in (ends[1], ends[0]))))
        derived = check.derived
        confidence = wording.percent(derived.confidence) if isinstance(derived, quality.Derived | one_run.Derived) else None
        limits = say("swap-found-limits", low=low, high=high, confidence=confidence)
    idle = found.do_nothing.value
    beside = "" if idle is None else say("swap-found-baseline", about=_about(1 - idle))
    return say("swap-found", about=_about(1 - check.value), limits=limits, beside=beside)


def blind(check: ToldCheck) -> str | None:
    """The warning that the test cannot tell good from bad here; None where the no-unlearning baseline lies below the threshold.

    The baseline's whole interval has to lie below `min_quality` before a high Q says anything.
    """
    idle = qualities(check).do_nothing
    if check.threshold is None or idle.ends is None or idle.ends[1] < check.threshold:
        return None
    return say(
        "swap-blind", quality=wording.number(idle.value), interval=_bracket(idle.ends), threshold=wording.number(check.threshold)
    )


def power(check: ToldCheck) -> str:
    """How small an advantage this run would have found."""
    pairs = check.derived_as(quality.Derived)
    if pairs is None or not pairs.smallest_advantage:
        return say("swap-power-none")
    often = say("swap-power-chance", chance=wording.percent(pairs.power))
    found = say("swap-power", about=_about(pairs.smallest_advantage), often=often)
    return say("swap-power-pairs", pairs=wording.plural(pairs.pairs, "pair")) + found


def over_unlearned(check: ToldCheck) -> str | None:
    """What over-unlearning means, where the sign of the advantage shows it; else None."""
    found = isinstance(check.derived, quality.Derived | one_run.Derived) and check.derived.over_unlearned
    return text("swap-over-unlearned") if found else None


def silences(check: ToldCheck) -> tuple[str, ...]:
    """What the SWAP test does not say, in sentences."""
    seen = check.observed_as(quality.Observed)
    drawn = say("swap-silent-weighted" if seen is not None and seen.weighted else "swap-silent-unweighted")
    people = say("swap-silent-people")
    filtering = say("swap-silent-filters")
    return (
        say("swap-silent-learner"),
        say("swap-silent-drawn", drawn=drawn, people=people),
        say("swap-silent-attacks"),
        say("swap-silent-answers", filtering=filtering),
        say("swap-silent-one-model"),
    )


def _quality(found: OfQuality) -> Estimate:
    return estimate(found.quality, found.interval)


def _about(advantage: float) -> str:
    return guesses.about(guesses.of_advantage(advantage))


def _bracket(ends: tuple[float, float] | None) -> str:
    return "" if ends is None else f" ({wording.interval(ends)})"
