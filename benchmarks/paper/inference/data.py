"""The tables that scikit-learn bundles, as they come: nothing is scaled, since the paper says of no scaling."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from sklearn import datasets

Floats = npt.NDArray[np.float64]
Positions = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """Rows to play with."""

    features: Floats
    """Shape (n, d)."""
    labels: npt.NDArray[np.float64] | Positions
    """Shape (n,): class codes 0 … c − 1, or real targets."""
    classes: int | None
    """c; None for regression."""


TITLES = {
    "diabetes": "Diabetes",
    "iris": "Iris",
    "wine": "Wine",
    "breast-cancer": "Breast Cancer",
    "digits": "digits",
}


@cache
def records(name: str) -> Records:
    """A table by name."""
    match name:
        case "diabetes":
            features, labels = datasets.load_diabetes(return_X_y=True)
        case "iris":
            features, labels = datasets.load_iris(return_X_y=True)
        case "wine":
            features, labels = datasets.load_wine(return_X_y=True)
        case "breast-cancer":
            features, labels = datasets.load_breast_cancer(return_X_y=True)
        case "digits":
            features, labels = datasets.load_digits(return_X_y=True)
        case _:
            raise ValueError(f"there is no table named {name!r}")
    if name == "diabetes":
        return Records(features, labels.astype(np.float64), None)
    return Records(features, labels.astype(np.int64), int(labels.max()) + 1)
