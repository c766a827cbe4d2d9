"""Certified removal: `removal.residual`, `removal.budget`, and what these and `removal.output-noise` let a theorem conclude."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from auditor.case import Case
from auditor.certificates import derive
from auditor.certificates.extractor import strictest
from auditor.certificates.residual import DECIDING
from auditor.decisions import decide_at_most
from auditor.domain import Certificate, Check, Fact, How, Status
from auditor.guarantees import fact
from auditor.observing import difference, extraction, hardest, output_noise, privacy_loss
from auditor.observing.findings import TITLES, Findings, finite, skipped
from auditor.observing.goals import sources
from auditor.observing.removal import Learned, Optimum, Walk, optima, walk
from auditor.observing.replay import Replay, loses_labels
from auditor.procedures.residuals import row_norms
from auditor.settings.certified_removal import CertifiedRemoval
from auditor.settings.learning import Sklearn
from auditor.settings.networks import Torch

SECRET_BITS = 96
"""A seed of fewer bits can be found by trying them all."""


@dataclass(frozen=True, slots=True)
class Target:
    """The (ε, δ) that the removal criterion is held against: the strictest of what procedure, claim and policy name.

    Claim and policy speak of all that is released: what a private extractor spends of theirs is taken off.
    """

    epsilon: float
    delta: float
    sources: tuple[dict[str, Any], ...]


def target(case: Case) -> Target | None:
    """The strictest ε and δ on record; None where there is no ε or no δ at all."""
    procedure, claim, policy = case.settings.procedure, case.settings.claims.certified_removal, case.settings.policy
    if not isinstance(procedure, CertifiedRemoval):
        return None
    named = [
        ("procedure", procedure.epsilon, procedure.delta),
        ("claim", claim.epsilon if claim else None, claim.delta if claim else None),
        ("policy", policy.max_epsilon, policy.max_delta),
    ]
    own, *wholes = ((epsilon, delta) for _, epsilon, delta in named)
    epsilon, delta = strictest(own, wholes, extraction.spent(case, procedure))
    return Target(epsilon, delta, sources(named)) if epsilon is not None and delta is not None else None


IDS = ("removal.residual", "removal.budget", "removal.output-noise")


def judge(case: Case, replay: Replay) -> Findings:
    """Judge the residuals of a `certified-removal` procedure; any other is skipped with the reason."""
    procedure = case.settings.procedure
    if not isinstance(procedure, CertifiedRemoval):
        reason = 'Applies to [procedure] use = "certified-removal" only.'
        checks = tuple(skipped(check_id, reason) for check_id in IDS)
        return Findings(checks, facts=_retraining(case, procedure, replay) if isinstance(procedure, Sklearn | Torch) else ())
    if replay.trajectory is None:
        raise AssertionError("the built-in procedure offers parameters()")
    quiet = _unused(procedure)
    if not replay.batches:
        reason = "No executed request names a record of the training data: there is no removal to judge."
        return Findings(tuple(quiet.get(check_id) or _nothing(check_id, reason) for check_id in IDS))
    try:
        # Overflow is looked for in what comes out.
        with np.errstate(over="ignore", invalid="ignore"):
            observed = walk(case, procedure, replay, replay.trajectory)
    except ArithmeticError as error:
        reason = f"No bound could be derived: {error}."
        return Findings(tuple(quiet.get(check_id) or _nothing(check_id, reason) for check_id in IDS))
    sums = derive(observed.rule, observed.inputs)
    goal = target(case)
    budget_check, certificates = (
        (quiet["removal.budget"], ())
        if "removal.budget" in quiet
        else _budget(goal, procedure, replay, observed, sums, privacy_loss.diagnosed(case, procedure, replay))
    )
    noise = (
        Findings((quiet["removal.output-noise"],))
        if "removal.output-noise" in quiet
        else output_noise.judge(procedure, observed, _goal(goal), seen=difference.both_seen(case))
    )
    checks = (_residual(case, procedure, replay, observed, sums), budget_check, *noise.checks)
    facts = (*_facts(procedure, replay, budget_check), *noise.facts, *extraction.facts(case, procedure))
    together = extraction.certificates(case, procedure, _goal(goal))
    return Findings(checks, (sums, *certificates, *noise.certificates, *together), facts)


def _unused(procedure: CertifiedRemoval) -> dict[str, Check]:
    """The checks that do not apply to the procedure as declared."""
    found = {}
    if not procedure.sigma:
        reason = "Does not apply: the training loss has no random term (sigma = 0); noise is added at release instead."
        found["removal.budget"] = skipped("removal.budget", reason)
    if not procedure.release_noise:
        reason = "Does not apply: the procedure adds no noise at release."
        found["removal.output-noise"] = skipped("removal.output-noise", reason)
    return found


def _goal(goal: Target | None) -> tuple[float, float] | None:
    return None if goal is None else (goal.epsilon, goal.delta)


def _nothing(check_id: str, reason: str) -> Check:
    return Check(check_id, TITLES[check_id], Status.INCONCLUSIVE, None, None, None, reason)


def _residual(case: Case, procedure: CertifiedRemoval, replay: Replay, observed: Walk, sums: Certificate) -> Check:
    # Where the chain has doubts about its own measurements, none of its bounds is one.
    beta = None if sums.outputs["beta"] is None else sums.outputs["betas"][DECIDING][-1]
    rerun = replay.trajectory[-1] if replay.trajectory else None
    shipped = case.shipped is not None
    released = case.shipped if case.shipped is not None else rerun
    learned = Learned(case, procedure)
    if released is None or released.shape != (learned.models * learned.dimensions,):
        return Check(
            "removal.residual",
            TITLES["removal.residual"],
            Status.FAIL,
            None,
            None,
            beta,
            "The shipped weights have another shape.",
        )
    # A model file may hold numbers that overflow here; an infinite residual fails.
    with np.errstate(over="ignore", invalid="ignore"):
        weights = learned.weights(released, len(replay.batches))
        pairs = zip(observed.final, weights, strict=True)
        measured = observed.together([float(np.linalg.norm(each.gradient(w))) for each, w in pairs])
        beside = optima(observed.final, weights, learned)
    scaled = int(np.count_nonzero(row_norms(case.train.features) > 1)) if procedure.row_norms == "scale" else None
    subject = "shipped weights" if shipped else "weights of the rerun"
    if procedure.release_noise:
        subject += ", less the noise of the release,"
    return Check(
        id="removal.residual",
        title=TITLES["removal.residual"],
        status=decide_at_most(measured, beta),
        value=finite(measured),
        interval=None,
        threshold=beta,
        basis=f"‖∇L_b‖₂ of the {subject} on the records that are left, against the bound β that the log's removals add up to."
        + _scaled_words(scaled),
        details={
            "subject": "shipped" if shipped else "rerun",
            "measured": finite(measured),
            "beta": beta,
            "optimum_gradient": finite(beside.gradient) if beside else None,
            **({} if scaled is None else {"rows_scaled": scaled}),
            **_beside(beside),
        },
    )


def _scaled_words(scaled: int | None) -> str:
    """What became of training records longer than 1; None where they are taken as they are."""
    if scaled is None:
        return ""
    count = f"{scaled} training records were" if scaled != 1 else "1 training record was"
    return f" {count} longer than 1 and scaled to norm 1, each by itself, in learning and predicting alike."


def _budget(
    goal: Target | None,
    procedure: CertifiedRemoval,
    replay: Replay,
    observed: Walk,
    chain: Certificate,
    losses: dict[str, Any] | None,
) -> tuple[Check, tuple[Certificate, ...]]:
    series = _series(replay, observed, chain)
    told: dict[str, Any] = {"series": series, "hardest": hardest.beside(replay.batches, series, observed.rule, observed.hardest)}
    if losses is not None:
        told |= {"privacy_loss": losses}
    worst = chain.outputs["beta"]
    if goal is None or worst is None:
        reason = (
            "No threshold: neither procedure, claim nor policy names both ε and δ."
            if goal is None
            else f"No bound: {chain.outputs['reason']}."
        )
        check = Check(
            id="removal.budget",
            title=TITLES["removal.budget"],
            status=Status.INCONCLUSIVE,
            value=None,
            interval=None,
            threshold=None,
            basis=reason,
            details={"sigma": procedure.sigma, "criterion": DECIDING, **told},
        )
        return check, ()
    beside = {f"beta_{bound.name.replace('-', '_')}": bound.value for bound in chain.bounds if bound.name != DECIDING}
    given = {"epsilon": goal.epsilon, "sigma": procedure.sigma, "beta": worst, **beside}
    gaussian = procedure.perturbation == "gaussian"
    certificate = derive("removal-budget", given | {"delta": goal.delta}) if gaussian else derive("removal-budget-laplace", given)
    budget = certificate.outputs["budget"]
    ratio = finite(worst / budget) if budget else None
    check = Check(
        id="removal.budget",
        title=TITLES["removal.budget"],
        status=decide_at_most(ratio, 1.0) if ratio is not None else Status.FAIL,
        value=ratio,
        interval=None,
        threshold=1.0,
        basis=_budget_words(procedure, replay, ratio) + extraction.words(procedure),
        details={
            "epsilon": goal.epsilon,
            "delta": goal.delta,
            "sigma": procedure.sigma,
            "budget": budget,
            **{name: certificate.outputs[name] for name in ("classical_budget", "classical_proved") if gaussian},
            "epsilon_spent": certificate.outputs["epsilon_spent"],
            "criterion": DECIDING,
            "sources": list(goal.sources),
            **told,
        },
    )
    return check, (certificate,)


def _budget_words(procedure: CertifiedRemoval, replay: Replay, ratio: float | None) -> str:
    retrained = sum(replay.retrained)
    allowed = "σμ" if procedure.perturbation == "gaussian" else "σε"
    words = f"Worst β_t/({allowed}) over training and {len(replay.batches)} batches, the optimiser's leftover included"
    words += f"; {retrained} of them trained anew." if retrained else "; none trained anew."
    if ratio is None:
        return words + " The budget is zero, and something is left to hide."
    if ratio > 1 and not procedure.retrain_at_budget:
        words += " The removals went on past the budget without retraining."
    return words + " This is the paper's criterion; the guarantee that it feeds rests on an attested assumption."


def _series(replay: Replay, observed: Walk, chain: Certificate) -> list[dict[str, Any]]:
    betas, increments = chain.outputs["betas"], chain.outputs["increments"]
    floors, errors = [None, *observed.rounding_floors], [None, *observed.solver_errors]
    removed = np.concatenate([[0], np.cumsum([len(batch.record_ids) for batch in replay.batches])]).astype(int).tolist()
    total = observed.final[0].rows + removed[-1]
    entries = []
    for index, count in enumerate(removed):
        batch = replay.batches[index - 1] if index else None
        entries.append(
            {
                "batch": batch.name if batch else "training",
                "request_ids": list(batch.request_ids) if batch else [],
                "removed": count,
                "rows_left": total - count,
                "retrained": bool(replay.retrained[index - 1]) if index else True,
                "beta": {**{name: values[index] for name, values in betas.items()}, "measured": observed.measured[index]},
                "increment": {name: values[index - 1] for name, values in increments.items()} if index else None,
                "solver_error": errors[index],
                "rounding_floor": floors[index],
                **_beside(observed.optima[index]),
            }
        )
    return entries


def _beside(best: Optimum | None) -> dict[str, float | None]:
    if best is None:
        return {"distance_to_optimum": None, "distance_bound": None}
    return {"distance_to_optimum": finite(best.distance), "distance_bound": finite(best.distance_bound)}


def _facts(procedure: CertifiedRemoval, replay: Replay, budget: Check) -> tuple[Fact, ...]:
    met = budget.status is Status.PASS
    ratio = "no threshold" if budget.value is None else f"worst β/(σμ) = {budget.value:.4g}"
    facts = [
        *submitted(),
        fact("objective-strongly-convex", How.COMPUTED, f"built-in procedure {procedure.use}, λ = {procedure.l2:g}"),
        fact(
            f"perturbation-{procedure.perturbation}", How.COMPUTED, f"built-in procedure {procedure.use}, σ = {procedure.sigma:g}"
        ),
        fact("residual-independent", How.ATTESTED, "an assumption of Theorem 2 that its proof needs and no run can check"),
        _secrecy(procedure.seed),
        _unguessable(procedure.seed),
    ]
    if budget.status not in {Status.INCONCLUSIVE, Status.SKIPPED}:
        facts.append(fact("criterion-met", How.COMPUTED if met else How.REFUTED, f"removal.budget: {ratio}"))
    # Retraining at the budget does not count, not even where every batch came to it: whether it came to it depends on b.
    if procedure.unlearn == "retrain" and replay.retrained and all(replay.retrained):
        facts.append(fact("retrained", How.COMPUTED, f"built-in procedure {procedure.use}, every batch"))
    return tuple(facts)


def _retraining(case: Case, procedure: Sklearn | Torch, replay: Replay) -> tuple[Fact, ...]:
    """What a rerun says of what trains by itself: nothing for a guarantee, unless code of ours trained anew for every batch."""
    if procedure.foreign or procedure.unlearn != "retrain" or not replay.retrained or not all(replay.retrained):
        return ()
    if loses_labels(case, replay.forgotten):
        # What is built has a column for each label of the training data, those of the deleted records included.
        reason = "a label that only deleted records had still has its place in the model"
        return (*submitted(), fact("retrained", How.REFUTED, reason))
    return (*submitted(), fact("retrained", How.COMPUTED, f"built-in procedure {procedure.use}, every batch"))


def submitted() -> tuple[Fact, ...]:
    """What the controller says in handing in any case."""
    return (
        fact("requests-fixed", How.ATTESTED, "by the controller, in submitting this log"),
        fact("preprocessing-clean", How.ATTESTED, "by the controller; the training data are read as they were given"),
    )


def _secrecy(seed: int) -> Fact:
    if seed.bit_length() < SECRET_BITS:
        return fact("seed-secret", How.REFUTED, f"the seed has fewer than {SECRET_BITS} bits, so it can be found by trying")
    return fact("seed-secret", How.ATTESTED, f"by the controller; the seed has at least {SECRET_BITS} bits")


def _unguessable(seed: int) -> Fact:
    how = How.REFUTED if seed.bit_length() < SECRET_BITS else How.COMPUTED
    return fact("seed-unguessable", how, f"{'fewer than' if how is How.REFUTED else 'at least'} {SECRET_BITS} bits")
