"""The game of an adaptive requester: can someone who sees releases and sends requests keep a deleted record alive in others?

Two worlds differ in the target's record alone. In many games a requester sees p released models, sends requests, and the target
is deleted in a round that is fixed in advance (forget-unlearning.md, Algorithm 1, Definition 2.6). An adversary who sees only
what is released then says which world it was. Under a claim of (q, ε)-data-deletion under p-adaptive requests both worlds' models
lie within ε of one law that never saw the record (Definition 4.1), so that what the adversary reaches refutes every smaller ε.

The adversary's rule and what it counts are in `observing.two_worlds`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.audit.replay import limits_of, specification
from auditor.audit.with_and_without import count, counts, halves
from auditor.base.deletion_log.deletions import replayable
from auditor.base.draws import generator
from auditor.base.errors import ProcedureError
from auditor.base.records import Floats
from auditor.case import Case
from auditor.parts.swap.judging.epsilon_consistency.observed import Games
from auditor.sandbox import Answer, Guess, Level, Play, ProcedureSpec
from auditor.sandbox.jobs import Job
from auditor.settings.controller import RequesterTable
from auditor.verdict.checks.differences import Counted

ANSWERED: Final = ("epsilon.consistency", "deletion.adaptive")
"""The checks that the games speak to."""

PROGRESS: Final = "requester's games"
_QUICK_GAMES: Final = 40
_TOGETHER: Final = 10
"""Games in one exchange."""
_IN_ONE_PROCESS: Final = 50
_SEEDS: Final = 2**31 - 1001
"""Seeds of the games, with the rounds added, stay below 2^31: many a procedure hands its seed to a generator of 32 bits."""


@dataclass(frozen=True, slots=True, eq=False)
class Requesting:
    """The games of a case: what to run, and what comes of it."""

    case: Case
    table: RequesterTable
    worlds: npt.NDArray[np.int64]
    """Shape (games,)."""
    fitting: npt.NDArray[np.bool_]
    """Shape (games,): the games that a rule may be fitted on."""
    jobs: tuple[Job, ...]
    _order: npt.NDArray[np.int64] = field(repr=False)
    """In which order the requester is asked for its guesses."""

    def guessing(self, answers: Sequence[tuple[Answer, ...]]) -> tuple[Job, ...]:
        """What to run after the games: the requester's own guesses, in a process that played none; nothing without any."""
        if not all(answer.facts.get("guesses") is True for each in answers for answer in each):
            return ()
        released = _released(answers)
        job = self.jobs[0]
        step = Guess(np.ascontiguousarray(released[self._order]))
        return (Job(PROGRESS, job.spec, job.tables, (step,), job.limits, job.level),)

    def observe(self, answers: Sequence[tuple[Answer, ...]], guesses: Sequence[tuple[Answer, ...]]) -> Games:
        """What was counted.

        Args:
            answers: To `jobs`.
            guesses: To those of `guessing`.
        """
        facts = [answer.facts for each in answers for answer in each]
        return Games(
            counted=self._counted(answers, guesses),
            fitted=0 if guesses else int(self.fitting.sum()),
            own_guess=bool(guesses),
            largest_request=int(max(float(each.get("largest_request", 0.0)) for each in facts)),
            replaces=any(each.get("replaces") is True for each in facts),
            rows_of_log=_rows_of_log(self.case),
        )

    def _counted(self, answers: Sequence[tuple[Answer, ...]], guesses: Sequence[tuple[Answer, ...]]) -> Counted:
        if not guesses:
            return count(_released(answers), self.worlds, self.fitting)
        ((said,),) = guesses
        if said.array is None:
            raise AssertionError("a guess that is supported has an array")
        event = np.zeros(self.worlds.shape, dtype=np.bool_)
        event[self._order] = said.array == 0.0
        # A rule of its own is fixed beforehand: every game counts.
        return counts(event, self.worlds, np.ones_like(event))


def plan(case: Case, *, seed: int, quick: bool, level: Level) -> Requesting | None:
    """Draw the games of a case's requester; None where it has none.

    Args:
        case: The case.
        seed: The auditor's own.
        quick: Play few games, which decide nothing.
        level: The sandbox level in force.
    """
    table = case.settings.requester
    if table is None:
        return None
    games = min(table.games, _QUICK_GAMES) if quick else table.games
    each = games // 4 * 2
    rng = generator(seed, "requester", "games")
    worlds = rng.permutation(np.repeat(np.array([0, 1], dtype=np.int64), each))
    seeds, draws = (rng.integers(0, _SEEDS, size=2 * each).tolist() for _ in range(2))
    fitting = halves(worlds, generator(seed, "requester", "fitting"))
    spec = _specification(case, table)
    jobs = []
    for first in range(0, 2 * each, _IN_ONE_PROCESS):
        last = min(first + _IN_ONE_PROCESS, 2 * each)
        steps = tuple(
            _play(case, table, worlds, seeds, draws, slice(begin, min(begin + _TOGETHER, last)))
            for begin in range(first, last, _TOGETHER)
        )
        jobs.append(
            Job(f"{PROGRESS} from {first + 1}", spec, {"train": case.train}, steps, limits_of(case), level, part_of=PROGRESS)
        )
    shuffled = generator(seed, "requester", "guesses").permutation(2 * each).astype(np.int64)
    return Requesting(case, table, worlds, fitting, tuple(jobs), shuffled)


def _rows_of_log(case: Case) -> int:
    """At most so many records were there before the log's last batch."""
    batches = replayable(case.requests, case.known_ids)
    return len(case.train) - sum(len(batch.record_ids) for batch in batches[:-1])


def _play(
    case: Case, table: RequesterTable, worlds: npt.NDArray[np.int64], seeds: list[int], draws: list[int], part: slice
) -> Play:
    return Play(tuple(worlds[part].tolist()), tuple(seeds[part]), tuple(draws[part]), table.rounds, table.seen, _longest(case))


def _specification(case: Case, table: RequesterTable) -> ProcedureSpec:
    own = specification(case)
    if table.entry is None:
        return replace(own, requester=table.use)
    file, _, name = table.entry.rpartition(":")
    return replace(own, requester=f"{(case.folder / file).resolve()}:{name}", requester_code=case.requester_code)


def _longest(case: Case) -> float | None:
    """The norm up to which the constants of a known loss hold; None where rows may be of any length, or are made to fit."""
    procedure = case.settings.procedure.descent
    return 1.0 if procedure is not None and procedure.loss is not None and procedure.row_norms != "scale" else None


def _released(answers: Sequence[tuple[Answer, ...]]) -> Floats:
    """Shape (games, k), in the order of the games."""
    arrays = [answer.array for each in answers for answer in each if answer.array is not None]
    if len({array.shape[1] for array in arrays}) != 1:
        raise ProcedureError("the requester's games: expected models of one size from every game, found different ones")
    return np.concatenate(arrays)
