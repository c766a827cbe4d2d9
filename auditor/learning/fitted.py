"""What procedures around an estimator carry from one update to the next, and what they raise where it is something else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class FittedModel:
    """Everything that is carried from one update to the next."""

    estimator: Any
    """The fitted estimator."""
    retrained: bool
    """Whether the last update trained from scratch."""


class NoEstimatorError(TypeError):
    """What was built, or what it returned, is not what an estimator is."""
