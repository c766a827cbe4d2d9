"""What the rerun of certified removal shows: the residuals along the log, and what is compared with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

import numpy as np

from auditor.audit.replay import Replay, loses_labels
from auditor.audit.stages import Measuring
from auditor.base.domain import Floats
from auditor.case import Case
from auditor.learning.declared_removal import Learned
from auditor.learning.residuals import row_norms
from auditor.parts.removal.judging import budget, output_noise, residual
from auditor.parts.removal.judging.measurements import Released, Replayed
from auditor.parts.removal.observing import privacy_loss
from auditor.parts.removal.observing.removal import BeyondFloat64Error, Walked, finite, norms, optima, walk
from auditor.settings.facets import Removal
from auditor.verdict.checks.finding import Values

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
        budget.Observed(worst_margins=found.worst_margins, privacy_loss=privacy_loss.diagnosed(case, removal, replay)),
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
