"""Sentences of criteria that promise nothing."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.guesses import at_most
from auditor.pages.words.kinds import Sentence, Sentences
from auditor.pages.words.texts import say


def _guesses(message: str) -> Sentence:
    """Says how many of 100 guesses a promise leaves right."""
    return lambda given: say(
        message, **{**given, "share": at_most(given.number("share")), "most": f"{100 * given.number('most'):g}"}
    )


SENTENCES: Final[Sentences] = {
    "promise.guesses": _guesses("nothing-promised"),
    "promise.renyi": _guesses("nothing-promised-renyi"),
    "promise.together": _guesses("nothing-promised-together"),
}
