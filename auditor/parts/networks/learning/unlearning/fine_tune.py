"""Fine-tuning on what remains, in the hope that the rest is overwritten."""

from __future__ import annotations

from auditor.parts.networks.learning.stacks import Parameters
from auditor.parts.networks.learning.task import Task
from auditor.parts.networks.learning.training import descend
from auditor.parts.networks.learning.unlearning.parts import continued, retained
from auditor.parts.networks.settings import FineTune, read


def fine_tune(task: Task) -> Parameters:
    """Learn on from the old models (a baseline of Golatkar et al. 2020). The rows to forget are not read."""
    settings = read(FineTune, task.params)
    recipe = continued(task.recipe, epochs=settings.epochs, rate=settings.rate)
    return descend(task.network, task.parameters, *retained(task), recipe, task.seeds, purpose="fine-tune")
