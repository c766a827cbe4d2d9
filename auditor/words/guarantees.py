"""What each guarantee says, in words: its title, and its statement with what it does not cover."""

from __future__ import annotations

from typing import Final

from auditor.certificates.orders import best_membership, linear
from auditor.domain import Guarantee
from auditor.guarantees import CERTIFIED_REMOVAL, CONFIDENTIALITY, CONTROL, DATA_DELETION
from auditor.strength import guesses
from auditor.theorems import removal
from auditor.words.guesses import at_most, hardness, of_advantage
from auditor.words.numbers import at_most as number_at_most

TITLES: Final = {
    CERTIFIED_REMOVAL: "Certified removal of the model",
    DATA_DELETION: "Data deletion of the model",
    CONTROL: "Deletion-as-control",
    CONFIDENTIALITY: "Deletion-as-confidentiality",
}
_REMOVED: Final = "one that was trained without any of the deleted records"
_RETRAINED: Final = "the exact retraining without the records that the log names, released with noise of the same size"
_FACTOR: Final = " No event's probability differs by more than a factor e^ε, up to δ."
_COVERED: Final = " This covers the model alone and one release: it gives no protection against anyone who also has the model from before the removal."
_UNDER: Final = "Where the seed was drawn at random and kept secret, and noise, residual budget and regularisation were fixed without looking at the data, as the controller attests: anyone who sees the released model once, and knows neither the noise in it nor its seed,"
_NOISE_COVERED: Final = " This covers requests that were fixed in advance, the training records as they were given, the model alone and one release: it gives no protection against anyone who also has the model from before the removal."
_CONFIDENTIAL: Final = "Beyond control: what others see, before the deletion and after it, differs little from what they would have seen had the person's data never been there"
_CONFIDENTIAL_COVERS: Final = " It covers people whose data nobody answers to and who act in no other way (silent subjects), the releases up to the horizon of the mechanism, and nobody who returns after a deletion."
_EXTRACTED: Final = " The extractor that made the features is not retrained: by the privacy of its training it counts as one that never saw the deleted records, which is part of ε and δ."
_CONTROLLED: Final = "What the controller's whole state says about the person after deletion is bounded by ε and δ, beyond what they allowed others to learn while their data was there. Their data may have reached other people before the deletion: control allows that."
_NO_GROUPS: Final = "No statement about groups."
_PRIVATE_GROUPS: Final = "This rests on noise in the training of a model that is never updated: it holds up to a factor e^ε and δ for each person. Of k people together it says kε and δ(e^(kε) − 1)/(e^ε − 1) only."


def statement(guarantee: Guarantee) -> str:
    """What the guarantee says in plain words, with what it does not cover.

    Raises:
        KeyError: If the catalogue has no guarantee of that id.
    """
    match guarantee.id:
        case "certified-removal":
            return _removal(guarantee)
        case "data-deletion":
            return _deletion(guesses(guarantee), **guarantee.terms)
        case "deletion-as-control":
            return _controlled(guarantee)
        case "deletion-as-confidentiality":
            return _confidential(guarantee)
        case unknown:
            raise KeyError(unknown)


def _removal(guarantee: Guarantee) -> str:
    rule, share = guarantee.derivation[0].rule, guesses(guarantee)
    by_noise = rule in {removal.NOISE.id, removal.above_extractor(removal.NOISE).id}
    who = _UNDER if by_noise else "Anyone who sees the released model once"
    other = _RETRAINED if by_noise else _REMOVED
    if share is None:
        lead = f"{who} could tell it from {other} no better than ε and δ allow, if the guarantee held."
    else:
        lead = f"{who} and guesses whether it is {other}, {_right(share)}."
    above = _EXTRACTED if removal.is_above_extractor(rule) else ""
    return f"{lead}{_FACTOR}{_NOISE_COVERED if by_noise else _COVERED}{above}"


def _controlled(guarantee: Guarantee) -> str:
    share = guesses(guarantee)
    more = f" Anyone who sees that state and guesses whether their data was ever there {_right(share)}." if share else ""
    return f"{_CONTROLLED}{more} {_PRIVATE_GROUPS if guarantee.terms['by_noise'] else _NO_GROUPS}"


def _right(share: float) -> str:
    """How often guessing is right, in the one unit, and how hard that makes it."""
    return f"is right at most {at_most(share)} of 100 times, where guessing is right 50 times ({hardness(share)})"


def _confidential(guarantee: Guarantee) -> str:
    share = guesses(guarantee)
    if share is None:
        return f"{_CONFIDENTIAL}, by a factor e^ε and up to δ. No ε and no δ were shown.{_CONFIDENTIAL_COVERS}"
    numbers = f"ε = {number_at_most(guarantee.epsilon)} and δ = {number_at_most(guarantee.delta)}"
    return f"{_CONFIDENTIAL}: {numbers}. Anyone who guesses whether it was there {_right(share)}.{_CONFIDENTIAL_COVERS}"


def _deletion(
    share: float | None,
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
        if share is None:
            bound = best_membership(linear(order, epsilon, most=order)).bound if advantage is None else advantage
            share = of_advantage(bound)
        first, holds, covers = _first(share, source, whose), "This holds", "It covers"
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


def _first(share: float, source: str | None, whose: str) -> str:
    if source == "twins":
        return (
            f"In every run with other records in the place of {whose} each model after the deletion was the same, bit "
            "for bit. Where that is so of all records, and not of those alone that were tried, and where nothing that the "
            "procedure's code and settings bring along was made from the deleted records, no model after the deletion reveals "
            "anything about them."
        )
    if share >= 1:
        return (
            f"Models after the deletion keep to a bound against those that never saw {whose}, and it is too loose to say how well "
            "anybody could tell them apart."
        )
    return f"Anyone who sees every model after the deletion, and guesses whether {whose} were ever learned from, {_right(share)}."
