"""What noisy gradient descent on a convex loss costs in accuracy, and saves in gradients (forget-unlearning.md, Theorem 5.1 (3)).

Theorem 5.1 (3) says that every model has an excess empirical risk of O(q d/(epsilon_dp n^2)) once

    K_A >= 4 kappa ln(epsilon_dp n^2/(4 q d)),    K_U >= 4 kappa ln max{5 kappa, 8 epsilon_dp r^2/(q d)}           (17)

and (2) asks for K_U >= 4 kappa ln(epsilon_dp/epsilon_dd) (16); a request then costs n (K_A - K_U) gradients less than learning
again (Table 1). The constant of that O is not printed. The bound here has all of its constants, holds for any steps and for
requests that depend on published models, and is proved below. With M = lambda + beta, eta = 1/(2M),
c = 1 - 1/(2 kappa), v = d sigma^2/(lambda (1 - 1/(4 kappa))) and s = 2 r L/(lambda n):

    limit     = d sigma^2/(1 + 1/(2 kappa))                                      of the law that the steps tend to
    learned  <= min{(M/2) (v + c^(2 K_A) (L/lambda)^2),  limit + sqrt(4 M d sigma^2/3) W + (M/2) W^2},
                W^2 = c^(2 K_A) (v + (L/lambda + sqrt v)^2)
    updated  <= min{(M/2) (a^2 (e + s)^2 + (1 - a^2) v), limit + sqrt(4 M d sigma^2/3) W + (M/2) W^2},
                a = c^(K_U),  W = a (e + s + sqrt v),
                e = max{sqrt(v + c^(2 K_A) (L/lambda)^2), (a^2 s + sqrt(a^2 s^2 + (1 - a^2)^2 v))/(1 - a^2)}

for every model after any number of requests. Bounds and steps are rounded up, the share that is saved down.

Proof. Write F = L_D with minimiser theta*, lambda-strongly convex and M-smooth. A step without noise brings two points together
by c at least. |theta*| <= L/lambda, since lambda theta* is minus a mean of gradients. Where r of n records are replaced or
deleted, grad F moves by at most 2 r L/n everywhere, and theta* by at most s.

The distance to the minimum. E|theta_{k+1} - theta*|^2 <= c^2 E|theta_k - theta*|^2 + 2 eta sigma^2 d, whose fixed point is v, and
E|theta_0 - theta*|^2 = v + |theta*|^2: after K_A steps it is at most v + c^(2 K_A) (L/lambda)^2. Let e_i^2 bound it after update
i. Given all that happened before, e_i^2 <= a^2 (e_{i-1} + s)^2 + (1 - a^2) v. As a map of e this has slope a < 1 at most, and the
fixed point that e has as its second entry, so that the larger of that and e_0 is an e for all i. By smoothness the excess risk is
at most M/2 times the squared distance: the first bound.

The limit. The steps contract to one stationary law pi. For theta ~ pi and G = E|grad F(theta)|^2, stationarity of
E|theta - theta*|^2 says E<grad F(theta), theta - theta*> = sigma^2 d + eta G/2. A convex M-smooth F has F(theta) - F(theta*) <=
<grad F(theta), theta - theta*> - |grad F(theta)|^2/(2M), hence E[F(theta) - F(theta*)] <= sigma^2 d - G/(4M); and G >=
2 lambda E[F(theta) - F(theta*)]. So E_pi[F - F(theta*)] <= `limit`, without a factor of kappa. As |grad F|^2 <=
M <grad F, theta - theta*> too, G <= (4/3) M sigma^2 d.

Up to the limit. For a model A and B ~ pi coupled with E|A - B|^2 <= W^2, smoothness gives E F(A) - E F(B) <= sqrt(G) W + M W^2/2.
The same noise in both couples them: W shrinks by c a step. For learning W^2 <= c^(2 K_A) (v + (L/lambda + sqrt v)^2), the start
being centred and independent of B; for an update W <= a (e + s + sqrt v). That is the second bound, and the smaller counts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from auditor.base.domain import Certificate, Condition, Provenance
from auditor.maths.certificates.rounding import ceiling, exponential_ceiling, logarithm
from auditor.maths.certificates.rule import (
    MOST,
    TOO_LARGE,
    Count,
    Inputs,
    Rule,
    above,
    at_least,
    between,
    failing,
    smallest_count,
    trusted,
    without_guarantee,
    without_result,
)
from auditor.parts.data_deletion.rules.noisy_gd_convex import deletion_epsilon, private_epsilon, steps_needed

KIND: Final = "noisy-gd-utility"
_DIGITS: Final = 100
"""Binary digits that a root is taken to."""


class UtilityInputs(Inputs):
    """The constants of Theorem 5.1, the noise or the privacy that it buys, and the steps or nothing in their place."""

    q: float
    """The Renyi order, above 1."""
    d: Count
    """The number of parameters."""
    n: Count
    """The records trained on; with plain deletions the fewest before any request."""
    r: Count = 1
    """The most records that one request replaces or deletes, at most n."""
    lipschitz: float
    """L, a bound on the gradient norm of every record's loss, above 0."""
    l2: float
    """lambda, the coefficient of the regulariser outside the mean, above 0."""
    smoothness: float
    """beta, a bound on the curvature of every record's loss, above 0."""
    epsilon_dp: float | None = None
    """The epsilon of one published model for the records that stay, above 0; leave it out to go from the noise."""
    sigma2: float | None = None
    """sigma^2, the variance of the noise before it is scaled by sqrt(2 eta), above 0; leave it out to go from epsilon_dp."""
    epsilon_dd: float | None = None
    """The epsilon that unlearning is to reach, above 0; leave it out to ask for (17) alone."""
    learn_steps: Count | None = None
    """K_A; what (17) asks for where it is left out."""
    unlearn_steps: Count | None = None
    """K_U, at least 1; what (16) and (17) ask for where it is left out."""


@dataclass(frozen=True, slots=True)
class Utility:
    """Upper bounds on E[L_D(model)] - min L_D, the excess empirical risk, in the units of the loss."""

    limit: Fraction
    """After so many steps that more of them change nothing."""
    learned: Fraction
    """After learning."""
    updated: Fraction | None
    """After any number of requests; None where the steps of one request are too few to bring two models together."""


def excess_risk(
    *,
    parameters: int,
    sigma2: float,
    lipschitz: float,
    l2: float,
    smoothness: float,
    rows: int,
    changed: int,
    steps: tuple[int, int],
) -> Utility:
    """What the excess empirical risk of learned and of updated models is at most; proved above.

    Args:
        parameters: d.
        sigma2: sigma^2, above 0.
        lipschitz: L, above 0.
        l2: lambda, above 0.
        smoothness: beta, above 0.
        rows: n, the fewest records before a request.
        changed: r, the most records of one request.
        steps: K_A and K_U.
    """
    strong, bend = Fraction(l2), Fraction(l2) + Fraction(smoothness)
    kappa = bend / strong
    noise = parameters * Fraction(sigma2)
    spread = noise / (strong * (1 - 1 / (4 * kappa)))
    radius, shift = Fraction(lipschitz) / strong, 2 * changed * Fraction(lipschitz) / (strong * rows)
    limit = noise / (1 + 1 / (2 * kappa))
    slope = _root(4 * bend * noise / 3)

    def through_the_limit(squared_distance: Fraction) -> Fraction:
        return limit + slope * _root(squared_distance) + bend / 2 * squared_distance

    learning, unlearning = (_left(kappa, count) for count in steps)
    near = spread + learning**2 * radius**2
    learned = min(bend / 2 * near, through_the_limit(learning**2 * (spread + (radius + _root(spread)) ** 2)))
    if unlearning >= 1:
        return Utility(limit, learned, None)
    faded = unlearning**2
    settled = (faded * shift + _root(faded * shift**2 + (1 - faded) ** 2 * spread)) / (1 - faded)
    distance = max(_root(near), settled)
    updated = min(
        bend / 2 * (faded * (distance + shift) ** 2 + (1 - faded) * spread),
        through_the_limit(faded * (distance + shift + _root(spread)) ** 2),
    )
    return Utility(limit, learned, updated)


def _left(kappa: Fraction, steps: int) -> Fraction:
    """c^K = (1 - 1/(2 kappa))^K, rounded up."""
    if not steps:
        return Fraction(1)
    each = math.log1p(-float(1 / (2 * kappa)))  # off by at most 2^-52 (1 + |each|) each, which the steps multiply
    return Fraction(exponential_ceiling(max(steps * each, -1e300) + steps * 2.0**-51 * (abs(each) + float(1 / (2 * kappa)))))


def _root(exact: Fraction) -> Fraction:
    """The square root, rounded up to a relative 2^-(`_DIGITS` - 1)."""
    if not exact:
        return exact
    scale = max(0, _DIGITS + (exact.denominator.bit_length() - exact.numerator.bit_length()) // 2 + 1)
    return Fraction(math.isqrt((exact.numerator << 2 * scale) // exact.denominator) + 1, 1 << scale)


def learning_steps(inputs: UtilityInputs, private: float) -> int | None:
    """The smallest K_A of (17); None where it exceeds `MOST`."""
    return _steps(inputs, Fraction(private) * inputs.n**2 / (4 * Fraction(inputs.q) * inputs.d))


def updating_steps(inputs: UtilityInputs, private: float) -> int | None:
    """The smallest K_U of (17); None where it exceeds `MOST`."""
    return _steps(inputs, max(5 * _kappa(inputs), 8 * Fraction(private) * inputs.r**2 / (Fraction(inputs.q) * inputs.d)))


def _steps(inputs: UtilityInputs, ratio: Fraction) -> int | None:
    """The smallest K with K >= 4 kappa ln(ratio)."""
    if ratio <= 1:
        return 0
    target, each = logarithm(ratio), float(1 / (4 * _kappa(inputs)))
    return smallest_count(lambda count: exponential_ceiling(target, -min(count * each, 1e300)) <= 1)


def _kappa(inputs: UtilityInputs) -> Fraction:
    return (Fraction(inputs.l2) + Fraction(inputs.smoothness)) / Fraction(inputs.l2)


def _conditions(inputs: UtilityInputs) -> tuple[Condition, ...]:
    given = [name for name in ("epsilon_dp", "sigma2") if getattr(inputs, name) is not None]
    found = [
        above("q", inputs.q, 1),
        at_least("d", inputs.d, 1),
        at_least("n", inputs.n, 1),
        between(1, "r", inputs.r, inputs.n),
        above("lipschitz", inputs.lipschitz, 0),
        above("l2", inputs.l2, 0),
        above("smoothness", inputs.smoothness, 0),
        Condition(
            "exactly one of epsilon_dp and sigma2 given", len(given) == 1, " and ".join(given) or "neither", Provenance.COMPUTED
        ),
    ]
    for name in ("epsilon_dp", "sigma2", "epsilon_dd"):
        value = getattr(inputs, name)
        if value is not None:
            found.append(above(name, value, 0))
    for name, least in (("learn_steps", 0), ("unlearn_steps", 1)):
        value = getattr(inputs, name)
        if value is not None:
            found.append(at_least(name, value, least))
    return (
        *found,
        trusted("every loss is convex, twice differentiable, Lipschitz and smooth with these constants"),
        trusted("gradients are not clipped, or are a scalar times the record"),
        trusted("full-batch steps at the rate 1/(2(l2 + smoothness)), noise in each; the last model is released"),
        trusted("the start is drawn from a centred Gaussian of variance sigma2/(l2(1 - rate l2/2))"),
        trusted("nothing but the model is carried from one update to the next"),
    )


_STEPS: Final = ("learn_steps", "unlearn_steps", "learn_steps_utility", "unlearn_steps_utility")
_RISKS: Final = ("excess_risk_learned", "excess_risk_updated", "excess_risk_limit", "excess_risk_zero", "printed_order")
_KEYS: Final = ("sigma2", "epsilon_dp", "epsilon_dd", "kappa", *_STEPS, *_RISKS, "gradients_saved", "share_saved")


def _derive(inputs: UtilityInputs) -> Certificate:
    conditions = _conditions(inputs)
    keys = (*_KEYS, *(() if inputs.epsilon_dd is None else ("unlearn_steps_deletion",)))
    if failing(conditions):
        return without_result(KIND, inputs, conditions, keys)
    noise, private = _noise(inputs)
    if not (0 < noise < math.inf and 0 < private < math.inf):
        return without_result(KIND, inputs, conditions, keys, reason=TOO_LARGE)
    asked: dict[str, int | None] = {
        "learn_steps_utility": learning_steps(inputs, private),
        "unlearn_steps_utility": updating_steps(inputs, private),
    }
    if inputs.epsilon_dd is not None:
        asked["unlearn_steps_deletion"] = steps_needed(inputs.epsilon_dd, private, l2=inputs.l2, smoothness=inputs.smoothness)
    counts = {name: steps for name, steps in asked.items() if steps is not None}
    if len(counts) < len(asked):
        return without_result(KIND, inputs, conditions, keys, reason=f"the equations ask for more than {MOST} steps")
    unlearning = max(1, *(steps for name, steps in counts.items() if name.startswith("unlearn")))
    steps = (
        inputs.learn_steps if inputs.learn_steps is not None else counts["learn_steps_utility"],
        inputs.unlearn_steps if inputs.unlearn_steps is not None else unlearning,
    )
    outputs = _outputs(inputs, noise, private, steps)
    if isinstance(outputs, str):
        return without_result(KIND, inputs, conditions, keys, reason=outputs)
    return without_guarantee(KIND, inputs, conditions, {key: {**outputs, **counts}[key] for key in keys})


def _noise(inputs: UtilityInputs) -> tuple[float, float]:
    """sigma^2 and epsilon_dp, each rounded up where it is worked out."""
    if inputs.sigma2 is not None:
        constants = {"lipschitz": inputs.lipschitz, "l2": inputs.l2, "sigma2": inputs.sigma2}
        return inputs.sigma2, private_epsilon(inputs.q, **constants, rows=inputs.n)
    if inputs.epsilon_dp is None:
        raise AssertionError("one of the two is given")
    scale = 4 * Fraction(inputs.q) * Fraction(inputs.lipschitz) ** 2
    return ceiling(scale / (Fraction(inputs.l2) * Fraction(inputs.epsilon_dp) * inputs.n**2)), inputs.epsilon_dp


def _outputs(inputs: UtilityInputs, noise: float, private: float, steps: tuple[int, int]) -> Mapping[str, Any] | str:
    """Every output but what the equations ask for; or why there is none."""
    constants = {"lipschitz": inputs.lipschitz, "l2": inputs.l2, "smoothness": inputs.smoothness}
    risk = excess_risk(parameters=inputs.d, sigma2=noise, rows=inputs.n, changed=inputs.r, steps=steps, **constants)
    unit = Fraction(inputs.lipschitz) ** 2 / Fraction(inputs.l2)
    printed = Fraction(inputs.q) * inputs.d / (Fraction(private) * inputs.n**2) * unit
    learning, unlearning = steps
    share = None if not learning else Fraction(learning - unlearning, learning)
    if risk.updated is None:
        return "the steps of a request hardly bring two models together, so that nothing bounds what requests add up to"
    found = {
        "sigma2": noise,
        "epsilon_dp": private,
        "epsilon_dd": deletion_epsilon(private, l2=inputs.l2, smoothness=inputs.smoothness, steps=unlearning),
        "kappa": ceiling(_kappa(inputs)),
        "learn_steps": learning,
        "unlearn_steps": unlearning,
        "excess_risk_learned": ceiling(risk.learned),
        "excess_risk_updated": ceiling(risk.updated),
        "excess_risk_limit": ceiling(risk.limit),
        "excess_risk_zero": ceiling(unit / 2),
        "printed_order": ceiling(printed),
        "gradients_saved": inputs.n * (learning - unlearning),
        "share_saved": None if share is None else -ceiling(-share),
    }
    return found if all(math.isfinite(value) for value in found.values() if value is not None) else TOO_LARGE


RULES: Final = (
    Rule(
        kind=KIND,
        theorem="Forget Unlearning, Theorem 5.1 (3) with equations 16 and 17 and Table 1; the bound: in the rule's module",
        summary="The steps that utility and deletion ask for, how far the risk then is above its least, and the gradients saved.",
        example="auditor calc noisy-gd-utility --q 2 --d 30 --n 500 --r 1 --lipschitz 1 --l2 0.05 --smoothness 0.25"
        " --epsilon-dp 0.064 --epsilon-dd 1e-3",
        inputs=UtilityInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
