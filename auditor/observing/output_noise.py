"""`removal.output-noise`: certified removal by noise at release, which needs nothing of the residual but its size."""

from __future__ import annotations

from auditor.certificates import derive
from auditor.decisions import decide_at_most
from auditor.domain import Certificate, Check, Fact, How, Status
from auditor.guarantees import fact
from auditor.observing.findings import TITLES, Findings
from auditor.observing.removal import Walk
from auditor.settings.certified_removal import CertifiedRemoval

ID = "removal.output-noise"


def judge(procedure: CertifiedRemoval, observed: Walk, goal: tuple[float, float] | None, *, seen: bool) -> Findings:
    """Judge the noise of the last release against the strictest (ε, δ) on record.

    Args:
        procedure: With release noise and a residual budget.
        observed: What was measured along the log.
        goal: ε and δ; None where there is none.
        seen: Whether somebody had seen an earlier release. The theorem speaks of requests that were fixed before: that they did
            not depend on it is then the controller's word, and what rests on it is supported at most.

    The budget r is the procedure's own, and no batch can exceed it but by a fault: what was measured is held against it.
    """
    if procedure.residual_budget is None:
        raise AssertionError("the case declares a residual budget beside release noise")
    largest = max(observed.measured)
    # What rounding may have added to a norm that the procedure found within the budget.
    floor = max(observed.rounding_floors, default=0.0)
    kept = largest <= procedure.residual_budget + floor
    facts = [
        _noise(procedure, seen=seen),
        fact(
            "residual-enforced",
            How.COMPUTED if kept else How.REFUTED,
            f"built-in procedure {procedure.use}, r = {procedure.residual_budget:g}; measured {largest:.3g} at most",
        ),
    ]
    if goal is None:
        reason = "No threshold: neither procedure, claim nor policy names both ε and δ."
        return Findings((Check(ID, TITLES[ID], Status.INCONCLUSIVE, None, None, None, reason),), facts=tuple(facts))
    epsilon, delta = goal
    given = {
        "l2": procedure.l2,
        "release_noise": procedure.release_noise,
        "delta": delta,
        "residual": procedure.residual_budget,
        "measured": min(largest, procedure.residual_budget) if kept else largest,
    }
    rows = observed.rows_left
    certificate = derive("output-noise", given | {"rows": [rows[-1]], "epsilon": epsilon})
    every = derive("output-noise", given | {"rows": list(rows)})
    spent = certificate.outputs["epsilon_spent"]
    status = decide_at_most(spent, epsilon) if spent is not None else Status.FAIL
    check = Check(
        id=ID,
        title=TITLES[ID],
        status=status,
        value=spent,
        interval=None,
        threshold=epsilon,
        basis=_words(certificate, kept=kept),
        details={
            "epsilon": epsilon,
            "delta": delta,
            "release_noise": procedure.release_noise,
            "residual_budget": procedure.residual_budget,
            "allowed_residual_budget": certificate.outputs["residual_budget"],
            "measured": largest,
            "mu": certificate.outputs.get("mu"),
            "distance_to_retrained": certificate.outputs.get("distance"),
            "epsilon_if_every_batch_is_released": every.outputs["epsilon_spent"],
        },
    )
    return Findings((check,), (certificate, every), (*facts, _criterion(status, spent, epsilon)))


def _noise(procedure: CertifiedRemoval, *, seen: bool) -> Fact:
    said = f"built-in procedure {procedure.use}, s = {procedure.release_noise:g}"
    if not seen:
        return fact("release-noise", How.COMPUTED, said)
    return fact(
        "release-noise", How.ATTESTED, f"{said}; earlier releases were seen, so that it is fresh to the requests is attested"
    )


def _criterion(status: Status, spent: float | None, epsilon: float) -> Fact:
    met = How.COMPUTED if status is Status.PASS else How.REFUTED
    return fact("noise-criterion-met", met, f"{ID}: ε = {'none' if spent is None else f'{spent:.4g}'} of {epsilon:g}")


def _words(certificate: Certificate, *, kept: bool) -> str:
    if not kept:
        return "A model was released with a gradient residual above the declared budget: nothing follows from the budget then."
    if certificate.outputs["epsilon_spent"] is None:
        return f"No finite ε: {certificate.outputs['reason']}."
    return (
        "ε at δ of one release with its noise, against the exactly retrained model with the same noise: from the residual "
        "budget, which the procedure enforces with the same b, over λn′ and the standard deviation of the noise."
    )
