"""Retraining the last layer alone."""

from __future__ import annotations

from auditor.parts.networks.learning.stacks import Parameters
from auditor.parts.networks.learning.task import Task
from auditor.parts.networks.learning.training import descend
from auditor.parts.networks.learning.unlearning.parts import continued, retained
from auditor.parts.networks.settings import RetrainFinal, read


def retrfinal(task: Task) -> Parameters:
    """Draw the last layer again and learn it with the others frozen: EU-k of Goel et al. (2023) at k = 1.

    The rows to forget are not read; the frozen layers keep what they learnt from them.
    """
    settings = read(RetrainFinal, task.params)
    recipe = continued(task.recipe, epochs=settings.epochs, rate=settings.rate)
    network, final = task.network, task.network.final
    drawn = network.initial(task.seeds)
    start = task.parameters | {name: drawn[name] for name in final}
    return descend(network, start, *retained(task), recipe, task.seeds, trainable=final, purpose="retrfinal")
