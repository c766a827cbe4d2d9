"""What noisy gradient descent costs in accuracy stays below its bound: chains in closed form, and chains on a logistic loss."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import t as student

from auditor.maths.certificates import derive
from auditor.parts.data_deletion.rules.noisy_gd_utility import excess_risk

Floats = npt.NDArray[np.float64]
_ROUNDING = 1 + 1e-9
powers = st.floats(-8, 8).map(lambda power: 10**power)


@st.composite
def settings(draw: st.DrawFn) -> dict[str, Any]:
    rows = draw(st.integers(1, 500))
    return {
        "parameters": draw(st.integers(1, 6)),
        "sigma2": draw(st.floats(1e-6, 10)),
        "lipschitz": draw(st.floats(0.01, 10)),
        "l2": draw(st.floats(1e-3, 2)),
        "smoothness": draw(st.floats(1e-3, 5)),
        "rows": rows,
        "changed": draw(st.integers(1, rows)),
        "steps": (draw(st.integers(0, 60)), draw(st.integers(1, 30))),
    }


@given(settings(), st.integers(1, 8), st.booleans(), st.integers(0, 10**6))
def test_quadratic_chains_keep_within_the_bound_after_every_update(
    given_: dict[str, Any], updates: int, back: bool, seed: int
) -> None:
    """Losses of slope at most L that share their curvatures, so that an update moves the slope by at most 2rL/n."""
    bound = excess_risk(**given_)
    rng = np.random.default_rng(seed)
    size, strong = given_["parameters"], given_["l2"]
    curvatures = strong + given_["smoothness"] * rng.choice([0.0, 0.5, 1.0], size)
    rate = 1 / (2 * (strong + given_["smoothness"]))
    factors = 1 - rate * curvatures
    direction = rng.normal(size=size)
    direction /= np.linalg.norm(direction)
    slope, jump = given_["lipschitz"], 2 * given_["changed"] * given_["lipschitz"] / given_["rows"]
    mean = np.zeros(size)
    variance = np.full(size, given_["sigma2"] / (strong * (1 - rate * strong / 2)))

    def excess() -> float:
        best = -slope * direction / curvatures
        return float((curvatures / 2 * ((mean - best) ** 2 + variance)).sum())

    for update in range(updates + 1):
        if update:
            down = back or update % 2 == 1
            slope = float(np.clip(slope - jump if down else slope + jump, -given_["lipschitz"], given_["lipschitz"]))
        for _ in range(given_["steps"][1 if update else 0]):
            mean = factors * mean - rate * slope * direction
            variance = factors**2 * variance + 2 * rate * given_["sigma2"]
        allowed = bound.updated if update else bound.learned
        assert allowed is None or excess() <= float(allowed) * _ROUNDING


def test_chains_on_a_logistic_loss_keep_within_the_bound_where_requests_follow_the_models() -> None:
    """Each request replaces the records that the published model fits best by their opposites."""
    rng = np.random.default_rng(0)
    chains, rows, size, changed, steps = 400, 40, 3, 8, (30, 6)
    constants = {"lipschitz": 1.0, "l2": 0.05, "smoothness": 0.25}
    bound = excess_risk(parameters=size, sigma2=0.02, rows=rows, changed=changed, steps=steps, **constants)
    rate = 1 / 0.6
    directions = rng.normal(size=(rows, size))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    signed = np.repeat(directions[None], chains, axis=0)  # y times x, a database for each chain
    models = rng.normal(size=(chains, size)) * math.sqrt(0.02 / (0.05 * (1 - rate * 0.05 / 2)))
    for update in range(4):
        if update:
            margins = np.einsum("cnd,cd->cn", signed, models)
            turned = np.argsort(-margins, axis=1)[:, :changed, None]
            np.put_along_axis(signed, turned, -np.take_along_axis(signed, turned, axis=1), axis=1)
        for _ in range(steps[1 if update else 0]):
            slopes = expit(-np.einsum("cnd,cd->cn", signed, models))
            gradient = 0.05 * models - np.einsum("cn,cnd->cd", slopes, signed) / rows
            models = models - rate * gradient + math.sqrt(2 * rate * 0.02) * rng.normal(size=models.shape)
        excess = np.array([_excess(data, model) for data, model in zip(signed, models, strict=True)])
        low = excess.mean() - student.isf(1e-6, chains - 1) * excess.std(ddof=1) / math.sqrt(chains)
        allowed = bound.updated if update else bound.learned
        assert allowed is not None
        assert low <= float(allowed)
        assert float(bound.limit) < float(allowed)


def _excess(signed: Floats, model: Floats) -> float:
    def risk(theta: Floats) -> float:
        return float(np.logaddexp(0, -signed @ theta).mean() + 0.025 * theta @ theta)

    def slope(theta: Floats) -> Floats:
        return np.asarray(0.05 * theta - expit(-signed @ theta) @ signed / len(signed))

    return risk(model) - float(minimize(risk, np.zeros_like(model), jac=slope).fun)


@given(settings(), st.integers(0, 50), st.integers(0, 50))
def test_more_steps_and_less_noise_never_cost_accuracy(given_: dict[str, Any], more: int, again: int) -> None:
    fewer = excess_risk(**given_)
    learning, unlearning = given_["steps"]
    longer = excess_risk(**{**given_, "steps": (learning + more, unlearning + again)})
    quieter = excess_risk(**{**given_, "sigma2": given_["sigma2"] / 2})
    for other in (longer, quieter):
        assert other.limit <= fewer.limit
        assert other.learned <= fewer.learned * (1 + 2**-40)
        assert fewer.updated is None or (other.updated is not None and other.updated <= fewer.updated * (1 + 2**-40))


@given(
    *(st.floats(-3, 3).map(lambda power: 1 + 10**power), st.integers(1, 10**6), st.integers(1, 10**9), st.integers(1, 100)),
    *(powers, powers, powers, powers, powers),
)
def test_steps_and_bounds_are_rounded_up(
    q: float, d: int, n: int, r: int, slope: float, l2: float, beta: float, private: float, deletion: float
) -> None:
    given_ = {"q": q, "d": d, "n": n, "r": min(r, n), "lipschitz": slope, "l2": l2, "smoothness": beta}
    outputs = derive("noisy-gd-utility", {**given_, "epsilon_dp": private, "epsilon_dd": deletion}).outputs
    if outputs["learn_steps"] is None:
        assert outputs["reason"]
        return
    with mpmath.workdps(120):
        order, bound, strong, more, epsilon = map(mpmath.mpf, (q, slope, l2, beta, private))
        kappa = (strong + more) / strong
        learning = 4 * kappa * mpmath.log(epsilon * n**2 / (4 * order * d))
        unlearning = 4 * kappa * mpmath.log(max(5 * kappa, 8 * epsilon * given_["r"] ** 2 / (order * d)))
        forgetting = 4 * kappa * mpmath.log(epsilon / mpmath.mpf(deletion))
        for key, asked in (
            ("learn_steps_utility", learning),
            ("unlearn_steps_utility", unlearning),
            ("unlearn_steps_deletion", forgetting),
        ):
            assert max(0, asked) <= outputs[key] <= max(0, asked) * (1 + 1e-11) + 2, key
        noise = 4 * order * bound**2 / (strong * epsilon * mpmath.mpf(n) ** 2)
        limit = d * noise / (1 + 1 / (2 * kappa))
        assert limit <= outputs["excess_risk_limit"] <= limit * (1 + 1e-14)
        assert limit <= outputs["excess_risk_learned"]
        assert limit <= outputs["excess_risk_updated"]
        assert bound**2 / (2 * strong) <= outputs["excess_risk_zero"]
    assert outputs["gradients_saved"] == n * (outputs["learn_steps"] - outputs["unlearn_steps"])
    assert outputs["unlearn_steps"] == max(1, outputs["unlearn_steps_utility"], outputs["unlearn_steps_deletion"])


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"sigma2": 0.1}, "exactly one of epsilon_dp and sigma2 given (found epsilon_dp and sigma2)"),
        ({"unlearn_steps": 0}, "unlearn_steps >= 1 (found 0)"),
        ({"r": 501}, "1 <= r <= 500 (found 501)"),
        ({"smoothness": 1e200}, "more than 9007199254740992 steps"),
        ({"smoothness": 1e200, "learn_steps": 1, "unlearn_steps": 1}, "more than 9007199254740992 steps"),
    ],
)
def test_what_has_no_number_is_null_with_a_reason(more: dict[str, Any], words: str) -> None:
    base = {"q": 2, "d": 30, "n": 500, "lipschitz": 1, "l2": 0.05, "smoothness": 0.25, "epsilon_dp": 0.064}
    certificate = derive("noisy-gd-utility", {**base, **more})
    assert certificate.epsilon is None
    assert words in certificate.outputs["reason"]
    assert all(value is None for key, value in certificate.outputs.items() if key != "reason")


def test_steps_that_bring_no_models_together_bound_nothing() -> None:
    found = excess_risk(parameters=1, sigma2=1.0, lipschitz=1.0, l2=1e-300, smoothness=1e10, rows=10, changed=1, steps=(5, 1))
    assert found.updated is None
