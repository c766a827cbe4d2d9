"""Certified removal by noise at release: the certificate that needs no residual to be independent of anything.

Let w be what the procedure arrives at and g = grad L_b(w; D') what it leaves, for the objective that was really trained. With the
exact minimiser w_r of that same objective, ||w - w_r|| <= ||g||/(lambda n') by strong convexity. So the release w + N(0, s^2 I)
and the release w_r + N(0, s^2 I) are Gaussians of one variance whose means lie at most r/(lambda n') apart, whatever b was:
mu = r/(lambda n' s), for every b and seed for which ||g|| <= r. That is why r has to be fixed before the data and enforced: by
retraining that keeps the same b, or has none, and itself ends with ||g|| <= r. Unlike Guo et al. 2020, Theorem 2, nothing here
asks how g depends on b. Of several classes together, r bounds the norm of all their residuals.
"""

from __future__ import annotations

import math
from typing import Final

from auditor.base.domain import Bound, Certificate, Condition, Provenance
from auditor.maths.certificates import gaussian
from auditor.maths.certificates.rule import Counts, Inputs, Rule, failing, plain_inputs, without_result
from auditor.maths.certificates.trade_off import Leaves
from auditor.maths.tradeoff.promises import Gaussian, Promise, finite, removal_budget

_UP: Final = 1 + 1e-12


def shift(residual: float, l2: float, rows: tuple[int, ...], release_noise: float) -> float:
    """mu = sqrt(sum_t (r/(lambda n_t s))^2), rounded up: how far apart k releases lie, in standard deviations of the noise.

    Args:
        residual: r, a bound on the gradient norm at every release.
        l2: lambda, above 0.
        rows: n_t, the records that each release was trained on, in any order.
        release_noise: s, above 0.
    """
    return _UP * math.hypot(*(residual / (l2 * count) / release_noise for count in rows))


class OutputNoiseInputs(Inputs):
    """A residual budget, the noise, and what is released."""

    l2: float
    """lambda, above 0."""
    rows: Counts
    """n', the records that are left, one number for each release that is seen, with noise of its own."""
    release_noise: float
    """s, the standard deviation of the noise on each parameter, above 0."""
    delta: float
    """Between 0 and 1, both excluded."""
    residual: float | None = None
    """r, the norm that no released model's gradient exceeds: fixed before the data, and enforced."""
    epsilon: float | None = None
    """A target: the largest r that it allows comes out."""
    measured: float | None = None
    """The largest gradient norm that was measured; at most `residual`."""


def _conditions(inputs: OutputNoiseInputs) -> tuple[Condition, ...]:
    fewest = min(inputs.rows, default=0)
    found = [
        Condition("l2 > 0", inputs.l2 > 0, f"{inputs.l2:g}", Provenance.COMPUTED),
        Condition("every release has a record left", fewest >= 1, f"{fewest}", Provenance.COMPUTED),
        Condition("release_noise > 0", inputs.release_noise > 0, f"{inputs.release_noise:g}", Provenance.COMPUTED),
        Condition("0 < delta < 1", 0 < inputs.delta < 1, f"{inputs.delta:g}", Provenance.COMPUTED),
    ]
    if inputs.residual is None and inputs.epsilon is None:
        found.append(Condition("residual or epsilon is given", False, "neither", Provenance.COMPUTED))
    if inputs.residual is not None:
        found.append(Condition("residual >= 0", inputs.residual >= 0, f"{inputs.residual:g}", Provenance.COMPUTED))
    if inputs.epsilon is not None:
        found.append(Condition("epsilon >= 0", inputs.epsilon >= 0, f"{inputs.epsilon:g}", Provenance.COMPUTED))
    if inputs.residual is not None and inputs.measured is not None:
        within = 0 <= inputs.measured <= inputs.residual
        found.append(Condition("the measured residual is at most residual", within, f"{inputs.measured:g}", Provenance.MEASURED))
    return tuple(found)


def _keys(inputs: OutputNoiseInputs) -> tuple[str, ...]:
    spent = ("mu", "distance", "epsilon_spent") if inputs.residual is not None else ()
    return spent + (("residual_budget",) if inputs.epsilon is not None else ())


def _derive(inputs: OutputNoiseInputs) -> Certificate:
    conditions = _conditions(inputs)
    if failing(conditions):
        return without_result("output-noise", inputs, conditions, _keys(inputs))
    outputs: dict[str, float | bool | str | None] = {}
    epsilon = inputs.epsilon
    if inputs.residual is not None:
        mu = shift(inputs.residual, inputs.l2, inputs.rows, inputs.release_noise)
        spent = gaussian.epsilon(inputs.delta, mu) if math.isfinite(mu) and mu > 0 else (0.0 if mu == 0 else math.inf)
        distance = _UP * inputs.residual / (inputs.l2 * min(inputs.rows))
        epsilon = spent if math.isfinite(spent) else None
        outputs |= {"mu": _finite(mu), "distance": _finite(distance), "epsilon_spent": epsilon}
    if inputs.epsilon is not None:
        unit = shift(1.0, inputs.l2, inputs.rows, inputs.release_noise)
        # Where lambda n' is beyond float64, so is the budget.
        outputs["residual_budget"] = _finite(gaussian.mu(inputs.epsilon, inputs.delta) / unit / _UP) if unit else None
    if None in outputs.values():
        outputs["reason"] = "a number exceeds the floating-point range: the residual is so large against the noise, or so small"
    bounds = (Bound("worst-case", inputs.residual), Bound("measured", inputs.measured))
    return Certificate(
        kind="output-noise",
        epsilon=epsilon,
        delta=inputs.delta,
        order=None,
        inputs=plain_inputs(inputs),
        conditions=conditions,
        bounds=() if inputs.measured is None else bounds,
        outputs=outputs,
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


RULES: Final = (
    Rule(
        kind="output-noise",
        theorem="Strong convexity, with the exact Gaussian mechanism (Balle and Wang 2018, Theorem 8) on the released parameters",
        summary="The epsilon of a release with Gaussian noise and a residual within a budget; and the budget for an epsilon.",
        example="auditor calc output-noise --l2 0.01 --rows 500 --release-noise 0.05 --delta 1e-4 --residual 0.05",
        inputs=OutputNoiseInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)


def _left_by(certificate: Certificate) -> Promise:
    """Give the promise of every release together with the residual that is given, or else with the one that epsilon allows."""
    if certificate.inputs.get("residual") is not None:
        mu = certificate.outputs["mu"]
        return finite(Gaussian, mu=math.inf if mu is None else float(mu))
    return removal_budget(certificate.inputs["epsilon"], certificate.inputs["delta"])


PROMISES: Final = {"output-noise": Leaves(_left_by)}
