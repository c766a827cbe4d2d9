"""The game played by any procedure that the sandbox can run: many short jobs, one process each.

The two sides of a pair run in different processes, and so do the procedure under test and its controls. A procedure that
remembered the other side could answer both with one model, which would cancel in the pair; one that met the control's data
could take its answer from there. The controller's own code gets a process for each side of each pair: most of a pair's T was
trained on in other pairs, and what "unlearns" by training on all that it ever saw would make T look as trained on as F.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from auditor.case import Case
from auditor.case.learning import Foreign
from auditor.checks.devices import Place, require_same
from auditor.checks.replay import limits_of, specification
from auditor.checks.swap.drawing import PROGRESS, Game
from auditor.checks.swap.played import Played
from auditor.domain import Floats, Positions
from auditor.errors import SandboxError
from auditor.jobs import Job
from auditor.sandbox import Answer, Device, Learn, Level, Predict, Step, Unlearn
from auditor.sandbox.steps import Drop

PAIRS_A_JOB = 10
MOST_JOBS_A_SIDE = 10
"""With more pairs a job takes more of them: each process costs a second to start. Not so where the procedure may remember."""
REFERENCES_A_JOB = 8


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The steps of one job, and where each prediction belongs: the array's name and the index in it."""

    steps: tuple[Step, ...]
    places: tuple[tuple[str, tuple[int, ...]], ...]
    orders: tuple[Positions, ...]
    """For each prediction, the order that turns ascending positions into the order of `Played`."""


class _Script:
    """Steps as they are written down."""

    def __init__(self, columns: int, *, device: bool) -> None:
        self._columns = columns
        self._steps: list[Step] = [Device()] if device else []
        self._places: list[tuple[str, tuple[int, ...]]] = []
        self._orders: list[Positions] = []

    def do(self, step: Step) -> None:
        self._steps.append(step)

    def see(self, model: str, rows: Positions, name: str, *index: int) -> None:
        """Ask a model about rows. They are asked for in ascending order, which tells nothing of their roles."""
        order = np.argsort(rows)
        self._steps.append(Predict(model, "train", self._columns, rows[order]))
        self._places.append((name, index))
        self._orders.append(np.argsort(order))

    def part(self) -> _Part:
        return _Part(tuple(self._steps), tuple(self._places), tuple(self._orders))


class Rerunning:
    """The game in the sandbox: what to run, and what the answers mean.

    Attributes:
        jobs: Every model of the game; the case's own seed is used by none of them.
    """

    def __init__(self, case: Case, game: Game, *, level: Level, where: Place) -> None:
        """Plan the runs.

        Args:
            case: The case.
            game: What was drawn.
            level: The sandbox level that stands.
            where: What the procedure computes on.
        """
        self._game, self._where = game, where
        self._records, self._columns = len(case.train), len(np.unique(case.train.labels))
        alone = isinstance(case.settings.procedure, Foreign)
        self._parts = [script.part() for script in _scripts(game, self._columns, device=where.device == "cuda", alone=alone)]
        spec, limits = specification(case), limits_of(case)
        self.jobs = tuple(
            Job(f"swap-{number}", spec, {"train": case.train}, part.steps, limits, level, where.device, part_of=PROGRESS)
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
            predicted = [answer.array for answer in each if isinstance(answer.step, Predict)]
            for (name, index), order, array in zip(part.places, part.orders, predicted, strict=True):
                if array is None:
                    raise SandboxError("a model of the SWAP test gave no predictions")
                arrays[name][index] = array[order]
        return Played(
            unlearned=arrays["unlearned"],
            learned=arrays["learned"],
            retrained=arrays["retrained"],
            fresh=arrays["fresh"],
            references=arrays["references"],
        )


def _scripts(game: Game, columns: int, *, device: bool, alone: bool) -> Iterator[_Script]:
    pairs = len(game.pairs)
    chunk = max(PAIRS_A_JOB, -(-pairs // MOST_JOBS_A_SIDE))
    records = np.arange(game.references.shape[1], dtype=np.int64)
    for start in range(0, len(game.references), REFERENCES_A_JOB):
        script = _Script(columns, device=device)
        for j in range(start, min(start + REFERENCES_A_JOB, len(game.references))):
            script.do(Learn("reference", np.flatnonzero(game.references[j]).astype(np.int64), int(game.reference_seeds[j])))
            script.see("reference", records, "references", j)
        yield script
    for each, size in ((_tested, 1 if alone else chunk), (_controlled, chunk)):
        for start, side in product(range(0, pairs, size), range(2)):
            script = _Script(columns, device=device)
            for number in range(start, min(start + size, pairs)):
                each(script, game, number, side)
            yield script


def _tested(script: _Script, game: Game, number: int, side: int) -> None:
    """Learn, look, unlearn, look: the procedure on one side of a pair."""
    pair = game.pairs[number]
    forget, _ = pair.sides()[side]
    trained = pair.trained(side)
    for model, (learn, unlearn) in enumerate(zip(pair.learn_seeds[side], pair.unlearn_seeds[side], strict=True)):
        script.do(Learn("learned", trained, int(learn)))
        script.see("learned", _seen(game, number), "learned", number, side, model)
        script.do(Unlearn("learned", "unlearned", trained, np.searchsorted(trained, forget).astype(np.int64), int(unlearn)))
        script.see("unlearned", _seen(game, number), "unlearned", number, side, model)
        script.do(Drop("learned"))
        script.do(Drop("unlearned"))


def _controlled(script: _Script, game: Game, number: int, side: int) -> None:
    """Retraining with the common seed on either side, and on side 1 with a fresh one too."""
    pair = game.pairs[number]
    for model, (common, fresh) in enumerate(pair.control_seeds.T):
        script.do(Learn("retrained", pair.retained, int(common)))
        script.see("retrained", _seen(game, number), "retrained", number, side, model)
        if side == 1:
            script.do(Learn("retrained", pair.retained, int(fresh)))
            script.see("retrained", _seen(game, number), "fresh", number, model)


def _seen(game: Game, number: int) -> Positions:
    pair = game.pairs[number]
    return np.concatenate([pair.first, pair.second, game.population])
