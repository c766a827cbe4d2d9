"""Sentences about columns that were fitted on deleted records."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.kinds import Given, Sentence, Sentences
from auditor.pages.words.lists import and_more
from auditor.pages.words.texts import say


def _columns(message: str) -> Sentence:
    """Says some features by their numbers."""

    def said(given: Given) -> str:
        named = [str(each) for each in given.many("columns")]
        return say(message, columns=and_more(named, max(0, given.count("count") - len(named))), count=given["count"])

    return said


def _found(message: str) -> Sentence:
    """Says what was fitted."""
    return lambda given: say(message, found="; ".join(given.words("found")))


SENTENCES: Final[Sentences] = {
    "preprocessing.standardised": _columns("preprocessing-standardised"),
    "preprocessing.min-max": _columns("preprocessing-min-max"),
    "preprocessing.one-hot": _columns("preprocessing-one-hot"),
    "fact.preprocessing-clean.fitted": _found("preprocessing-fitted"),
    "data.erased.preprocessing": _found("preprocessing-beside"),
}
