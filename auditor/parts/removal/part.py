"""The part on certified removal: what it brings."""

from __future__ import annotations

from typing import Final

from auditor.base.parts import Part

PART: Final = Part(
    name="removal",
    subject="certified removal: residuals, their budget, noise at release, extractors",
    cards=("cards",),
    checks=(
        "judging.budget",
        "judging.output_noise",
        "judging.residual",
    ),
    theorems=("theorems",),
    guarantees=("guarantees",),
    statements=("telling.sentences",),
    rules=(
        "rules.extractor",
        "rules.joint",
        "rules.laplace",
        "rules.output_noise",
        "rules.removal",
        "rules.residual",
    ),
    sentences=("telling.sentences",),
    procedures=("settings",),
    remedies=("telling.remedies",),
    figures=("telling.figures",),
    stages=("observing.certified",),
    planning=("planning.search",),
)
