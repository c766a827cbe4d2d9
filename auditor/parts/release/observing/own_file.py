"""What a shipped file in a library's own format is: held against the one that the rerun saves, and asked by itself.

A file that holds all that predicts is loaded by its library in a fresh process, without training data, log and code of the case.
A class of the controller's own loads its own files: then its code is there, as with files of one array.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from auditor.audit.comparisons import TABLE, probes
from auditor.audit.devices import NO_RECORDS, Place, require_same
from auditor.audit.replacing import log_steps, model_after
from auditor.audit.replay import Replay, classes_of, columns_of, limits_of, specification
from auditor.base.errors import ProcedureError
from auditor.base.model_formats import asking
from auditor.case import Case
from auditor.case.artifacts import OwnFile
from auditor.parts.release.judging.release_exact.observed import CleanRoom
from auditor.parts.release.judging.release_exact.observed import Observed as Exact
from auditor.parts.release.judging.released_format import FileSeen, Loaded, is_other
from auditor.sandbox import Device, Level, Load, Predict, ProcedureSpec, Save, Step
from auditor.sandbox.jobs import Job, Run

_MODEL = "released"


def reader(case: Case) -> ProcedureSpec:
    """What loads the file: its library alone, or the class of the controller's own."""
    if case.own_file is None or case.settings.procedure.built_in is None:
        return specification(case)
    return ProcedureSpec(use="own-file", entry=None, settings={"kind": case.own_file.kind, "classes": classes_of(case)})


def observe(case: Case, replay: Replay, exact: Exact, *, run: Run, level: Level, where: Place) -> tuple[FileSeen, Loaded] | None:
    """Compare the file, and load it where it is declared to hold all that predicts; None where the case ships none.

    Args:
        case: The case.
        replay: What the rerun showed.
        exact: What clean rooms showed: a second run, where they saved the same.
        run: Runs jobs.
        level: The sandbox level in force.
        where: What the procedure computes on.

    Raises:
        SandboxError: If a sandbox could not be set up or torn down.
        NoDeviceError: If a process did not use the device that the others used.
    """
    file = case.own_file
    if file is None:
        return None
    seen = _compared(file, replay.saved)
    room = next((each for each in exact.batches if each.batch == len(replay.forgotten)), None)
    again = None if replay.saved is None else _same_in(room, "saved file") or _saved_again(case, replay, run, level, where)
    seen = seen.model_copy(update={"again": again, "predicts_again": _same_in(room, "predictions")})
    if is_other(seen):
        seen = seen.model_copy(update={"of_batch": _of_batch(case, file, replay, run, level, where)})
    declared = case.settings.model
    if declared is not None and declared.part is not None:
        return seen, _loaded()
    return seen, _by_itself(case, file, replay, run, level, where)


def _compared(file: OwnFile, saved: bytes | None) -> FileSeen:
    seen = FileSeen(kind=file.kind, bytes=len(file.content), saved="none", again=None)
    if saved is None:
        return seen
    found = asking.held_against(file.content, saved, file.kind)
    if found is None:
        return seen.model_copy(update={"saved": "unreadable"})
    if found.equal:
        return seen.model_copy(update={"saved": "same"})
    first = found.first
    return seen.model_copy(
        update={
            "saved": "other",
            "of_model": found.of_model,
            "besides": found.besides,
            "tree": None if first is None else first.tree,
            "field": None if first is None else first.field,
            "largest": found.largest,
        }
    )


def _same_in(room: CleanRoom | None, kind: Literal["saved file", "predictions"]) -> bool:
    """Whether a training in another process gave the same."""
    if room is None or kind not in room.compared:
        return False
    return any(kind not in {item.kind for item in each.differences} for each in room.rooms)


def _saved_again(case: Case, replay: Replay, run: Run, level: Level, where: Place) -> bool | None:
    """Whether the whole log once more, in another process, ends with the same file; None where that failed."""
    last = len(replay.forgotten)
    steps = log_steps(
        len(case.train),
        replay.forgotten,
        seed=case.settings.procedure.seed,
        look=lambda number: (Save(model_after(number)),) if number == last else (),
    )
    first: tuple[Step, ...] = (Device(),) if where.device == "cuda" else ()
    tables = {"train": case.train, **replay.asked.tables}
    job = Job("replay once more", specification(case), tables, (*first, *steps), limits_of(case), level, where.device)
    try:
        (told,) = run([job])
    except ProcedureError:
        return None
    require_same(where, told)
    return any(isinstance(each.step, Save) and each.content == replay.saved for each in told)


def _of_batch(case: Case, file: OwnFile, replay: Replay, run: Run, level: Level, where: Place) -> int | None:
    """The latest earlier batch after which the procedure saves this very file, 0 for learning; None where there is none.

    It explains a failure and changes nothing: who trained before an erasure was carried out reads what to do.
    """
    last = len(replay.forgotten)
    if not last:
        return None
    steps = log_steps(
        len(case.train),
        replay.forgotten[: last - 1],
        seed=case.settings.procedure.seed,
        look=lambda number: (Save(model_after(number)),),
    )
    first: tuple[Step, ...] = (Device(),) if where.device == "cuda" else ()
    tables = {"train": case.train, **replay.asked.tables}
    job = Job("earlier models", specification(case), tables, (*first, *steps), limits_of(case), level, where.device)
    try:
        (told,) = run([job])
    except ProcedureError:
        return None
    require_same(where, told)
    saved = [each.content for each in told if isinstance(each.step, Save)]
    same = (number for number, content in reversed([*enumerate(saved)]) if content is not None and _equal(file, content))
    return next(same, None)


def _equal(file: OwnFile, saved: bytes) -> bool:
    found = asking.held_against(file.content, saved, file.kind)
    return found is not None and found.equal


def _by_itself(case: Case, file: OwnFile, replay: Replay, run: Run, level: Level, where: Place) -> Loaded:
    spec = reader(case)
    if spec.use == "own-file" and file.kind == "lightgbm-dump":
        return _loaded(lacks_load=True)
    device = where.device if spec.entry is not None else "cpu"
    asked: list[Step] = [Device()] if device == "cuda" else []
    asked += [Load(_MODEL, file.content), Predict(_MODEL, TABLE, columns_of(case))]
    tables = {"train": NO_RECORDS, TABLE: probes(case, replay.forgotten)}
    try:
        (told,) = run([Job("released file", spec, tables, asked, limits_of(case), level, device)])
    except ProcedureError:
        # Not a crash of what is audited: a file that does not make a model by itself is what was asked about.
        return _loaded(ended="failed")
    if device == where.device:
        require_same(where, told)
    load, predicted = told[-2:]
    if not load.supported:
        return _loaded(ended="refused") if "refused" in load.facts else _loaded(lacks_load=True)
    own, other = predicted.array, replay.probed
    if own is None or other is None or own.shape != other.shape:
        return _loaded(ended="failed")
    moved, largest = float(np.max(np.abs(own - other), initial=0.0)), float(np.max(np.abs(other), initial=0.0))
    return _loaded(moved=moved, largest=largest)


def _loaded(
    *,
    lacks_load: bool = False,
    ended: Literal["refused", "failed"] | None = None,
    moved: float | None = None,
    largest: float | None = None,
) -> Loaded:
    return Loaded(lacking=("load",) if lacks_load else (), ended=ended, saved=None, differing=None, moved=moved, largest=largest)
