"""What the single run of a case can refute at best, from what is declared alone: nothing is run for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from auditor.audit.auditing import Options, declare
from auditor.audit.describing import stamp
from auditor.audit.devices import on_cpu
from auditor.audit.rehearsal.ahead import in_question
from auditor.case import Case
from auditor.parts.swap.judging import epsilon_consistency, quality
from auditor.parts.swap.judging.epsilon_consistency.one_run import Foretold, foretell
from auditor.sandbox import Level

_RESTING: Final = frozenset({quality.CARD.id, epsilon_consistency.CARD.id})


def refutable(case: Case, only: tuple[str, ...] | None) -> Foretold | None:
    """Say what the single run of a case can refute; None where no such run is asked for.

    Args:
        case: The case.
        only: Ids of the checks that an audit would run; None for all.
    """
    if case.settings.swap.mode != "one-run":
        return None
    # Neither level nor device bears on what can be refuted, so that no barrier is tried for it.
    nowhere = replace(on_cpu(), probes=())
    context = declare(case, Options(only=only), Level.NONE, nowhere, stamp()).context
    plays = context.classifies and not _RESTING.isdisjoint(in_question(context, only))
    return foretell(context) if plays else None
