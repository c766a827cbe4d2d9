"""Retraining: the gold standard that every other method is measured against."""

from __future__ import annotations

from auditor.parts.networks.learning.stacks import Parameters
from auditor.parts.networks.learning.task import Task
from auditor.parts.networks.learning.training import descend
from auditor.parts.networks.learning.unlearning.parts import retained
from auditor.parts.networks.settings import Retrain, read


def retrain(task: Task) -> Parameters:
    """Learn from nothing on what remains: to the bit what learning there with the same seeds gives.

    Neither the old models nor the rows to forget are read.
    """
    read(Retrain, task.params)
    return descend(task.network, task.network.initial(task.seeds), *retained(task), task.recipe, task.seeds)
