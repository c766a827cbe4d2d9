"""Everybody's vectors, as the case's own function computed them: what readers of places are given of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from auditor.parts.places.judging.embedding import Embedding


@dataclass(frozen=True, slots=True, eq=False)
class Computed:
    """What came of the function."""

    vectors: npt.NDArray[np.float32]
    """Shape (n, d), in the order of the table."""
    steady: npt.NDArray[np.bool_]
    """Shape (n,): whose vectors move little where their records do."""
    seen: Embedding
