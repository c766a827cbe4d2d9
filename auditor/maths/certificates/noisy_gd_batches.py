"""The Gaussian trade-off of noisy gradient descent in mini-batches: how far apart a record leaves the model (Chien et al. 2024).

Every record belongs to one of M batches, by itself and for ever. An epoch visits batch 1, ..., M, always in this order; a visit
is a step along (1/b) times the sum of the gradients of the batch's records, plus that of (lambda/2)||theta||^2, with noise of
standard deviation s = sqrt(2 eta) sigma. b is a fixed number, at least the number of records in any batch: a record that leaves
changes neither b nor the batch of anybody else. The run that never had it is the same with its term left out, so that the maps
of the two runs differ by at most A = eta L/b on the one visit of an epoch, and only while the record is there: for T epochs, and
not for the K >= 1 after that. With c = max(|1 - eta lambda|, |1 - eta (lambda + beta)|) and C = c^M the trade-off between the
two, in both directions, is at least that of two unit Gaussians

    mu_{T,K} = (A/s) C^K (1 - C^T)/(1 - C) sqrt((1 - c^2)/(1 - c^(2 ((T-1) M + 1 + K M))))

apart. It grows with T, up to (A/s) C^K sqrt(1 - c^2)/(1 - C). At c = 1 it is (A/s) T/sqrt((T-1) M + 1 + K M). Records that
leave together add up: m of them, in whichever batches, are at most m mu apart. Then R_q <= q m^2 mu^2/2 for every order q. Both
runs take the same steps from the same start, so that no law need be stationary and no projection is needed. mu is rounded up.

Proof. A visit of a batch with at most b records steps along a function whose Hessian lies between lambda and lambda + beta; so
does the visit of an empty one. So the map of every step has the Lipschitz constant c in both runs. Let the record be in batch j.
Before its first visit the runs have one law. Number the steps from that visit, 1, ..., N. The record's visits are at the steps
1, M + 1, ..., (T-1) M + 1, whose shift is a_t = A; every other a_t is 0, and q = K M + M - j steps follow the last visit:
N = (T-1) M + 1 + q. As in `noisy_gd_gaussian`, a third run Y starts as X, z_0 = 0, and is moved by shares u_t >= 0:
z_t = c z_{t-1} + a_t - u_t bounds |X_t - Y_t|, as long as every z_t >= 0 and z_N = 0 the trade-off is at least G(mu) with
mu^2 = sum u_t^2/s^2. z_N = 0 says sum c^(N-t) u_t = sum c^(N-t) a_t = A c^q (1 - C^T)/(1 - C), and by Cauchy and Schwarz
u_t = k c^(N-t) makes the sum of squares smallest: mu^2 s^2 = (sum c^(N-t) a_t)^2/sum c^(2(N-t)).

These shares are allowed. c^(-t) z_t is P_t - V_t with P_t = sum_{i<=t} c^(-i) a_i and V_t = sum_{i<=t} c^(-i) u_i, which both
never fall, and P rises at visits alone. So z_t >= 0 for all t if V <= P at the last step e M before each next visit, and at N.
There V is proportional to C^(-2e) - 1 and P to C^(-e) - 1, so that V/P is proportional to C^(-e) + 1, which grows with
e: it is largest at e = T, and V_{TM} <= V_N = P_N = P_{TM}, since N >= T M by q >= M - 1 (K >= 1 gives it; with K = 0 and j > 1
it fails, and so does the bound). At c = 1 the same holds with e M in the place of both, where V/P is constant.

mu falls as q grows: so does c^q, and so does 1/sqrt(1 - c^(2(a+q))) for any a. The largest is that of the last batch, j = M and
q = K M, which is mu_{T,K}. It grows with T: (1 - x)/sqrt(1 - x^2 y^2) with x = C^T and y^2 = c^(2(1+q-M)) falls in x as long as
x y^2 <= 1, and q >= M. For m records take them away one by one: the premises hold for fewer records, and unit Gaussians mu_1 and
mu_2 apart, one after the other, are mu_1 + mu_2 apart. Exchanging the roles of the runs gives the other direction.

What it does not cover: batches that are packed again when a record leaves, or a mean over those that are left in the batch,
since others' gradients change then; an order that depends on data or requests; requests that depend on released models.
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
    failing,
    trusted,
    without_guarantee,
    without_result,
)

KIND: Final = "noisy-gd-batches"


class BatchInputs(LossInputs):
    """The constants of the loss, of the batches and of the descent."""

    batch: Count
    """b, which every batch's sum of gradients is divided by; no batch has more records."""
    batches: Count
    """M, the steps of an epoch."""
    rate: float
    """eta, the step size, above 0 and at most 2/(l2 + smoothness)."""
    epochs: Count
    """K, the whole epochs since the record left, at least 1."""
    learn_epochs: Count | None = None
    """T, the epochs with the record; left out, the bound holds for any number of them."""
    size: Count = 1
    """m, the records that leave together."""


def mu(inputs: BatchInputs) -> float:
    """m mu_{T,K}, rounded up; infinity beyond the floating-point range.

    Args:
        inputs: In their ranges, with c <= 1, and c < 1 where no learning epochs are given.
    """
    learning, epoch = inputs.learn_epochs, inputs.batches
    shift = Fraction(inputs.lipschitz) * inputs.size / inputs.batch
    squared = Fraction(inputs.rate) * shift**2 / (2 * Fraction(inputs.sigma2))
    missing = inputs.missing(inputs.rate)
    if squared == 0 or learning == 0 or missing == 1:
        return 0.0
    after = inputs.epochs * epoch
    counted = None if learning is None else (learning - 1) * epoch + 1 + after
    near, log_shift = float(missing), logarithm(squared) / 2
    if near < INDISTINCT and learning is not None and counted is not None:
        # c = 1 is a factor for every map that moves models together, and here it costs nothing that can be seen.
        return exponential_ceiling(log_shift, math.log(learning), -math.log(counted) / 2)
    if missing == 0:
        return math.inf
    # From the exact c where it is small, as 1 - near has no digits of it then.
    log_c = math.log1p(-near) if near < 0.5 else logarithm(1 - missing)
    # As long as c^M has no digits to spare either, 1 - c^M is M (1 - c).
    epoch_fades = math.log(epoch) + logarithm(missing) if near < INDISTINCT else _log_rest(epoch * log_c)
    terms = [log_shift, after * log_c, logarithm(2 - missing) / 2, logarithm(missing) / 2, -epoch_fades]
    if learning is not None and counted is not None:
        terms += [_log_rest(learning * epoch * log_c), -_log_rest(2 * counted * log_c) / 2]
    return exponential_ceiling(*terms)


def _log_rest(power: float) -> float:
    """The logarithm of 1 - e^power, for a power below 0."""
    return math.log(-math.expm1(power))


def _ranges(inputs: BatchInputs) -> tuple[Condition, ...]:
    found = [
        *inputs.ranges,
        at_least("batch", inputs.batch, 1),
        at_least("batches", inputs.batches, 1),
        above("rate", inputs.rate, 0),
        at_least("epochs", inputs.epochs, 1),
        at_least("size", inputs.size, 1),
    ]
    if inputs.learn_epochs is not None:
        found.append(at_least("learn_epochs", inputs.learn_epochs, 0))
    return tuple(found)


def _conditions(inputs: BatchInputs) -> tuple[Condition, ...]:
    ranges = _ranges(inputs)
    if failing(ranges):
        return ranges
    return (
        *ranges,
        *inputs.contracts(inputs.rate, learned=inputs.learn_epochs, key="learn_epochs"),
        trusted("the batch of a record does not depend on the others, nor change when one leaves; none has more than `batch`"),
        trusted("each batch's sum of gradients is divided by `batch`, however many records are left in it"),
        trusted("whole epochs in one order, noise in each step, from a start that does not depend on the data"),
        trusted("requests are fixed in advance, and nothing but the model is carried from one update to the next"),
    )


def _derive(inputs: BatchInputs) -> Certificate:
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
        theorem="After Chien, Wang, Chen and Li 2024, by shifted interpolation (Bok, Su and Altschuler 2024)",
        summary="How far apart, in standard deviations, a record that left keeps two models of noisy descent in mini-batches.",
        example="auditor calc noisy-gd-batches --lipschitz 1 --l2 0.05 --smoothness 0.25 --sigma2 0.01 --batch 100 --batches 5"
        " --rate 1.6 --epochs 5",
        inputs=BatchInputs,
        conditions=_conditions,
        derive=_derive,
    ),
)
