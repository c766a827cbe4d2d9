"""Sentences that any check may need."""

from __future__ import annotations

from typing import Final

from auditor.words.kinds import Sentences

SENTENCES: Final[Sentences] = {
    "left-out": "Left out by --only.",
    "failed": "{message}",
    "fact.requests-fixed.submitted": "by the controller, in submitting this log",
    "fact.preprocessing-clean.submitted": "by the controller; the training data are read as they were given",
    "fact.seed-secret.short": "the seed has fewer than {bits} bits, so it can be found by trying",
    "fact.seed-secret.attested": "by the controller; the seed has at least {bits} bits",
    "fact.seed-unguessable.short": "fewer than {bits} bits",
    "fact.seed-unguessable.long": "at least {bits} bits",
}
