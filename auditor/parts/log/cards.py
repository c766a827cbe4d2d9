"""The checks of the part: a card for each, and which module judges it, which is imported when it is asked."""

from __future__ import annotations

from typing import Final

from auditor.verdict.checks.card import Card, Role
from auditor.verdict.checks.late import Late

LOG_CONSISTENCY: Final = Card(
    id="log.consistency",
    place=10,
    since="0.2.0",
    roles=frozenset({Role.CHECKS_LOG}),
    required_when_run=True,
    title="Consistency of the deletion log",
    question="Is the deletion log free of contradictions?",
    unit="problems in the log",
    finds=("log-consistent",),
    failure="Rows of the deletion log contradict each other, the training data or the calendar.",
    remedy="Correct the rows of the deletion log that are listed in the results, then audit again. Where an id only looks like "
    "another person's, say why in near_match.",
)

LOG_DEADLINES: Final = Card(
    id="log.deadlines",
    place=20,
    since="0.2.0",
    roles=frozenset({Role.CHECKS_DEADLINES}),
    title="Deadlines of the erasure requests",
    question="Was every request answered in time?",
    unit="requests overdue, or refused without a reason",
    failure="At least one person was answered after the deadline, is still waiting after it, or was refused without a reason.",
    remedy="Answer the overdue requests and tell the people why they waited. Record why a request was refused, and by which "
    "exception of the law.",
)


CARDS: Final = (
    Late(LOG_CONSISTENCY, "auditor.parts.log.judging.log_consistency", runs=False),
    Late(LOG_DEADLINES, "auditor.parts.log.judging.log_deadlines", runs=False),
)
