"""`inference.instance`: of two records without their labels, which was deleted (Gao et al. 2022, Algorithm 3.4)."""

from __future__ import annotations

from functools import partial
from typing import Final

from auditor.base.domain import Message
from auditor.parts.revealing.cards import INFERENCE_INSTANCE, not_named
from auditor.parts.revealing.judging.inference import judging
from auditor.parts.revealing.judging.inference.observed import Observed
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.deleting import limit
from auditor.verdict.checks.finding import Earlier, Finding

CARD: Final = INFERENCE_INSTANCE

TEST: Final = "inference-instance"
"""The share of the level at which its attacks fail a case."""


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """It is played where somebody asks."""
    return not_named(context)


def judge(context: Context, observed: Observed, _earlier: Earlier) -> Finding:
    """Hold the share of games won by adversaries who know no labels against the policy."""
    from auditor.attacks.deletion import adversaries  # noqa: PLC0415 - where nothing was played, nobody needs adversaries

    played = adversaries("instance", classes=context.classifies, version=context.version)
    return judging.judge(context, observed, names=[each.name for each in played], test=TEST)


CHECK: Final = Definition(
    CARD,
    Observed,
    judge,
    applies,
    wanted=lambda context: limit(context, "inference") is not None,
    contradictions=judging.contradictions,
    derived=(judging.Derived, judging.OfLog),
    levels=partial(judging.levels, test=TEST),
)
