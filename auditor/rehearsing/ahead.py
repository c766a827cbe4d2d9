"""The runs that an audit makes, family by family, planned as the audit plans them, and what they take at a pace.

What later families run depends on what earlier ones find. They are listed with `if_open`: an audit whose release is what a
clean room gives needs none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from auditor.case import Case
from auditor.checks import definitions, release_exact, release_remembers
from auditor.checks.context import Context
from auditor.checks.deleting import QUICK_GAMES, asked
from auditor.checks.inference import example, instance
from auditor.jobs import Job
from auditor.observing import swap
from auditor.observing.deleting.asking import fast
from auditor.observing.deleting.inference import SHADOW_GAMES
from auditor.observing.deleting.shadows import PAIRS
from auditor.observing.how import How
from auditor.observing.release_remembers.linear import batched
from auditor.observing.release_remembers.questions import HELD_OUT
from auditor.observing.replay import forgotten_of
from auditor.observing.swap.drawing import PROGRESS
from auditor.observing.together import Observing
from auditor.rehearsing.pace import Pace, side_by_side
from auditor.sandbox import Learn, Refit, Step, Together, Unlearn

_REACTION: Final = 3
"""Trainings that it takes to see whether a learner reacts to its rows: twice on half of them, or also twice on all."""
_BATCHED: Final = 0.05
"""Of the time of one training, what each of many costs that are computed in one batch, in this process."""
_REBUILDS: Final = "reconstruction."


@dataclass(frozen=True, slots=True)
class Ahead:
    """What one family of checks will run."""

    name: str
    """As progress shows it."""
    trainings: int
    unlearnings: int
    seconds: float = field(compare=False)
    """With the workers of the audit side by side."""
    if_open: bool
    """Whether it runs only where the clean rooms leave the release open."""


def look_ahead(case: Case, context: Context, how: How, pace: Pace) -> tuple[Ahead, ...]:
    """Plan what an audit of a case runs.

    Args:
        case: The case.
        context: The same as declared.
        how: How the audit would observe; nothing is run.
        pace: What the rehearsal measured.

    Raises:
        InputError: If the log leaves nothing to learn from.
    """
    observing = Observing(case, context, how)
    first = _by_name(job for job in observing.jobs if job.part_of != PROGRESS)
    found = [_of_jobs(name, jobs, pace, how, if_open=False) for name, jobs in first.items()]
    if observing.enters_clean_rooms:
        found.append(_clean_rooms(context, pace, how))
        found.append(_other_runs(case, how, pace))
    found += _game(case, how, pace, if_open=observing.game_waits)
    if observing.enters_clean_rooms:
        found += _shadow_models(case, how, pace)
    found += _deletion_games(case, context, how, pace)
    return tuple(each for each in found if each.trainings or each.unlearnings)


def _by_name(jobs: Iterable[Job]) -> dict[str, list[Job]]:
    found: dict[str, list[Job]] = {}
    for job in jobs:
        found.setdefault(job.part_of or job.name, []).append(job)
    return found


def _of_jobs(name: str, jobs: Sequence[Job], pace: Pace, how: How, *, if_open: bool) -> Ahead:
    steps = [step for job in jobs for step in _single(job.steps)]
    return Ahead(
        name,
        sum(isinstance(step, Learn | Refit) for step in steps),
        sum(isinstance(step, Unlearn) for step in steps),
        side_by_side([pace.job(job) for job in jobs], how.workers),
        if_open,
    )


def _single(steps: Iterable[Step]) -> Iterator[Step]:
    for step in steps:
        yield from step.steps if isinstance(step, Together) else (step,)


def _clean_rooms(context: Context, pace: Pace, how: How) -> Ahead:
    """One training for each batch that is compared, in a process of its own, and the question whether a learner reacts."""
    seen = release_exact.Observed(seconds_of_training=pace.learn)
    _, wanted = release_exact.batches_to_compare(context, seen)
    rooms = [pace.start + pace.learn] * len(wanted)
    seconds = side_by_side(rooms, how.workers) + pace.start + _REACTION * pace.learn
    return Ahead("clean rooms", len(wanted) + _REACTION, 0, seconds, if_open=False)


def _other_runs(case: Case, how: How, pace: Pace) -> Ahead:
    """The log with other records, where a clean room gives another model than the release."""
    batches = len(forgotten_of(case))
    once = pace.start + pace.learn + batches * pace.unlearn
    runs = release_exact.LEAST_OTHER_RUNS + 1
    return Ahead("runs with other records", runs, runs * batches, side_by_side([once] * runs, how.workers), if_open=True)


def _game(case: Case, how: How, pace: Pace, *, if_open: bool) -> Iterator[Ahead]:
    """The game of the SWAP test, where one can be played."""
    if not how.wants(swap.IDS):
        return
    planned = swap.plan(case, seed=how.seed, quick=how.quick, level=how.level, where=how.where)
    if isinstance(planned, swap.SwapTest) and planned.rerunning is None:
        models = planned.game.pairs[0].learn_seeds.size * len(planned.game.pairs) + len(planned.game.references)
        yield Ahead("the SWAP game", models, models // 2, _BATCHED * models * pace.learn, if_open=if_open)
    elif isinstance(planned, swap.SwapTest | swap.OneRunTest):
        yield _of_jobs("the SWAP game", planned.jobs, pace, how, if_open=if_open)


def _shadow_models(case: Case, how: How, pace: Pace) -> Iterator[Ahead]:
    """The models that an attack on the release calls for, where a clean room gives another one."""
    if how.wants((release_remembers.CARD.id,)):
        batches, retrained, holding = len(forgotten_of(case)), case.settings.release.models, 2 * HELD_OUT
        each = pace.learn * (_BATCHED if batched(case) else 1.0)
        work = (retrained + holding) * each + (0.0 if batched(case) else holding * batches * pace.unlearn)
        yield Ahead("shadow models of the release", retrained + holding, holding * batches, work / how.workers, if_open=True)


def _deletion_games(case: Case, context: Context, how: How, pace: Pace) -> Iterator[Ahead]:
    """The games of deletion inference and of reconstruction, where somebody asks for them."""
    games = min(context.inference.games, QUICK_GAMES) if how.quick else context.inference.games
    # The controller's own code gets a process for each game, for it must not see two.
    start = pace.start if case.settings.procedure.foreign else 0.0
    alone = (start + pace.learn + pace.unlearn) / how.workers
    each = _BATCHED * pace.learn if fast(case) else alone
    if any(how.wants((check_id,)) and asked(context, check_id) for check_id in (example.CARD.id, instance.CARD.id)):
        played = games + SHADOW_GAMES
        yield Ahead("deletion inference games", played + 2 * PAIRS, played, played * each, if_open=False)
    for check_id, definition in definitions().items():
        rebuilds = check_id.startswith(_REBUILDS) and how.wants((check_id,))
        if rebuilds and asked(context, check_id) and definition.applies(context, {}) is None:
            yield Ahead(check_id, games, games, games * each, if_open=False)
