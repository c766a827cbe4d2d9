"""Observe what a run shows of data deletion: steps, noise and norms of the rerun, requests of the log, models of other runs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from auditor.audit.replay import Replay, loses_labels
from auditor.base.deletion_log.people import by_person
from auditor.case import Case
from auditor.learning.residuals import largest_norm
from auditor.maths.certificates.rounding import finite
from auditor.parts.data_deletion.judging import adaptive, renyi
from auditor.parts.data_deletion.judging.adaptive import Share
from auditor.parts.data_deletion.judging.noise import accepted
from auditor.parts.data_deletion.judging.observed import CounterfactualRuns, DescentRun, MeasuredNoise, NoiseOfUpdate, Removed
from auditor.parts.data_deletion.judging.pledge import IDS
from auditor.parts.data_deletion.judging.seen import Asked
from auditor.parts.data_deletion.observing.counterfactual_runs import compare
from auditor.parts.data_deletion.settings import is_linear
from auditor.parts.swap.judging.epsilon_consistency.observed import Games
from auditor.settings.facets import NoisyDescent
from auditor.verdict.checks.finding import Values

_SHARES: Final = 256
"""Parts of the accepted interval that a measured variance is rounded to: the noise is a secret, and its size reveals it."""


def measured(told: Sequence[Mapping[str, float | bool | str]], declared: float) -> MeasuredNoise | None:
    """The noise that the rerun reports; None where it does not tell, or added none at all.

    Args:
        told: What the procedure says after learning and after each batch; updates of no step are left out.
        declared: σ².
    """
    counts, means = [], []
    for facts in told:
        count, mean = facts.get("noise_count"), facts.get("noise_variance")
        if not isinstance(count, int | float) or not isinstance(mean, int | float) or count != int(count) or count < 0:
            return None
        counts.append(int(count))
        means.append(float(mean))
    total = sum(counts)
    if not total:
        return None
    updates = tuple(
        NoiseOfUpdate(number=number, measured=_rounded(mean, declared, count, among=len(counts)), count=count)
        for number, (count, mean) in enumerate(zip(counts, means, strict=True))
        if count
    )
    pooled = sum(count * mean for count, mean in zip(counts, means, strict=True)) / total
    return MeasuredNoise(measured=_rounded(pooled, declared, total), count=total, updates=updates, told=len(counts))


def _rounded(mean: float, declared: float, count: int, *, among: int = 1) -> float:
    """A mean square to a part of the interval that is accepted for it."""
    within = accepted(declared, count, among)
    share = (within.high - within.low) / _SHARES
    return declared + share * round((mean - declared) / share) if share else mean


def largest_share(case: Case, replay: Replay) -> Share:
    """Of a subject, or of a request that names none: the most deleted records, and the most batches that they left with."""
    batch_of = {record: number for number, batch in enumerate(replay.batches) for record in batch.record_ids}
    executed = [request for request in case.requests if request.executed_at is not None]
    owned = [named & batch_of.keys() for named in by_person(executed, case.whose)]
    subjects = all(each.subject is not None or not batch_of.keys() & set(each.record_ids) for each in executed)
    records = max([1, *map(len, owned)])
    batches = max([1, *(len({batch_of[each] for each in records_of}) for records_of in owned)])
    return Share(records=records, batches=batches, subjects=subjects)


__all__ = ["IDS", "compare", "needs_counterfactual_runs", "observe"]


def observe(
    case: Case,
    replay: Replay,
    *,
    runs: CounterfactualRuns | None = None,
    games: Games | None = None,
) -> Mapping[str, Values]:
    """Count and measure what the judges of data deletion read.

    Args:
        case: The case.
        replay: What the rerun showed.
        runs: What runs with other records in the place of the deleted ones showed, where `needs_counterfactual_runs`.
        games: Of an adaptive requester, where one played.
    """
    procedure, trajectory = case.settings.procedure.descent, replay.trajectory
    return {
        renyi.CARD.id: renyi.Observed(
            deleted=tuple(
                Removed(batch=batch.name, removed=len(gone)) for batch, gone in zip(replay.batches, replay.forgotten, strict=True)
            ),
            labels_lost=loses_labels(case, replay.forgotten),
            parameter_count=None if trajectory is None else int(trajectory[0].size),
            seconds_unlearning=replay.unlearn_seconds,
            seconds_retraining=replay.retrain_seconds,
            descent=None if procedure is None else _descent(case, procedure, replay.told),
            counterfactual=runs,
        ),
        adaptive.CARD.id: adaptive.Observed(
            batches=len(replay.batches),
            requests=_asked(case, replay),
            largest_share=largest_share(case, replay),
            games=games,
        ),
    }


def needs_counterfactual_runs(case: Case, replay: Replay) -> bool:
    """Whether data deletion is claimed of a procedure that no theorem covers, and there is a deletion to examine."""
    claimed = case.settings.claims.data_deletion is not None
    return claimed and case.settings.procedure.descent is None and bool(replay.batches)


def _descent(case: Case, procedure: NoisyDescent, told: Sequence[Mapping[str, float | bool | str]]) -> DescentRun:
    known = procedure.loss is not None or is_linear(procedure)
    return DescentRun(
        steps=tuple(_count(facts.get("steps")) for facts in told),
        noise=measured(told, procedure.sigma2),
        largest_row_norm=finite(largest_norm(case.train.features, procedure.row_norms)) if known else None,
        least_curvature=min(_numbers(told, "least_curvature"), default=None),
        largest_loss=max(_numbers(told, "largest_loss"), default=None),
        largest_gradient_norm=max(_numbers(told, "largest_gradient_norm"), default=None),
    )


def _asked(case: Case, replay: Replay) -> tuple[Asked, ...]:
    batch_of = {row: number for number, batch in enumerate(replay.batches, start=1) for row in batch.rows}
    return tuple(
        Asked(request_id=each.request_id, batch=batch_of[each.row], stated=each.seen_releases)
        for each in case.requests
        if each.executed_at is not None and each.row in batch_of
    )


def _count(value: object) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number == int(number) else None


def _numbers(told: Iterable[Mapping[str, float | bool | str]], name: str) -> list[float]:
    """The number of that name of each update that reports one."""
    return [each for facts in told if (each := _number(facts.get(name))) is not None]


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) else None
