"""The part on what unlearning costs in accuracy and time, and audits of answers alone: what it brings."""

from __future__ import annotations

from typing import Final

from auditor.base.parts import Part

PART: Final = Part(
    name="usefulness",
    subject="what unlearning costs in accuracy and time, and audits of answers alone",
    cards=("cards",),
    checks=(
        "judging.answers",
        "judging.cost_speedup",
        "judging.utility_accuracy",
    ),
    remedies=("telling.remedies",),
    tellings=("telling.right_guesses",),
    stages=(
        "observing.accuracy",
        "observing.answers",
    ),
    examines=("model", "answers"),
)
