"""`removal.residual`: whether the released weights leave no more than the removals of the log add up to."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from auditor.base.domain import Certificate, Fact, Message, Provenance, Status
from auditor.document.evidence import Evidence
from auditor.parts.removal.cards import REMOVAL_RESIDUAL
from auditor.parts.removal.judging import measurements
from auditor.parts.removal.judging.chain import Entry, chain, series, target, together
from auditor.parts.removal.judging.measurements import Released, Replayed, Walk
from auditor.parts.removal.rules.residual import DECIDING
from auditor.settings.facets import Removal
from auditor.verdict.checks import stated
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition, always_first
from auditor.verdict.checks.finding import Earlier, Finding, Values, inconclusive, skipped
from auditor.verdict.checks.stated import Count, seed_facts
from auditor.verdict.decisions import decide_at_most
from auditor.verdict.guarantees import Pledges, fact

CARD = REMOVAL_RESIDUAL


class Observed(Values):
    """What was measured along the log."""

    batches: tuple[Replayed, ...]
    loses_labels: bool
    """Whether a label that only deleted records had still has its place in the model."""
    walk: Walk | None = None
    """None for a procedure other than certified removal, and where nothing could be measured."""
    beyond: tuple[str, ...] = ()
    """What float64 did not hold, by the names of the rule's inputs; nothing was measured then."""
    released: Released | None = None
    """None where the weights have another shape than those of the rerun."""
    rows_scaled: Count | None = None
    """Training records that were longer than 1 and scaled; None where rows are taken as they are."""


class Derived(Values):
    """The residual against its bound, and along the log."""

    subject: str
    """shipped or rerun: whose weights."""
    measured: float | None
    """‖∇L_b‖₂; None where float64 does not hold it."""
    beta: float | None
    """Its bound after the last batch; None where the measurements contradict one another."""
    optimum_gradient: float | None
    distance_to_optimum: float | None
    distance_bound: float | None
    series: tuple[Entry, ...]


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Hold the residual of the released weights against the last bound of the log."""
    removal = context.procedure.removal
    if removal is None:
        return skipped(Message("removal.other-procedure"), facts=_retraining(context, observed))
    if not observed.batches:
        return inconclusive(Message("removal.nothing-removed"))
    if observed.walk is None:
        return inconclusive(Message("removal.beyond", {"names": list(observed.beyond)}))
    bounds = chain(context, removal, observed.walk, observed.batches)
    # Where the chain has doubts about its own measurements, none of its bounds is one.
    beta = None if bounds.outputs["beta"] is None else bounds.outputs["betas"][DECIDING][-1]
    status, measured, reasons = _held(context, removal, observed, bounds, beta)
    optimum = None if observed.released is None else observed.released.optimum
    return Finding(
        status=status,
        value=measured,
        threshold=beta,
        reasons=reasons,
        derived=Derived(
            subject="rerun" if context.case.model is None else "shipped",
            measured=measured,
            beta=beta,
            optimum_gradient=None if optimum is None else optimum.gradient,
            distance_to_optimum=None if optimum is None else optimum.distance,
            distance_bound=None if optimum is None else optimum.distance_bound,
            series=series(bounds, observed.walk, observed.batches),
        ),
        facts=(*_built_in(context, removal), *_retraining(context, observed), *measurements.facts(context)),
        certificates=(bounds,),
    )


def _held(
    context: Context, removal: Removal, observed: Observed, bounds: Certificate, beta: float | None
) -> tuple[Status, float | None, tuple[Message, ...]]:
    """Status, measured norm and reasons."""
    if observed.released is None:
        return Status.FAIL, None, (Message("removal.residual.other-shape"),)
    measured = _norm(observed.released.norms, bounds)
    whose = {"shipped": context.case.model is not None, "noised": bool(removal.release_noise)}
    reasons = [Message("removal.residual.measured", whose)]
    if observed.rows_scaled is not None:
        reasons.append(Message("removal.residual.scaled", {"records": observed.rows_scaled}))
    return decide_at_most(measured, beta), measured if math.isfinite(measured) else None, tuple(reasons)


def _norm(norms: Sequence[float | None], bounds: Certificate) -> float:
    """The norm of all classes together; infinite where float64 does not hold one of them, which no bound allows."""
    known = [norm for norm in norms if norm is not None]
    return together(bounds)(known) if len(known) == len(norms) else math.inf


def _built_in(context: Context, removal: Removal) -> tuple[Fact, ...]:
    """What our own procedure does by construction, and whether its seed can be guessed."""
    convex = Message("fact.objective-strongly-convex.built-in", {"use": removal.built_in, "l2": removal.l2})
    drawn = Message("fact.perturbation.built-in", {"use": removal.built_in, "sigma": removal.sigma})
    return (
        fact("objective-strongly-convex", Provenance.COMPUTED, convex),
        fact(f"perturbation-{removal.perturbation}", Provenance.COMPUTED, drawn),
        *seed_facts(context),
    )


def _retraining(context: Context, observed: Observed) -> tuple[Fact, ...]:
    """What a rerun says of training from scratch: nothing for a guarantee, unless code of ours did so for every batch."""
    if not context.procedure.trains_again or not observed.batches or not all(each.retrained for each in observed.batches):
        return ()
    if observed.loses_labels:
        # What is built has a column for each label of the training data, those of the deleted records included.
        return (fact("retrained", Provenance.REFUTED, Message("fact.retrained.label-kept")),)
    return (fact("retrained", Provenance.COMPUTED, Message("fact.retrained.every-batch", {"use": context.procedure.built_in})),)


def _pledges(context: Context, _findings: Mapping[str, Finding]) -> Pledges:
    """The criterion of certified removal, and what a private extractor below the model costs."""
    goal = target(context)
    return Pledges(
        epsilon=None if goal is None else goal.epsilon,
        delta=None if goal is None else goal.delta,
        extractor=measurements.pledged(context),
    )


def _examined_claims(context: Context, _findings: Mapping[str, Finding]) -> frozenset[str]:
    return frozenset(() if context.procedure.removal is None else {"certified_removal"})


def contradictions(evidence: Evidence, seen: Observed, _others: Mapping[str, Values]) -> Iterator[str]:
    """Compare what was observed with the case, the log and itself."""
    yield from stated.batches(evidence, len(seen.batches))
    yield from stated.removed(evidence, sum(each.records for each in seen.batches))
    yield from stated.executed(evidence, tuple(name for each in seen.batches for name in each.request_ids))
    dates = {each.request_id: each.deleted_at for each in evidence.requests if each.deleted_at is not None}
    # Two people's rows of one ticket may lie in two batches: the id does not say which.
    for name, rows in Counter(each.request_id for each in evidence.requests).items():
        if rows > 1:
            dates.pop(name, None)
    done = [[dates[name] for name in each.request_ids if name in dates] for each in seen.batches]
    for before, after, batch in zip(done, done[1:], seen.batches[1:], strict=False):
        if before and after and min(after) < max(before):
            yield f"{batch.name} was executed before the batch that it follows"


CHECK = Definition(
    CARD,
    Observed,
    judge,
    replays=True,
    first=always_first,
    wanted=lambda context: context.procedure.removal is not None,
    pledges=_pledges,
    examined_claims=_examined_claims,
    contradictions=contradictions,
    derived=(Derived,),
)
