"""The controller's own procedure: a published median, computed anew after every request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt


class Median:
    """What `[procedure] entry` in audit.toml names: the median of the records' one number.

    `data` has `.features`, shape (n, 1), `.labels` and `.ids`, shape (n,), and `.subset(positions)`.
    """

    def learn(self, data: Any, seed: int) -> float:  # noqa: ARG002
        """The median of all records. Nothing is random."""
        return float(np.median(data.features))

    def unlearn(self, model: float, data: Any, forget: npt.NDArray[np.int64], seed: int) -> float:  # noqa: ARG002
        """The median of what remains, computed anew: the model plays no part."""
        return self.learn(data.subset(np.setdiff1d(np.arange(len(data.ids)), forget)), seed)

    def edit(
        self,
        model: float,  # noqa: ARG002
        data: Any,
        positions: npt.NDArray[np.int64],
        features: npt.NDArray[np.float64],
        labels: npt.NDArray[np.float64],  # noqa: ARG002
        seed: int,  # noqa: ARG002
    ) -> float:
        """The median after records were replaced, computed anew; optional, for requests that change a record."""
        values = data.features.copy()
        values[positions] = features
        return float(np.median(values))

    def predict(self, model: float, features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The median, for every row; shape (n,)."""
        return np.full(len(features), model)

    def parameters(self, model: float) -> npt.NDArray[np.float64]:
        """The median, shape (1,): everything that is published, and everything that is kept."""
        return np.array([model])

    def state(self, model: float) -> bytes:
        """Nothing but the model is carried from one update to the next."""
        return self.parameters(model).tobytes()

    def save(self, model: float, path: str) -> None:
        """Write what would be published."""
        with Path(path).open("wb") as file:
            np.savez(file, parameters=self.parameters(model))

    def load(self, path: str) -> float:
        """Read it again."""
        with np.load(path, allow_pickle=False) as file:
            return float(file["parameters"][0])
