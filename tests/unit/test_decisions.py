"""From values to words: thresholds, exit codes, verdicts."""

from __future__ import annotations

import itertools
import math

import pytest

from auditor.base.domain import Interval, Status, Verdict
from auditor.verdict.decisions import (
    decide_at_least,
    decide_at_most,
    decide_compliance,
    decide_exactly,
    decide_exit_code,
    decide_swap_quality,
    decide_swap_strong,
    decide_verdict,
    looks_trained_on,
)

P, F, N, S, E = Status.PASS, Status.FAIL, Status.INCONCLUSIVE, Status.SKIPPED, Status.ERROR


@pytest.mark.parametrize(
    ("value", "threshold", "at_most", "at_least"),
    [
        (1.0, 2.0, P, F),
        (2.0, 2.0, P, P),
        (3.0, 2.0, F, P),
        (math.nextafter(2.0, 3.0), 2.0, F, P),
        (0, 0, P, P),
        (None, 2.0, N, N),
        (1.0, None, N, N),
        (None, None, N, N),
        (math.nan, 2.0, F, F),
        (1.0, math.nan, F, F),
        (math.inf, 2.0, F, P),
        (-math.inf, 2.0, P, F),
    ],
)
def test_values_against_thresholds(value: float | None, threshold: float | None, at_most: Status, at_least: Status) -> None:
    assert decide_at_most(value, threshold) is at_most
    assert decide_at_least(value, threshold) is at_least


BELOW = math.nextafter(0.95, 0)


@pytest.mark.parametrize(
    ("own", "control", "status"),
    [
        ((0.95, 1.0), (0.3, 0.6), P),
        ((0.95, 0.95), (0.3, BELOW), P),
        ((0.97, 1.0), (0.3, 0.95), N),
        ((0.97, 1.0), (0.96, 1.0), N),
        ((BELOW, 1.0), (0.3, 0.6), N),
        ((0.2, 0.95), (0.3, 0.6), N),
        ((0.2, BELOW), (0.3, 0.6), F),
        ((0.2, BELOW), (0.96, 1.0), F),
        ((0.0, 1.0), (0.0, 1.0), N),
    ],
)
def test_quality_passes_only_where_the_test_can_tell(
    own: tuple[float, float], control: tuple[float, float], status: Status
) -> None:
    assert decide_swap_quality(Interval(*own), 0.95, Interval(*control), [Interval(-0.1, 0.1)]) is status
    assert decide_swap_quality(None, 0.95, Interval(*control), []) is N
    assert decide_swap_quality(Interval(*own), None, Interval(*control), []) is N
    assert decide_swap_quality(Interval(*own), math.nan, Interval(*control), []) is N
    assert decide_swap_quality(Interval(*own), 0.95, None, []) is N
    assert decide_swap_quality(Interval(*own), 0.95, Interval(*control), None) is N


@pytest.mark.parametrize(
    ("excess", "status"),
    [
        ([], P),
        ([(-0.2, 0.3)], P),  # not above 0 for certain
        ([(0.01, 0.04)], P),  # above 0, and for certain within what 0.95 leaves
        ([(0.01, 0.06)], N),
        ([(-0.1, 0.0), (0.2, 0.3)], N),
        ([(0.0, 0.3)], P),
        ([(-0.9, -0.2)], P),  # less accepted than after retraining is no sign of training
    ],
)
def test_quality_does_not_pass_where_unseen_records_look_trained_on(excess: list[tuple[float, float]], status: Status) -> None:
    found = decide_swap_quality(Interval(0.97, 1.0), 0.95, Interval(0.3, 0.6), [Interval(*each) for each in excess])
    assert found is status


def test_an_excess_makes_no_failed_quality_inconclusive() -> None:
    assert decide_swap_quality(Interval(0.2, 0.3), 0.95, Interval(0.3, 0.6), [Interval(0.4, 0.5)]) is F


def test_sides_are_named_no_better_than_by_guessing_where_doing_nothing_is_found_out() -> None:
    found_out, hidden = Interval(math.nextafter(0.5, 1), 1.0), Interval(0.5, 1.0)
    assert [decide_swap_strong(Interval(*ends), found_out) for ends in ((0.4, 0.5), (0.5, 0.6), (0.0, 1.0))] == [P, P, P]
    assert [decide_swap_strong(Interval(*ends), hidden) for ends in ((0.4, 0.5), (0.5, 0.6), (0.0, 1.0))] == [N, N, N]
    reversed_, close = Interval(0.0, math.nextafter(0.5, 0)), Interval(0.0, 0.5)
    assert decide_swap_strong(Interval(0.4, 0.6), reversed_) is P
    assert decide_swap_strong(Interval(0.4, 0.6), close) is N
    failing = (Interval(math.nextafter(0.5, 1), 1.0), Interval(0.0, math.nextafter(0.5, 0)))
    assert [decide_swap_strong(each, nothing) for each in failing for nothing in (found_out, hidden)] == [F, F, F, F]
    assert (decide_swap_strong(None, found_out), decide_swap_strong(found_out, None)) == (N, N)


@pytest.mark.parametrize(
    ("low", "high", "threshold", "trained_on"),
    [
        # Above 0 for certain, and not for certain within what the threshold of Q leaves: a quarter, which floats hold exactly.
        (0.1, 0.25, 0.75, False),
        (0.1, math.nextafter(0.25, 1), 0.75, True),
        (0.0, 0.5, 0.75, False),
        (math.nextafter(0.0, 1), 0.5, 0.75, True),
    ],
)
def test_records_look_trained_on_beyond_what_the_threshold_leaves(
    low: float, high: float, threshold: float, trained_on: bool
) -> None:
    assert looks_trained_on(Interval(low, high), threshold) is trained_on
    status = decide_swap_quality(Interval(0.8, 1.0), threshold, Interval(0.0, 0.1), [Interval(low, high)])
    assert status is (N if trained_on else P)


@pytest.mark.parametrize(
    ("low", "high", "largest", "status"),
    [
        (0.2924017738212864, 1.0, 0.01, N),  # three right of three: nothing is refuted, and nothing is shown
        (0.45, 0.625, 0.25, P),
        (0.45, math.nextafter(0.625, 1), 0.25, N),
        (0.625, 0.9, 0.25, N),
        (math.nextafter(0.625, 1), 0.9, 0.25, F),
        (0.1, 0.4, 0.0, P),
    ],
)
def test_few_games_do_not_make_an_adversary_weak(low: float, high: float, largest: float, status: Status) -> None:
    assert decide_compliance(Interval(low, high), largest) is status


def test_a_compliance_epsilon_needs_games_and_a_threshold() -> None:
    assert (decide_compliance(None, 0.1), decide_compliance(Interval(0.0, 0.5), None)) == (N, N)


def test_equalling() -> None:
    assert [decide_exactly(value, 1.0) for value in (1.0, 1, math.nextafter(1.0, 0), math.nan, None)] == [P, P, F, F, N]
    assert decide_exactly(1.0, None) is N


@pytest.mark.parametrize(
    ("found", "capped", "failed", "code"),
    [
        ((P, P), False, False, 0),
        ((P, F), False, False, 1),
        ((F, E, N, S), True, True, 1),
        ((E, N, S, P), False, False, 4),
        ((P, P), False, True, 4),
        ((P, N), False, True, 4),
        ((P, N), False, False, 3),
        ((P, S), False, False, 3),
        ((P, P), True, False, 3),
        ((), False, False, 3),
        ((), False, True, 4),
    ],
)
def test_exit_codes(found: tuple[Status, ...], capped: bool, failed: bool, code: int) -> None:
    statuses = {str(index): status for index, status in enumerate(found)}
    assert decide_exit_code(statuses, statuses, capped=capped, failed=failed) == code


def test_only_required_checks_count_and_an_unknown_one_counts_as_skipped() -> None:
    assert decide_exit_code({"a": P, "b": F, "c": E}, ["a"]) == 0
    assert decide_exit_code({"a": P}, ["a", "b"]) == 3


def test_zero_needs_every_required_check_to_pass() -> None:
    for found in itertools.product(Status, repeat=3):
        statuses = dict(zip("abc", found, strict=True))
        code = decide_exit_code(statuses, "abc")
        assert (code == 0) == (set(found) == {P})
        assert (code == 1) == (F in found)
        assert (decide_verdict(code) is Verdict.PASS) == (set(found) == {P})


@pytest.mark.parametrize(
    ("code", "verdict"),
    [(0, Verdict.PASS), (1, Verdict.FAIL), (2, Verdict.INCONCLUSIVE), (3, Verdict.INCONCLUSIVE), (4, Verdict.INCONCLUSIVE)],
)
def test_verdicts(code: int, verdict: Verdict) -> None:
    assert decide_verdict(code) is verdict
