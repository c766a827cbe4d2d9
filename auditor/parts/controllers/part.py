"""The part on whole programs: what it brings."""

from __future__ import annotations

from typing import Final

from auditor.base.parts import Part

PART: Final = Part(
    name="controllers",
    subject="whole programs: history independence, control and confidentiality, reports under continual release",
    cards=("cards",),
    checks=(
        "judging.control.confidentiality_game",
        "judging.control.control_game",
        "judging.history.independence",
        "judging.privacy_continual",
    ),
    theorems=("theorems",),
    guarantees=("guarantees",),
    statements=("telling.sentences",),
    rules=(
        "rules.adaptive_unlearning",
        "rules.noisy_descent_history",
        "rules.square_root_counter",
        "rules.tree_counter",
    ),
    sentences=("telling.sentences",),
    remedies=("telling.remedies",),
    commands=("commands",),
    results=("counterexamples",),
    helpers=("telling.controllers",),
    stages=("observing.stages",),
    examines=("model", "program"),
    controllers=("settings",),
)
