"""Play a learner with one person and without, in processes of their own, for `confidentiality.game`.

Both worlds of a game hold the same other records, and others have theirs deleted at the same times. The environment asks about
the same rows in both: as soon as the person has gone, and in some games before that as well. Last of all everything that the
collector holds is examined: model, saved file, objects in memory and the files that lie there.

Every call has a seed of its own, as along a log. A call that the world without the person lacks takes a seed with it, its own or
that of the call before it: two couplings of the two worlds. In each of them the seeds of either world are independent, so that
worlds that are the same in one of them have equal laws.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np

from auditor.audit.comparisons import Look, Moves, Probe, compare, kinds, look, probe_of, scalars_apart
from auditor.audit.devices import require_same
from auditor.audit.replay import limits_of, specification
from auditor.audit.run_options import RunOptions
from auditor.audit.updates import UPDATES, Updates, draw
from auditor.base.domain import Message
from auditor.base.draws import generator
from auditor.base.records import Floats, Positions
from auditor.case import Case
from auditor.maths.certificates.rounding import finite
from auditor.parts.controllers.cards import asked
from auditor.parts.controllers.judging.control import learner
from auditor.parts.controllers.judging.control.confidentiality_game import CARD
from auditor.parts.controllers.judging.control.judging import Observed
from auditor.parts.controllers.judging.control.learner import Going, LearnerGame, LearnerGames
from auditor.parts.controllers.judging.history.observed import Law
from auditor.parts.controllers.observing.histories import laws
from auditor.parts.controllers.observing.histories.learner import files_of
from auditor.sandbox import Answer, Device, Learn, Parameters, PredictRows, Save, State, Step, Survey, Unlearn, Walk
from auditor.sandbox.jobs import Job
from auditor.sandbox.walked import Walked
from auditor.verdict.checks.context import Context

_MODEL: Final = "model"
_WATCHED: Final = (Going.ALONE, Going.BETWEEN)
"""Games that are also played with an environment that is answered while the person is there."""
_RUNS: Final = 60
"""Runs of either world under fresh seeds: half of them choose an event, the other half counts it."""
_LEAST_RUNS: Final = 40
_SECONDS: Final = 120.0
"""Of the procedure's own time, for those."""
_NUMBERS: Final = 12
"""Numbers of an array that are compared by how often they occur."""

Coupling: TypeAlias = Literal["last", "own"]
"""Which seed a call has where the person's calls are left out: of the last call before the next one, or its own."""
_LAST: Final[Coupling] = "last"
_OWN: Final[Coupling] = "own"


class _Game(NamedTuple):
    """One game: positions in the training data."""

    going: Going
    watched: bool
    person: Positions
    """The person's records."""
    batches: tuple[Positions, ...]
    """What is deleted, batch by batch, with the person."""

    @property
    def name(self) -> str:
        return f"{self.going.value}, watched" if self.watched else self.going.value

    @property
    def leaves(self) -> int:
        """The batch, counted from 1, after which no record of the person's is left."""
        return max(number for number, batch in enumerate(self.batches, start=1) if np.isin(self.person, batch).any())

    def asks(self, number: int) -> bool:
        """Whether the environment asks after a batch, 0 for learning."""
        return self.watched or number >= self.leaves


class _World(NamedTuple):
    """What one process showed."""

    before: tuple[Floats, ...]
    """Answers while the person's record was in the model, or would have been."""
    after: tuple[Floats, ...]
    look: Look
    files: Mapping[str, str]
    seconds: float


def observe(case: Case, context: Context, how: RunOptions) -> dict[str, Observed]:
    """Play every game of a learner, where somebody asks for them.

    Raises:
        ProcedureError: If the procedure fails.
        SandboxError: If the sandbox does.
    """
    if not (asked(context, CARD.id) and how.wants((CARD.id,))):
        return {}
    updates = draw(case, seed=how.seed, device=how.where.device)
    if updates is None:
        why = Message("state.stateless.few-records", {"updates": UPDATES})
        return {CARD.id: Observed(learner=LearnerGames(untried=why))}
    watching = context.policy.before_and_after
    return {CARD.id: Observed(learner=_Games(case, updates, how, watching=watching).tried())}


class _Games:
    def __init__(self, case: Case, updates: Updates, how: RunOptions, *, watching: bool) -> None:
        self._case, self._updates, self._how, self._watching = case, updates, how, watching
        self._probe: Probe = probe_of(case, (updates.records,), seed=how.seed)
        self._moving: frozenset[str] = frozenset()
        one, other, third, fourth = (updates.records[each : each + 1] for each in range(UPDATES))
        both = np.concatenate([one, fourth])
        listed: dict[Going, tuple[Positions, tuple[Positions, ...]]] = {
            Going.ALONE: (one, (one,)),
            Going.BETWEEN: (one, (other, one, third)),
            Going.LAST: (one, (other, third, one)),
            Going.TOGETHER: (one, (np.concatenate([other, one]), third)),
            Going.TWO_RECORDS: (both, (one, other, fourth)),
        }
        quiet = [_Game(going, False, *given) for going, given in listed.items()]
        self._games = (*quiet, *(_Game(going, True, *listed[going]) for going in _WATCHED))

    def tried(self) -> LearnerGames:
        """Play every game, whatever counts once more, and under fresh seeds where seeds count."""
        real, last = self._every(with_person=True, coupling="own"), self._every(with_person=False, coupling="last")
        game, base, other = self._games[0], self._updates.seed, self._games[1]
        again, first, others = self._played(
            "games once more", [(game, True, "own", base), (game, False, "last", base), (other, True, "own", self._other(0))]
        )
        self._moving = (scalars_apart(real[0].look, again.look) or frozenset()) | (
            scalars_apart(last[0].look, first.look) or frozenset()
        )
        steady = not self._differing(real[0], again) and not self._differing(last[0], first)
        ignores = not self._differing(real[1], others)
        ideal, coupling, found = last, _LAST, self._held(real, last)
        if steady and not ignores and any(each.apart for each in found):
            # A learner that goes on with the seed of its first training is the same under the other coupling.
            own = self._every(with_person=False, coupling="own")
            if _by_quiet(held := self._held(real, own)) < _by_quiet(found):
                ideal, coupling, found = own, _OWN, held
        if steady and not ignores and not any(each.apart and not each.watched for each in found):
            found = self._under_other_seeds(found, coupling)
        counted = [place for place, each in enumerate(found) if each.apart and (self._watching or not each.watched)]
        if steady and counted:
            place = counted[0]
            steady, same = self._once_more(self._games[place], coupling, real[place], ideal[place])
            ignores = ignores and same
        chance = not steady or (bool(counted) and not ignores)
        return LearnerGames(
            records=len(self._updates.rows) - len(game.person),
            compared=_compared(real[0].look, ideal[0].look),
            steady=steady,
            ignores_seed=ignores,
            moving=len(self._moving),
            played=tuple(found),
            laws=self._laws([self._games[each] for each in (counted or [0])[:1]], real[0].seconds) if chance else (),
        )

    def _every(self, *, with_person: bool, coupling: Coupling) -> list[_World]:
        name = "games with the person" if with_person else f"games without the person, seeds by {coupling} call"
        return self._played(name, [(each, with_person, coupling, self._updates.seed) for each in self._games])

    def _under_other_seeds(self, found: Sequence[LearnerGame], coupling: Coupling) -> list[LearnerGame]:
        """Each game, but those watched, under a seed of its own too: what shows under some seeds alone must not pass by one."""
        quiet = [game for game in self._games if not game.watched]
        seeds = [self._other(_RUNS * 2 + 1 + number) for number in range(len(quiet))]
        real = self._played(
            "games with the person, other seeds", [(game, True, _OWN, seed) for game, seed in zip(quiet, seeds, strict=True)]
        )
        ideal = self._played(
            "games without the person, other seeds",
            [(game, False, coupling, seed) for game, seed in zip(quiet, seeds, strict=True)],
        )
        outcomes = [self._outcome(*each) for each in zip(quiet, real, ideal, strict=True)]
        return [*(each if each.differing else was for was, each in zip(found, outcomes, strict=False)), *found[len(quiet) :]]

    def _once_more(self, game: _Game, coupling: Coupling, real: _World, ideal: _World) -> tuple[bool, bool]:
        """Whether both worlds of a game that came out differently do so again, and whether they do under other seeds."""
        base, other = self._updates.seed, self._other(0)
        asked: list[tuple[_Game, bool, Coupling, int]] = [
            (game, with_person, seeds, seed) for seed in (base, other) for with_person, seeds in ((True, _OWN), (False, coupling))
        ]
        one, two, third, fourth = self._played("a game once more", asked)
        steady = not self._differing(real, one) and not self._differing(ideal, two)
        return steady, not self._differing(real, third) and not self._differing(ideal, fourth)

    def _held(self, real: Sequence[_World], ideal: Sequence[_World]) -> list[LearnerGame]:
        return [self._outcome(game, *pair) for game, pair in zip(self._games, zip(real, ideal, strict=True), strict=True)]

    def _outcome(self, game: _Game, real: _World, ideal: _World) -> LearnerGame:
        differing, largest = self._differing(real, ideal), _largest(real, ideal)
        return LearnerGame(going=game.going, watched=game.watched, differing=differing, largest=largest if differing else None)

    def _differing(self, one: _World, other: _World) -> tuple[str, ...]:
        """What differs, each kind once; single numbers that move of themselves, as times do, are let pass."""
        moves: dict[str, Moves] = dict.fromkeys(self._moving, "by itself")
        held = compare(_without_process(one.look), _without_process(other.look), moves).differences
        found = [each.kind for each in held if each.moves is None and each.kind != "predictions"]
        before = ["answers-before"] if _bits(one.before) != _bits(other.before) else []
        after = ["answers"] if _bits(one.after) != _bits(other.after) else []
        files = ["files"] if one.files != other.files else []
        elsewhere = [learner.PROCESS] if _elsewhere(one.look) != _elsewhere(other.look) else []
        return tuple(dict.fromkeys((*before, *after, *found, *files, *elsewhere)))

    def _other(self, number: int) -> int:
        return int(generator(self._how.seed, "strong compliance", "seed", number).integers(2**48))

    def _laws(self, games: Sequence[_Game], seconds: float) -> tuple[Law, ...]:
        """Count an event in either world under fresh seeds, as many as time allows."""
        runs = _LEAST_RUNS if self._how.quick else int(min(_RUNS, _SECONDS / 2 / max(seconds, 1e-3)))
        if runs < _LEAST_RUNS:
            return ()
        return tuple(self._law(game, runs) for game in games)

    def _law(self, game: _Game, runs: int) -> Law:
        seeds = [self._other(each) for each in range(1, 2 * runs + 1)]
        real = self._played("with the person under fresh seeds", [(game, True, "own", each) for each in seeds[:runs]])
        ideal = self._played("without the person under fresh seeds", [(game, False, "own", each) for each in seeds[runs:]])
        drawn = slice(self._probe.retained, self._probe.retained + UPDATES)
        left, right = ([_left(each, drawn) for each in side] for side in (real, ideal))
        found = laws.compare(left, right, (), by_numbers=True)
        return Law(adversary=game.name, adapts=False, event=found.event, runs=found.runs, left=found.left, right=found.right)

    def _played(self, name: str, asked: Sequence[tuple[_Game, bool, Coupling, int]]) -> list[_World]:
        case, how = self._case, self._how
        spec, limits = specification(case), limits_of(case)
        jobs = []
        for game, with_person, coupling, seed in asked:
            rows = self._updates.rows if with_person else np.setdiff1d(self._updates.rows, game.person)
            steps = tuple(self._steps(game, rows, coupling, seed, with_person=with_person))
            jobs.append(Job(name, spec, {"train": case.train.subset(rows)}, steps, limits, how.level, how.where.device))
        worlds = []
        for each, answers in zip(asked, how.run(jobs), strict=True):
            require_same(how.where, answers)
            worlds.append(_world(each[0], answers))
        return worlds

    def _steps(self, game: _Game, table: Positions, coupling: Coupling, seed: int, *, with_person: bool) -> Iterator[Step]:
        """Learn, delete, and be asked; last of all show everything."""
        if self._how.where.device == "cuda":
            yield Device()
        batches = [batch if with_person else np.setdiff1d(batch, game.person) for batch in game.batches]
        # A batch of the person's alone is no call in the world without them.
        calls = [0, *(number for number, batch in enumerate(batches, start=1) if len(batch))]
        until = dict(zip(calls, [*(each - 1 for each in calls[1:]), len(batches)], strict=True))
        rows, model = table, _MODEL
        for number in range(len(batches) + 1):
            if number in until:
                drawn = seed + (until[number] if coupling == "last" else number)
                if number == 0:
                    yield Learn(model, np.arange(len(rows), dtype=np.int64), drawn)
                else:
                    before, model = model, f"{_MODEL}-{number}"
                    forget = np.isin(rows, batches[number - 1])
                    inside = np.flatnonzero(np.isin(table, rows)).astype(np.int64)
                    yield Unlearn(before, model, inside, np.flatnonzero(forget).astype(np.int64), drawn)
                    rows = rows[~forget]
            if game.asks(number):
                yield self._asked(model)
        yield from (Survey(), Parameters(model), State(model), Save(model), Walk(model, everywhere=True), self._asked(model))

    def _asked(self, model: str) -> PredictRows:
        return PredictRows(model, self._probe.features, self._probe.columns)


def _world(game: _Game, answers: Sequence[Answer]) -> _World:
    arrays = [each.array for each in answers if isinstance(each.step, PredictRows) and each.array is not None]
    asked = [number for number in range(len(game.batches) + 1) if game.asks(number)]
    early = sum(number < game.leaves for number in asked)
    return _World(
        tuple(arrays[:early]), tuple(arrays[early:]), look(answers), files_of(answers), sum(each.seconds for each in answers)
    )


def _without_process(seen: Look) -> Look:
    """The same without what lies elsewhere in its process, as in libraries: these remember calls and warnings on their own."""
    return seen if seen.walked is None else replace(seen, walked=replace(seen.walked, beyond={}))


def _elsewhere(seen: Look) -> frozenset[str]:
    return frozenset() if seen.walked is None else frozenset(seen.walked.beyond)


def _bits(arrays: Sequence[Floats]) -> list[tuple[tuple[int, ...], bytes]]:
    return [(each.shape, each.tobytes()) for each in arrays]


def _by_quiet(found: Sequence[LearnerGame]) -> tuple[int, int]:
    """How many games differ, those first in which the environment waits for the person to have gone."""
    differing = [each.watched for each in found if each.apart]
    return differing.count(False), len(differing)


def _largest(one: _World, other: _World) -> float | None:
    pairs = [*zip(one.before, other.before, strict=False), *zip(one.after, other.after, strict=False)]
    if one.look.parameters is not None and other.look.parameters is not None:
        pairs.append((one.look.parameters, other.look.parameters))
    alike = [(a, b) for a, b in pairs if a.shape == b.shape]
    return finite(max(float(np.max(np.abs(a - b), initial=0.0)) for a, b in alike)) if alike else None


def _compared(one: Look, other: Look) -> tuple[str, ...]:
    return ("answers", *(each for each in kinds(one, other) if each != "predictions"), "files")


def _left(world: _World, drawn: slice) -> laws.Left:
    """What a world left, as laws read it: answers, and as state the parameters and how much of everything there is.

    Args:
        world: As it was seen.
        drawn: The rows of the probe that are the drawn records, the person's among them: what is remembered shows there first.
    """
    held = world.look
    items = 0 if held.walked is None else _items(held.walked)
    sizes = [len(world.files), len(held.state or b""), len(held.saved or b""), items]
    parameters = [] if held.parameters is None else _some(held.parameters)
    answers = [text for array in (*world.before[-1:], *world.after[-1:]) for text in (*_some(array[drawn]), *_some(array))]
    return laws.Left((" ".join(answers),), " ".join([*map(str, sizes), *parameters]).encode())


def _items(walked: Walked) -> int:
    return len(walked.items)


def _some(array: Floats) -> list[str]:
    flat = array.ravel()
    places = np.unique(np.linspace(0, max(len(flat) - 1, 0), min(_NUMBERS, len(flat))).astype(np.int64))
    return [f"{float(each):.17g}" for each in flat[places]]
