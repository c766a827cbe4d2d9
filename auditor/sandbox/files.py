"""The files through which a step and its answer pass: what a line of the wire cannot hold.

The auditor writes what a step reads before it asks, and reads what the step left once it has an answer; `returned` and
`surveyed` check it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from auditor.base.mixed_columns import Columns
from auditor.base.records import Floats
from auditor.sandbox import modules, returned, state_found, walked, wire
from auditor.sandbox.activations import LARGEST, Activate, Contents, written
from auditor.sandbox.games import Guess, Play
from auditor.sandbox.inventory import Inventory
from auditor.sandbox.scratch import Scratch
from auditor.sandbox.steps import Load, Modules, Parameters, Predict, PredictRows, Save, State, Step, Survey, Walk

# Seeds are secrets: a certificate may rest on nobody knowing them, so they leave no trace in messages or facts.
_SECRET_DIGITS = 6
"""Shorter seeds are guessed anyway, and blotting out every "0" or "42" would itself tell them."""


class Seeds:
    """The seeds that one procedure has been given so far."""

    def __init__(self) -> None:
        """Start with none."""
        self._seeds: set[str] = set()

    def add(self, seed: int) -> None:
        """Remember a seed, if it is long enough to be one that is not guessed."""
        digits = str(abs(seed))
        if len(digits) >= _SECRET_DIGITS:
            self._seeds.add(digits)

    def hide(self, text: str) -> str:
        """The text with every seed, written in decimal, blotted out."""
        for seed in self._seeds:
            if seed in text:
                text = re.sub(rf"(?<!\d){seed}(?!\d)", "[seed]", text)
        return text

    def told_by(self, facts: Mapping[str, float | bool | str]) -> bool:
        """Whether a name or value among the facts tells a seed; numbers are compared as the floats that they became."""
        if any(self.hide(str(item)) != str(item) for pair in facts.items() for item in pair):
            return True
        numbers = {_as_float(seed) for seed in self._seeds}
        return any(isinstance(value, float) and abs(value) in numbers for value in facts.values())

    def __repr__(self) -> str:
        """How many there are, and no more."""
        return f"Seeds({len(self._seeds)})"


def _as_float(seed: str) -> float | None:
    try:
        return float(int(seed))
    except OverflowError:  # no fact can hold it
        return None


class Files:
    """The files of the steps of one worker, in its scratch folder."""

    def __init__(
        self,
        scratch: Scratch,
        inventory: Inventory,
        seeds: Seeds,
        *,
        limit: int,
        accompanied: Callable[[], bool],
        table: Columns | None = None,
    ) -> None:
        """Take note of where they lie.

        Args:
            scratch: The folder.
            inventory: What there is in the worker: how many rows a prediction has.
            seeds: Those that no survey may tell.
            limit: How many bytes a file may have.
            accompanied: Whether the procedure has started processes that still run.
            table: What codes stand for where records are of mixed columns.
        """
        self._table, self._accompanied = table, accompanied
        self._scratch, self._inventory, self._seeds, self._limit = scratch, inventory, seeds, limit

    def hand_over(self, step: Step, number: int) -> int:
        """Write what a step reads from the scratch folder.

        Args:
            step: The step.
            number: Its own, under which the child finds it.

        Returns:
            The folder that it shall save to, as a descriptor, or -1 where it saves nothing.
        """
        if isinstance(step, PredictRows) and self._table is not None:
            self._scratch.write_rows(str(number), self._table, step.features)
        elif isinstance(step, Activate):
            self._scratch.write_plays(f"{number}.json", written(step.plays))
        elif positions := wire.positions(step):
            self._scratch.write_positions(f"{number}.npz", positions)
        if isinstance(step, Load):
            self._scratch.write_model(f"{number}.model", step.content)
        return self._scratch.make_folder(f"{number}.saved") if isinstance(step, Save) else -1

    def collect(  # noqa: C901, PLR0911 - one line a kind
        self, step: Step, saved: int, name: str, where: str
    ) -> tuple[Floats | None, bytes | None]:
        """Read and check what a step left in the scratch folder.

        Args:
            step: The step.
            saved: What `hand_over` gave.
            name: The name of its answer there, without the suffix.
            where: The step, for the message.

        Returns:
            An array or bytes, whichever the step answers with; neither where it leaves nothing.

        Raises:
            ProcedureError: If a file is missing, or is not what the step asks for.
        """
        match step:
            case Save():
                return None, returned.read_only_file(saved, limit=self._limit, where=where)
            case State():
                return None, returned.read_file(self._scratch.answers_folder, f"{name}.bin", limit=self._limit, where=where)
            case Survey():
                content = returned.read_file(self._scratch.answers_folder, f"{name}.json", limit=state_found.BYTES, where=where)
                return None, state_found.cleaned(content, hide=self._seeds.hide, where=where)
            case Modules():
                return None, returned.read_file(self._scratch.answers_folder, f"{name}.json", limit=modules.BYTES, where=where)
            case Walk():
                content = returned.read_file(self._scratch.answers_folder, f"{name}.json", limit=walked.BYTES, where=where)
                accompanied = self._accompanied()
                return None, walked.cleaned(content, hide=self._seeds.hide, where=where, accompanied=accompanied)
            case PredictRows(features=features, columns=columns):
                content = returned.read_file(self._scratch.answers_folder, f"{name}.npy", limit=self._limit, where=where)
                return returned.predictions_from(content, where, rows=len(features), columns=columns), None
            case Parameters():
                content = returned.read_file(self._scratch.answers_folder, f"{name}.npy", limit=self._limit, where=where)
                return returned.parameters_from(content, where), None
            case Predict():
                content = returned.read_file(self._scratch.answers_folder, f"{name}.npy", limit=self._limit, where=where)
                rows = self._inventory.rows(step)
                return returned.predictions_from(content, where, rows=rows, columns=step.columns), None
            case Play():
                content = returned.read_file(self._scratch.answers_folder, f"{name}.npy", limit=self._limit, where=where)
                return returned.released_from(content, where, games=len(step.worlds)), None
            case Guess():
                content = returned.read_file(self._scratch.answers_folder, f"{name}.npy", limit=self._limit, where=where)
                return returned.guesses_from(content, where, games=len(step.released)), None
            case Activate() | Contents():
                limit = min(self._limit, LARGEST)
                return None, returned.read_file(self._scratch.answers_folder, f"{name}.bin", limit=limit, where=where)
            case _:
                return None, None
