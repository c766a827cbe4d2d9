"""Where the audited procedure runs: a child process that answers step by step, and the walls around it."""

from auditor.sandbox.levels import Isolation, Level, available, gate
from auditor.sandbox.limits import Limits
from auditor.sandbox.steps import (
    TRAIN,
    Answer,
    Drop,
    Learn,
    Parameters,
    Predict,
    ProcedureSpec,
    Refit,
    Save,
    State,
    Step,
    Unlearn,
)
from auditor.sandbox.worker import StoppedError, Worker

__all__ = [
    "TRAIN",
    "Answer",
    "Drop",
    "Isolation",
    "Learn",
    "Level",
    "Limits",
    "Parameters",
    "Predict",
    "ProcedureSpec",
    "Refit",
    "Save",
    "State",
    "Step",
    "StoppedError",
    "Unlearn",
    "Worker",
    "available",
    "gate",
]
