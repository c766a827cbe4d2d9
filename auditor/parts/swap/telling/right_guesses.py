"""What attacks of the SWAP game and against a stated ε come to: right guesses out of 100, and sentences in brief."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import NormalDist
from typing import Final

from auditor.base.domain import Interval
from auditor.maths.statistics import clopper_pearson
from auditor.maths.statistics.power import POWER, guessing_noticed
from auditor.pages.estimates import Estimate
from auditor.pages.right_guesses import Attack, Found, Group, Side, Telling, of_advantage, of_share, share_of
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.parts.swap.judging import epsilon_consistency, quality, strong
from auditor.parts.swap.judging.epsilon_consistency.observed import Observed as Attacked
from auditor.parts.swap.judging.estimates import OfAttack
from auditor.parts.swap.telling import epsilon_words, swap_words


def _sides(check: ToldCheck) -> Mapping[Side, Found | None]:
    found = swap_words.qualities(check)
    return {
        Side.THIS: _of_quality(found.procedure),
        Side.UNCHANGED: _of_quality(found.do_nothing),
        Side.RETRAINED: _of_quality(found.retrained_fresh),
    }


def _of_quality(estimate: Estimate) -> Found | None:
    """Q = 1 − |advantage|."""
    if estimate.value is None:
        return None
    ends = estimate.ends
    limits = None if ends is None else Interval(share_of(1 - ends[1]), share_of(1 - ends[0]))
    return Found(share_of(1 - estimate.value), limits)


def _on_records(check: ToldCheck) -> Iterator[Attack]:
    """The joint guess of a single run, and every attack on pairs."""
    if check.value is None:
        return
    run, pairs = swap_words.of_one_run(check), check.derived_as(quality.Derived)
    if run is not None:
        before = share_of(1 - run.do_nothing.quality)
        found = of_share(run.share, run.share_interval)
        yield Attack("joint-guess", Group.TRIAL, found, unchanged=before, noticed=run.noticed)
    if pairs is None:
        return
    threshold = None if check.threshold is None else share_of(1 - check.threshold)
    for each in swap_words.attacks(check):
        yield Attack(
            each.name,
            Group.TRIAL,
            of_advantage(each.advantage, each.interval),
            unchanged=share_of(abs(each.do_nothing.advantage)),
            threshold=threshold,
            noticed=_noticed(each, pairs),
        )


def _noticed(attack: OfAttack, pairs: quality.Derived) -> float | None:
    """From the width of an attack's interval: the advantage whose interval would leave 0 out with 80 % probability."""
    normal, half = NormalDist(), (attack.interval[1] - attack.interval[0]) / 2
    surely = normal.inv_cdf(1 - (1 - pairs.confidence) / (2 * len(pairs.attacks)))
    needed = half * (1 + normal.inv_cdf(POWER) / surely)
    return share_of(needed) if needed < 1 else None


def _on_sets(check: ToldCheck) -> Iterator[Attack]:
    if check.value is None:
        return
    found = check.derived_as(strong.Derived)
    yield Attack(
        "whole-set",
        Group.TRIAL,
        of_share(check.value, check.interval),
        unchanged=None if found is None else share_of(abs(2 * found.do_nothing.share - 1)),
        noticed=None if found is None else found.noticed,
    )


def _on_epsilon(check: ToldCheck) -> Iterator[Attack]:
    """The joint guess at many records of one model, where it was surest, and the games of an adaptive requester."""
    seen, derived = check.observed_as(Attacked), check.derived_as(epsilon_consistency.Derived)
    confidence = None if derived is None else derived.suspected_confidence
    if seen is not None and seen.swap is not None and confidence is not None:
        number, right = seen.swap.procedure.guesses, seen.swap.procedure.right
        if number and right <= number:
            limits = clopper_pearson(right, number, confidence=confidence)
            found = of_share(right / number, (limits.low, limits.high))
            yield Attack("joint-guess", Group.TRIAL, found, noticed=guessing_noticed(number, confidence=confidence))
    game = None if derived is None else derived.game
    if game is not None:
        trials, named = game.trials + game.other_trials, game.named_right
        yield Attack(
            "requester",
            Group.COMPARING,
            Found(max(named, 1 - named), Interval(share_of(max(0.0, game.advantage_lower)), 1.0)),
            noticed=guessing_noticed(trials, confidence=game.suspected_confidence or game.confidence) if trials else None,
            adaptive=True,
        )


def _quality_in_brief(_told: Told, check: ToldCheck) -> Iterator[str]:
    """What the SWAP test found, and what narrows it."""
    found = (swap_words.finding(check), swap_words.over_unlearned(check), swap_words.blind(check))
    yield from (sentence for sentence in found if sentence)


def _refuted_in_brief(_told: Told, check: ToldCheck) -> tuple[str, ...]:
    """What attacks contradict of what is claimed or certified."""
    return epsilon_words.refutations(epsilon_words.comparisons(check))


TELLING: Final = {
    quality.CARD.id: Telling(attacks=_on_records, sides=_sides, in_brief=_quality_in_brief),
    strong.CARD.id: Telling(attacks=_on_sets),
    epsilon_consistency.CARD.id: Telling(attacks=_on_epsilon, in_brief=_refuted_in_brief),
}
