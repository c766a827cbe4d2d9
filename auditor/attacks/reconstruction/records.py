"""Adversaries who rebuild the features or the label of a deleted record (Gao et al. 2022)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from auditor.base.records import Floats, Positions

# The features of a deleted record: Algorithm 4.3 of Gao et al. 2022, and the direction in which two linear models differ.
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


# The label of a deleted record (Gao et al. 2022, Algorithms C.1 and C.3).
def rise(before: Floats, after: Floats) -> Floats:
    """How much more likely each class became at the probes, shape (c,): the deleted label is the one that fell most.

    Algorithm C.1, step 4.

    Args:
        before: Probabilities of the model before the deletion, shape (m, c).
        after: The same of the model after it.
    """
    moved: Floats = (after - before).sum(axis=0)
    return moved


def extrapolated(before: Floats, after: Floats, factor: Floats | float) -> Floats:
    """ỹ = ŷ + λ(ŷ − ŷ′), the label of a known instance (Algorithm C.3, step 2).

    Args:
        before: ŷ, shape (k,).
        after: ŷ′, shape (k,).
        factor: λ.
    """
    guess: Floats = before + factor * (before - after)
    return guess


def best_factor(before: Floats, after: Floats, labels: Floats) -> float:
    """The λ ≥ 0 whose guesses lie nearest to known labels on average: it minimises Σ|ŷ + λ(ŷ − ŷ′) − y|.

    Where predictions moved, the minimum is a weighted median of (y − ŷ)/(ŷ − ŷ′) with weights |ŷ − ŷ′|.

    Args:
        before: ŷ in games whose deleted label is known, shape (k,).
        after: ŷ′, shape (k,).
        labels: y, shape (k,).
    """
    step = before - after
    moved = np.abs(step) > 0
    if not moved.any():
        return 0.0
    ratios, weights = (labels - before)[moved] / step[moved], np.abs(step[moved])
    order = np.argsort(ratios, kind="stable")
    half = np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)
    return max(0.0, float(ratios[order][min(half, len(order) - 1)]))


def leverage_factor(known: Floats, instance: Floats, *, penalty: Floats) -> float:
    """λ = (1 − h)/h with the leverage h = xᵀ(XᵀX + P)⁻¹x, for which Algorithm C.3 is exact in least squares.

    Deleting a record moves its own prediction from ŷ to ŷ′ = y + (ŷ − y)/(1 − h), so y = ŷ + (1 − h)/h · (ŷ − ŷ′).

    Args:
        known: X, the instances that the model learned, the deleted one among them, shape (n, d), with a column of ones where the
            model has an intercept.
        instance: x, shape (d,).
        penalty: The diagonal of P, what is added to each squared weight, shape (d,); zeros for ordinary least squares.

    Returns:
        λ; 0 where the record has no leverage.
    """
    gram = known.T @ known + np.diag(penalty)
    held = float(instance @ np.linalg.lstsq(gram, instance, rcond=None)[0])
    return (1 - held) / held if held > 0 else 0.0


# Whether a guess is nearer to the deleted record than to every decoy.
# Decoys are drawn as the deleted record is, so that a guess which owes nothing to the deletion is nearest to any of them with
# one and the same probability.
@dataclass(frozen=True, slots=True)
class Nearest:
    """How one guess fared."""

    won: bool
    """Whether the deleted record is nearer than every decoy."""
    tied: int
    """Decoys that are just as near as the deleted record, where none is nearer; 0 where there is no tie."""


def nearest(distances: Floats) -> Nearest:
    """Judge one guess.

    Args:
        distances: Shape (1 + decoys,): of the guess to the deleted record, then to each decoy. What is not a number is
            infinitely far.
    """
    apart = np.where(np.isnan(distances), np.inf, distances)
    if np.any(apart[1:] < apart[0]):
        return Nearest(won=False, tied=0)
    tied = int(np.count_nonzero(apart[1:] == apart[0]))
    return Nearest(won=tied == 0, tied=tied)


def nothing(decoys: int) -> Nearest:
    """How no guess at all fares: as near to one record as to any other."""
    return Nearest(won=False, tied=decoys)
