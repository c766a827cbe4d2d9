"""What to do about the SWAP test and refuted claims: what would decide, and how long that would take."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from auditor.pages import wording
from auditor.pages.estimates import Estimate
from auditor.pages.remedies import parameters
from auditor.pages.remedies.advice import Advice, Owner, Remedies, Subject, Tell, executed, retrain
from auditor.pages.remedies.lasting import TRAININGS_A_PAIR, time_of
from auditor.pages.words import numbers
from auditor.pages.words.texts import text
from auditor.parts.swap.judging import quality as swap_quality
from auditor.parts.swap.judging.game import LEAST_FORGOTTEN, LEAST_PAIRS
from auditor.parts.swap.telling import epsilon_words
from auditor.parts.swap.telling.swap_words import deciding, qualities
from auditor.verdict.checks.card import Role

MOST_PAIRS: Final = 2000
"""More pairs than that are no advice."""
MARGIN: Final = 1.2
"""What the estimate of pairs is multiplied by: the interval of a new draw is a little wider or narrower."""


def quality(about: Subject) -> Iterator[Advice]:
    """Retrain where attacks see a difference; where it is open, the pairs that would decide, or why no number would."""
    requests = executed(about.told)
    if about.fails:
        own = qualities(about.check).procedure
        found = text(
            "remedy-swap-found",
            value=wording.number(own.value),
            threshold=wording.number(about.check.threshold),
            attack=wording.shown(deciding(about.check)),
        )
        yield retrain(about, found)
        return
    found, action = _undecided(about)
    yield Advice(found, action, Owner.MODEL, requests=requests, tell=Tell.OPEN, settled_by=Role.ATTACKS_RELEASE)


def pairs_that_decide(value: Estimate, threshold: float, pairs: int) -> int | None:
    """Estimate the swap pairs with which the interval of a Q would no longer hold the threshold.

    The interval shrinks with the square root of the pairs; Q is taken to stay where it is.

    Args:
        value: Q and its interval.
        threshold: What Q is held against.
        pairs: That the interval comes from.

    Returns:
        The pairs, at least those there were; None where Q lies on the threshold, or has no interval.
    """
    if value.value is None or value.ends is None or value.value == threshold:
        return None
    margin = abs(value.value - threshold)
    half = value.value - value.ends[0] if value.value > threshold else value.ends[1] - value.value
    return max(pairs, math.ceil(MARGIN * pairs * (half / margin) ** 2))


def _undecided(about: Subject) -> tuple[str, str]:
    codes, sizes = about.given, about.told.sizes.swap
    if "swap.quick" in codes:
        return text("remedy-quick-found"), text("remedy-quick")
    if (instead := _not_played(about)) is not None:
        return instead
    threshold, found = about.check.threshold, qualities(about.check)
    derived = about.check.derived_as(swap_quality.Derived)
    pairs = sizes.pairs if derived is None or not derived.pairs else derived.pairs
    if threshold is None or found.procedure.value is None:
        return wording.shown(about.check.basis), text("remedy-as-the-reason-says", check=about.check.id)
    given = {"value": wording.number(found.procedure.value), "threshold": wording.number(threshold)}
    idle = found.do_nothing
    if "swap.quality.all-blind" in codes or (idle.value is not None and idle.value >= threshold):
        return (
            text("remedy-swap-blind-found", idle=wording.number(idle.value), **given),
            text("remedy-swap-blind"),
        )
    estimates = (pairs_that_decide(each, threshold, pairs) for each in (found.procedure, idle))
    wanted = [each for each in estimates if each is not None]
    most = max([*wanted, LEAST_PAIRS if "swap.quality.few-pairs" in codes else 0, pairs + 1])
    if not wanted or most > MOST_PAIRS:
        return text("remedy-swap-close-found", **given), text("remedy-swap-blind")
    said = text(
        "remedy-more-pairs",
        pairs=wording.number(most),
        had=wording.number(pairs),
        time=time_of(about, TRAININGS_A_PAIR * most * sizes.models),
    )
    low, high = found.procedure.ends or (found.procedure.value, found.procedure.value)
    ends = {"low": wording.number(low), "high": wording.number(high)}
    return text("remedy-swap-open-found", **given, **ends, had=wording.number(pairs)), said


def _not_played(about: Subject) -> tuple[str, str] | None:
    """What would let pairs be played, where none were."""
    codes, sizes = about.given, about.told.sizes.swap
    if "swap.one-run.never-passes" in codes:
        trainings = TRAININGS_A_PAIR * sizes.pairs * sizes.models
        return text("remedy-swap-one-run-found"), text("remedy-swap-one-run", time=time_of(about, trainings))
    if "swap.not-shown" in codes:
        why = wording.shown(parameters.words(codes["swap.not-shown"].get("why")))
        return (
            text("remedy-swap-unplayable-found", why=why),
            text("remedy-swap-unplayable", least=wording.number(_least_records(sizes.alpha))),
        )
    return None


def _least_records(alpha: float) -> int:
    """Training records from which on a split has enough to forget."""
    return 2 * math.ceil(LEAST_FORGOTTEN * (1 + alpha) / alpha)


def consistency(about: Subject) -> Iterator[Advice]:
    """Withdraw what an attack of this run contradicts."""
    if not about.fails:
        if "epsilon.consistency.left-open" in about.given and "swap.quick" not in about.given:
            yield _left_open(about)
            return
        yield Advice(*_untested(about), Owner.CONTROLLER, requests=executed(about.told), tell=Tell.OPEN)
        return
    for row in epsilon_words.comparisons(about.check):
        if row.epsilon is None or row.gap is None or row.gap <= 0:
            continue
        against, low = wording.shown(epsilon_words.against(row)), numbers.at_least(row.epsilon + row.gap)
        found = text("remedy-refuted-found", against=against, epsilon=wording.number(row.epsilon), low=low)
        yield refuted(about, found, by_requester=row.test == "requester")


def _left_open(about: Subject) -> Advice:
    """Play as many pairs or games as decide, where a number is known to; else withdraw the claim or find what is amiss."""
    given = about.given["epsilon.consistency.left-open"]
    stated, suspected = (parameters.finite(given.get(name)) for name in ("epsilon", "suspected"))
    found = text("remedy-left-open-found", epsilon=wording.number(stated), shown=wording.number(suspected))
    wanted = parameters.count(given.get("enough"))
    if wanted is None:
        action = text("remedy-left-open")
    elif given.get("unit") == "games":
        action = text("remedy-more-games", games=wording.number(wanted))
    else:
        trainings = TRAININGS_A_PAIR * wanted * about.told.sizes.swap.models
        action = text("remedy-more-pairs-plain", pairs=wording.number(wanted), time=time_of(about, trainings))
    return Advice(found, action, Owner.CONTROLLER, requests=executed(about.told), tell=Tell.OPEN)


def _untested(about: Subject) -> tuple[str, str]:
    """Why a run that refuted nothing tested nothing either, and what to do about the claim."""
    if "swap.quick" in about.given:
        return text("remedy-quick-found"), text("remedy-quick")
    far = about.given.get("epsilon.consistency.not-tested")
    if far is not None and (noticed := parameters.positive(far.get("noticed"))) is not None:
        stated = wording.number(parameters.finite(far.get("epsilon")))
        found = text("remedy-untested-far-found", epsilon=stated, noticed=numbers.at_most(noticed))
        return found, text("remedy-untested-far", pairs=wording.number(4 * about.told.sizes.swap.pairs))
    apart = about.given.get("epsilon.consistency.not-compared", {})
    why = wording.shown(parameters.words(apart.get("why")))
    found = text("remedy-untested-found", why=why) if why else wording.shown(about.check.basis)
    return found, text("remedy-untested")


def refuted(about: Subject, found: str, *, by_requester: bool) -> Advice:
    """Withdraw a claim; where it took somebody who sees earlier models, show none."""
    action = text("remedy-refuted-adaptive" if by_requester else "remedy-refuted")
    return Advice(found, action, Owner.CONTROLLER, requests=executed(about.told), tell=Tell.MODEL)


def strong(about: Subject) -> Iterator[Advice]:
    """Retrain where the adversary names the deleted set; else more pairs."""
    requests = executed(about.told)
    if about.fails:
        found = text("remedy-strong-found", share=wording.number(round(100 * (about.check.value or 0))))
        yield retrain(about, found)
        return
    least = parameters.count(about.given.get("swap.strong.few-models", {}).get("least_pairs"))
    pairs = about.told.sizes.swap.pairs
    wanted = max(least or 0, 2 * pairs)
    trainings = TRAININGS_A_PAIR * wanted * about.told.sizes.swap.models
    yield Advice(
        found=wording.shown(about.check.basis),
        action=text("remedy-more-pairs-plain", pairs=wording.number(wanted), time=time_of(about, trainings)),
        owner=Owner.MODEL,
        requests=requests,
        tell=Tell.OPEN,
    )


def controls(about: Subject) -> Iterator[Advice]:
    """Make training repeatable: until then no result of the SWAP test counts; a quick run found nothing of that kind."""
    quick = "swap.quick" in about.given
    found, action = ("remedy-quick-found", "remedy-quick") if quick else ("remedy-controls-found", "remedy-by-chance")
    yield Advice(text(found), text(action), Owner.MODEL, requests=executed(about.told), tell=Tell.OPEN)


REMEDIES: Final[Remedies] = {
    "swap.quality": quality,
    "swap.strong": strong,
    "swap.controls": controls,
    "epsilon.consistency": consistency,
}
