"""What `release.remembers` takes from a run: the release and models alongside it, under attack on the deleted records.

questions  what is asked, drawn before any model is trained
linear     linear models of ours, many at a time;  models: any others, in the sandbox
scores     attacks on their answers, request by request and together

A second stage follows where the first calls for one: further retrained models, which take the place of the first ones in every
score. The release and the models that hold the records are those of the first stage.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypedDict

import numpy as np

from auditor.audit.replay import Replay
from auditor.audit.run_options import RunOptions
from auditor.base.domain import Message
from auditor.case import Case
from auditor.parts.release.judging.release_remembers import SECOND_MODELS, NoSecond, Observed, Scored, calls_for_second
from auditor.parts.release.judging.release_remembers.observed import Group, Kind, Neighbourhood, Scores
from auditor.parts.release.observing.release_remembers import linear
from auditor.parts.release.observing.release_remembers.models import Answers, Sandboxed, Training, replaced
from auditor.parts.release.observing.release_remembers.questions import HELD_OUT, MOVES, Questions, draw, further_seeds
from auditor.parts.release.observing.release_remembers.scores import Asked, Models, grouped, groups_of, in_millionths, tables

_QUICK_MODELS: Final = 9
_QUICK_HELD_OUT: Final = 1


def observe(case: Case, replay: Replay, how: RunOptions) -> Observed:
    """Train shadow models of the release, and let attacks at all of them.

    Args:
        case: The case.
        replay: What the rerun observed.
        how: How to observe: a quick run trains few models, which decide nothing, and no second stage.

    Raises:
        ProcedureError: If the procedure failed.
        SandboxError: If a model gave no predictions, or a sandbox could not be had.
        NoDeviceError: If a run did not use the CUDA device that was found.
    """
    declared = case.settings.release.models
    models = min(declared, _QUICK_MODELS) if how.quick else declared
    held_out = _QUICK_HELD_OUT if how.quick else HELD_OUT
    questions = draw(case, replay.forgotten, models=models, holding=HELD_OUT + held_out, seed=how.seed)
    if questions is None:
        return Observed(untried=Message("release.remembers.no-group"))
    training: Training = (
        linear.Linear(case, questions, replay)
        if linear.batched(case)
        else Sandboxed(case, questions, seed=how.seed, level=how.level, where=how.where, run=how.run)
    )
    return in_stages(
        questions,
        training,
        seeds=further_seeds(questions, SECOND_MODELS, seed=how.seed),
        most_s=how.second_stage_s,
        quick=how.quick,
        workers=how.workers,
    )


def in_stages(
    questions: Questions, training: Training, *, seeds: Sequence[int], most_s: float, quick: bool = False, workers: int = 1
) -> Observed:
    """Score the models of the first stage, and of a second one where the first calls for it and there is time for it.

    Args:
        questions: What is asked.
        training: Trains the models.
        seeds: Of the retrained models of a second stage; none of the first stage's.
        most_s: The seconds that a second stage may take, as the first one lets expect; 0 where none may follow.
        quick: Whether the run decides nothing.
        workers: Runs side by side.
    """
    found = training.play()
    first = scored(questions, found)
    if not calls_for_second(first, quick=quick):
        return first
    seconds = training.seconds_of(len(seeds)) / workers
    if most_s <= 0 or seconds > most_s:
        why: Literal["budget", "time"] = "time" if most_s > 0 else "budget"
        return first.model_copy(update={"no_second": NoSecond(why=why, seconds=seconds, most=most_s)})
    fresh = training.retrained(seeds)
    return first.model_copy(update={"second": Scored(**_scores(questions, replaced(found, fresh)))})


def scored(questions: Questions, found: Answers) -> Observed:
    """Score what the models of a first stage answer."""
    nothing_unseen = not len(questions.unseen)
    return Observed(
        source=found.source,
        unseen=None if nothing_unseen else "retained" if questions.unseen_are_retained else "holdout",
        unseen_records=len(questions.unseen),
        asked=len(questions.asked),
        deleted=questions.deleted,
        **_scores(questions, found),
    )


class _Columns(TypedDict):
    """The fields of `Scored`."""

    distinct: int
    left_out: tuple[Neighbourhood, ...]
    kinds: tuple[Kind, ...]
    groups: tuple[Group, ...]
    release: Scores
    retrained: tuple[Scores, ...]
    holding: tuple[Scores, ...]
    held_out: tuple[Scores, ...]


def _scores(questions: Questions, found: Answers) -> _Columns:
    """Score what the models of one stage answer: whatever centres, scales or matches comes from its own pool."""
    which = Models(found.models, HELD_OUT)
    blocks: dict[Neighbourhood, Asked] = {"records": Asked(found.records, questions.codes)}
    blocks |= {name: Asked(array, questions.codes) for name, array in found.copies.items()}
    kinds, columns = [], []
    for kind, scores in tables(blocks, Asked(found.unseen, questions.unseen_codes), which):
        kinds.append(kind)
        columns.append(grouped(scores, questions.requests, which))
    release, *others = in_millionths(np.concatenate(columns, axis=1), which)
    ends = (found.models, found.models + HELD_OUT)
    return _Columns(
        distinct=len({_bits(found, model) for model in range(1, 1 + found.models)}),
        left_out=tuple(name for name in MOVES if name not in found.copies),
        kinds=tuple(kinds),
        groups=groups_of(questions.requests),
        release=release,
        retrained=tuple(others[: ends[0]]),
        holding=tuple(others[ends[0] : ends[1]]),
        held_out=tuple(others[ends[1] :]),
    )


def _bits(found: Answers, model: int) -> bytes:
    """Everything that a model answered."""
    return b"".join(each[model].tobytes() for each in (found.records, found.unseen, *found.copies.values()))
