"""What noisy gradient descent costs in accuracy: equations 16, 17 and the bound of docs/data-deletion.md, from mpmath, 50 digits.

The largest distance after any number of updates was found there by iterating its recursion, not by its closed form.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

from auditor.maths.certificates import derive

TWELVE_DIGITS = 1e-11
SMALL = {"q": 2, "d": 30, "n": 500, "r": 1, "lipschitz": 1, "l2": 0.05, "smoothness": 0.25, "epsilon_dp": 0.064}
FLAT = {"q": 8, "d": 10, "n": 20_000, "r": 25, "lipschitz": 1.5, "l2": 1e-3, "smoothness": 0.25, "sigma2": 1e-4}
WIDE = {"q": 8, "d": 640, "n": 1437, "r": 5, "lipschitz": math.sqrt(2), "l2": 0.1, "smoothness": 0.5, "sigma2": 1e-4}


@pytest.mark.parametrize(
    ("given", "steps", "risks"),
    [
        (
            {**SMALL, "epsilon_dd": 1e-3},
            {"learn_steps": 101, "unlearn_steps": 100, "learn_steps_utility": 101, "unlearn_steps_utility": 82},
            {
                "sigma2": 0.01,
                "epsilon_dd": 9.922466303365964e-4,
                "excess_risk_learned": 0.2781211626325491,
                "excess_risk_updated": 0.2772162532191279,
                "excess_risk_limit": 0.2769230769230769,
                "excess_risk_zero": 10,
                "printed_order": 0.075,
                "gradients_saved": 500,
                "share_saved": 0.009900990099009901,
                "unlearn_steps_deletion": 100,
            },
        ),
        (
            {**SMALL, "learn_steps": 100, "unlearn_steps": 20},
            {"learn_steps": 100, "unlearn_steps": 20, "learn_steps_utility": 101, "unlearn_steps_utility": 82},
            {
                "epsilon_dd": 0.02781428534445301,
                "excess_risk_learned": 0.2782302569275472,
                "excess_risk_updated": 0.7056738773840386,
                "gradients_saved": 40_000,
                "share_saved": 0.8,
            },
        ),
        (
            {**FLAT, "epsilon_dd": 1e-3},
            {"learn_steps": 14_685, "unlearn_steps": 7526, "learn_steps_utility": 14_685, "unlearn_steps_utility": 7164},
            {
                "epsilon_dp": 1.8,
                "epsilon_dd": 9.995261199459133e-4,
                "kappa": 251,
                "excess_risk_learned": 9.98011933696932e-4,
                "excess_risk_updated": 9.980438882402772e-4,
                "excess_risk_limit": 9.980119284294235e-4,
                "excess_risk_zero": 1125,
                "printed_order": 2.5e-4,
                "gradients_saved": 143_180_000,
                "share_saved": 0.4875042560435819,
                "unlearn_steps_deletion": 7526,
            },
        ),
        (
            {**WIDE, "learn_steps": 9, "unlearn_steps": 3},
            {"learn_steps": 9, "unlearn_steps": 3, "learn_steps_utility": 138, "unlearn_steps_utility": 82},
            {
                "epsilon_dp": 3.099320135072246,
                "epsilon_dd": 2.735140419319337,
                "excess_risk_learned": 12.73052334130109,
                "excess_risk_updated": 7.864340155886992,
                "excess_risk_limit": 0.05907692307692308,
                "gradients_saved": 8622,
            },
        ),
    ],
)
def test_utility_and_cost(given: dict[str, Any], steps: dict[str, int], risks: dict[str, float]) -> None:
    outputs = derive("noisy-gd-utility", given).outputs
    assert {name: outputs[name] for name in steps} == steps
    assert {name: outputs[name] for name in risks} == pytest.approx(risks, rel=TWELVE_DIGITS)
