"""Gradients, step sizes and starts of noisy gradient descent, computed with mpmath at 40 digits from the formulas of the paper
(Chourasia and Shah 2023, Algorithm 2 and Theorem 5.1) and of the losses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from auditor.learning.noisy_gd.descent import Descent
from auditor.learning.noisy_gd.fields import LinearLoss, MeanGradient
from auditor.learning.noisy_gd.models import theorem_rate

TWELVE_DIGITS = 1e-12
ROW = np.array([[0.6, -0.8]])
THETA = np.array([[0.3, 1.2]])
MATRIX = np.array([[0.5, -0.2, -1.0, 0.7, 0.1, 0.9]])


@pytest.mark.parametrize(
    ("label", "bounded", "expected"),
    [
        (1, {}, [-0.411408068362952, 0.548544091150603]),
        (1, {"cap": 1.5}, [-0.190189867948049, 0.253586490597399]),
        (1, {"clip": 0.4}, [-0.24, 0.32]),
        (0, {}, [0.188591931637048, -0.251455908849397]),
        (0, {"cap": 1.5}, [0.146646199285114, -0.195528265713486]),
        (0, {"clip": 0.4}, [0.188591931637048, -0.251455908849397]),
    ],
)
def test_gradient_of_the_logistic_loss(label: int, bounded: dict[str, Any], expected: list[float]) -> None:
    """The smaller label is −1; a row of norm 1."""
    found = MeanGradient(LinearLoss("logistic", 2, **bounded), ROW, np.array([label]))(THETA)[0]
    assert found == pytest.approx(np.array(expected), rel=TWELVE_DIGITS)


@pytest.mark.parametrize(
    ("bounded", "expected"),
    [
        (
            {},
            [
                0.393654681835103,
                -0.524872909113471,
                0.0779037494233412,
                -0.103871665897788,
                -0.471558431258445,
                0.628744575011259,
            ],
        ),
        (
            {"cap": 1.5},
            [0.14086993738456, -0.187826583179414, 0.0278779773483948, -0.0371706364645263, -0.168747914732955, 0.22499721964394],
        ),
        (
            {"clip": 0.4},
            [
                0.152580982242022,
                -0.203441309656029,
                0.0301955778905963,
                -0.0402607705207951,
                -0.182776560132618,
                0.243702080176825,
            ],
        ),
    ],
)
def test_gradient_of_the_softmax_loss(bounded: dict[str, Any], expected: list[float]) -> None:
    """Of the third of three classes, over the rows of the matrix."""
    found = MeanGradient(LinearLoss("softmax", 3, **bounded), ROW, np.array([2]))(MATRIX)[0]
    assert found == pytest.approx(np.array(expected), rel=TWELVE_DIGITS)


@pytest.mark.parametrize(
    ("loss", "rate", "variance", "deviation"),
    [
        ("logistic", 1.66666666666667, 0.208695652173913, 0.182574185835055),
        ("softmax", 0.909090909090909, 0.204651162790698, 0.134839972492648),
    ],
)
def test_step_start_and_noise_of_theorem_five_one(loss: Any, rate: float, variance: float, deviation: float) -> None:
    """At lambda = 0.05 and sigma^2 = 0.01."""
    assert theorem_rate(loss, l2=0.05) == pytest.approx(rate, rel=TWELVE_DIGITS)
    descent = Descent(0.05, 0.01, theorem_rate(loss, l2=0.05))
    assert descent.start_variance == pytest.approx(variance, rel=TWELVE_DIGITS)
    assert descent.deviation == pytest.approx(deviation, rel=TWELVE_DIGITS)
    assert Descent(0.05, 0.01, 0.3, stationary=False).start_variance == pytest.approx(0.2, rel=TWELVE_DIGITS)
