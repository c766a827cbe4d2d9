"""The controller's own procedure: a small model that learns, and an answer to every erasure that takes it out of service.

After the first request what is released is one fixed, untrained model for ever: useless, and nothing of the deleted is in it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

CLASSES = 10


class FixedOutput:
    """What `[procedure] entry` in audit.toml names. The other keys of that table are the arguments of the class.

    `data` has `.features`, shape (n, d), `.labels` and `.ids`, shape (n,), and `.subset(positions)`. A model is a matrix, shape
    (classes, d): the inner product with a row of it scores a class.
    """

    def __init__(self, closeness: float) -> None:
        """Keep how closely a prediction follows the scores."""
        self._closeness = closeness

    def learn(self, data: Any, seed: int) -> npt.NDArray[np.float64]:  # noqa: ARG002
        """The mean picture of each class, of norm 1. Nothing is random."""
        means = np.stack([data.features[data.labels == label].mean(axis=0) for label in range(CLASSES)])
        return means / np.linalg.norm(means, axis=1, keepdims=True)

    def unlearn(
        self,
        model: npt.NDArray[np.float64],
        data: Any,  # noqa: ARG002
        forget: npt.NDArray[np.int64],  # noqa: ARG002
        seed: int,  # noqa: ARG002
    ) -> npt.NDArray[np.float64]:
        """The untrained model: the same whatever was learned and whoever is deleted."""
        return np.zeros_like(model)

    def predict(self, model: npt.NDArray[np.float64], features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Probabilities, shape (n, 10): a column for each label, in their order."""
        scores = self._closeness * features @ model.T
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        return chances / chances.sum(axis=1, keepdims=True)

    def parameters(self, model: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Every weight, class after class, shape (10 d,)."""
        return model.ravel()

    def state(self, model: npt.NDArray[np.float64]) -> bytes:
        """Everything that is carried from one update to the next: the weights."""
        return model.tobytes()

    def save(self, model: npt.NDArray[np.float64], path: str) -> None:
        """Write what would be deployed."""
        with Path(path).open("wb") as file:
            np.savez(file, parameters=self.parameters(model))

    def load(self, path: str) -> npt.NDArray[np.float64]:
        """Read it again."""
        with np.load(path, allow_pickle=False) as file:
            return file["parameters"].reshape(CLASSES, -1)
