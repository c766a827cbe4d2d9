"""`reconstruction.sentence`: what sentence was deleted from a language model (Gao et al. 2022, Appendix D)."""

from __future__ import annotations

from functools import partial
from typing import Final

from auditor.base.domain import Message
from auditor.parts.revealing.cards import RECONSTRUCTION_SENTENCE, no_sentences
from auditor.parts.revealing.judging.reconstruction import judging
from auditor.parts.revealing.judging.reconstruction.judging import wanted
from auditor.parts.revealing.judging.reconstruction.observed import SentenceObserved
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding

CARD: Final = RECONSTRUCTION_SENTENCE

RUNS: Final = "runs"
CLEARLY: Final = "runs-clearly"
"""The same of rounded answers, by what fell by more than rounding moves it."""
TEST: Final = "reconstruction-sentence"
"""The share of the level at which its attacks fail a case."""


class Derived(judging.Derived):
    """What the games come to, with the paper's two measures (Table 7)."""

    order: int
    success_rate: float | None
    """The share of sentences rebuilt word for word; None for single words, which have no order."""
    f1: float | None
    out_of_time: int


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """It is played where somebody asks, against a language model."""
    return no_sentences(context)


def judge(context: Context, observed: SentenceObserved, _earlier: Earlier) -> Finding:
    """Hold the share of sentences that were rebuilt against the policy."""
    if (open_ := judging.unplayed(context, observed, (RUNS,))) is not None:
        return open_
    rate = observed.whole / observed.games if observed.order > 1 else None
    found = Derived(
        **judging.derived(context, observed).model_dump(),
        order=observed.order,
        success_rate=rate,
        f1=observed.f1,
        out_of_time=observed.out_of_time,
    )
    more = [] if observed.f1 is None else [Message("reconstruction.sentence.rebuilt", {"rate": rate, "f1": observed.f1})]
    if observed.out_of_time:
        more.append(Message("reconstruction.sentence.out-of-time", {"games": observed.out_of_time}))
    return judging.concluded(context, observed, found, *more, test=TEST)


CHECK: Final = Definition(
    CARD,
    SentenceObserved,
    judge,
    applies,
    wanted=wanted(applies),
    contradictions=judging.contradictions,
    derived=(Derived,),
    levels=partial(judging.levels, test=TEST),
)
