"""A rehearsal of an audit: the procedure once on a few rows, what would stop an audit, what is worth a second look, and the cost.

trying    a learning procedure on a few rows, each thing that an audit asks of it
warnings  what is no error, and seldom meant
ahead     the runs that an audit makes, what each check costs, and what a single run can refute at best
budget    what is cut so that they fit a time
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from auditor.audit.auditing import Options, declare, onward, refuse, settled, with_model
from auditor.audit.describing import stamp
from auditor.audit.devices import Place
from auditor.audit.forecast import AROUND_S, Ahead, Memory, Obstacle, Pace, Room, memory_of
from auditor.audit.rehearsal.budget import Cost, Fitted, Weaker, costs, fit, look_ahead, refutable, seconds_of
from auditor.audit.rehearsal.trying import try_out
from auditor.audit.rehearsal.warned import Warned
from auditor.audit.rehearsal.warnings import warn
from auditor.audit.run_options import RunOptions
from auditor.audit.stages import listed
from auditor.base.errors import AuditorError, UsageError
from auditor.case import Case
from auditor.sandbox import Level
from auditor.verdict.checks.differences import Foretold

__all__ = [
    "Ahead",
    "Cost",
    "Fitted",
    "Foretold",
    "Memory",
    "Obstacle",
    "Rehearsal",
    "Warned",
    "Weaker",
    "refutable",
    "rehearse",
    "rehearse_within",
    "seconds_of",
    "warn",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """What came of one."""

    obstacles: tuple[Obstacle, ...]
    """What would end an audit with exit code 4, each cause once."""
    rows: int | None
    """Training records that the procedure learned from; None of a whole controller, or where it could not be built."""
    other_format: bool = False
    """Whether the procedure saves no file in the format of the declared model file, which then is never reproduced."""
    pace: Pace | None
    """None where it did not get so far as to be timed, and of a whole controller."""
    ahead: tuple[Ahead, ...]
    """What an audit will run, family by family; empty where that is not known."""
    costs: tuple[Cost, ...]
    """What each check costs that applies; empty where something is in the way of an audit."""
    memory: Memory | None = field(compare=False)
    """None where it was not measured."""
    workers: int
    seconds: float = field(compare=False)
    """That the rehearsal took."""
    foresee: Callable[[Case, Options], tuple[Ahead, ...]] | None = field(default=None, compare=False, repr=False)
    """Plans the audit with other sizes; None where `ahead` is empty."""

    def runs(self, *, whole: bool) -> tuple[Ahead, ...]:
        """List the least that an audit runs, or everything that what is found may ask for."""
        return tuple(each for each in self.ahead if not each.too_long and (whole or not each.if_open))

    def kept(self, *, whole: bool) -> tuple[int, bool]:
        """Add up the bytes of what is kept, of the least that an audit runs or of all it may; whether all of it was measured."""
        counted = [each.kept for each in self.runs(whole=whole)]
        return sum(filter(None, counted)), None not in counted

    @property
    def around(self) -> float:
        """Give the seconds of an audit for everything but what it runs."""
        return AROUND_S if self.pace is None else self.pace.around

    def estimate(self, *, whole: bool) -> float | None:
        """Estimate the seconds that an audit takes: the least, or everything that what is found may ask for.

        None where nothing could be timed.
        """
        if not self.ahead:
            return None
        return self.around + sum(each.seconds for each in self.runs(whole=whole))


def rehearse(case: Case, options: Options) -> Rehearsal:
    """Run the procedure of a case on a few rows, and say what an audit of it would take.

    Args:
        case: The case.
        options: Those of the audit; nothing is kept of the rehearsal.

    Raises:
        ProcedureError: If the model file cannot be loaded inside the sandbox.
        SandboxError: If this machine cannot contain the procedure as the case asks for.
        UsageError: If an extra that the procedure needs is missing, or an option does not fit the case.
    """
    began = time.monotonic()
    options = replace(options, on_step=onward(options.on_step))
    refuse(case, options)
    level, place = settled(case, options)
    case, place = with_model(case, options, level, place, None)
    if isinstance(place, AuditorError):
        raise place
    obstacles: tuple[Obstacle, ...] = ()
    rows, pace, room, memory, other_format = None, None, None, None, False
    if case.settings.procedure.learns and case.settings.procedure.reruns:
        tried = try_out(case, level=level, where=place, on_step=options.on_step)
        obstacles, rows, pace, room = tried.obstacles, tried.rows, tried.pace, tried.room
        other_format = tried.other_format
    seconds: dict[str, float] = {}
    for stage in listed():
        rehearsed = stage.rehearse(case, level, options.on_step)
        obstacles += rehearsed.obstacles
        seconds |= rehearsed.seconds
    foresee = None
    if not obstacles and (pace is not None or seconds):
        foresee = _foreseeing(case, level, place, pace or Pace.unmeasured(), room or Room.unmeasured(), seconds)
    if pace is not None and room is not None and not obstacles:
        limited = case.settings.sandbox.memory_mb is not None
        memory = memory_of(room, records=len(case.train), at_a_time=options.workers, limited=limited)
    ahead = () if foresee is None else foresee(case, options)
    return Rehearsal(
        obstacles=obstacles,
        rows=rows,
        other_format=other_format,
        pace=pace,
        ahead=ahead,
        costs=() if obstacles else _costs(case, options, ahead),
        memory=memory,
        workers=options.workers,
        seconds=time.monotonic() - began,
        foresee=foresee,
    )


def rehearse_within(case: Case, options: Options, budget: str | None) -> tuple[Rehearsal, Fitted | None]:
    """Run the procedure of a case on a few rows, and fit the audit into a time.

    Args:
        case: As declared.
        options: As asked for.
        budget: A time such as `2h`; None where nothing is to be fitted.

    Returns:
        The rehearsal, with the plan of what fits, and what that is: None without a budget, or where something is in the way.

    Raises:
        ProcedureError: If the model file cannot be loaded inside the sandbox.
        SandboxError: If this machine cannot contain the procedure as the case asks for.
        UsageError: If the budget is no time, what decides does not fit it, or as for `rehearse`.
    """
    seconds = None if budget is None else seconds_of(budget)
    rehearsal = rehearse(case, options)
    if seconds is None or rehearsal.obstacles:
        return rehearsal, None
    fitted = _within(case, options, rehearsal, seconds)
    ahead = rehearsal.ahead if rehearsal.foresee is None else rehearsal.foresee(fitted.case, fitted.options)
    return replace(rehearsal, ahead=ahead, costs=_costs(fitted.case, fitted.options, ahead)), fitted


def _costs(case: Case, options: Options, ahead: tuple[Ahead, ...]) -> tuple[Cost, ...]:
    level, place = settled(case, options)
    return costs(case, declare(case, options, level, place, stamp()).context, options.only, ahead)


def _within(case: Case, options: Options, rehearsal: Rehearsal, seconds: float) -> Fitted:
    """Fit an audit into a time, the rehearsal's own included.

    Raises:
        UsageError: If nothing of the case was timed, or what decides does not fit.
    """
    pace, foresee = rehearsal.pace, rehearsal.foresee
    if pace is None or foresee is None:
        raise UsageError("--budget: nothing that learns was timed; leave --budget out")
    around = pace.around + rehearsal.seconds

    def estimate(smaller: Case, fewer: Options) -> float:
        return around + sum(each.seconds for each in foresee(smaller, fewer) if not each.too_long)

    level, place = settled(case, options)
    context = declare(case, options, level, place, stamp()).context
    return fit(case, options, context, seconds=seconds, estimate=estimate)


def _foreseeing(
    case: Case, level: Level, place: Place, pace: Pace, room: Room, rehearsed: Mapping[str, float]
) -> Callable[[Case, Options], tuple[Ahead, ...]]:
    """Give what plans an audit of a case at a pace, with the sizes and options that it is asked about."""

    def foresee(sized: Case, options: Options) -> tuple[Ahead, ...]:
        as_sized = replace(case, settings=sized.settings)
        how = RunOptions(
            seed=options.seed,
            quick=options.quick,
            only=options.only,
            workers=options.workers,
            level=level,
            where=place,
            run=lambda _jobs: [],
            on_step=options.on_step,
            second_stage_s=options.second_stage_s,
        )
        return look_ahead(as_sized, declare(as_sized, options, level, place, stamp()).context, how, pace, room, rehearsed)

    return foresee
