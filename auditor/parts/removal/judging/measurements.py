"""What is measured on the data along a deletion log: norms, never a record, a weight or the perturbation b."""

from __future__ import annotations

from auditor.base.domain import Certificate, Fact, Message, Provenance
from auditor.maths.certificates import derive
from auditor.parts.removal.rules.extractor import KIND, of_group
from auditor.settings.facets import Extractor
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.stated import Amount, Count
from auditor.verdict.guarantees import Pledge, fact


# A private feature extractor below the linear model (Guo et al. 2020, Theorem 5): what it adds to the price of every removal.
# Nothing is unlearned from the extractor. That its training was private is the controller's word: the features come as they
# are.
def pledged(context: Context) -> Pledge | None:
    """What the extractor costs for all removed records together; None without a private extractor."""
    extractor = _declared(context)
    return None if extractor is None else Pledge(*of_group(extractor.epsilon, extractor.delta, _removed(context)))


def spent(context: Context) -> tuple[float, float]:
    """The same as ε and δ; nothing where there is none."""
    pledge = pledged(context)
    return (0.0, 0.0) if pledge is None else (pledge.epsilon, pledge.delta)


def together(context: Context, *, epsilon: float, delta: float) -> tuple[Certificate, ...]:
    """What extractor and removal cost together, the removal at the (ε, δ) that it is certified at."""
    extractor = _declared(context)
    if extractor is None:
        return ()
    given = {"extractor_epsilon": extractor.epsilon, "extractor_delta": extractor.delta}
    return (derive(KIND, {**given, "size": _removed(context), "epsilon": epsilon, "delta": delta}),)


def facts(context: Context) -> tuple[Fact, ...]:
    """That the extractor is private, and that removal would have kept its criterion above any other that was drawn."""
    extractor, removal = _declared(context), context.procedure.removal
    if extractor is None or removal is None:
        return ()
    (epsilon, delta), records = spent(context), _removed(context)
    if delta >= 1:
        return (fact("extractor-private", Provenance.REFUTED, Message("fact.extractor-private.group", {"records": records})),)
    numbers = {"epsilon": extractor.epsilon, "delta": extractor.delta, "all_epsilon": epsilon, "all_delta": delta}
    found = []
    if context.attests("extractor-private"):
        said = Message("fact.extractor-private.attested", {**numbers, "records": records, "by": context.claims.attested_by})
        found.append(fact("extractor-private", Provenance.ATTESTED, said))
    if removal.enforces_criterion:
        found.append(
            fact("every-extractor", Provenance.COMPUTED, Message("fact.every-extractor.enforced", {"use": removal.built_in}))
        )
    return tuple(found)


def _declared(context: Context) -> Extractor | None:
    removal = context.procedure.removal
    return None if removal is None else removal.extractor


def _removed(context: Context) -> int:
    """The records that the log removes, all of which were in the extractor's training; 1 where it removes none."""
    return max(1, context.records_removed)


class Replayed(Values):
    """One batch of the log, as it was replayed."""

    name: str
    request_ids: tuple[str, ...]
    records: Count
    """How many training records it removed."""
    retrained: bool
    """Whether the procedure says that it trained from scratch."""


class Steps(Values):
    """Columns of the rules `removal-residual` and `joint-residual`: one entry a batch and class, those of a batch together."""

    gradient_norm: tuple[Amount, ...]
    """‖∇L_b(w; D)‖₂ before the batch."""
    spectral_norm: tuple[Amount, ...]
    """An upper bound of ‖X‖₂ of the records that remain; one entry a batch."""
    step_norm: tuple[Amount, ...]
    """‖δ‖₂, δ the step that was taken."""
    step_predictions_norm: tuple[Amount, ...]
    """‖Xδ‖₂."""
    step_predictions_norm4: tuple[Amount, ...]
    """‖Xδ‖₄²."""
    local_curvature_norm: tuple[Amount, ...]
    """‖(γᵢvᵢ²)ᵢ‖₂, v = Xδ, γᵢ a Lipschitz constant along the segment of record i."""
    solver_error: tuple[Amount, ...]
    """‖Hδ − Δ‖₂."""
    rounding_floor: tuple[Amount, ...]
    """What arithmetic itself may lose in the residual."""
    measured: tuple[Amount, ...]
    """‖∇L_b(w; D′)‖₂ after the batch."""


class Removals(Values):
    """Removals one after another from a trained model."""

    leftovers: tuple[Amount, ...]
    """What training left, of each class: the gradient norm with what rounding may add."""
    steps: Steps
    batch_leftovers: tuple[Amount, ...]
    """The same after each batch that was answered by training, 0 after any other; one entry a batch and class."""


class Optimum(Values):
    """The exactly retrained optimum of the same objective, compared with some weights; None where float64 does not hold it."""

    gradient: Amount | None
    """‖∇L_b‖₂ at the optimum, as far as float64 goes."""
    distance: Amount | None
    """‖w − w_r‖₂."""
    distance_bound: Amount | None
    """(‖∇L_b(w)‖ + ‖∇L_b(w_r)‖)/(λn′), by strong convexity."""


class Walk(Values):
    """What was measured from training to the last batch of the log."""

    row_norm: Amount
    """The largest norm of a record's features, as the procedure takes them."""
    removals: Removals
    optima: tuple[Optimum | None, ...]
    """After training and after each batch; None where float64 reached no optimum."""


class Released(Values):
    """The weights about to be released, less the noise of the release, on the records that are left."""

    norms: tuple[Amount | None, ...]
    """‖∇L_b‖₂ of each class; None where float64 does not hold it."""
    optimum: Optimum | None
