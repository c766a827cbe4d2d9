"""The part on what is kept: what it brings."""

from __future__ import annotations

from typing import Final

from auditor.base.parts import Part

PART: Final = Part(
    name="store",
    subject="what is kept: deleted records and copies of them, and every byte explained",
    cards=("cards",),
    checks=("judging.data_erased",),
    sentences=("telling.sentences",),
    remedies=("telling.remedies",),
    stages=("observing.erasure",),
)
