"""The runs that an audit makes, planned as the audit plans them: what they take, what checks cost, what a run can refute.

What later stages run depends on what earlier ones find. It is listed with `if_open`: an audit whose release is what a clean room
gives needs none of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from auditor.audit.auditing import Options, declare
from auditor.audit.describing import stamp
from auditor.audit.devices import on_cpu
from auditor.audit.forecast import Ahead, Forecast, Pace, Room
from auditor.audit.how import How
from auditor.audit.replay import specification
from auditor.audit.stages import Run, Stages, Subject, by_name, listed
from auditor.base.domain import Reason
from auditor.case import Case
from auditor.sandbox import Level
from auditor.sandbox.runs import keeps
from auditor.verdict.assembly import deciding
from auditor.verdict.checks import definitions
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import skipped
from auditor.verdict.checks.foretold import Foretold
from auditor.verdict.judgement import applicable


def look_ahead(case: Case, context: Context, how: How, pace: Pace, room: Room) -> tuple[Ahead, ...]:
    """Plan what an audit of a case runs.

    Args:
        case: The case.
        context: The same as declared.
        how: How the audit would observe; nothing is run.
        pace: How long calls take, as the rehearsal measured it.
        room: What models and answers take up, likewise.

    Raises:
        InputError: If the log leaves nothing to learn from.
    """
    forecast = Forecast(
        pace=pace,
        room=room,
        workers=how.workers,
        records=len(case.train),
        keeps=keeps(specification(case), how.level),
        asked=in_question(context, how.only),
    )
    found = _rows(Stages(Run(case, context, how), Subject.MODEL), forecast)
    return tuple(each for each in found if each.trainings or each.unlearnings)


def _rows(stages: Stages, forecast: Forecast) -> Iterator[Ahead]:
    """Give row by row: the replay, and then each stage in its turn."""
    replayed = tuple(check_id for check_id, known in definitions().items() if known.replays)
    for name, jobs in by_name(stages.replay).items():
        yield forecast.of_jobs(name, jobs, replayed)
    for stage, planned in stages.planned:
        yield from stage.foresee(forecast, planned)


def in_question(context: Context, only: tuple[str, ...] | None) -> tuple[str, ...]:
    """List the checks of an audit that apply to a case, as far as that is known before anything has run."""
    found = []
    for check_id, definition in definitions().items():
        wanted = (only is None or check_id in only) and (context.learns or definition.card.of_controllers)
        before = {needed: skipped(Reason("left-out")) for needed in definition.card.needs}
        if wanted and applicable(definition, context) and definition.applies(context, before) is None:
            found.append(check_id)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Cost:
    """What checks cost that rest on the same runs."""

    checks: tuple[str, ...]
    decides: bool
    """Whether the verdict rests on them where they apply: a budget never leaves them out."""
    runs: tuple[str, ...]
    """Names of the rows of the plan, which other checks may share."""
    seconds: float = field(compare=False)
    """Of these rows, those included that run only where the release differs from retraining."""
    more: bool
    """Whether something runs for them that was not planned, and so not measured."""


def costs(case: Case, context: Context, only: tuple[str, ...] | None, ahead: Sequence[Ahead]) -> tuple[Cost, ...]:
    """Say what each check of an audit costs that applies, as far as that is known before anything has run.

    Args:
        case: The case.
        context: The same as declared.
        only: Ids of the checks to run; None for all.
        ahead: What was planned for them.
    """
    decides, beyond = deciding(context), {each for stage in listed() for each in stage.unplanned(case, context)}
    grouped: dict[tuple[bool, tuple[str, ...], bool], list[str]] = {}
    for check_id in in_question(context, only):
        rows = tuple(each.name for each in ahead if check_id in each.checks)
        grouped.setdefault((check_id in decides, rows, check_id in beyond), []).append(check_id)
    seconds = {each.name: each.seconds for each in ahead}
    return tuple(
        Cost(tuple(checks), decided, rows, sum(seconds[name] for name in rows), more)
        for (decided, rows, more), checks in grouped.items()
    )


def refutable(case: Case, only: tuple[str, ...] | None) -> Foretold | None:
    """Say what a run of a case can refute at best, from what is declared alone; None where nothing can be said.

    Args:
        case: The case.
        only: Ids of the checks that an audit would run; None for all.
    """
    # Neither level nor device bears on what can be refuted, so that no barrier is tried for it.
    nowhere = replace(on_cpu(), probes=())
    context = declare(case, Options(only=only), Level.NONE, nowhere, stamp()).context
    asked = in_question(context, only)
    return next((told for stage in listed() if (told := stage.refutable(context, asked)) is not None), None)
