"""Where the audited procedure runs: a child process that answers step by step, and the barriers around it.

Names are looked up when they are asked for: the launcher, which is a module of this package, must put its barriers up before
anything but the standard library is imported.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.sandbox.activations import Activate, Contents
    from auditor.sandbox.devices import DeviceKind, NoDeviceError
    from auditor.sandbox.examination import Probe, ProbeReport, available, examined
    from auditor.sandbox.games import Guess, Play
    from auditor.sandbox.levels import Isolation, Level, Limits, gate
    from auditor.sandbox.steps import (
        TRAIN,
        Answer,
        Device,
        Drop,
        Learn,
        Load,
        Modules,
        Parameters,
        Predict,
        PredictRows,
        ProcedureSpec,
        Refit,
        Save,
        State,
        Step,
        Survey,
        Together,
        Unlearn,
        Walk,
    )
    from auditor.sandbox.worker import StoppedError, Worker

__all__ = [
    "TRAIN",
    "Activate",
    "Answer",
    "Contents",
    "Device",
    "DeviceKind",
    "Drop",
    "Guess",
    "Isolation",
    "Learn",
    "Level",
    "Limits",
    "Load",
    "Modules",
    "NoDeviceError",
    "Parameters",
    "Play",
    "Predict",
    "PredictRows",
    "Probe",
    "ProbeReport",
    "ProcedureSpec",
    "Refit",
    "Save",
    "State",
    "Step",
    "StoppedError",
    "Survey",
    "Together",
    "Unlearn",
    "Walk",
    "Worker",
    "available",
    "examined",
    "gate",
]

_MODULES = {
    "activations": ("Activate", "Contents"),
    "devices": ("DeviceKind", "NoDeviceError"),
    "examination": ("Probe", "ProbeReport", "available", "examined"),
    "games": ("Guess", "Play"),
    "levels": ("Isolation", "Level", "Limits", "gate"),
    "worker": ("StoppedError", "Worker"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import the module that defines `name`; every other public name is a step."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF.get(name, 'steps')}"), name)
