"""`inference.example`: of two records with their labels, which was deleted (Gao et al. 2022, Algorithm 3.2)."""

from __future__ import annotations

from functools import partial
from typing import Final

from auditor.base.domain import Message
from auditor.parts.revealing.cards import INFERENCE_EXAMPLE
from auditor.parts.revealing.judging.inference import judging
from auditor.parts.revealing.judging.inference.observed import Observed
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.deleting import limit, not_asked
from auditor.verdict.checks.finding import Earlier, Finding

CARD: Final = INFERENCE_EXAMPLE

UNIT: Final = "share of games in which the deleted record was named correctly; guessing names half"
REMEDY: Final = "Let nobody see the model from before a deletion as well as the one after it, or train with differential privacy."
TEST: Final = "inference-example"
"""The share of the level at which its attacks fail a case."""


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """It is played where somebody asks, on records with labels; releases that the log says were seen are attacked in any case."""
    if not context.procedure.learns_labels:
        return Message("inference.no-labels")
    return None if context.log.max_seen_releases else not_asked(context, CARD.id)


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Hold the share of games won by adversaries who know labels against the policy."""
    from auditor.attacks.deletion import adversaries  # noqa: PLC0415 - where nothing was played, nobody needs adversaries

    played = adversaries("example", classes=context.classifies, version=context.version)
    return judging.judge(context, observed, names=[each.name for each in played], test=TEST)


def _wanted(context: Context) -> bool:
    return context.procedure.learns_labels and limit(context, "inference") is not None


CHECK: Final = Definition(
    CARD,
    Observed,
    judge,
    applies,
    wanted=_wanted,
    replays=True,
    contradictions=judging.contradictions,
    derived=(judging.Derived, judging.OfLog),
    levels=partial(judging.levels, test=TEST),
)
