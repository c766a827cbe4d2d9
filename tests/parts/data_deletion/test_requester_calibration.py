"""The games refute a true statement no oftener than their confidence allows, and chains of noisy gradient descent keep theirs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from auditor.audit.with_and_without import count, halves
from auditor.maths.certificates import derive
from auditor.parts.data_deletion.judging.chains import by_advantage, event

GAMES, CONFIDENCE, ORDER = 120, 0.8, 2.0
REPEATS = 300
MOST_WRONG = 82
"""Of 300 with a chance of 0.2 each, more are seen less than once in a thousand times."""


def released(rng: np.random.Generator, worlds: np.ndarray, shift: float, width: int) -> np.ndarray:
    """Unit Gaussians whose first coordinates lie `shift` apart in the two worlds."""
    models = rng.normal(size=(worlds.size, width))
    models[:, 0] += np.where(worlds == 0, shift / 2, -shift / 2)
    return models


@pytest.mark.parametrize(("shift", "width"), [(0.0, 1), (0.0, 30), (1.0, 1), (2.0, 4)])
def test_what_holds_is_refuted_no_oftener_than_the_error_allows(shift: float, width: int) -> None:
    """Both worlds lie at R_q = q (shift/2)^2/2 from the Gaussian between them, so that this is the ε of a true claim."""
    rng = np.random.default_rng(int(10 * shift) + width)
    truth = ORDER * (shift / 2) ** 2 / 2
    worlds = np.repeat([0, 1], GAMES // 2).astype(np.int64)
    wrong = wrong_advantage = 0
    for _ in range(REPEATS):
        found = count(released(rng, worlds, shift, width), worlds, halves(worlds, rng))
        shown = event(ORDER, found, confidence=CONFIDENCE).outputs
        wrong += shown["radius_lower"] > truth
        wrong_advantage += shown["advantage"] > math.erf(shift / 2 / math.sqrt(2))
        assert by_advantage(ORDER, shown["advantage"]).inputs["epsilon"] <= shown["radius_lower"] + 1e-9
    assert wrong <= MOST_WRONG
    assert wrong_advantage <= MOST_WRONG


def test_what_does_not_hold_is_found() -> None:
    rng = np.random.default_rng(8)
    worlds = np.repeat([0, 1], GAMES // 2).astype(np.int64)
    found = count(released(rng, worlds, 4.0, 10), worlds, halves(worlds, rng))
    assert event(ORDER, found, confidence=CONFIDENCE).outputs["radius_lower"] > 0.3


@pytest.mark.parametrize("advantage", [0.0, 1e-6, 0.05, 0.5, 0.99])
@pytest.mark.parametrize("order", [1.1, 2.0, 64.0])
def test_theorem_4_1_is_inverted_from_below(order: float, advantage: float) -> None:
    """The bound at the ε that comes out does not exceed what was reached, and a little more of ε would allow more."""
    epsilon = by_advantage(order, advantage).inputs["epsilon"]
    assert derive("advantage", {"q": order, "epsilon": epsilon}).outputs["bound"] <= advantage
    if advantage:
        assert derive("advantage", {"q": order, "epsilon": epsilon * 1.001 + 1e-15}).outputs["bound"] > advantage
