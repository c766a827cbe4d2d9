"""The Gaussian trade-off of noisy gradient descent: how many standard deviations apart a record leaves the model.

Two runs differ in one record (or in m) for T steps and in none for the K steps after that. A step is a map that leaves any two
models at most c = max(|1 - eta lambda|, |1 - eta (lambda + beta)|) times as far apart, plus noise of standard deviation
s = sqrt(2 eta) sigma; while the record is there the two maps differ by at most A = 2 eta L m/n. Shifted interpolation (Bok, Su
and Altschuler 2024) with shifts A for T steps and then 0 bounds the trade-off, in both directions, by that of two unit Gaussians

    mu_{T,K} = (A/s) c^K (1 - c^T)/(1 - c) sqrt((1 - c^2)/(1 - c^(2(T+K)))) <= (A/s) c^K sqrt((1 + c)/(1 - c))

apart. It grows with T, so that the right-hand side holds for any number of learning steps; a quadratic attains it from a fixed
start. At c = 1 it is (A/s) T/sqrt(T + K). Then R_q <= q mu^2/2 for every order q. It stands alongside Theorem 5.1 of
forget-unlearning.md and never takes its place. mu is rounded up.

Proof. Write the runs as X <- phi_t(X) + s Z and X' <- phi'_t(X') + s Z', N = T + K, a_t = A for t <= T and 0 after. Let
Y_0 = X_0 and Y_t = phi'_t(Y_{t-1}) + l_t (phi_t(X_{t-1}) - phi'_t(Y_{t-1})) + s Z_t, with the noise of X and some l_t between 0
and 1. Where |X_{t-1} - Y_{t-1}| <= z_{t-1}, |phi_t(X_{t-1}) - phi'_t(Y_{t-1})| <= c z_{t-1} + a_t. Of this the share
u_t = l_t (c z_{t-1} + a_t) moves Y_t against a step of X', and the rest stays: z_t = c z_{t-1} + a_t - u_t. A move by at most u_t
under noise of s costs the trade-off a factor G(u_t/s), whatever came before, and Gaussian trade-offs compose by adding squares.
So the trade-off of Y_N and X'_N is at least G(mu) with mu^2 = sum u_t^2/s^2, and Y_N = X_N once z_N = 0.

z_N = 0 says sum c^(N-t) u_t = sum c^(N-t) a_t = A c^K (1 - c^T)/(1 - c). By Cauchy and Schwarz sum u_t^2 is smallest for u_t
proportional to c^(N-t), which gives mu_{T,K}. These shares are allowed: a_t/u_t never rises with t, so the sums of
c^(N-i) (a_i - u_i) up to any t are at least their total, which is 0, and every z_t >= 0. The bound grows with T, since
(1 - x)/sqrt(1 - x^2 y^2) falls in x = c^T for y = c^K <= 1. Exchanging the roles of the runs gives the other direction.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

from auditor.base.domain import Certificate, Condition
from auditor.maths.certificates.contraction import INDISTINCT, LossInputs
from auditor.maths.certificates.rounding import exponential_ceiling, logarithm
from auditor.maths.certificates.rule import (
    TOO_LARGE,
    Count,
    Rule,
    above,
    at_least,
    between,
    failing,
    trusted,
    without_guarantee,
    without_result,
)

KIND: Final = "noisy-gd-gaussian"


class TradeoffInputs(LossInputs):
    """The constants of the loss and of the descent."""

    n: Count
    """The records trained on; with plain deletions the fewest while the record was among them."""
    rate: float
    """eta, the step size, above 0 and at most 2/(l2 + smoothness)."""
    steps: Count
    """K, the steps since the record left."""
    learn_steps: Count | None = None
    """T, the steps with the record; left out, the bound holds for any number of them."""
    size: Count = 1
    """m, the people whose records leave together, at most n."""


def mu(inputs: TradeoffInputs) -> float:
    """mu_{T,K}, rounded up; infinity beyond the floating-point range.

    Args:
        inputs: In their ranges, with c <= 1, and c < 1 where no learning steps are given.
    """
    learning, unlearning = inputs.learn_steps, inputs.steps
    squared = 2 * Fraction(inputs.rate) * (Fraction(inputs.lipschitz) * inputs.size / inputs.n) ** 2 / Fraction(inputs.sigma2)
    missing = inputs.missing(inputs.rate)
    if squared == 0 or learning == 0 or (missing == 1 and unlearning > 0):
        return 0.0
    log_shift = logarithm(squared) / 2
    near = float(missing)
    if near < INDISTINCT and learning is not None:
        # c = 1 is a factor for every map that moves models together, and here it costs nothing that can be seen.
        return exponential_ceiling(log_shift, math.log(learning), -math.log(learning + unlearning) / 2)
    if missing == 0:
        return math.inf
    if missing == 1:
        return exponential_ceiling(log_shift)
    # From the exact c where it is small, as 1 - near has no digits of it then.
    log_c = math.log1p(-near) if near < 0.5 else logarithm(1 - missing)
    terms = [log_shift, unlearning * log_c, logarithm(2 - missing) / 2, -logarithm(missing) / 2]
    if learning is not None:
        terms += [math.log(-math.expm1(learning * log_c)), -math.log(-math.expm1(2 * (learning + unlearning) * log_c)) / 2]
    return exponential_ceiling(*terms)


def _ranges(inputs: TradeoffInputs) -> tuple[Condition, ...]:
    found = [
        *inputs.ranges,
        at_least("n", inputs.n, 1),
        above("rate", inputs.rate, 0),
        at_least("steps", inputs.steps, 0),
        between(1, "size", inputs.size, inputs.n),
    ]
    if inputs.learn_steps is not None:
        found.append(at_least("learn_steps", inputs.learn_steps, 0))
    return tuple(found)


def _conditions(inputs: TradeoffInputs) -> tuple[Condition, ...]:
    ranges = _ranges(inputs)
    if failing(ranges):
        return ranges
    return (
        *ranges,
        *inputs.contracts(inputs.rate, learned=inputs.learn_steps, key="learn_steps"),
        trusted("full-batch steps at this rate, noise in each, from a start that does not depend on the data"),
        trusted("requests are fixed in advance, and nothing but the model is carried from one update to the next"),
    )


def _derive(inputs: TradeoffInputs) -> Certificate:
    conditions = _conditions(inputs)
    if failing(conditions):
        return without_result(KIND, inputs, conditions, ("mu",))
    found = mu(inputs)
    if not math.isfinite(found):
        return without_result(KIND, inputs, conditions, ("mu",), reason=TOO_LARGE)
    return without_guarantee(KIND, inputs, conditions, {"mu": found})


RULES: Final = (
    Rule(
        kind=KIND,
        theorem="Shifted interpolation (Bok, Su and Altschuler 2024) with shifts while the record is there, then none",
        summary="How far apart, in standard deviations, a record that left keeps two models of noisy gradient descent.",
        example="auditor calc noisy-gd-gaussian --lipschitz 1 --l2 0.05 --smoothness 0.25 --sigma2 0.01 --n 500 --rate 1.6"
        " --steps 10",
        inputs=TradeoffInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
