"""The game played by any procedure that the sandbox can run: many short jobs, one process each.

The two sides of a pair run in different processes, and so do the procedure under test and its controls. A procedure that
remembered the other side could answer both with one model, which would cancel in the pair; one that met the control's data
could take its answer from there. The controller's own code gets a process for each side of each pair: most of a pair's T was
trained on in other pairs, and what "unlearns" by training on all that it ever saw would make T look as trained on as F. Nor is
it asked for many models at a time. Our own networks are: one process for each side, and all pairs in it at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np

from auditor.case import Case
from auditor.domain import Floats, Positions
from auditor.errors import SandboxError
from auditor.jobs import Job
from auditor.observing.devices import Place, require_same
from auditor.observing.disguise import Disguise
from auditor.observing.replay import limits_of, specification
from auditor.observing.swap.drawing import PROGRESS, Game
from auditor.observing.swap.played import Played
from auditor.sandbox import Answer, Device, Drop, Learn, Level, Predict, Step, Together, Unlearn
from auditor.sandbox.steps import MOST_TOGETHER

PAIRS_A_JOB = 10
MOST_JOBS_A_SIDE = 10
"""With more pairs a job takes more of them: each process costs a second to start. Not so where the procedure may remember."""
REFERENCES_A_JOB = 8
TOGETHER_BYTES = 2**29
"""Of training data that models trained at a time may hold between them."""
_EVERY = 10**9


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """A question about a model, and where the answer belongs."""

    model: str
    rows: Positions
    name: str
    """Of the array in `Played`."""
    index: tuple[int, ...]
    """In that array."""


_Chain: TypeAlias = list[Step | _Look]
"""What happens to one model of the game, from learning on. The chains of one script have their steps in the same order."""


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The steps of one job, and where each prediction belongs."""

    steps: tuple[Step, ...]
    looks: tuple[_Look, ...]
    """One a prediction, in order."""


class _Script:
    """Steps as they are written down."""

    def __init__(self, columns: int, *, device: bool) -> None:
        self._columns = columns
        self._steps: list[Step] = [Device()] if device else []
        self._looks: list[_Look] = []

    def follow(self, chains: Sequence[_Chain], *, together: int) -> None:
        """Go through the chains: so many of them side by side, step for step, or one after another where that is one."""
        for start in range(0, len(chains), together):
            for steps in zip(*chains[start : start + together], strict=True):
                written = [self._written(step) for step in steps]
                alike = [step for step in written if isinstance(step, Learn | Unlearn | Predict)]
                if len(written) > 1 and len(alike) == len(written):
                    self._steps.append(Together(tuple(alike)))
                else:
                    self._steps.extend(written)

    def _written(self, step: Step | _Look) -> Step:
        if not isinstance(step, _Look):
            return step
        self._looks.append(step)
        # Asked for in ascending order, which tells nothing of their roles.
        return Predict(step.model, "train", self._columns, np.sort(step.rows))

    def part(self) -> _Part:
        return _Part(tuple(self._steps), tuple(self._looks))


class Rerunning:
    """The game in the sandbox: what to run, and what the answers mean.

    Attributes:
        jobs: Every model of the game; the case's own seed is used by none of them.
    """

    def __init__(self, case: Case, game: Game, disguise: Disguise, *, level: Level, where: Place) -> None:
        """Plan the runs.

        Args:
            case: The case.
            game: What was drawn.
            disguise: What the game shows of the case.
            level: The sandbox level that stands.
            where: What the procedure computes on.
        """
        self._game, self._where = game, where
        self._records, self._columns = len(case.train), len(np.unique(case.train.labels))
        size = _size(case, game)
        self._parts = [
            script.part() for script in _scripts(game, disguise, self._columns, device=where.device == "cuda", size=size)
        ]
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
            **{name: np.empty((pairs, 2, models, rows, self._columns)) for name in ("unlearned", "learned", "retrained")},
            "fresh": np.empty((pairs, models, rows, self._columns)),
            "references": np.empty((len(game.references), self._records, self._columns)),
        }
        for part, each in zip(self._parts, answers, strict=True):
            require_same(self._where, each)
            single = [one for answer in each for one in (answer.parts or (answer,))]
            predicted = [answer.array for answer in single if isinstance(answer.step, Predict)]
            for look, array in zip(part.looks, predicted, strict=True):
                if array is None:
                    raise SandboxError("a model of the SWAP test gave no predictions")
                arrays[look.name][look.index] = array[np.argsort(np.argsort(look.rows))]
        return Played(
            unlearned=arrays["unlearned"],
            learned=arrays["learned"],
            retrained=arrays["retrained"],
            fresh=arrays["fresh"],
            references=arrays["references"],
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


def _scripts(game: Game, disguise: Disguise, columns: int, *, device: bool, size: _Size) -> Iterator[_Script]:
    pairs, references = len(game.pairs), len(game.references)
    for start in range(0, references, size.references):
        script = _Script(columns, device=device)
        chains = [_reference(game, disguise, j) for j in range(start, min(start + size.references, references))]
        script.follow(chains, together=size.together)
        yield script
    for each, count in ((_tested, size.pairs), (_controlled, size.control_pairs)):
        for start, side in product(range(0, pairs, count), range(2)):
            script = _Script(columns, device=device)
            numbers = range(start, min(start + count, pairs))
            script.follow([chain for number in numbers for chain in each(game, disguise, number, side)], together=size.together)
            yield script


def _reference(game: Game, disguise: Disguise, j: int) -> _Chain:
    members = game.references[j]
    name, records = f"reference-{j}", np.arange(len(members), dtype=np.int64)
    learn = Learn(name, np.flatnonzero(members).astype(np.int64), disguise.seed(int(game.reference_seeds[j])))
    return [learn, _Look(name, records, "references", (j,)), Drop(name)]


def _tested(game: Game, disguise: Disguise, number: int, side: int) -> Iterator[_Chain]:
    """Learn, look, unlearn, look: the procedure on one side of a pair."""
    pair = game.pairs[number]
    trained, seen = pair.trained(side), _seen(game, number)
    forget = np.searchsorted(trained, pair.sides()[side][0]).astype(np.int64)
    for model, (learn, unlearn) in enumerate(zip(pair.learn_seeds[side], pair.unlearn_seeds[side], strict=True)):
        before, after = (f"{word}-{number}-{model}" for word in ("learned", "unlearned"))
        yield [
            Learn(before, trained, disguise.seed(int(learn))),
            _Look(before, seen, "learned", (number, side, model)),
            Unlearn(before, after, trained, forget, disguise.unlearning_seed(int(learn), int(unlearn))),
            _Look(after, seen, "unlearned", (number, side, model)),
            Drop(before),
            Drop(after),
        ]


def _controlled(game: Game, disguise: Disguise, number: int, side: int) -> Iterator[_Chain]:
    """Retraining with the common seed on either side, and on side 1 with a fresh one too.

    What is retrained with the common seeds is asked for in the same way on both sides: trained at a time with as many others.
    """
    pair = game.pairs[number]
    seen = _seen(game, number)
    for model, (common, fresh) in enumerate(pair.control_seeds.T):
        name = f"retrained-{number}-{model}"
        chain: _Chain = [
            Learn(name, pair.retained, disguise.seed(int(common))),
            _Look(name, seen, "retrained", (number, side, model)),
            Drop(name),
        ]
        if side == 1:
            chain += [
                Learn(name, pair.retained, disguise.seed(int(fresh))),
                _Look(name, seen, "fresh", (number, model)),
                Drop(name),
            ]
        yield chain


def _seen(game: Game, number: int) -> Positions:
    pair = game.pairs[number]
    return np.concatenate([pair.first, pair.second, game.population])
