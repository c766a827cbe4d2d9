"""`release.remembers`: whether attacks tell the very release from models that were retrained without the deleted records.

The release takes its place among models that learned without the deleted records and were released in the same way. Attacks score
all of them on the deleted records, on copies that are moved a little, request by request and together. What the release shows
most counts, held against what each retrained model shows most: one p-value, whatever the number of scores.

Two stages. The first asks K retrained models, and accuses nobody: a p of at most .05, which one honest release in twenty has,
calls for a second one with 199 further models, of seeds that the first never had. Only its p accuses, at .01, and the level is
that of the second stage alone. It is not the product .05 · .01: both stages rank the same release, so their p-values depend on
each other. An honest release that happens to lie high among all retrained models lies high in both pools; given that p₁ ≤ .05 the
chance of p₂ ≤ .01 may be anything up to .2, the case in which every release with p₂ ≤ .01 also has p₁ ≤ .05. What holds whatever
the dependence is

    P(p₁ ≤ .05 and p₂ ≤ .01) ≤ P(p₂ ≤ .01) ≤ .01

since release and second models are exchangeable by themselves: fresh seeds, and neither which models were first nor what these
showed enters a score of the second stage. Within a stage the largest of all scores is ranked, which spends its level once.

observed   what the run saw;  telling: what the scores come to
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pydantic import Field

from auditor.base.domain import Message, Status
from auditor.document.evidence import Evidence
from auditor.maths.statistics.exact import clopper_pearson
from auditor.maths.statistics.pool import HALF
from auditor.parts.release.cards import RELEASE_REMEMBERS
from auditor.parts.release.judging.release_remembers.observed import Kind, NoSecond, Observed, Part, Scored
from auditor.parts.release.judging.release_remembers.telling import (
    MARGIN,
    Rule,
    Table,
    Told,
    left_over,
    noticed,
    rank,
    specifically,
    table_of,
    tell,
    untold,
)
from auditor.verdict.checks import stated
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, Values, inconclusive
from auditor.verdict.checks.levels import Level, share, spent
from auditor.verdict.checks.stated import known_rows

CARD: Final = RELEASE_REMEMBERS

__all__ = ["CARD", "CHECK", "Derived", "NoSecond", "Observed", "Scored", "applies", "blind", "calls_for_second", "judge"]

LEAST_MODELS: Final = 39
"""With fewer retrained models no p is as small as one in twenty without being the smallest of all."""
LEVEL: Final = 0.05
"""The level of a first stage: p at or below it calls for a second, and p above it passes, in whichever stage is the last."""
SECOND_MODELS: Final = 199
"""Retrained models of a second stage: two of 200 are the share at which it accuses."""
ACCUSES: Final = share("remembers")
"""The level of a second stage, at which it accuses."""
LEAST_HELD_OUT: Final = 5
"""Models that hold the records, on which it is tried what the attacks can tell."""


class First(Values):
    """What a first stage came to that a second one followed."""

    rule: Rule
    models: int
    """Retrained models, K."""
    value: float
    """p, or the share."""
    specific: float | None
    told: int
    tried: tuple[float, ...]


def _absent(value: object) -> bool:
    """Whether there was no second stage that it would be about: documents of one stage leave it out."""
    return value is None


class Derived(Values):
    """What the scores come to: those of the second stage where there was one."""

    rule: Rule
    models: int
    """Retrained models, K."""
    margin: float
    """τ."""
    specific: float | None
    """p or share by the scores alone that hold deleted records against unseen ones; None where there is none of these."""
    left_over: float | None
    """The share that the release shows, on all records together, of what models show that hold them: the middle of all ways, each
    as it tells."""
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
    p: float | None = Field(default=None, exclude_if=_absent)
    """Of the second stage, whatever it goes by: what accuses."""
    first: First | None = Field(default=None, exclude_if=_absent)
    """The first stage, where a second one followed."""


@dataclass(frozen=True, slots=True, eq=False)
class _Stage:
    """One stage, and what it comes to."""

    scored: Scored
    table: Table
    told: Told
    p: float | None
    """By ranks, of a second stage; None of a first, which accuses nobody."""

    @property
    def specific(self) -> float | None:
        return specifically(self.scored, self.table, rule=self.told.rule)

    @property
    def accuses(self) -> bool:
        """Whether the release is recognised at the level of a second stage, by its rank and, where that counts, by its share."""
        told = self.told
        return self.p is not None and self.p <= ACCUSES and (told.rule == "ranks" or _tells(told.rule, told.value, ACCUSES))


def applies(context: Context, earlier: Earlier) -> Message | None:
    """It is asked of whatever is not known to be what training without the deleted records gives."""
    if not context.log.batches:
        return Message("release.remembers.no-batch")
    if earlier["release.exact"].status is Status.PASS:
        return Message("release.remembers.exact")
    return None


def calls_for_second(observed: Observed, *, quick: bool) -> bool:
    """Say whether a second stage has to follow, from what the first one showed.

    It does where the first rejects the release. It also does where the release shows more than half of what models show that hold
    the records, and it is open on which side of the level its p lies: the exact interval of the share of retrained models that
    show as much holds the level. Whatever calls for it, the level of the second stage is its own.

    Args:
        observed: Of the first stage; what it says of a second one does not count.
        quick: Whether the run is one that decides nothing.
    """
    if observed.untried is not None or quick or len(observed.retrained) < LEAST_MODELS:
        return False
    first = _first(observed)
    return _called_for(observed, first.table, first.told)


def _called_for(observed: Observed, table: Table, told: Told) -> bool:
    if _tells(told.rule, told.value, LEVEL):
        return True
    left = left_over(observed, table)
    if told.rule != "ranks" or told.value is None or left is None or left <= HALF:
        return False
    models = len(observed.retrained)
    as_much = round(told.value * (models + 1)) - 1
    return clopper_pearson(as_much, models, confidence=1 - LEVEL).low <= LEVEL


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Rank the release among retrained models, and say whether one that holds the records would have been detected."""
    if observed.untried is not None:
        return inconclusive(Message("release.remembers.untried", {"why": observed.untried}))
    first = _first(observed)
    wanted = calls_for_second(observed, quick=context.quick)
    last = _second(observed.second) if wanted else None
    decisive = last or first
    derived = _derived(decisive, first if last is not None else None)
    value, rule = decisive.told.value, decisive.told.rule
    return Finding(
        status=_status(context, observed, derived, decisive, lacking=wanted and last is None),
        value=value,
        threshold=MARGIN if rule == "share" else LEVEL if last is None else ACCUSES,
        reasons=tuple(_reasons(context, observed, derived, (first, last), lacking=wanted and last is None)),
        derived=derived,
    )


# What an audit rests on is found by judging the same scores under one attestation after another, which change none of these.


@lru_cache(maxsize=4)
def _first(observed: Observed) -> _Stage:
    table = table_of(observed)
    return _Stage(observed, table, tell(table, level=LEVEL), None)


@lru_cache(maxsize=4)
def _second(scored: Scored | None) -> _Stage | None:
    """The second stage; None where there was none, or one of too few models to accuse at its level."""
    if scored is None or len(scored.retrained) < SECOND_MODELS:
        return None
    table = table_of(scored)
    return _Stage(scored, table, tell(table, level=LEVEL), rank(table))


@lru_cache(maxsize=4)
def _derived(stage: _Stage, first: _Stage | None) -> Derived:
    scored, table, told = stage.scored, stage.table, stage.told
    groups = len(scored.groups)
    return Derived(
        rule=told.rule,
        models=len(scored.retrained),
        margin=MARGIN,
        specific=stage.specific,
        left_over=left_over(scored, table),
        noticed=noticed(table, level=LEVEL, rule=told.rule, least=LEAST_HELD_OUT),
        told=told.told,
        tried=told.held_out,
        kind=scored.kinds[told.column // groups],
        part=scored.groups[told.column % groups].part,
        not_singly=untold(scored, table, level=LEVEL, rule=told.rule),
        p=stage.p,
        first=None
        if first is None or first.told.value is None
        else First(
            rule=first.told.rule,
            models=len(first.scored.retrained),
            value=first.told.value,
            specific=first.specific,
            told=first.told.told,
            tried=first.told.held_out,
        ),
    )


def blind(finding: Finding) -> bool:
    """Whether a whole run of it stays open for the cause that models which hold the records are not detected either.

    A release that is distinguished from retrained models stays open, and decides, whatever else is not detected.
    """
    derived = finding.derived
    if finding.status is not Status.INCONCLUSIVE or not isinstance(derived, Derived):
        return False
    if rejected(derived, finding.value):
        return False
    return derived.models >= LEAST_MODELS and LEAST_HELD_OUT <= len(derived.tried) > derived.told


def rejected(derived: Derived, value: float | None) -> bool:
    """Say whether the last stage tells the release from retrained models at one in twenty, whatever that comes to."""
    return _tells(derived.rule, value, LEVEL) or (derived.p is not None and derived.p <= LEVEL)


def levels(context: Context, observed: Observed, _finding: Finding) -> tuple[Level, ...]:
    """Declare its levels, apart from those of all other checks: that of the second stage, and of a first that none can follow.

    An honest release stays open for a rejection only where its last stage has p ≤ .05, which is .05 either way.
    """
    if observed.untried is not None or context.quick or len(observed.retrained) < LEAST_MODELS:
        return ()
    first = spent("remembers-first")
    return (first,) if observed.no_second is not None else (spent("remembers"), first)


def _status(context: Context, observed: Observed, derived: Derived, stage: _Stage, *, lacking: bool) -> Status:
    value = stage.told.value
    if value is None or context.quick or derived.models < LEAST_MODELS or lacking:
        return Status.INCONCLUSIVE
    if stage.accuses:
        general = observed.unseen is not None and not _specific(derived)
        # A rejection says that the release differs; that it does by what it holds, only models that hold the records can show.
        return Status.FAIL if _has_power(derived) and not general else Status.INCONCLUSIVE
    close = value > MARGIN if derived.rule == "share" else value <= LEVEL
    if close or _half_left(derived) or observed.unseen is None or not _has_power(derived):
        return Status.INCONCLUSIVE
    return Status.PASS


def _tells(rule: Rule, value: float | None, level: float) -> bool:
    if value is None:
        return False
    return value <= level if rule == "ranks" else value > HALF


def _specific(derived: Derived) -> bool:
    """Whether the release stands out on deleted records more than it does on unseen ones, at the level of its stage."""
    return _tells(derived.rule, derived.specific, LEVEL if derived.p is None else ACCUSES)


def _half_left(derived: Derived) -> bool:
    """Whether the release shows more than half of what models show that hold the records, detected or not."""
    return derived.left_over is not None and derived.left_over > HALF


def _has_power(derived: Derived) -> bool:
    return derived.told == len(derived.tried) >= LEAST_HELD_OUT


def _reasons(
    context: Context, observed: Observed, derived: Derived, stages: tuple[_Stage, _Stage | None], *, lacking: bool
) -> Iterator[Message]:
    first, second = stages
    yield Message(
        "release.remembers.pool",
        {
            "source": observed.source,
            "models": len(observed.retrained),
            "asked": observed.asked,
            "deleted": observed.deleted,
            "scores": len(observed.release),
        },
    )
    value, models = first.told.value, len(observed.retrained)
    if value is None:
        yield Message("release.remembers.nothing-tells")
    elif first.told.rule == "ranks":
        yield Message("release.remembers.ranked", {"p": value, "models": models, "margin": derived.margin})
    else:
        yield Message("release.remembers.share", {"share": value, "distinct": observed.distinct, "models": models})
    if second is not None:
        yield from _about_second(derived, second)
    elif lacking:
        yield _without_second(observed)
    if value is not None:
        yield Message("release.remembers.most", {**derived.kind.model_dump(), "part": derived.part})
    told = second.accuses if second is not None else _tells(derived.rule, value, LEVEL)
    if observed.unseen is not None and told and not _specific(derived):
        yield Message("release.remembers.in-general", {"value": derived.specific, "rule": derived.rule})
    power = "release.remembers.power" if _has_power(derived) else "release.remembers.no-power"
    yield Message(power, {"told": derived.told, "of": len(derived.tried)})
    yield from _about_limits(context, observed, derived)
    yield from _about_requests(observed, derived)


def _about_second(derived: Derived, second: _Stage) -> Iterator[Message]:
    """What a second stage came to: it accuses, it leaves open, or it clears."""
    told = second.told
    yield Message(
        "release.remembers.second",
        {
            "models": derived.models,
            "p": derived.p,
            "share": told.value if told.rule == "share" else None,
            "level": ACCUSES,
            "found": "accuses" if second.accuses else "open" if rejected(derived, told.value) else "clears",
        },
    )


def _without_second(observed: Observed) -> Message:
    """Why there was no second stage, and what one takes."""
    known = observed.no_second
    had = 0 if observed.second is None else len(observed.second.retrained)
    return Message(
        "release.remembers.no-second",
        {
            "models": SECOND_MODELS,
            "level": ACCUSES,
            "why": known.why if known is not None else "too-few" if had else "none",
            "seconds": None if known is None else known.seconds,
            "most": None if known is None else known.most,
        },
    )


def _about_limits(context: Context, observed: Observed, derived: Derived) -> Iterator[Message]:
    if _half_left(derived):
        yield Message("release.remembers.half-left", {"share": derived.left_over})
    if context.quick:
        yield Message("release.remembers.quick")
    elif derived.models < LEAST_MODELS:
        yield Message("release.remembers.few-models", {"models": derived.models, "least": LEAST_MODELS})
    yield from known_rows(context)
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


def contradictions(evidence: Evidence, seen: Observed, _others: Mapping[str, Values]) -> Iterator[str]:
    """Compare what was asked with the records, requests, model file and holdout that the document states."""
    if seen.untried is not None:
        return
    case, unseen = evidence.case, seen.unseen_records
    yield from stated.removed(evidence, seen.deleted)
    yield from stated.executed(evidence, (name for group in seen.groups for name in group.requests))
    if seen.source == "file" and case.model is None:
        yield "source is file, and the case has no model file"
    if seen.unseen == "holdout" and unseen > (case.holdout_records or 0):
        yield f"unseen records of the holdout are {unseen}, it has {case.holdout_records or 0}"
    if seen.unseen == "retained" and case.holdout_records:
        yield f"unseen records were drawn from the retained ones, and the holdout has {case.holdout_records}"


CHECK: Final = Definition(
    CARD,
    Observed,
    judge,
    applies,
    replays=True,
    wanted=lambda context: context.log.batches > 0,
    blind=blind,
    derived=(Derived,),
    contradictions=contradictions,
    levels=levels,
)
