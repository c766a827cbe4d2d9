"""Certified removal above a differentially private feature extractor: both directions, and mechanisms that have to obey it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.maths.certificates import derive
from auditor.maths.certificates.privacy import group_delta

ONE = {"extractor_epsilon": 0.1, "extractor_delta": 1e-6}


def test_epsilons_and_deltas_add_up() -> None:
    """Guo et al. 2020, Theorem 5, by hand."""
    outputs = derive("dp-extractor", {**ONE, "epsilon": 0.5, "delta": 1e-5}).outputs
    assert outputs["epsilon"] == pytest.approx(0.6, rel=1e-12)
    assert outputs["delta"] == pytest.approx(1.1e-5, rel=1e-12)


def test_five_people_cost_what_a_group_costs() -> None:
    """1e-6 (e^0.5 - 1)/(e^0.1 - 1) = 6.168257181453e-6, computed with 50 digits."""
    outputs = derive("dp-extractor", {**ONE, "size": 5, "epsilon": 0.5, "delta": 1e-5}).outputs
    assert outputs["extractor_delta"] == pytest.approx(1e-6 * (math.exp(0.5) - 1) / (math.exp(0.1) - 1), rel=1e-12)
    assert outputs["epsilon"] == pytest.approx(1.0, rel=1e-12)
    assert outputs["delta"] == pytest.approx(1.616825718145e-5, rel=1e-11)


@given(
    epsilon=st.floats(0, 5), delta=st.floats(0, 0.01), size=st.integers(1, 20), more=st.floats(0, 5), more_delta=st.floats(0, 0.5)
)
def test_what_is_left_for_the_removal_adds_up_to_the_target(
    epsilon: float, delta: float, size: int, more: float, more_delta: float
) -> None:
    given_ = {"extractor_epsilon": epsilon, "extractor_delta": delta, "size": size}
    target = {
        "target_epsilon": size * epsilon * (1 + 1e-12) + more + 1e-9,
        "target_delta": min(1.0, group_delta(epsilon, delta, size) + more_delta + 1e-9),
    }
    left = derive("dp-extractor", {**given_, **target}).outputs
    if left["removal_epsilon"] is None:
        assert group_delta(epsilon, delta, size) >= 1 - 1e-9
        return
    total = derive("dp-extractor", {**given_, "epsilon": left["removal_epsilon"], "delta": left["removal_delta"]})
    assert total.epsilon is not None
    assert total.epsilon <= target["target_epsilon"] * (1 + 1e-15) + 1e-300
    assert total.epsilon == pytest.approx(target["target_epsilon"], rel=1e-12)
    assert total.delta == pytest.approx(target["target_delta"], rel=1e-9)


@pytest.mark.parametrize(
    ("given_", "words"),
    [
        (ONE, "0 of the first pair, 0 of the second"),
        ({**ONE, "epsilon": 1.0}, "1 of the first pair"),
        ({**ONE, "epsilon": 1.0, "delta": 0.1, "target_delta": 0.5}, "1 of the second"),
        ({**ONE, "size": 20, "target_epsilon": 1.0, "target_delta": 1e-3}, "stays within the target"),
        ({"extractor_epsilon": -1.0, "extractor_delta": 0.0, "epsilon": 1.0, "delta": 0.0}, "extractor_epsilon"),
        ({"extractor_epsilon": 1.0, "extractor_delta": 1.5, "epsilon": 1.0, "delta": 0.0}, "extractor_delta"),
    ],
)
def test_a_premise_that_fails_is_named_and_gives_no_epsilon(given_: dict[str, float], words: str) -> None:
    certificate = derive("dp-extractor", given_)
    assert certificate.epsilon is None
    assert words in certificate.outputs["reason"]


def test_what_is_too_large_for_a_number_is_null_with_a_reason() -> None:
    certificate = derive("dp-extractor", {"extractor_epsilon": 1e308, "extractor_delta": 0, "epsilon": 1e308, "delta": 0})
    assert certificate.epsilon is None
    assert "range" in certificate.outputs["reason"]


@given(seed=st.integers(0, 10_000))
def test_no_finite_mechanism_breaks_it(seed: int) -> None:
    """Random extractors of four outcomes, linear models of three: the hockey-stick divergence of the pair is within delta."""
    rng = np.random.default_rng(seed)
    epsilons = rng.uniform(0, 1.5, size=2)
    with_them, without = rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(4))
    unlearned, retrained = rng.dirichlet(np.ones(3), size=4), rng.dirichlet(np.ones(3), size=4)
    # The smallest deltas for which the two premises hold at these epsilons.
    private = _hockey_stick(with_them, without, epsilons[0])
    removed = max(_hockey_stick(one, other, epsilons[1]) for one, other in zip(unlearned, retrained, strict=True))
    certificate = derive(
        "dp-extractor",
        {"extractor_epsilon": epsilons[0], "extractor_delta": private, "epsilon": epsilons[1], "delta": removed},
    )
    assert certificate.epsilon is not None
    assert certificate.delta is not None
    joint = (with_them[:, None] * unlearned).ravel()
    fresh = (without[:, None] * retrained).ravel()
    assert _hockey_stick(joint, fresh, certificate.epsilon) <= certificate.delta + 1e-12


def _hockey_stick(one: np.ndarray, other: np.ndarray, epsilon: float) -> float:
    """The smallest delta with one(S) <= e^epsilon other(S) + delta for every event S."""
    return min(1.0, float(np.maximum(0.0, one - math.exp(epsilon) * other).sum()))
