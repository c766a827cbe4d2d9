"""What is measured on the data along a deletion log: norms, never a record, a weight or the perturbation b."""

from __future__ import annotations

from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.quantities import Amount, Count


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
