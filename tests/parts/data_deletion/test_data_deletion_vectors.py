"""Numbers of data deletion, deletion inference and the tree counter: from the formulas page, and from mpmath with 40 digits."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.maths.certificates import derive
from auditor.parts.data_deletion.rules.noisy_gd_nonconvex import gradient_epsilon

TWELVE_DIGITS = 1e-11
CONVEX = {"q": 2, "lipschitz": 1, "l2": 0.05, "smoothness": 0.25, "sigma2": 0.01, "n": 500}
LONG = {"q": 8, "lipschitz": 1.5, "l2": 1e-3, "smoothness": 0.25, "sigma2": 0.2, "n": 2000}
DESCENT = {"lipschitz": 1, "l2": 0.05, "smoothness": 0.25, "sigma2": 0.01, "n": 500, "rate": 1 / 0.6}
STEEP_LOSS = {"lipschitz": 2, "l2": 0.01, "smoothness": 1, "sigma2": 0.5, "rate": 1.9}
STEEP = {**STEEP_LOSS, "n": 50, "steps": 5, "size": 7}
BATCHES = {"lipschitz": 1, "l2": 0.05, "smoothness": 0.25, "sigma2": 0.01, "batch": 100, "batches": 5, "rate": 1.6}
FLAT_LOSS = {"lipschitz": 1, "l2": 0, "smoothness": 0.5, "sigma2": 0.3, "rate": 0.1}
FLAT = {**FLAT_LOSS, "n": 20, "steps": 5, "learn_steps": 30}
NONCONVEX = {
    "q": 2,
    "sigma2": 4,
    "bound_b": 1.5,
    "lipschitz": 1,
    "l2": 0.5,
    "smoothness": 1,
    "rate": 1e-6,
    "d": 10,
    "n": 40,
    "r": 1,
    "learn_steps": 40_000_000,
    "unlearn_steps": 30_000_000,
}
LONG_RUN = {
    "q": 4,
    "sigma2": 2,
    "bound_b": 3,
    "lipschitz": 0.5,
    "l2": 0.2,
    "smoothness": 0.4,
    "rate": 1e-7,
    "d": 5,
    "n": 10_000,
    "r": 20,
    "learn_steps": 10**9,
    "unlearn_steps": 10**9,
}


@pytest.mark.parametrize(
    ("given", "steps", "private", "deletion", "kappa"),
    [
        (CONVEX, 60, 0.064, 0.00525343991193, 6),
        (CONVEX, 0, 0.064, 0.064, 6),
        (LONG, 5000, 0.09, 6.186163360724478e-4, 251),
    ],
)
def test_noisy_descent_on_a_convex_loss(given: dict[str, Any], steps: int, private: float, deletion: float, kappa: float) -> None:
    """Forget Unlearning, Theorem 5.1 (1), (2)."""
    certificate = derive("noisy-gd-convex", {**given, "steps": steps})
    expected = {"epsilon_dp": private, "epsilon_dd": deletion, "kappa": kappa}
    assert certificate.outputs == pytest.approx(expected, rel=TWELVE_DIGITS)
    assert (certificate.epsilon, certificate.order) == (certificate.outputs["epsilon_dd"], given["q"])


@pytest.mark.parametrize(
    ("given", "target", "steps"),
    [(CONVEX, 1e-4, 156), (CONVEX, 0.006, 57), (CONVEX, 0.064, 0), (CONVEX, 1.0, 0), (LONG, 1e-6, 11_454)],
)
def test_steps_for_a_target(given: dict[str, Any], target: float, steps: int) -> None:
    """Equation 16: 4 kappa ln(epsilon_dp/target) is 155.0752, 56.811, 0, below 0, and 11453.195."""
    certificate = derive("noisy-gd-convex", {**given, "target": target})
    assert certificate.outputs["steps"] == steps
    assert certificate.epsilon == derive("noisy-gd-convex", {**given, "steps": steps}).epsilon


@pytest.mark.parametrize(
    ("given", "private", "deletion"),
    [
        (NONCONVEX, 0.0125, 0.00864),
        ({**NONCONVEX, "n": 1000}, 0.00864, 0.00864),
        # 4 ln(3) e^(-10/3), as the learning steps are 10/3 of C = 3e8.
        (LONG_RUN, 0.1567675499086235, 0.1567675499086235),
        # 200/800, as the unlearning steps are the more.
        ({**LONG_RUN, "unlearn_steps": 2 * 10**9, "n": 20, "r": 1}, 0.25, 0.1567675499086235),
    ],
)
def test_noisy_descent_on_a_bounded_loss(given: dict[str, Any], private: float, deletion: float) -> None:
    """Forget Unlearning, Theorem 5.2, equations 18 and 19; epsilon_dd takes both roles where it is the larger one."""
    outputs = derive("noisy-gd-nonconvex", given).outputs
    assert outputs == pytest.approx({"epsilon_dp": private, "epsilon_dd": deletion}, rel=TWELVE_DIGITS)


def test_all_steps_up_to_the_last_model_seen() -> None:
    """Forget Unlearning, equation 18, for 1e8 steps: what takes the place of p epsilon_dp in Theorem 4.3."""
    seen = gradient_epsilon(2, lipschitz=1, sigma2=4, rows=1000, rate=1e-6, steps=10**8)
    assert seen == pytest.approx(5e-5, rel=TWELVE_DIGITS)
    assert derive("adaptive", {"epsilon_dd": 0.00864, "epsilon_dp": seen, "seen": 1}).epsilon == pytest.approx(0.00869, rel=1e-12)


def test_requests_that_depend_on_published_models() -> None:
    """Forget Unlearning, Theorem 4.3."""
    given = {"epsilon_dd": 0.00525343991193, "epsilon_dp": 0.064}
    assert derive("adaptive", {**given, "seen": 3}).outputs == pytest.approx({"epsilon": 0.19725343991193}, rel=TWELVE_DIGITS)
    assert derive("adaptive", {**given, "seen": 0}).epsilon == 0.00525343991193


@pytest.mark.parametrize(
    ("order", "epsilon", "pinsker", "renyi"),
    [
        (50, 0.05, 0.3162277660168379, 0.17456992215),
        (10, 0.3, 0.774596669241, 0.9433196907015117),
        (2, 0.01, 0.1414213562373095, 1.842604674708276),
        (1000, 0.001, 0.04472135954999579, 0.009645624337927456),
        (1.5, 0.2, 0.6324555320336759, 2.206817317241739),
    ],
)
def test_membership_advantage(order: float, epsilon: float, pinsker: float, renyi: float) -> None:
    """Forget Unlearning, Theorem 4.1."""
    expected = {"pinsker": pinsker, "renyi": renyi, "bound": min(pinsker, renyi, 1)}
    assert derive("advantage", {"q": order, "epsilon": epsilon}).outputs == pytest.approx(expected, rel=TWELVE_DIGITS)


@pytest.mark.parametrize(
    ("order", "epsilon", "delta", "mironov", "tight"),
    [
        (8, 0.05, 1e-5, 1.69470363785, 1.26410916785),
        (1.25, 0.3, 1e-6, 55.5620422318571, 53.06003011416616),
        (64, 2, 1e-10, 2.365489697300642, 2.283727323136318),
        (200, 0.01, 0.3, 0.01605011459460269, 0),
        (3, 0.5, 1, 0.5, 0),
    ],
)
def test_conversion_to_epsilon_and_delta(order: float, epsilon: float, delta: float, mironov: float, tight: float) -> None:
    """Mironov 2017, Proposition 3; Canonne, Kamath and Steinke 2020, Proposition 12, which is -0.0156 at (200, 0.01, 0.3)."""
    certificate = derive("conversion", {"q": order, "epsilon": epsilon, "delta": delta})
    assert certificate.outputs == pytest.approx({"mironov": mironov, "tight": tight}, rel=TWELVE_DIGITS)
    assert (certificate.epsilon, certificate.delta) == (certificate.outputs["tight"], delta)


@pytest.mark.parametrize(
    ("epsilon", "pinsker"), [(0.00525343991193, 0.0512515361327), (0.05, 0.158113883008), (0.3, 0.387298334621)]
)
def test_membership_advantage_where_the_world_without_the_record_is_the_law_of_the_bound(epsilon: float, pinsker: float) -> None:
    outputs = derive("advantage", {"q": 2, "epsilon": epsilon, "reference": 1}).outputs
    assert outputs["pinsker"] == outputs["bound"] == pytest.approx(pinsker, rel=TWELVE_DIGITS)
    assert derive("advantage", {"q": 2, "epsilon": epsilon, "reference": 0}).outputs["pinsker"] == pytest.approx(2 * pinsker)
    assert derive("advantage", {"q": 2, "epsilon": epsilon, "reference": 2}).outputs["bound"] is None


@pytest.mark.parametrize(
    ("order", "advantage", "expected"),
    [
        (20, 0.9, 0.379109729372),
        (2, 0.5, 0.03125),
        (200, 0.6, 0.2739094451236122),
        (1000, 1, 0.6852320102774307),
        (1.5, 1, 0.5),
        (3, 0, 0),
    ],
)
def test_what_two_tests_refute(order: float, advantage: float, expected: float) -> None:
    """Forget Unlearning, Theorem 4.5, with q 2^(1/q) as in equation 52."""
    outputs = derive("refutation", {"q": order, "advantage": advantage}).outputs
    assert outputs == pytest.approx({"epsilon_lower": expected}, rel=TWELVE_DIGITS)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({**DESCENT, "steps": 0}, 0.175119007154),
        ({**DESCENT, "steps": 10}, 0.0733580329394),
        ({**DESCENT, "steps": 60}, 0.000946279938437),
        ({**DESCENT, "steps": 10, "learn_steps": 100}, 0.0733458266054),
        ({**DESCENT, "steps": 0, "learn_steps": 1}, 0.03651483716701107),
        ({**DESCENT, "steps": 3, "learn_steps": 2}, 0.02826239505315498),
        ({**DESCENT, "steps": 3, "learn_steps": 0}, 0),
        (STEEP, 7.161026842991768),
        ({**STEEP, "learn_steps": 20}, 2.905384565956415),
        (FLAT, 0.2070196678027063),
    ],
)
def test_gaussian_tradeoff_of_noisy_descent(given: dict[str, Any], expected: float) -> None:
    """Bok, Su and Altschuler 2024, with shifts for T steps and none for K; FLAT has c = 1 and (A/s) T/sqrt(T + K)."""
    assert derive("noisy-gd-gaussian", given).outputs == pytest.approx({"mu": expected}, rel=TWELVE_DIGITS)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({**BATCHES, "epochs": 5}, 0.0127875029115998),
        ({**BATCHES, "epochs": 5, "learn_epochs": 400}, 0.0127875029115998),
        ({**BATCHES, "epochs": 5, "learn_epochs": 2}, 0.00725341196622534),
        ({**BATCHES, "epochs": 1, "learn_epochs": 1}, 0.029054044954929),
        ({**BATCHES, "epochs": 1, "learn_epochs": 0}, 0),
        ({**BATCHES, "batch": 500, "batches": 1, "epochs": 5}, 0.0577590107986405),
        (
            {**STEEP_LOSS, "batch": 50, "batches": 3, "epochs": 2, "learn_epochs": 20, "size": 7},
            0.85330345656364,
        ),
        ({**FLAT_LOSS, "batch": 20, "batches": 4, "epochs": 5, "learn_epochs": 30}, 0.0523185079811367),
    ],
)
def test_gaussian_tradeoff_of_mini_batches(given: dict[str, Any], expected: float) -> None:
    """Two chains of 60 digits, step by step: apart by eta L/b at the visits of the last batch, noise counted from the first."""
    assert derive("noisy-gd-batches", given).outputs == pytest.approx({"mu": expected}, rel=TWELVE_DIGITS)


COMPLIANCE = [
    (640, 1000, 0.95, 0.609372067620597, 0.669800816955781, 0.2187441352412),
    (50, 100, 0.9, 0.413621714630912, 0.586378285369088, 0),
    (10, 10, 0.95, 0.691502892181239, 1, 0.3830057843625),
    (1031, 2000, 0.95, 0.493338320646353, 0.537616175068301, 0),
    (0, 7, 0.5, 0, 0.179664643992362, 0),
]


@pytest.mark.parametrize(("wins", "games", "confidence", "low", "high", "epsilon"), COMPLIANCE)
def test_won_games(wins: int, games: int, confidence: float, low: float, high: float, epsilon: float) -> None:
    """Deletion inference, Theorem 5.2, with the interval of Clopper and Pearson by bisection on the incomplete beta function."""
    outputs = derive("compliance", {"wins": wins, "games": games, "confidence": confidence}).outputs
    assert outputs["success"] == wins / games
    assert outputs["interval"] == pytest.approx([low, high], rel=TWELVE_DIGITS)
    assert outputs["epsilon_lower"] == pytest.approx(epsilon, rel=TWELVE_DIGITS)


COUNTERS = [
    (1, 1e-4, 1000, 10.074077397084, 31.857029899607, 45.052643740949),
    (1, 1e-6, 1000, 13.359607673103, 42.246788893268, 59.745981819573),
    (0, 1e-3, 7, 690.988118042305, 1196.82652787567, 1692.56830752968),
    (0.5, 1e-5, 8, 14.063653351165, 28.12730670233, 39.7780186114627),
    (2, 1e-9, 1_048_576, 13.0353522821594, 59.7354885434106, 84.478738053074),
]


@pytest.mark.parametrize(("epsilon", "delta", "horizon", "node", "release", "pan_private"), COUNTERS)
def test_noise_of_the_tree(epsilon: float, delta: float, horizon: int, node: float, release: float, pan_private: float) -> None:
    """sqrt(h)/mu in a node, h/mu in the worst prefix, sqrt(2) h/mu with noise in the state; mu by bisection on Theorem 8."""
    outputs = derive("tree-counter", {"epsilon": epsilon, "delta": delta, "horizon": horizon}).outputs
    expected = {"node_sigma": node, "release_sigma": release, "pan_private_release_sigma": pan_private}
    assert outputs == pytest.approx(expected, rel=TWELVE_DIGITS)
