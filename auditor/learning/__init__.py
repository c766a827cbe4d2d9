"""Learning procedures that the auditor brings along, by the name that `[procedure] use` gives them.

A procedure is an object with the methods of the contract: `learn`, `unlearn`, `predict`, `parameters`, `save`, `load`, `state`;
and, where it can, `refit` (a warm-started retraining) and `facts` (what it wants to be known about a model). The sandbox
child builds them here, so nothing heavy is imported before it is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

from auditor.base.parts import procedures

_OF_THE_CORE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "estimator": f"{__name__}.wrapped:Wrapped",
        "ngram": f"{__name__}.ngram:Ngram",
        "own-file": f"{__name__}.file_models:OwnFile",
        "sklearn": f"{__name__}.estimators:make",
    }
)
"""What builds each procedure from its settings: a module and a name in it, loaded when it is asked for."""


@cache
def builders() -> Mapping[str, str]:
    """What builds each procedure, those that parts bring among them."""
    return {**_OF_THE_CORE, **procedures()}


def build(use: str, settings: Mapping[str, Any]) -> Any:
    """Build the built-in procedure of a name.

    Args:
        use: The value of `[procedure] use`.
        settings: Its hyperparameters; see the class of each procedure.

    Raises:
        ValueError: If no built-in procedure has that name.
    """
    if use not in builders():
        raise ValueError(f"there is no built-in procedure named {use!r}")
    module, _, name = builders()[use].partition(":")
    return getattr(import_module(module), name)(**settings)
