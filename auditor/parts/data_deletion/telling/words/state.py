"""Sentences of `state.stateless`, and of what the built-in procedures carry from one update to the next."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.kinds import Given, Sentence, Sentences
from auditor.pages.words.lists import and_more, both
from auditor.pages.words.texts import say, text


def _untried(given: Given) -> str:
    return say("state-not-resumable", lacking=both([text("common-no-method", name=each) for each in given.words("lacking")]))


def _kept(message: str) -> Sentence:
    """Says what outlived an update."""

    def said(given: Given) -> str:
        return say(
            message, kept=and_more((f"{each['name']} ({each['kind']})" for each in given.rows("kept")), given.count("more"))
        )

    return said


def _refused(given: Given) -> str:
    reasons = [say("state-refused", **each) for each in given.rows("refused")]
    return "; ".join([*reasons, *([text("state-same-from-file")] if given["same_from_file"] else [])])


def _numbers(message: str, name: str) -> Sentence:
    """Says updates by their numbers."""
    return lambda given: say(message, updates=", ".join(str(each) for each in given.many(name)))


SENTENCES: Final[Sentences] = {
    "carried.beyond": lambda given: say("state-beyond", beyond=both(given.words("beyond"))),
    "state.stateless.not-resumable": _untried,
    "state.stateless.log-same": _numbers("state-log-same", "updates"),
    "state.stateless.acts-late": _numbers("state-acts-late", "updates"),
    "state.stateless.survived": _kept("state-survived"),
    "state.stateless.outlived": _kept("state-outlived"),
    "state.stateless.open.log": _numbers("state-open-log", "after"),
    "state.stateless.open.refused": _refused,
    "fact.stateless.carried": lambda given: f"state.stateless: {', '.join(given.words('names'))}",
}
