"""Which procedures give models whose deleted records can be rebuilt, and how, read off what is declared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from auditor.settings.builtin import Procedure

Route: TypeAlias = Literal["region", "difference"]
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


def route(procedure: Procedure, *, classifies: bool) -> Route | None:
    """How a record of such a model can be rebuilt; None where this version knows no way.

    Args:
        procedure: The table.
        classifies: Whether the task is classification.
    """
    if classifies:
        name, params = procedure.fitted or ("", {})
        nearest = name.rpartition(".")[2] == "KNeighborsClassifier" and params.get("n_neighbors") == 1
        return "region" if nearest else None
    removal = procedure.removal
    linear = least_squares(procedure) is not None or (removal is not None and removal.loss == "least-squares")
    return "difference" if linear else None
