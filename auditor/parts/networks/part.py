"""The part on neural networks: what it brings."""

from __future__ import annotations

from typing import Final

from auditor.base.parts import Part

PART: Final = Part(
    name="networks",
    subject="neural networks: training in stacks, ways of unlearning, differentially private training",
    cards=("cards",),
    checks=("judging.training_privacy",),
    sentences=("telling.sentences",),
    procedures=("settings",),
    remedies=("telling.remedies",),
    stages=("observing.privacy",),
    planning=("planning.continual",),
)
