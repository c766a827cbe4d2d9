"""Where the procedure computes: on the CPU, or on a CUDA device that was used inside its very sandbox before anything is rerun.

A library that cannot reach a GPU often goes on with the CPU and says nothing. So what the evidence names is what a process
behind the same barriers, with the procedure imported, has computed on; and every later process asserts it again. Whether the
procedure then makes use of the device is its own affair, and not examined.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from auditor.base.errors import ProcedureError, SandboxError
from auditor.base.records import Dataset
from auditor.case import Case
from auditor.sandbox import Answer, Device, DeviceKind, Level, Limits, Probe, ProcedureSpec, Worker
from auditor.sandbox.devices import NoDeviceError, asserted, nodes, require_nodes
from auditor.sandbox.examination import broken, probe
from auditor.sandbox.runs import processor

NO_RECORDS: Final = Dataset(np.zeros((1, 1)), np.zeros(1, dtype=np.int64), np.array(["none"]))
"""A worker has a training table; this one holds no record of anybody."""


@dataclass(frozen=True, slots=True)
class Place:
    """What the procedure computes on."""

    device: DeviceKind
    name: str
    """The processor, or the CUDA device that was asserted inside."""
    probes: tuple[Probe, ...] | None = None
    """What probes found behind barriers that let the GPU through; None on the CPU."""


def on_cpu() -> Place:
    """The CPU, which needs no assertion: a process that shall compute on it sees no GPU."""
    return Place("cpu", processor())


def settle(
    case: Case, spec: ProcedureSpec, *, wanted: Literal["auto", "cpu", "cuda"], level: Level, notice: Callable[[str], None]
) -> Place:
    """Decide what the procedure of a case computes on.

    Args:
        case: The case. Of our procedures the networks alone can compute on a GPU.
        spec: Its procedure, which is built once for the purpose where a GPU may be had; it sees no data of the case.
        wanted: "cpu"; "cuda", which must be had; or "auto": CUDA where it can be used, else the CPU.
        level: The barriers around it.
        notice: Told, in a sentence, why "auto" leaves a GPU of this machine alone.

    Raises:
        NoDeviceError: If CUDA is wanted and cannot be used.
        ProcedureError: If CUDA is wanted and the procedure cannot be built.
        SandboxError: If CUDA is wanted, and barriers that let the GPU through do not keep the promises of the level.
    """
    if wanted == "cpu" or not case.settings.procedure.may_use_gpu or (wanted == "auto" and not nodes()):
        return on_cpu()
    sandbox = case.settings.sandbox
    try:
        return use(spec, level, Limits(timeout_s=sandbox.timeout_s, memory_mb=sandbox.memory_mb))
    except (ProcedureError, SandboxError) as error:
        if wanted == "cuda":
            raise
        reason = error.reason if isinstance(error, NoDeviceError) else str(error)
        notice(f"the procedure computes on the CPU, for no CUDA device can be used inside the sandbox: {reason}")
        return on_cpu()


def use(spec: ProcedureSpec, level: Level, limits: Limits) -> Place:
    """Use a CUDA device once, alongside a procedure and behind its barriers.

    Raises:
        NoDeviceError: If none can be used.
        ProcedureError: If the procedure cannot be built.
        SandboxError: If barriers that let the GPU through do not keep the promises of the level.
    """
    require_nodes()
    probes = probe(level, "cuda")
    gave_way = broken(level, probes)
    if gave_way:
        raise SandboxError(f"with the GPU let through, level {level} does not hold: {gave_way}")
    with Worker(spec, {"train": NO_RECORDS}, limits=limits, level=level, device="cuda") as worker:
        return Place("cuda", asserted(worker.run(Device()).facts), probes)


def require_same(place: Place, answers: tuple[Answer, ...]) -> None:
    """See that a run asserted the device that the evidence names.

    Raises:
        NoDeviceError: If it asserted none, or another.
    """
    if place.device == "cpu":
        return
    names = [asserted(answer.facts) for answer in answers if isinstance(answer.step, Device)]
    if names != [place.name]:
        raise NoDeviceError(f"a run used {' and '.join(names) or 'none'} where {place.name} had been found")
