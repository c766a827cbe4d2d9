"""Learning procedures that the auditor brings along, by the name that `[procedure] use` gives them.

A procedure is an object with the methods of the contract: `learn`, `unlearn`, `predict`, `parameters`, `save`, `load`, `state`;
and, where it can, `refit` (a warm-started retraining) and `facts` (what it wants to be known about a model). The sandbox
child builds them here, so nothing heavy is imported before it is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def build(use: str, settings: Mapping[str, Any]) -> Any:  # noqa: PLR0911 - one line a procedure
    """The built-in procedure of that name.

    Args:
        use: The value of `[procedure] use`.
        settings: Its hyperparameters; see the class of each procedure.

    Raises:
        ValueError: If no built-in procedure has that name.
    """
    match use:
        case "certified-removal":
            from auditor.procedures.certified_removal import CertifiedRemoval  # noqa: PLC0415  (its linear algebra loads SciPy)

            return CertifiedRemoval(**settings)
        case "estimator" | "own-file":
            from auditor.procedures import file_models, wrapped  # noqa: PLC0415  (what they wrap is heavier than they are)

            return wrapped.Wrapped(**settings) if use == "estimator" else file_models.OwnFile(**settings)
        case "ngram":
            from auditor.procedures.ngram import Ngram  # noqa: PLC0415  (as the others)

            return Ngram(**settings)
        case "noisy-gd":
            from auditor.procedures.noisy_gd.making import make as make_noisy  # noqa: PLC0415  (networks load PyTorch)

            return make_noisy(**settings)
        case "sklearn":
            from auditor.procedures.estimators import make  # noqa: PLC0415  (scikit-learn takes a second to load)

            return make(**settings)
        case "torch":
            from auditor.procedures.networks.making import make as make_networks  # noqa: PLC0415  (PyTorch takes seconds to load)

            return make_networks(**settings)
        case "torch-layout":
            from auditor.procedures.networks.layout import NetworkLayout  # noqa: PLC0415  (as above)

            return NetworkLayout(**settings)
        case "torch-file":
            from auditor.procedures.networks.layout import TorchFile  # noqa: PLC0415  (as above)

            return TorchFile()
        case _:
            raise ValueError(f"there is no built-in procedure named {use!r}")
