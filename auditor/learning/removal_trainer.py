"""Train and unlearn with certified removal, many models at once, in this process.

The numbers equal those of one model at a time to the optimiser's tolerance. With each removal goes the certified bound on its
gradient residual.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from auditor.base.records import Dataset, Floats, Positions
from auditor.base.row_blocks import pieces
from auditor.learning.batched_logistic import SHARED_NUMBERS, minimise_many, remove_many
from auditor.learning.declared_removal import Learned
from auditor.learning.logistic import LARGE
from auditor.learning.residuals import measure_step, row_norms, spectral_norm_bound
from auditor.learning.subsets import Bools, Table, blocks
from auditor.settings.facets import Removal


@dataclass(frozen=True, slots=True, eq=False)
class Removals:
    """Models that unlearn: what each is trained on, forgets and keeps, and its seeds."""

    trained: Bools
    forget: Bools
    kept: Bools
    learn_seeds: list[int]
    unlearn_seeds: list[int]


class Trainer:
    """Certified removal on the same records, many models at a time; weights have the shape (models, K, d)."""

    def __init__(self, train: Dataset, procedure: Removal) -> None:
        """Set up the removal on the training data."""
        self._learned = Learned(train, procedure)
        self.features = self._learned.features
        self._procedure = procedure
        self._last: tuple[Bools, float] | None = None
        """The rows whose spectral norm was bounded last, and the bound."""

    @cached_property
    def _lengths(self) -> Floats:
        """‖x_i‖₂ of every row, shape (n,)."""
        return row_norms(self.features)

    def members(self, sets: list[Positions]) -> Bools:
        """Sets of positions as a mask, shape (models, n)."""
        mask = np.zeros((len(sets), len(self.features)), dtype=bool)
        for row, positions in zip(mask, sets, strict=True):
            row[positions] = True
        return mask

    def learn(self, members: Bools, seeds: list[int]) -> Floats:
        """The minimisers of L_b on each set."""
        return self._minimised(members, self._drawn(seeds))

    def unlearn(self, sides: Removals, learned: Floats) -> tuple[Floats, float | None]:
        """The models without what is forgotten, and the largest bound β where the procedure removes it and does not retrain."""
        if self._procedure.unlearn == "newton":
            return self.remove(sides.trained, sides.forget, learned, sides.learn_seeds)
        return self.removed(sides, learned), None

    def removed(self, sides: Removals, learned: Floats) -> Floats:
        """The models without what is forgotten."""
        if self._procedure.unlearn == "newton":
            return self.step(sides.trained, sides.forget, learned, sides.learn_seeds)
        return self.learn(sides.kept, sides.unlearn_seeds)

    def released(self, weights: Floats, seeds: list[int]) -> Floats:
        """The weights as they are released, with the noise of each seed."""
        if not self._procedure.release_noise:
            return weights
        return np.asarray(weights + np.stack([self._learned.noise(seed) for seed in seeds]))

    def predict(self, weights: Floats, rows: Positions) -> Floats:
        """Probabilities of the classes by each model, shape (models, rows, classes), of rows of the records."""
        if len(rows) * self.features.shape[1] < LARGE:
            return self._predicted(weights, self.features[rows])
        parts = [self._predicted(weights, self.features[some]) for some in pieces(rows, self.features.shape[1])]
        return np.concatenate(parts, axis=1)

    def predict_rows(self, weights: Floats, features: Floats) -> Floats:
        """The same of any rows, shape (rows, d)."""
        return self._predicted(weights, self._learned.rows(features))

    def _predicted(self, weights: Floats, features: Floats) -> Floats:
        models, classes, dimensions = weights.shape
        scores = (weights.reshape(models * classes, dimensions) @ features.T).reshape(models, classes, -1)
        return self._learned.shape.predictions(np.moveaxis(scores, 1, -1))

    def remove(self, trained: Bools, forget: Bools, learned: Floats, seeds: list[int]) -> tuple[Floats, float]:
        """Newton removal from every model, and the largest bound β on what it leaves, over all of them.

        Where noise is added at release, a model that would leave more than the residual budget is retrained with the same b.
        """
        unlearned = self.step(trained, forget, learned, seeds)
        if (budget := self._procedure.residual_budget) is not None:
            return unlearned, budget
        bounds = zip(trained, forget, self._drawn(seeds), learned, unlearned, strict=True)
        return unlearned, max(self._residual_bound(*each) for each in bounds)

    def step(self, trained: Bools, forget: Bools, learned: Floats, seeds: list[int]) -> Floats:
        """Newton removal from every model, as `remove` without its bound; the arguments as there."""
        unlearned = np.stack(
            [
                remove_many(self.features, signs, trained, forget, l2=self._procedure.l2, parameters=learned[:, k])
                for k, signs in enumerate(self._learned.targets)
            ],
            axis=1,
        )
        if (budget := self._procedure.residual_budget) is not None:
            kept, drawn = trained & ~forget, self._drawn(seeds)
            over = np.flatnonzero(self._residuals(kept, drawn, unlearned) > budget)
            unlearned[over] = self._minimised(kept[over], drawn[over])
        return unlearned

    def _residuals(self, kept: Bools, drawn: Floats, weights: Floats) -> Floats:
        """√Σ‖∇L_{b_k}(w_k; R)‖² of every model, an upper bound, shape (models,)."""
        found = np.zeros(len(weights))
        tables = [Table(self.features, signs, self._procedure.l2) for signs in self._learned.targets]
        for block in blocks(np.arange(len(weights)), each=len(self.features), most=SHARED_NUMBERS):
            for k, table in enumerate(tables):
                subsets = table.shared(kept[block], drawn[block, k])
                gradients, errors = subsets.gradients(weights[block, k])
                found[block] = np.hypot(found[block], np.linalg.norm(gradients, axis=1) + errors)
        return found

    def _residual_bound(self, inside: Bools, gone: Bools, drawn: Floats, before: Floats, after: Floats) -> float:
        """β of one removal by the tightest row, all classes together, optimiser's leftover included (Corollary 2, corrected)."""
        norm, large = self._learned.norm, self.features.size >= LARGE
        features = self.features if large else self.features[inside]
        targets = self._learned.targets if large else self._learned.targets[:, inside]
        objectives = self._learned.shape.objectives(features, targets, l2=self._procedure.l2, perturbations=drawn)
        if large:  # of such a table nothing is copied
            objectives = tuple(replace(each, kept=inside) for each in objectives)
        positions = np.flatnonzero(gone if large else gone[inside]).astype(np.int64)
        lengths = self._lengths if large else None
        spectral, bounds = self._spectral(inside & ~gone), []
        for objective, one, other in zip(objectives, before, after, strict=True):
            step = measure_step(objective, positions, one, other, perturbation_norm=norm, spectral_norm=spectral, lengths=lengths)
            bounds.append(max(self._procedure.tolerance, step.gradient_norm + step.rounding_floor) + step.increment)
        return self._learned.together(bounds)

    def _spectral(self, left: Bools) -> float:
        """‖X‖₂ of the rows that are left, from above; the models of one pair are left with the same."""
        if self._last is not None and np.array_equal(self._last[0], left):
            return self._last[1]
        large = self.features.size >= LARGE
        bound = spectral_norm_bound(self.features, left) if large else spectral_norm_bound(self.features[left])
        self._last = (left, bound)
        return bound

    def _minimised(self, members: Bools, drawn: Floats) -> Floats:
        """The minimisers on each set with the given b, shape as `drawn`."""
        if not len(members):
            return drawn
        found = [
            minimise_many(
                self.features,
                signs,
                members,
                l2=self._procedure.l2,
                perturbations=drawn[:, k],
                tolerance=self._procedure.tolerance,
            )
            for k, signs in enumerate(self._learned.targets)
        ]
        return np.stack(found, axis=1)

    def _drawn(self, seeds: list[int]) -> Floats:
        return np.stack([self._learned.perturbations(seed) for seed in seeds])
