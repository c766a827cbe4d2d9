"""Fine-tuning the last layer alone."""

from __future__ import annotations

from auditor.parts.networks.learning.stacks import Parameters
from auditor.parts.networks.learning.task import Task
from auditor.parts.networks.learning.training import descend
from auditor.parts.networks.learning.unlearning.parts import continued, retained
from auditor.parts.networks.settings import FineTuneFinal, read


def ftfinal(task: Task) -> Parameters:
    """Learn on with every layer but the last frozen: CF-k of Goel et al. (2023) at k = 1, "catastrophic forgetting".

    The rows to forget are not read; the frozen layers keep what they learnt from them.
    """
    settings = read(FineTuneFinal, task.params)
    recipe = continued(task.recipe, epochs=settings.epochs, rate=settings.rate)
    final = task.network.final
    return descend(task.network, task.parameters, *retained(task), recipe, task.seeds, trainable=final, purpose="ftfinal")
