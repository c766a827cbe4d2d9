"""Learning procedures that the auditor brings along, by the name that `[procedure] use` gives them.

A procedure is an object with the methods of the contract: `learn`, `unlearn`, `predict`, `parameters`, `save`, `load`, `state`;
and, where it can, `refit` (a warm-started retraining) and `facts` (what it wants to be known about a model). The sandbox
child builds them here, so nothing heavy is imported before it is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from auditor.base.parts import named

_OF_FILES: Final = {
    "own-file": f"{__name__}.file_models:OwnFile",
    "loop-layout": f"{__name__}.training_loop:LoopLayout",
    "pickled": f"{__name__}.pickled:Pickled",
    "embedding": f"{__name__}.embedded:Embedding",
}
"""What reads a model file in a library's own format, by anyone who wrote it, says which tensors a `TrainingLoop` has, what a
pickled estimator is, and what calls a function that embeds records."""


@cache
def builders() -> Mapping[str, str]:
    """What builds each procedure, and each reader of model files, by name: a module, a colon, and a name in it."""
    from auditor.settings.builtin import entries  # noqa: PLC0415 - a process that runs a procedure is told where it is built

    found = dict(_OF_FILES)
    for use, entry in entries().items():
        found |= {use: entry.build, **entry.files}
    return found


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
    return named(builders()[use])(**settings)
