"""Forget Unlearning, Theorem 5.2 (3): the bound with constants holds of chains on losses with several minima, on a grid.

The vectors are from mpmath with 50 digits, the divergence after requests by iterating its recursion and not by its closed form.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.maths.certificates import derive
from auditor.parts.data_deletion.rules import noisy_gd_nonconvex_utility as rule

Floats = npt.NDArray[np.float64]
RECORDS = 5
FEW = {
    "sigma2": 0.5,
    "bound_b": 3,
    "lipschitz": 1,
    "l2": 1,
    "smoothness": 1,
    "rate": 0.001,
    "d": 1,
    "n": 100,
    "r": 1,
    "learn_steps": 10_000,
    "unlearn_steps": 2000,
}


@dataclass(frozen=True)
class Waves:
    """Each record's loss is a sum of cos(frequency θ_k + its phase) times a height, over coordinates that all behave alike."""

    height: float
    frequency: float
    l2: float
    sigma2: float
    rate_share: float
    size: int

    @property
    def inputs(self) -> dict[str, Any]:
        bend = self.height * self.frequency**2
        bound_b = math.exp(4 * self.size * self.height / self.sigma2) * (1 + 1e-12)
        rate = self.rate_share * (1 - 1e-12) * self.l2 / (4 * math.sqrt(bound_b) * (self.l2 + bend) ** 2)
        return {
            "sigma2": self.sigma2,
            "bound_b": bound_b,
            "lipschitz": self.height * self.frequency * math.sqrt(self.size),
            "l2": self.l2,
            "smoothness": bend,
            "rate": rate,
            "d": self.size,
            "n": RECORDS,
        }

    def grid(self) -> Floats:
        reach = 8 * math.sqrt(self.sigma2 / self.l2) + self.height * self.frequency / self.l2
        return np.linspace(-reach, reach, 901)

    def value(self, points: Floats, phases: Floats) -> Floats:
        waves = self.height * np.cos(self.frequency * points[:, None] + phases).mean(axis=1)
        return np.asarray(waves + self.l2 / 2 * points**2)

    def slope(self, points: Floats, phases: Floats) -> Floats:
        waves = -self.height * self.frequency * np.sin(self.frequency * points[:, None] + phases).mean(axis=1)
        return np.asarray(waves + self.l2 * points)

    def gibbs(self, phases: Floats) -> Floats:
        """The law of one coordinate."""
        points = self.grid()
        values = self.value(points, phases)
        weights = np.exp(-(values - values.min()) / self.sigma2)
        return np.asarray(weights / weights.sum())

    def start(self) -> Floats:
        weights = np.exp(-self.l2 * self.grid() ** 2 / (2 * self.sigma2))
        return np.asarray(weights / weights.sum())

    def after(self, law: Floats, phases: Floats, rate: float, steps: int) -> Floats:
        points, spread = self.grid(), 2 * rate * self.sigma2
        moved = points - rate * self.slope(points, phases)
        kernel = np.exp(-((points - moved[:, None]) ** 2) / (2 * spread))
        kernel /= kernel.sum(axis=1, keepdims=True)
        for _ in range(steps):
            law = law @ kernel
        return law

    def risk(self, law: Floats, phases: Floats) -> float:
        values = self.value(self.grid(), phases)
        return self.size * float(law @ values - values.min())

    def divergence(self, law: Floats, phases: Floats) -> float:
        other = self.gibbs(phases)
        there = (law > 0) & (other > 0)
        return self.size * float((law[there] * np.log(law[there] / other[there])).sum())


waves = st.builds(
    Waves,
    height=st.floats(0.05, 0.6),
    frequency=st.floats(0.5, 6),
    l2=st.floats(0.3, 2),
    sigma2=st.floats(0.3, 1),
    rate_share=st.floats(0.3, 1),
    size=st.integers(1, 2),
)


@settings(max_examples=15, deadline=None)
@given(waves, st.integers(0, 40), st.integers(1, 30), st.integers(1, RECORDS), st.integers(0, 10**6))
def test_chains_on_losses_with_several_minima_keep_within_the_bound_after_every_update(
    wave: Waves, learning: int, unlearning: int, changed: int, seed: int
) -> None:
    given_ = wave.inputs | {"r": changed, "learn_steps": learning, "unlearn_steps": unlearning}
    outputs = derive(rule.KIND, given_).outputs
    allowed = rule.divergences(rule.NonconvexUtilityInputs(**given_))
    rng = np.random.default_rng(seed)
    phases = rng.uniform(0, 2 * math.pi, RECORDS) if seed % 2 else np.zeros(RECORDS)
    law = wave.start()
    for update in range(4):
        if update:
            phases = phases.copy()
            phases[:changed] += math.pi if seed % 2 == 0 else rng.uniform(0, 2 * math.pi, changed)
        law = wave.after(law, phases, given_["rate"], unlearning if update else learning)
        name = "updated" if update else "learned"
        assert wave.divergence(law, phases) <= getattr(allowed, name) + 1e-9
        assert wave.risk(law, phases) <= outputs[f"excess_risk_{name}"]
    # What is said of the Gibbs law and of the model of zeros.
    inputs = rule.NonconvexUtilityInputs(**given_)
    assert wave.risk(wave.gibbs(phases), phases) <= wave.sigma2 * rule.gibbs_risk(inputs)
    at_zero = wave.value(np.zeros(1), phases)[0] - wave.value(wave.grid(), phases).min()
    assert wave.size * at_zero <= outputs["excess_risk_zero"]


def test_the_bound_of_the_gibbs_law_is_met_by_a_loss_that_hardly_bends() -> None:
    nearly: dict[str, Any] = {**FEW, "bound_b": 1 + 1e-9, "lipschitz": 1e-9, "smoothness": 1e-9}
    assert 0.5 * rule.gibbs_risk(rule.NonconvexUtilityInputs(**nearly)) == pytest.approx(0.25, rel=1e-6)


@settings(max_examples=30)
@given(waves, st.integers(0, 10**6), st.integers(1, 10**6), st.integers(1, 4), st.integers(0, 10**6))
def test_more_steps_and_smaller_requests_never_cost_accuracy(wave: Waves, learning: int, again: int, r: int, more: int) -> None:
    given_ = wave.inputs | {"r": r + 1, "learn_steps": learning, "unlearn_steps": again}
    fewer = derive(rule.KIND, given_).outputs
    for better in ({"learn_steps": learning + more}, {"unlearn_steps": again + more}, {"r": r}):
        found = derive(rule.KIND, given_ | better).outputs
        for name in ("learned", "updated", "limit"):
            assert found[f"excess_risk_{name}"] <= fewer[f"excess_risk_{name}"] * (1 + 1e-11)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"rate": 1}, "rate <= l2/(4 sqrt(bound_b) (l2 + smoothness)^2) (found 1)"),
        ({"bound_b": 1}, "bound_b > 1 (found 1)"),
        ({"unlearn_steps": 0}, "unlearn_steps >= 1 (found 0)"),
        ({"r": 101}, "1 <= r <= 100 (found 101)"),
        ({"d": 2**53, "sigma2": 1e300}, "a number exceeds the floating-point range"),
    ],
)
def test_what_has_no_number_is_null_with_a_reason(more: dict[str, Any], words: str) -> None:
    certificate = derive(rule.KIND, {**FEW, **more})
    assert certificate.epsilon is None
    assert words in certificate.outputs["reason"]
    assert all(value is None for key, value in certificate.outputs.items() if key != "reason")


@pytest.mark.parametrize(
    ("more", "risks"),
    [
        ({}, (0.9669826638628651, 1.07935316844266, 0.9664519989200934, 0.2746530721670274)),
        (
            {"learn_steps": 100, "unlearn_steps": 50, "r": 30},
            (1.115344624356704, 28.20705680125516, 0.9664519989200934, 0.2746530721670274),
        ),
        (
            {
                "sigma2": 0.01,
                "bound_b": 20,
                "lipschitz": 0.02,
                "l2": 0.1,
                "smoothness": 0.05,
                "rate": 0.0625,
                "d": 7,
                "n": 2000,
                "r": 40,
                "learn_steps": 5000,
                "unlearn_steps": 300,
            },
            (0.4756774724807895, 1.067602803769337, 0.475653420348774, 0.002),
        ),
    ],
)
def test_vectors(more: dict[str, Any], risks: tuple[float, ...]) -> None:
    outputs = derive(rule.KIND, FEW | more).outputs
    for name, risk in zip(("learned", "updated", "limit", "zero"), risks, strict=True):
        found = outputs[f"excess_risk_{name}"]
        assert found == pytest.approx(risk, rel=1e-10)
        assert found >= risk * (1 - 1e-15)
