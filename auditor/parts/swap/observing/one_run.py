"""A single run with coin-flip canaries: learn, unlearn, and guess at the coins, with two retrained models to compare with.

Of the records of the case, m are canaries; a coin for each says whether the model learns it. What it learned of them it unlearns,
in batches as the log's where the controller's own code runs. Two further models learn the other records alone: one tells how hard
each canary is, so that no shadow models are needed, and the other is guessed at as a null. That makes three trainings, each in a
process of its own.

The rule was fixed beforehand. A canary's score is how much likelier its label is to the model than to the retrained one, as a
difference of logarithms; the eighth with the highest scores is called learned, the one with the lowest never used, and ties are
ordered by a permutation that knows no coin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from auditor.audit.devices import Place, require_same
from auditor.audit.renamed_columns import Disguise
from auditor.audit.replay import Looking, forgotten_of, limits_of, specification
from auditor.base.draws import generator
from auditor.base.errors import SandboxError
from auditor.base.records import Floats, Positions
from auditor.case import Case
from auditor.parts.swap.judging import controls, quality, strong
from auditor.parts.swap.judging.game import LEAST_CANARIES, canaries, guessed
from auditor.parts.swap.judging.one_run import OneRun
from auditor.parts.swap.observing.drawing import MOST_BATCHES, PROGRESS, SEEDS, Batches, UnplayableError, cut, spread, until
from auditor.parts.swap.observing.outcome import Outcome
from auditor.parts.swap.observing.rerunning import Chain, Look, Part, Plan, Script
from auditor.sandbox import Answer, Learn, Level
from auditor.sandbox.jobs import Job
from auditor.verdict.checks.finding import Values

_LEAST: Final = 1e-12
"""A probability below it counts as it."""
_MODELS: Final = ("after", "before", "reference", "null")


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """What was drawn. Positions are those of the training data, ascending."""

    canaries: Positions
    """Shape (m,)."""
    learned: Positions
    """The canaries that the coins let the model learn."""
    others: Positions
    """All other records."""
    batches: Batches
    """`learned`, batch by batch as it is unlearned."""
    seeds: tuple[int, int, int, int]
    """Of learning, of unlearning, and of both retrained models."""


def draw(case: Case, *, seed: int) -> Drawn:
    """Draw canaries, coins and seeds.

    Args:
        case: The case.
        seed: The auditor's own.

    Raises:
        UnplayableError: If there are too few records, or too few of a class.
    """
    data, settings = case.train, case.settings
    count = canaries(len(data), settings.swap.alpha)
    if count < LEAST_CANARIES:
        raise UnplayableError("few-canaries")
    classes, codes = np.unique(data.labels, return_inverse=True)
    rng = generator(seed, "swap", "one-run", "canaries")

    def split() -> tuple[Positions, Positions] | None:
        mixed = rng.permutation(len(data))
        chosen, others = np.sort(mixed[:count]), np.sort(mixed[count:])
        return (chosen, others) if len(np.unique(codes[others])) == len(classes) else None

    chosen, others = until(split)
    learned = chosen[generator(seed, "swap", "one-run", "coins").integers(2, size=count).astype(bool)]
    log = tuple(map(len, forgotten_of(case)))[:MOST_BATCHES] if settings.procedure.foreign else ()
    sizes = spread(log, len(learned)) if log and len(learned) >= len(log) else (len(learned),)
    mixed = generator(seed, "swap", "one-run", "batches").permutation(learned)
    first, second, third, fourth = generator(seed, "swap", "one-run", "seeds").choice(SEEDS, 4, replace=False).tolist()
    return Drawn(chosen, learned, others, cut(mixed, sizes) if len(learned) else (), (first, second, third, fourth))


class OneRunTest:
    """The run on one case: what to run in the sandbox, and what comes of it.

    Attributes:
        jobs: The model that learns and unlearns, and the two that are retrained.
    """

    def __init__(
        self, case: Case, drawn: Drawn, *, seed: int, level: Level, where: Place, looking: Looking | None = None
    ) -> None:
        """Plan the runs; arguments as `auditor.parts.swap.observing.plan` takes them."""
        self._case, self._drawn, self._seed, self._where = case, drawn, seed, where
        disguise = Disguise(case, seed=seed)
        columns = len(np.unique(case.train.labels))
        self._plan = Plan(case, disguise, looking, False, columns)
        self._parts = [self._part(chain) for chain in self._chains()]
        spec, limits = specification(case), limits_of(case)
        tables = {"train": disguise.train, **disguise.tables}
        self.jobs = tuple(
            Job(f"one-run-{number}", spec, tables, part.steps, limits, level, where.device, part_of=PROGRESS)
            for number, part in enumerate(self._parts, start=1)
        )

    def _chains(self) -> tuple[Chain, ...]:
        drawn, plan = self._drawn, self._plan
        learning, unlearning, reference, null = drawn.seeds
        trained = np.union1d(drawn.others, drawn.learned).astype(np.int64)
        look = Look("", drawn.canaries, "after", ())
        chain = plan.unlearning("model", trained, drawn.batches, (learning, unlearning), look)
        chain.insert(1, Look("model-0", drawn.canaries, "before", ()))

        def retrained(name: str, seed: int) -> Chain:
            return [Learn(name, drawn.others, plan.disguise.seed(seed)), Look(name, drawn.canaries, name, ())]

        return chain, retrained("reference", reference), retrained("null", null)

    def _part(self, chain: Chain) -> Part:
        script = Script(self._plan, device=self._where.device == "cuda")
        script.follow([chain], together=1)
        return script.part()

    def read(self, answers: Sequence[tuple[Answer, ...]], *, on_step: Callable[[str, int, int], None]) -> Outcome:
        """Guess at the coins of the models that answered.

        Args:
            answers: To `jobs`.
            on_step: Called once it is done.

        Raises:
            NoDeviceError: If a run did not use the CUDA device that was found.
            SandboxError: If a model gave no predictions.
        """
        labels, drawn = self._case.train.labels, self._drawn
        codes = np.unique(labels, return_inverse=True)[1].astype(np.int64)[drawn.canaries]
        sure: dict[str, Floats] = {}
        for part, each in zip(self._parts, answers, strict=True):
            require_same(self._where, each)
            predicted = [answer.array for answer, asked in zip(each, part.asked, strict=True) if asked]
            for look, array in zip(part.looks, predicted, strict=True):
                if array is None:
                    raise SandboxError("a model of the SWAP test gave no predictions")
                sure[look.name] = np.log(np.maximum(array[np.arange(len(codes)), codes], _LEAST))
        right = {name: self.right(sure[name] - sure["reference"]) for name in _MODELS if name != "reference"}
        on_step(PROGRESS, 1, 1)
        seen = OneRun(
            canaries=len(drawn.canaries),
            forgotten=len(drawn.learned),
            right=right["after"],
            right_before=right["before"],
            right_retrained=right["null"],
        )
        observed: dict[str, Values] = {
            quality.CARD.id: quality.Observed(one_run=seen),
            strong.CARD.id: strong.Observed(unplayable="one-run"),
            controls.CARD.id: controls.Observed(unplayable="one-run"),
        }
        return Outcome(observed, None)

    def right(self, scores: Floats) -> int:
        """Count right guesses, from one score a canary, shape (m,)."""
        order = np.lexsort((self._ties, scores))
        each = guessed(len(scores)) // 2
        learned = np.isin(self._drawn.canaries, self._drawn.learned)
        return int(learned[order[-each:]].sum() + (~learned[order[:each]]).sum())

    @cached_property
    def _ties(self) -> Positions:
        return generator(self._seed, "swap", "one-run", "ties").permutation(len(self._drawn.canaries)).astype(np.int64)
