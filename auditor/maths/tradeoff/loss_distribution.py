"""The distribution of the privacy loss: trainings on random samples, and compositions of different kinds, by dp_accounting.

Each mechanism's loss is put on one grid by the pessimistic estimate (Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022,
"Connect the Dots"), and distributions are put together by Fourier transform. What rounding in the transform may hide is added to
every δ, and results are rounded up to five digits, so that another machine, whose last digits differ, reads the same. Nothing of
a distribution leaves this module but such numbers.

Bounds without a grid serve where the transform's rounding hides δ, or losses leave the range of its numbers: divergences of whole
orders (Mironov, Talwar and Zhang 2019), and the Gaussian trade-off of the same training without sampling, of shift k√T/s. A
mixture is no easier to tell than the farthest of what is mixed (joint convexity), so that it bounds every group.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from auditor.base.records import Floats
from auditor.maths import special
from auditor.maths.certificates import dp_sgd, gaussian
from auditor.maths.certificates.privacy import group_delta, group_epsilon
from auditor.maths.certificates.rounding import ceiling
from auditor.maths.tradeoff.promises import LARGEST_GROUP, Approximate, Gaussian, Laplace, Pure, SubsampledGaussian

if TYPE_CHECKING:
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

Mechanism: TypeAlias = Gaussian | Approximate | Pure | Laplace | SubsampledGaussian
"""What has a privacy loss distribution."""

ROUNDING: Final = 2.0**-50
"""What rounding in the Fourier transform may take from δ, a release: four times what the exact Gaussian ever showed."""
_TRUNCATED: Final = 100
"""Releases that count in addition for tails that are cut off."""
_DIGITS: Final = 5
_FINE: Final = 48
"""Points of the grid for one standard deviation of one release's loss."""
_MOST_POINTS: Final = 200_000
"""Of the grid for one release; some two microseconds each."""
_FINE_OF_A_MIXTURE: Final = 16
_MOST_OF_A_MIXTURE: Final = 4_000
"""The same where k records move together: a quarter of a millisecond each."""
_MOST_TOGETHER: Final = 2_000_000
"""Of the grid for all releases."""
_WIDEST: Final = 30.0
"""A standard deviation of the loss from which on nothing is hidden, and no distribution is worked out."""
_NEGLIGIBLE: Final = 50.0
"""A chance of e⁻⁵⁰ is what one release's losses leave out, on the safe side."""
_LEAST: Final = 1e-24
_ORDERS: Final = (*range(2, 33), 40, 48, 64, 80, 96, 128, 256, 512, 1024)


def deltas(parts: tuple[Mechanism, ...], epsilons: Sequence[float]) -> Floats:
    """δ at each ε of several releases together, by their loss on a grid: rounded up; 1 where there is no such grid.

    Args:
        parts: The mechanisms, none of them NOTHING.
        epsilons: Each at least 0.
    """
    distribution = _distribution(parts)
    if distribution is None:
        return np.ones(len(epsilons))
    # e^(ε − loss) may overflow for losses far below, whose weight is 0.
    with np.errstate(over="ignore", invalid="ignore"):
        found = np.asarray(distribution.get_delta_for_epsilon(list(epsilons)), dtype=np.float64)
    hidden = _hidden(parts)
    return np.array([up(max(0.0, each) + hidden) if -hidden <= each <= 1 else 1.0 for each in found.tolist()])


def epsilon(parts: tuple[Mechanism, ...], delta: float) -> float:
    """ε at δ of several releases together, by their loss on a grid: rounded up to a multiple of 10⁻⁴; infinite where none is.

    Args:
        parts: The mechanisms.
        delta: Between 0 and 1.
    """
    hidden = _hidden(parts)
    if delta < 100 * hidden or (distribution := _distribution(parts)) is None:
        return math.inf
    with np.errstate(over="ignore", invalid="ignore"):
        found = float(distribution.get_epsilon_for_delta(delta - hidden))
    # The nearest number in decimal digits is off by far less than what is added before.
    return float(f"{math.ceil(found / dp_sgd.STEP + 1e-6) * dp_sgd.STEP:.4f}") if math.isfinite(found) else math.inf


def sampled_epsilon(training: SubsampledGaussian, delta: float) -> float:
    """ε at δ of a training on random samples, rounded up: the smallest of all routes.

    Args:
        training: Its noise, rate, steps and the records that move together.
        delta: Between 0 and 1.
    """
    exact = gaussian.epsilon(delta, unsampled(training))
    if training.sample_rate == 1.0 or not 0 < delta < 1:
        return exact
    found = epsilon((training,), delta)
    if training.group == 1:
        found = min(found, _accountant_epsilon(training, delta))
    elif not math.isfinite(found):
        # The mixture's own distribution is exact but for its grid, and the bound from one record never better.
        found = _group_epsilon(training, delta)
    return min(found, exact)


def sampled_delta(training: SubsampledGaussian, at: float) -> float:
    """δ at ε of a training on random samples, rounded up: the smallest of all routes."""
    found = [gaussian.delta(at, unsampled(training))]
    if training.sample_rate < 1.0:
        found.append(float(deltas((training,), (at,))[0]))
        if training.group == 1:
            found.append(_renyi_delta(training, at))
    return min(found)


def unsampled(training: SubsampledGaussian) -> float:
    """k √T/s, rounded up: the shift that the same training would have on all records at each step."""
    square = Fraction(training.group) ** 2 * training.steps / Fraction(training.noise_multiplier) ** 2
    return root_ceiling(square)


def root_ceiling(square: Fraction) -> float:
    """The square root, rounded up; infinity beyond the floating-point range."""
    if not square:
        return 0.0
    # Scaled by a power of four, so that neither end of the range is in the way.
    power = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    found = math.sqrt(square / Fraction(4) ** power)
    while Fraction(found) ** 2 < square / Fraction(4) ** power:
        found = math.nextafter(found, math.inf)
    return ceiling(Fraction(found) * Fraction(2) ** power)


def up(value: float) -> float:
    """A probability rounded up to five digits; at most 1."""
    if value <= 0.0:
        return 0.0
    text = f"{value:.{_DIGITS - 1}e}"
    if float(text) < value:
        mantissa, _, power = text.partition("e")
        text = f"{float(mantissa) + 10.0 ** (1 - _DIGITS):.{_DIGITS - 1}f}e{power}"
    return min(1.0, float(text))


def scale(parts: Sequence[Mechanism]) -> float:
    """About the standard deviation of the loss of all releases together: where to look, not a bound."""
    return math.hypot(*(math.sqrt(_count(each)) * _deviation(each) for each in parts))


def _hidden(parts: Sequence[Mechanism]) -> float:
    return (sum(map(_count, parts)) + _TRUNCATED) * ROUNDING


def _count(part: Mechanism) -> int:
    return part.steps if isinstance(part, SubsampledGaussian) else 1


def _deviation(part: Mechanism) -> float:
    """About the standard deviation of the loss of one release."""
    match part:
        case Gaussian():
            return part.mu
        case Laplace():
            return part.shift
        case Approximate() | Pure():
            return part.epsilon
        case _:
            share, shift = part.sample_rate * part.group, 1 / part.noise_multiplier
            return min(share * math.sqrt(math.expm1(min(50.0, shift * shift))), part.group * shift)


def _span(part: Mechanism) -> float:
    """About the width of the losses of one release."""
    match part:
        case Gaussian():
            return 20 * part.mu + part.mu**2
        case Laplace():
            return 2 * part.shift
        case Approximate() | Pure():
            return 2 * part.epsilon
        case _:
            return _widest_loss(part)


def _widest_loss(part: SubsampledGaussian) -> float:
    """About the largest loss of one step that has a chance of e⁻⁵⁰, and the width below 0."""
    if part.sample_rate == 1.0:
        shift = part.group / part.noise_multiplier
        return 20 * shift + shift**2
    sizes, chances = (np.array(each) for each in _taken(part.group, part.sample_rate))
    logs, variance = np.log(chances), part.noise_multiplier**2
    counted = logs > -_NEGLIGIBLE
    farthest = float(np.max(sizes[counted] + part.noise_multiplier * np.sqrt(2 * (_NEGLIGIBLE + logs[counted]))))
    widest = float(special.logsumexp(logs + (sizes * farthest - sizes**2 / 2) / variance))
    nearest = float(special.logsumexp(logs - (10 * part.noise_multiplier * sizes + sizes**2 / 2) / variance))
    return widest - nearest


@lru_cache(maxsize=16)  # A page reads several numbers off one promise, and each distribution takes a tenth of a second or more.
def _distribution(parts: tuple[Mechanism, ...]) -> PrivacyLossDistribution | None:
    """The distribution of all releases together; None where its grid would say nothing."""
    whole, count = scale(parts), sum(map(_count, parts))
    if any(isinstance(each, Approximate) and each.delta == 1.0 for each in parts):
        return None
    if not 0 < whole < _WIDEST or any(isinstance(each, SubsampledGaussian) and each.group > LARGEST_GROUP for each in parts):
        return None
    mixed = [isinstance(each, SubsampledGaussian) and each.group > 1 for each in parts]
    coarsest = [_span(each) / (_MOST_OF_A_MIXTURE if slow else _MOST_POINTS) for each, slow in zip(parts, mixed, strict=True)]
    # A grid adds a quarter of its interval's square to the variance of each release's loss, at most.
    wanted = whole / math.sqrt(count) / (_FINE_OF_A_MIXTURE if any(mixed) else _FINE)
    interval = max(wanted, *coarsest, (20 * whole + whole**2) / _MOST_TOGETHER)
    # A power of two, so that no machine's last digit moves the grid.
    interval = 2.0 ** math.ceil(math.log2(interval))
    try:
        with np.errstate(all="ignore"):
            found = _loss(parts[0], interval)
            for each in parts[1:]:
                found = found.compose(_loss(each, interval))
    except (OverflowError, ValueError, ZeroDivisionError, MemoryError, IndexError):
        return None
    return found


def _loss(part: Mechanism, interval: float) -> PrivacyLossDistribution:
    from dp_accounting.pld import privacy_loss_distribution as by_mechanism  # noqa: PLC0415
    from dp_accounting.pld.common import DifferentialPrivacyParameters  # noqa: PLC0415  (a second to load)

    grid: dict[str, Any] = {"value_discretization_interval": interval}
    match part:
        case Gaussian():
            # Less noise than there is: 1/μ rounded down.
            return by_mechanism.from_gaussian_mechanism(math.nextafter(1 / part.mu, 0.0), **grid)
        case Laplace():
            return by_mechanism.from_laplace_mechanism(math.nextafter(1 / part.shift, 0.0), **grid)
        case Pure():
            return by_mechanism.from_privacy_parameters(DifferentialPrivacyParameters(part.epsilon, 0.0), **grid)
        case Approximate():
            return by_mechanism.from_privacy_parameters(DifferentialPrivacyParameters(part.epsilon, part.delta), **grid)
        case _:
            return _training(part, grid).self_compose(part.steps)


def _training(part: SubsampledGaussian, grid: dict[str, Any]) -> PrivacyLossDistribution:
    """One step."""
    from dp_accounting.pld import privacy_loss_distribution as by_mechanism  # noqa: PLC0415

    if part.group == 1 or part.sample_rate == 1.0:
        noise = part.noise_multiplier if part.group == 1 else math.nextafter(part.noise_multiplier / part.group, 0.0)
        return by_mechanism.from_gaussian_mechanism(noise, sampling_prob=part.sample_rate, **grid)
    sizes, chances = _taken(part.group, part.sample_rate)
    return by_mechanism.from_mixture_gaussian_mechanism(part.noise_multiplier, sizes, chances, **grid)


def _taken(group: int, rate: float) -> tuple[list[float], list[float]]:
    """How many of k records a step takes, with what chance; rounding errs on the side of more.

    Mass may move to larger shifts: the likelihood ratio rises along the line, so that the worst event is a half-line, and the
    difference Σ p_j Φ((j − t)/s) − e^ε Φ(−t/s) rises with every shift at each t, as that of the other direction does. So chances
    of more records are rounded up, those too small to count go to all k, and the smallest number takes what is left.
    """
    sizes = np.arange(group + 1)
    logs = special.gammaln(group + 1) - special.gammaln(sizes + 1) - special.gammaln(group - sizes + 1)
    logs = logs + sizes * math.log(rate) + (group - sizes) * math.log1p(-rate)
    chances = np.exp(logs) * (1 + 1e-11)
    # From the size on whose tail is far below every δ, all of it counts as the largest number of records.
    tails = np.cumsum(chances[::-1])[::-1]
    last = int(np.count_nonzero(tails >= _LEAST))
    kept = [*chances[1:last].tolist()]
    shifts = [float(each) for each in range(1, last)]
    if last <= group:
        kept.append(float(tails[last]) if tails[last] > 0 else 1e-300)
        shifts.append(float(group))
    spent = math.fsum(kept)
    while spent > 1:
        # The chance of none at all vanishes in rounding: what is too much comes off the smallest number.
        kept[0] -= spent - 1
        if kept[0] > 0:
            break
        kept, shifts = kept[1:], shifts[1:]
        spent = math.fsum(kept)
    left = 1 - math.fsum(kept)
    return ([0.0, *shifts], [left, *kept]) if left > 0 else (shifts, kept)


def _accountant_epsilon(training: SubsampledGaussian, delta: float) -> float:
    """By what judges of private training derive."""
    return dp_sgd.epsilon(training.noise_multiplier, sample_rate=training.sample_rate, steps=training.steps, delta=delta)


def _group_epsilon(training: SubsampledGaussian, delta: float) -> float:
    """k ε(δ₁) with the δ₁ whose group of k is δ: the bound of Vadhan 2017, Lemma 2.2, from the training of one record."""
    one = replace(training, group=1)
    found, smaller = math.inf, delta / training.group
    for _ in range(8):
        at = _accountant_epsilon(one, smaller) if smaller > 0 else math.inf
        if not math.isfinite(at):
            break
        if group_delta(at, smaller, training.group) <= delta:
            found = group_epsilon(at, training.group)
            break
        smaller = delta * smaller / group_delta(at, smaller, training.group) / 2
    return found


def _renyi_delta(training: SubsampledGaussian, at: float) -> float:
    """δ at ε by divergences of whole orders, for δ that a transform's rounding hides and for more steps than a grid stands."""
    from dp_accounting import GaussianDpEvent, NeighboringRelation, PoissonSampledDpEvent  # noqa: PLC0415
    from dp_accounting.rdp import RdpAccountant  # noqa: PLC0415

    step = PoissonSampledDpEvent(training.sample_rate, GaussianDpEvent(training.noise_multiplier))
    with dp_sgd.silence():
        accountant = RdpAccountant(_ORDERS, NeighboringRelation.ADD_OR_REMOVE_ONE)
        # A divergence of one step is the logarithm of a number near 1, good to a few units in that number's last place.
        lower = max(0.0, at - training.steps * 2.0**-48)
        try:
            found = float(accountant.compose(step, training.steps).get_delta(lower))
        except (OverflowError, ValueError, ZeroDivisionError):
            return 1.0
    return up(found * (1 + 1e-9)) if 0 < found <= 1 else 1.0
