"""Run the log again with other records in the place of the deleted ones, for a procedure that no theorem covers.

Same places, same seeds; the content of what is deleted is another, in some runs its ids too. A procedure whose released models
depend on nothing of a deleted record gives the same models afterwards, bit for bit. A fixed model does, and so does exact
retraining.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from auditor.audit.comparisons import Seen, difference, same, seen
from auditor.audit.devices import Place, require_same
from auditor.audit.replacing import Replaced, log_steps, model_after, replaced
from auditor.audit.replay import Replay, columns_of, limits_of, specification
from auditor.base.deletion_log.requests import Batch
from auditor.base.domain import Message
from auditor.base.draws import generator
from auditor.base.errors import ProcedureError
from auditor.base.records import Positions
from auditor.case import Case
from auditor.parts.data_deletion.judging.observed import CounterfactualRuns
from auditor.sandbox import Answer, Device, Level, Parameters, Predict, Save, Step
from auditor.sandbox.jobs import Job, Run

_PROBED: Final = 128
"""Records that stay, and as many of those that go, whose predictions are compared alongside the parameters."""


def compare(case: Case, replay: Replay, *, seed: int, level: Level, where: Place, run: Run) -> CounterfactualRuns:
    """Run the log as it is and with other records, and compare what is released after each batch.

    Args:
        case: With an executed request for a record of the training data.
        replay: What the rerun observed.
        seed: The auditor's own, which draws the other records.
        level: The sandbox level in force.
        where: What the procedure computes on.
        run: Runs jobs side by side.

    Raises:
        SandboxError: If a sandbox could not be set up or torn down.
    """
    if replay.trajectory is None:
        return CounterfactualRuns(runs=0, reason=Message("deletion.runs.no-parameters"))
    others = list(replaced(case, replay.forgotten, seed=seed))
    made = CounterfactualRuns(runs=len(others), replacements=tuple(dict.fromkeys(each.kind for each in others)))
    jobs = _jobs(case, replay, others, seed=seed, level=level, where=where)
    try:
        answers = run(jobs)
    except ProcedureError as error:
        return made.model_copy(update={"reason": Message("deletion.runs.failed", {"message": str(error)})})
    for each in answers:
        require_same(where, each)
    own, *changed = [_Released(seen(each), _saved(each)) for each in answers]
    if not _repeats(own, replay):
        return made.model_copy(update={"reason": Message("deletion.runs.by-chance")})
    before_too = all(same(own.models, each.models) and each.files == own.files for each in changed)
    differs = _first_difference(own, changed, [each.until for each in others], replay.batches)
    return made.model_copy(update={"before_too": before_too, **differs})


@dataclass(frozen=True, slots=True, eq=False)
class _Released:
    """What one run released."""

    models: Seen
    files: Mapping[str, bytes | None]


def _jobs(case: Case, replay: Replay, others: Sequence[Replaced], *, seed: int, level: Level, where: Place) -> list[Job]:
    """The run as it is, then one with each of the other tables."""
    steps, probe = _steps(case, replay, where), case.train.subset(_probe(case, replay, seed))
    spec, limits = specification(case), limits_of(case)
    return [
        Job(f"counterfactual run {number}", spec, {"train": table, "probe": probe}, steps, limits, level, where.device)
        for number, table in enumerate([case.train, *(each.table for each in others)])
    ]


def _repeats(own: _Released, replay: Replay) -> bool:
    """Whether the run as it is gave once more what the replay gave: its parameters and its last file."""
    again = {f"model-{number}": (parameters,) for number, parameters in enumerate(replay.trajectory or ())}
    alone = {model: arrays[:1] for model, arrays in own.models.items()}
    return same(alone, again) and own.files[f"model-{len(replay.forgotten)}"] == replay.saved


def _first_difference(
    own: _Released, changed: Sequence[_Released], until: Sequence[int], batches: Sequence[Batch]
) -> dict[str, object]:
    """The first batch after which a run whose other records are all deleted by then releases something else; {} for none."""
    for number, batch in enumerate(batches, start=1):
        model = f"model-{number}"
        gone = [each for each, last in zip(changed, until, strict=True) if last <= number]
        one = {model: own.models[model]}
        differing = [each for each in gone if not same(one, each.models)]
        if differing:
            return {"differs_after": batch.name, "difference": difference(one, differing[0].models)}
        if any(each.files[model] != own.files[model] for each in gone):
            return {"differs_after": batch.name, "by_file": True}
    return {}


def _saved(answers: Sequence[Answer]) -> dict[str, bytes | None]:
    """The file of each model, None where there is no `save`."""
    return {answer.step.model: answer.content for answer in answers if isinstance(answer.step, Save)}


def _steps(case: Case, replay: Replay, where: Place) -> tuple[Step, ...]:
    """The log in order, with what is released after each batch: parameters, predictions, and the file of `save`."""
    columns = columns_of(case)

    def look(number: int) -> tuple[Step, ...]:
        model = model_after(number)
        return Parameters(model), Predict(model, "probe", columns), Save(model)

    steps = log_steps(len(case.train), replay.forgotten, seed=case.settings.procedure.seed, look=look)
    return tuple([Device(), *steps] if where.device == "cuda" else steps)


def _probe(case: Case, replay: Replay, seed: int) -> Positions:
    """Records to predict, of those that stay and of those that go: the latter as they are, in every run."""
    gone = np.concatenate(replay.forgotten)
    kept = np.setdiff1d(np.arange(len(case.train)), gone)
    rng = generator(seed, "twins", "probe")
    chosen = (rng.permutation(each)[:_PROBED] for each in (kept, gone))
    return np.sort(np.concatenate(list(chosen))).astype(np.int64)
