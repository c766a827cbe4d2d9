"""Deletion games in the sandbox, with any procedure.

Procedures of ours play many games in one process, and those that can train many models at a time do. The controller's own code
gets one process a game: it learns, is asked, unlearns and is asked again, as on the log. It is asked about many records as well,
each time the same in the same order, so that a question does not point at the record that went.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from auditor.audit.devices import require_same
from auditor.audit.renamed_columns import Disguise
from auditor.audit.replay import columns_of, limits_of, specification
from auditor.audit.run_options import RunOptions
from auditor.base.draws import generator
from auditor.base.errors import SandboxError
from auditor.base.records import Dataset, Floats, Positions
from auditor.case import Case
from auditor.parts.revealing.observing.deleting.drawing import Answers, Asked
from auditor.sandbox import Answer, Device, Drop, Learn, Predict, PredictRows, Step, Together, Unlearn
from auditor.sandbox.jobs import Job
from auditor.sandbox.steps import MOST_TOGETHER

GAMES_A_JOB: Final = 50
"""Of procedures of ours: a process costs a second to start, and what a job has finished is kept."""
TOGETHER_BYTES: Final = 2**29
"""Of training data that models trained at a time may hold between them."""
MOST_BESIDE: Final = 500
"""Records that the controller's own code is asked about as well."""
_NUMBERS_BESIDE: Final = 2_000_000
_TABLE: Final = "asked"
_NO_LABEL: Final = 0


def play(case: Case, questions: Sequence[Asked], how: RunOptions, *, name: str) -> tuple[Answers, ...]:
    """Play every game; arguments, results and errors as of `asking.play`."""
    disguise = Disguise(case, seed=how.seed)
    if case.settings.procedure.foreign:
        plans: list[_Plan] = [_Foreign(case, [each], disguise, seed=how.seed) for each in questions]
    else:
        together = _together(case)
        size = max(GAMES_A_JOB, together)
        parts = [questions[start : start + size] for start in range(0, len(questions), size)]
        plans = [_Ours(case, part, disguise, together=together) for part in parts]
    first: tuple[Step, ...] = (Device(),) if how.where.device == "cuda" else ()
    spec, limits = specification(case), limits_of(case)
    jobs = [
        Job(
            f"{name} {number}",
            spec,
            {"train": disguise.train, **plan.tables},
            (*first, *plan.steps),
            limits,
            how.level,
            how.where.device,
            part_of=name,
        )
        for number, plan in enumerate(plans, start=1)
    ]
    found: list[Answers] = []
    for plan, told in zip(plans, how.run(jobs) if jobs else [], strict=True):
        require_same(how.where, told)
        found.extend(plan.read(told))
    return tuple(found)


def _together(case: Case) -> int:
    """How many models are there at a time: each exchange takes as long as training a small one."""
    most = MOST_TOGETHER if case.settings.procedure.trains_together else GAMES_A_JOB
    return max(1, min(most, TOGETHER_BYTES // max(1, case.train.features.nbytes)))


def before(number: int, turn: int) -> str:
    """Name the model of a game that is asked to forget in a request."""
    return after(number, turn - 1) if turn else f"before-{number}"


def after(number: int, turn: int) -> str:
    """Name the model that a request leaves."""
    return f"after-{number}-{turn}" if turn else f"after-{number}"


def _given(array: Floats | None) -> Floats:
    if array is None:
        raise SandboxError("a model of a deletion game gave no predictions")
    return array


class _Plan:
    """The steps of one job, and how its answers are read.

    Attributes:
        steps: In order.
        tables: What lies alongside the training data.
    """

    def __init__(self, case: Case, questions: Sequence[Asked], disguise: Disguise) -> None:
        self.steps: list[Step] = []
        self.tables: dict[str, Dataset] = {}
        self.columns = columns_of(case)
        self.disguise = disguise
        self.questions = questions

    def learn(self, number: int) -> Learn:
        game = self.questions[number].game
        return Learn(before(number, 0), game.trained, self.disguise.seed(game.learn_seed))

    def unlearn(self, number: int, deletion: int, turn: int) -> Unlearn:
        """One request of a deletion: of the model that learned first, of the one that the request before left afterwards."""
        game = self.questions[number].game
        request = game.requests(deletion)[turn]
        seed = self.disguise.unlearning_seed(game.learn_seed, request.seed, turn + 1)
        return Unlearn(before(number, turn), after(number, turn), request.trained, request.forget, seed)

    def turns(self, number: int, deletion: int) -> int:
        """How many requests a deletion has."""
        return len(self.questions[number].game.requests(deletion))

    def predict(self, model: str, number: int) -> Predict | PredictRows:
        raise NotImplementedError

    def answered(self, array: Floats, number: int) -> Floats:  # noqa: ARG002 - which rows were added depends on the game
        """What was asked for, of everything that was answered."""
        return array

    def read(self, told: Sequence[Answer]) -> Iterator[Answers]:
        """The answers of each game: those about one model follow one another, before first."""
        single = [one for answer in told for one in (answer.parts or (answer,))]
        predicted: dict[str, list[Floats]] = {}
        for answer in single:
            if isinstance(answer.step, Predict | PredictRows):
                if answer.array is None:
                    raise SandboxError("a model of a deletion game gave no predictions")
                predicted.setdefault(answer.step.model, []).append(answer.array)
        for number, each in enumerate(self.questions):
            by_turn = {turn: iter(predicted.get(after(number, turn), ())) for turn in range(self.most_turns(number))}
            learned = self.answered(predicted[before(number, 0)][0], number)
            last, along = list[Floats](), dict[int, tuple[Floats, ...]]()
            for deletion in range(len(each.game.deleted)):
                seen = [next(by_turn[turn], None) for turn in range(self.turns(number, deletion))]
                *between, final = (self.answered(_given(array), number) for array in seen)
                last.append(final)
                if between:
                    along[deletion] = tuple(between)
            if any(next(rest, None) is not None for rest in by_turn.values()):
                raise SandboxError("a model of a deletion game was asked more often than it was made")
            yield Answers(learned, tuple(last), along)

    def most_turns(self, number: int) -> int:
        """The most requests that any deletion of a game has."""
        return max((self.turns(number, each) for each in range(len(self.questions[number].game.deleted))), default=0)


class _Ours(_Plan):
    """Many games in one process, so many models at a time."""

    def __init__(self, case: Case, questions: Sequence[Asked], disguise: Disguise, *, together: int) -> None:
        super().__init__(case, questions, disguise)
        alike = {id(each.rows): each.rows for each in questions}
        ends = np.cumsum([len(rows) for rows in alike.values()])
        places = {
            key: np.arange(end - len(rows), end, dtype=np.int64) for end, (key, rows) in zip(ends, alike.items(), strict=True)
        }
        self._places = [places[id(each.rows)] for each in questions]
        rows = np.concatenate([*alike.values()])
        self.tables = {_TABLE: replace(case.train.with_rows(rows), labels=np.full(len(rows), _NO_LABEL))}
        for start in range(0, len(questions), together):
            self._follow(range(start, min(start + together, len(questions))))

    def predict(self, model: str, number: int) -> Predict:
        return Predict(model, _TABLE, self.columns, self._places[number])

    def _follow(self, numbers: Sequence[int]) -> None:
        self._at_once([self.learn(number) for number in numbers])
        self._at_once([self.predict(before(number, 0), number) for number in numbers])
        for deletion in range(max(len(self.questions[number].game.deleted) for number in numbers)):
            those = [number for number in numbers if deletion < len(self.questions[number].game.deleted)]
            turns = {number: self.turns(number, deletion) for number in those}
            for turn in range(max(turns.values(), default=0)):
                asked = [number for number in those if turn < turns[number]]
                self._at_once([self.unlearn(number, deletion, turn) for number in asked])
                self._at_once([self.predict(after(number, turn), number) for number in asked])
                if turn:
                    self.steps.extend(Drop(before(number, turn)) for number in asked)
            self.steps.extend(Drop(after(number, turns[number] - 1)) for number in those)
        self.steps.extend(Drop(before(number, 0)) for number in numbers)

    def _at_once(self, steps: Sequence[Learn] | Sequence[Unlearn] | Sequence[Predict]) -> None:
        if len(steps) == 1:
            self.steps.append(steps[0])
        else:
            self.steps.append(Together(tuple(steps)))


class _Foreign(_Plan):
    """One game in a process of its own."""

    def __init__(self, case: Case, questions: Sequence[Asked], disguise: Disguise, *, seed: int) -> None:
        super().__init__(case, questions, disguise)
        self.tables = dict(disguise.tables)
        ((game, rows),) = ((each.game, each.rows) for each in questions)
        rng = generator(seed, "deleting", "beside", game.learn_seed)
        most = min(MOST_BESIDE, max(1, _NUMBERS_BESIDE // max(1, rows.shape[1])))
        beside: Positions = rng.permutation(len(case.train))[:most].astype(np.int64)
        # In ascending order and each once: neither place nor repetition tells what is asked for.
        self._rows, places = np.unique(np.concatenate([rows, case.train.features[beside]]), axis=0, return_inverse=True)
        self._places = places.reshape(-1)[: len(rows)]
        self.steps = [self.learn(0), self.predict(before(0, 0), 0)]
        for deletion in range(len(game.deleted)):
            turns = self.turns(0, deletion)
            for turn in range(turns):
                self.steps += [self.unlearn(0, deletion, turn), self.predict(after(0, turn), 0)]
                if turn:
                    self.steps.append(Drop(before(0, turn)))
            self.steps.append(Drop(after(0, turns - 1)))
        self.steps.append(Drop(before(0, 0)))

    def predict(self, model: str, number: int) -> PredictRows:  # noqa: ARG002 - there is one game
        return PredictRows(model, self._rows, self.columns)

    def answered(self, array: Floats, number: int) -> Floats:  # noqa: ARG002 - there is one game
        """Those of the rows that were asked for."""
        found: Floats = array[self._places]
        return found
