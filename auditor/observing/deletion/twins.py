"""The log run again with other records in the place of the deleted ones, for a procedure that no theorem speaks of.

Same places, same seeds; the content of what is deleted is another, in some runs its ids too. A procedure whose released models
depend on nothing of a deleted record gives the same models afterwards, bit for bit. A fixed model does, and so does exact
retraining.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np

from auditor.case import Case
from auditor.domain import Positions
from auditor.draws import generator
from auditor.errors import ProcedureError
from auditor.jobs import Job
from auditor.observing.deletion.replacing import twins
from auditor.observing.devices import Place, require_same
from auditor.observing.models_seen import difference, same, seen
from auditor.observing.replay import Replay, limits_of, specification
from auditor.sandbox import Answer, Device, Drop, Learn, Level, Parameters, Predict, Save, Step, Unlearn

_PROBED: Final = 128
"""Records that stay, and as many of those that go, whose predictions are compared beside the parameters."""

Run: TypeAlias = Callable[[Sequence[Job]], list[tuple[Answer, ...]]]


@dataclass(frozen=True, slots=True)
class Compared:
    """What the runs with other records showed."""

    runs: int
    replacements: tuple[str, ...]
    """What stood in the place of the deleted records."""
    reason: str | None = None
    """Why nothing could be compared."""
    differs_after: str | None = None
    """The first batch that a model differed after, although the replaced records had left by then; None where none did."""
    difference: float | None = None
    """The largest absolute difference of parameters or predictions there; None where their numbers differ."""
    by_file: bool = False
    """Whether it is the file of `save` alone that differs."""
    before_too: bool = False
    """Whether the models that still had the records were the same as well."""

    @property
    def same(self) -> bool:
        """Whether every model after a deletion was the same in all runs."""
        return self.reason is None and self.differs_after is None

    def listed(self) -> dict[str, Any]:
        """As the evidence holds it."""
        return {
            "runs": self.runs,
            "replacements": list(self.replacements),
            "same": self.same,
            "reason": self.reason,
            "differs_after": self.differs_after,
            "difference": self.difference,
            "by_file": self.by_file,
            "before_too": self.before_too,
        }


def compare(case: Case, replay: Replay, *, seed: int, level: Level, where: Place, run: Run) -> Compared:
    """Run the log as it is and with other records, and compare what is released after each batch.

    Args:
        case: With an executed request for a record of the training data.
        replay: What the rerun observed.
        seed: The auditor's own, which draws the other records.
        level: The sandbox level that stands.
        where: What the procedure computes on.
        run: Runs jobs side by side.

    Raises:
        SandboxError: If a sandbox could not be set up or torn down.
    """
    if replay.trajectory is None:
        return Compared(0, (), reason="the procedure offers no parameters(), so that its models cannot be compared")
    others = list(twins(case, replay.forgotten, seed=seed))
    words = tuple(dict.fromkeys(twin.words for twin in others))
    steps, probe = _steps(case, replay, where), case.train.subset(_probe(case, replay, seed))
    spec, limits = specification(case), limits_of(case)
    jobs = [
        Job(f"twin {number}", spec, {"train": table, "probe": probe}, steps, limits, level, where.device)
        for number, table in enumerate([case.train, *(twin.table for twin in others)])
    ]
    try:
        answers = run(jobs)
    except ProcedureError as error:
        return Compared(len(others), words, reason=f"with other records in their place the procedure failed: {error}")
    for each in answers:
        require_same(where, each)
    own, *changed = [seen(each) for each in answers]
    kept, *files = [_saved(each) for each in answers]
    last = f"model-{len(replay.forgotten)}"
    again = {f"model-{number}": (parameters,) for number, parameters in enumerate(replay.trajectory)}
    if not same({model: arrays[:1] for model, arrays in own.items()}, again) or kept[last] != replay.saved:
        reason = "two runs with the very same records differ, so that it cannot be told what other records would change"
        return Compared(len(others), words, reason=reason)
    before_too = all(same(own, each) for each in changed) and all(each == kept for each in files)
    found = Compared(len(others), words, before_too=before_too)
    for number, batch in enumerate(replay.batches, start=1):
        model, gone = f"model-{number}", [twin.until <= number for twin in others]
        one = {model: own[model]}
        differing = [each for each, left in zip(changed, gone, strict=True) if left and not same(one, each)]
        if differing:
            return replace(found, differs_after=batch.name, difference=difference(one, differing[0]))
        if any(left and each[model] != kept[model] for each, left in zip(files, gone, strict=True)):
            return replace(found, differs_after=batch.name, by_file=True)
    return found


def _saved(answers: Sequence[Answer]) -> dict[str, bytes | None]:
    """The file of each model, None where there is no `save`."""
    return {answer.step.model: answer.content for answer in answers if isinstance(answer.step, Save)}


def _steps(case: Case, replay: Replay, where: Place) -> tuple[Step, ...]:
    """The log in order, with what is released after each batch: parameters, predictions, and the file of `save`."""
    seed, rows = case.settings.procedure.seed, np.arange(len(case.train), dtype=np.int64)
    columns = len(np.unique(case.train.labels)) if case.settings.data.task == "classification" else None
    steps: list[Step] = [Device()] if where.device == "cuda" else []
    steps += [Learn("model-0", rows, seed), Parameters("model-0"), Predict("model-0", "probe", columns), Save("model-0")]
    for number, positions in enumerate(replay.forgotten, start=1):
        forget = np.flatnonzero(np.isin(rows, positions)).astype(np.int64)
        model = f"model-{number}"
        steps += [
            Unlearn(f"model-{number - 1}", model, rows, forget, seed + number),
            Parameters(model),
            Predict(model, "probe", columns),
            Save(model),
            Drop(f"model-{number - 1}"),
        ]
        rows = np.delete(rows, forget)
    return tuple(steps)


def _probe(case: Case, replay: Replay, seed: int) -> Positions:
    """Records to predict, of those that stay and of those that go: the latter as they are, in every run."""
    gone = np.concatenate(replay.forgotten)
    kept = np.setdiff1d(np.arange(len(case.train)), gone)
    rng = generator(seed, "twins", "probe")
    chosen = (rng.permutation(each)[:_PROBED] for each in (kept, gone))
    return np.sort(np.concatenate(list(chosen))).astype(np.int64)
