"""Numbers that every implementation of these formulas must reproduce, with where they come from."""

from __future__ import annotations

import math

import pytest

from auditor.maths.certificates import derive, gaussian, increments
from auditor.maths.certificates.privacy import group_delta
from auditor.parts.removal.rules import removal

TWELVE_DIGITS = 1e-11


@pytest.mark.parametrize(
    ("epsilon", "mu", "expected"),
    [
        (1, 0.3, 5.48874964461e-5),
        (0.1, 0.04, 8.42616369819e-5),
        (5, 1.2, 4.17874151362e-5),
        (0, 0.5, 0.197412651366),
    ],
)
def test_delta_of_the_analytic_gaussian_mechanism(epsilon: float, mu: float, expected: float) -> None:
    """Balle and Wang 2018, Theorem 8, computed with 50 digits."""
    assert gaussian.delta(epsilon, mu) == pytest.approx(expected, rel=TWELVE_DIGITS)
    outputs = derive("gaussian", {"epsilon": epsilon, "mu": mu}).outputs
    assert outputs == {"delta": pytest.approx(expected, rel=TWELVE_DIGITS)}


@pytest.mark.parametrize(("delta", "mu", "expected"), [(1e-4, 0.3, 0.950072605134), (1e-5, 1, 4.37717809568)])
def test_epsilon_of_the_analytic_gaussian_mechanism(delta: float, mu: float, expected: float) -> None:
    """The inverse of Balle and Wang 2018, Theorem 8, in epsilon."""
    assert gaussian.epsilon(delta, mu) == pytest.approx(expected, rel=TWELVE_DIGITS)
    outputs = derive("gaussian", {"delta": delta, "mu": mu}).outputs
    assert outputs == {"epsilon": pytest.approx(expected, rel=TWELVE_DIGITS)}


def test_mu_of_the_analytic_gaussian_mechanism() -> None:
    """The inverse in mu, and beside it Guo et al. 2020, Theorem 3(ii): 1/sqrt(2 ln 15000) with 15 digits."""
    assert gaussian.mu(1, 1e-4) == pytest.approx(0.313902458312, rel=TWELVE_DIGITS)
    outputs = derive("gaussian", {"epsilon": 1, "delta": 1e-4}).outputs
    assert outputs == {
        "mu": pytest.approx(0.313902458312, rel=TWELVE_DIGITS),
        "classical_mu": pytest.approx(0.228030094643934, rel=1e-14),
    }


def test_removal_budget() -> None:
    """The two vectors in mu and epsilon above, scaled by sigma = 3."""
    certificate = derive("removal-budget", {"epsilon": 1, "delta": 1e-4, "sigma": 3, "beta": 0.9})
    assert certificate.outputs["budget"] == pytest.approx(3 * 0.313902458312, rel=TWELVE_DIGITS)
    assert certificate.outputs["classical_budget"] == pytest.approx(3 * 0.228030094643934, rel=1e-14)
    assert certificate.outputs["classical_proved"] is True
    assert certificate.outputs["epsilon_spent"] == pytest.approx(0.950072605134, rel=TWELVE_DIGITS)
    assert certificate.epsilon == certificate.outputs["epsilon_spent"]
    assert removal.budget(1, 1e-4, 3) <= 3 * gaussian.mu(1, 1e-4)


def test_output_noise() -> None:
    """mu = 0.05/(0.02 * 500)/s = 0.3 for s = 1/60; then the vectors in mu above."""
    given = {"l2": 0.02, "rows": [500], "release_noise": 1 / 60, "delta": 1e-4}
    certificate = derive("output-noise", given | {"residual": 0.05, "measured": 0.01})
    assert certificate.outputs["mu"] == pytest.approx(0.3, rel=TWELVE_DIGITS)
    assert certificate.outputs["distance"] == pytest.approx(0.005, rel=TWELVE_DIGITS)
    assert certificate.epsilon == pytest.approx(0.950072605134, rel=TWELVE_DIGITS)
    back = derive("output-noise", given | {"epsilon": 1}).outputs["residual_budget"]
    assert back == pytest.approx(0.313902458312 * 0.02 * 500 / 60, rel=TWELVE_DIGITS)
    # Three releases under one budget: sqrt(3) times as far apart.
    three = derive("output-noise", given | {"rows": [500, 500, 500], "residual": 0.05})
    assert three.outputs["mu"] == pytest.approx(0.3 * math.sqrt(3), rel=TWELVE_DIGITS)


def test_laplace_budget() -> None:
    """Guo et al. 2020, Theorem 3(i): epsilon' = sigma epsilon, whatever the dimension."""
    certificate = derive("removal-budget-laplace", {"epsilon": 0.8, "sigma": 0.25, "beta": 0.05})
    assert certificate.outputs["budget"] == pytest.approx(0.2, rel=1e-15)
    assert certificate.epsilon == pytest.approx(0.2, rel=1e-15)
    assert certificate.delta == 0.0


def test_worst_case_increment_charges_the_perturbation() -> None:
    """The printed formula gives 0.000101 here, the true residual was 0.00153: it is no bound once b is not 0."""
    bound = increments.worst_case(
        rows=100, forgotten=1, l2=10, lipschitz=0.25, gradient_bound=1, perturbation_norm=2000, gradient_norm=0
    )
    assert bound == pytest.approx(0.0122222222222, rel=TWELVE_DIGITS)
    printed = increments.worst_case(
        rows=100, forgotten=1, l2=10, lipschitz=0.25, gradient_bound=1, perturbation_norm=0, gradient_norm=0
    )
    assert printed == pytest.approx(0.000101010101010, rel=TWELVE_DIGITS)
    assert printed < 0.00153 < bound


def test_online_increment() -> None:
    """gamma ||X|| max|x| (drift + |d|/2) |Xd| = 0.25 * 3 * 0.9 * (0.1 + 0.05) * 0.2 by hand."""
    given = {"lipschitz": 0.25, "spectral_norm": 3, "row_norm": 0.9, "step_norm": 0.1, "step_predictions_norm": 0.2}
    assert increments.online(**given, drift_norm=0.1) == pytest.approx(0.02025, rel=1e-11)
    assert increments.online(**given) == pytest.approx(0.00675, rel=1e-11)


def test_lipschitz_constant_of_the_logistic_curvature() -> None:
    """1/(6 sqrt 3) = 0.09622504486493762741819..., rounded up."""
    assert pytest.approx(0.0962250448649376, rel=1e-14) == increments.LOGISTIC_LIPSCHITZ
    assert increments.LOGISTIC_LIPSCHITZ > 0.096225044864937627


def test_group_of_three() -> None:
    """delta (e^3 - 1)/(e - 1) with delta = 1e-6."""
    certificate = derive("group", {"epsilon": 1, "delta": 1e-6, "size": 3})
    assert certificate.outputs == {"epsilon": 3.0, "delta": pytest.approx(1.11073379274e-5, rel=TWELVE_DIGITS)}
    assert (certificate.epsilon, certificate.delta) == (3.0, certificate.outputs["delta"])
    assert group_delta(0, 1e-6, 3) == pytest.approx(3e-6, rel=1e-14)
    assert math.isfinite(group_delta(1e300, 1e-300, 2**53))
