"""The part on the deletion log: what it brings."""

from __future__ import annotations

from typing import Final

from auditor.base.parts import Part

PART: Final = Part(
    name="log",
    subject="the deletion log: its consistency, deadlines and hash chain, and tickets that become one",
    cards=("cards",),
    checks=(
        "judging.log_consistency",
        "judging.log_deadlines",
    ),
    sentences=("telling.sentences",),
    remedies=("telling.remedies",),
    commands=("commands",),
    tickets=("importing.tickets",),
    figures=("telling.figures",),
)
