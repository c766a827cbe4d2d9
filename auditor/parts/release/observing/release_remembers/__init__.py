"""What `release.remembers` takes from a run: the release and models alongside it, under attack on the deleted records.

questions  what is asked, drawn before any model is trained
linear     linear models of ours, many at a time;  models: any others, in the sandbox
scores     attacks on their answers, request by request and together
"""

from __future__ import annotations

from typing import Final

import numpy as np

from auditor.audit.devices import Place
from auditor.audit.replay import Replay
from auditor.base.domain import Message
from auditor.case import Case
from auditor.parts.release.judging.release_remembers import Observed
from auditor.parts.release.judging.release_remembers.observed import Neighbourhood
from auditor.parts.release.observing.release_remembers import linear
from auditor.parts.release.observing.release_remembers.models import Answers, Sandboxed
from auditor.parts.release.observing.release_remembers.questions import HELD_OUT, MOVES, Questions, draw
from auditor.parts.release.observing.release_remembers.scores import Asked, Models, grouped, groups_of, in_millionths, tables
from auditor.sandbox import Level
from auditor.sandbox.jobs import Run

_QUICK_MODELS: Final = 9
_QUICK_HELD_OUT: Final = 1


def observe(case: Case, replay: Replay, *, seed: int, quick: bool, level: Level, where: Place, run: Run) -> Observed:
    """Train shadow models of the release, and let attacks at all of them.

    Args:
        case: The case.
        replay: What the rerun observed.
        seed: The auditor's own.
        quick: Train few models, which decide nothing.
        level: The sandbox level in force.
        where: What the procedure computes on.
        run: Runs jobs.

    Raises:
        ProcedureError: If the procedure failed.
        SandboxError: If a model gave no predictions, or a sandbox could not be had.
        NoDeviceError: If a run did not use the CUDA device that was found.
    """
    models = min(case.settings.release.models, _QUICK_MODELS) if quick else case.settings.release.models
    held_out = _QUICK_HELD_OUT if quick else HELD_OUT
    questions = draw(case, replay.forgotten, models=models, holding=HELD_OUT + held_out, seed=seed)
    if questions is None:
        return Observed(untried=Message("release.remembers.no-group"))
    if linear.batched(case):
        found = linear.play(case, questions, replay)
    else:
        found = Sandboxed(case, questions, seed=seed, level=level, where=where, run=run).play()
    return scored(questions, found)


def scored(questions: Questions, found: Answers) -> Observed:
    """Score what the models answer."""
    which = Models(found.models, HELD_OUT)
    blocks: dict[Neighbourhood, Asked] = {"records": Asked(found.records, questions.codes)}
    blocks |= {name: Asked(array, questions.codes) for name, array in found.copies.items()}
    kinds, columns = [], []
    for kind, scores in tables(blocks, Asked(found.unseen, questions.unseen_codes), which):
        kinds.append(kind)
        columns.append(grouped(scores, questions.requests, which))
    release, *others = in_millionths(np.concatenate(columns, axis=1), which)
    ends = (found.models, found.models + HELD_OUT)
    nothing_unseen = not len(questions.unseen)
    return Observed(
        source=found.source,
        unseen=None if nothing_unseen else "retained" if questions.unseen_are_retained else "holdout",
        unseen_records=len(questions.unseen),
        asked=len(questions.asked),
        deleted=questions.deleted,
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
