"""Reach the same records in several ways, for a learner that claims to be history independent, and hold the models side by side.

Each way has a process of its own, and every call the same seed: what differs can only come of the order of the records, of what
was there before, or of how it was deleted. Compared are what a model is asked for, what is held in memory, and the files that lie
there afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from auditor.audit.comparisons import Look, Moves, compare, kinds, look, scalars_apart
from auditor.audit.devices import require_same
from auditor.audit.replay import limits_of, specification
from auditor.audit.run_options import RunOptions
from auditor.audit.updates import UPDATES, Updates, draw
from auditor.base.domain import Message
from auditor.base.draws import generator
from auditor.base.records import Dataset, Positions
from auditor.case import Case
from auditor.parts.controllers.cards import claimed
from auditor.parts.controllers.judging.history.independence import CARD
from auditor.parts.controllers.judging.history.observed import Observed
from auditor.parts.controllers.judging.history.pipeline import Pipeline, Reached, Way
from auditor.sandbox import Answer, Device, Learn, Parameters, PredictRows, Save, State, Step, Survey, Unlearn, Walk
from auditor.sandbox.jobs import Job
from auditor.sandbox.state_found import read
from auditor.verdict.checks.context import Context

_MODEL = "model"


class _Path(NamedTuple):
    """The table that a process holds, and what is deleted of it, batch by batch, as positions in it."""

    table: Dataset
    batches: Sequence[Positions]


class _End(NamedTuple):
    """What a way led to."""

    look: Look
    files: Mapping[str, str]
    """Digests of the files that lay there before the model was asked for anything."""


def observe(case: Case, context: Context, how: RunOptions) -> dict[str, Observed]:
    """Try every way, where the learner claims that it makes no difference and somebody wants to know.

    Raises:
        ProcedureError: If the procedure fails.
        SandboxError: If the sandbox does.
    """
    if not (claimed(context) and how.wants((CARD.id,))):
        return {}
    updates = draw(case, seed=how.seed, device=how.where.device)
    if updates is None:
        why = Message("state.stateless.few-records", {"updates": UPDATES})
        return {CARD.id: Observed(pipeline=Pipeline(untried=why))}
    return {CARD.id: Observed(pipeline=_Trial(case, updates, how).tried())}


class _Trial:
    def __init__(self, case: Case, updates: Updates, how: RunOptions) -> None:
        self._case, self._updates, self._how = case, updates, how
        self._kept = np.setdiff1d(updates.rows, updates.records)

    def tried(self) -> Pipeline:
        """Learn twice from the records alone, try every way, and whatever differs once more."""
        ways = self._ways()
        straight = _Path(self._case.train.subset(self._kept), ())
        own, again, *ends = self._reached("learner", [straight, straight, *ways.values()])
        moving = scalars_apart(own.look, again.look) or frozenset()
        reached = [_held_against(own, end, way, moving) for way, end in zip(ways, ends, strict=True)]
        steady = not _held_against(own, again, Way.ANOTHER_ORDER, moving).differing
        other = [each.way for each in reached if each.differing]
        if steady and other:
            # Chance that shows rarely must not pass for a dependence.
            third, *repeated = self._reached("learner once more", [straight, *(ways[each] for each in other)])
            same = [ends[list(ways).index(each)] for each in other]
            pairs = [(own, third), *zip(same, repeated, strict=True)]
            steady = not any(_held_against(*pair, Way.ANOTHER_ORDER, moving).differing for pair in pairs)
        return Pipeline(
            records=len(self._kept),
            deleted=len(self._updates.records),
            compared=kinds(own.look, own.look),
            steady=steady,
            ways=tuple(reached),
        )

    def _ways(self) -> dict[Way, _Path]:
        train, gone = self._case.train, self._updates.records
        shuffled = generator(self._how.seed, "history", "order").permutation(self._kept).astype(np.int64)
        ahead = train.subset(np.concatenate([gone, self._kept]))
        return {
            Way.ANOTHER_ORDER: _Path(train.subset(shuffled), ()),
            Way.ONE_BY_ONE: _Path(train, [gone[each : each + 1] for each in range(len(gone))]),
            Way.BACKWARDS: _Path(train, [gone[each : each + 1] for each in reversed(range(len(gone)))]),
            Way.AT_ONCE: _Path(train, [gone]),
            Way.FIRST: _Path(ahead, [np.arange(len(gone), dtype=np.int64)]),
        }

    def _reached(self, name: str, paths: Sequence[_Path]) -> list[_End]:
        case, how = self._case, self._how
        spec, limits = specification(case), limits_of(case)
        jobs = [Job(name, spec, {"train": each.table}, self._steps(each), limits, how.level, how.where.device) for each in paths]
        ends = []
        for answers in how.run(jobs):
            require_same(how.where, answers)
            ends.append(_End(look(answers), files_of(answers)))
        return ends

    def _steps(self, path: _Path) -> tuple[Step, ...]:
        """Learn, delete, and ask for everything of the model that is left; all calls have the seed of learning."""
        seed, rows = self._updates.seed, np.arange(len(path.table), dtype=np.int64)
        steps: list[Step] = [Device()] if self._how.where.device == "cuda" else []
        steps.append(Learn(_MODEL, rows, seed))
        model = _MODEL
        for number, batch in enumerate(path.batches):
            forget = np.flatnonzero(np.isin(rows, batch)).astype(np.int64)
            after = f"{_MODEL}-{number}"
            steps.append(Unlearn(model, after, rows, forget, seed))
            rows, model = np.delete(rows, forget), after
        probe = PredictRows(model, self._case.train.features[self._updates.probe], self._updates.columns)
        return (*steps, Survey(), Parameters(model), State(model), Save(model), Walk(model), probe)


def files_of(answers: Sequence[Answer]) -> dict[str, str]:
    """Digests of the files that one survey found, by name."""
    (content,) = (each.content or b"{}" for each in answers if isinstance(each.step, Survey))
    return {name: digest for (kind, name), digest in read(content).items() if kind == "file"}


def _held_against(own: _End, other: _End, way: Way, moving: frozenset[str]) -> Reached:
    """What differs, each kind once; single numbers that differ of themselves, as times do, are let pass."""
    moves: dict[str, Moves] = dict.fromkeys(moving, "by itself")
    found = [each for each in compare(own.look, other.look, moves).differences if each.moves is None]
    differing = dict.fromkeys([each.kind for each in found] + (["files"] if own.files != other.files else []))
    numbers = [each.largest for each in found if each.largest is not None]
    return Reached(way=way, differing=tuple(differing), largest=max(numbers, default=None))
