"""The part on data deletion: what it brings."""

from __future__ import annotations

from typing import Final

from auditor.base.parts import Part

PART: Final = Part(
    name="data_deletion",
    subject="data deletion: noisy gradient descent, Rényi divergence, adaptive requests, statelessness",
    knows=(
        "networks",
        "swap",
    ),
    cards=("cards",),
    checks=(
        "judging.adaptive",
        "judging.renyi",
        "judging.state_stateless",
    ),
    contributions=(
        "judging.chains",
        "judging.requester",
        "judging.tradeoff",
    ),
    theorems=("theorems",),
    guarantees=("guarantees",),
    statements=("telling.sentences",),
    rules=(
        "rules.adaptive",
        "rules.noisy_gd_convex",
        "rules.noisy_gd_nonconvex",
        "rules.noisy_gd_nonconvex_utility",
        "rules.noisy_gd_utility",
    ),
    sentences=("telling.sentences",),
    procedures=("batch_settings", "settings"),
    remedies=("telling.remedies",),
    requesters=("learning.requesters",),
    figures=("telling.figures",),
    tellings=("telling.deletion_words",),
    helpers=(
        "telling.deletion_tables",
        "telling.deletion_words",
    ),
    stages=("observing.stages",),
    planning=("planning.data_deletion",),
)
