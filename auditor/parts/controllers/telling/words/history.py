"""Sentences of `state.history_independent`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.pages.words.kinds import Sentences
from auditor.pages.words.numbers import at_least
from auditor.pages.words.texts import Named, say


def _fresh(given: Mapping[str, Any]) -> str:
    return say("history-fresh", **{**given, "epsilon": at_least(given["epsilon"])})


def _tried(given: Mapping[str, Any]) -> str:
    return say("history-tried", **{**given, "compared": ", ".join(_KINDS[each] for each in given["compared"])})


def _differing(given: Mapping[str, Any]) -> str:
    ways = "; ".join(
        say("history-way", way=_WAYS[each["way"]], kinds=", ".join(_KINDS[kind] for kind in each["kinds"]))
        for each in given["named"]
    )
    return say("history-differing", cases=given["cases"], ways=ways, more=given["cases"] - len(given["named"]))


_WAYS: Final = Named("history-way-")
_KINDS: Final = Named("history-kind-")
SENTENCES: Final[Sentences] = {
    "state.history_independent.fresh": _fresh,
    "state.history_independent.pipeline.tried": _tried,
    "state.history_independent.pipeline.different": _differing,
}
