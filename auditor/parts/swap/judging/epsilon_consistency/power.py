"""From which ε on this run would have noticed, with a probability of four in five, that a statement does not hold.

To notice is to refute it or to leave it open. A run that notices nothing near a claim has not tested it. What it would have
noticed is that of an adversary who finds all that a model of such an ε can show; one that finds less notices less. It is worked
out from the numbers of draws, and of few pairs from how widely they spread: what came out for or against the statement does not
enter.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from auditor.maths.certificates.renyi_lower import binary_divergence, radius
from auditor.maths.statistics import (
    ENOUGH_PAIRS,
    MEANS_REFUTE,
    bet_against,
    clopper_pearson,
    named_sides_lower,
    smallest_advantage,
)
from auditor.maths.statistics.power import POWER, boundary, count_reached, least_count, share_reaching
from auditor.parts.swap.judging.epsilon_consistency.observed import Reached
from auditor.parts.swap.rules.one_run import epsilon_lower as of_guesses
from auditor.parts.swap.rules.one_run import log_upper_tail
from auditor.verdict.checks.differences import Counted

MOST_PAIRS: Final = 2000
"""More pairs are no advice."""
MOST_TRIALS: Final = 100_000
NEAR: Final = 2.0
"""Up to so many times a stated ε, what would have been noticed is near it."""
_HALVINGS: Final = 20
_ALMOST_ONE: Final = 1 - 2.0**-40

Kind: TypeAlias = Literal["radius", "divergence"]


def tested(epsilon: float | None, noticed: float | None) -> bool:
    """Whether a run that did not refute a statement says something of it: it would have noticed an ε near the stated one."""
    return epsilon is not None and noticed is not None and noticed <= NEAR * epsilon


def by_advantage(
    epsilon: float,
    reached: Reached,
    shown: Callable[[float], float],
    *,
    alpha: float,
    alpha_single: float,
    decisions: int,
    exceeds: Callable[[float], bool] | None = None,
) -> float | None:
    """Find what the adversary that sees whole sets would have noticed, and the attacks on single records of a few pairs.

    Args:
        epsilon: The stated ε, at least 0.
        reached: By the attacks on the models that the statement covers.
        shown: The ε that an advantage between 0 and 1 shows; rising.
        alpha: The error of the adversary that sees whole sets.
        alpha_single: That of the attacks on single records.
        decisions: How many records an attack on single ones decided on.
        exceeds: Whether what an advantage shows is above the stated ε, where that is known sooner than what it shows.

    Returns:
        The ε; None where nothing that these models could show would have been noticed with that probability.
    """
    if not shown(1.0) > epsilon:
        return None
    needed = boundary(exceeds or (lambda advantage: shown(advantage) > epsilon), outside=0.0, inside=1.0)
    right = least_count(reached.models, lambda count: named_sides_lower(count, reached.models, alpha=alpha) >= needed)
    found = [] if right is None else [2 * share_reaching(right, reached.models) - 1]
    if ENOUGH_PAIRS <= reached.advantages.shape[1] < MEANS_REFUTE:
        single = smallest_advantage(reached.advantages, confidence=1 - alpha_single, decisions=decisions, beyond=needed)
        found += [] if single is None else [single]
    return shown(max(needed, min(found))) if found else None


def pairs_that_refute(reached: Reached, shown: Callable[[float], float], epsilon: float, *, alpha: float) -> int | None:
    """Estimate the pairs with which advantages like these would refute a statement, were further ones like them.

    Args:
        reached: On the models that the statement covers.
        shown: The ε that an advantage between 0 and 1 shows; rising.
        epsilon: The stated ε, at least 0.
        alpha: The error of a refutation by attacks on single records, and of one by the adversary that sees whole sets.

    Returns:
        The smaller of the two adversaries' numbers; None where `MOST_PAIRS` are too few for both.
    """
    if not shown(1.0) > epsilon:
        return None
    needed = boundary(lambda advantage: shown(advantage) > epsilon, outside=0.0, inside=1.0)
    pairs = reached.advantages.shape[1]
    a_pair, share = reached.models / pairs, reached.named / reached.models

    def named(count: int) -> bool:
        models = round(count * a_pair)
        return count > 0 and named_sides_lower(round(share * models), models, alpha=alpha) >= needed

    whole_set = None if share <= 0.5 else least_count(MOST_PAIRS, named)
    single = bet_against(reached.advantages, most=needed).pairs_needed(alpha) if needed < 1 else None
    found = (whole_set, None if single is None or single > MOST_PAIRS else max(MEANS_REFUTE, single))
    return min((each for each in found if each is not None), default=None)


def by_guesses(epsilon: float, guesses: int, *, alpha: float, delta: float) -> float | None:
    """Find what joint guesses at one model's members would have noticed: ln((power − δ)/P[Bin(r, ½) ≥ v]).

    Args:
        epsilon: The stated ε, at least 0.
        guesses: r, at least 1.
        alpha: The error of the test, above δ.
        delta: Of the statement.
    """
    least = least_count(guesses, lambda right: of_guesses(guesses, right, alpha=alpha, delta=delta) > epsilon)
    return None if least is None else math.log(POWER - delta) - log_upper_tail(guesses, least)


def trials_that_refute(epsilon: float, order: float, counted: Counted, *, confidence: float) -> int | None:
    """Estimate the draws of each world with which shares like these would refute a Rényi ε against any law.

    Args:
        epsilon: The stated Rényi ε.
        order: q, above 1.
        counted: One event in both worlds.
        confidence: With which both limits hold jointly.

    Returns:
        The draws, `MOST_TRIALS` at most; None where those are too few.
    """

    def refutes(trials: int) -> bool:
        hits, others = (
            round(count * trials / of)
            for count, of in ((counted.hits, counted.trials), (counted.other_hits, counted.other_trials))
        )
        low = clopper_pearson(hits, trials, confidence=confidence).low
        high = clopper_pearson(others, trials, confidence=confidence).high
        return low > high and radius(order, low, high) > epsilon

    return least_count(MOST_TRIALS, lambda trials: trials > 0 and refutes(trials))


def by_counts(epsilon: float, order: float, counted: Counted, *, confidence: float, kind: Kind) -> float | None:
    """Find what counts of one event in two worlds would have noticed, the event as likely in one as it is unlikely in the other.

    Args:
        epsilon: The stated Rényi ε.
        order: q, above 1.
        counted: Of which the numbers of draws alone are read.
        confidence: With which both limits hold jointly.
        kind: Against any law (the radius of the two), or of one law against the other.
    """
    return _by_counts(epsilon, order, counted.trials, counted.other_trials, confidence, kind)


@lru_cache(maxsize=256)
def _by_counts(epsilon: float, order: float, trials: int, other_trials: int, confidence: float, kind: Kind) -> float | None:
    apart = radius if kind == "radius" else binary_divergence
    each = math.sqrt(POWER)

    def refutes(advantage: float) -> bool:
        hits = count_reached(trials, (1 + advantage) / 2, power=each)
        missed = count_reached(other_trials, (1 + advantage) / 2, power=each)
        low = clopper_pearson(hits, trials, confidence=confidence).low
        high = clopper_pearson(other_trials - missed, other_trials, confidence=confidence).high
        return low > high and apart(order, low, high) > epsilon

    low, high = 0.0, _ALMOST_ONE
    if not refutes(high):
        return None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if refutes(middle) else (middle, high)
    return apart(order, (1 + high) / 2, (1 - high) / 2)
