"""Read off the auditor's clock what unlearning took in the rerun, and what retraining did."""

from __future__ import annotations

from collections.abc import Mapping

from auditor.audit.replay import Replay
from auditor.parts.usefulness.judging import cost_speedup
from auditor.verdict.checks.finding import Values


def observe(replay: Replay) -> Mapping[str, Values]:
    """Hold both times alongside one another, in seconds."""
    return {
        cost_speedup.CARD.id: cost_speedup.Observed(
            unlearn_seconds=replay.unlearn_seconds,
            retrain_seconds=replay.retrain_seconds,
            warm_refit_seconds=replay.warm_refit_seconds,
            batches=len(replay.batches),
        ),
    }
