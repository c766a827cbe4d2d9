"""Every bound on the residual really is one: random logistic problems, exact and inexact Newton steps, whole chains."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from auditor.maths.certificates import derive, disagreements, increments
from auditor.parts.removal.rules.residual import AS_PRINTED, LOCAL, ONLINE, ROWS, TIGHTENED, WORST_CASE

Floats = npt.NDArray[np.float64]


@dataclass
class Problem:
    """A logistic problem with a random linear term: L = sum log(1 + exp(-y x.w)) + l2 n/2 |w|^2 + b.w."""

    x: Floats
    y: Floats
    b: Floats
    l2: float

    def gradients(self, w: Floats) -> Floats:
        return (-self.y * expit(-self.y * (self.x @ w)))[:, None] * self.x

    def gradient(self, w: Floats) -> Floats:
        return self.gradients(w).sum(axis=0) + self.l2 * len(self.y) * w + self.b

    def hessian(self, w: Floats) -> Floats:
        p = expit(self.x @ w)
        return (self.x.T * (p * (1 - p))) @ self.x + self.l2 * len(self.y) * np.eye(len(w))

    def without(self, count: int) -> Problem:
        return Problem(self.x[count:], self.y[count:], self.b, self.l2)

    def minimiser(self, tolerance: float) -> Floats:
        w = np.zeros(self.x.shape[1])
        for _ in range(200):
            gradient = self.gradient(w)
            if np.linalg.norm(gradient) <= tolerance:
                return w
            step = np.linalg.solve(self.hessian(w), gradient)
            # Half a step always descends on this loss when the full one overshoots.
            full = np.linalg.norm(self.gradient(w - step)) < np.linalg.norm(gradient)
            w = w - (step if full else step / 4)
        raise AssertionError("the test problem did not converge")


def random_problem(seed: int) -> tuple[Problem, np.random.Generator]:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(8, 40)), int(rng.integers(1, 6))
    x = rng.normal(size=(n, d))
    x /= np.maximum(1.0, np.linalg.norm(x, axis=1))[:, None]
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    sigma = 10 ** rng.uniform(-2, 1.5)
    return Problem(x, y, sigma * rng.normal(size=d), 10 ** rng.uniform(-2.5, 0.5)), rng


def measure(
    problem: Problem, w: Floats, count: int, *, error: float, rng: np.random.Generator
) -> tuple[Floats, dict[str, float]]:
    """One removal of the first `count` records, and everything that the rule wants to know about it."""
    rest = problem.without(count)
    delta = count * problem.l2 * w + problem.gradients(w)[:count].sum(axis=0)
    hessian = rest.hessian(w)
    noise = rng.normal(size=len(w))
    step = np.linalg.solve(hessian, delta + error * noise / np.linalg.norm(noise))
    v = rest.x @ step
    curvature = increments.local_logistic_lipschitz(rest.x @ w, v) * v * v
    after = w + step
    return after, {
        "rows": len(problem.y),
        "forgotten": count,
        "gradient_norm": float(np.linalg.norm(problem.gradient(w))),
        "spectral_norm": float(np.linalg.norm(rest.x, 2)) * (1 + 1e-12),
        "step_norm": float(np.linalg.norm(step)),
        "step_predictions_norm": float(np.linalg.norm(v)),
        "step_predictions_norm4": float(np.linalg.norm(v * v)),
        "local_curvature_norm": float(np.linalg.norm(curvature)),
        "solver_error": float(np.linalg.norm(hessian @ step - delta)),
        "rounding_floor": increments.rounding_floor(
            gradient_norms_sum=float(np.linalg.norm(rest.gradients(after), axis=1).sum()),
            l2=problem.l2,
            rows=len(rest.y),
            parameters_norm=float(np.linalg.norm(after)),
            perturbation_norm=float(np.linalg.norm(problem.b)),
        ),
        "retrained": 0,
        "batch_leftover": 0.0,
        "measured": float(np.linalg.norm(rest.gradient(after))),
    }


def chain(seed: int, *, error: float, tolerance: float, retrain_at: int | None = None) -> dict[str, Any]:
    """The inputs of the rule for a log of three batches."""
    problem, rng = random_problem(seed)
    w = problem.minimiser(tolerance)
    inputs: dict[str, Any] = {
        "l2": problem.l2,
        "lipschitz_printed": 0.25,
        "lipschitz": increments.LOGISTIC_LIPSCHITZ,
        "gradient_bound": 1.0,
        "row_norm": float(np.linalg.norm(problem.x, axis=1).max()),
        "perturbation_norm": float(np.linalg.norm(problem.b)) * (1 + 1e-12),
        "leftover": float(np.linalg.norm(problem.gradient(w))),
    }
    entries = []
    for index, count in enumerate((1, 2, 1)):
        after, entry = measure(problem, w, count, error=error, rng=rng)
        problem = problem.without(count)
        if index == retrain_at:
            problem.b = 0.5 * problem.b
            after = problem.minimiser(tolerance)
            leftover = float(np.linalg.norm(problem.gradient(after)))
            entry |= {"retrained": 1, "batch_leftover": leftover, "measured": leftover}
        w = after
        entries.append(entry)
    return inputs | {name: [entry[name] for entry in entries] for name in entries[0]}


@settings(max_examples=100)
@given(
    seed=st.integers(0, 2**32),
    error=st.sampled_from([0.0, 1e-6, 1e-2, 1.0]),
    tolerance=st.sampled_from([1e-9, 1e-3, 0.5]),
    retrain_at=st.sampled_from([None, 0, 1, 2]),
)
def test_every_bound_bounds_the_exact_residual(seed: int, error: float, tolerance: float, retrain_at: int | None) -> None:
    inputs = chain(seed, error=error, tolerance=tolerance, retrain_at=retrain_at)
    certificate = derive("removal-residual", inputs)
    assert [condition.name for condition in certificate.conditions if not condition.holds] == []
    betas, steps = certificate.outputs["betas"], certificate.outputs["increments"]
    for name in ROWS:
        for index, measured in enumerate(inputs["measured"]):
            slack = inputs["rounding_floor"][index]
            assert measured <= betas[name][index + 1] + slack
            if steps[name][index] is not None:
                assert measured <= inputs["gradient_norm"][index] + steps[name][index] + slack
    assert ROWS == (WORST_CASE, AS_PRINTED, ONLINE, TIGHTENED, LOCAL)
    for looser, tighter in pairwise(ROWS):
        for one, other in zip(steps[looser], steps[tighter], strict=True):
            assert (one is None) == (other is None)
            assert one is None or one >= other * (1 - 1e-9)
    assert certificate.outputs["beta"] == max(betas[LOCAL]) >= inputs["leftover"]
    assert certificate.epsilon is None
    assert disagreements(certificate) == ()


@settings(max_examples=100)
@given(seed=st.integers(0, 2**32), drift=st.floats(0, 1))
def test_a_hessian_formed_at_an_older_point_is_charged(seed: int, drift: float) -> None:
    problem, rng = random_problem(seed)
    w = problem.minimiser(1e-9)
    reference = w + drift * rng.normal(size=len(w))
    rest = problem.without(2)
    delta = 2 * problem.l2 * w + problem.gradients(w)[:2].sum(axis=0)
    hessian = rest.hessian(reference)
    step = np.linalg.solve(hessian, delta)
    spectral = float(np.linalg.norm(rest.x, 2)) * (1 + 1e-12)
    beside = {"solver_error": float(np.linalg.norm(hessian @ step - delta)), "rounding_floor": 1e-11}
    online = increments.online(
        lipschitz=increments.LOGISTIC_LIPSCHITZ,
        spectral_norm=spectral,
        row_norm=float(np.linalg.norm(problem.x, axis=1).max()),
        step_norm=float(np.linalg.norm(step)) * (1 + 1e-12),
        step_predictions_norm=float(np.linalg.norm(rest.x @ step)) * (1 + 1e-12),
        drift_norm=float(np.linalg.norm(w - reference)) * (1 + 1e-12),
        **beside,
    )
    assert np.linalg.norm(rest.gradient(w + step)) <= np.linalg.norm(problem.gradient(w)) + online


def third_derivative(s: Floats) -> Floats:
    return expit(s) * expit(-s) * np.abs(np.tanh(s / 2))


@given(st.floats(-40, 40), st.floats(-40, 40))
def test_the_local_constant_is_the_maximum_over_the_segment(margin: float, change: float) -> None:
    found = float(increments.local_logistic_lipschitz(np.array([margin]), np.array([change]))[0])
    segment = third_derivative(margin + change * np.linspace(0, 1, 2001))
    assert found >= segment.max() * (1 - 1e-14)
    # No looser than the best of a fine grid can miss: the curvature of the function is below 1.
    assert found <= segment.max() + (change / 2000) ** 2 + 1e-12
    assert found <= increments.LOGISTIC_LIPSCHITZ


def test_the_local_constant_is_rounded_up() -> None:
    for margin in (0.0, 1e-9, 0.3, 1.3169578969248166, 2.0, 30.0, -0.3, -5.0):
        with mpmath.workdps(40):
            t = mpmath.exp(-abs(mpmath.mpf(margin)))
            exact = t * (1 - t) / (1 + t) ** 3
            found = float(increments.local_logistic_lipschitz(np.array([margin]), np.array([0.0]))[0])
            assert exact <= found <= exact * (1 + mpmath.mpf("1e-10"))
