"""The SWAP test's numbers: advantages with simultaneous intervals over pairs, the unlearning quality, and the power.

The unit is the swap pair. Its signed advantage d = [Adv(s) + Adv(s')]/2 is one draw, and pairs are independent given the
procedure, the data set and the attacks; the records inside a pair are not (swap-test.md, Section 3.3: a mean over splits,
halved in bias by the swap). So the interval is Student's over pairs. It covers this procedure on this data set, not of
other data.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from auditor.base.domain import Interval
from auditor.base.records import Floats
from auditor.maths import special
from auditor.maths.statistics.exact import difference_down, difference_up, refuse_confidence
from auditor.maths.statistics.power import POWER, boundary

_FAR: Final = 9.0
_EQUAL: Final = 1e-12
_LAST_PLACES: Final = 2.0**-50


@dataclass(frozen=True, slots=True)
class PairedAdvantage:
    """The advantage of one attack, over pairs."""

    mean: float
    """The signed mean over pairs; below 0 the attack takes forgotten records for unseen ones less often than the reverse."""
    interval: Interval
    """For the expected advantage, simultaneous over all attacks, within [-1, 1]."""
    deviation: float
    """The sample standard deviation over pairs; 0 for a single pair, which has none."""


@dataclass(frozen=True, slots=True)
class Quality:
    """The unlearning quality Q = 1 - max over attacks of |advantage| (swap-test.md, Definition 3.7)."""

    value: float
    interval: Interval
    """Within [0, 1]; it covers as often as the intervals of the advantages do together."""


def advantages(pairs: Floats, *, confidence: float, decisions: int, identical: bool) -> tuple[PairedAdvantage, ...]:
    """One advantage per attack, with intervals that hold for all attacks at once, rounded outward.

    Student's interval over pairs at 1 - (1 - confidence)/attacks each (Bonferroni). Its half-width is at least the rule of
    three on the decisions, -ln((1 - confidence)/attacks)/decisions, because pairs that agree by chance are no certainty; one
    pair alone gives [-1, 1]. Both give way only where every pair's models are bit-identical and every advantage is 0.

    Args:
        pairs: Shape (attacks, K): signed pair advantages, each in [-1, 1].
        confidence: The simultaneous coverage, between 0 and 1, both excluded.
        decisions: How many yes-or-no decisions an attack took: K pairs, two models each, |F| records: K * 2 |F|.
        identical: Whether both models of every pair gave bit-identical outputs.

    Raises:
        ValueError: If an argument is outside its range or `pairs` has another shape.
    """
    count, size = attacks_and_pairs(pairs)
    refuse_confidence(confidence)
    _refuse_decisions(decisions)
    certain = identical and not pairs.any()
    found = []
    for row in pairs:
        mean = float(row.mean())
        deviation = _deviation(row)
        if certain:
            half = 0.0
        elif size == 1:
            half = math.inf
        else:
            half = max(_spread_factor(size, count, confidence) * deviation, _rule_of_three(count, confidence, decisions))
            half += half * _EQUAL + _LAST_PLACES  # mean, deviation and quantile are off by less
        found.append(PairedAdvantage(mean, Interval(max(-1.0, mean - half), min(1.0, mean + half)), deviation))
    return tuple(found)


def allow_for_failures(
    found: Sequence[PairedAdvantage], baseline: Sequence[float], *, models: int, confidence: float
) -> tuple[PairedAdvantage, ...]:
    """Widen intervals, away from 0, by what a few models leave open: that unlearning fails in some of them altogether.

    Student's interval cannot see what never happened: where one model in ten is not unlearned, no such model is among 2K = 20 in
    12 % of runs. So each mean is read as that many failing models, m |mean| / |baseline| of m; the exact upper limit for their
    share (Clopper and Pearson 1934, with the count as a real number) times |baseline| is the least outer end. With a mean of 0 it
    is the rule of three on the models, 1 - tail^(1/m). Not corrected over attacks: which models fail is the same for all.

    Args:
        found: The advantages of the attacks.
        baseline: Of each attack, the mean advantage on models that were not unlearned.
        models: m, models that were unlearned independently: 2K.
        confidence: The coverage; each end may be missed with (1 - confidence)/2.

    Raises:
        ValueError: If there are not as many baselines as advantages, no models, or the confidence is out of its range.
    """
    refuse_confidence(confidence)
    if models < 1:
        raise ValueError(f"models must be at least 1, found {models}")
    widened = []
    for each, idle in zip(found, baseline, strict=True):
        failing = min(models, models * abs(each.mean) / abs(idle) * (1 + _EQUAL)) if abs(each.mean) < abs(idle) else models
        outer = min(1.0, math.nextafter(abs(idle) * _largest_share(failing, models, confidence), math.inf))
        low, high = each.interval.low, each.interval.high
        low, high = (low, max(high, outer)) if each.mean > 0 else (min(low, -outer), high)
        if each.mean == 0:
            low, high = min(low, -outer), max(high, outer)
        widened.append(PairedAdvantage(each.mean, Interval(low, high), each.deviation))
    return tuple(widened)


def missed_share(models: int, *, confidence: float) -> float:
    """The largest share of models that were not unlearned of which none is seen among `models` with (1 - confidence)/2.

    Raises:
        ValueError: If there are no models, or the confidence is out of its range.
    """
    refuse_confidence(confidence)
    if models < 1:
        raise ValueError(f"models must be at least 1, found {models}")
    return _largest_share(0.0, models, confidence)


def _largest_share(failing: float, models: int, confidence: float) -> float:
    """The upper limit for a share after `failing` of `models`, rounded up."""
    if failing >= models:
        return 1.0
    found = 1 - float(special.betaincinv(models - failing, failing + 1, (1 - confidence) / 2))
    # What is taken from 1 is good to its last places, of which a relative margin is less where little is left.
    return min(1.0, max(found * (1 + _EQUAL), found + _LAST_PLACES if found * _EQUAL < _LAST_PLACES else 0.0))


def quality(found: Sequence[PairedAdvantage]) -> Quality:
    """The unlearning quality from the advantages of all attacks, with the interval that their intervals imply, rounded outward.

    Where every interval holds, max |advantage| lies between the largest distance of an interval from 0 and the largest end
    of an interval in absolute value.

    Raises:
        ValueError: If there is no advantage.
    """
    if not found:
        raise ValueError("a quality needs at least one attack")
    least = max(max(0.0, each.interval.low, -each.interval.high) for each in found)
    most = max(max(abs(each.interval.low), abs(each.interval.high)) for each in found)
    value = 1 - max(abs(each.mean) for each in found)
    return Quality(value, Interval(max(0.0, difference_down(1.0, most)), difference_up(1.0, least)))


def plug_in_quality(pairs: Floats) -> float:
    """The paper's plug-in: 1 - max over attacks of the mean over pairs of |d|, shape (attacks, K).

    The absolute value is taken pair by pair, so noise counts as advantage: it is at most the quality, and lower for a perfect
    unlearner.

    Raises:
        ValueError: If `pairs` has another shape or a value outside [-1, 1].
    """
    attacks_and_pairs(pairs)
    return 1 - float(np.abs(pairs).mean(axis=1).max())


def smallest_advantage(
    pairs: Floats, *, confidence: float, decisions: int, power: float = POWER, beyond: float = 0.0
) -> float | None:
    """The smallest advantage in absolute value that this run would have found with probability `power`.

    Found means that the simultaneous interval of `advantages` lies above `beyond`, on the right side. Pair advantages are taken
    as normal with the spread of the attack whose sample deviation is widest, so the result describes the run and bounds nothing.

    Args:
        pairs: Shape (attacks, K): signed pair advantages, each in [-1, 1].
        confidence: The simultaneous coverage of the intervals.
        decisions: How many decisions an attack took, as for `advantages`.
        power: Between 0 and 1, both excluded.
        beyond: What may be there without a finding, at least 0.

    Returns:
        The advantage; None where not even an advantage of 1 would have been found, as with a single pair.

    Raises:
        ValueError: If an argument is outside its range.
    """
    count, size = attacks_and_pairs(pairs)
    refuse_confidence(confidence)
    _refuse_decisions(decisions)
    if not 0 < power < 1:
        raise ValueError(f"power must be between 0 and 1, found {power}")
    if size == 1:
        return None
    floor = _rule_of_three(count, confidence, decisions)
    deviation = max(map(_deviation, pairs))
    if deviation <= _EQUAL:
        return floor + beyond if floor + beyond <= 1 else None
    error = deviation / math.sqrt(size)
    quantile = _spread_factor(size, count, confidence) * math.sqrt(size)

    def found(advantage: float) -> bool:
        return _found_with((advantage - beyond) / error, quantile, floor / error, size - 1) >= power

    if not found(1.0):
        return None
    return 0.0 if found(0.0) else boundary(found, outside=0.0, inside=1.0)


def _found_with(shift: float, quantile: float, floor: float, freedom: int) -> float:
    """P[Z + shift > max(quantile * S, floor)] for standard normal Z and an independent S^2 = chi^2(freedom)/freedom.

    Without the floor it is the upper tail of the noncentral t distribution at `quantile`. Where S is small the floor decides
    alone, or the event is certain; above, the density of S is integrated against the normal tail.
    """
    low = max(floor, shift - _FAR) / quantile
    high = (shift + _FAR) / quantile
    below = float(special.chdtr(freedom, freedom * low**2)) * float(special.ndtr(shift - max(floor, shift - _FAR)))
    # Two factors may be sharp: the normal tail, over 2 _FAR / quantile, and with many pairs the density of S, over its quantiles.
    start = max(low, math.sqrt(float(special.chdtri(freedom, 1 - 1e-16)) / freedom))
    stop = min(high, math.sqrt(float(special.chdtri(freedom, 1e-18)) / freedom))
    if start >= stop:
        return below
    nodes, weights = _quadrature()
    s = start + (stop - start) * (nodes + 1) / 2
    constant = math.log(2) + freedom / 2 * math.log(freedom / 2) - float(special.gammaln(freedom / 2))
    density = np.exp(constant + (freedom - 1) * np.log(s) - freedom * s**2 / 2)
    return below + float((weights * density * special.ndtr(shift - quantile * s)).sum()) * (stop - start) / 2


@cache
def _quadrature() -> tuple[Floats, Floats]:
    """Nodes and weights of Gauss and Legendre on [-1, 1], which take long to find and few commands need."""
    nodes, weights = np.polynomial.legendre.leggauss(128)
    return nodes, weights


def _spread_factor(size: int, count: int, confidence: float) -> float:
    """Half the width of Student's interval in sample deviations, corrected for `count` attacks."""
    return -float(special.stdtrit(size - 1, (1 - confidence) / (2 * count))) / math.sqrt(size)


def _rule_of_three(count: int, confidence: float, decisions: int) -> float:
    """The share that `decisions` without an event exclude, corrected for `count` attacks: (1 - x)^n <= e^(-n x)."""
    return -math.log((1 - confidence) / count) / decisions


def _deviation(row: Floats) -> float:
    # Equal values have a mean that may differ from them in the last digit: their spread is 0 all the same.
    return 0.0 if np.ptp(row) == 0 else float(row.std(ddof=1))


def attacks_and_pairs(pairs: Floats) -> tuple[int, int]:
    """The number of attacks and of pairs, K, in an array of shape (attacks, K).

    Raises:
        ValueError: If it has another shape, is empty, or holds anything but numbers in [-1, 1].
    """
    if pairs.ndim != 2 or 0 in pairs.shape:
        raise ValueError(f"pairs must have the shape (attacks, K), found {pairs.shape}")
    if not np.all(np.abs(pairs) <= 1):
        raise ValueError("pair advantages must be between -1 and 1")
    return int(pairs.shape[0]), int(pairs.shape[1])


def _refuse_decisions(decisions: int) -> None:
    if decisions < 1:
        raise ValueError(f"decisions must be at least 1, found {decisions}")
