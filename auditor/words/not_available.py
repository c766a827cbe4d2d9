"""Sentences of the checks that this version cannot make."""

from __future__ import annotations

from typing import Final

from auditor.words.kinds import Sentences

SENTENCES: Final[Sentences] = {
    "state.history_independent.not-available": "This version has no test of history independence.",
}
