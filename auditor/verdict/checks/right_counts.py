"""Count the records that an unlearned model and a retrained one predict right, together and alone."""

from __future__ import annotations

from typing import Self

import numpy as np
import numpy.typing as npt
from pydantic import model_validator

from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.quantities import Count, Positive


class Counts(Values):
    """Right predictions on one table, by the unlearned model and by one retrained on what is left."""

    records: Positive
    unlearned_right: Count
    retrained_right: Count
    lost: Count
    """Records that the retrained model alone predicts right."""
    won: Count
    """Records that the unlearned model alone predicts right."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        require_counts(self.unlearned_right, self.retrained_right, self.lost, self.won)
        if self.retrained_right + self.won > self.records:
            raise ValueError("no more records are predicted right than there are")
        return self

    @classmethod
    def of(cls, unlearned: npt.NDArray[np.bool_], retrained: npt.NDArray[np.bool_]) -> Counts:
        """Sum up which records each of two models predicts right, both of shape (n,), n at least 1."""
        return Counts(
            records=len(unlearned),
            unlearned_right=int(unlearned.sum()),
            retrained_right=int(retrained.sum()),
            lost=int((retrained & ~unlearned).sum()),
            won=int((unlearned & ~retrained).sum()),
        )


def require_counts(unlearned_right: int, retrained_right: int, lost: int, won: int) -> None:
    """Refuse counts of two models that cannot be those of the same records.

    Raises:
        ValueError: If they cannot.
    """
    if retrained_right - lost != unlearned_right - won or lost > retrained_right:
        raise ValueError("both models predict the same records right but for those that one alone does")
