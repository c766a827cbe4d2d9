"""What an advantage says of two Gaussians, against mpmath with 40 digits: mu = 2 sqrt(2) erfinv(advantage)."""

from __future__ import annotations

import pytest

from auditor.maths.certificates import derive


@pytest.mark.parametrize(
    ("order", "advantage", "mu", "epsilon"),
    [
        (2, 0.3, 0.7706409328151352, 0.5938874473301818),
        (8, 0.95, 3.919927969080108, 61.46334113110602),
        (1.5, 0.001, 0.002506628930865109, 4.71239144778747e-6),
    ],
)
def test_an_advantage_and_what_it_refutes(order: float, advantage: float, mu: float, epsilon: float) -> None:
    found = derive("gaussian-lower", {"q": order, "advantage": advantage}).outputs
    assert found == {"mu_lower": pytest.approx(mu, rel=1e-12), "epsilon_lower": pytest.approx(epsilon, rel=1e-12)}
    assert found["mu_lower"] <= mu
    assert found["epsilon_lower"] <= epsilon
