"""`model.reproduced`: whether the model about to be released is the one that the declared procedure yields."""

from __future__ import annotations

from typing import Final, Self

from pydantic import model_validator

from auditor.checks.card import Card, LetterWords
from auditor.checks.context import Context
from auditor.checks.definition import Definition
from auditor.checks.finding import Earlier, Finding, Values, inconclusive, skipped
from auditor.checks.quantities import Amount, Count
from auditor.decisions import decide_at_most
from auditor.domain import Fact, How, Reason, Status
from auditor.guarantees import fact

LARGEST_RELATIVE_TOLERANCE: Final = 1e-6
"""No tolerance may exceed this times the largest absolute parameter: neither chance nor a coarse optimiser excuses a model."""

CARD = Card(
    id="model.reproduced",
    place=40,
    required_when_run=True,
    title="Shipped model against the rerun",
    question="Is the model about to be released the one that the declared procedure yields?",
    unit="largest absolute difference of parameters",
    failure="The model file is not the model that the declared procedure yields on this log.",
    remedy="Do not release this model file: release what the procedure yields, or declare what was really run.",
    letter=LetterWords(
        question="Is the model about to be released the one that the declared erasure gives?",
        open_question="whether the model in use is the one that the declared erasure gives",
    ),
    own_threshold=True,
    unsteady="differences within the tolerance are the machine's",
)


class Observed(Values):
    """The shipped parameters beside those of the rerun."""

    parameters: Count | None
    """How many the rerun has; None where the procedure offers no parameters."""
    shipped_parameters: Count | None
    """How many the model file holds; None without one."""
    difference: Amount | None
    """Largest absolute difference, shipped against rerun; None where the numbers of parameters differ."""
    self_check_difference: Amount | None
    """The same between two reruns, after learning and the first batch."""
    largest: Amount
    """The largest absolute parameter of the rerun."""

    @model_validator(mode="after")
    def _comparable(self) -> Self:
        if self.difference is not None and self.parameters != self.shipped_parameters:
            raise ValueError("parameters of other number have no difference")
        return self


class Derived(Values):
    """What the differences say."""

    deterministic: bool
    """Whether two reruns agree within the tolerance."""
    bit_identical: bool
    tolerance_from: Reason
    """The argument that gives the tolerance."""


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Hold the difference between file and rerun against what two honest runs may differ by."""
    if observed.shipped_parameters is None:
        return skipped(Reason("model.reproduced.no-model"))
    if observed.parameters is None:
        return inconclusive(Reason("model.reproduced.no-parameters"))
    tolerance, origin = _tolerance(context, observed)
    between = observed.self_check_difference
    deterministic = between is not None and between <= tolerance
    status = decide_at_most(observed.difference, tolerance)
    counts = {"shipped": observed.shipped_parameters, "rerun": observed.parameters, "between_reruns": between}
    reasons = [Reason("model.reproduced.replayed", counts)]
    if observed.difference is None:
        status = Status.FAIL
        reasons.append(Reason("model.reproduced.other-shape"))
    elif not deterministic:
        status = Status.INCONCLUSIVE
        reasons.append(Reason("model.reproduced.not-deterministic"))
    return Finding(
        status=status,
        value=observed.difference,
        threshold=tolerance,
        reasons=tuple(reasons),
        derived=Derived(deterministic=deterministic, bit_identical=between == 0.0, tolerance_from=Reason(origin)),
        facts=_facts(status, observed.difference),
    )


def _tolerance(context: Context, observed: Observed) -> tuple[float, str]:
    """What two honest runs may differ by: what two did differ by, or what the procedure admits of itself."""
    largest = LARGEST_RELATIVE_TOLERANCE * observed.largest
    between = float("inf") if observed.self_check_difference is None else observed.self_check_difference
    admitted = context.procedure.tolerance_of_rerun(context.case.records_left)
    if admitted is None or between >= admitted.largest:
        return min(between, largest), "model.reproduced.tolerance.reruns"
    return min(admitted.largest, largest), admitted.origin


def _facts(status: Status, difference: float | None) -> tuple[Fact, ...]:
    match status:
        case Status.PASS:
            reason = Reason("fact.release-reproduced.equal", {"difference": difference})
            return (fact("release-reproduced", How.MEASURED, reason),)
        case Status.FAIL:
            return (fact("release-reproduced", How.REFUTED, Reason("fact.release-reproduced.other")),)
        case _:
            return ()


CHECK = Definition(CARD, Observed, judge, replays=True, wanted=lambda context: context.case.model is not None)
