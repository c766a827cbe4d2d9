"""How much the gradient residual can grow in one Newton removal: bounds, from the loosest to the tightest.

The model w holds g = grad L_b(w; D). A removal of m records out of n takes the step d with H d = Delta + e, where H is the
Hessian of what remains at w, Delta the gradient of what goes (the regulariser's share included) and e the solver's own
error. Then, exactly,

    grad L_b(w + d; D') = g + e + int_0^1 (H(w + t d) - H(w)) d dt

and the integral is X^T r with |r_i| <= gamma |v_i|^2 / 2 for v = X d, where X holds the kept rows and gamma is a Lipschitz
constant of the second derivative of the loss. (Guo et al. 2020, proof of Theorem 1, puts a mean value in place of the integral,
which does not exist for vector functions; the integral form does and brings the half.) Every bound here is one of
||e + X^T r||; the norm of g comes on top. To each the caller adds a `rounding_floor`, for what arithmetic itself leaves.

Every bound is worked out in fractions from its arguments and rounded up once, at the end: infinity beyond the floating-point
range, and where an argument is no finite number.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

import numpy as np

from auditor.base.records import Floats
from auditor.maths.certificates.rounding import ceiling

LOGISTIC_LIPSCHITZ: Final = math.nextafter(1 / (6 * math.sqrt(3)), 1.0)
"""The largest |third derivative| of the logistic loss, 1/(6 sqrt 3), rounded up."""
LOGISTIC_LIPSCHITZ_PRINTED: Final = 0.25
"""The constant that Guo et al. 2020, section 3.2, use for the logistic loss."""
_PEAK: Final = math.log(2 + math.sqrt(3))
_ROUNDED_UP: Final = 1 + 1e-12


def worst_case(
    *,
    rows: int,
    forgotten: int,
    l2: float,
    lipschitz: float,
    gradient_bound: float,
    perturbation_norm: float,
    gradient_norm: float,
    solver_error: float = 0.0,
    rounding_floor: float = 0.0,
) -> float:
    """The bound that needs no data: gamma (m (2C + (||b|| + ||g||)/n) + ||e||)^2 / (lambda^2 (n - m)).

    Guo et al. 2020, Theorems 1 and 4, print 4 gamma m^2 C^2 / (lambda^2 (n - m)), which leaves b out of ||w|| and is false
    once b is not 0. From lambda n w = g - b - sum grad loss follows ||w|| <= (C + (||b|| + ||g||)/n)/lambda, so
    ||Delta|| <= m (2C + (||b|| + ||g||)/n); the step is at most (||Delta|| + ||e||)/(lambda (n - m)) long.

    Args:
        rows: n, the records before the removal, more than `forgotten`.
        forgotten: m, the records that go.
        l2: lambda, above 0.
        lipschitz: gamma.
        gradient_bound: C, a bound on the gradient norm of one record's loss.
        perturbation_norm: A bound on ||b||.
        gradient_norm: ||g||, before the step.
        solver_error: ||e||.
        rounding_floor: Added as it stands.

    Needs rows of norm at most 1.
    """
    given = (l2, lipschitz, gradient_bound, perturbation_norm, gradient_norm, solver_error)
    if not all(map(math.isfinite, given)):
        return math.inf
    coefficient, curvature, largest, perturbation, gradient, error = map(Fraction, given)
    change = forgotten * (2 * largest + (perturbation + gradient) / rows) + error
    # gamma (n - m) (change/(lambda (n - m)))^2
    return _up(curvature * (change / coefficient) ** 2 / (rows - forgotten), solver_error, rounding_floor)


def as_printed(
    *,
    lipschitz: float,
    spectral_norm: float,
    step_norm: float,
    step_predictions_norm: float,
    solver_error: float = 0.0,
    rounding_floor: float = 0.0,
) -> float:
    """gamma ||X||_2 ||d||_2 ||X d||_2 (Guo et al. 2020, Corollaries 1 and 2). Needs rows of norm at most 1."""
    return _up(_product(lipschitz, spectral_norm, step_norm, step_predictions_norm), solver_error, rounding_floor)


def tightened(
    *,
    lipschitz: float,
    spectral_norm: float,
    step_predictions_norm4: float,
    solver_error: float = 0.0,
    rounding_floor: float = 0.0,
) -> float:
    """(gamma/2) ||X||_2 ||X d||_4^2, for rows of any norm.

    Args:
        lipschitz: gamma.
        spectral_norm: An upper bound of ||X||_2.
        step_predictions_norm4: ||X d||_4^2, which is ||v * v||_2 for v = X d.
        solver_error: ||e||.
        rounding_floor: Added as it stands.
    """
    return _up(_product(lipschitz, spectral_norm, step_predictions_norm4, 0.5), solver_error, rounding_floor)


def local(*, spectral_norm: float, local_curvature_norm: float, solver_error: float = 0.0, rounding_floor: float = 0.0) -> float:
    """(1/2) ||X||_2 ||(gamma_i v_i^2)_i||_2, with a Lipschitz constant gamma_i for the segment that record i moves along."""
    return _up(_product(spectral_norm, local_curvature_norm, 0.5), solver_error, rounding_floor)


def online(
    *,
    lipschitz: float,
    spectral_norm: float,
    row_norm: float,
    step_norm: float,
    step_predictions_norm: float,
    drift_norm: float = 0.0,
    solver_error: float = 0.0,
    rounding_floor: float = 0.0,
) -> float:
    """gamma ||X||_2 max ||x_i|| (||w - w_ref|| + ||d||_2 / 2) ||X d||_2, which needs no pass over the data.

    ||X d||_2 is sqrt(d^T K d) with the cached Gram matrix K = X^T X. Where the Hessian was formed at an older point w_ref, the
    residual is at most gamma ||X||_2 ||(|X (w - w_ref)| + |X d|/2) |X d| ||_2 (`tightened` where w_ref = w), and this follows
    by |x_i . u| <= ||x_i|| ||u||. Where rows have norm at most 1 and nothing drifted it is at most half of `as_printed`.

    Args:
        lipschitz: gamma.
        spectral_norm: An upper bound of ||X||_2; that of more rows than remain is one too.
        row_norm: An upper bound of the norm of a record's features.
        step_norm: ||d||_2.
        step_predictions_norm: An upper bound of ||X d||_2.
        drift_norm: ||w - w_ref||_2, where the Hessian was formed at an older point w_ref.
        solver_error: ||H d - Delta|| with the Hessian that was used.
        rounding_floor: Added as it stands.
    """
    path = math.nextafter(drift_norm + step_norm / 2, math.inf) if drift_norm or step_norm else 0.0
    found = _product(lipschitz, spectral_norm, row_norm, _ROUNDED_UP, path, step_predictions_norm)
    return _up(found, solver_error, rounding_floor)


def _product(*factors: float) -> Fraction | None:
    """The exact product of numbers; None where one of them is not finite."""
    found = Fraction(1)
    for each in factors:
        if not math.isfinite(each):
            return None
        found *= Fraction(each)
    return found


def _up(exact: Fraction | None, *others: float) -> float:
    """The sum, rounded up; infinity where it, or a part of it, is no finite number."""
    if exact is None or not all(map(math.isfinite, others)):
        return math.inf
    return ceiling(exact + sum(map(Fraction, others)))


def rounding_floor(*, gradient_norms_sum: float, l2: float, rows: int, parameters_norm: float, perturbation_norm: float) -> float:
    """1e-13 (sum ||grad loss_i|| + lambda n ||w|| + ||b||): what a float64 sum of these terms may lose.

    Args:
        gradient_norms_sum: The sum of the norms of the records' gradients.
        l2: lambda.
        rows: n, the records in the sum.
        parameters_norm: ||w||.
        perturbation_norm: ||b||.
    """
    return 1e-13 * (gradient_norms_sum + l2 * rows * parameters_norm + perturbation_norm)


def local_logistic_lipschitz(margins: Floats, changes: Floats) -> Floats:
    """The largest |third derivative| of the logistic loss between z and z + v, record by record, rounded up.

    With s = |z| it is e^-s (1 - e^-s)/(1 + e^-s)^3: 0 at 0, rising to 1/(6 sqrt 3) at s = ln(2 + sqrt 3), falling from there. So
    the maximum over a segment lies at its end nearest to that peak, or is the peak. It is even: labels of either sign share it.

    Args:
        margins: z = X w, shape (n,).
        changes: v = X d, shape (n,).

    Returns:
        Shape (n,), each at most `LOGISTIC_LIPSCHITZ`.
    """
    ends = margins + changes
    low, high = np.minimum(margins, ends), np.maximum(margins, ends)
    nearest = np.where((low <= 0) & (high >= 0), 0.0, np.minimum(np.abs(low), np.abs(high)))
    farthest = np.maximum(np.abs(low), np.abs(high))
    # The ends are known to rounding only: widening the segment can only raise the maximum.
    peak = np.clip(_PEAK, nearest / _ROUNDED_UP, farthest * _ROUNDED_UP)
    shrink = np.exp(-peak)
    curvature = -np.expm1(-peak) * shrink / (1 + shrink) ** 3
    bounded: Floats = np.minimum(curvature * _ROUNDED_UP, LOGISTIC_LIPSCHITZ)
    return bounded
