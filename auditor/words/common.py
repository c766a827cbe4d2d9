"""Sentences that any check may need."""

from __future__ import annotations

from typing import Final

from auditor.domain import LEFT_OUT
from auditor.words.kinds import Sentences

SENTENCES: Final[Sentences] = {
    "left-out": LEFT_OUT,
    "failed": "{message}",
}
