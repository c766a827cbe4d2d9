"""Sentences about deletion games as such: when they are played, why there may be none, and what would show less."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from auditor.words.kinds import Sentences

REMEDIES: Final[Mapping[str, str]] = {
    "labels": "answering with the predicted class alone",
    "rounded": "rounding answers to two digits",
    "several-2": "deleting 2 records at a time",
    "several-5": "deleting 5 records at a time",
    "several-10": "deleting 10 records at a time",
    "several-20": "deleting 20 records at a time",
    "waiting": "waiting for the next scheduled retraining",
    "private": "private training of a linear model",
}
"""What each remedy goes by."""
NO_REMEDY: Final = "None of the remedies measured would keep every attack within the limit for certain."


def remedies(given: Mapping[str, Any]) -> str:
    """Name the remedies that were measured to be enough."""
    return f"Measured on these data, {_listed([REMEDIES[each] for each in given['remedies']])} would keep every attack within the limit."


def _listed(said: Sequence[str]) -> str:
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} or {said[-1]}"


SENTENCES: Final[Sentences] = {
    "deleting.not-asked": "Not played: neither policy nor command line asks for it, and nobody is said to see the model from before a deletion "
    "as well as the one after it. If somebody may see both, set policy.before_and_after = true.",
    "deleting.few-records": "with {records} training records there is nothing to play: at least {least} are needed",
    "deleting.no-split": "in {draws} draws no records were found to delete that leave one of every class: a class has too few",
    "deleting.not-played": "Not played: {why}.",
    "deleting.quick": "A quick run plays too few games to decide anything: run without --quick.",
    "deleting.too-few": "Too few games to decide: what they allow lies on both sides of the threshold.",
    "deleting.informative": "Informative: the policy sets no {key}.",
}
