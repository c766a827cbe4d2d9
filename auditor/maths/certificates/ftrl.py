"""What learning under continual release costs (DP-FTRL), and how well it learns where the loss is convex.

A model that is minus a rate times the noisy sum of all gradients so far sees people through that sum alone: one record is one
gradient of one step, clipped. With independent N(0, s^2) in each sum that is kept, s in units of the clipping norm, the views of
two streams that differ in one record are at most sqrt(S)/s standard deviations apart, all releases and one view of the state
taken together; k records of one person, k sqrt(S)/s. S is the squared sensitivity of the factorisation: the levels of the tree,
or the sum of the squared coefficients of the square root. Later gradients may follow what was released (Denisov, McMahan, Rush,
Smith and Thakurta 2022, Theorem 2.1), so no convexity is needed (Cohen, Smith, Swanberg and Vasudevan 2023, Proposition 5.13).

Nothing of that holds where a record is learned twice, in a second epoch or after a restart: each time counts as a record.

How well it learns: with convex losses that are 1-Lipschitz (so that clipping changes nothing), a record a step, T steps, and
weights without a constraint, follow-the-regularised-leader is gradient descent with a constant rate eta (Kairouz, McMahan, Song,
Thakkar, Thakurta and Xu 2021, Theorem 5.1, here with its constants): for every h*,

    average of loss(h_t) - loss(h*) over the stream <= |h*|^2/(2 eta T) + eta (1/2 + E|Z|),   E|Z| <= sqrt(d) r,

for without noise the sum is at most |h*|^2/(2 eta) + eta T/2, and noise Z in the sum moves the weights by eta |Z|, so that a step
loses eta |Z| more. r is the most noise that a number of
a release carries, sqrt(2 S) s with noise in the state too. At its best eta the bound is
|h*| sqrt((1 + 2 sqrt(d) r)/T): the d^(1/4)/sqrt(n) of Proposition 5.13.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from auditor.base.domain import Certificate, Condition, Provenance
from auditor.maths.certificates import gaussian
from auditor.maths.certificates.prefix_sums import LONGEST, Factorisation, squared_sensitivity
from auditor.maths.certificates.rule import (
    Count,
    Inputs,
    Rule,
    above,
    at_least,
    between,
    failing,
    plain_inputs,
    trusted,
    without_result,
)
from auditor.maths.certificates.trade_off import Leaves
from auditor.maths.tradeoff.promises import Gaussian, Promise, finite

PREFIX: Final = "ftrl-"
"""Of a rule's name; the factorisation follows."""
_LONGEST: Final[Mapping[Factorisation, int]] = {"tree": 2**53, "square-root": LONGEST}
_UP: Final = 1 + 2.0**-48


class FtrlInputs(Inputs):
    """The noise, how long it has to last, and how many records one person has."""

    noise_multiplier: float
    """Standard deviation of the noise in each number of each sum that is kept, in units of the clipping norm; above 0."""
    horizon: Count
    """T, the most steps, at least 1."""
    records: Count = 1
    """k, the records of one person, each learned once; at least 1."""
    delta: float
    """Where to read epsilon, above 0 and below 1."""
    features: Count | None = None
    """d, the numbers of the model, at least 1: with `norm`, for how well it learns."""
    norm: float | None = None
    """|h*|, the length of the weights that it is compared with, above 0."""


def mu(factorisation: Factorisation, noise_multiplier: float, horizon: int, records: int = 1) -> float:
    """How many standard deviations apart the views of two streams are at most, k sqrt(S)/s, rounded up.

    Args:
        factorisation: Of the matrix of prefix sums.
        noise_multiplier: s, above 0.
        horizon: T, at least 1.
        records: k, at least 1.
    """
    return records * math.sqrt(squared_sensitivity(factorisation, horizon)) / noise_multiplier * _UP


def noise_for(factorisation: Factorisation, apart: float, horizon: int, records: int = 1) -> float:
    """The standard deviation in each number of each sum with which `mu` is at most what is asked for, rounded up.

    Args:
        factorisation: Of the matrix of prefix sums.
        apart: How many standard deviations the views of two streams may be apart, at least 0.
        horizon: T, at least 1.
        records: k, at least 1.

    Returns:
        Infinity where no finite noise does.
    """
    # Twice over what `mu` rounds up by.
    return records * math.sqrt(squared_sensitivity(factorisation, horizon)) / apart * (1 + 2.0**-46) if apart else math.inf


def _conditions(factorisation: Factorisation, inputs: FtrlInputs) -> tuple[Condition, ...]:
    found = [
        above("noise_multiplier", inputs.noise_multiplier, 0),
        between(1, "horizon", inputs.horizon, _LONGEST[factorisation]),
        between(1, "records", inputs.records, max(1, inputs.horizon)),
        Condition("0 < delta < 1", 0 < inputs.delta < 1, f"{inputs.delta:g}", Provenance.COMPUTED),
    ]
    together = (inputs.features is None) == (inputs.norm is None)
    found.append(
        Condition("features and norm are given together", together, "together" if together else "one", Provenance.COMPUTED)
    )
    if inputs.features is not None and inputs.norm is not None:
        found += [at_least("features", inputs.features, 1), above("norm", inputs.norm, 0)]
        found.append(trusted("losses are convex and 1-Lipschitz, and each step learns one record: for loss and rate alone"))
    return (
        *found,
        trusted("every record is learned once, its gradient is clipped, and it is taken at weights that were released"),
        trusted("every sum that is kept has noise of its own in each number, and every release has its own on top of that"),
    )


def _derive(factorisation: Factorisation, inputs: FtrlInputs) -> Certificate:
    kind = f"{PREFIX}{factorisation}"
    conditions = _conditions(factorisation, inputs)
    learns = inputs.features is not None and inputs.norm is not None
    keys = ("mu", "epsilon", "release_sigma", *(("rate", "excess_loss") if learns else ()))
    if failing(conditions):
        return without_result(kind, inputs, conditions, keys)
    apart = mu(factorisation, inputs.noise_multiplier, inputs.horizon, inputs.records)
    release = math.sqrt(2 * squared_sensitivity(factorisation, inputs.horizon)) * inputs.noise_multiplier * _UP
    epsilon = gaussian.epsilon(inputs.delta, apart) if math.isfinite(apart) else math.inf
    outputs: dict[str, float] = {"mu": apart, "epsilon": epsilon, "release_sigma": release}
    if inputs.features is not None and inputs.norm is not None:
        each = 1 + 2 * math.sqrt(inputs.features) * release
        outputs["rate"] = inputs.norm / math.sqrt(inputs.horizon) / math.sqrt(each)
        outputs["excess_loss"] = inputs.norm / math.sqrt(inputs.horizon) * math.sqrt(each) * _UP
    if not all(map(math.isfinite, outputs.values())):
        return without_result(kind, inputs, conditions, keys, reason="a number exceeds the floating-point range")
    return Certificate(
        kind=kind,
        epsilon=epsilon,
        delta=inputs.delta,
        order=None,
        inputs=plain_inputs(inputs),
        conditions=conditions,
        bounds=(),
        outputs=outputs,
    )


def _rule(factorisation: Factorisation, name: str) -> Rule[FtrlInputs]:
    kind = f"{PREFIX}{factorisation}"
    conditions: Callable[[FtrlInputs], tuple[Condition, ...]] = partial(_conditions, factorisation)
    derive: Callable[[FtrlInputs], Certificate] = partial(_derive, factorisation)
    return Rule(
        kind=kind,
        theorem="Cohen et al. 2023, Proposition 5.13; Kairouz et al. 2021, Theorem 5.1; Denisov et al. 2022, Theorem 2.1",
        summary=f"What a model kept up to date from a stream costs each person, by {name}, and how well it learns.",
        example=f"auditor calc {kind} --noise-multiplier 20 --horizon 1000 --delta 1e-6 --features 2 --norm 1",
        inputs=FtrlInputs,
        conditions=conditions,
        derive=derive,
    )


RULES: Final = (_rule("tree", "a binary tree"), _rule("square-root", "the square root of the matrix of prefix sums"))


def left_by(certificate: Certificate) -> Promise:
    """Give the promise for the records of one person: a Gaussian one."""
    return finite(Gaussian, mu=float(certificate.outputs["mu"] or 0.0))


PROMISES: Final = {each.kind: Leaves(left_by, together=True) for each in RULES}
