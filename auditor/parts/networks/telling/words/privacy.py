"""Sentences of `training.privacy`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.pages.words.kinds import Sentences
from auditor.pages.words.texts import say


def _bound(given: Mapping[str, Any]) -> str:
    runs = "; ".join(say("private-training-run", **each) for each in given["trainings"])
    return say("private-training-bound", runs=runs)


def _otherwise(given: Mapping[str, Any]) -> str:
    return say("private-training-otherwise" if given["batch"] else "private-training-otherwise-learning", **given)


SENTENCES: Final[Sentences] = {
    "training.privacy.bound": _bound,
    "training.privacy.otherwise": _otherwise,
}
