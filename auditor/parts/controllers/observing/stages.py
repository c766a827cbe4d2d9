"""What is observed of a whole controller, and of a learner that claims to be history independent."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

from auditor.audit.forecast import Ahead, Forecast, Obstacle, Rehearsed
from auditor.audit.run_options import RunOptions
from auditor.audit.stages import Run, Stage, Subject
from auditor.base.errors import ProcedureError
from auditor.base.histories import DELETE, Move
from auditor.case import Case
from auditor.parts.controllers.cards import asked as learner_asked
from auditor.parts.controllers.cards import claimed
from auditor.parts.controllers.judging import privacy_continual
from auditor.parts.controllers.judging.control import confidentiality_game
from auditor.parts.controllers.judging.control.judging import Observed as Games
from auditor.parts.controllers.judging.history.independence import CARD
from auditor.parts.controllers.judging.history.observed import Observed, Parts, Together, Tried
from auditor.parts.controllers.observing import continual
from auditor.parts.controllers.observing.games import executions, pan_privacy
from auditor.parts.controllers.observing.games import learner as learner_games
from auditor.parts.controllers.observing.games.experiment import experiment as play_games
from auditor.parts.controllers.observing.histories import erased, learner, side_by_side
from auditor.parts.controllers.observing.histories.adversaries import ALIKE, RANDOM, SCRIPTED
from auditor.parts.controllers.observing.histories.drawing import Drawing
from auditor.parts.controllers.observing.histories.experiment import QUICK, USUAL, Sizes, experiment
from auditor.parts.controllers.observing.histories.playing import Play, Player
from auditor.parts.controllers.observing.histories.sandboxed import Stand
from auditor.parts.store.judging import data_erased
from auditor.sandbox import Answer, Level
from auditor.sandbox.jobs import Job
from auditor.settings.controller import ControllerTable, PartTable, controllers
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Values


# How far the histories of one check are, towards a number that is an estimate: what is found decides how many are played.
def expected(sizes: Sizes) -> int:
    """How many histories a game of so much is about: both sides of every pair, before anything is found."""
    return 2 * (sizes.ways * (len(SCRIPTED) + len(ALIKE)) + sizes.by_chance * len(RANDOM) + sizes.searched)


class Pace:
    """Counts the histories of one check."""

    def __init__(self, name: str, expected: int, on_step: Callable[[str, int, int], None]) -> None:
        """Say that it begins.

        Args:
            name: Of the check, for anyone who watches.
            expected: How many histories will be about all.
            on_step: Called with the name, the histories played and those expected in all, never fewer than were played.
        """
        self._name, self._expected, self._on_step = name, max(1, expected), on_step
        self._played = 0
        on_step(name, 0, self._expected)

    def played(self, histories: int) -> None:
        """Take note of histories; where they are more than were expected, as many again may come."""
        self._played += histories
        while self._played >= self._expected:
            self._expected += max(1, self._expected // 4)
        self._on_step(self._name, self._played, self._expected)

    def end(self) -> None:
        """Say that it is over."""
        self._on_step(self._name, max(1, self._played), max(1, self._played))


_MANY_WAYS: Final = 20
"""Histories of the pan-privacy game for each run, about: some ways to play, both sides, whole and up to the intrusion."""
_REHEARSAL: Final = "rehearsal of the program"
_FEW: Final = Sizes(ways=1, by_chance=4, searched=4, fresh=40)
"""Of each kind of game, what shows how long all of it takes."""
_START: Final = "start of a controller"
_CONTINUALLY: Final = "games of continual release"
"""Names of what a rehearsal measures."""


class Learner(Stage):
    """Whether a learner that claims to be history independent is, by models of the same records reached in several ways."""

    checks = (CARD.id,)

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Try every way, where the learner claims that it makes no difference."""
        del answers
        return learner.observe(self.run.case, self.run.context, self.run.how)

    @classmethod
    def unplanned(cls, case: Case, context: Context) -> Iterable[str]:
        """Count every way."""
        del case
        return cls.checks if claimed(context) else ()


class LearnerGames(Stage):
    """A learner played with one person and without, where the policy or the command line names its games."""

    checks = (confidentiality_game.CARD.id,)

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Play every game."""
        del answers
        return learner_games.observe(self.run.case, self.run.context, self.run.how)

    @classmethod
    def unplanned(cls, case: Case, context: Context) -> Iterable[str]:
        """Count every game."""
        del case
        return cls.checks if learner_asked(context, confidentiality_game.CARD.id) else ()


class Program(Stage):
    """Everything that is played of a whole controller."""

    subject = Subject.PROGRAM
    checks = (CARD.id, *(kind.value for kind in executions.Kind), privacy_continual.CARD.id, data_erased.CARD.id)

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Play the controller, and note in the run what is seen as soon as it is: a failure leaves what was seen before."""
        del answers
        table = self.run.case.settings.controller
        if table is not None:
            _play(self.run, table)
        return {}

    def foresee(self, forecast: Forecast, jobs: Sequence[Job]) -> Iterator[Ahead]:
        """Give a row for the games of each check, by what few of them took."""
        del jobs
        how, table = self.run.how, self.run.case.settings.controller
        if table is None:
            return
        limits = sizes(table, quick=how.quick)
        for check_id, kind in ((CARD.id, None), *((kind.value, kind) for kind in executions.Kind)):
            few = forecast.rehearsed.get(check_id)
            if few is not None and how.wants((check_id,)):
                every = 0 if kind is None or table.tape_bits is None else _every_tape(table.tape_bits)
                every += len(_exact(table)) * expected(limits) if kind is None else 0
                times = (expected(limits) + every) / expected(_FEW)
                yield forecast.row(
                    check_id,
                    trainings=0,
                    unlearnings=0,
                    histories=expected(limits) + every,
                    seconds=2 * forecast.rehearsed[_START] + times * few,
                    checks=(check_id,),
                    kept=0,
                )
        if _CONTINUALLY in forecast.rehearsed and how.wants((privacy_continual.CARD.id,)):
            runs = pan_privacy.QUICK if how.quick else pan_privacy.RUNS
            yield forecast.row(
                privacy_continual.CARD.id,
                trainings=0,
                unlearnings=0,
                histories=_MANY_WAYS * runs,
                seconds=forecast.rehearsed[_START] + runs / _FEW.fresh * forecast.rehearsed[_CONTINUALLY],
                checks=(privacy_continual.CARD.id,),
                kept=0,
            )

    @classmethod
    def rehearse(cls, case: Case, level: Level, on_step: Callable[[str, int, int], None]) -> Rehearsed:
        """Play one history with every operation of a controller, in which two people come, speak, and leave; time some games."""
        table = case.settings.controller
        if table is None:
            return Rehearsed()
        stand = Stand.of(case, level)
        on_step(_REHEARSAL, 0, 1)
        draw = Drawing(table.vocabulary, Random(0))  # noqa: S311 - nothing secret is drawn
        people = draw.words(2)
        moves = [move for name in people for move in (*draw.speech(name), *draw.clock(), *draw.speech(name))]
        moves += [Move(name, DELETE, None) for name in people]
        began = time.monotonic()
        try:
            with stand.player() as left:
                start = time.monotonic() - began
                left.play([Play(0, tuple(moves))])
                left.held()
                with stand.player() as right:
                    taken = _timed(table, left, right, claimed=case.settings.claims.dp is not None)
        except ProcedureError as error:
            return Rehearsed((Obstacle("play", None, str(error), error.stderr_tail),))
        finally:
            on_step(_REHEARSAL, 1, 1)
        return Rehearsed(seconds={_START: start, **taken})


def _timed(table: ControllerTable, left: Player, right: Player, *, claimed: bool) -> Mapping[str, float]:
    """Play a few games of every kind in two processes, and time them, by check id."""

    def both() -> AbstractContextManager[tuple[Player, Player]]:
        return nullcontext((left, right))

    began, taken = time.monotonic(), {}
    experiment(table.vocabulary, both, seed=0, sizes=_FEW)
    taken[CARD.id] = time.monotonic() - began
    for kind in executions.Kind:
        began = time.monotonic()
        play_games(kind, table.vocabulary, both, seed=0, sizes=_FEW)
        taken[kind.value] = time.monotonic() - began
    began = time.monotonic()
    if _plays_continually(table, claimed=claimed):
        pan_privacy.play(left, table.vocabulary, seed=0, runs=_FEW.fresh)
        taken[_CONTINUALLY] = time.monotonic() - began
    return taken


def _every_tape(bits: int) -> int:
    """How many histories a kind of game has under every tape, about: those of each adversary with two subjects, on both sides."""
    return 4 * (len(SCRIPTED) + len(ALIKE) + len(RANDOM)) << bits


def _play(run: Run, table: ControllerTable) -> None:
    case, how, seen = run.case, run.how, run.seen
    stand = replace(Stand.of(case, how.level), on_modules=how.on_modules)
    limits = sizes(table, quick=how.quick)
    by_numbers = table.use is not None and controllers()[table.use].fades
    if how.wants((CARD.id,)):
        before = seen.get(CARD.id)
        pipeline = before.pipeline if isinstance(before, Observed) else None

        def note(tried: Tried) -> None:
            seen[CARD.id] = Observed(tried=tried, pipeline=pipeline)

        with _counted(stand, CARD.id, expected(limits), how) as counted:
            played = partial(rooms, counted)
            tried = experiment(table.vocabulary, played, seed=how.seed, sizes=limits, by_numbers=by_numbers, note=note)
            if table.parts:
                seen[CARD.id] = Observed(tried=tried, pipeline=pipeline, parts=_parts(table, counted, how, limits))
    for kind in executions.Kind:
        if how.wants((kind.value,)):
            with _counted(stand, kind.value, expected(limits), how) as counted:
                played = partial(rooms, counted)
                games = play_games(
                    kind,
                    table.vocabulary,
                    played,
                    seed=how.seed,
                    sizes=limits,
                    bits=table.tape_bits,
                    by_numbers=by_numbers,
                )
            before = seen.get(kind.value)
            seen[kind.value] = Games(tried=games, learner=before.learner if isinstance(before, Games) else None)
    if how.wants((privacy_continual.CARD.id,)):
        runs = pan_privacy.QUICK if how.quick else pan_privacy.RUNS
        with _counted(stand, privacy_continual.CARD.id, _MANY_WAYS * runs, how) as counted:
            if (continually := _continual(table, counted, how, runs, claimed=case.settings.claims.dp is not None)) is not None:
                seen[privacy_continual.CARD.id] = continually
    records = seen.get(data_erased.CARD.id) if case.settings.procedure.learns else _no_records()
    if how.wants((data_erased.CARD.id,)) and isinstance(records, data_erased.Observed):
        kept = erased.observe(stand, table.vocabulary, seed=how.seed)
        seen[data_erased.CARD.id] = records.model_copy(update={"controller": kept})


_NO_LAWS: Final = 4
"""Runs under fresh tapes of a part by itself: what they show counts of the pair, and decides nothing of a part."""


def _parts(table: ControllerTable, stand: Stand, how: RunOptions, limits: Sizes) -> Parts:
    """Two programs side by side: each by itself, and both against each alone."""
    first, *second = (
        experiment(part.vocabulary, partial(rooms, one), seed=how.seed, sizes=limits._replace(fresh=_NO_LAWS))
        for part, one in zip(_exact(table), stand.parts, strict=False)
    )
    together = side_by_side_of(table, stand, seed=how.seed, by_chance=limits.by_chance)
    return Parts(first=first, second=next(iter(second), None), together=together)


def side_by_side_of(table: ControllerTable, stand: Stand, *, seed: int, by_chance: int) -> Together:
    """Two programs side by side against each alone.

    Args:
        table: The pair as declared.
        stand: Where it is played.
        seed: The auditor's.
        by_chance: Histories of each adversary that draws them.

    Raises:
        ProcedureError: If a program failed.
        SandboxError: If the sandbox did.
    """
    return side_by_side.observe(
        table.vocabulary,
        [{name: (own, bool(part.vocabulary.arguments[own])) for name, own in part.heard.items()} for part in table.parts],
        stand.player,
        [one.player for one in stand.parts],
        lambda player: sum(each.name.startswith("file ") for each in player.held().pieces),
        seed=seed,
        by_chance=by_chance,
    )


def _continual(
    table: ControllerTable, stand: Stand, how: RunOptions, runs: int, *, claimed: bool
) -> privacy_continual.Observed | None:
    """The noise of a counter, and the games that a controller with a promise is played; None where it makes none."""
    program: ControllerTable | PartTable = table
    if table.parts and _reports(table.parts[1]):
        program, stand = table.parts[1], stand.parts[1]
    if program.use in privacy_continual.COUNTERS:
        with stand.player() as player:
            noise = continual.observe(player, program.use, program.params, seed=how.seed, quick=how.quick)
            told = pan_privacy.play(player, program.vocabulary, seed=how.seed, runs=runs)
        return noise.model_copy(update={"games": told})
    if _plays_continually(table, claimed=claimed):
        with stand.player() as player:
            told = pan_privacy.play(player, program.vocabulary, seed=how.seed, runs=runs)
        return privacy_continual.Observed(games=told)
    return None


def _plays_continually(table: ControllerTable, *, claimed: bool) -> bool:
    """Whether the game of continual release is played."""
    ours = _reports(table) or any(map(_reports, table.parts[1:]))
    return ours or (table.entry is not None and claimed)


def _reports(table: ControllerTable | PartTable) -> bool:
    """Whether a program of ours gives reports under noise."""
    return table.use in (*privacy_continual.COUNTERS, *privacy_continual.BATCHES)


def _exact(table: ControllerTable) -> tuple[PartTable, ...]:
    """Of two programs side by side those whose histories are played by themselves: the first, and a second without noise."""
    return table.parts[:1] if any(map(_reports, table.parts[1:])) else table.parts


@contextmanager
def _counted(stand: Stand, name: str, histories: int, how: RunOptions) -> Iterator[Stand]:
    """The same, where histories are counted for those who watch."""
    pace = Pace(name, histories, how.on_step)
    yield replace(stand, on_played=pace.played)
    pace.end()


def sizes(table: ControllerTable, *, quick: bool) -> Sizes:
    """How much is played of a controller: as many histories of each adversary that draws them as its table says."""
    return QUICK if quick else USUAL._replace(by_chance=table.games, searched=table.games)


@contextmanager
def rooms(stand: Stand) -> Iterator[tuple[Player, Player]]:
    """Open two processes that have played nothing yet."""
    with stand.player() as left, stand.player() as right:
        yield left, right


def _no_records() -> data_erased.Observed:
    """What there is to see of records where nothing learned."""
    return data_erased.Observed(
        deleted=0,
        by_identifier_only=0,
        found=0,
        request_ids=(),
        searched=(),
        not_searched=(),
        open_in_store=(),
        open_elsewhere=(),
        recognised_in_store=False,
    )


STAGES: Final = (Learner, LearnerGames, Program)
