"""The game played by any procedure that the sandbox can run: many short jobs, one process each.

The two sides of a pair run in different processes, and so do the procedure under test and its controls. A procedure that
remembered the other side could answer both with one model, which would cancel in the pair; one that met the control's data
could take its answer from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from auditor.case import Case
from auditor.checks.devices import Place, require_same
from auditor.checks.replay import specification
from auditor.checks.swap.drawing import Game
from auditor.checks.swap.played import Played
from auditor.domain import Floats, Positions
from auditor.errors import SandboxError
from auditor.jobs import Job, run
from auditor.runs import Runs
from auditor.sandbox import Answer, Device, Learn, Level, Limits, Predict, Step, Unlearn
from auditor.sandbox.steps import Drop

PAIRS_A_JOB = 5
MOST_JOBS_A_SIDE = 10
"""With more pairs a job takes more of them: each process costs a second to start."""
REFERENCES_A_JOB = 8
PROGRESS = "SWAP test"
"""What the bar of the whole game is called."""


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


def play(
    case: Case,
    game: Game,
    *,
    level: Level,
    workers: int,
    where: Place,
    kept: Runs | None,
    on_step: Callable[[str, int, int], None],
) -> Played:
    """Train, unlearn and retrain every model of the game in the sandbox.

    Args:
        case: The case; its own seed is used by no run of the game.
        game: What was drawn.
        level: The sandbox level that stands.
        workers: How many processes may run at a time.
        where: What the procedure computes on.
        kept: Finished runs of an earlier audit, and where to keep these.
        on_step: Told the steps done and the steps in all, over all jobs.

    Raises:
        NoDeviceError: If a run cannot use the CUDA device that was found.
        ProcedureError: If the procedure crashes, hangs or answers with something that is no answer.
        SandboxError: If a sandbox could not be set up or torn down.
    """
    columns = len(np.unique(case.train.labels))
    cuda = where.device == "cuda"
    parts = [part for script in _scripts(game, columns, device=cuda) if (part := script.part()).places]
    spec, sandbox = specification(case), case.settings.sandbox
    limits = Limits(timeout_s=sandbox.timeout_s, memory_mb=sandbox.memory_mb)
    jobs = [
        Job(f"swap-{number}", spec, {"train": case.train}, part.steps, limits, level, where.device)
        for number, part in enumerate(parts, start=1)
    ]
    total = sum(len(part.steps) for part in parts)
    done: dict[str, int] = {}

    def count(name: str, steps: int, _total: int) -> None:
        done[name] = steps
        on_step(PROGRESS, sum(done.values()), total)

    answers = run(jobs, workers=workers, on_step=count, kept=kept)
    for each in answers:
        require_same(where, each)
    return _gathered(case, game, columns, parts, answers)


def _scripts(game: Game, columns: int, *, device: bool) -> Iterator[_Script]:
    chunk = max(PAIRS_A_JOB, -(-len(game.pairs) // MOST_JOBS_A_SIDE))
    chunks = [range(start, min(start + chunk, len(game.pairs))) for start in range(0, len(game.pairs), chunk)]
    records = np.arange(game.references.shape[1], dtype=np.int64)
    for start in range(0, len(game.references), REFERENCES_A_JOB):
        script = _Script(columns, device=device)
        for j in range(start, min(start + REFERENCES_A_JOB, len(game.references))):
            script.do(Learn("reference", np.flatnonzero(game.references[j]).astype(np.int64), int(game.reference_seeds[j])))
            script.see("reference", records, "references", j)
        yield script
    for numbers in chunks:
        for side in range(2):
            script = _Script(columns, device=device)
            for number in numbers:
                _tested(script, game, number, side)
            yield script
        for side in range(2):
            script = _Script(columns, device=device)
            for number in numbers:
                _controlled(script, game, number, side)
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


def _gathered(case: Case, game: Game, columns: int, parts: Sequence[_Part], answers: Sequence[tuple[Answer, ...]]) -> Played:
    pairs, models = len(game.pairs), game.pairs[0].learn_seeds.shape[1]
    rows = 2 * game.forgotten + len(game.population)
    arrays: dict[str, Floats] = {
        **{name: np.empty((pairs, 2, models, rows, columns)) for name in ("unlearned", "learned", "retrained")},
        "fresh": np.empty((pairs, models, rows, columns)),
        "references": np.empty((len(game.references), len(case.train), columns)),
    }
    for part, each in zip(parts, answers, strict=True):
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
