"""Read off the auditor's clock what unlearning took in the rerun, and what retraining did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from auditor.audit.replay import Replay
from auditor.audit.stages import Measuring
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


class Cost(Measuring):
    """Time of unlearning and of retraining."""

    checks = (cost_speedup.CARD.id,)

    def measure(self, replay: Replay) -> Mapping[str, Values]:
        """Read both times."""
        return observe(replay)


STAGES: Final = (Cost,)
