"""What an adversary of deletion inference sees: answers before and after, and shadow models whose training records it knows.

Nothing here says which record was deleted: an adversary gives every record a score, and names the one with the larger score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from auditor.attacks.probabilities import losses
from auditor.attacks.threat_model import References, Shadow
from auditor.base.records import Floats, Positions

State = TypeVar("State")


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Answers of m pairs of models, each on one record and on a population; the pairs of one game stand once for each record."""

    before: Floats
    """Shape (m, classes), or (m,) for a regression: of the model that learned the record."""
    after: Floats
    """The same of the model after the deletion."""
    labels: npt.NDArray[np.generic]
    """Shape (m,): class codes, or real values."""
    records: Positions
    """Shape (m,): positions among the records that the shadow models were asked about."""
    population_before: Floats
    """Shape (m, z, classes) or (m, z): on records that the model never learned."""
    population_after: Floats
    population_labels: npt.NDArray[np.generic]
    """Shape (m, z)."""
    population_records: Positions
    """Shape (m, z)."""

    def __len__(self) -> int:
        """How many pairs of models."""
        return len(self.before)


@dataclass(frozen=True, slots=True, eq=False)
class ShadowModels:
    """Shadow models: 2i and 2i + 1 learned complementary halves of all records, apart from every game."""

    answers: Floats
    """Shape (j, n, classes), or (j, n) for a regression."""
    trained_on: npt.NDArray[np.bool_]
    """Shape (j, n)."""
    labels: npt.NDArray[np.generic]
    """Shape (n,): class codes, or real values."""

    def of_classes(self) -> Shadow:
        """The same as attacks of the SWAP test know it.

        Raises:
            ValueError: If the task is no classification.
        """
        return Shadow(self.labels.astype(np.int64), References(self.answers, self.trained_on))


class Adversary(Protocol[State]):
    """An attack on a deletion."""

    @property
    def name(self) -> str:
        """Its name in evidence."""

    @property
    def title(self) -> str:
        """What the report calls it."""

    @property
    def source(self) -> str:
        """Authors and year."""

    @property
    def since(self) -> str:
        """The version since which it plays."""

    def fit(self, shadow: ShadowModels, *, rng: np.random.Generator) -> State:
        """Everything that it learns, from shadow models alone.

        Raises:
            ValueError: If there are fewer than 2 complementary pairs.
        """

    def score(self, state: State, seen: Seen) -> Floats:
        """One finite number per pair of models, shape (m,): the larger, the likelier the record was deleted."""


def loss(answers: Floats, labels: npt.NDArray[np.generic]) -> Floats:
    """The squared error, or −log p of the true class, clipped as everywhere; shape (..., m).

    Args:
        answers: Shape (..., m) for a regression, (..., m, classes) otherwise.
        labels: Shape (m,): real values, or class codes.
    """
    if labels.dtype.kind == "f":
        squares: Floats = (answers - labels.astype(np.float64)) ** 2
        return squares
    return losses(answers, labels.astype(np.int64))


def difference(first: Floats, second: Floats) -> Floats:
    """First less second, and 0 where they differ in the last digits alone; shape as given.

    The last digits of one and the same model's answers depend on what it was asked about in addition, and would decide ties.
    """
    apart = first - second
    return np.where(np.abs(apart) <= _LAST_DIGITS * np.maximum(np.abs(first), np.abs(second)), 0.0, apart)


_LAST_DIGITS = 2.0**-48
