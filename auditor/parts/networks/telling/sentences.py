"""Sentences on neural networks."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.kinds import Given, Sentences
from auditor.pages.words.texts import say


def _bound(given: Given) -> str:
    runs = "; ".join(say("private-training-run", **each) for each in given.rows("trainings"))
    return say("private-training-bound", runs=runs)


def _otherwise(given: Given) -> str:
    return say("private-training-otherwise" if given["batch"] else "private-training-otherwise-learning", **given)


SENTENCES: Final[Sentences] = {
    "training.privacy.bound": _bound,
    "training.privacy.otherwise": _otherwise,
}
