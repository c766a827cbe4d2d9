"""Sentences of `state.history_independent`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.words.kinds import Sentences
from auditor.words.numbers import printed
from auditor.words.texts import say


def _fresh(given: Mapping[str, Any]) -> str:
    return say("history-fresh", **{**given, "epsilon": str(printed(given["epsilon"]))})


SENTENCES: Final[Sentences] = {
    "state.history_independent.fresh": _fresh,
}
