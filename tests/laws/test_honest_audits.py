"""Whole judges on thousands of honest cases, skewed and discrete ones too: chance decides no more often than reports say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from auditor.base.domain import Effect
from auditor.verdict.checks import definitions
from auditor.verdict.checks.definition import no_levels
from auditor.verdict.checks.levels import ALLOTTED, MOST, Level
from honest_audits import HONEST, judged, rows


def at_most(level: float, draws: int) -> int:
    """The count that a share of exactly `level` exceeds in one of 10,000 repetitions."""
    return int(binom.ppf(1 - 1e-4, draws, level)) if level else 0


def hold(reports: int, *, seed: int) -> None:
    found = list(rows(reports, seed=seed))
    too_often = [
        row
        for row in found
        if row.accused > at_most(row.accuses, row.draws) or row.left_open > at_most(row.leaves_open, row.draws)
    ]
    assert too_often == []
    *_, whole = found
    assert whole.accuses <= MOST[Effect.ACCUSES]
    assert whole.leaves_open <= MOST[Effect.LEAVES_OPEN]
    assert whole.draws == 2 * reports


def test_honest_cases_are_accused_and_left_open_no_more_often_than_stated() -> None:
    hold(12, seed=1)


@pytest.mark.slow
def test_thousands_of_honest_cases_are_accused_and_left_open_no_more_often_than_stated() -> None:
    hold(1600, seed=0)


def test_what_is_drawn_covers_every_test_that_is_allotted_a_level() -> None:
    """But those of other laws: their own tests draw whole games, releases and tables."""
    elsewhere = {"promises", "promises-open", "remembers", "remembers-first", "near-copies", "accuracy", "holdout-known"}
    elsewhere |= {"accuracy-elsewhere", "related-rows", "derived-rows"}
    elsewhere |= {"log-releases", "inference-difference", "reconstruction-instance", "reconstruction-sentence"}
    spent: dict[str, Level] = {}
    for honest in HONEST:
        spent |= {level.test: level for level in judged(honest, np.random.default_rng(3)).levels}
    listed = {each.test: each.level for each in ALLOTTED}
    assert {test for test in spent if test in listed} == listed.keys() - elsewhere
    assert all(level.level <= listed.get(test, 1.0) for test, level in spent.items())


def test_every_check_whose_value_moves_by_chance_says_what_its_tests_spend() -> None:
    """Bits and times move too, and are compared as they came: no test says how far they may."""
    unsteady = {name for name, each in definitions().items() if each.card.unsteady}
    silent = {name for name, each in definitions().items() if each.levels is no_levels}
    assert unsteady & silent == {"cost.speedup", "model.reproduced", "release.exact"}
