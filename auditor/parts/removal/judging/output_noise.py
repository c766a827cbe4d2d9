"""`removal.output-noise`: certified removal by noise at release, which needs nothing of the residual but its size."""

from __future__ import annotations

from auditor.base.domain import Certificate, Fact, Message, Provenance, Status
from auditor.base.promises import Gaussian
from auditor.maths.certificates import derive
from auditor.maths.tradeoff.promises import removal_budget
from auditor.parts.removal.cards import REMOVAL_OUTPUT_NOISE
from auditor.parts.removal.judging import measurements, residual
from auditor.parts.removal.judging.chain import empty, target
from auditor.settings.facets import Removal
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition, always_first
from auditor.verdict.checks.finding import Earlier, Finding, Values, inconclusive
from auditor.verdict.checks.guess_bounds import at_best_open
from auditor.verdict.decisions import decide_at_most
from auditor.verdict.guarantees import Pledge, Pledges, fact

CARD = REMOVAL_OUTPUT_NOISE


class Observed(Values):
    """Nothing of its own: what it judges is what `removal.residual` found along the log."""


class Derived(Values):
    """What one release costs, and what all would."""

    epsilon: float
    delta: float
    release_noise: float
    residual_budget: float
    allowed_residual_budget: float | None
    """The largest that (ε, δ) allows."""
    measured: float
    """The largest residual along the log."""
    mu: float | None
    distance_to_retrained: float | None
    """How far the weights lie from the exactly retrained ones at most."""
    epsilon_if_every_batch_is_released: float | None


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """It needs noise at release."""
    removal = context.procedure.removal
    if removal is None:
        return Message("removal.other-procedure")
    return None if removal.release_noise else Message("removal.output-noise.no-noise")


def judge(context: Context, _observed: Observed, earlier: Earlier) -> Finding:
    """Hold the noise of the last release against the strictest (ε, δ) on record.

    The budget r is the procedure's own, and no batch can exceed it but by a fault: what was measured is held against it.
    """
    removal, before = context.procedure.removal, earlier[residual.CARD.id]
    if removal is None or removal.residual_budget is None or not isinstance(before.derived, residual.Derived):
        return inconclusive(*before.reasons)
    series = before.derived.series
    largest = max(entry.beta["measured"] or 0.0 for entry in series)
    # What rounding may have added to a norm that the procedure found within the budget.
    floor = max((entry.rounding_floor or 0.0 for entry in series), default=0.0)
    kept = largest <= removal.residual_budget + floor
    facts = (_noise(context, removal), _enforced(removal, removal.residual_budget, largest, kept=kept))
    goal = target(context)
    if goal is None:
        return Finding(Status.INCONCLUSIVE, reasons=(Message("removal.no-target"),), facts=facts)
    given = {
        "l2": removal.l2,
        "release_noise": removal.release_noise,
        "delta": goal.delta,
        "residual": removal.residual_budget,
        "measured": min(largest, removal.residual_budget) if kept else largest,
    }
    rows = [entry.rows_left for entry in series[1:]]
    certificate = derive("output-noise", given | {"rows": rows[-1:], "epsilon": goal.epsilon})
    every = derive("output-noise", given | {"rows": rows})
    spent = certificate.outputs["epsilon_spent"]
    both = goal.epsilon if spent is None else min(spent, goal.epsilon)
    nothing = empty(context, goal, removal_budget(goal.epsilon, goal.delta))
    status = at_best_open(decide_at_most(spent, goal.epsilon) if spent is not None else Status.FAIL, nothing)
    return Finding(
        status=status,
        value=spent,
        threshold=goal.epsilon,
        reasons=(_reason(certificate, kept=kept), *nothing),
        derived=Derived(
            epsilon=goal.epsilon,
            delta=goal.delta,
            release_noise=removal.release_noise,
            residual_budget=removal.residual_budget,
            allowed_residual_budget=certificate.outputs["residual_budget"],
            measured=largest,
            mu=certificate.outputs.get("mu"),
            distance_to_retrained=certificate.outputs.get("distance"),
            epsilon_if_every_batch_is_released=every.outputs["epsilon_spent"],
        ),
        facts=(*facts, *_criterion(status, spent, goal.epsilon)),
        certificates=(certificate, every, *measurements.together(context, epsilon=both, delta=goal.delta)),
    )


def certified(finding: Finding) -> Pledge | None:
    """What the noise is certified to leave at the target's δ; None where nothing is."""
    found = finding.derived
    if not isinstance(found, Derived) or finding.value is None or found.mu is None:
        return None
    return Pledge(finding.value, found.delta, Gaussian(mu=found.mu))


def _noise(context: Context, removal: Removal) -> Fact:
    """That the noise is fresh to the requests: where earlier releases were seen, the controller has to attest that.

    The theorem covers requests that were fixed before. What rests on the controller's word is supported at most.
    """
    drawn = {"use": removal.built_in, "deviation": removal.release_noise}
    if context.both_seen:
        if not context.attests("requests-fixed"):
            return fact("release-noise", Provenance.UNKNOWN, Message("fact.release-noise.not-attested", drawn))
        said_by = {"by": context.claims.attested_by}
        return fact("release-noise", Provenance.ATTESTED, Message("fact.release-noise.seen", {**drawn, **said_by}))
    return fact("release-noise", Provenance.COMPUTED, Message("fact.release-noise.built-in", drawn))


def _enforced(removal: Removal, budget: float, largest: float, *, kept: bool) -> Fact:
    reason = Message("fact.residual-enforced.measured", {"use": removal.built_in, "budget": budget, "measured": largest})
    return fact("residual-enforced", Provenance.COMPUTED if kept else Provenance.REFUTED, reason)


def _criterion(status: Status, spent: float | None, epsilon: float) -> tuple[Fact, ...]:
    """Whether the criterion is met; of one that promises nothing no guarantee can be made, met or not."""
    if status is Status.INCONCLUSIVE:
        return ()
    met = Provenance.COMPUTED if status is Status.PASS else Provenance.REFUTED
    return (fact("noise-criterion-met", met, Message("fact.noise-criterion-met.spent", {"spent": spent, "epsilon": epsilon})),)


def _reason(certificate: Certificate, *, kept: bool) -> Message:
    if not kept:
        return Message("removal.output-noise.budget-exceeded")
    if certificate.outputs["epsilon_spent"] is None:
        return Message("removal.output-noise.no-epsilon", {"reason": certificate.outputs["reason"]})
    return Message("removal.output-noise.one-release")


def _wanted(context: Context) -> bool:
    removal = context.procedure.removal
    return removal is not None and bool(removal.release_noise)


CHECK = Definition(
    CARD,
    Observed,
    judge,
    applies,
    replays=True,
    first=always_first,
    wanted=_wanted,
    pledges=lambda _context, findings: Pledges(by_noise=certified(findings[CARD.id])),
    derived=(Derived,),
)
