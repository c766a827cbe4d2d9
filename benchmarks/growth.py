"""How cost grows: processor time over records, features, deletions, models and swap pairs, as exponents.

Each kind of work runs at sizes that double; the slope of log time over log size, by least squares, is the exponent: 1 where twice
as much takes twice as long. Every round times each size once, so that whatever else runs on the machine meets all of them. Whole
audits add what does not grow, the start of processes above all, and look flatter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median

import numpy as np

from auditor.learning.batched_logistic import minimise_many
from auditor.learning.logistic import Objective, minimise
from auditor.learning.residuals import NewtonRemoval
from auditor.maths.statistics import advantages, sign_flip_p
from benchmarks.measuring import Figure, once

L2, TOLERANCE = 1e-3, 1e-6
BATCH, ATTACKS, ASKED, SUBSET = 10, 4, 1_000, 2
"""Records of a deletion, attacks of the game, decisions of each, and which part of the table each of many models has."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Of everything but what grows, and how often that doubles."""

    records: int
    features: int
    deletions: int
    models: int
    pairs: int
    doublings: int
    repeats: int

    def grown(self, what: str) -> tuple[int, ...]:
        """The sizes of what grows, the last of them its own."""
        return tuple(int(getattr(self, what)) << step >> self.doublings for step in range(self.doublings + 1))


USUAL = Sizes(records=80_000, features=256, deletions=512, models=800, pairs=1_600, doublings=4, repeats=5)
TINY = Sizes(records=80, features=8, deletions=4, models=8, pairs=40, doublings=1, repeats=1)
NARROW, SHORT = 8, 8
"""By what a table is narrower where something else than its features grows, and shorter where something else than records."""


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time every size of everything that grows, in rounds."""
    works: Mapping[str, Callable[[Sizes, int], Callable[[], object]]] = {
        "records": _records,
        "features": _features,
        "deletions": _deletions,
        "models": _models,
        "pairs": _pairs,
    }
    for what, make in works.items():
        grown = sizes.grown(what)
        runs = [make(sizes, size) for size in grown]
        for run in runs:
            run()
        taken = [[max(once(run)[1], 1e-6) for run in runs] for _ in range(sizes.repeats)]
        exponents = tuple(float(np.polyfit(np.log(grown), np.log(each), 1)[0]) for each in taken)
        yield Figure(
            what, exponents, "", points=tuple(zip(map(float, grown), map(median, zip(*taken, strict=True)), strict=True))
        )


def _objective(rows: int, features: int) -> Objective:
    rng = np.random.default_rng(0)
    table = rng.normal(size=(rows, features))
    table /= np.linalg.norm(table, axis=1, keepdims=True)
    signs = np.where(table @ rng.normal(size=features) + 0.1 * rng.normal(size=rows) > 0, 1.0, -1.0)
    return Objective(table, signs, L2, np.zeros(features))


def _records(sizes: Sizes, size: int) -> Callable[[], object]:
    """Train on so many records."""
    objective = _objective(size, max(1, sizes.features // NARROW))
    return lambda: minimise(objective, tolerance=TOLERANCE)


def _features(sizes: Sizes, size: int) -> Callable[[], object]:
    """Train on so many features."""
    objective = _objective(max(2, sizes.records // SHORT), size)
    return lambda: minimise(objective, tolerance=TOLERANCE)


def _deletions(sizes: Sizes, size: int) -> Callable[[], object]:
    """Remove so many batches of records from one model, each with a step of its own."""
    objective = _objective(max(20, sizes.records // SHORT), max(1, sizes.features // NARROW))
    fitted, rows = minimise(objective, tolerance=TOLERANCE), len(objective.features)
    batches = [np.arange(at * BATCH, (at + 1) * BATCH) % rows for at in range(size)]

    def run() -> None:
        removal = NewtonRemoval(objective, fitted)
        for batch in batches:
            removal.step(np.unique(batch))

    return run


def _models(sizes: Sizes, size: int) -> Callable[[], object]:
    """Train so many models, each on half of one table."""
    objective = _objective(max(4, sizes.records // (SHORT * 10)), max(1, sizes.features // NARROW))
    rows = len(objective.features)
    members = np.random.default_rng(1).permuted(np.tile(np.arange(rows) % SUBSET == 0, (size, 1)), axis=1)
    nothing = np.zeros((size, objective.features.shape[1]))
    table = (objective.features, objective.signs, members)
    return lambda: minimise_many(*table, l2=L2, perturbations=nothing, tolerance=TOLERANCE)


def _pairs(_: Sizes, size: int) -> Callable[[], object]:
    """Judge a game of so many swap pairs: means with intervals, and the signs exchanged at random."""
    found = np.random.default_rng(2).uniform(-1, 1, size=(ATTACKS, size))

    def run() -> None:
        advantages(found, confidence=0.95, decisions=ASKED * size, identical=False)
        sign_flip_p(found, rng=np.random.default_rng(3))

    return run
