"""What the shipped file of the controller's own class is by itself: loaded in a fresh process, without training data and log.

Of code of the auditor's own the predictions follow from the parameters, by code that everybody can read. A class from the case
may say one thing in `parameters` and predict with another, so its file is tied to its predictions: `save` at the replay's end
writes these parameters, and a process that has nothing but the file and a table of unlabelled rows predicts as the replay did.
"""

from __future__ import annotations

from typing import Final, Literal

import numpy as np

from auditor.audit.comparisons import TABLE, probes
from auditor.audit.devices import NO_RECORDS, Place, require_same
from auditor.audit.replay import Replay, columns_of, limits_of, specification
from auditor.base.errors import InputError, ProcedureError
from auditor.base.records import Floats
from auditor.case import Case, artifacts
from auditor.case.artifacts import ModelFile
from auditor.parts.release.judging.released_format import Loaded
from auditor.sandbox import Device, Level, Load, Parameters, Predict, Step
from auditor.sandbox.jobs import Job, Run

_MODEL: Final = "released"


def observe(case: Case, replay: Replay, *, run: Run, level: Level, where: Place) -> Loaded | None:
    """Load the shipped file and compare; None for code of the auditor's own, and where no model file is shipped.

    Raises:
        SandboxError: If a sandbox could not be set up or torn down.
        NoDeviceError: If the process did not use the device that the others used.
    """
    shipped = case.model_file
    if shipped is None or not case.settings.procedure.foreign:
        return None
    saved = None if replay.saved is None else _saved(replay, shipped)
    asked: list[Step] = [] if where.device == "cpu" else [Device()]
    asked += [Load(_MODEL, shipped.content), Parameters(_MODEL), Predict(_MODEL, TABLE, columns_of(case))]
    tables = {"train": NO_RECORDS, TABLE: probes(case, replay.forgotten)}
    job = Job("released file", specification(case), tables, asked, limits_of(case), level, where.device)
    try:
        (answers,) = run([job])
    except ProcedureError:
        # Not a crash of what is audited: a file that does not make a model by itself is what was asked about.
        return _loaded(replay, saved, lacks_load=False, ended="failed")
    require_same(where, answers)
    load, parameters, predicted = answers[-3:]
    refused: Literal["refused"] | None = "refused" if "refused" in load.facts else None
    found = _loaded(replay, saved, lacks_load=not load.supported and refused is None, ended=refused)
    if not load.supported:
        return found
    return found.model_copy(
        update={
            "differing": _differing(parameters.array, shipped),
            "moved": _moved(predicted.array, replay.probed),
            "largest": None if replay.probed is None else float(np.max(np.abs(replay.probed), initial=0.0)),
        }
    )


def _loaded(
    replay: Replay,
    saved: Literal["same", "other", "unreadable"] | None,
    *,
    lacks_load: bool,
    ended: Literal["refused", "failed"] | None,
) -> Loaded:
    lacks = {"save": saved is None, "load": lacks_load, "parameters": replay.trajectory is None}
    lacking = tuple(name for name, lacks_it in lacks.items() if lacks_it)
    return Loaded.model_validate(
        {"lacking": lacking, "ended": ended, "saved": saved, "differing": None, "moved": None, "largest": None}
    )


def _saved(replay: Replay, shipped: ModelFile) -> Literal["same", "other", "unreadable"]:
    """Whether `save` wrote the shipped bytes, or the parameters of the file or of the rerun."""
    if replay.saved is None or replay.saved == shipped.content:
        return "same"
    try:
        written = artifacts.model_in(replay.saved).parameters
    except InputError:
        return "unreadable"
    final = replay.trajectory[-1] if replay.trajectory else None
    same = any(each is not None and differing_bits(written, each) == 0 for each in (shipped.parameters, final))
    return "same" if same else "other"


def differing_bits(first: Floats, second: Floats) -> int | None:
    """How many numbers differ in a bit, signs of zeros included; None where their shapes do."""
    if first.shape != second.shape:
        return None
    bits = (np.ascontiguousarray(each, dtype=np.float64).view(np.uint64) for each in (first, second))
    return int(np.count_nonzero(np.not_equal(*bits)))


def _differing(found: Floats | None, shipped: ModelFile) -> int | None:
    return None if found is None else differing_bits(found, shipped.parameters)


def _moved(found: Floats | None, replayed: Floats | None) -> float | None:
    if found is None or replayed is None or found.shape != replayed.shape:
        return None
    return float(np.max(np.abs(found - replayed), initial=0.0))
