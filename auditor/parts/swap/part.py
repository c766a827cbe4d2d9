"""The part on the SWAP test, and attacks that refute a claimed ε: what it brings."""

from __future__ import annotations

from typing import Final

from auditor.base.parts import Part

PART: Final = Part(
    name="swap",
    subject="the SWAP test, and attacks that refute a claimed ε",
    cards=("cards",),
    checks=(
        "judging.controls",
        "judging.epsilon_consistency",
        "judging.quality",
        "judging.strong",
    ),
    rules=(
        "rules.one_run",
        "rules.one_run_privacy",
        "rules.swap",
    ),
    sentences=("telling.sentences",),
    remedies=("telling.remedies",),
    figures=(
        "telling.figures.epsilon_axis",
        "telling.figures.swap_quality",
    ),
    tellings=("telling.right_guesses",),
    helpers=(
        "telling.epsilon_words",
        "telling.swap_words",
    ),
    stages=("observing.stages",),
)
