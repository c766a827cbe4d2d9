"""The built-in procedure `noisy-gd` (Chourasia and Shah 2023, Algorithm 2 and Definition 5.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from auditor.base.records import Dataset, Floats, Positions
from auditor.learning.facts import Facts
from auditor.learning.noisy_gd.descent import Descent, descend
from auditor.learning.noisy_gd.models import Learnable


# What a request makes of the records: some are deleted, or replaced in their places.
def without(data: Dataset, forget: Positions) -> Dataset:
    """The records but those at `forget`, shape (m,), in their order."""
    return data.subset(np.setdiff1d(np.arange(len(data)), forget))


def edited(data: Dataset, positions: Positions, features: Floats, labels: npt.NDArray[Any]) -> Dataset:
    """D ∘ u for an edit request u (Chourasia and Shah 2023, Definition 2.2): the same records with some replaced in place.

    Args:
        data: D.
        positions: Which are replaced, shape (r,), distinct.
        features: By what, shape (r, d).
        labels: Shape (r,).

    Raises:
        ValueError: If positions are outside the data or repeat, or the replacements have another shape.
    """
    chosen = np.asarray(positions)
    if chosen.ndim != 1 or (len(chosen) and not 0 <= chosen.min() <= chosen.max() < len(data)) or len(set(chosen)) < len(chosen):
        raise ValueError(f"positions: expected distinct ones among {len(data)} records")
    if features.shape != (len(chosen), data.features.shape[1]) or labels.shape != chosen.shape:
        raise ValueError(f"replacements: expected {len(chosen)} rows of {data.features.shape[1]} features and a label each")
    after, given = data.features.copy(), data.labels.astype(np.result_type(data.labels, labels))
    after[chosen], given[chosen] = features, labels
    return replace(data, features=after, labels=given)


@dataclass(frozen=True, slots=True, eq=False)
class NoisyModel:
    """A model: its parameters, and nothing else that an update would read."""

    parameters: Floats
    """Shape (p,), float64; of the softmax loss Θ, row after row."""
    seen: tuple[tuple[str, float | bool], ...] = ()
    """What was seen in the update that made it, for `facts` alone; a model that was loaded has none."""


@dataclass(frozen=True, slots=True, eq=False)
class DescentFacts(Facts):
    """What noisy gradient descent reports of an update; None where it was not seen, or the model has no such thing."""

    steps: float | None = None
    """Counted in the loop."""
    noise_count: float | None = None
    """Coordinates of noise that were recovered from the iterates."""
    noise_variance: float | None = None
    """Their mean square; 0 where there is none."""
    largest_row_norm: float | None = None
    """Of the features as the model takes them."""
    largest_gradient_norm: float | None = None
    """Of one record, before clipping."""
    largest_loss: float | None = None
    """Of one record."""
    least_curvature: float | None = None
    """The smallest second difference of a record's loss along random directions."""
    curvature_directions: float | None = None
    """How many these were."""


@dataclass(frozen=True, slots=True, eq=False)
class NoisyGd:
    """Learning and unlearning by noisy gradient descent on the mean loss plus (λ/2)‖θ‖².

    Every call draws from a generator of its own, made from the whole seed: with one seed `learn` gives the same bits wherever it
    runs, and an update under another seed is independent of all before it. One model is computed at a time, since products of a
    stack would differ in their last bits; `chains` is for many.
    """

    model: Learnable
    descent: Descent
    learn_steps: int
    """K_A."""
    unlearn_steps: int
    """K_Ā."""

    def learn(self, data: Dataset, seed: int) -> NoisyModel:
        """A(D): K_A steps from a Gaussian start (equation 14).

        Raises:
            ValueError: If there is no record, or a label is not among the classes.
            ArithmeticError: If the steps diverge.
        """
        rng = np.random.default_rng(seed)
        return self._run(data, self.descent.start(self.model.size, rng), self.learn_steps, rng)

    def unlearn(self, model: NoisyModel, data: Dataset, forget: Positions, seed: int) -> NoisyModel:
        """Ā for the deletion of the rows at `forget`, shape (m,): K_Ā steps from the model on the others (equation 15).

        Raises:
            ValueError: If no record is left, or a label is not among the classes.
            ArithmeticError: If the steps diverge.
        """
        return self._run(without(data, forget), model.parameters, self.unlearn_steps, np.random.default_rng(seed))

    def edit(
        self, model: NoisyModel, data: Dataset, positions: Positions, features: Floats, labels: npt.NDArray[Any], seed: int
    ) -> NoisyModel:
        """Ā for an edit request of r records, as the paper has it: each is replaced by another in its place (equation 15).

        Args:
            model: Of `data`.
            data: The records before the request.
            positions: Which are replaced, shape (r,), distinct.
            features: By what, shape (r, d).
            labels: Shape (r,).
            seed: The noise follows from it.

        Raises:
            ValueError: If the replacements do not fit the data, or a label is not among the classes.
            ArithmeticError: If the steps diverge.
        """
        after = edited(data, positions, features, labels)
        return self._run(after, model.parameters, self.unlearn_steps, np.random.default_rng(seed))

    def predict(self, model: NoisyModel, features: Floats) -> Floats:
        """Probabilities of the classes, shape (n, classes)."""
        return self.model.probabilities(model.parameters, features)

    def parameters(self, model: NoisyModel) -> Floats:
        """θ, shape (p,)."""
        return model.parameters

    def facts(self, model: NoisyModel) -> DescentFacts:
        """What was seen in the update that made the model.

        `retrained` is False: every update goes on from the model before. `steps` were counted in the loop; `noise_variance` is
        the mean square of the `noise_count` coordinates of noise recovered from the iterates (`descent.Descended`), 0 where there
        is not one; the rest is what the model's gradient has `seen`.
        """
        numbers: dict[str, float] = {name: value for name, value in model.seen if name != "retrained"}
        return DescentFacts(retrained=False if model.seen else None, **numbers)

    def save(self, model: NoisyModel, path: str) -> None:
        """Write the array `parameters`, shape (p,), as npz."""
        with Path(path).open("wb") as file:
            np.savez(file, parameters=model.parameters)

    def load(self, path: str) -> NoisyModel:
        """Read a model back: the array `parameters` is all that an update takes from it.

        Raises:
            ValueError: If its shape is not (p,).
        """
        with np.load(path, allow_pickle=False) as file:
            parameters = np.asarray(file["parameters"], dtype=np.float64)
        if parameters.shape != (self.model.size,):
            raise ValueError(f"parameters: expected shape ({self.model.size},), found {parameters.shape}")
        return NoisyModel(parameters)

    def state(self, model: NoisyModel) -> bytes:
        """Every byte that is carried to the next update: the parameters."""
        return model.parameters.tobytes()

    def _run(self, data: Dataset, start: Floats, steps: int, rng: np.random.Generator) -> NoisyModel:
        gradient = self.model.on(data)
        found = descend(gradient, start, self.descent, steps=steps, rng=rng)
        counted = {"steps": found.steps, "noise_count": found.noise_count, "noise_variance": found.noise_variance}
        # What examines the gradient afterwards draws from a stream of its own.
        seen = {"retrained": False, **counted, **gradient.seen(start, found.parameters, rng.spawn(1)[0])}
        return NoisyModel(found.parameters, tuple(seen.items()))
