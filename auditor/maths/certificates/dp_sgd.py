"""What private training costs: the epsilon of many steps of the Gaussian mechanism, each on a random sample of the records.

A step of DP-SGD (Abadi et al. 2016, Algorithm 1) takes each record by an independent coin with probability q (`sample_rate`),
clips what each contributes to norm C and adds Gaussian noise of standard deviation sC (s is `noise_multiplier`). Records are
added or removed. The cost of all steps together comes from dp_accounting in two ways, both as upper bounds, and the smaller
counts:

- the distribution of the privacy loss on a grid, by its pessimistic estimate (Doroshenko, Ghazi, Kamath, Kumar and Manurangsi
  2022, "Connect the Dots"), composed by Fourier transform;
- Renyi divergences of whole orders (Mironov, Talwar and Zhang 2019), which hold where the transform's rounding could hide delta.

The result is rounded up to a multiple of `STEP`, so that another machine, whose last digits may differ, derives the same.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from auditor.base.domain import Certificate, Condition, Provenance
from auditor.base.errors import UsageError
from auditor.maths.certificates.rule import TRUSTED, Count, Inputs, Rule, plain_inputs, without_result

KIND: Final = "dp-sgd"
STEP: Final = 1e-4
"""Epsilon is rounded up to a multiple of it."""
NOISE_STEP: Final = 1e-3
"""A noise multiplier that is asked for is rounded up to a multiple of it."""

_ORDERS: Final = (*range(2, 33), 36, 40, 48, 56, 64, 80, 96, 128, 192, 256, 512, 1024)
"""Whole orders alone: their divergence is a finite sum of positive terms."""
_POINTS: Final = 100_000
"""Of the grid for one step: some ten microseconds a point, and the fourth decimal of epsilon."""
_COARSE_POINTS: Final = 5_000
"""Of the grid by which a noise multiplier is looked for first."""
_ROUNDING: Final = 2.0**-50
"""What rounding in the Fourier transform may take from delta, a step: four times what the exact Gaussian ever showed."""
_TRUNCATED: Final = 100
"""Steps that count in addition for tails that are cut off."""
_LARGEST: Final = 10_000.0
"""From here on the second way alone: nothing is hidden anyway."""


def schedule(records: int, *, batch: int, epochs: int) -> tuple[float, int]:
    """The sampling rate min(1, batch/n) and the number of steps, epochs times the batches of an epoch rounded up.

    Args:
        records: n, at least 1.
        batch: The expected number of records of a step, at least 1.
        epochs: At least 1.
    """
    return min(1.0, batch / records), epochs * math.ceil(records / batch)


def epsilon(noise_multiplier: float, *, sample_rate: float, steps: int, delta: float) -> float:
    """The epsilon of the training at delta, an upper bound, rounded up to a multiple of `STEP`; infinite where none is found.

    Args:
        noise_multiplier: Above 0.
        sample_rate: Above 0 and at most 1.
        steps: At least 1.
        delta: Above 0 and below 1.

    Raises:
        ModuleNotFoundError: If dp_accounting is not installed.
    """
    return _epsilon(noise_multiplier, _Sampling(sample_rate, steps, delta), points=_POINTS)


def noise_multiplier(epsilon_at_most: float, *, sample_rate: float, steps: int, delta: float) -> float:
    """The smallest noise multiplier, in multiples of `NOISE_STEP`, with which the training costs no more than an epsilon.

    Args:
        epsilon_at_most: Above 0.
        sample_rate: Above 0 and at most 1.
        steps: At least 1.
        delta: Above 0 and below 1.

    Returns:
        A multiple of `NOISE_STEP`; infinite where none up to a million is enough.

    Raises:
        ModuleNotFoundError: If dp_accounting is not installed.
    """
    sampling = _Sampling(sample_rate, steps, delta)

    def enough(count: int, points: int) -> bool:
        return _epsilon(count * NOISE_STEP, sampling, points=points) <= epsilon_at_most

    # The coarser the way, the quicker, and the more noise it asks for: each next one has little left to look for.
    high = round(1e6 / NOISE_STEP) + 1
    found = 1 + bisect.bisect_left(range(1, high), True, key=lambda count: enough(count, 0))
    if found == high:
        return math.inf
    low = found
    while low > 1 and enough(low, _COARSE_POINTS):
        found, low = low, max(1, min(low - 1, math.floor(low * 0.95)))
    found = low + bisect.bisect_left(range(low, found), True, key=lambda count: enough(count, _COARSE_POINTS))
    while found > 1 and enough(found - 1, _POINTS):
        found -= 1
    return float(f"{found * NOISE_STEP:.3f}")


@dataclass(frozen=True, slots=True)
class _Sampling:
    rate: float
    steps: int
    delta: float


@lru_cache(maxsize=64)  # One document is judged several times over, and the accountant takes seconds.
def _epsilon(noise: float, sampling: _Sampling, *, points: int) -> float:
    """From a grid of that many points for one step; from Renyi divergences alone where there are none."""
    with silence():
        found = _renyi(noise, sampling)
        hidden = (sampling.steps + _TRUNCATED) * _ROUNDING
        if points and STEP < found < _LARGEST and sampling.delta >= 100 * hidden:
            # The loss of one step spans some 20/s + 1/s^2, that of all of them a few epsilon. A power of two, so that no
            # machine's last digit moves the grid.
            span = max(20 / noise + noise**-2, found / 5)
            interval = 2.0 ** math.ceil(math.log2(span / points))
            found = min(found, _loss_distribution(noise, sampling, sampling.delta - hidden, interval=interval))
    return _up(found, STEP) if math.isfinite(found) else math.inf


def _renyi(noise: float, sampling: _Sampling) -> float:
    from dp_accounting import GaussianDpEvent, NeighboringRelation, PoissonSampledDpEvent  # noqa: PLC0415
    from dp_accounting.rdp import RdpAccountant  # noqa: PLC0415

    step = PoissonSampledDpEvent(sampling.rate, GaussianDpEvent(noise))
    accountant = RdpAccountant(_ORDERS, NeighboringRelation.ADD_OR_REMOVE_ONE)
    try:
        # Of noise whose square is no number any more a step costs an infinite amount, which the accountant divides by 0 for.
        with np.errstate(all="ignore"):
            found = float(accountant.compose(step, sampling.steps).get_epsilon(sampling.delta))
    except (OverflowError, ValueError, ZeroDivisionError):
        return math.inf
    # A divergence of one step is the logarithm of a number near 1, good to a few units in that number's last place.
    return found + sampling.steps * 2.0**-48 if found >= 0 else math.inf


def _loss_distribution(noise: float, sampling: _Sampling, delta: float, *, interval: float) -> float:
    from dp_accounting.pld.privacy_loss_distribution import from_gaussian_mechanism  # noqa: PLC0415

    step = from_gaussian_mechanism(noise, sampling_prob=sampling.rate, value_discretization_interval=interval)
    # Beyond some 700 the mass below is subnormal, and what is divided by it infinite: so is then the bound, which is not one.
    with np.errstate(over="ignore"):
        return float(step.self_compose(sampling.steps).get_epsilon_for_delta(delta))


def _up(value: float, unit: float) -> float:
    """The multiple of a unit at or above a value, as its nearest number in decimal digits."""
    places = round(-math.log10(unit))
    return float(f"{math.ceil(value / unit) * unit:.{places}f}")


@contextmanager
def silence() -> Iterator[None]:
    """Without the accountants' remarks about their orders, which are no news to a reader."""
    from absl import logging  # noqa: PLC0415  (comes with dp_accounting, which takes a second to load: only this rule needs it)

    before = logging.get_verbosity()
    logging.set_verbosity(logging.FATAL)
    try:
        yield
    finally:
        logging.set_verbosity(before)


class PrivateTraining(Inputs):
    """How much noise, how often, on how large a sample; or an epsilon, for which the noise is looked for."""

    noise_multiplier: float | None = None
    """Standard deviation of the noise on a sum of clipped gradients, in units of the clipping norm; above 0."""
    epsilon: float | None = None
    """In place of a noise multiplier: the epsilon that the training may cost, above 0."""
    sample_rate: float
    """The probability with which a step takes a record, above 0 and at most 1."""
    steps: Count
    """How many steps, at least 1."""
    delta: float
    """Above 0 and below 1."""


def _conditions(inputs: PrivateTraining) -> tuple[Condition, ...]:
    given = [name for name in ("noise_multiplier", "epsilon") if getattr(inputs, name) is not None]
    conditions = [
        Condition(
            "either noise_multiplier or epsilon is given", len(given) == 1, " and ".join(given) or "neither", Provenance.COMPUTED
        )
    ]
    conditions += [
        Condition(f"{name} > 0", getattr(inputs, name) > 0, f"{getattr(inputs, name):g}", Provenance.COMPUTED) for name in given
    ]
    return (
        *conditions,
        Condition("0 < sample_rate <= 1", 0 < inputs.sample_rate <= 1, f"{inputs.sample_rate:g}", Provenance.COMPUTED),
        Condition("steps >= 1", inputs.steps >= 1, str(inputs.steps), Provenance.COMPUTED),
        Condition("0 < delta < 1", 0 < inputs.delta < 1, f"{inputs.delta:g}", Provenance.COMPUTED),
        Condition(
            "each step takes each record by an independent coin, and clips what it contributes",
            True,
            "as the built-in procedure does; of any other training assumed",
            Provenance.UNKNOWN,
        ),
        Condition(
            "sample_rate and steps are fixed beforehand and public: they do not depend on whether one record is there",
            True,
            TRUSTED,
            Provenance.UNKNOWN,
        ),
    )


def _derive(inputs: PrivateTraining) -> Certificate:
    conditions = _conditions(inputs)
    wanted = "noise_multiplier" if inputs.noise_multiplier is None else "epsilon"
    if not all(condition.holds for condition in conditions):
        return without_result(KIND, inputs, conditions, (wanted,))
    try:
        found = _found(inputs)
    except ModuleNotFoundError as error:
        raise UsageError(f"to derive {KIND} the package dp-accounting is needed: {error.name} is not installed") from error
    if not math.isfinite(found):
        return without_result(KIND, inputs, conditions, (wanted,), reason=f"no finite {wanted} was found for the others")
    return Certificate(
        kind=KIND,
        epsilon=found if inputs.epsilon is None else inputs.epsilon,
        delta=inputs.delta,
        order=None,
        inputs=plain_inputs(inputs),
        conditions=conditions,
        bounds=(),
        outputs={wanted: found},
    )


def _found(inputs: PrivateTraining) -> float:
    rest = {"sample_rate": inputs.sample_rate, "delta": inputs.delta}
    if inputs.noise_multiplier is not None:
        return epsilon(inputs.noise_multiplier, steps=inputs.steps, **rest)
    if inputs.epsilon is None:
        raise AssertionError("a condition asks for one of the two")
    return noise_multiplier(inputs.epsilon, steps=inputs.steps, **rest)


RULES: Final = (
    Rule(
        kind=KIND,
        theorem="Abadi et al. 2016, Algorithm 1, by the smaller of two bounds: Doroshenko et al. 2022, Mironov et al. 2019",
        summary="What DP-SGD costs in (epsilon, delta), records being added or removed; or the noise that an epsilon takes.",
        example="auditor calc dp-sgd --noise-multiplier 2 --sample-rate 0.05 --steps 200 --delta 1e-5",
        inputs=PrivateTraining,
        conditions=_conditions,
        derive=_derive,
    ),
)
