"""Which procedures give the least-squares solution of their records, for which two attacks are exact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from auditor.settings.builtin import Procedure

_RIDGE: Final = 1.0
"""The penalty of scikit-learn's Ridge where none is named."""


@dataclass(frozen=True, slots=True)
class LeastSquares:
    """What is minimised: the sum of squared residuals, and a penalty."""

    ridge: float
    """On every squared weight but the intercept's; 0 for ordinary least squares."""
    intercept: bool


def least_squares(procedure: Procedure) -> LeastSquares | None:
    """Read off the table what an estimator minimises; None where it is another model."""
    name, params = procedure.fitted or ("", {})
    if params.get("positive"):
        return None
    intercept = params.get("fit_intercept", True) is not False
    match name.rpartition(".")[2], params.get("alpha", _RIDGE):
        case "LinearRegression", _:
            return LeastSquares(0.0, intercept)
        case "Ridge", int() | float() as alpha:
            return LeastSquares(float(alpha), intercept)
        case _:
            return None
