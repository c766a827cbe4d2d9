"""`cost.speedup`: what unlearning saves over retraining.

The auditor's own clock runs from the question to the answer, with the same overhead on both sides: records are read and picked,
one model is copied. It is what the declared code took: code that retrains slowly on purpose looks faster at unlearning, and work
that is put off to another call or a background thread is not in the time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from auditor.base.domain import Message, Status
from auditor.document.evidence import Evidence
from auditor.parts.release.judging import release_exact
from auditor.parts.usefulness.cards import COST_SPEEDUP
from auditor.verdict.checks import stated
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition, always_first
from auditor.verdict.checks.finding import Earlier, Finding, Values, skipped
from auditor.verdict.checks.stated import Amount, Count
from auditor.verdict.decisions import decide_at_least

CARD = COST_SPEEDUP


class Observed(Values):
    """Seconds from question to answer, by the auditor's clock."""

    unlearn_seconds: Amount | None
    """Median of one batch; None where there was none."""
    retrain_seconds: Amount
    """Median of one training from scratch on what is left."""
    warm_refit_seconds: Amount | None
    """Of one from the model before the last batch; None where the procedure cannot."""
    batches: Count


class Derived(Values):
    """Ratios."""

    warm_speedup: float | None


def judge(context: Context, observed: Observed, earlier: Earlier) -> Finding:
    """Hold the ratio of times against the policy; without a threshold it is informative.

    That a batch which left the model as it was took no time is no merit. How long retraining takes is up to code
    that retrains: that the controller's own does not waste time there has to be attested.
    """
    if not observed.unlearn_seconds:
        return skipped(Message("cost.speedup.no-batch"))
    value, warm = observed.retrain_seconds / observed.unlearn_seconds, observed.warm_refit_seconds
    threshold = context.policy.min_speedup
    reasons = [Message("cost.speedup.timed")]
    status = Status.SKIPPED if threshold is None else decide_at_least(value, threshold)
    if threshold is None:
        reasons.append(Message("cost.speedup.informative"))
    elif status is Status.PASS and (unchanged := release_exact.left_as_it_was(earlier[release_exact.CARD.id])):
        status = Status.INCONCLUSIVE
        reasons.append(Message("cost.speedup.unchanged", {"batches": list(unchanged)}))
    elif status is Status.PASS and context.procedure.foreign and not context.attests("procedure-honest"):
        status = Status.INCONCLUSIVE
        reasons.append(Message("cost.speedup.own-training"))
    return Finding(
        status=status,
        value=value if math.isfinite(value) else None,
        threshold=threshold,
        reasons=tuple(reasons),
        derived=Derived(warm_speedup=_finite(None if warm is None else warm / observed.unlearn_seconds)),
    )


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def contradictions(evidence: Evidence, seen: Observed, _others: Mapping[str, Values]) -> Iterator[str]:
    """Compare what was observed with the case, the log and itself."""
    yield from stated.batches(evidence, seen.batches)


CHECK = Definition(
    CARD,
    Observed,
    judge,
    replays=True,
    first=always_first,
    wanted=lambda context: context.policy.min_speedup is not None,
    contradictions=contradictions,
    derived=(Derived,),
)
