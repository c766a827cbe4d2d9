"""`answers.membership` and `answers.inference`: what tables of answers show, where no model can be trained again.

The tables are the controller's own: whether they are what the released model answers, nothing here examines. So these checks may
refute, and a pass of theirs rests on the word `answers-genuine`.

A rule accepts a record as trained on where its score lies above the median of the scores of one half of the holdout. What it
accepts of the deleted records is held against what it accepts of the other half, and the difference is the advantage; its
interval is exact (Clopper and Pearson for each share). Scores are the logarithm of the probability of the record's own label, as
it is, and less what a retrained model gives for it, which says how hard the record is. The same rule is tried on records that a
model holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from auditor.base.domain import Interval, Message, Status
from auditor.document.evidence import Evidence
from auditor.maths.statistics import clopper_pearson, larger_share_p
from auditor.maths.statistics.exact import difference_down, difference_up
from auditor.parts.usefulness.cards import ANSWERS_INFERENCE, ANSWERS_MEMBERSHIP
from auditor.settings.tables import SwapTable
from auditor.verdict.checks import stated
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.deleting import limit
from auditor.verdict.checks.finding import Earlier, Finding, Values, inconclusive
from auditor.verdict.checks.levels import Level, pass_needs, share, spent
from auditor.verdict.checks.stated import Count

MEMBERSHIP: Final = ANSWERS_MEMBERSHIP
INFERENCE: Final = ANSWERS_INFERENCE

LEAST: Final = 5
"""With fewer deleted records, or fewer of either half of the holdout, nothing is counted."""
QUANTILE: Final = 0.5
"""Of the scores of one half of the holdout, above which a record is accepted."""

FAILS: Final = "answers"
"""The share of the level at which answers about deleted records fail a model."""
COPIED: Final = "answers-copied"
"""That at which more deleted records than others have the very answer of another record, which keeps from passing."""
TOLD: Final = "answers-inference"
"""That at which couples that are told apart fail."""

Score: TypeAlias = Literal["confidence", "difference"]


class Accepted(Values):
    """How many records a rule takes for trained on, of each kind."""

    deleted: Count
    unseen: Count
    """Of the half of the holdout that the rule was not fitted on."""
    known: Count
    """Of records that the model holds which the rule is tried on."""
    asked_known: Count
    """How many those are; 0 where there are none to try it on."""


class MembershipObserved(Values):
    """What each score's rule accepts."""

    deleted: Count
    unseen: Count
    accepted: dict[Score, Accepted] = Field(default_factory=dict)
    """Empty where there were too few records."""
    copied: Count = 0
    """Deleted records whose answer is, to the bit, that of another record."""
    others: Count = 0
    """All other records that there is an answer about."""
    copied_others: Count = 0
    """Of those, the ones whose answer is that of another of them."""
    as_before: bool = False
    """Whether every answer is that of the model before the deletions, bit for bit."""
    as_retrained: bool = False
    """Whether every answer is that of the retrained model, bit for bit."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        for each in self.accepted.values():
            if each.deleted > self.deleted or each.unseen > self.unseen or each.known > each.asked_known:
                raise ValueError("no more records are accepted than there are")
        if self.copied > self.deleted or self.copied_others > self.others:
            raise ValueError("no more answers are copied than there are")
        return self


class OfScore(Values):
    """What one score found."""

    advantage: float
    interval: tuple[float, float]
    control: tuple[float, float] | None
    """The interval of the same advantage on records that a model holds; None where there are none."""


class MembershipDerived(Values):
    """Advantages, each with its interval."""

    confidence: float
    scores: dict[str, OfScore]


class InferenceObserved(Values):
    """Couples of a deleted and a retained record, drawn beforehand."""

    couples: Count
    """0 where there are no answers from before."""
    right: Count = 0
    """Those in which the answer about the deleted record fell more; a tie counts for nobody."""
    ties: Count = 0

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if self.right + self.ties > self.couples:
            raise ValueError("no more couples are told apart than there are")
        return self


def judge_membership(context: Context, observed: MembershipObserved, _earlier: Earlier) -> Finding:
    """Hold 1 - |advantage| of the score that found most against the policy; each rule is tried on records that a model holds."""
    if observed.as_before and observed.deleted:
        return Finding(Status.FAIL, value=0.0, threshold=context.policy.min_quality, reasons=(Message("answers.as-before"),))
    if not observed.accepted:
        return inconclusive(Message("answers.few", {"deleted": observed.deleted, "unseen": observed.unseen, "least": LEAST}))
    confidence, threshold = min(context.swap.confidence, SwapTable().confidence), context.policy.min_quality
    each = 1 - (1 - confidence) / len(observed.accepted)
    found = {name: _of_score(observed, accepted, confidence=each) for name, accepted in observed.accepted.items()}
    worst = max(found.values(), key=lambda score: abs(score.advantage))
    tolerated = 1 - threshold
    copied = _is_copied(observed)
    beyond = "difference" in found and found["difference"].interval[0] > tolerated
    certain = beyond and _certain(observed, tolerated)
    seeing = all(score.control is not None and score.control[0] > tolerated for score in found.values())
    within = all(max(map(abs, score.interval)) <= tolerated for score in found.values())
    status = Status.FAIL if certain else Status.PASS if within and seeing and not copied else Status.INCONCLUSIVE
    return Finding(
        status=Status.INCONCLUSIVE if context.quick else status,
        value=1 - abs(worst.advantage),
        interval=_quality(worst.interval),
        threshold=threshold,
        reasons=(
            *_said(observed, found),
            *stated.known_rows(context),
            *_copied(observed),
            *((Message("answers.not-certain"),) if beyond and not certain else ()),
            *_open(found, status, tolerated),
        ),
        derived=MembershipDerived(confidence=confidence, scores=dict(found.items())),
    )


def _certain(observed: MembershipObserved, tolerated: float) -> bool:
    """Whether the advantage by the difference is beyond what is tolerated at the level at which answers may fail a model."""
    accepted = observed.accepted["difference"]
    confidence = 1 - 2 * share(FAILS)
    return _difference(accepted.deleted, observed.deleted, accepted.unseen, observed.unseen, confidence=confidence)[0] > tolerated


def _of_score(observed: MembershipObserved, accepted: Accepted, *, confidence: float) -> OfScore:
    control = None
    if accepted.asked_known:
        control = _difference(accepted.known, accepted.asked_known, accepted.unseen, observed.unseen, confidence=confidence)
    return OfScore(
        advantage=accepted.deleted / observed.deleted - accepted.unseen / observed.unseen,
        interval=_difference(accepted.deleted, observed.deleted, accepted.unseen, observed.unseen, confidence=confidence),
        control=control,
    )


def _difference(first: int, of_first: int, second: int, of_second: int, *, confidence: float) -> tuple[float, float]:
    """The difference of two shares, rounded outward: each has its exact interval with half of the error."""
    each = 1 - (1 - confidence) / 2
    one, other = clopper_pearson(first, of_first, confidence=each), clopper_pearson(second, of_second, confidence=each)
    return difference_down(one.low, other.high), difference_up(one.high, other.low)


def _quality(ends: tuple[float, float]) -> Interval:
    largest, least = max(map(abs, ends)), 0.0 if ends[0] <= 0 <= ends[1] else min(map(abs, ends))
    return Interval(difference_down(1.0, largest), difference_up(1.0, least))


def _said(observed: MembershipObserved, found: dict[Score, OfScore]) -> Iterator[Message]:
    yield Message("answers.own")
    for name, score in found.items():
        accepted = observed.accepted[name]
        counts = {
            "deleted": accepted.deleted,
            "of_deleted": observed.deleted,
            "unseen": accepted.unseen,
            "of_unseen": observed.unseen,
        }
        yield Message(f"answers.{name}", {**counts, "low": score.interval[0], "high": score.interval[1]})
    if observed.as_retrained:
        yield Message("answers.as-retrained")


def _is_copied(observed: MembershipObserved) -> bool:
    """Whether more deleted records than others have the very answer of another record: it may have been put in its place.

    A model whose answers are few gives many records the same one, deleted or not.
    """
    if not observed.copied:
        return False
    return larger_share_p(observed.copied, observed.deleted, observed.copied_others, observed.others) <= share(COPIED)


def _copied(observed: MembershipObserved) -> Iterator[Message]:
    if _is_copied(observed):
        counts = {"copied": observed.copied, "deleted": observed.deleted}
        yield Message("answers.copied", {**counts, "others": observed.copied_others, "of": observed.others})


def _open(found: dict[Score, OfScore], status: Status, tolerated: float) -> Iterator[Message]:
    """Why nothing is decided."""
    if status is not Status.INCONCLUSIVE:
        return
    for name, score in found.items():
        if score.control is None:
            yield Message("answers.no-control", {"score": name})
        elif score.control[0] <= tolerated:
            yield Message("answers.blind", {"score": name})
    if "difference" not in found:
        yield Message("answers.not-retrained")
    if any(max(map(abs, score.interval)) > tolerated for score in found.values()):
        yield Message("answers.wide", {"tolerated": tolerated})


def judge_inference(context: Context, observed: InferenceObserved, _earlier: Earlier) -> Finding:
    """Hold the share of couples that are told apart against the policy; without its word it is informative."""
    if not observed.couples:
        return Finding(Status.SKIPPED, reasons=(Message("answers.no-before"),))
    confidence = min(context.inference.confidence, 0.95)
    told = observed.right + observed.ties / 2
    # A tie is half a guess: both ends allow for either.
    low = clopper_pearson(observed.right, observed.couples, confidence=confidence).low
    high = clopper_pearson(observed.right + observed.ties, observed.couples, confidence=confidence).high
    most = limit(context, "inference")
    status = Status.SKIPPED
    if most is not None:
        fails = clopper_pearson(observed.right, observed.couples, confidence=1 - 2 * share(TOLD)).low > most
        status = Status.PASS if high <= most else Status.FAIL if fails else Status.INCONCLUSIVE
    return Finding(
        status=status,
        value=told / observed.couples,
        interval=Interval(low, high),
        threshold=most,
        reasons=(
            Message("answers.couples", {"right": observed.right, "couples": observed.couples, "ties": observed.ties}),
            *(() if most is not None else (Message("swap.strong.informative"),)),
        ),
    )


def membership_levels(context: Context, observed: MembershipObserved, _finding: Finding) -> tuple[Level, ...]:
    """Declare the exact tests of shares and of copied answers, and the risk of the limits that a pass needs."""
    if context.quick or not observed.accepted or (observed.as_before and observed.deleted):
        return ()
    all_told = MembershipObserved(
        deleted=observed.deleted,
        unseen=observed.unseen,
        accepted={"difference": Accepted(deleted=observed.deleted, unseen=0, known=0, asked_known=0)},
    )
    able = "difference" in observed.accepted and _certain(all_told, 1 - context.policy.min_quality)
    found = [spent(test) for test, applies in ((FAILS, able), (COPIED, observed.copied > 0)) if applies]
    return (*found, pass_needs("answers-limit", (1 - min(context.swap.confidence, SwapTable().confidence)) / 2))


def inference_levels(context: Context, observed: InferenceObserved, finding: Finding) -> tuple[Level, ...]:
    """Declare the exact test of couples told apart, and the risk of the limit that a pass needs."""
    if finding.status is Status.SKIPPED or finding.threshold is None:
        return ()
    able = clopper_pearson(observed.couples, observed.couples, confidence=1 - 2 * share(TOLD)).low > finding.threshold
    risk = (1 - min(context.inference.confidence, SwapTable().confidence)) / 2
    return (*((spent(TOLD),) if able else ()), pass_needs("answers-inference-limit", risk))


def _asked(context: Context) -> bool:
    return not context.procedure.reruns


def _contradictions(evidence: Evidence, seen: MembershipObserved, _others: Mapping[str, Values]) -> Iterator[str]:
    """Compare what was observed with the case, the log and itself."""
    yield from stated.removed(evidence, seen.deleted)
    holdout = evidence.case.holdout_records or 0
    # One half of the holdout fits the rule, the other tries it.
    if seen.unseen != holdout - holdout // 2:
        yield f"{seen.unseen} unseen records were compared, half of the holdout has {holdout - holdout // 2}"
    most = evidence.case.records_left + holdout
    if seen.others > most:
        yield f"{seen.others} other records have an answer, there are {most} at most"


CHECKS: Final = (
    Definition(
        MEMBERSHIP,
        MembershipObserved,
        judge_membership,
        wanted=_asked,
        derived=(MembershipDerived,),
        contradictions=_contradictions,
        levels=membership_levels,
    ),
    Definition(INFERENCE, InferenceObserved, judge_inference, derived=(), levels=inference_levels),
)
