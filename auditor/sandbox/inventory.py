"""What there is in a worker, as the auditor knows it: tables, and models by name with whether the procedure could make them.

A step on what does not exist is a mistake of the auditor's and never reaches the child. A step on a model that an optional
method should have made, and that the procedure lacks, has an answer without asking.
"""

from __future__ import annotations

from collections.abc import Mapping

from auditor.base.records import Dataset, Part, Positions
from auditor.sandbox.activations import Activate, Contents
from auditor.sandbox.games import Guess, Play
from auditor.sandbox.steps import TRAIN, Device, Drop, Learn, Load, Modules, Predict, Refit, Step, Survey, Together, Unlearn

_WITHOUT_A_MODEL = (Learn, Load, Survey, Modules, Device, Play, Guess, Activate, Contents)
"""Steps that read no model."""


class Inventory:
    """The tables of one worker, and the models that steps have made so far."""

    def __init__(self, tables: Mapping[str, Dataset | Part]) -> None:
        """Start with no model."""
        self._sizes = {name: len(table) for name, table in tables.items()}
        self._models: dict[str, bool] = {}

    def require(self, step: Step) -> None:
        """See that a step names what exists.

        Raises:
            ValueError: If it names a table, a model or positions that do not exist; or, of several at a time, a model that the
                procedure could not make.
        """
        if isinstance(step, Together):
            for each in step.steps:
                self.require(each)
                if not self.can(each):
                    raise ValueError("together: expected models that the procedure made, found one that it did not")
            return
        if isinstance(step, Learn | Unlearn | Refit):
            _require_within(step.rows, self._sizes[TRAIN], "training records")
        if isinstance(step, Predict):
            if step.table not in self._sizes:
                raise ValueError(f"table: expected one of {', '.join(self._sizes)}, found {step.table}")
            if step.rows is not None:
                _require_within(step.rows, self._sizes[step.table], f"records of {step.table}")
        if not isinstance(step, _WITHOUT_A_MODEL) and step.model not in self._models:
            raise ValueError(f"model: expected one that an earlier step made, found {step.model}")

    def can(self, step: Step) -> bool:
        """Whether the procedure made the model that a step reads."""
        return isinstance(step, (*_WITHOUT_A_MODEL, Together)) or self._models[step.model]

    def rows(self, step: Predict) -> int:
        """How many rows a prediction has."""
        return self._sizes[step.table] if step.rows is None else step.rows.size

    def note(self, step: Step, *, supported: bool) -> None:
        """Keep account of the models that a step made or dropped."""
        match step:
            case Learn(into=into) | Load(into=into) | Unlearn(into=into) | Refit(into=into):
                self._models[into] = supported
            case Drop(model=model):
                del self._models[model]
            case Together(steps=steps):
                for each in steps:
                    self.note(each, supported=supported)
            case _:
                pass


def _require_within(rows: Positions, records: int, which: str) -> None:
    if rows.size and not 0 <= rows.min() <= rows.max() < records:
        raise ValueError(f"rows: expected positions within {records} {which}")
