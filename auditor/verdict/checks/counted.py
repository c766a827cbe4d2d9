"""Hold how often one event was seen in each of two worlds, which its limits follow from."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.quantities import Count, Positive


class Counted(Values):
    """How often one event was seen, among draws that nothing was fitted on."""

    hits: Count
    """In world 0."""
    trials: Positive
    other_hits: Count
    """In world 1."""
    other_trials: Positive

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if self.hits > self.trials or self.other_hits > self.other_trials:
            raise ValueError("an event is seen no more often than it is looked for")
        return self

    @property
    def share_right(self) -> float:
        """The share of draws whose world the event names."""
        return (self.hits + self.other_trials - self.other_hits) / (self.trials + self.other_trials)
