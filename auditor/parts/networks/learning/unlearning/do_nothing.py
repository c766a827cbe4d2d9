"""No unlearning: the control that a test of unlearning must tell from retraining."""

from __future__ import annotations

from auditor.parts.networks.learning.stacks import Parameters, copied
from auditor.parts.networks.learning.task import Task
from auditor.parts.networks.settings import DoNothing, read


def do_nothing(task: Task) -> Parameters:
    """The models as they were; no row is read."""
    read(DoNothing, task.params)
    return copied(task.parameters)
