"""How often chance alone makes a check fail an honest case, or leave it open: every statistical test declares its level.

| effect | of a rejection by chance | together in a report |
|---|---|---|
| accuses | an honest case fails, or a promise that holds is refuted | at most .001 |
| leaves open | an honest case stays inconclusive | at most .05 |
| pass needs | what is not good enough passes | stated one by one: a pass needs all of them |

The attack on the release stands apart, on lines of its own: it accuses at .01 at most, and where a second stage would take too
long its first leaves open at .05.

Levels add up, whatever tests have in common (union bound). Every test takes its level from `ALLOTTED`, which adds up to no more
than that for a case in which every check runs: so no case has to be known to choose a level, and none gets more by leaving
checks out. A test that could not reject whatever it saw spends nothing. That a case is too small to decide is no chance: it is
open with certainty.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from auditor.base.domain import Effect


@dataclass(frozen=True, slots=True)
class Allotted:
    """What a test may spend in the largest report there is."""

    test: str
    """Its name, in documents and in the message `level-TEST`."""
    effect: Effect
    level: float
    apart: bool = False
    """Whether it stands on a line of its own, and not in the sum."""
    of_answers: bool = False
    """Whether it is of a case that has answers alone, in which nothing runs again: no report has it next to a game."""


@dataclass(frozen=True, slots=True)
class Level:
    """What a test spends in one case: how often it rejects where what it tests holds, at most."""

    test: str
    effect: Effect
    level: float
    apart: bool = False


MOST: Final = {Effect.ACCUSES: 1e-3, Effect.LEAVES_OPEN: 0.05}
"""What the tests of a report may spend together, those apart left out."""
MOST_APART: Final = {Effect.ACCUSES: 0.01, Effect.LEAVES_OPEN: 0.05}
"""What a test may spend that stands apart."""

ALLOTTED: Final = (
    # Promises that attacks, chains and an adaptive requester refute: epsilon.consistency, deletion.adaptive.
    Allotted("promises", Effect.ACCUSES, 5e-4),
    Allotted("promises-open", Effect.LEAVES_OPEN, 0.005),
    # The release itself under attack: its second stage, and the first where a second would take too long.
    Allotted("remembers", Effect.ACCUSES, 0.01, apart=True),
    Allotted("remembers-first", Effect.LEAVES_OPEN, 0.05, apart=True),
    # Games on models made alike.
    Allotted("quality", Effect.ACCUSES, 4e-5),
    Allotted("whole-set", Effect.ACCUSES, 4e-5),
    Allotted("whole-set-open", Effect.LEAVES_OPEN, 0.01),
    Allotted("trained-on", Effect.LEAVES_OPEN, 0.006),
    # Whole programs: histories, games with and without one person, reports under noise.
    Allotted("histories", Effect.ACCUSES, 4e-5),
    Allotted("histories-open", Effect.LEAVES_OPEN, 0.002),
    Allotted("control", Effect.ACCUSES, 4e-5),
    Allotted("control-open", Effect.LEAVES_OPEN, 0.001),
    Allotted("confidentiality", Effect.ACCUSES, 4e-5),
    Allotted("confidentiality-open", Effect.LEAVES_OPEN, 0.001),
    Allotted("confidentiality-learner", Effect.ACCUSES, 4e-5),
    Allotted("continual", Effect.ACCUSES, 4e-5),
    Allotted("continual-open", Effect.LEAVES_OPEN, 5e-4),
    # What later models say of deleted records: updates carried on, noise of the rerun.
    Allotted("resumed", Effect.ACCUSES, 4e-5),
    Allotted("noise", Effect.ACCUSES, 2e-6),
    # Before and after a deletion.
    Allotted("inference-example", Effect.ACCUSES, 1.5e-5),
    Allotted("inference-instance", Effect.ACCUSES, 1.5e-5),
    Allotted("inference-difference", Effect.ACCUSES, 1.5e-5),
    Allotted("reconstruction-instance", Effect.ACCUSES, 1.5e-5),
    Allotted("reconstruction-label", Effect.ACCUSES, 1.5e-5),
    Allotted("reconstruction-sentence", Effect.ACCUSES, 1.5e-5),
    Allotted("log-releases", Effect.LEAVES_OPEN, 0.0025),
    # Answers alone.
    Allotted("answers", Effect.ACCUSES, 4e-5, of_answers=True),
    Allotted("answers-inference", Effect.ACCUSES, 1.5e-5, of_answers=True),
    Allotted("answers-copied", Effect.LEAVES_OPEN, 0.01, of_answers=True),
    # What else is asked of the model, and of the data.
    Allotted("accuracy", Effect.ACCUSES, 4e-5),
    Allotted("accuracy-elsewhere", Effect.LEAVES_OPEN, 5e-4),
    Allotted("holdout-known", Effect.LEAVES_OPEN, 0.005),
    Allotted("near-copies", Effect.LEAVES_OPEN, 0.01),
    Allotted("related-rows", Effect.LEAVES_OPEN, 0.0025),
    Allotted("derived-rows", Effect.LEAVES_OPEN, 0.004),
)
_BY_NAME: Final = {each.test: each for each in ALLOTTED}


def share(test: str) -> float:
    """Give the level that a test may spend.

    Raises:
        KeyError: If no test of that name is listed.
    """
    return _BY_NAME[test].level


def spent(test: str, level: float | None = None) -> Level:
    """Declare what a test spends in a case.

    Args:
        test: Its name in `ALLOTTED`.
        level: What it spends, where that is not all of its share.

    Raises:
        KeyError: If no test of that name is listed.
    """
    listed = _BY_NAME[test]
    return Level(test, listed.effect, listed.level if level is None else level, listed.apart)


def pass_needs(test: str, risk: float) -> Level:
    """Declare the risk with which a limit that a pass needs lets something worse pass; it is in no sum.

    Args:
        test: What the limit is of.
        risk: One minus its one-sided confidence.
    """
    return Level(test, Effect.PASS_NEEDS, risk)


def together(levels: Iterable[Level], effect: Effect, *, apart: bool = False) -> float:
    """Add the levels of one effect up, rounded up to twelve decimals as far as float64 holds them; at most 1.

    A test that two checks read is one: it rejects once.

    Args:
        levels: Of the tests of one case.
        effect: Which are added.
        apart: Whether those are that stand on lines of their own, or the others.
    """
    by_test: dict[str, float] = {}
    for each in levels:
        if each.effect is effect and each.apart is apart:
            by_test[each.test] = max(each.level, by_test.get(each.test, 0.0))
    exact = math.fsum(by_test.values())
    return min(1.0, math.ceil(exact * _DECIMALS * (1 - _ROUNDING)) / _DECIMALS)


_DECIMALS: Final = 1e12
_ROUNDING: Final = 2.0**-40
"""Sums of decimals are off by less, and must not be rounded up to the next one for it."""
