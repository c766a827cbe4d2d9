"""Sentences that any check may need."""

from __future__ import annotations

from typing import Final

from auditor.words.kinds import Sentences

SENTENCES: Final[Sentences] = {
    "left-out": "Left out by --only.",
    "failed": "{message}",
    "fact.seed-secret.short": "the seed has fewer than {bits} bits, so it can be found by trying",
    "fact.seed-unguessable.short": "fewer than {bits} bits",
    "fact.seed-unguessable.long": "at least {bits} bits",
}
