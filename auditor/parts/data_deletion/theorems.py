"""The theorems that (q, epsilon)-data-deletion follows from, each with the names of the facts that it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final, Literal, TypeAlias

from auditor.base.promises import Promise
from auditor.verdict.theorems import Theorem, needing

Source: TypeAlias = Literal["5.1", "5.2", "gaussian", "batches", "twins"]
Unit: TypeAlias = Literal["person", "request"]

_DESCENT: Final = (
    "loss-constants",
    "full-batch-descent",
    "start-gaussian",
    "steps-counted",
    "noise-measured",
    "labels-fixed",
    "stateless",
    "noise-secret",
)
_RELEASED: Final = (
    "deletion-bound-met",
    "release-reproduced",
    "log-consistent",
    "log-complete",
    "preprocessing-clean",
)
_PAPER: Final = "Chourasia and Shah 2023"
_ROUTES: Final[Mapping[Source, tuple[str, tuple[str, ...]]]] = {
    "5.1": (f"{_PAPER}, Theorem 5.1", ("loss-convex", "step-size", *_DESCENT)),
    "5.2": (f"{_PAPER}, Theorem 5.2", ("loss-bounded", *_DESCENT)),
    "gaussian": (
        "Shifted interpolation (Bok, Su and Altschuler 2024) with shifts while the record is there, then none",
        ("loss-convex", "step-size", *_DESCENT),
    ),
    "batches": (
        "Chien, Wang, Chen and Li 2024, by shifted interpolation (Bok, Su and Altschuler 2024)",
        ("loss-convex", "step-size", *("mini-batch-descent" if each == "full-batch-descent" else each for each in _DESCENT)),
    ),
    "twins": (f"{_PAPER}, Definition 4.1 with ε = 0", ("release-independent", "labels-fixed", "stateless", "code-clean")),
}
OF_A_PERSON: Final = "subjects-complete"
"""What a promise about a person needs, and one about the records of a request does not."""
_OF_DESCENT: Final = frozenset({"5.1", "5.2", "gaussian", "batches"})
_UNKNOWN: Final = (f"{_PAPER}, Definition 4.1", ("stateless",))


@dataclass(frozen=True, slots=True)
class Deletion:
    """What the checks found of data deletion, as far as a guarantee needs it."""

    order: float
    """q."""
    epsilon: float | None
    """For all records of the unit, with requests as they were made; None where there is none."""
    source: Source | None
    """What it was derived from."""
    seen: int
    """p, the models that requesters had seen."""
    known_loss: bool
    """Whether the constants are those of a loss for rows of norm at most 1."""
    advantage: float | None = None
    """How much better than guessing anybody tells at best whether those records were there; None where no bound is known."""
    records: int = 1
    """The most that one unit has."""
    promise: Promise | None = None
    """For all records of the unit, by what the theorem gives beyond an ε at an order; None where it gives no more."""
    of: Unit = "request"
    """Whose records it covers together. Those of a person are all that the log names for a subject: a premise."""


def theorem(deletion: Deletion) -> Theorem:
    """The theorem by which a promise is derived; of a person it asks that nobody has more records than the log names."""
    found = _theorem(deletion.source, known_loss=deletion.known_loss, adaptive=bool(deletion.seen))
    return needing(found, OF_A_PERSON) if deletion.of == "person" else found


def _theorem(source: Source | None, *, known_loss: bool, adaptive: bool) -> Theorem:
    citation, needs = _UNKNOWN if source is None else _ROUTES[source]
    name = f"data-deletion-{'unknown' if source is None else source}"
    if known_loss and source in _OF_DESCENT:
        name, needs = f"{name}-known-loss", (*needs, "rows-bounded")
    if adaptive:
        needs = (*needs, *_RELEASED, "own-request-fixed", "seen-releases")
        return Theorem(f"{name}-adaptive", f"{citation}; adaptive requests by Theorem 4.3", needs, may_need=(OF_A_PERSON,))
    return Theorem(name, citation, (*needs, *_RELEASED, "requests-fixed"), may_need=(OF_A_PERSON,))


THEOREMS: Final = tuple(
    {
        each.id: each
        for source, known_loss, adaptive in product((*_ROUTES, None), (False, True), (False, True))
        for each in (_theorem(source, known_loss=known_loss, adaptive=adaptive),)
    }.values()
)
