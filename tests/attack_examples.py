"""Made-up models: softmax outputs of records that differ in difficulty, lifted where the model was trained on the record."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from auditor.attacks import Outputs, References, Shadow
from auditor.base.records import Floats, Positions


@dataclass(frozen=True)
class World:
    """Records, how hard each is, and what being trained on it does to a model's output."""

    labels: Positions
    difficulty: Floats
    lift: float
    """What training on a record adds to the logit of its true class."""

    def outputs(self, members: npt.NDArray[np.bool_], rng: np.random.Generator) -> Floats:
        """Probabilities, shape (j, n, classes), of one model per row of members (j, n)."""
        logits = self.difficulty + rng.normal(size=(*members.shape, self.difficulty.shape[-1]))
        logits[:, np.arange(len(self.labels)), self.labels] += 1.0 + self.lift * members
        exponentials = np.exp(logits)
        return exponentials / exponentials.sum(axis=-1, keepdims=True)


def world(rng: np.random.Generator, *, records: int = 80, classes: int = 3, lift: float = 2.0) -> World:
    difficulty = rng.normal(size=(records, classes))
    return World(rng.integers(0, classes, size=records), difficulty, lift)


def halves(rng: np.random.Generator, models: int, records: int) -> npt.NDArray[np.bool_]:
    """Which record each model is trained on, shape (models, records): complementary pairs."""
    trained_on = rng.random((models, records)) < 0.5
    trained_on[1::2] = ~trained_on[0::2]
    return trained_on


def shadow_of(of: World, rng: np.random.Generator, *, pairs: int = 8) -> Shadow:
    trained_on = halves(rng, 2 * pairs, len(of.labels))
    return Shadow(of.labels, References(of.outputs(trained_on, rng), trained_on))


def outputs_of(probabilities: Floats, references: References, shadow: Shadow, population: Floats) -> Outputs:
    """What is seen of one model: its outputs on some records and, (z, classes), on the first shadow records."""
    z = len(population)
    seen = References(shadow.references.probabilities[:, :z], shadow.references.trained_on[:, :z])
    return Outputs(probabilities, references, population, shadow.labels[:z], seen)


def one_game(
    seed: int, *, lift: float = 2.0, classes: int = 3, records: int = 80
) -> tuple[Shadow, Outputs, Positions, npt.NDArray[np.bool_]]:
    """Shadow data, and a model under attack on fresh records: what is seen of it, their labels, and which are its members."""
    rng = np.random.default_rng(seed)
    known, fresh = (world(rng, records=records, classes=classes, lift=lift) for _ in range(2))
    shadow = shadow_of(known, rng)
    trained_on = halves(rng, len(shadow.references), records)
    members = rng.random((1, records)) < 0.5
    population = known.outputs(np.zeros((1, records), dtype=bool), rng)[0, :50]
    references = References(fresh.outputs(trained_on, rng), trained_on)
    return shadow, outputs_of(fresh.outputs(members, rng)[0], references, shadow, population), fresh.labels, members[0]


def permuted(outputs: Outputs, order: Positions) -> Outputs:
    """The same model seen on the same records in another order."""
    references = outputs.references
    return replace(
        outputs,
        probabilities=outputs.probabilities[order],
        references=References(references.probabilities[:, order], references.trained_on[:, order]),
    )


def with_probabilities(shadow: Shadow, outputs: Outputs, probabilities: Floats) -> tuple[Shadow, Outputs]:
    """The same game in which every model, reference or not, gives a record one of the rows of `probabilities`, (k, classes).

    It is row (model + record) mod k, so that all rows occur on all sides; with one row, all outputs are the same.
    """

    def filled(shape: tuple[int, ...]) -> Floats:
        return probabilities[np.indices(shape).sum(axis=0) % len(probabilities)]

    def references(of: References) -> References:
        return References(filled(of.trained_on.shape), of.trained_on)

    return replace(shadow, references=references(shadow.references)), Outputs(
        filled((len(outputs.probabilities),)),
        references(outputs.references),
        filled((len(outputs.population_labels),)),
        outputs.population_labels,
        references(outputs.population_references),
    )
