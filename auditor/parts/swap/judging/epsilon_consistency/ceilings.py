"""The ε that an advantage in the SWAP test shows, by the promise that it is held against.

A pair has two worlds that differ in 2k records: of k = |F| = |T| each, one holds F and not T, the other T and not F. Both differ
in k records from a third, which holds neither: the model retrained on R, or private training on R. Each keeps its promise towards
the third, so that nobody tells the two apart by more than `auditor.maths.tradeoff.reading.swap_ceiling` of the promise for all k
together. That is the composition of the promise with itself in two steps, removal and addition: no smaller ceiling is proved for
an exchange, of training on random samples neither.

| what is known | its ceiling | the ε shown |
|---|---|---|
| (ε, δ) | 1 − (1 − 2δ) e^−ε | the least one whose ceiling is not exceeded |
| a Gaussian shift μ | 2Φ(μ) − 1 | that of the least μ, at δ |
| noise in training, k records together | 1 − 2f(½), f of its distribution | that of less noise at the same rate and steps, at δ |

What (ε, δ) shows holds of every mechanism. A curve that came off a distribution is in no certificate: its parameters do.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Final

from auditor.base.domain import Certificate
from auditor.base.promises import Approximate, Gaussian, Promise, Pure, SubsampledGaussian
from auditor.maths.certificates import derive
from auditor.maths.certificates.trade_off import KIND as TRADE_OFF
from auditor.maths.tradeoff import reading
from auditor.parts.swap.rules.swap import epsilon_lower, gaussian_epsilon_exceeds, gaussian_epsilon_lower, gaussian_mu_lower

MOST: Final = 1 - 1e-5
"""From this ceiling on a promise says nothing: what is read off a distribution keeps five digits."""
_ROUNDING: Final = 1e-12
_LESS_NOISE: Final = 2.0**-0.25
"""By what noise is lowered to see how much less of it an advantage refutes as well."""
_LOWERED: Final = 16
"""How often, at most: to a sixteenth of the noise."""


def certificate(promise: Promise) -> Certificate | None:
    """Derive the ceiling of a promise for all that the game forgets; None where it would come off a distribution."""
    match promise:
        case Approximate(epsilon=epsilon, delta=delta):
            return derive("swap", {"epsilon": epsilon, "delta": delta})
        case Pure(epsilon=epsilon):
            return derive("swap", {"epsilon": epsilon, "delta": 0.0})
        case Gaussian(mu=mu):
            return derive(TRADE_OFF, {"mu": mu})
        case _:
            return None


# Judges ask again and again: under the case's policy and the default one, and halving their way to a boundary.
@lru_cache(maxsize=256)
def of_advantage(advantage: float, delta: float) -> Certificate:
    """Read an advantage backward, as the rule `swap` does.

    The quality is raised by a rounding error, and never 0: one that is too high makes the bound on ε too low, which refutes
    nothing by mistake, while no finite bound can be read off a quality of 0.
    """
    return derive("swap", {"quality": _quality(advantage), "delta": delta})


def _quality(advantage: float) -> float:
    return min(1.0, max(_ROUNDING, (1.0 - advantage) * (1 + _ROUNDING)))


@lru_cache(maxsize=4096)
def shown(promise: Promise, advantage: float, delta: float, *, epsilon: float) -> float:
    """Give the ε at δ that an advantage shows, rounded down; infinite where no finite one does.

    It is above the ε of a promise read at δ only where the advantage exceeds what the promise, or its (ε, δ), allows.

    Args:
        promise: For all that the game forgets.
        advantage: A lower limit, between 0 and 1.
        delta: Of the statement.
        epsilon: That of the promise at δ.
    """
    # One number of the certificate; searches for an advantage ask for it fifty times, and never for the others.
    quality = _quality(advantage)
    match promise:
        case Gaussian():
            return gaussian_epsilon_lower(gaussian_mu_lower(quality), delta)
        case SubsampledGaussian():
            return max(epsilon_lower(quality, delta), _by_noise(promise, advantage, delta, epsilon))
        case _:
            return epsilon_lower(quality, delta)


def exceeds(promise: Promise, advantage: float, delta: float, epsilon: float, *, than: float) -> bool:
    """Say whether `shown` gives more than a number, without inverting the trade-off where that is clear.

    Args:
        promise: As `shown` takes it, and the others likewise.
        advantage: A lower limit.
        delta: Of the statement.
        epsilon: That of the promise at δ.
        than: The number, at least 0.
    """
    match promise:
        case Gaussian():
            clear = gaussian_epsilon_exceeds(gaussian_mu_lower(_quality(advantage)), delta, than)
        case _:
            clear = None
    return shown(promise, advantage, delta, epsilon=epsilon) > than if clear is None else clear


def _by_noise(training: SubsampledGaussian, advantage: float, delta: float, epsilon: float) -> float:
    """The ε at δ of the least noise that an advantage refutes; 0 where it does not refute what is declared."""
    refuted = 0
    while refuted <= _LOWERED and advantage > _ceiling(training, refuted):
        refuted += 1
    if not refuted:
        return 0.0
    # What is refuted is exceeded, if by no more than numbers can tell. The ε of a little more noise than the least, as one that
    # is rounded up would be no lower bound at the least.
    beyond = _epsilon(training, refuted - 2, delta) if refuted > 1 else epsilon
    return math.nextafter(max(epsilon, beyond if math.isfinite(beyond) else epsilon), math.inf)


def _with_less_noise(training: SubsampledGaussian, times: int) -> SubsampledGaussian:
    return replace(training, noise_multiplier=training.noise_multiplier * _LESS_NOISE**times)


@lru_cache(maxsize=256)
def _ceiling(training: SubsampledGaussian, times: int) -> float:
    return reading.swap_ceiling(_with_less_noise(training, times))


@lru_cache(maxsize=256)
def _epsilon(training: SubsampledGaussian, times: int, delta: float) -> float:
    return reading.epsilon_at(_with_less_noise(training, times), delta)
