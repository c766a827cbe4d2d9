"""Sentences of `removal.residual`, `removal.budget` and `removal.output-noise`."""

from __future__ import annotations

from typing import Final

from auditor.pages.words.kinds import Given, Sentences
from auditor.pages.words.texts import say


def _beyond(given: Given) -> str:
    return say("removal-beyond", names=", ".join(given.words("names")))


SENTENCES: Final[Sentences] = {"removal.beyond": _beyond}
