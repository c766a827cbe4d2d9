"""What (q, epsilon)-data-deletion promises, in words, and the premises that it rests on by each way to it.

The facts that the premises name are found by the checks; `auditor.guarantees` applies the rules to them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from auditor.certificates.orders import best_membership, linear

Source: TypeAlias = Literal["5.1", "5.2", "gaussian", "twins"]

STATEMENTS: Final[Mapping[str, str]] = {
    "loss-convex": "The loss of every record is convex in the parameters, and the steps follow its gradient.",
    "loss-bounded": "The loss of every record is bounded by the declared cap, and the steps follow its gradient.",
    "loss-constants": "Every record's loss is Lipschitz and smooth with the constants that the certificate uses.",
    "rows-bounded": "Every row that is learned from has a norm of at most 1, for which the constants of the loss hold.",
    "step-size": "The step size is the one that the theorem asks for.",
    "full-batch-descent": "Every step uses all records and adds noise, and the last iterate is the model.",
    "start-gaussian": "Learning starts from the Gaussian that the theorem asks for, which does not depend on the data.",
    "steps-counted": "Learning and every update took the declared number of steps.",
    "noise-measured": "The noise of the steps has the declared variance.",
    "labels-fixed": "No label of the model was that of deleted records alone.",
    "stateless": "Nothing but the model is carried from one update to the next.",
    "deletion-bound-met": "The ε that is left of each deleted record stays within what claim and policy allow, with "
    "requests as they were made.",
    "noise-secret": "Start and noise are known to nobody outside the controller, and their seed cannot be guessed.",
    "own-request-fixed": "A deleted person's own request does not depend on any released model.",
    "seen-releases": "Requesters had seen no more released models than the log and the claim say.",
    "code-clean": "Nothing that the procedure's code and settings bring along was made from a deleted record.",
    "release-independent": "With other records in the place of the deleted ones every later model is the same, bit for bit.",
    "deletion-unrefuted": "No attack of this run gives a lower bound on the Rényi ε above what is claimed or certified.",
}
"""What each fact on data deletion says, by its name."""

_MOST_DIGITS: Final = 12
"""Behind the point: nobody reads a row of a hundred zeros."""
ATTESTED_AT_BEST: Final = frozenset({"noise-secret", "own-request-fixed", "seen-releases", "code-clean"})
"""Facts that no run can establish."""

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
    "twins": (f"{_PAPER}, Definition 4.1 with ε = 0", ("release-independent", "labels-fixed", "stateless", "code-clean")),
}
_UNKNOWN: Final = (f"{_PAPER}, Definition 4.1", ("stateless",))


@dataclass(frozen=True, slots=True)
class Deletion:
    """What the checks found of data deletion, as far as a guarantee needs it."""

    order: float
    """q."""
    epsilon: float | None
    """For all deleted records of one person, with requests as they were made; None where there is none."""
    source: Source | None
    """What it was derived from."""
    seen: int
    """p, the models that requesters had seen."""
    known_loss: bool
    """Whether the constants are those of a loss for rows of norm at most 1."""


def route(deletion: Deletion) -> tuple[str, tuple[str, ...]]:
    """The citation and the names of the premises of the way that a promise is derived by."""
    citation, needs = _UNKNOWN if deletion.source is None else _ROUTES[deletion.source]
    if deletion.known_loss and deletion.source in {"5.1", "5.2", "gaussian"}:
        needs = (*needs, "rows-bounded")
    if deletion.seen:
        return f"{citation}; adaptive requests by Theorem 4.3", (*needs, *_RELEASED, "own-request-fixed", "seen-releases")
    return citation, (*needs, *_RELEASED, "requests-fixed")


def statement(deletion: Deletion) -> str:
    """The promise in plain words, with what it does not cover."""
    if deletion.seen:
        count = f"{deletion.seen} released models" if deletion.seen > 1 else "one released model"
        requests = f"of requesters who had seen {count} at most, and of a deleted person's own request as fixed in advance"
    else:
        requests = "of requests that were fixed in advance"
    if deletion.epsilon is None:
        first = "No bound was derived on what models after a deletion tell of the deleted person's records."
        holds, speaks = "One would hold", "It would speak"
    else:
        first, holds, speaks = _first(deletion, deletion.epsilon), "This holds", "It speaks"
        if deletion.source == "twins":
            # Runs were measured, and nothing is proved of others.
            holds = "It would then hold"
    return (
        f"{first} {holds} for ever and for all later models together. {speaks} of the released model alone, "
        f"{requests}, of the noise as secret, and of those who have no model from before the deletion: whoever has one is not "
        "held off."
    )


def _first(deletion: Deletion, epsilon: float) -> str:
    if deletion.source == "twins":
        return (
            "In every run with other records in the place of a deleted person's each model after the deletion was the same, bit "
            "for bit. Where that is so of all records, and not of those alone that were tried, and where nothing that the "
            "procedure's code and settings bring along was made from hers, no model after the deletion tells anything of hers."
        )
    best = best_membership(linear(deletion.order, epsilon, most=deletion.order))
    if best.bound >= 1:
        return (
            "Models after the deletion keep to a bound against those that never saw a deleted person's records, and it is too "
            "loose to say how well anybody could tell them apart."
        )
    return (
        f"Whoever sees every model after the deletion is at most {points(best.bound)} percentage points better than guessing at "
        "whether a deleted person's records were ever learned from."
    )


def not_adaptive(deletion: Deletion) -> str:
    """Why the promise is none for requests that depend on whatever was released before."""
    if deletion.seen:
        return f"data deletion was derived for requesters who saw {deletion.seen} models at most, and no others"
    return "data deletion was derived for requests fixed in advance"


def points(advantage: float) -> str:
    """An advantage in percentage points, rounded up to two digits, whole tenths above ten, or the last of twelve places."""
    scaled = 100 * advantage
    if not scaled:
        return "0"
    digits = 1 if scaled >= 10 else min(_MOST_DIGITS, 1 - math.floor(math.log10(scaled)))
    rounded = math.ceil(scaled * 10**digits) / 10**digits
    return f"{rounded:.{max(digits, 0)}f}"
