"""Two factorisations of the matrix of prefix sums, T by T with ones on and below the diagonal, and how far one event moves each.

A binary tree counts every event in h = ceil(log2(T + 1)) nodes at most, one for each level, and every prefix is the sum of h
nodes at most (Dwork, Naor, Pitassi and Rothblum 2010; Chan, Shi and Song 2011). The square root R of the matrix is lower
triangular and Toeplitz, of coefficients c_k = C(2k, k)/4^k: one event moves Rx by one column of R, and an answer is one row of R
times what is released of Rx; both are at most sqrt(S) long, S = sum over k < T of c_k^2 (Fichtenberger, Henzinger and Upadhyay
2023).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import numpy as np

from auditor.base.records import Floats

Factorisation: TypeAlias = Literal["tree", "square-root"]
LONGEST: Final = 10**7
"""The longest horizon of the square root: each event costs as many additions."""
_UP: Final = 1 + 2.0**-48


def levels(horizon: int) -> int:
    """h = ceil(log2(T + 1)): the nodes that count one event, and the most that make up a prefix; exact.

    Args:
        horizon: T, at least 1.
    """
    return horizon.bit_length()


def coefficients(horizon: int) -> Floats:
    """c_k = C(2k, k)/4^k for k below the horizon, shape (horizon,), by c_k = c_{k-1} (2k - 1)/(2k)."""
    k = np.arange(1, horizon)
    return np.concatenate(([1.0], np.cumprod((2 * k - 1) / (2 * k))))


@lru_cache(maxsize=16)
def root_sensitivity(horizon: int) -> float:
    """The sum of c_k^2 over k below the horizon, rounded up.

    Args:
        horizon: T, from 1 to LONGEST.
    """
    # A running product of T rounded quotients is off by T ulps at most, and so is its square twice.
    return math.fsum(coefficients(horizon) ** 2) * (1 + 4 * horizon * 2.0**-52) * _UP


def squared_sensitivity(factorisation: Factorisation, horizon: int) -> float:
    """S, rounded up: how far an event of length 1 moves all sums that are kept, squared; exact for the tree.

    Args:
        factorisation: Which.
        horizon: T, at least 1.
    """
    return float(levels(horizon)) if factorisation == "tree" else root_sensitivity(horizon)
