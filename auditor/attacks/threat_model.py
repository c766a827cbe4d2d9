"""What an adversary may see: outputs of models on records, and of shadow models which of them learned from which records.

The roles of the SWAP test, forget and test, appear nowhere here: an attack that cannot see them cannot lean on them. Reference
models come in complementary pairs, so that each record was seen by exactly half of them, whatever its role.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from auditor.base.records import Floats, Positions

Value = TypeVar("Value")
MOST_POPULATION: Final = 200
"""The most shadow records that a turn takes as its population: fractions of it come in steps of half a percent."""


@dataclass(frozen=True, slots=True, eq=False)
class References:
    """Outputs of the shadow models on some records."""

    probabilities: Floats
    """Shape (j, n, classes); models 2i and 2i+1 were trained on complementary halves of all records."""
    trained_on: npt.NDArray[np.bool_]
    """Shape (j, n): whether model j was trained on record i."""
    _known: dict[tuple[Any, ...], Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse models that are not complementary pairs.

        Raises:
            ValueError: If the shapes do not fit together, or both models of a pair or neither were trained on a record.
        """
        if self.probabilities.ndim != 3 or self.probabilities.shape[:2] != self.trained_on.shape:
            raise ValueError(
                f"shadow models need probabilities (j, n, classes) and trained_on (j, n), "
                f"found {self.probabilities.shape} and {self.trained_on.shape}"
            )
        if len(self.trained_on) % 2 or not np.array_equal(self.trained_on[0::2], ~self.trained_on[1::2]):
            raise ValueError("shadow models come in pairs trained on complementary halves")

    def __len__(self) -> int:
        """The number of models, j."""
        return len(self.trained_on)

    def once(self, compute: Callable[..., Value], labels: Positions, *settings: float | bool) -> Value:
        """Give `compute(self, labels, *settings)`, and remember it: many models meet the same references.

        Args:
            compute: A function whose value follows from its arguments alone.
            labels: Shape (n,): class codes.
            settings: Further arguments.
        """
        key = (compute, labels.tobytes(), settings)
        if key not in self._known:
            self._known[key] = compute(self, labels, *settings)
        value: Value = self._known[key]
        return value

    def parted(self, values: Floats) -> tuple[Floats, Floats]:
        """One value per model and record, (j, n), as those of the models that saw the record and of those that did not.

        Returns:
            Two arrays of shape (j/2, n): of each pair exactly one model was trained on a record.
        """
        first, even, odd = self.trained_on[0::2], values[0::2], values[1::2]
        return np.where(first, even, odd), np.where(first, odd, even)


@dataclass(frozen=True, slots=True, eq=False)
class Outputs:
    """What is seen of one model under attack."""

    probabilities: Floats
    """Shape (n, classes): on the records in question."""
    references: References
    """On the same records."""
    population_probabilities: Floats
    """Shape (z, classes): the model's outputs on shadow records that it was not trained on."""
    population_labels: Positions
    """Shape (z,): class codes."""
    population_references: References
    """Shape (j, z, ...): on the population."""

    def of_population(self) -> Outputs:
        """The same model on its population, in the place of the records in question."""
        return replace(self, probabilities=self.population_probabilities, references=self.population_references)


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """One shadow model in the place of the model under attack; here the members are known."""

    outputs: Outputs
    """All shadow records under this model. Its references are all models but itself and its complement, which tells its half."""
    labels: Positions
    """Shape (n,): class codes."""
    members: npt.NDArray[np.bool_]
    """Shape (n,): whether the model was trained on the record."""


@dataclass(frozen=True, slots=True, eq=False)
class Shadow:
    """The shadow records with every shadow model's outputs on them: all that an attack is fitted on."""

    labels: Positions
    """Shape (n,): class codes 0..classes-1."""
    references: References

    def turns(self) -> Iterator[Turn]:
        """Each shadow model in turn as the model under attack.

        Its population are the shadow records that it was not trained on, the first `MOST_POPULATION` of them.

        Raises:
            ValueError: If there are fewer than 2 complementary pairs, so that a model would be left without references.
        """
        if len(self.references) < 4:
            raise ValueError(f"at least 2 complementary pairs of shadow models are needed, found {len(self.references) // 2}")
        return map(self._turn, range(len(self.references)))

    def _turn(self, model: int) -> Turn:
        probabilities, trained_on = self.references.probabilities, self.references.trained_on
        others = np.arange(len(trained_on)) // 2 != model // 2
        population = np.flatnonzero(~trained_on[model])[:MOST_POPULATION]
        rest = References(probabilities[others], trained_on[others])
        outputs = Outputs(
            probabilities=probabilities[model],
            references=rest,
            population_probabilities=probabilities[model, population],
            population_labels=self.labels[population],
            population_references=References(rest.probabilities[:, population], rest.trained_on[:, population]),
        )
        return Turn(outputs, self.labels, trained_on[model])
