"""The noise of a private counter by the square-root factorisation of the matrix of prefix sums.

The T by T matrix of ones on and below the diagonal is R R with R lower triangular and Toeplitz, of coefficients
c_k = C(2k, k)/4^k. The counter releases R(Rx + z) with independent N(0, s^2) in z: one event changes Rx by one column of R, at
most sqrt(S) long, S = sum over k < T of c_k^2, and the last answer carries noise of sqrt(S) s. So s = sqrt(S)/mu(epsilon, delta),
and no answer carries more than S/mu (Henzinger, Upadhyay and Upadhyay 2023; Fichtenberger, Henzinger and Upadhyay 2023; Gaussian
noise converted exactly by Balle and Wang 2018, Theorem 8).

Against one announced intrusion into the state, on top of it, every coordinate of Rx is kept with noise of its own and released
with another, which multiplies the noise of an answer by sqrt(2) at the same mu. Noise is rounded up.
"""

from __future__ import annotations

import math
from typing import Final

from auditor.base.domain import Certificate, Condition
from auditor.maths.certificates import gaussian
from auditor.maths.certificates.prefix_sums import LONGEST, root_sensitivity
from auditor.maths.certificates.rule import Rule, at_least, between, failing, trusted, without_guarantee, without_result
from auditor.maths.certificates.trade_off import Leaves
from auditor.parts.controllers.rules.tree_counter import CounterInputs, left_by

KIND: Final = "square-root-counter"
_UP: Final = 1 + 2.0**-48


def noise(epsilon: float, delta: float, horizon: int) -> float:
    """The standard deviation of each coordinate of z, sqrt(S)/mu(epsilon, delta), rounded up; infinity where no finite one does.

    Args:
        epsilon: At least 0.
        delta: Between 0 and 1.
        horizon: T, from 1 to LONGEST.
    """
    mu = gaussian.mu(epsilon, delta)
    return math.sqrt(root_sensitivity(horizon)) / mu * _UP if mu else math.inf


def _conditions(inputs: CounterInputs) -> tuple[Condition, ...]:
    return (
        at_least("epsilon", inputs.epsilon, 0),
        between(0, "delta", inputs.delta, 1),
        between(1, "horizon", inputs.horizon, LONGEST),
        trusted("an event adds between 0 and 1, and no event is about more than one person"),
        trusted("every coordinate has noise of its own, and for the pan-private counter state and release each have theirs"),
    )


def _derive(inputs: CounterInputs) -> Certificate:
    conditions = _conditions(inputs)
    keys = ("sensitivity", "noise_sigma", "release_sigma", "pan_private_release_sigma")
    if failing(conditions):
        return without_result(KIND, inputs, conditions, keys)
    sensitivity = math.sqrt(root_sensitivity(inputs.horizon)) * _UP
    each = noise(inputs.epsilon, inputs.delta, inputs.horizon)
    release = sensitivity * each * _UP
    outputs = dict(zip(keys, (sensitivity, each, release, math.sqrt(2) * release * _UP), strict=True))
    if not all(map(math.isfinite, outputs.values())):
        return without_result(KIND, inputs, conditions, keys, reason="no finite noise satisfies epsilon and delta")
    return without_guarantee(KIND, inputs, conditions, outputs)


RULES: Final = (
    Rule(
        kind=KIND,
        theorem="Square-root factorisation of Fichtenberger, Henzinger and Upadhyay 2023; noise: Balle and Wang 2018, Theorem 8",
        summary="The noise of a counter under continual release with the least error, and with noise in its state too.",
        example="auditor calc square-root-counter --epsilon 1 --delta 1e-6 --horizon 1000",
        inputs=CounterInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
PROMISES: Final = {KIND: Leaves(left_by, together=True)}
