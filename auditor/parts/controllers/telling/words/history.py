"""Sentences of `state.history_independent`."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.kinds import Given, Sentences
from auditor.pages.words.numbers import at_least
from auditor.pages.words.texts import Named, say


def _fresh(given: Given) -> str:
    return say("history-fresh", **{**given, "epsilon": at_least(given.number("epsilon"))})


def _tried(given: Given) -> str:
    return say("history-tried", **{**given, "compared": ", ".join(_KINDS[each] for each in given.words("compared"))})


def _differing(given: Given) -> str:
    ways = "; ".join(
        say("history-way", way=_WAYS[each.word("way")], kinds=", ".join(_KINDS[kind] for kind in each.words("kinds")))
        for each in given.rows("named")
    )
    return say("history-differing", cases=given["cases"], ways=ways, more=given.count("cases") - len(given.many("named")))


_WAYS: Final = Named("history-way-")
_KINDS: Final = Named("history-kind-")
SENTENCES: Final[Sentences] = {
    "state.history_independent.fresh": _fresh,
    "state.history_independent.pipeline.tried": _tried,
    "state.history_independent.pipeline.different": _differing,
}
