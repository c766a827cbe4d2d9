"""Many perturbed logistic objectives over subsets of one table, evaluated side by side.

Each is `logistic.Objective` on its own rows. A row outside a subset has weight 0, so that one matrix product serves all
subsets; where subsets share few rows, each can instead carry a copy of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.base.records import Floats, Positions
from auditor.base.row_blocks import row_blocks
from auditor.learning.logistic import LARGE, Objective, is_wide
from auditor.learning.residuals import row_norms

Bools: TypeAlias = npt.NDArray[np.bool_]

UNIT_ROUNDOFF = 2.0**-53


@dataclass(frozen=True, eq=False)
class Table:
    """The records that all subsets are taken from."""

    features: Floats
    """X, shape (n, d)."""
    signs: Floats
    """y, shape (n,), each −1 or +1."""
    l2: float
    """λ > 0."""

    def objective(self, members: Bools, perturbation: Floats) -> Objective:
        """L_b over the rows in `members`, shape (n,), with b = `perturbation`, shape (d,); of a large table nothing is copied."""
        if self.features.size >= LARGE:
            return Objective(self.features, self.signs, self.l2, perturbation, kept=None if members.all() else members)
        return Objective(self.features[members], self.signs[members], self.l2, perturbation)

    def shared(self, members: Bools, perturbations: Floats) -> Subsets:
        """Objectives that read the table's own rows: O(Bn) memory and one matrix product for all."""
        return _subsets(self, self.features, self.signs, self._norms, members, perturbations)

    @cached_property
    def _norms(self) -> Floats:
        """‖x_i‖₂, shape (n,)."""
        return row_norms(self.features)

    def packed(self, members: Bools, perturbations: Floats) -> Subsets:
        """Objectives with a copy of their rows each, padded to the longest: O(B·max n_k·d) memory."""
        longest = int(members.sum(axis=1).max(initial=0))
        # A stable sort puts each subset's rows first; whatever pads a shorter one has weight 0.
        positions = np.argsort(~members, axis=1, kind="stable")[:, :longest]
        rows, within = self.features[positions], np.take_along_axis(members, positions, axis=1)
        return _subsets(self, rows, self.signs[positions], self._norms[positions], within, perturbations)


@dataclass(frozen=True, slots=True, eq=False)
class Subsets:
    """B objectives L_b(·; D_k); `Table.shared` and `Table.packed` make them."""

    rows: Floats
    """x_i: shape (n, d) where all read the same rows, (B, m, d) where each has its own."""
    signs: Floats
    """y_i, shape (n,) or (B, m)."""
    weights: Floats
    """1 for a row of the subset and 0 for any other, shape (B, n) or (B, m)."""
    norms: Floats
    """‖x_i‖₂, shape (n,) or (B, m)."""
    sizes: Floats
    """n_k, shape (B,)."""
    squares: Floats
    """Σ‖x_i‖² over each subset, shape (B,)."""
    l2: float
    """λ."""
    perturbations: Floats
    """b, shape (B, d)."""

    def only(self, which: Positions | Bools) -> Subsets:
        """Some of them."""
        every = np.arange(len(self.weights))
        if np.array_equal(every[which], every):  # nothing to leave out, and rows of their own may be a large table
            return self
        own = self.rows.ndim == 3
        return replace(
            self,
            rows=self.rows[which] if own else self.rows,
            signs=self.signs[which] if own else self.signs,
            weights=self.weights[which],
            norms=self.norms[which] if own else self.norms,
            sizes=self.sizes[which],
            squares=self.squares[which],
            perturbations=self.perturbations[which],
        )

    def gradients(self, parameters: Floats) -> tuple[Floats, Floats]:
        """∇L_b at one point each, and how far two ways of computing its norm in float64 can lie apart.

        With γ_k = k·2⁻⁵³, whatever the order of the sums (Higham 2002, Sec. 3.1): Σ of n_k terms is off by γ_{n_k} Σ‖∇ℓ_i‖, and,
        since ℓ'' ≤ ¼, a term by ¼γ_d‖x_i‖²‖w‖ for the rounding of x_iᵀw; a few more units for the rest, and all of it twice.

        Args:
            parameters: w, shape (B, d).

        Returns:
            Gradients, shape (B, d), and the bounds, shape (B,). Neither is finite where float64 overflows.
        """
        dimensions = self.rows.shape[-1]
        slopes = self._scores(parameters)
        with np.errstate(over="ignore"):  # where e^{yz} overflows the slope is 0 in float64
            np.exp(slopes, out=slopes)
        slopes += 1.0
        np.divide(self.weights, slopes, out=slopes)  # −ℓ'(yz) = 1/(1 + e^{yz})
        strengths, pull = self.l2 * self.sizes, _over_rows(slopes, self.norms)
        gradients: Floats = strengths[:, None] * parameters + self.perturbations - self._sums(slopes)
        lengths = np.linalg.norm(parameters, axis=1)
        added = pull + strengths * lengths + np.linalg.norm(self.perturbations, axis=1)
        errors = (self.sizes + 2 * dimensions + 20) * added + 0.25 * (dimensions + 2) * lengths * self.squares
        return gradients, 2 * UNIT_ROUNDOFF * errors

    def hessians(self, parameters: Floats) -> Floats:
        """∇²L at one point each, shape (B, d, d); for subsets with rows of their own."""
        halves = self._roots(parameters)
        diagonal = np.arange(self.rows.shape[-1])
        hessians = np.zeros((len(halves), len(diagonal), len(diagonal)))
        for at, (rows, factors) in enumerate(zip(self.rows, halves, strict=True)):
            for some in row_blocks(rows):
                weighted = rows[some] * factors[some, None]
                hessians[at] += weighted.T @ weighted  # one at a time it is half the work: BLAS knows it to be symmetric
        hessians[:, diagonal, diagonal] += (self.l2 * self.sizes)[:, None]
        return hessians

    def curving(self, parameters: Floats) -> Callable[[Floats], Floats]:
        """v ↦ Hv at one point each, shape (B, d) in and out; for subsets that share their rows.

        Args:
            parameters: w, shape (B, d).
        """
        curvatures = self._roots(parameters)
        curvatures *= curvatures

        def times(vectors: Floats) -> Floats:
            along: Floats = vectors @ self.rows.T
            along *= curvatures
            return np.asarray(self._along(along) + (self.l2 * self.sizes)[:, None] * vectors)

        return times

    def solved(self, parameters: Floats, right: Floats) -> Floats:
        """H⁻¹v at one point each, shape (B, d); for subsets with rows of their own.

        Args:
            parameters: w, shape (B, d).
            right: v, shape (B, d).

        Raises:
            numpy.linalg.LinAlgError: If one of the matrices is singular in float64.
        """
        if not is_wide(*self.rows.shape[1:]):
            return np.asarray(np.linalg.solve(self.hessians(parameters), right[:, :, None])[:, :, 0], dtype=np.float64)
        strengths, diagonal = self.l2 * self.sizes, np.arange(self.rows.shape[1])
        weighted = self.rows * self._roots(parameters)[:, :, None]
        inner = weighted @ weighted.transpose(0, 2, 1)
        inner[:, diagonal, diagonal] += strengths[:, None]
        within = np.linalg.solve(inner, weighted @ right[:, :, None])[:, :, 0]
        return np.asarray((right - (within[:, None, :] @ weighted)[:, 0]) / strengths[:, None])

    def _roots(self, parameters: Floats) -> Floats:
        """√ℓ'' of every row, 0 for those of no subset, shape as `weights`."""
        scores = self._scores(parameters)
        halves: Floats = np.exp(-0.5 * np.abs(scores))  # ℓ'' = (e^{−|z|/2}/(1 + e^{−|z|}))²
        halves *= self.weights / (1.0 + halves * halves)
        return halves

    def _scores(self, parameters: Floats) -> Floats:
        """y_i·x_iᵀw, shape as `weights`."""
        shared = self.rows.ndim == 2
        scores: Floats = parameters @ self.rows.T if shared else (self.rows @ parameters[:, :, None])[:, :, 0]
        scores *= self.signs
        return scores

    def _sums(self, factors: Floats) -> Floats:
        """Σ factor·y_i·x_i over the rows, shape (B, d); of the factors nothing is left."""
        factors *= self.signs
        return self._along(factors)

    def _along(self, factors: Floats) -> Floats:
        """Σ factor·x_i over the rows, shape (B, d)."""
        if self.rows.ndim == 3:
            return np.asarray(factors[:, None, :] @ self.rows)[:, 0]
        # Of a large table this way round takes half the time.
        return np.asarray((self.rows.T @ factors.T).T if self.rows.size >= LARGE else factors @ self.rows)


def blocks(positions: Positions, *, each: int, most: int) -> Iterator[Positions]:
    """Cut `positions` into pieces that need at most `most` numbers where one problem needs `each`; never an empty piece."""
    step = max(1, most // max(1, each))
    for first in range(0, len(positions), step):
        yield positions[first : first + step]


def _subsets(table: Table, rows: Floats, signs: Floats, norms: Floats, members: Bools, perturbations: Floats) -> Subsets:
    weights = members.astype(np.float64)
    return Subsets(
        rows=rows,
        signs=signs,
        weights=weights,
        norms=norms,
        sizes=weights.sum(axis=1),
        squares=_over_rows(weights, norms * norms),
        l2=table.l2,
        perturbations=perturbations,
    )


def _over_rows(factors: Floats, values: Floats) -> Floats:
    """Σ factor·value over the rows of each subset, shape (B,)."""
    return np.asarray(factors @ values if values.ndim == 1 else (factors * values).sum(axis=1))
