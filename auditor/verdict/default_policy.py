"""The default policy, and what a declared one asks for less than it.

The default is `[policy]` empty and `[swap]` left at its defaults. A verdict is worth what its policy asks: so the same
observations are judged again by the default, and both verdicts stand side by side. Where the SWAP game was played smaller than by
default, the default's game did not run, and what the smaller one found counts only where it fails.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import date
from typing import Final

from auditor.base.deletion_log.deadlines import answers_recorded, dated, due, records_answer
from auditor.base.deletion_log.requests import RequestOutcome
from auditor.document.conclusions import Weakening
from auditor.settings.controller import GAMES
from auditor.settings.tables import InferenceTable, Policy, SwapTable
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.deleting import limit

POLICY: Final = Policy()
SWAP: Final = SwapTable()
INFERENCE: Final = InferenceTable()


def under_default(context: Context) -> Context:
    """The same declarations under the default policy, with deadlines as the law sets them.

    Sizes of the game stay as they were played; see `smaller_game`.

    Args:
        context: What was declared.
    """
    closing, holidays = context.audit.started_at.date(), context.holidays
    recorded = answers_recorded(context.requests)
    requests = tuple(_by_law(each, closing, holidays, informs=records_answer(each, recorded)) for each in context.requests)
    overdue = tuple(each.request_id for each in requests if each.overdue)
    return replace(
        context,
        policy=POLICY,
        swap=context.swap.model_copy(update={"confidence": SWAP.confidence}),
        requests=requests,
        log=context.log.model_copy(update={"overdue": overdue}),
    )


def smaller_game(context: Context) -> bool:
    """Whether the game was played with fewer pairs, models, records to forget or attacks than by default."""
    return any(_sizes(context))


def weakenings(context: Context, *, played: bool, answered: bool = False) -> tuple[Weakening, ...]:
    """Every setting that asks for less than its default.

    Upper limits such as max_epsilon have no default: where they are silent the claim is the threshold, so that a limit never asks
    for less than none does; one that promises nothing leaves its criterion inconclusive.

    Args:
        context: What was declared.
        played: Whether the SWAP game has a say: where it does not apply, its sizes weaken nothing.
        answered: Whether the attack on answers alone has a say, which takes confidence and quality from the same settings.
    """
    found: list[Weakening] = []
    days = context.policy.deadline_days
    if days is not None and any(due(each, None, context.holidays).on < due(each, days).on for each in context.requests):
        found.append(Weakening(key="policy.deadline_days", declared=days, default=None))
    if limit(context, "inference") is not None and context.inference.confidence < INFERENCE.confidence:
        declared = context.inference.confidence
        found.append(Weakening(key="inference.confidence", declared=declared, default=INFERENCE.confidence))
    whole = context.controller
    if whole is not None and whole.games < GAMES:
        found.append(Weakening(key="controller.games", declared=whole.games, default=GAMES))
    if (played or answered) and context.policy.min_quality < POLICY.min_quality:
        found.append(Weakening(key="policy.min_quality", declared=context.policy.min_quality, default=POLICY.min_quality))
    if played:
        found += _sizes(context)
    if (played or answered) and context.swap.confidence < SWAP.confidence:
        found.append(Weakening(key="swap.confidence", declared=context.swap.confidence, default=SWAP.confidence))
    return tuple(found)


def _sizes(context: Context) -> Iterator[Weakening]:
    swap = context.swap
    for key, declared, default in (
        ("swap.pairs", swap.pairs, SWAP.pairs),
        ("swap.models", swap.models, SWAP.models),
        ("swap.alpha", swap.alpha, SWAP.alpha),
    ):
        if declared < default:
            yield Weakening(key=key, declared=declared, default=default)
    if swap.attacks is None:
        return
    from auditor.attacks import attacks, foreign  # noqa: PLC0415 - a letter, and who names none, have no use for attacks

    if attacks(context.version).keys() - foreign() - set(swap.attacks):
        yield Weakening(key="swap.attacks", declared=swap.attacks, default=None)


def _by_law(request: RequestOutcome, closing: date, holidays: Collection[date], *, informs: bool) -> RequestOutcome:
    """A request as it is due without the policy's word; a clock that declared it overdue under a stricter date has no say."""
    if due(request, None, holidays).on == request.due_on:
        return request
    return dated(replace(request, overdue=False), deadline_days=None, closing=closing, informs=informs, holidays=holidays)
