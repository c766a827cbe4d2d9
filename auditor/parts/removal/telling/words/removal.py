"""Sentences of `removal.residual`, `removal.budget` and `removal.output-noise`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.pages.words.kinds import Sentences
from auditor.pages.words.texts import say


def _beyond(given: Mapping[str, Any]) -> str:
    return say("removal-beyond", names=", ".join(given["names"]))


SENTENCES: Final[Sentences] = {"removal.beyond": _beyond}
