"""What each guarantee says, in words: its title, and its statement with what it does not cover."""

from __future__ import annotations

import math
from typing import Final

from auditor.certificates.orders import best_membership, linear
from auditor.domain import Guarantee
from auditor.guarantees import CERTIFIED_REMOVAL, CONFIDENTIALITY, CONTROL, DATA_DELETION
from auditor.theorems import removal

TITLES: Final = {
    CERTIFIED_REMOVAL: "Certified removal of the model",
    DATA_DELETION: "Data deletion of the model",
    CONTROL: "Deletion-as-control",
    CONFIDENTIALITY: "Deletion-as-confidentiality",
}
_REMOVED: Final = "Anyone who sees the released model once can hardly tell it from one that was trained without any of the deleted records: no event's probability differs by more than a factor e^ε, up to δ. This covers the model alone and one release: it gives no protection against anyone who also has the model from before the removal."
_NOISED: Final = "Where the seed was drawn at random and kept secret, and noise, residual budget and regularisation were fixed without looking at the data, as the controller attests: anyone who sees the released model once, and knows neither the noise in it nor its seed, can hardly tell it from the exact retraining without the records that the log names, released with noise of the same size: no event's probability differs by more than a factor e^ε, up to δ. This covers requests that were fixed in advance, the training records as they were given, the model alone and one release: it gives no protection against anyone who also has the model from before the removal."
_EXTRACTED: Final = " The extractor that made the features is not retrained: by the privacy of its training it counts as one that never saw the deleted records, which is part of ε and δ."
_CONTROLLED: Final = "After deletion the controller's whole state says no more about the person than they allowed others to learn while their data was there. Their data may have reached other people before the deletion: control allows that. "
_NO_GROUPS: Final = "No statement about groups."
_PRIVATE_GROUPS: Final = "This rests on noise in the training of a model that is never updated: it holds up to a factor e^ε and δ for each person. Of k people together it says kε and δ(e^(kε) − 1)/(e^ε − 1) only."
_MOST_DIGITS: Final = 12
"""Behind the point: nobody reads a row of a hundred zeros."""


def statement(guarantee: Guarantee) -> str:
    """What the guarantee says in plain words, with what it does not cover.

    Raises:
        KeyError: If the catalogue has no guarantee of that id.
    """
    match guarantee.id:
        case "certified-removal":
            return _removal(guarantee.derivation[0].rule)
        case "data-deletion":
            return _deletion(**guarantee.terms)
        case "deletion-as-control":
            return _CONTROLLED + (_PRIVATE_GROUPS if guarantee.terms["by_noise"] else _NO_GROUPS)
        case "deletion-as-confidentiality":
            return "Beyond control: nothing that others saw before the deletion says anything about the person either."
        case unknown:
            raise KeyError(unknown)


def _removal(rule: str) -> str:
    above = removal.is_above_extractor(rule)
    by_noise = rule in {removal.NOISE.id, removal.above_extractor(removal.NOISE).id}
    return (_NOISED if by_noise else _REMOVED) + (_EXTRACTED if above else "")


def _deletion(
    *,
    order: float,
    epsilon: float | None,
    source: str | None,
    seen: int,
    advantage: float | None = None,
    records: int = 1,
    of: str = "request",
) -> str:
    if seen:
        count = f"{seen} released models" if seen > 1 else "one released model"
        requests = f"requesters who had seen {count} at most where a deleted person's own request was fixed in advance"
    else:
        requests = "requests that were fixed in advance"
    whose = "a deleted person's records" if of == "person" else "the records of one request"
    if epsilon is None:
        first = f"No bound was derived on what models after a deletion reveal about {whose}."
        holds, covers = "One would hold", "It would cover"
    else:
        bound = best_membership(linear(order, epsilon, most=order)).bound if advantage is None else advantage
        first, holds, covers = _first(bound, source, whose), "This holds", "It covers"
        if source == "twins":
            # Runs were measured, and nothing is proved of others.
            holds = "It would then hold"
    several = f" Its ε is that of {records} records together, {records}² times that of one." if records > 1 else ""
    others = (
        ""
        if of == "person"
        else " It does not cover other records of the same person, whom the log does not name or who may have more than it lists."
    )
    return (
        f"{first} {holds} for ever and for all later models together. {covers} the released model alone, {requests}, and noise "
        f"that is kept secret.{several if epsilon else ''}{others} It gives no protection against anyone who has a model from before the "
        "deletion."
    )


def _first(bound: float, source: str | None, whose: str) -> str:
    if source == "twins":
        return (
            f"In every run with other records in the place of {whose} each model after the deletion was the same, bit "
            "for bit. Where that is so of all records, and not of those alone that were tried, and where nothing that the "
            "procedure's code and settings bring along was made from the deleted records, no model after the deletion reveals "
            "anything about them."
        )
    if bound >= 1:
        return (
            f"Models after the deletion keep to a bound against those that never saw {whose}, and it is too loose to say how well "
            "anybody could tell them apart."
        )
    return (
        f"Anyone who sees every model after the deletion is at most {points(bound)} percentage points better than guessing at "
        f"whether {whose} were ever learned from."
    )


def points(advantage: float) -> str:
    """An advantage in percentage points, rounded up to two digits, whole tenths above ten, or the last of twelve places."""
    scaled = 100 * advantage
    if not scaled:
        return "0"
    digits = 1 if scaled >= 10 else min(_MOST_DIGITS, 1 - math.floor(math.log10(scaled)))
    rounded = math.ceil(scaled * 10**digits) / 10**digits
    return f"{rounded:.{max(digits, 0)}f}"
