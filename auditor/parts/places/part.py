"""The part on places without a model: what it brings."""

from __future__ import annotations

from typing import Final

from auditor.base.parts import Part

PART: Final = Part(
    name="places",
    subject="whether deleted people are still in places, without a model",
    cards=("cards",),
    checks=("judging.places_erased",),
    sentences=("telling.sentences",),
    remedies=("telling.remedies",),
    baselines=("observing.before_and_after",),
    stages=("observing.stages",),
    examines=("places",),
    serves=("observing.reading:serve",),
)
