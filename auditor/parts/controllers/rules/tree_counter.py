"""The noise of a private counter that speaks after every event: a binary tree over a horizon of T events.

Every event is counted in h = ceil(log2(T + 1)) nodes at most, one for each level, and every prefix is the sum of h nodes at most.
With independent N(0, s^2) in each node and events that add between 0 and 1, two streams that differ in one event are at most
sqrt(h)/s standard deviations apart, all answers taken together, and no prefix carries more noise than sqrt(h) s (Dwork, Naor,
Pitassi and Rothblum 2010; Chan, Shi and Song 2011; Gaussian noise converted exactly by Balle and Wang 2018, Theorem 8).

Against one announced intrusion into the state, on top of it, the state has noise of its own and every release has its own, which
multiplies the noise of an answer by sqrt(2) at the same mu. One draw used for both protects neither. Noise is rounded up.
"""

from __future__ import annotations

import math
from typing import Final

from auditor.base.domain import Certificate, Condition
from auditor.maths.certificates import gaussian
from auditor.maths.certificates.prefix_sums import levels
from auditor.maths.certificates.rule import (
    Count,
    Inputs,
    Rule,
    at_least,
    between,
    failing,
    trusted,
    without_guarantee,
    without_result,
)
from auditor.maths.certificates.trade_off import Leaves
from auditor.maths.tradeoff.promises import Gaussian, Promise, finite

KIND: Final = "tree-counter"
_UP: Final = 1 + 2.0**-50


def node_noise(epsilon: float, delta: float, horizon: int) -> float:
    """The standard deviation in each node, sqrt(h)/mu(epsilon, delta), rounded up; infinity where no finite one does.

    Args:
        epsilon: At least 0.
        delta: Between 0 and 1.
        horizon: T, at least 1.
    """
    mu = gaussian.mu(epsilon, delta)
    return math.sqrt(levels(horizon)) / mu * _UP if mu else math.inf


class CounterInputs(Inputs):
    """A target for one event, and how many events there may be."""

    epsilon: float
    """For one event, at least 0."""
    delta: float
    """For one event, between 0 and 1."""
    horizon: Count
    """T, the most events that the counter takes, at least 1."""


def _conditions(inputs: CounterInputs) -> tuple[Condition, ...]:
    return (
        at_least("epsilon", inputs.epsilon, 0),
        between(0, "delta", inputs.delta, 1),
        at_least("horizon", inputs.horizon, 1),
        trusted("an event adds between 0 and 1, and no event is about more than one person"),
        trusted("every node has noise of its own, and for the pan-private counter state and release each have theirs"),
    )


def _derive(inputs: CounterInputs) -> Certificate:
    conditions = _conditions(inputs)
    keys = ("node_sigma", "release_sigma", "pan_private_release_sigma")
    if failing(conditions):
        return without_result(KIND, inputs, conditions, keys)
    node = node_noise(inputs.epsilon, inputs.delta, inputs.horizon)
    release = math.sqrt(levels(inputs.horizon)) * node * _UP
    outputs = dict(zip(keys, (node, release, math.sqrt(2) * release * _UP), strict=True))
    if not all(map(math.isfinite, outputs.values())):
        return without_result(KIND, inputs, conditions, keys, reason="no finite noise satisfies epsilon and delta")
    return without_guarantee(KIND, inputs, conditions, outputs)


RULES: Final = (
    Rule(
        kind=KIND,
        theorem="Binary tree of Dwork et al. 2010 and Chan et al. 2011; noise: Balle and Wang 2018, Theorem 8",
        summary="The noise of a counter under continual release over a horizon, and with noise in its state too.",
        example="auditor calc tree-counter --epsilon 1 --delta 1e-6 --horizon 1000",
        inputs=CounterInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)


def left_by(certificate: Certificate) -> Promise:
    """Give the promise of a counter with the noise that its epsilon and delta take: the Gaussian one that it was chosen by."""
    return finite(Gaussian, mu=gaussian.mu(certificate.inputs["epsilon"], certificate.inputs["delta"]))


PROMISES: Final = {KIND: Leaves(left_by, together=True)}
