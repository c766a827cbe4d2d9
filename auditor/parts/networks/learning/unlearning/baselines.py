"""Ways to make networks forget that need nothing but training (Golatkar et al. 2020; Goel et al. 2023)."""

from __future__ import annotations

from auditor.parts.networks.learning.network import Parameters, copied
from auditor.parts.networks.learning.task import Task
from auditor.parts.networks.learning.training import descend
from auditor.parts.networks.learning.unlearning.parts import balanced, continued, even, forgotten, full_like, retained, weighted
from auditor.parts.networks.settings import DoNothing, FineTune, FineTuneFinal, NegativeGradient, Retrain, RetrainFinal, read


# No unlearning: the control that a test of unlearning must tell from retraining.
def do_nothing(task: Task) -> Parameters:
    """The models as they were; no row is read."""
    read(DoNothing, task.params)
    return copied(task.parameters)


def fine_tune(task: Task) -> Parameters:
    """Learn on from the old models (a baseline of Golatkar et al. 2020). The rows to forget are not read."""
    settings = read(FineTune, task.params)
    recipe = continued(task.recipe, epochs=settings.epochs, rate=settings.rate)
    return descend(task.network, task.parameters, *retained(task), recipe, task.seeds, purpose="fine-tune")


def ftfinal(task: Task) -> Parameters:
    """Learn on with every layer but the last frozen: CF-k of Goel et al. (2023) at k = 1, "catastrophic forgetting".

    The rows to forget are not read; the frozen layers keep what they learnt from them.
    """
    settings = read(FineTuneFinal, task.params)
    recipe = continued(task.recipe, epochs=settings.epochs, rate=settings.rate)
    final = task.network.final
    return descend(task.network, task.parameters, *retained(task), recipe, task.seeds, trainable=final, purpose="ftfinal")


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


def retrain(task: Task) -> Parameters:
    """Learn from nothing on what remains: to the bit what learning there with the same seeds gives.

    Neither the old models nor the rows to forget are read.
    """
    read(Retrain, task.params)
    return descend(task.network, task.network.initial(task.seeds), *retained(task), task.recipe, task.seeds)


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
