"""Sentences of the checks that this version cannot make."""

from __future__ import annotations

from typing import Final

from auditor.words.kinds import Sentences

SENTENCES: Final[Sentences] = {
    "reconstruction.not-available": "This version has no reconstruction attack.",
    "reconstruction.sentence.no-text": "Does not apply: the model does not learn from text.",
    "state.history_independent.not-available": "This version has no test of history independence.",
}
