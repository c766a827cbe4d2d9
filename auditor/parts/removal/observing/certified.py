"""What the rerun of certified removal shows: the residuals along the log, and what is compared with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

import numpy as np

from auditor.audit.replay import Replay, loses_labels
from auditor.audit.stages import Measuring
from auditor.base.draws import generator
from auditor.base.records import Floats
from auditor.case import Case
from auditor.learning.declared_removal import Learned
from auditor.learning.logistic import Objective
from auditor.learning.one_versus_rest import Shape
from auditor.learning.residuals import bounded, row_norms
from auditor.parts.removal.judging import budget, output_noise, residual
from auditor.parts.removal.judging.budget import PrivacyLoss
from auditor.parts.removal.judging.measurements import Released, Replayed
from auditor.parts.removal.learning.privacy_loss import privacy_losses
from auditor.parts.removal.observing.removal import BeyondFloat64Error, Walked, finite, norms, optima, walk
from auditor.settings.facets import Removal
from auditor.verdict.checks.finding import Values

# Alongside `removal.budget`: the exact privacy loss over fresh perturbations, a diagnostic of the gap in Theorem 2.
# The perturbations are the auditor's own. The one that the release rests on is a secret, and its loss would tell something of
# it.
DRAWS: Final = 32
"""Enough to see a standard deviation that is twice what it should be."""
_MOST_WIDE: Final = 128
_MOST_WORK: Final = 1e10
"""Products of rows, squared features, batches and draws: some seconds."""


def diagnosed(case: Case, procedure: Removal, replay: Replay) -> PrivacyLoss | None:
    """The losses after the last batch of the log; None where the formula does not cover the procedure, or would take long.

    It covers one logistic model with Gaussian b that is never retrained along the log.
    """
    classes = np.unique(case.train.labels)
    rows, width = case.train.features.shape
    speaks = (
        procedure.loss == "logistic"
        and procedure.perturbation == "gaussian"
        and procedure.unlearn == "newton"
        and procedure.sigma > 0
        and len(classes) == 2
        and replay.batches
        and not any(replay.retrained)
    )
    if not speaks or width > _MOST_WIDE or rows * width**2 * len(replay.batches) * DRAWS > _MOST_WORK:
        return None
    features = bounded(case.train.features) if procedure.row_norms == "scale" else case.train.features
    signs = Shape().targets(case.train.labels, classes)[0]
    objective = Objective(features, signs, procedure.l2, np.zeros(width))
    drawn = generator(0, "privacy-loss").normal(0.0, procedure.sigma, (DRAWS, width))
    try:
        # Overflow is looked for in what comes out.
        with np.errstate(all="ignore"):
            found = privacy_losses(objective, replay.forgotten, drawn, sigma=procedure.sigma, tolerance=procedure.tolerance)
    except (ArithmeticError, np.linalg.LinAlgError):
        return None
    losses, shifts = found.losses[:, -1], found.shifts[:, -1]
    if not (np.isfinite(losses).all() and np.isfinite(shifts).all()):
        return None
    return PrivacyLoss(
        draws=DRAWS,
        mean=float(losses.mean()),
        deviation=float(losses.std(ddof=1)),
        largest=float(np.abs(losses).max()),
        shift=float(shifts.mean()),
    )


_Observed: TypeAlias = tuple[residual.Observed, budget.Observed]


def observe(case: Case, replay: Replay) -> Mapping[str, Values]:
    """Measure what every removal left; of a procedure of another kind, note which batches trained from scratch."""
    removal = case.settings.procedure.removal
    seen = _replayed(case, replay)
    # Overflow is looked for in what comes out.
    with np.errstate(over="ignore", invalid="ignore"):
        left, compared = (seen, budget.Observed()) if removal is None else _measured(case, removal, replay, seen)
    return {residual.CARD.id: left, budget.CARD.id: compared, output_noise.CARD.id: output_noise.Observed()}


def _replayed(case: Case, replay: Replay) -> residual.Observed:
    batches = tuple(
        Replayed(name=batch.name, request_ids=batch.request_ids, records=len(batch.record_ids), retrained=retrained)
        for batch, retrained in zip(replay.batches, replay.retrained, strict=True)
    )
    return residual.Observed(batches=batches, loses_labels=loses_labels(case, replay.forgotten))


def _measured(case: Case, removal: Removal, replay: Replay, seen: residual.Observed) -> _Observed:
    if replay.trajectory is None:
        raise AssertionError("the built-in procedure offers parameters()")
    if not replay.batches:
        return seen, budget.Observed()
    try:
        found = walk(case, removal, replay, replay.trajectory)
    except BeyondFloat64Error as error:
        return seen.model_copy(update={"beyond": error.names}), budget.Observed()
    scaled = int(np.count_nonzero(row_norms(case.train.features) > 1)) if removal.row_norms == "scale" else None
    released = _released(Learned(case.train, removal), found, replay.trajectory[-1] if case.shipped is None else case.shipped)
    return (
        seen.model_copy(update={"walk": found.measured, "released": released, "rows_scaled": scaled}),
        budget.Observed(worst_margins=found.worst_margins, privacy_loss=diagnosed(case, removal, replay)),
    )


def _released(learned: Learned, found: Walked, released: Floats) -> Released | None:
    """The gradient at the weights about to be released; None where they have another shape."""
    if released.shape != (learned.models * learned.dimensions,):
        return None
    weights = learned.weights(released, len(found.measured.optima) - 1)
    return Released(
        norms=tuple(finite(norm) for norm in norms(found.final, weights)), optimum=optima(found.final, weights, learned)
    )


class Certified(Measuring):
    """Residuals along the log, their budget, and noise at release."""

    checks = (residual.CARD.id, budget.CARD.id, output_noise.CARD.id)

    def measure(self, replay: Replay) -> Mapping[str, Values]:
        """Measure what every removal left."""
        return observe(self.run.case, replay)


STAGES: Final = (Certified,)
