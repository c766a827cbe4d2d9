"""Sentences on the deletion log."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.kinds import Given, Sentence, Sentences
from auditor.pages.words.lists import and_more
from auditor.pages.words.texts import say


def _rows(message: str) -> Sentence:
    """Says rows of the log by their numbers."""

    def said(given: Given) -> str:
        named = [str(row) for row in given.many("rows")]
        return say(message, rows=and_more(named, max(0, given.count("all") - len(named))), all=given["all"])

    return said


SENTENCES: Final[Sentences] = {
    "log.consistency.open": _rows("log-open"),
    "log.consistency.explained": _rows("log-explained"),
    "log.consistency.by-chance": _rows("log-by-chance"),
    "log.consistency.amended": _rows("log-amended"),
}
