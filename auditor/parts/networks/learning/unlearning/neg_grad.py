"""Negative gradient: climb the loss of what is to be forgotten."""

from __future__ import annotations

from auditor.parts.networks.learning.stacks import Parameters
from auditor.parts.networks.learning.task import Task
from auditor.parts.networks.learning.training import descend
from auditor.parts.networks.learning.unlearning.parts import balanced, continued, even, forgotten, full_like, retained, weighted
from auditor.parts.networks.settings import NegativeGradient, read

_SHARE = 0.3
"""Of learning's rate. Cross-entropy has no upper bound: steps that descend it safely may run away when they climb."""


def neg_grad(task: Task) -> Parameters:
    """Minimise β·(mean loss of what remains) − (1 − β)·(mean loss of what is to be forgotten).

    With β = `retain_weight` this is NegGrad+ of Kurmanji et al. (2023). At β = 0 it is plain ascent, and the rows that remain are
    not read. Left out, β is (n − m)/n: descent on all rows alike, with a negative gradient for F, the baseline of Golatkar et al.
    (2020); it is mild where m is small, while any fixed β makes each of few rows weigh n/m times as much.
    """
    settings = read(NegativeGradient, task.params)
    recipe = continued(task.recipe, epochs=settings.epochs, rate=settings.rate, share=_SHARE)
    inputs, labels = forgotten(task)
    if settings.retain_weight == 0:
        weights = full_like(task, labels, -1.0)
    else:
        retained(task)
        beta = even(task) / (1 + even(task)) if settings.retain_weight is None else settings.retain_weight
        inputs, labels, weights = task.inputs, task.labels, balanced(task, forget=beta - 1, retain=beta)
    return descend(
        task.network, task.parameters, inputs, labels, recipe, task.seeds, objective=weighted(weights), purpose="neg-grad"
    )
