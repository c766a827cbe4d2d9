"""Draw updates that a learner is tried with, deletions of one record each, and write the steps that they take.

Models are named after the update that made them, `model-0` by learning, so that a run that was resumed can be held against the
original name by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from auditor.base.draws import generator
from auditor.base.records import Positions
from auditor.case import Case
from auditor.sandbox import (
    TRAIN,
    Device,
    DeviceKind,
    Drop,
    Learn,
    Load,
    Parameters,
    Predict,
    Save,
    Step,
    Survey,
    Unlearn,
)

UPDATES: Final = 4
RESUMED: Final = (0, 1, 2, 3)
"""After which updates a fresh process goes on, 0 being learning, and runs the next one: a state may be built in any of them, and
be read in the next one alone."""
_PROBED: Final = 256
"""Records whose predictions are compared alongside the parameters."""


@dataclass(frozen=True, slots=True, eq=False)
class Updates:
    """What is deleted, and how it is examined."""

    rows: Positions
    """Shape (n,): every training record."""
    records: Positions
    """Shape (updates,): the record that each update deletes."""
    probe: Positions
    """Shape (m,): records that stay, which every model predicts."""
    columns: int | None
    """Classes of a prediction; None for regression."""
    seed: int
    """The procedure's own: learning gets it, the k-th update gets seed + k, as in the replay of the log."""
    device: DeviceKind

    def original(self, *, until: int | None = None) -> tuple[Step, ...]:
        """Learn and run every update in one process, to the last or the given one, looking around after each."""
        steps: list[Step] = [Device()] if self.device == "cuda" else []
        steps += [Survey(), Learn(model_after(0), self.rows, self.seed), *self._look(0), Save(model_after(0)), Survey()]
        for number in range(1, (until or len(self.records)) + 1):
            steps += [*self._update(number), Save(model_after(number)), Survey(), Drop(model_after(number - 1))]
        return tuple(steps)

    def resumed(self, after: int, content: bytes) -> tuple[Step, ...]:
        """Run the next update from a model file, after an update that somebody else ran."""
        steps: list[Step] = [Device()] if self.device == "cuda" else []
        return (*steps, Load(model_after(after), content), *self._update(after + 1))

    def _update(self, number: int) -> list[Step]:
        """One update and what the model is after it."""
        rows = np.setdiff1d(self.rows, self.records[: number - 1])
        forget = np.flatnonzero(rows == self.records[number - 1]).astype(np.int64)
        model = model_after(number)
        return [
            Unlearn(model_after(number - 1), model, rows, forget, self.seed + number),
            *self._look(number),
        ]

    def _look(self, number: int) -> list[Step]:
        """What the model after an update is."""
        model = model_after(number)
        return [Parameters(model), Predict(model, TRAIN, self.columns, self.probe)]


def model_after(update: int) -> str:
    """The name of the model after an update; 0 for learning."""
    return f"model-{update}"


def draw(case: Case, *, seed: int, device: DeviceKind) -> Updates | None:
    """Draw the records; None where the data hold too few that can go without a label going with them.

    Args:
        case: The case.
        seed: The auditor's own.
        device: What the procedure computes on.
    """
    labels, classifies = case.train.labels, case.settings.data.task == "classification"
    values, numbers, counts = np.unique(labels, return_inverse=True, return_counts=True)
    order = generator(seed, "stateless", "records").permutation(len(labels))
    chosen: list[int] = []
    for position in order.tolist():
        if len(chosen) == UPDATES or len(labels) - len(chosen) <= 2:
            break
        if not classifies or counts[numbers[position]] > 1:
            counts[numbers[position]] -= 1
            chosen.append(position)
    if len(chosen) < UPDATES:
        return None
    return Updates(
        rows=np.arange(len(labels), dtype=np.int64),
        records=np.array(chosen, dtype=np.int64),
        probe=np.sort(np.setdiff1d(order[: _PROBED + UPDATES], chosen)[:_PROBED]).astype(np.int64),
        columns=len(values) if classifies else None,
        seed=case.settings.procedure.seed,
        device=device,
    )
