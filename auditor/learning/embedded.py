"""Calls a function of a case that embeds records, in the sandbox: a procedure whose models are the vectors of their rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt


class Embedding:
    """A procedure around `embed(rows)`, which returns an array of shape (rows, d)."""

    def __init__(self, module: Callable[[Any], Any]) -> None:
        """Keep the function."""
        self._embed = module

    def learn(self, data: Any, seed: int) -> tuple[npt.NDArray[Any]]:
        """Give the vectors of rows.

        Raises:
            ValueError: If the function returns something else than a row of numbers for each.
        """
        del seed
        vectors = np.asarray(self._embed(_rows(data.features)))
        if vectors.ndim != 2 or len(vectors) != len(data) or not vectors.shape[1]:
            raise ValueError(f"expected an array of shape ({len(data)}, d), found shape {vectors.shape}")
        return (vectors,)

    def parameters(self, model: tuple[npt.NDArray[Any]]) -> npt.NDArray[Any]:
        """Give vectors one after another, shape (rows · d,)."""
        return model[0].reshape(-1)

    def unlearn(self, model: Any, data: Any, forget: Any, seed: int) -> NoReturn:
        """Refuse: nothing was learned."""
        raise NotImplementedError

    def predict(self, model: Any, features: Any) -> NoReturn:
        """Refuse: nothing was learned."""
        raise NotImplementedError


def _rows(features: Any) -> Any:
    """What the function gets: texts where a record is one text, otherwise the rows as a procedure would get them."""
    columns = getattr(features, "columns", None)
    if columns is None or len(columns) != 1:
        return features
    held = features[columns[0]].tolist()
    return held if all(isinstance(each, str) for each in held) else features
