"""What a run shows of data deletion: counts, norms and noise of the rerun, and models of runs with other records."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from auditor.base.domain import Message
from auditor.base.records import Replacement
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.stated import Amount, Count, Positive


class Removed(Values):
    """The training records that one batch of the log removed."""

    batch: str
    removed: Count


class NoiseOfUpdate(Values):
    """The noise that learning or one batch added."""

    number: Count
    """0 for learning, else that of the batch."""
    measured: float
    """The mean of the squares of the numbers that were added, rounded to a part of the accepted interval."""
    count: Positive


class MeasuredNoise(Values):
    """The noise that the rerun added, recovered from its iterates. Its exact size is a secret."""

    measured: float
    """The mean square over all updates, rounded likewise."""
    count: Positive
    updates: tuple[NoiseOfUpdate, ...]
    """Those that took a step."""
    told: Positive
    """How many updates there were, those of no step included."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        numbers = [each.number for each in self.updates]
        if numbers != sorted(set(numbers)) or max(numbers, default=0) >= self.told:
            raise ValueError(f"updates are numbered in their order, below {self.told}, found {numbers}")
        if sum(each.count for each in self.updates) != self.count:
            raise ValueError("the numbers that all updates added are those of each together")
        return self


class DescentRun(Values):
    """What was counted and measured of noisy gradient descent."""

    steps: tuple[Count | None, ...]
    """Of learning and of each batch, as they were counted; None where the rerun does not tell."""
    noise: MeasuredNoise | None
    """None where the rerun does not tell, or added none at all."""
    largest_row_norm: Amount | None
    """Of the rows as they are learned from; None where float64 does not hold its square, or no premise asks for it."""
    least_curvature: float | None
    """The least second difference of the loss along random directions; None where none was examined."""
    largest_loss: float | None
    largest_gradient_norm: Amount | None
    """Of one record's loss."""


class CounterfactualRuns(Values):
    """What runs of the log with other records in the place of the deleted ones showed."""

    runs: Count
    replacements: tuple[Replacement, ...] = ()
    reason: Message | None = None
    """Why nothing could be compared."""
    differs_after: str | None = None
    """The first batch that a model differed after, although the replaced records had left by then; None where none did."""
    difference: Amount | None = None
    """The largest absolute difference of parameters or predictions there; None where their numbers differ."""
    by_file: bool = False
    """Whether it is the file of `save` alone that differs."""
    before_too: bool = False
    """Whether the models that still had the records were the same as well."""

    @property
    def same(self) -> bool:
        """Whether every model after a deletion was the same in all runs."""
        return self.reason is None and self.differs_after is None


class Observed(Values):
    """What the rerun shows."""

    deleted: tuple[Removed, ...]
    """The batches of the log in order."""
    labels_lost: bool
    """Whether a label that only deleted records had still has its place in the model."""
    parameter_count: Count | None
    """None where the procedure offers no parameters."""
    seconds_unlearning: Amount | None
    """Median of one batch; None where there was none."""
    seconds_retraining: Amount
    descent: DescentRun | None
    """None where the procedure is not noisy gradient descent."""
    counterfactual: CounterfactualRuns | None
    """None where a theorem covers the procedure, or nothing is claimed of it."""
