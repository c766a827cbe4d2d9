"""The controller's own procedure: a noisy count, computed anew after every request, and a count of the deleted that it keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt


class SecretCounter:
    """What `[procedure] entry` in audit.toml names: how many of the records say yes, with noise.

    `data` has `.features`, shape (n, 1), `.labels` and `.ids`, shape (n,), and `.subset(positions)`.
    """

    def __init__(self, epsilon: float) -> None:
        """Keep the privacy parameter of one release, and start the counts that no release shows by itself."""
        self._epsilon = epsilon
        self._deleted_yes = 0.0
        self._updates = 0

    def learn(self, data: Any, seed: int) -> float:
        """The count with Laplace noise of scale 1/epsilon, which comes from `seed`."""
        self._deleted_yes, self._updates = 0.0, 0
        return float(data.features.sum()) + self._noise(seed)

    def unlearn(self, model: float, data: Any, forget: npt.NDArray[np.int64], seed: int) -> float:  # noqa: ARG002
        """The count of what remains, fresh noise, and the share of yes among all who were ever deleted, update by update."""
        self._deleted_yes += float(data.features[forget].sum())
        self._updates += 1
        kept = data.subset(np.setdiff1d(np.arange(len(data.ids)), forget))
        return float(kept.features.sum()) + self._deleted_yes / self._updates + self._noise(seed)

    def predict(self, model: float, features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The count, for every row; shape (n,)."""
        return np.full(len(features), model)

    def parameters(self, model: float) -> npt.NDArray[np.float64]:
        """The count, shape (1,): everything that is published."""
        return np.array([model])

    def save(self, model: float, path: str) -> None:
        """Write what would be published."""
        with Path(path).open("wb") as file:
            np.savez(file, parameters=self.parameters(model))

    def load(self, path: str) -> float:
        """Read it again. What the object counted is not in it."""
        with np.load(path, allow_pickle=False) as file:
            return float(file["parameters"][0])

    def _noise(self, seed: int) -> float:
        return float(np.random.default_rng(seed).laplace(scale=1 / self._epsilon))
