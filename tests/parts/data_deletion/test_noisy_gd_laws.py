"""The certificates of noisy gradient descent bound what chains really leave, where their divergence can be computed.

Chains on linear and quadratic losses are Gaussian and have closed forms; logistic losses in one dimension are taken on a grid.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

from auditor.maths.certificates import derive, gaussian
from auditor.parts.data_deletion.rules.noisy_gd_convex import deletion_epsilon, private_epsilon, steps_needed
from auditor.parts.data_deletion.rules.noisy_gd_nonconvex import gradient_epsilon

Floats = npt.NDArray[np.float64]

_ROUNDING = 1 + 1e-9
counts = st.one_of(st.integers(0, 30), st.integers(0, 2000))


@st.composite
def constants(draw: st.DrawFn) -> dict[str, Any]:
    """Constants of a loss whose records have a slope between -L and L and a curvature of at most beta, shared by all of them."""
    return {
        "lipschitz": draw(st.floats(0.01, 10)),
        "l2": draw(st.floats(1e-4, 2)),
        "smoothness": draw(st.floats(1e-3, 5)),
        "sigma2": draw(st.floats(1e-4, 10)),
        "n": draw(st.integers(1, 1000)),
    }


def squared_distance(
    loss: dict[str, Any], curvatures: Floats, direction: Floats, *, rate: float, start: float, steps: Any
) -> float:
    """mu^2 of two Gaussian chains, one a record's slope apart for T steps, in coordinates of the given curvatures.

    Args:
        loss: The constants.
        curvatures: Shape (d,), of all records' losses together, between 0 and beta.
        direction: Shape (d,), a unit vector: where the slopes of the two records differ, by 2L.
        rate: The step size.
        start: The variance of the start.
        steps: T with the record and K without.
    """
    learning, unlearning = steps
    factors = 1 - rate * (loss["l2"] + curvatures)
    mean, variance = np.zeros_like(curvatures), np.full_like(curvatures, start)
    for step in range(learning + unlearning):
        apart = 2 * rate * loss["lipschitz"] / loss["n"] * direction if step < learning else 0.0
        mean, variance = factors * mean + apart, factors**2 * variance + 2 * rate * loss["sigma2"]
    shifted = mean != 0
    with np.errstate(divide="ignore"):
        return float((mean[shifted] ** 2 / variance[shifted]).sum())


def unit(seed: int, size: int) -> Floats:
    vector = np.random.default_rng(seed).normal(size=size)
    return np.asarray(vector / np.linalg.norm(vector))


@given(constants(), st.floats(1.01, 100), st.integers(0, 300), st.integers(0, 300), st.integers(1, 3), st.integers(0, 10**6))
def test_gaussian_chains_keep_within_theorem_five_one(
    loss: dict[str, Any], order: float, learning: int, unlearning: int, size: int, seed: int
) -> None:
    """R_q is q mu^2/2 there; with the theorem's start the variance of a linear loss is stationary."""
    rate = 1 / (2 * (loss["l2"] + loss["smoothness"]))
    start = loss["sigma2"] / (loss["l2"] * (1 - rate * loss["l2"] / 2))
    outputs = derive("noisy-gd-convex", {**loss, "q": order, "steps": unlearning}).outputs
    curvatures = np.random.default_rng(seed).choice([0.0, 0.5, 1.0], size=size) * loss["smoothness"]
    for after, bound in ((0, outputs["epsilon_dp"]), (unlearning, outputs["epsilon_dd"])):
        apart = squared_distance(loss, curvatures, unit(seed, size), rate=rate, start=start, steps=(learning, after))
        assert order * apart / 2 <= bound * _ROUNDING


@given(constants(), st.floats(0.01, 1), st.integers(0, 300), st.integers(0, 300), st.integers(1, 3), st.integers(0, 10**6))
def test_gaussian_chains_keep_within_the_tradeoff(
    loss: dict[str, Any], share: float, learning: int, unlearning: int, size: int, seed: int
) -> None:
    """For every step size up to 2/(lambda + beta), every curvature and every start."""
    rate = share * 2 / (loss["l2"] + loss["smoothness"]) * (1 - 1e-12)
    given_ = {**loss, "rate": rate, "steps": unlearning}
    rng = np.random.default_rng(seed)
    curvatures = rng.choice([0.0, 0.5, 1.0], size=size) * loss["smoothness"]
    start = float(rng.choice([0.0, 1.0])) * loss["sigma2"]
    apart = squared_distance(loss, curvatures, unit(seed, size), rate=rate, start=start, steps=(learning, unlearning))
    finite = derive("noisy-gd-gaussian", {**given_, "learn_steps": learning}).outputs["mu"]
    assert math.sqrt(apart) <= finite * _ROUNDING
    assert finite <= derive("noisy-gd-gaussian", given_).outputs["mu"] * _ROUNDING


@given(constants(), st.floats(0.01, 1), st.integers(1, 100), st.integers(0, 100))
def test_a_linear_loss_attains_the_tradeoff(loss: dict[str, Any], share: float, learning: int, unlearning: int) -> None:
    """Where the regulariser alone bends, from a fixed start, up to the step size at which beta would turn a step around."""
    rate = share * 2 / (2 * loss["l2"] + loss["smoothness"])
    apart = squared_distance(loss, np.zeros(1), np.ones(1), rate=rate, start=0.0, steps=(learning, unlearning))
    found = derive("noisy-gd-gaussian", {**loss, "rate": rate, "steps": unlearning, "learn_steps": learning}).outputs["mu"]
    assert math.sqrt(apart) == pytest.approx(found, rel=1e-8)


@given(constants(), st.floats(0.01, 1), st.integers(1, 100), st.integers(0, 100))
def test_a_linear_loss_without_a_regulariser_attains_the_tradeoff(
    loss: dict[str, Any], share: float, learning: int, unlearning: int
) -> None:
    """No step brings models together, c = 1, and the noise alone makes the record fade."""
    flat = {**loss, "l2": 0.0}
    rate = share * 2 / loss["smoothness"] * (1 - 1e-12)
    apart = squared_distance(flat, np.zeros(1), np.ones(1), rate=rate, start=0.0, steps=(learning, unlearning))
    given_ = {**flat, "rate": rate, "steps": unlearning}
    found = derive("noisy-gd-gaussian", {**given_, "learn_steps": learning}).outputs["mu"]
    assert math.sqrt(apart) == pytest.approx(found, rel=1e-9)
    assert derive("noisy-gd-gaussian", given_).outputs["mu"] is None


def test_a_group_is_apart_as_its_slopes_add_up() -> None:
    loss = {"lipschitz": 1.0, "l2": 0.1, "smoothness": 0.5, "sigma2": 0.2, "n": 40, "rate": 0.7, "steps": 4}
    one = derive("noisy-gd-gaussian", loss).outputs["mu"]
    assert derive("noisy-gd-gaussian", {**loss, "size": 7}).outputs["mu"] == pytest.approx(7 * one, rel=1e-12)


class Grid:
    """One chain in one dimension, its density on a grid: a logistic loss with n records at slopes between -1 and 1."""

    def __init__(self, slopes: list[float], *, l2: float, sigma2: float, rate: float, width: float) -> None:
        """Set up the transition, rows from where, columns to where; noise does not leave the grid."""
        self.points = np.linspace(-width, width, 501)
        here = self.points[:, None]
        gradient = (-np.array(slopes) * expit(-np.array(slopes) * here)).mean(axis=1) + l2 * self.points
        moved = self.points - rate * gradient
        kernel = np.exp(-((moved[:, None] - self.points) ** 2) / (4 * rate * sigma2))
        self.step = kernel / kernel.sum(axis=1, keepdims=True)

    def after(self, density: Floats, steps: int) -> Floats:
        for _ in range(steps):
            density = density @ self.step
        return density


def renyi(first: Floats, second: Floats, order: float) -> float:
    return float(np.log(np.exp(order * np.log(first) - (order - 1) * np.log(second)).sum()) / (order - 1))


def hockey_stick(first: Floats, second: Floats, epsilon: float) -> float:
    return float(np.maximum(0, first - math.exp(epsilon) * second).sum())


@pytest.mark.parametrize("slopes", [[1.0, 1.0, 1.0], [1.0, -1.0, 0.3]])
@pytest.mark.parametrize(("l2", "sigma2"), [(0.2, 0.3), (0.05, 1.0)])
def test_logistic_chains_keep_within_both(slopes: list[float], l2: float, sigma2: float) -> None:
    """The first record is replaced by its opposite: L = 1 and beta = 1/4, in both directions."""
    loss = {"lipschitz": 1.0, "l2": l2, "smoothness": 0.25, "sigma2": sigma2, "n": len(slopes)}
    rate = 1 / (2 * (l2 + 0.25))
    variance = sigma2 / (l2 * (1 - rate * l2 / 2))
    width = 7 * math.sqrt(variance)
    with_it = Grid(slopes, l2=l2, sigma2=sigma2, rate=rate, width=width)
    without = Grid([-slopes[0], *slopes[1:]], l2=l2, sigma2=sigma2, rate=rate, width=width)
    start = np.exp(-(with_it.points**2) / (2 * variance))
    start /= start.sum()
    learned, retrained = with_it.after(start, 40), without.after(start, 40)
    smallest = math.inf
    for unlearning in (0, 1, 4, 16):
        one, other = without.after(learned, unlearning), without.after(retrained, unlearning)
        mu = derive("noisy-gd-gaussian", {**loss, "rate": rate, "steps": unlearning, "learn_steps": 40}).outputs["mu"]
        for order in (1.5, 4.0):
            bound = derive("noisy-gd-convex", {**loss, "q": order, "steps": unlearning}).outputs["epsilon_dd"]
            for first, second in ((one, other), (other, one)):
                found = renyi(first, second, order)
                assert found <= bound + 1e-7
                assert found <= order * mu**2 / 2 + 1e-7
                smallest = min(smallest, bound / max(found, 1e-12))
        for epsilon in (0.0, 0.1, 0.5):
            for first, second in ((one, other), (other, one)):
                assert hockey_stick(first, second, epsilon) <= gaussian.delta(epsilon, mu) + 1e-7
    assert smallest < 20  # the bounds are not so loose that anything would keep within them


@pytest.mark.parametrize("steps", [1, 5, 40])
def test_any_chain_keeps_within_its_gradient_epsilon(steps: int) -> None:
    """Equation 18 asks for no convexity and no small step; every step is composed as if it were seen."""
    slopes, rate, sigma2, order = [1.0, -1.0, 0.5], 0.9, 0.6, 3.0
    one = Grid(slopes, l2=0.3, sigma2=sigma2, rate=rate, width=9.0)
    other = Grid([-1.0, *slopes[1:]], l2=0.3, sigma2=sigma2, rate=rate, width=9.0)
    start = np.exp(-(one.points**2) / 2)
    start /= start.sum()
    found = renyi(one.after(start, steps), other.after(start, steps), order)
    assert found <= gradient_epsilon(order, lipschitz=1.0, sigma2=sigma2, rows=3, rate=rate, steps=steps) + 1e-7


@given(constants(), st.floats(1.001, 1000), counts)
def test_steps_and_epsilon_invert_each_other(loss: dict[str, Any], order: float, steps: int) -> None:
    """The steps that come back for an epsilon reach it, and one fewer do not."""
    curve = {"l2": loss["l2"], "smoothness": loss["smoothness"]}
    private = private_epsilon(order, lipschitz=loss["lipschitz"], l2=loss["l2"], sigma2=loss["sigma2"], rows=loss["n"])
    target = deletion_epsilon(private, steps=steps, **curve)
    found = steps_needed(target, private, **curve)
    assert found is not None
    assert found <= steps
    assert deletion_epsilon(private, steps=found, **curve) <= target
    if found:
        assert deletion_epsilon(private, steps=found - 1, **curve) > target


_UPWARD: dict[str, tuple[str, ...]] = {
    "noisy-gd-convex": ("q", "lipschitz", "smoothness"),
    "noisy-gd-gaussian": ("lipschitz", "size", "learn_steps"),
}
_DOWNWARD: dict[str, tuple[str, ...]] = {
    "noisy-gd-convex": ("l2", "sigma2", "n", "steps"),
    "noisy-gd-gaussian": ("sigma2", "n", "steps"),
}


@pytest.mark.parametrize("kind", ["noisy-gd-convex", "noisy-gd-gaussian"])
@given(loss=constants(), data=st.data())
def test_more_of_an_input_moves_the_bound_its_way(kind: str, loss: dict[str, Any], data: st.DataObject) -> None:
    small = loss | {"steps": data.draw(counts)}
    if kind == "noisy-gd-convex":
        small |= {"q": data.draw(st.floats(1.01, 50))}
        key = "epsilon_dd"
    else:
        rate = data.draw(st.floats(0.01, 1)) * 2 / (loss["l2"] + loss["smoothness"]) * (1 - 1e-12)
        small |= {"rate": rate, "learn_steps": data.draw(counts), "size": 1}
        key = "mu"
    before = derive(kind, small).outputs[key]
    name = data.draw(st.sampled_from(_UPWARD[kind] + _DOWNWARD[kind]))
    factor = data.draw(st.integers(2, 5))
    limit = {"size": loss["n"]}.get(name, 2**40)
    after = derive(kind, {**small, name: min(limit, small[name] * factor)}).outputs[key]
    assert (after >= before / _ROUNDING) if name in _UPWARD[kind] else (after <= before * _ROUNDING)
