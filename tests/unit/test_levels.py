"""Levels of tests: the allotment fits the promise, sums are exact to the last decimal that is stated."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from auditor.base.domain import Effect
from auditor.verdict.checks.levels import ALLOTTED, MOST, MOST_APART, Level, pass_needs, share, spent, together


def test_the_largest_report_spends_no_more_than_is_promised() -> None:
    runs = [spent(each.test) for each in ALLOTTED if not each.of_answers]
    shared = {"accuracy", "holdout-known", "near-copies", "related-rows"}
    answers = [spent(each.test) for each in ALLOTTED if each.of_answers or each.test in shared]
    for levels in (runs, answers):
        for effect, most in MOST.items():
            assert together(levels, effect) <= most
    assert all(each.level <= MOST_APART[each.effect] for each in ALLOTTED if each.apart)


def test_the_documentation_lists_every_share_as_it_is() -> None:
    page = (Path(__file__).parents[2] / "docs" / "checks.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \| .*? \| ([a-z ]+)(, apart)? \| ([0-9.,]+) \|$", page, flags=re.MULTILINE)
    written = [
        (test, effect.replace(" ", "-"), bool(apart), float(count.replace(",", ""))) for test, effect, apart, count in rows
    ]
    assert written == [(each.test, each.effect.value, each.apart, pytest.approx(1e5 * each.level)) for each in ALLOTTED]


def test_no_two_shares_have_one_name_and_none_is_what_a_pass_needs() -> None:
    assert max(Counter(each.test for each in ALLOTTED).values()) == 1
    assert all(each.effect is not Effect.PASS_NEEDS and 0 < each.level < 1 for each in ALLOTTED)


def test_a_test_spends_its_share_or_less_and_an_unknown_one_nothing() -> None:
    assert spent("promises") == Level("promises", Effect.ACCUSES, share("promises"))
    assert spent("promises", 1e-4).level == 1e-4
    assert spent("remembers").apart
    with pytest.raises(KeyError):
        spent("astrology")


def test_sums_keep_effects_apart_and_are_not_below_the_truth() -> None:
    levels = [Level(name, Effect.ACCUSES, 1e-4) for name in "aef"]
    levels += [Level("b", Effect.ACCUSES, 0.01, apart=True), pass_needs("c", 0.025)]
    assert together(levels, Effect.ACCUSES) == 3e-4
    assert together(levels, Effect.ACCUSES, apart=True) == 0.01
    assert together(levels, Effect.PASS_NEEDS) == 0.025
    assert together([Level("d", Effect.LEAVES_OPEN, 1e-13)], Effect.LEAVES_OPEN) == 1e-12
    assert together([], Effect.ACCUSES) == 0
    assert together([Level(name, Effect.LEAVES_OPEN, 0.7) for name in "eg"], Effect.LEAVES_OPEN) == 1


def test_a_test_that_two_checks_read_counts_once() -> None:
    assert together([spent("promises"), spent("promises", 1e-4)], Effect.ACCUSES) == share("promises")
