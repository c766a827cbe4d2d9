"""Negative gradient: climb the loss of what is to be forgotten."""

from __future__ import annotations

from auditor.case.unlearning import NegativeGradient, read
from auditor.procedures.networks.stacks import Parameters
from auditor.procedures.networks.task import Task
from auditor.procedures.networks.training import descend
from auditor.procedures.networks.unlearning.parts import balanced, continued, forgotten, retained, weighted

_SHARE = 0.1
"""Of learning's rate. Cross-entropy has no upper bound: a step that descends it safely overshoots when it climbs."""


def neg_grad(task: Task) -> Parameters:
    """Minimise β·(mean loss of what remains) − (1 − β)·(mean loss of what is to be forgotten).

    With β = `retain_weight` this is NegGrad+ of Kurmanji et al. (2023). At β = 0 it is plain ascent, and the rows that remain are
    not read. At β = (n − m)/n every row has the same weight, and those to forget the opposite sign: descent on all of D with a
    negative gradient for F, as Golatkar et al. (2020) describe their baseline.
    """
    settings = read(NegativeGradient, task.params)
    recipe = continued(task.recipe, epochs=settings.epochs, rate=settings.rate, share=_SHARE)
    beta = settings.retain_weight
    inputs, labels = forgotten(task)
    if beta == 0:
        weights = inputs.new_full(labels.shape, -1.0)
    else:
        retained(task)
        inputs, labels, weights = task.inputs, task.labels, balanced(task, forget=beta - 1, retain=beta)
    return descend(
        task.network, task.parameters, inputs, labels, recipe, task.seeds, objective=weighted(weights), purpose="neg-grad"
    )
