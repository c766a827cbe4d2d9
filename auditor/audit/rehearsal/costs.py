"""What each check costs: the runs that it rests on, and how long these take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from auditor.audit.rehearsal.ahead import Ahead, in_question
from auditor.case import Case
from auditor.parts.controllers.judging.history import independence
from auditor.parts.data_deletion import observing as deletion
from auditor.parts.data_deletion.judging import state_stateless
from auditor.settings.noisy_gd import NoisyGd
from auditor.verdict.assembly import deciding
from auditor.verdict.checks import definitions
from auditor.verdict.checks.context import Context


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
    decides, beyond = deciding(context), _not_planned(case, context)
    grouped: dict[tuple[bool, tuple[str, ...], bool], list[str]] = {}
    for check_id in in_question(context, only):
        rows = tuple(each.name for each in ahead if check_id in each.checks)
        grouped.setdefault((check_id in decides, rows, check_id in beyond), []).append(check_id)
    seconds = {each.name: each.seconds for each in ahead}
    return tuple(
        Cost(tuple(checks), decided, rows, sum(seconds[name] for name in rows), more)
        for (decided, rows, more), checks in grouped.items()
    )


def _not_planned(case: Case, context: Context) -> frozenset[str]:
    """The checks that further runs are made for: of whole programs, after the replay of the log, or in this process."""
    found = set()
    if case.settings.controller is not None:
        found |= {name for name, known in definitions().items() if known.runs and known.card.of_controllers}
    if state_stateless.counts(context.claims, context.policy, context.procedure):
        found.add(state_stateless.CARD.id)
    if independence.claimed(context):
        found.add(independence.CARD.id)
    if case.settings.claims.data_deletion is not None and not isinstance(case.settings.procedure, NoisyGd):
        found |= set(deletion.IDS)
    if isinstance(case.settings.procedure, NoisyGd):
        found.add("epsilon.consistency")
    return frozenset(found)
