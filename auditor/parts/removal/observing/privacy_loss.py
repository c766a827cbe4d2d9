"""Alongside `removal.budget`: the exact privacy loss over fresh perturbations, a diagnostic of the gap in Theorem 2.

The perturbations are the auditor's own. The one that the release rests on is a secret, and its loss would tell something of it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from auditor.audit.replay import Replay
from auditor.base.draws import generator
from auditor.case import Case
from auditor.learning.logistic import Objective
from auditor.learning.one_versus_rest import Shape
from auditor.learning.row_norms import bounded
from auditor.parts.removal.judging.budget import PrivacyLoss
from auditor.parts.removal.learning.privacy_loss import privacy_losses
from auditor.settings.facets import Removal

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
