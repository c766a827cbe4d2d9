"""The part on the model about to be released: what it brings."""

from __future__ import annotations

from typing import Final

from auditor.base.parts import Part

PART: Final = Part(
    name="release",
    subject="the model about to be released: reproduced, compared with a clean room, attacked",
    cards=("cards",),
    checks=(
        "judging.model_reproduced",
        "judging.release_exact",
        "judging.release_remembers",
    ),
    sentences=("telling.sentences",),
    remedies=("telling.remedies",),
    commands=("commands",),
    figures=("telling.figures",),
    tellings=("telling.right_guesses",),
    stages=("observing.stages",),
)
