"""Selective synaptic dampening: shrink the weights that serve what is to be forgotten more than all else."""

from __future__ import annotations

import torch

from auditor.parts.networks.learning.stacks import Parameters, copied
from auditor.parts.networks.learning.task import Task
from auditor.parts.networks.learning.unlearning.importance import empirical_fisher
from auditor.parts.networks.learning.unlearning.parts import forgotten
from auditor.parts.networks.settings import SelectiveDampening, read

_SELECTION, _SHARE = 10.0, 0.4
"""The paper's choice, for few rows among many; and the share of n/m that takes its place where m is a larger part of n, so that
10 would select little or nothing."""


def ssd(task: Task) -> Parameters:
    """Dampen selected weights: θ_i ← min(λ·I_D,i / I_F,i, 1)·θ_i where I_F,i > α·I_D,i (Foster, Schoepf & Brintrup 2024).

    I_F and I_D are the diagonals of the empirical Fisher information over the m rows to forget and over all n, each a mean over
    its rows. So I_D ≥ (m/n)·I_F, and an α = `selection` of n/m or more selects nothing.
    """
    settings = read(SelectiveDampening, task.params)
    wanted = empirical_fisher(task.network, task.parameters, *forgotten(task))
    selection = _default(task) if settings.selection is None else settings.selection
    whole = empirical_fisher(task.network, task.parameters, task.inputs, task.labels)
    dampened = copied(task.parameters)
    for name, all_rows in whole.items():
        selected = wanted[name] > selection * all_rows
        factors = (settings.dampening * all_rows / wanted[name]).clamp(max=1.0)
        dampened[name] *= torch.where(selected, factors, 1.0)
    return dampened


def _default(task: Task) -> float:
    return min(_SELECTION, max(1.0, _SHARE * task.labels.shape[1] / task.forget.shape[1]))
