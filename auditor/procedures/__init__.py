"""Learning procedures that the auditor brings along, by the name that `[procedure] use` gives them.

A procedure is an object with the methods of the contract: `learn`, `unlearn`, `predict`, `parameters`, `save`, `load`, `state`;
and, where it can, `refit` (a warm-started retraining) and `facts` (what it wants to be known about a model). The sandbox
child builds them here, so nothing heavy is imported before it is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

BUILDERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "certified-removal": f"{__name__}.certified_removal:CertifiedRemoval",
        "estimator": f"{__name__}.wrapped:Wrapped",
        "ngram": f"{__name__}.ngram:Ngram",
        "noisy-gd": f"{__name__}.noisy_gd.making:make",
        "own-file": f"{__name__}.file_models:OwnFile",
        "sklearn": f"{__name__}.estimators:make",
        "torch": f"{__name__}.networks.making:make",
        "torch-file": f"{__name__}.networks.layout:TorchFile",
        "torch-layout": f"{__name__}.networks.layout:NetworkLayout",
    }
)
"""What builds each procedure from its settings: a module and a name in it, loaded when it is asked for."""


def build(use: str, settings: Mapping[str, Any]) -> Any:
    """Build the built-in procedure of a name.

    Args:
        use: The value of `[procedure] use`.
        settings: Its hyperparameters; see the class of each procedure.

    Raises:
        ValueError: If no built-in procedure has that name.
    """
    if use not in BUILDERS:
        raise ValueError(f"there is no built-in procedure named {use!r}")
    module, _, name = BUILDERS[use].partition(":")
    return getattr(import_module(module), name)(**settings)
