"""The procedures `torch` and `ftrl` from their settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import torch
from torch import nn

from auditor.maths.certificates.prefix_sums import Factorisation, levels
from auditor.parts.networks.learning.architectures import BUILT_IN
from auditor.parts.networks.learning.continual import Stream
from auditor.parts.networks.learning.network import Build, Network, Row
from auditor.parts.networks.learning.private import Noise
from auditor.parts.networks.learning.procedure import Networks, Unlearning
from auditor.parts.networks.learning.training import Recipe
from auditor.parts.networks.learning.unlearning import METHODS
from auditor.parts.networks.learning.unlearning.sisa import ShardedNetworks
from auditor.parts.networks.settings import MOST_SUMMED, PARAMS, read

_DTYPES = {"float32": torch.float32, "float64": torch.float64}


def make(
    *,
    features: int,
    classes: Sequence[int | str],
    epochs: int,
    batch: int,
    rate: float,
    model: str | None = None,
    module: type | None = None,
    params: Mapping[str, Any] | None = None,
    optimizer: Literal["sgd", "adam"] = "sgd",
    momentum: float = 0.0,
    weight_decay: float = 0.0,
    schedule: Literal["constant", "cosine", "step"] = "constant",
    dp: Mapping[str, float] | None = None,
    unlearn_by: str = "retrain",
    unlearn_params: Mapping[str, Any] | None = None,
    own: Callable[..., Any] | None = None,
    shape: Sequence[int] | None = None,
    whole: bool = False,
    dtype: Literal["float32", "float64"] = "float32",
    device: str | None = None,
) -> Networks | ShardedNetworks:
    """The procedure for one network, recipe and way of unlearning.

    Args:
        features: d, the columns of the data.
        classes: The distinct labels of the training data, sorted: one column of predictions each.
        epochs: Passes over the data.
        batch: Rows a step.
        rate: The learning rate.
        model: The name of a built-in network: "mlp", "small-cnn" or "resnet20".
        module: Or the class of the controller's own, a torch.nn.Module that maps rows (n, d), or (n, *shape), to logits
            (n, classes).
        params: Keyword arguments of the network; a built-in one is given d and the number of classes as well.
        optimizer: "sgd" or "adam".
        momentum: Of SGD.
        weight_decay: Times the parameters, added to the gradient.
        schedule: "constant", "cosine" or "step"; see `training.Recipe`.
        dp: `noise_multiplier`, `max_grad_norm` and `delta` of DP-SGD; None to train without privacy.
        unlearn_by: A name in `auditor.parts.networks.settings.PARAMS`.
        unlearn_params: That method's own settings, or keyword arguments of `own`.
        own: The controller's own `unlearn(model, retain, forget, seed)`, where `unlearn_by` is "own".
        shape: What a module takes a row as; None for flat.
        whole: Whether features are integers, and a module takes int64.
        dtype: Of parameters and of inputs.
        device: "cpu" or "cuda"; None for what the environment says in AUDITOR_DEVICE, and the CPU where it says nothing.

    Raises:
        ValueError: If a name is unknown, if not exactly one of `model` and `module` is given, or if the network is not one that
            can be audited; if `unlearn_params` are not what the method takes; if `dp` is asked for alongside shards, or of a
            network whose rows depend on each other in training.
        TypeError: If the class is not one of torch.nn.Module, or does not take these params.
    """
    row = Row(features, None if shape is None else tuple(shape), whole)
    network = network_of(model, module, params, row=row, classes=len(classes), dtype=dtype, device=device)
    recipe = Recipe(epochs, batch, optimizer, rate, momentum, weight_decay, schedule)
    given, sharded = unlearn_params or {}, unlearn_by == "sisa"
    if dp is not None and (why := network.mixes or (network.buffers and f"the buffer {network.buffers[0]}")):
        raise ValueError(
            f"dp: expected a network that judges each row on its own in training, such as one with GroupNorm, found {why}: "
            "DP-SGD bounds what one record does to a step"
        )
    if own is None:
        read(_named(PARAMS, "unlearn", unlearn_by), given)
    if sharded and dp is not None:
        raise ValueError('dp: expected no private training with unlearn = "sisa", found some')
    by = "retrain" if sharded else unlearn_by
    unlearning = Unlearning(by, METHODS.get(by, METHODS["none"]), {} if sharded else given, own)
    networks = Networks(network, recipe, unlearning, np.array(classes), noise=None if dp is None else Noise(**dp))
    return ShardedNetworks(networks, given) if sharded else networks


def make_continual(
    *,
    features: int,
    classes: Sequence[int | str],
    model: str,
    steps: int,
    rate: float,
    noise_multiplier: float,
    max_grad_norm: float,
    delta: float,
    factorisation: Factorisation = "square-root",
    params: Mapping[str, Any] | None = None,
    unlearn_by: str = "none",
    shape: Sequence[int] | None = None,
    whole: bool = False,
    dtype: Literal["float32", "float64"] = "float32",
    device: str | None = None,
) -> Networks:
    """The procedure for one network that is kept up to date from a stream.

    Args:
        features: d, the columns of the data.
        classes: The distinct labels of the training data, sorted: one column of predictions each.
        model: The name of a built-in network.
        steps: See `continual.Stream`, as for the next five.
        rate: See there.
        noise_multiplier: See there.
        max_grad_norm: See there.
        delta: See there.
        factorisation: See there.
        params: Keyword arguments of the network.
        unlearn_by: "none": nothing is done about a deletion.
        shape: What a module takes a row as; None for flat.
        whole: Whether features are integers, and a module takes int64.
        dtype: Of parameters and of inputs.
        device: See `make`.

    Raises:
        ValueError: If a name is unknown, or if the sums take more memory than `MOST_SUMMED` says.
    """
    row = Row(features, None if shape is None else tuple(shape), whole)
    network = network_of(model, None, params, row=row, classes=len(classes), dtype=dtype, device=device)
    if factorisation == "square-root" and steps * network.size > MOST_SUMMED:
        raise ValueError(
            f"steps: expected at most {MOST_SUMMED // network.size} for {network.size} parameters with factorisation = "
            f'"square-root", which keeps a sum for every step, found {steps}; "tree" keeps {levels(steps)}'
        )
    stream = Stream(steps, rate, noise_multiplier, max_grad_norm, delta, factorisation)
    unlearning = Unlearning(unlearn_by, METHODS[unlearn_by], {})
    recipe = Recipe(epochs=1, batch=1, optimizer="sgd", rate=rate)
    return Networks(network, recipe, unlearning, np.array(classes), stream=stream)


def network_of(
    model: str | None,
    module: type | None,
    params: Mapping[str, Any] | None,
    *,
    row: Row,
    classes: int,
    dtype: Literal["float32", "float64"],
    device: str | None = None,
) -> Network:
    """The network of a name, or of a class, by the settings of `make`.

    Raises:
        ValueError: As `make`.
        TypeError: As `make`.
    """
    where = torch.device(device or os.environ.get("AUDITOR_DEVICE") or "cpu")
    build = _build(model, module, params or {}, features=row.features, classes=classes)
    return Network(build, row=row, classes=classes, dtype=_named(_DTYPES, "dtype", dtype), device=where)


def _build(model: str | None, module: type | None, params: Mapping[str, Any], *, features: int, classes: int) -> Build:
    if model is not None and module is None:
        architecture = _named(BUILT_IN, "model", model)
        return lambda: architecture(features, classes, **params)
    if module is None or model is not None:
        raise ValueError("expected either the name of a built-in network or a class, found both or neither")
    if not issubclass(module, nn.Module):
        raise TypeError(f"expected a class of torch.nn.Module, found {module.__name__}")
    return lambda: module(**params)


def _named(table: Mapping[str, Any], key: str, name: str) -> Any:
    if name not in table:
        raise ValueError(f"{key}: expected one of {', '.join(table)}, found {name!r}")
    return table[name]
