"""Thresholds that part members from non-members best, and the attacks that consist of one.

A threshold lies midway between two neighbouring values that differ by more than rounding, so that rounding decides nothing. Where
no threshold accepts more members than non-members, nobody is accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.attacks.threat_model import Outputs, Shadow
from auditor.base.records import Floats, Positions

LEAST_RECORDS: Final = 10
"""A class with fewer shadow records takes the threshold of all records: its own would fit the few."""
ROUNDING: Final = 1e-12
"""Values that differ by less, absolutely and relative to their size, count as equal."""

Evidence: TypeAlias = Callable[[Floats, Positions], Floats]
"""From probabilities (..., n, classes) and class codes (n,) to values (..., n): the larger, the likelier a member."""


@dataclass(frozen=True, slots=True, eq=False)
class Thresholds:
    """Evidence above the threshold of its class accepts a record."""

    of_class: Floats
    """Shape (classes,); ∞ where nobody is accepted."""

    def margins(self, evidence: Floats, labels: Positions) -> Floats:
        """Evidence less threshold, shape (n,), above 0 for those accepted; −1 for all of a class that accepts nobody."""
        thresholds = self.of_class[labels]
        return np.where(np.isinf(thresholds), -1.0, evidence - thresholds)


def best_threshold(evidence: Floats, members: npt.NDArray[np.bool_]) -> float:
    """The threshold with the largest TPR − FPR, the highest of several; ∞ where none comes out above 0.

    Args:
        evidence: Finite values, shape (m,).
        members: Which of them belong to members, shape (m,).
    """
    order = np.argsort(-evidence, kind="stable")
    descending = evidence[order]
    rounding = ROUNDING * np.maximum(1.0, np.abs(descending[:-1]))
    cuts = np.flatnonzero(descending[:-1] - descending[1:] > rounding)
    if not len(cuts):
        return np.inf
    true = np.cumsum(members[order])[cuts]
    false = cuts + 1 - true
    count = int(np.count_nonzero(members))
    # (TPR − FPR) times both counts: whole numbers, so that "above 0" is exact.
    gains = true * (len(members) - count) - false * count
    best = int(np.argmax(gains))
    if gains[best] <= 0:
        return np.inf
    upper, lower = descending[cuts[best]], descending[cuts[best] + 1]
    return float(lower + (upper - lower) / 2)


def for_all(evidence: Floats, members: npt.NDArray[np.bool_], classes: int) -> Thresholds:
    """One threshold for all classes, from evidence and membership of any equal shape."""
    return Thresholds(np.full(classes, best_threshold(evidence.ravel(), members.ravel())))


def per_class(evidence: Floats, members: npt.NDArray[np.bool_], labels: Positions, classes: int) -> Thresholds:
    """A threshold for each class with at least `LEAST_RECORDS` records, the one of all records for the others.

    Args:
        evidence: One value per model and record, shape (j, n).
        members: Whether the model was trained on the record, shape (j, n).
        labels: Class codes, shape (n,).
        classes: The number of classes.
    """
    of_class = for_all(evidence, members, classes).of_class
    for code in np.flatnonzero(np.bincount(labels, minlength=classes) >= LEAST_RECORDS):
        here = labels == code
        of_class[code] = best_threshold(evidence[:, here].ravel(), members[:, here].ravel())
    return Thresholds(of_class)


def for_turns(shadow: Shadow, evidence: Callable[[Outputs, Positions], Floats]) -> Thresholds:
    """One threshold for all classes, for evidence that is read from references too: over every turn of the shadow models.

    Raises:
        ValueError: If there are fewer than 2 complementary pairs of shadow models.
    """
    turns = [(evidence(turn.outputs, turn.labels), turn.members) for turn in shadow.turns()]
    values, members = (np.stack(each) for each in zip(*turns, strict=True))
    return for_all(values, members, shadow.references.probabilities.shape[-1])


@dataclass(frozen=True, slots=True)
class ThresholdAttack:
    """Accepts a record whose evidence, read from the model's output on it alone, is above a threshold."""

    name: str
    title: str
    source: str
    since: str
    evidence: Evidence
    by_class: bool = True
    """Whether each class has a threshold of its own."""

    def fit(self, shadow: Shadow, *, rng: np.random.Generator) -> Thresholds:  # noqa: ARG002  (nothing is drawn)
        """The thresholds with the largest TPR − FPR over all shadow models and shadow records."""
        evidence = self.evidence(shadow.references.probabilities, shadow.labels)
        members, classes = shadow.references.trained_on, shadow.references.probabilities.shape[-1]
        if self.by_class:
            return per_class(evidence, members, shadow.labels, classes)
        return for_all(evidence, members, classes)

    def score(self, state: Thresholds, outputs: Outputs, labels: Positions) -> Floats:
        """Evidence less the threshold of the record's class, shape (n,)."""
        return state.margins(self.evidence(outputs.probabilities, labels), labels)
