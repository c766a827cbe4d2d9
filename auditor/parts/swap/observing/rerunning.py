"""The game played by any procedure that the sandbox can run: many short jobs, one process each.

The controller's own code is asked as on the log: it learns, is examined, unlearns batch after batch, and is examined after
each. Each of its models has a process of its own, and so has each model of the baseline.

The two sides of a pair run in different processes, and so do the procedure under test and its controls. A procedure that
remembered the other side could answer both with one model, which would cancel in the pair; one that met the control's data
could take its answer from there. Most of a pair's T was trained on in other pairs, and what "unlearns" by training on all that
it ever saw would make T look as trained on as F. Nor is the controller's code asked for many models at a time. Our own networks
are: one process for each side, and all pairs in it at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeAlias

import numpy as np

from auditor.audit import comparisons as looks
from auditor.audit.devices import Place, require_same
from auditor.audit.renamed_columns import Disguise
from auditor.audit.replay import Looking, limits_of, specification
from auditor.base.errors import SandboxError
from auditor.base.records import Floats, Positions, joined
from auditor.case import Case
from auditor.parts.swap.observing.drawing import PROGRESS, Batches, Game
from auditor.parts.swap.observing.model_outputs import Played
from auditor.parts.swap.observing.outcome import claims_training
from auditor.sandbox import (
    Answer,
    Device,
    Drop,
    Learn,
    Level,
    Parameters,
    Predict,
    PredictRows,
    Save,
    State,
    Step,
    Together,
    Unlearn,
)
from auditor.sandbox.jobs import Job
from auditor.sandbox.steps import MOST_TOGETHER

PAIRS_A_JOB = 10
MOST_JOBS_A_SIDE = 10
"""With more pairs a job takes more of them: each process costs a second to start. Not so where the procedure may remember."""
REFERENCES_A_JOB = 8
TOGETHER_BYTES = 2**29
"""Of training data that models trained at a time may hold between them."""
_EVERY = 10**9
_SIDES = ("unlearned", "baseline", "learned", "retrained")


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A question about a model, and where the answer belongs."""

    model: str
    rows: Positions
    name: str
    """Of the array in `Played`."""
    index: tuple[int, ...]
    """In that array."""


Chain: TypeAlias = list[Step | Look]
"""What happens to one model of the game, from learning on. The chains of one script have their steps in the same order."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The steps of one job, and where each prediction belongs."""

    steps: tuple[Step, ...]
    looks: tuple[Look, ...]
    """In order."""
    asked: tuple[bool, ...]
    """For each step, those of a Together one by one, whether a look waits for its answer."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What every model of a game is asked for, and how."""

    case: Case
    disguise: Disguise
    looking: Looking | None
    before: bool
    """Whether models are attacked before unlearning too."""
    columns: int

    @property
    def foreign(self) -> bool:
        """Whether the controller's own code runs, which is asked as on the log."""
        return self.case.settings.procedure.foreign

    def asking(self, look: Look) -> Predict | PredictRows:
        """Ask for predictions, in ascending order, which tells nothing of roles; the controller's code as looks on the log do."""
        rows = np.sort(look.rows)
        if not self.foreign:
            return Predict(look.model, "train", self.columns, rows)
        return PredictRows(look.model, self.disguise.train.features[rows], self.columns)

    def unlearning(self, name: str, rows: Positions, batches: Batches, seeds: Sequence[int], look: Look) -> Chain:
        """Learn, unlearn batch after batch, examine what is left; between, the controller's code is asked what the log asks.

        Args:
            name: Of the models, to be numbered.
            rows: What is learned, ascending.
            batches: What is unlearned, positions in the training data.
            seeds: As drawn, of learning and of unlearning.
            look: What the last model is asked, which gets its name.
        """
        learn, unlearn = seeds
        alive = list(range(len(batches) + 1))
        steps: Chain = [Learn(f"{name}-0", rows, self.disguise.seed(learn))]
        steps += self._along(f"{name}-0", 0, len(batches))
        for number, batch in enumerate(batches, start=1):
            before, after = f"{name}-{number - 1}", f"{name}-{number}"
            forget = np.flatnonzero(np.isin(rows, batch)).astype(np.int64)
            seed = self.disguise.unlearning_seed(learn, unlearn, number)
            steps += [Unlearn(before, after, rows, forget, seed), *self._along(after, number, len(batches))]
            if 2 <= number < len(batches):  # as on the log
                steps.append(Drop(f"{name}-{alive.pop(0)}"))
            rows = np.delete(rows, forget)
        asked = replace(look, model=f"{name}-{len(batches)}")
        return [*steps, asked, *(Drop(f"{name}-{number}") for number in alive)]

    def _along(self, model: str, number: int, batches: int) -> list[Step]:
        """What the replay asks of each model along the log; of the last all but predictions, which the game asks for itself."""
        if not self.foreign:
            return []
        if self.looking is None:
            ended: list[Step] = [State(model), Save(model)] if number == batches else []
            return [Parameters(model), *ended]
        probe, places = self.looking.probe, self.looking.thoroughly
        # Where the log has more batches than a game, it looks closely at every one, or at the last and one before.
        like_log = places.issuperset(range(1, batches + 1)) or (number == 1 and len(places) > 1)
        thorough = number == batches or (number > 0 and like_log)
        parameters, *closely, predictions = looks.steps(model, probe)
        return [parameters, *(closely if thorough else []), *([predictions] if number < batches else [])]


class Script:
    """Steps as they are written down."""

    def __init__(self, plan: Plan, *, device: bool) -> None:
        self._plan = plan
        self._asked: list[Step] = []
        self._steps: list[Step] = [Device()] if device else []
        self._looks: list[Look] = []

    def follow(self, chains: Sequence[Chain], *, together: int) -> None:
        """Go through the chains: so many of them side by side, step for step, or one after another where that is one."""
        for start in range(0, len(chains), together):
            for steps in zip(*chains[start : start + together], strict=True):
                written = [self._written(step) for step in steps]
                alike = [step for step in written if isinstance(step, Learn | Unlearn | Predict)]
                if len(written) > 1 and len(alike) == len(written):
                    self._steps.append(Together(tuple(alike)))
                else:
                    self._steps.extend(written)

    def _written(self, step: Step | Look) -> Step:
        if not isinstance(step, Look):
            return step
        self._looks.append(step)
        self._asked.append(self._plan.asking(step))
        return self._asked[-1]

    def part(self) -> Part:
        """Give what was written as the steps of one job."""
        asked = {id(step) for step in self._asked}
        single = [each for step in self._steps for each in (step.steps if isinstance(step, Together) else (step,))]
        return Part(tuple(self._steps), tuple(self._looks), tuple(id(each) in asked for each in single))


class Rerunning:
    """The game in the sandbox: what to run, and what the answers mean.

    Attributes:
        jobs: Every model of the game; the case's own seed is used by none of them.
    """

    def __init__(
        self,
        case: Case,
        game: Game,
        disguise: Disguise,
        *,
        level: Level,
        where: Place,
        looking: Looking | None = None,
    ) -> None:
        """Plan the runs.

        Args:
            case: The case.
            game: What was drawn.
            disguise: What the game shows of the case.
            level: The sandbox level in force.
            where: What the procedure computes on.
            looking: How the replay examines its models; None where it does not.
        """
        self._game, self._where = game, where
        self._records, self._columns = len(case.train), len(np.unique(case.train.labels))
        self._before = claims_training(case)
        plan = Plan(case, disguise, looking, self._before, self._columns)
        scripts = _scripts(game, plan, device=where.device == "cuda", size=_size(case, game))
        self._parts = [script.part() for script in scripts]
        spec, limits = specification(case), limits_of(case)
        self.jobs = tuple(
            Job(
                f"swap-{number}",
                spec,
                {"train": disguise.train, **disguise.tables},
                part.steps,
                limits,
                level,
                where.device,
                part_of=PROGRESS,
            )
            for number, part in enumerate(self._parts, start=1)
        )

    def read(self, answers: Sequence[tuple[Answer, ...]]) -> Played:
        """What the models gave in the answers to `jobs`.

        Raises:
            NoDeviceError: If a run did not use the CUDA device that was found.
            SandboxError: If a model gave no predictions.
        """
        game = self._game
        pairs, models = len(game.pairs), game.pairs[0].learn_seeds.shape[1]
        rows = 2 * game.forgotten + len(game.population)
        arrays: dict[str, Floats] = {
            **{name: np.zeros((pairs, 2, models, rows, self._columns)) for name in _SIDES},
            "fresh": np.zeros((pairs, models, rows, self._columns)),
            "references": np.zeros((len(game.references), self._records, self._columns)),
        }
        for part, each in zip(self._parts, answers, strict=True):
            require_same(self._where, each)
            single = [one for answer in each for one in (answer.parts or (answer,))]
            predicted = [answer.array for answer, asked in zip(single, part.asked, strict=True) if asked]
            for look, array in zip(part.looks, predicted, strict=True):
                if array is None:
                    raise SandboxError("a model of the SWAP test gave no predictions")
                arrays[look.name][look.index][: len(array)] = array[np.argsort(np.argsort(look.rows))]
        return Played(
            unlearned=arrays["unlearned"],
            baseline=arrays["baseline"],
            retrained=arrays["retrained"],
            fresh=arrays["fresh"],
            references=arrays["references"],
            learned=arrays["learned"] if self._before else None,
        )


@dataclass(frozen=True, slots=True)
class _Size:
    """How much of the game one job plays."""

    pairs: int
    """Of whose one side a job plays the procedure."""
    control_pairs: int
    references: int
    together: int
    """Models that are trained at a time."""


def _size(case: Case, game: Game) -> _Size:
    procedure, pairs = case.settings.procedure, len(game.pairs)
    if procedure.trains_together:
        # As many as their records fit into memory, once for each: what more the models take, the procedure sees to.
        each = max(1, case.train.features.nbytes)
        return _Size(pairs, pairs, _EVERY, max(1, min(MOST_TOGETHER, TOGETHER_BYTES // each)))
    chunk = max(PAIRS_A_JOB, -(-pairs // MOST_JOBS_A_SIDE))
    return _Size(1 if procedure.foreign else chunk, chunk, REFERENCES_A_JOB, 1)


def _scripts(game: Game, plan: Plan, *, device: bool, size: _Size) -> Iterator[Script]:
    pairs, references = len(game.pairs), len(game.references)
    for start in range(0, references, size.references):
        script = Script(plan, device=device)
        chains = [_reference(game, plan, j) for j in range(start, min(start + size.references, references))]
        script.follow(chains, together=size.together)
        yield script
    if plan.foreign:
        models = game.pairs[0].learn_seeds.shape[1]
        for number, side, model in product(range(pairs), range(2), range(models)):
            for chain in _kept_apart(game, plan, number, side, model):
                script = Script(plan, device=device)
                script.follow([chain], together=1)
                yield script
    for each, count in ((_tested, 0 if plan.foreign else size.pairs), (_controlled, size.control_pairs)):
        for start, side in product(range(0, pairs, count) if count else (), range(2)):
            script = Script(plan, device=device)
            numbers = range(start, min(start + count, pairs))
            script.follow([chain for number in numbers for chain in each(game, plan, number, side)], together=size.together)
            yield script


def _reference(game: Game, plan: Plan, j: int) -> Chain:
    every = np.arange(game.references.shape[1], dtype=np.int64)
    return plan.unlearning(
        f"reference-{j}",
        game.reference_trained(j),
        game.reserve,
        game.reference_seeds[:, j].tolist(),
        Look("", every, "references", (j,)),
    )


def _kept_apart(game: Game, plan: Plan, number: int, side: int, model: int) -> Iterator[Chain]:
    """The procedure on one side of a pair, and the baseline, each in a process of its own for that alone."""
    pair = game.pairs[number]
    trained, seen, index = pair.trained(side), _seen(game, number), (number, side, model)
    seeds = (int(pair.learn_seeds[side, model]), int(pair.unlearn_seeds[side, model]))
    for kind, batches in (("unlearned", pair.batches[side]), ("baseline", pair.decoys[side])):
        yield plan.unlearning(kind, trained, batches, seeds, Look("", seen, kind, index))
    if plan.before:
        yield [Learn("learned", trained, plan.disguise.seed(seeds[0])), Look("learned", seen, "learned", index)]


def _tested(game: Game, plan: Plan, number: int, side: int) -> Iterator[Chain]:
    """Learn, unlearn F, look; unlearn decoys of the same model, look."""
    pair, disguise = game.pairs[number], plan.disguise
    trained, seen = pair.trained(side), _seen(game, number)
    forget, decoys = (
        np.searchsorted(trained, np.sort(joined(each[side]))).astype(np.int64) for each in (pair.batches, pair.decoys)
    )
    for model, (learn, unlearn) in enumerate(zip(pair.learn_seeds[side], pair.unlearn_seeds[side], strict=True)):
        before, after, idle = (f"{word}-{number}-{model}" for word in ("learned", "unlearned", "baseline"))
        index, seed = (number, side, model), disguise.unlearning_seed(int(learn), int(unlearn))
        yield [
            Learn(before, trained, disguise.seed(int(learn))),
            *([Look(before, seen, "learned", index)] if plan.before else []),
            Unlearn(before, after, trained, forget, seed),
            Look(after, seen, "unlearned", index),
            Drop(after),
            Unlearn(before, idle, trained, decoys, seed),
            Look(idle, seen, "baseline", index),
            Drop(idle),
            Drop(before),
        ]


def _controlled(game: Game, plan: Plan, number: int, side: int) -> Iterator[Chain]:
    """Retraining with the common seed on either side, and on side 1 with a fresh one too.

    What is retrained with the common seeds is asked for in the same way on both sides: trained at a time with as many others.
    """
    pair = game.pairs[number]
    seen = _seen(game, number)
    for model, (common, fresh) in enumerate(pair.control_seeds.T):
        name = f"retrained-{number}-{model}"
        chain: Chain = [
            Learn(name, pair.retained, plan.disguise.seed(int(common))),
            Look(name, seen, "retrained", (number, side, model)),
            Drop(name),
        ]
        if side == 1:
            chain += [
                Learn(name, pair.retained, plan.disguise.seed(int(fresh))),
                Look(name, seen, "fresh", (number, model)),
                Drop(name),
            ]
        yield chain


def _seen(game: Game, number: int) -> Positions:
    pair = game.pairs[number]
    return np.concatenate([pair.first, pair.second, game.population])
