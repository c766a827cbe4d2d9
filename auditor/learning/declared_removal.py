"""Set up certified removal as a table declares it, from the seed that the auditor holds: rows, targets, noise, bounds on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np

from auditor.base.records import Dataset, Floats
from auditor.learning.one_versus_rest import Shape
from auditor.learning.randomness import perturbations, release_noise
from auditor.learning.residuals import bounded, row_norms
from auditor.maths.certificates.perturbation import perturbation_norm_bound
from auditor.maths.certificates.rounding import combined
from auditor.settings.facets import Removal

Together: TypeAlias = Callable[[Sequence[float]], float]


class Learned:
    """What the declared procedure draws and minimises, from the seed that the auditor holds."""

    def __init__(self, train: Dataset, procedure: Removal) -> None:
        """Take the shape of the training data."""
        self.procedure = procedure
        self.shape = Shape(procedure.loss, procedure.halved)
        self.features = self.rows(train.features)
        self.dimensions = self.features.shape[1]
        # A regression has no classes; its targets are the labels themselves.
        classes = np.unique(train.labels) if procedure.loss == "logistic" else np.empty(0)
        self.models = self.shape.models(len(classes))
        self.targets = self.shape.targets(train.labels, classes)

    def rows(self, features: Floats) -> Floats:
        """Features as the procedure takes them, shape (n, d)."""
        return bounded(features) if self.procedure.row_norms == "scale" else features

    def perturbations(self, seed: int) -> Floats:
        """b as a training with that seed draws it, shape (K, d)."""
        declared = self.procedure
        kind = declared.perturbation
        return perturbations(seed, self.models, self.dimensions, sigma=declared.sigma, distribution=kind)

    def noise(self, seed: int) -> Floats:
        """What the release of an update with that seed adds, shape (K, d)."""
        drawn = release_noise(seed, self.models * self.dimensions, deviation=self.procedure.release_noise)
        return drawn.reshape(self.models, self.dimensions)

    def weights(self, released: Floats, number: int) -> Floats:
        """What was released after a batch, or after training (0), less the noise of that release, shape (K, d)."""
        weights = released.reshape(self.models, self.dimensions)
        return weights - self.noise(self.procedure.seed + number) if self.procedure.release_noise else weights

    @cached_property
    def row_norm(self) -> float:
        """The largest norm of a row."""
        return float(row_norms(self.features).max())

    @property
    def norm(self) -> float:
        """An upper bound of each ‖b_k‖ that gives nothing of it away."""
        declared = self.procedure
        return perturbation_norm_bound(self.dimensions, sigma=declared.sigma, distribution=declared.perturbation)

    @property
    def keeps_perturbation(self) -> bool:
        """Whether a batch that is answered by training from scratch keeps b: it does where noise is added at release."""
        return bool(self.procedure.release_noise) and self.procedure.unlearn == "newton"

    @property
    def together(self) -> Together:
        """How the classes' residuals come together."""
        if self.models == 1:
            return lambda values: values[0]
        return combined(self.added)

    @property
    def added(self) -> int:
        """1 where the classes' bounds add up, 0 where their squares do."""
        return int(self.procedure.perturbation == "laplace")
