"""What a family of checks hands back, and the catalogue of every check there is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from auditor.domain import Certificate, Check, Fact, Status

TITLES: Mapping[str, str] = {
    "log.consistency": "The deletion log holds together",
    "log.deadlines": "Requests were carried out in time",
    "data.erased": "Deleted records are gone from what is kept",
    "model.reproduced": "The shipped model is the one the procedure gives",
    "swap.quality": "Unlearning quality in the SWAP test",
    "swap.strong": "Whole-set adversary in the SWAP test",
    "swap.controls": "Controls of the SWAP test",
    "epsilon.consistency": "No measured ε above a claimed or certified one",
    "training.privacy": "Differential privacy of the training",
    "removal.residual": "Gradient residual of the released weights",
    "removal.budget": "Residual bound within the removal budget",
    "removal.output-noise": "Certified removal by output noise",
    "deletion.renyi": "Data deletion in Rényi divergence",
    "deletion.adaptive": "Data deletion under adaptive requests",
    "inference.example": "Deletion inference, by example",
    "inference.instance": "Deletion inference, by instance",
    "inference.difference": "Deletion inference, from the difference of two releases",
    "reconstruction.label": "Reconstruction of a deleted label",
    "reconstruction.instance": "Reconstruction of a deleted record",
    "reconstruction.sentence": "Reconstruction of a deleted sentence",
    "state.stateless": "Nothing but the model is carried between updates",
    "state.history_independent": "The state does not depend on the order of events",
    "utility.accuracy": "Accuracy against the retrained model",
    "cost.speedup": "Time of unlearning against retraining",
}
"""Every check id of the contract, in its order, with a title."""

INFORMATIVE_BY_DEFAULT = frozenset({"swap.strong"})
"""Checks without a card that never count against the verdict unless the policy requires them; a card says so itself."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What one family found."""

    checks: tuple[Check, ...]
    certificates: tuple[Certificate, ...] = ()
    facts: tuple[Fact, ...] = ()


def skipped(check_id: str, reason: str) -> Check:
    """A check that was not run, and why."""
    return Check(check_id, TITLES[check_id], Status.SKIPPED, None, None, None, reason)


def errored(check_id: str, reason: str) -> Check:
    """A check that was to run and could not, and why."""
    return Check(check_id, TITLES[check_id], Status.ERROR, None, None, None, reason)


def finite(value: float | None) -> float | None:
    """The value as JSON holds it: null where it is no finite number."""
    return float(value) if value is not None and math.isfinite(value) else None
