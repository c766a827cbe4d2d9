"""`release.remembers`: whether attacks tell the very release from models that were retrained without the deleted records.

The release takes its place among models that learned without the deleted records and were released in the same way. Attacks score
all of them on the deleted records, on copies that are moved a little, request by request and together. What the release shows
most counts, held against what each retrained model shows most: one p-value, whatever the number of scores.

observed   what the run saw;  telling: what the scores come to
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from auditor.base.domain import Message, Status
from auditor.maths.statistics.pool import HALF
from auditor.parts.release.judging.release_remembers.observed import Kind, Observed, Part
from auditor.parts.release.judging.release_remembers.telling import (
    MARGIN,
    Rule,
    Table,
    left_over,
    noticed,
    specifically,
    table_of,
    tell,
    untold,
)
from auditor.verdict.checks.card import Card, LetterWords, Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, Values, inconclusive
from auditor.verdict.checks.levels import Level, spent

__all__ = ["CARD", "CHECK", "Derived", "Observed", "applies", "blind", "judge"]

LEAST_MODELS: Final = 39
"""With fewer retrained models no p is as small as one in twenty without being the smallest of all."""
LEVEL: Final = 0.05
"""The level at which models that hold the records are detected, and above which p passes, whatever the policy's confidence."""
LEAST_HELD_OUT: Final = 5
"""Models that hold the records, on which it is tried what the attacks can tell."""

CARD = Card(
    id="release.remembers",
    place=46,
    since="0.2.0",
    roles=frozenset({Role.ATTACKS_RELEASE, Role.RECOGNISES, Role.CLEARS, Role.EXAMINES_FILE}),
    judges_unlearning=True,
    required_when_run=True,
    title="The release under attack among retrained models",
    question="Can attacks tell the release from models that were retrained without the deleted records?",
    unit="p of the largest score among retrained models; for learners without a seed the share that is left",
    failure="On the deleted records the release looks like a model that still holds them, not like one retrained without them.",
    remedy="Find the batch or the part of the model that was not unlearned, and retrain it without the deleted records.",
    direction="either way",
    needs=("release.exact",),
    open_question="whether attacks on the release find what it learned from deleted records",
    letter=LetterWords(
        question="Does the released model answer on the erased records like one that never learned from them?",
        open_question="whether the released model still shows what it learned from the erased records",
    ),
    unsteady="retrained models are drawn",
    glossary=("membership-inference", "shadow-model"),
)


class Derived(Values):
    """What the scores come to."""

    rule: Rule
    models: int
    """Retrained models, K."""
    margin: float
    """τ."""
    specific: float | None
    """p or share by the scores alone that hold deleted records against unseen ones; None where there is none of these."""
    left_over: float | None
    """The share that the release shows, on all records together, of what models show that hold them: the middle of all ways."""
    noticed: float | None
    """The least share of what models that hold the records show at which four in five are detected; None if none is."""
    told: int
    """Of the models that hold the records and that nothing was set by, how many are detected."""
    tried: tuple[float, ...]
    """Their p or share."""
    kind: Kind
    """How the release was asked where it shows most."""
    part: Part
    not_singly: tuple[tuple[str, ...], ...]
    """Requests that could not have been detected singly, those that were asked about together as one."""


def applies(context: Context, earlier: Earlier) -> Message | None:
    """It is asked of whatever is not known to be what training without the deleted records gives."""
    if not context.log.batches:
        return Message("release.remembers.no-batch")
    if earlier["release.exact"].status is Status.PASS:
        return Message("release.remembers.exact")
    return None


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Rank the release among retrained models, and say whether one that holds the records would have been detected."""
    if observed.untried is not None:
        return inconclusive(Message("release.remembers.untried", {"why": observed.untried}))
    table, level = table_of(observed), 1 - context.swap.confidence
    found = tell(table, level=LEVEL)
    groups = len(observed.groups)
    derived = Derived(
        rule=found.rule,
        models=len(observed.retrained),
        margin=MARGIN,
        specific=specifically(observed, table, rule=found.rule),
        left_over=left_over(observed, table),
        noticed=noticed(table, level=LEVEL, rule=found.rule, least=LEAST_HELD_OUT),
        told=found.told,
        tried=found.held_out,
        kind=observed.kinds[found.column // groups],
        part=observed.groups[found.column % groups].part,
        not_singly=untold(observed, table, level=LEVEL, rule=found.rule),
    )
    threshold = level if found.rule == "ranks" else MARGIN
    status = _status(context, observed, derived, found.value, level)
    return Finding(
        status=status,
        value=found.value,
        threshold=threshold,
        reasons=tuple(_reasons(context, observed, table, derived, found.value, level)),
        derived=derived,
    )


def blind(finding: Finding) -> bool:
    """Whether a whole run of it stays open for the cause that models which hold the records are not detected either."""
    derived = finding.derived
    if finding.status is not Status.INCONCLUSIVE or not isinstance(derived, Derived):
        return False
    if _tells(derived.rule, finding.value, LEVEL):
        return False
    return derived.models >= LEAST_MODELS and LEAST_HELD_OUT <= len(derived.tried) > derived.told


def _status(context: Context, observed: Observed, derived: Derived, value: float | None, level: float) -> Status:
    if value is None or context.quick or derived.models < LEAST_MODELS:
        return Status.INCONCLUSIVE
    if _tells(derived.rule, value, level):
        general = observed.unseen is not None and not _specific(derived, level)
        return Status.INCONCLUSIVE if general else Status.FAIL
    close = value > MARGIN if derived.rule == "share" else value <= LEVEL
    if close or _half_left(derived) or observed.unseen is None or not _has_power(derived):
        return Status.INCONCLUSIVE
    return Status.PASS


def _tells(rule: Rule, value: float | None, level: float) -> bool:
    if value is None:
        return False
    return value <= level if rule == "ranks" else value > HALF


def _specific(derived: Derived, level: float) -> bool:
    """Whether the release stands out on deleted records more than it does on unseen ones."""
    return _tells(derived.rule, derived.specific, level)


def _half_left(derived: Derived) -> bool:
    """Whether the release shows more than half of what models show that hold the records, detected or not."""
    return derived.left_over is not None and derived.left_over > HALF


def _has_power(derived: Derived) -> bool:
    return derived.told == len(derived.tried) >= LEAST_HELD_OUT


def _reasons(
    context: Context, observed: Observed, table: Table, derived: Derived, value: float | None, level: float
) -> Iterator[Message]:
    yield Message(
        "release.remembers.pool",
        {
            "source": observed.source,
            "models": derived.models,
            "asked": observed.asked,
            "deleted": observed.deleted,
            "scores": len(observed.release),
        },
    )
    if value is None:
        yield Message("release.remembers.nothing-tells")
    elif derived.rule == "ranks":
        yield Message("release.remembers.ranked", {"p": value, "models": derived.models, "margin": derived.margin})
    else:
        yield Message("release.remembers.share", {"share": value, "distinct": observed.distinct, "models": derived.models})
    if value is not None:
        yield Message("release.remembers.most", {**derived.kind.model_dump(), "part": derived.part})
    if observed.unseen is not None and _tells(derived.rule, value, level) and not _specific(derived, level):
        yield Message("release.remembers.in-general", {"value": derived.specific, "rule": derived.rule})
    power = "release.remembers.power" if _has_power(derived) else "release.remembers.no-power"
    yield Message(power, {"told": derived.told, "of": len(table.held_out)})
    yield from _about_limits(context, observed, derived)
    yield from _about_requests(observed, derived)


def _about_limits(context: Context, observed: Observed, derived: Derived) -> Iterator[Message]:
    if _half_left(derived):
        yield Message("release.remembers.half-left", {"share": derived.left_over})
    if context.quick:
        yield Message("release.remembers.quick")
    elif derived.models < LEAST_MODELS:
        yield Message("release.remembers.few-models", {"models": derived.models, "least": LEAST_MODELS})
    if observed.unseen is None:
        yield Message("release.remembers.no-unseen")
    elif observed.unseen == "retained":
        yield Message("release.remembers.unseen-drawn", {"records": observed.unseen_records})
    if observed.left_out:
        yield Message("release.remembers.left-out", {"neighbourhoods": list(observed.left_out)})


def _about_requests(observed: Observed, derived: Derived) -> Iterator[Message]:
    groups = [each for each in observed.groups if each.part == "requests"]
    requests = sum(len(each.requests) for each in groups)
    if len(groups) < requests:
        yield Message("release.remembers.bundled", {"requests": requests, "groups": len(groups)})
    if derived.not_singly and _has_power(derived):
        count = sum(map(len, derived.not_singly))
        yield Message("release.remembers.not-singly", {"count": count, "of": requests})


def levels(context: Context, observed: Observed, finding: Finding) -> tuple[Level, ...]:
    """Declare the test of ranks, which is exact for a release that is made as its shadow models are."""
    able = observed.untried is None and not context.quick and finding.value is not None
    return (spent("remembers", 1 - context.swap.confidence),) if able else ()


CHECK: Final = Definition(
    CARD,
    Observed,
    judge,
    applies,
    replays=True,
    wanted=lambda context: context.log.batches > 0,
    blind=blind,
    derived=(Derived,),
    levels=levels,
)
