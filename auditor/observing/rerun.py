"""What the rerun shows of the model that is shipped, and of time."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from auditor.case import Case
from auditor.checks import cost_speedup, model_reproduced
from auditor.checks.finding import Values
from auditor.observing.replay import Replay


def observe(case: Case, replay: Replay) -> Mapping[str, Values]:
    """Hold what the rerun gave beside the shipped model and the clock."""
    return {
        model_reproduced.CARD.id: _reproduced(case, replay),
        cost_speedup.CARD.id: cost_speedup.Observed(
            unlearn_seconds=replay.unlearn_seconds,
            retrain_seconds=replay.retrain_seconds,
            warm_refit_seconds=replay.warm_refit_seconds,
            batches=len(replay.batches),
        ),
    }


def _reproduced(case: Case, replay: Replay) -> model_reproduced.Observed:
    shipped, final = case.shipped, replay.trajectory[-1] if replay.trajectory else None
    difference = None
    if shipped is not None and final is not None and shipped.shape == final.shape:
        difference = float(np.max(np.abs(shipped - final)))
    between = replay.self_check_difference
    return model_reproduced.Observed(
        parameters=None if final is None else int(final.size),
        shipped_parameters=None if shipped is None else int(shipped.size),
        difference=difference,
        self_check_difference=between if between is not None and math.isfinite(between) else None,
        largest=0.0 if final is None else float(np.max(np.abs(final))),
    )
