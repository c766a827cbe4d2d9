"""What this machine offers to an audit: each part is tried, not looked up."""

from __future__ import annotations

import numpy as np

from auditor.audit.devices import use
from auditor.base import extras, installation, samples
from auditor.base.installation import Part, tried
from auditor.base.records import Dataset
from auditor.base.resources import sample_models
from auditor.sandbox import Learn, Level, Limits, NoDeviceError, ProcedureSpec, Worker, control_groups, examined, forked

_GROUP = "systemd-run --user --scope -p Delegate=yes auditor …"
_NO_GROUP = f"none is needed: the auditor counts memory itself; for a limit that the kernel keeps, start with: {_GROUP}"

_TOY = ProcedureSpec(use="certified-removal", entry=None, settings={"l2": 0.1, "sigma": 1.0, "tolerance": 1e-8})


def examine() -> tuple[Part, ...]:
    """Try every part."""
    return (
        installation.python(),
        tried("sandbox", _sandbox, needed=True, remedy="see the message; a temporary folder and fork must be available"),
        tried("control group", _control_group, needed=False, remedy=_NO_GROUP, command=_GROUP),
        *installation.packages(extras.EXTRAS),
        installation.fonts(),
        _samples(),
        tried("CUDA device", _cuda, needed=False, remedy="none is needed: built-in procedures compute on the CPU"),
    )


def _sandbox() -> str:
    toy = Dataset(np.array([[0.6, 0.8], [0.8, -0.6]]), np.array([0, 1]), np.array(["a", "b"]))
    with Worker(_TOY, {"train": toy}, limits=Limits(timeout_s=60.0), level=examined().level) as worker:
        worker.run(Learn("toy", np.arange(2, dtype=np.int64), 0))
    report = examined()
    held = sum(probe.held for probe in report.probes)
    reasons = "".join(f"; not {level.value}: {why}" for level, why in report.refused)
    slower = forked.not_joined() if report.level is Level.NAMESPACED else None
    starts = "" if slower is None else f"; each worker loads its libraries itself ({slower})"
    said = f"level {report.level.value}, {held} of {len(report.probes)} escapes stopped{reasons}"
    return f"{said}; a toy model was trained inside{starts}"


def _control_group() -> str:
    try:
        return control_groups.found()
    except control_groups.NoGroupError as error:
        raise LookupError(error) from error


def _samples() -> Part:
    name, found = "sample cases", samples.names()
    if not found:
        remedy = "reinstall the package: its data files are missing"
        return Part(name, f"no case in {sample_models()}", ok=False, needed=False, remedy=remedy)
    return Part(name, ", ".join(found), ok=True, needed=False, brief=f"{len(found)}; auditor init DIR --template NAME copies one")


def _cuda() -> str:
    try:
        place = use(_TOY, examined().level, Limits(timeout_s=60.0))
    except NoDeviceError as error:
        raise LookupError(error.reason) from error
    return f"{place.name}, used inside the sandbox"
