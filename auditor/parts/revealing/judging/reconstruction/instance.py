"""`reconstruction.instance`: what were the features of the deleted record (Gao et al. 2022, Algorithm 4.3).

Of the nearest neighbour, records whose predicted class the deletion changed lie around the deleted one. Of least squares, the
difference of two models points at it.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from pydantic import Field

from auditor.base.domain import Message
from auditor.parts.revealing.cards import RECONSTRUCTION_INSTANCE, no_records
from auditor.parts.revealing.judging.reconstruction import judging
from auditor.parts.revealing.judging.reconstruction.judging import wanted
from auditor.parts.revealing.judging.reconstruction.observed import InstanceObserved, Picture
from auditor.parts.revealing.judging.reconstruction.routes import Route, route
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding

CARD: Final = RECONSTRUCTION_INSTANCE

"""What the attack goes by: the probes whose class changed, or the difference of two linear models."""
TEST: Final = "reconstruction-instance"
"""The share of the level at which its attacks fail a case."""


class Derived(judging.Derived):
    """What the games come to, with measures of likeness and the attack that needs no deletion."""

    route: Route
    probes: int
    alike: float | None
    """The expected accuracy of Definition 4.1: the mean share of bits that are right, or the mean |cos|."""
    without: float | None
    """The share of games won without the deletion (Figure 3's first row); None of a linear model."""
    without_alike: float | None
    named: float | None = Field(default=None, exclude_if=lambda value: value is None)
    """The share of games in which the model gives the guess the deleted record's class (Figure 3); None of a linear model."""
    without_named: float | None = Field(default=None, exclude_if=lambda value: value is None)
    """The same without the deletion."""
    picture: Picture | None = None
    """None unless the policy shows reconstructions."""


def applies(context: Context, _earlier: Earlier) -> Message | None:
    """It is played where somebody asks, against models whose records this version can rebuild."""
    return no_records(context)


def judge(context: Context, observed: InstanceObserved, _earlier: Earlier) -> Finding:
    """Hold the share of records that were rebuilt against the policy."""
    way = route(context.procedure, classifies=context.classifies)
    if (open_ := judging.unplayed(context, observed, () if way is None else (way,))) is not None:
        return open_
    if way is None:
        raise ValueError("no record of such a model is rebuilt")
    without = None if observed.without is None else judging.share(observed.without)
    found = Derived(
        **judging.derived(context, observed).model_dump(),
        route=way,
        probes=observed.probes,
        alike=observed.alike,
        without=without,
        without_alike=observed.without_alike,
        named=None if observed.named is None else observed.named / observed.games,
        without_named=None if observed.without_named is None else observed.without_named / observed.games,
        picture=observed.picture if context.policy.show_reconstructions else None,
    )
    more = []
    if observed.alike is not None:
        more.append(Message("reconstruction.instance.alike", {"route": way, "alike": observed.alike, "probes": observed.probes}))
    if without is not None:
        more.append(Message("reconstruction.instance.without", {"without": without, "alike": observed.without_alike}))
    if found.named is not None:
        more.append(Message("reconstruction.instance.named", {"named": found.named, "without": found.without_named}))
    if found.blank:
        more.append(Message("reconstruction.instance.blank", {"blank": found.blank}))
    return judging.concluded(context, observed, found, *more, test=TEST)


CHECK: Final = Definition(
    CARD,
    InstanceObserved,
    judge,
    applies,
    wanted=wanted(applies),
    contradictions=judging.contradictions,
    derived=(Derived,),
    levels=partial(judging.levels, test=TEST),
)
