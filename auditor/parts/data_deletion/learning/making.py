"""The procedures `noisy-gd` and `noisy-sgd` from their settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from auditor.learning.noisy_gd.batches import BatchedModel
from auditor.learning.noisy_gd.descent import Descent
from auditor.learning.noisy_gd.models import linear_descent
from auditor.learning.residuals import RowNorms
from auditor.maths.certificates.losses import Loss
from auditor.parts.data_deletion.learning.procedure import NoisyGd
from auditor.settings.facets import Packing


def make(
    *,
    features: int,
    classes: Sequence[int | str],
    l2: float,
    sigma2: float,
    learn_steps: int,
    unlearn_steps: int,
    loss: Loss | None = None,
    model: str | None = None,
    module: type | None = None,
    params: Mapping[str, Any] | None = None,
    order: float = 2.0,  # noqa: ARG001
    clip: float | None = None,
    rate: Literal["theorem"] | float = "theorem",
    loss_cap: float | None = None,
    lipschitz: float | None = None,  # noqa: ARG001
    smoothness: float | None = None,  # noqa: ARG001
    convex: bool = False,
    row_norms: RowNorms = "report",
) -> NoisyGd:
    """The procedure of one loss or network; see `auditor.parts.data_deletion.settings.NoisyGd` for what the settings mean.

    Args:
        features: d, the columns of the data.
        classes: The distinct labels of the training data, sorted.
        l2: λ.
        sigma2: σ².
        learn_steps: K_A.
        unlearn_steps: K_Ā.
        loss: "logistic" or "softmax", for a linear model.
        model: Or the name of a built-in network.
        module: Or the class of the controller's own, a torch.nn.Module.
        params: Keyword arguments of the network.
        order: q; nothing here depends on it.
        clip: The norm that the gradient of a record is clipped to.
        rate: η; "theorem" for that of Theorem 5.1.
        loss_cap: c, for the loss c(1 − e^(−ℓ/c)).
        lipschitz: What the controller says of a network; nothing here depends on it.
        smoothness: As `lipschitz`.
        convex: Whether the controller says that the network's loss is convex; it then starts, and is examined, as such.
        row_norms: What is done with rows longer than 1; "refuse" is the reader's, and as "report" here.

    Raises:
        ValueError: If the settings do not go together.
        TypeError: If the class is no network, or does not take these params.
    """
    labels = np.array(classes)
    if loss is None:
        from auditor.parts.data_deletion.learning.noisy_networks import NoisyNetwork  # noqa: PLC0415
        from auditor.parts.networks.learning.making import network_of  # noqa: PLC0415  (PyTorch takes seconds to load)
        from auditor.parts.networks.learning.network import Row  # noqa: PLC0415
        from auditor.parts.networks.learning.record_gradients import RecordLoss  # noqa: PLC0415

        if rate == "theorem":
            raise ValueError('rate: expected a number with a network, whose loss has no known constants, found "theorem"')
        network = network_of(model, module, params, row=Row(features), classes=len(labels), dtype="float64")
        trained = NoisyNetwork(network, RecordLoss(clip, loss_cap), labels, convex=convex)
        # Theorem 5.2 is meant, unless the loss is said to be convex.
        return NoisyGd(trained, Descent(l2, sigma2, rate, stationary=convex and loss_cap is None), learn_steps, unlearn_steps)
    linear = linear_descent(
        loss=loss,
        features=features,
        classes=classes,
        l2=l2,
        sigma2=sigma2,
        clip=clip,
        rate=rate,
        loss_cap=loss_cap,
        row_norms=row_norms,
    )
    return NoisyGd(linear.model, linear.descent, learn_steps, unlearn_steps)


def make_batches(
    *,
    features: int,
    classes: Sequence[int | str],
    loss: Loss,
    l2: float,
    sigma2: float,
    batches: int,
    batch_size: int,
    learn_epochs: int,
    unlearn_epochs: int,
    order: float = 2.0,  # noqa: ARG001
    clip: float | None = None,
    rate: Literal["theorem"] | float = "theorem",
    row_norms: RowNorms = "report",
) -> NoisyGd:
    """The procedure of one loss in mini-batches; see `auditor.parts.data_deletion.batch_settings.NoisySgd` for the settings.

    Args:
        features: d, the columns of the data.
        classes: The distinct labels of the training data, sorted.
        loss: "logistic" or "softmax".
        l2: λ.
        sigma2: σ².
        batches: M.
        batch_size: b.
        learn_epochs: T.
        unlearn_epochs: K.
        order: q; nothing here depends on it.
        clip: The norm that the gradient of a record is clipped to.
        rate: η; "theorem" for that of Theorem 5.1.
        row_norms: What is done with rows longer than 1; "refuse" is the reader's, and as "report" here.
    """
    linear = linear_descent(
        loss=loss, features=features, classes=classes, l2=l2, sigma2=sigma2, clip=clip, rate=rate, row_norms=row_norms
    )
    model = BatchedModel(linear.model, Packing(batches, batch_size))
    return NoisyGd(model, linear.descent, learn_epochs * batches, unlearn_epochs * batches)
