"""The features of a deleted record: Algorithm 4.3 of Gao et al. 2022, and the direction in which two linear models differ."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Floats, Positions

Bits = npt.NDArray[np.bool_]


def binarised(rows: Floats, middle: Floats) -> Bits:
    """Features as bits: whether each lies above the middle of its range.

    Args:
        rows: Shape (n, d).
        middle: Shape (d,).
    """
    bits: Bits = rows > middle
    return bits


def deleted_region(before: Positions, after: Positions) -> Bits:
    """The probes whose predicted class the deletion changed, shape (m,) (Algorithm 4.3, step 3)."""
    region: Bits = before != after
    return region


def majority(bits: Bits) -> Bits | None:
    """The more frequent value of each bit, 0 where both are as frequent, shape (d,) (Algorithm 4.3, step 4).

    Args:
        bits: Of the probes that are used, shape (m, d).

    Returns:
        None where there is no probe.
    """
    if not len(bits):
        return None
    found: Bits = 2 * bits.sum(axis=0) > len(bits)
    return found


def wrong_bits(guess: Bits, candidates: Bits) -> Floats:
    """The share of bits in which a guess differs from each candidate, shape (k,)."""
    wrong: Floats = (candidates != guess).mean(axis=1)
    return wrong


def direction(probes: Floats, before: Floats, after: Floats) -> Floats | None:
    """Where two least-squares models point: Σ_j a_j (ŷ_j − ŷ′_j), shape (d,), a multiple of the deleted record's own row.

    Removing the record a with the residual r and the leverage h moves the weights by w − w′ = (XᵀX)⁻¹a · r/(1 − h). Answers at
    probes A give A(w − w′), and AᵀA is near a multiple of XᵀX where the probes are drawn as the records are.

    Args:
        probes: A, shape (m, d), with a column of ones where the model has an intercept.
        before: Predictions before the deletion, shape (m,).
        after: Predictions after it, shape (m,).

    Returns:
        None where no prediction moved.
    """
    pointed: Floats = probes.T @ (before - after)
    return pointed if np.any(pointed) else None


def turned_away(pointed: Floats, candidates: Floats) -> Floats:
    """How far each candidate's row turns away from a direction: 1 − |cos|, shape (k,).

    Args:
        pointed: Shape (d,).
        candidates: Shape (k, d), as the probes of `direction`.
    """
    lengths = np.linalg.norm(candidates, axis=1) * np.linalg.norm(pointed)
    aligned = np.abs(candidates @ pointed)
    away: Floats = 1 - np.divide(aligned, lengths, out=np.zeros(len(candidates)), where=lengths > 0)
    return away
