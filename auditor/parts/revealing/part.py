"""The part on what a deletion reveals: what it brings."""

from __future__ import annotations

from typing import Final

from auditor.base.parts import Part

PART: Final = Part(
    name="revealing",
    subject="what a deletion reveals: deletion inference and reconstruction",
    cards=("cards",),
    checks=(
        "judging.inference.example",
        "judging.inference.instance",
        "judging.inference_difference",
        "judging.reconstruction.instance",
        "judging.reconstruction.label",
        "judging.reconstruction.sentence",
    ),
    rules=("rules.compliance",),
    sentences=("telling.sentences",),
    remedies=("telling.remedies",),
    figures=("telling.figures",),
    tellings=("telling.deletion_games",),
    helpers=(
        "telling.deletion_games",
        "telling.reconstructions",
    ),
    stages=("observing.stages",),
)
