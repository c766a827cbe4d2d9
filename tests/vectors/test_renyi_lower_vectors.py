"""Renyi lower bounds from counts, against mpmath with 40 digits: limits by halving the incomplete beta function."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.maths.certificates import derive

MANY = {"q": 2, "hits": 480, "trials": 500, "other_hits": 30, "other_trials": 500, "confidence": 0.95}
FEW = {"q": 8, "hits": 90, "trials": 100, "other_hits": 40, "other_trials": 120, "confidence": 0.99}
NEAR = {"q": 1.5, "hits": 2100, "trials": 4000, "other_hits": 1900, "other_trials": 4000, "confidence": 0.9}


@pytest.mark.parametrize(
    ("given", "limits", "epsilon", "radius"),
    [
        (MANY, (0.938897390611755, 0.0845485537076001), 2.3447222309404, 0.548302546658413),
        (FEW, (0.798046479218656, 0.453356273413392), 0.533262277076188, 0.242957346960646),
        (NEAR, (0.511877110228534, 0.488122889771466), 0.00169262995184013, 0.000423167398438585),
    ],
)
def test_counts_and_what_they_refute(given: dict[str, Any], limits: tuple[float, float], epsilon: float, radius: float) -> None:
    found = derive("renyi-lower", given).outputs
    assert found == {
        "low": pytest.approx(limits[0], rel=1e-11),
        "high": pytest.approx(limits[1], rel=1e-11),
        "advantage": pytest.approx(limits[0] - limits[1], rel=1e-9),
        "epsilon_lower": pytest.approx(epsilon, rel=1e-9),
        "radius_lower": pytest.approx(radius, rel=1e-9),
    }
    assert found["epsilon_lower"] <= epsilon
    assert found["radius_lower"] <= radius
