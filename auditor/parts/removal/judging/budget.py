"""`removal.budget`: whether the residual bounds along the log stay within what (ε, δ) allows (Guo et al. 2020, Theorem 3)."""

from __future__ import annotations

from fractions import Fraction

from auditor.base.domain import Certificate, Fact, Message, Provenance, Status
from auditor.maths.certificates import derive
from auditor.maths.certificates.rounding import ceiling, finite
from auditor.maths.tradeoff import promises
from auditor.maths.tradeoff.promises import Pure, gaussian_shift, removal_budget
from auditor.parts.removal.cards import REMOVAL_BUDGET
from auditor.parts.removal.judging import measurements, residual
from auditor.parts.removal.judging.chain import Entry, Hardest, Target, compared, empty, target
from auditor.parts.removal.judging.measurements import Removals
from auditor.parts.removal.rules.residual import DECIDING
from auditor.settings.facets import Removal
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition, always_first
from auditor.verdict.checks.finding import Earlier, Finding, Values, inconclusive
from auditor.verdict.checks.guess_bounds import Source, at_best_open
from auditor.verdict.checks.stated import Amount, Positive
from auditor.verdict.decisions import decide_at_most
from auditor.verdict.guarantees import Pledge, Pledges, fact

CARD = REMOVAL_BUDGET


class PrivacyLoss(Values):
    """The exact privacy loss after the log over fresh perturbations: a diagnostic of the gap in Theorem 2."""

    draws: Positive
    mean: float
    deviation: Amount
    """Its standard deviation; under independence of residual and perturbation it would be `shift`."""
    largest: Amount
    """In absolute value."""
    shift: Amount
    """‖u‖/σ on average."""


class Observed(Values):
    """What is compared with the log's own removals."""

    worst_margins: tuple[Removals | None, ...] = ()
    """The hardest records removed in place of each batch that `hardest.asked` names; None where float64 does not reach it."""
    privacy_loss: PrivacyLoss | None = None
    """None where the formula does not cover the procedure, or would take long."""


class Derived(Values):
    """The bounds that the criterion examines."""

    sigma: float
    criterion: str
    """The bound that decides."""
    series: tuple[Entry, ...]
    hardest: tuple[Hardest, ...]


class Held(Derived):
    """The criterion at the strictest (ε, δ) on record."""

    epsilon: float
    delta: float
    budget: float | None
    """The largest residual that (ε, δ) allows."""
    epsilon_spent: float | None
    sources: tuple[Source, ...]


class HeldGaussian(Held):
    """The same where the random term of the loss is Gaussian."""

    classical_budget: float | None
    """The paper's own, for comparison."""
    classical_proved: bool | None
    """Whether its proof covers this ε."""


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """It needs a random term in the training loss."""
    removal = context.procedure.removal
    if removal is None:
        return Message("removal.other-procedure")
    return None if removal.sigma else Message("removal.budget.no-random-term")


def judge(context: Context, observed: Observed, earlier: Earlier) -> Finding:
    """Hold the largest bound, the optimiser's leftover included, against the budget at the strictest (ε, δ) on record."""
    removal, before = context.procedure.removal, earlier[residual.CARD.id]
    if removal is None or not isinstance(before.derived, residual.Derived):
        return inconclusive(*before.reasons)
    chain, series = before.certificates[0], before.derived.series
    goal, worst = target(context), chain.outputs["beta"]
    beside = Derived(
        sigma=removal.sigma,
        criterion=DECIDING,
        series=series,
        hardest=compared(chain, series, removal.tolerance, observed.worst_margins),
    )
    if goal is None or worst is None:
        reason = (
            Message("removal.no-target") if goal is None else Message("removal.no-bound", {"reason": chain.outputs["reason"]})
        )
        at_target = () if goal is None else _whole(context, removal, goal, goal.epsilon)
        return Finding(Status.INCONCLUSIVE, reasons=(reason,), derived=beside, certificates=at_target)
    certificate = _spent(removal, goal, chain)
    spent = certificate.outputs["epsilon_spent"]
    whole = _whole(context, removal, goal, goal.epsilon if spent is None else min(spent, goal.epsilon))
    budget = certificate.outputs["budget"]
    # Rounded up: a residual above the budget by its last digit is above it.
    ratio = finite(ceiling(Fraction(worst) / Fraction(budget))) if budget else None
    laplace = removal.perturbation == "laplace"
    nothing = empty(context, goal, Pure(epsilon=goal.epsilon) if laplace else removal_budget(goal.epsilon, goal.delta))
    status = at_best_open(decide_at_most(ratio, 1.0) if ratio is not None else Status.FAIL, nothing)
    return Finding(
        status=status,
        value=ratio,
        threshold=1.0,
        reasons=(*_reasons(removal, series, ratio), *nothing),
        derived=_held(beside, goal, certificate),
        facts=_criterion(status, ratio),
        certificates=(certificate, *whole),
    )


def certified(context: Context, finding: Finding, residual_found: Finding) -> Pledge | None:
    """What the bounds along the log are certified to leave at the target's δ; None where nothing is.

    All classes together are one joint mechanism: their bounds were put together before (`rules.joint`).
    """
    held, removal = finding.derived, context.procedure.removal
    if removal is None or not isinstance(held, Held) or held.epsilon_spent is None:
        return None
    worst = residual_found.certificates[0].outputs["beta"]
    if isinstance(held, HeldGaussian):
        return Pledge(held.epsilon_spent, held.delta, gaussian_shift(worst, held.sigma))
    # A vector's density proportional to exp(−‖b‖/σ) is no Laplace noise on one number: pure ε is what was proved.
    return Pledge(held.epsilon_spent, held.delta, promises.finite(Pure, epsilon=held.epsilon_spent))


def _whole(context: Context, removal: Removal, goal: Target, epsilon: float) -> tuple[Certificate, ...]:
    """What extractor and removal come to together; where noise is added at release its own check says so."""
    return () if removal.release_noise else measurements.together(context, epsilon=epsilon, delta=goal.delta)


def _spent(removal: Removal, goal: Target, chain: Certificate) -> Certificate:
    """The rule that turns a residual into ε: the theorem's part for the declared perturbation."""
    others = {f"beta_{bound.name.replace('-', '_')}": bound.value for bound in chain.bounds if bound.name != DECIDING}
    given = {"epsilon": goal.epsilon, "sigma": removal.sigma, "beta": chain.outputs["beta"], **others}
    if removal.perturbation == "gaussian":
        return derive("removal-budget", given | {"delta": goal.delta})
    return derive("removal-budget-laplace", given)


def _held(beside: Derived, goal: Target, certificate: Certificate) -> Held:
    outputs = certificate.outputs
    found = {
        **{name: getattr(beside, name) for name in Derived.model_fields},
        "epsilon": goal.epsilon,
        "delta": goal.delta,
        "budget": outputs["budget"],
        "epsilon_spent": outputs["epsilon_spent"],
        "sources": goal.sources,
    }
    if "classical_budget" not in outputs:
        return Held(**found)
    return HeldGaussian(**found, classical_budget=outputs["classical_budget"], classical_proved=outputs["classical_proved"])


def _reasons(removal: Removal, series: tuple[Entry, ...], ratio: float | None) -> tuple[Message, ...]:
    batches = series[1:]
    counts = {"batches": len(batches), "retrained": sum(entry.retrained for entry in batches)}
    found = [Message("removal.budget.worst", {"perturbation": removal.perturbation, **counts})]
    if ratio is None:
        found.append(Message("removal.budget.nothing-allowed"))
    else:
        if ratio > 1 and not removal.retrain_at_budget:
            found.append(Message("removal.budget.overrun"))
        found.append(Message("removal.budget.criterion"))
    if removal.extractor is not None:
        found.append(Message("removal.budget.extractor"))
    return tuple(found)


def _criterion(status: Status, ratio: float | None) -> tuple[Fact, ...]:
    """Whether the criterion is met; of one that promises nothing no guarantee can be made, met or not."""
    if status is Status.INCONCLUSIVE:
        return ()
    met = Provenance.COMPUTED if status is Status.PASS else Provenance.REFUTED
    return (fact("criterion-met", met, Message("fact.criterion-met.budget", {"ratio": ratio})),)


def _wanted(context: Context) -> bool:
    removal = context.procedure.removal
    return removal is not None and bool(removal.sigma)


CHECK = Definition(
    CARD,
    Observed,
    judge,
    applies,
    replays=True,
    first=always_first,
    wanted=_wanted,
    pledges=lambda context, findings: Pledges(by_loss=certified(context, findings[CARD.id], findings[residual.CARD.id])),
    derived=(Derived, Held, HeldGaussian),
)
