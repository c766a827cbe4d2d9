"""Estimates that hold: trainings at two sizes, what is left of jobs by what their calls took, and counts that never go back."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from auditor.audit.auditing import onward
from auditor.audit.forecast import Pace, growth, pace_of
from auditor.base.records import Dataset
from auditor.sandbox import Answer, Learn, Parameters, Predict, ProcedureSpec, Refit, State, Step, Together, Unlearn, Walk
from auditor.sandbox.jobs import Job, _Left

TABLE = {"train": Dataset(np.zeros((100, 1)), np.zeros(100, dtype=int), np.arange(100).astype(str))}
SPEC = ProcedureSpec("sklearn", None)


def rows(count: int) -> Any:
    return np.arange(count, dtype=np.int64)


@pytest.mark.parametrize(("fixed", "slope"), [(0.0, 0.01), (3.0, 0.001), (0.5, 0.02), (2.0, 0.0)])
def test_two_sizes_give_what_any_training_takes_and_what_grows(fixed: float, slope: float) -> None:
    found = growth((50, fixed + 50 * slope), (400, fixed + 400 * slope), 10_000)
    assert found.fixed == pytest.approx(fixed, abs=1e-9)
    assert found.seconds == pytest.approx(fixed + 10_000 * slope)


@pytest.mark.parametrize("power", [1.5, 2.0, 3.0])
def test_what_grows_faster_than_its_rows_grows_on(power: float) -> None:
    found = growth((50, 1e-4 * 50**power), (400, 1e-4 * 400**power), 3000)
    assert found.seconds == pytest.approx(1e-4 * 3000**power, rel=1e-6)
    assert found.fixed == 0.0


def test_one_size_is_taken_to_grow_with_its_rows() -> None:
    assert growth((50, 2.0), (50, 2.0), 500).seconds == pytest.approx(20.0)
    assert growth((50, 2.0), (50, 2.0), 50).seconds == pytest.approx(2.0)


def test_a_training_on_fewer_rows_keeps_its_fixed_cost() -> None:
    pace = Pace(
        start=1.0, learn=10.0, measured=True, unlearn=4.0, predict=0.0, records=100, stacks=False, fixed=6.0, unlearn_fixed=4.0
    )
    assert pace.step(Learn("m", rows(50), 0)) == pytest.approx(8.0)
    assert pace.step(Unlearn("m", "n", rows(50), rows(1), 0)) == pytest.approx(4.0)


def answer(step: Step, seconds: float) -> Answer:
    return Answer(step, seconds, None, None, {}, supported=True)


def test_the_pace_of_a_replay_is_that_of_its_calls() -> None:
    run = (answer(Learn("m", rows(100), 0), 8.0), answer(Unlearn("m", "n", rows(100), rows(1), 0), 2.0))
    pace = pace_of([run], 13.0, records=100, stacks=False)
    assert pace is not None
    assert (pace.learn, pace.unlearn, pace.start) == (8.0, 2.0, 3.0)
    assert pace_of([()], 1.0, records=100, stacks=False) is None


def retrained(batches: int) -> list[tuple[Step, float]]:
    """A replay that trains again: few of its many calls take nearly all its time."""
    found: list[tuple[Step, float]] = [(Learn("m", rows(100), 0), 8.0), (Parameters("m"), 0.01)]
    for number in range(batches):
        found += [
            (Unlearn("m", "n", rows(100 - number), rows(1), 0), 7.5),
            (Parameters("n"), 0.01),
            (Predict("n", "train", 2), 0.1),
        ]
    return [*found, (State("n"), 0.02), (Refit("m", "r", rows(90), 0), 7.0)]


def games(count: int) -> list[tuple[Step, float]]:
    """Trainings on halves, each with a cheap deletion and answers."""
    one: list[tuple[Step, float]] = [
        (Learn("m", rows(50), 0), 2.0),
        (Unlearn("m", "n", rows(50), rows(1), 0), 0.1),
        (Predict("n", "train", 2), 0.2),
    ]
    return one * count


@pytest.mark.parametrize(
    "calls", [lambda: retrained(3), lambda: retrained(15), lambda: games(20), lambda: games(4)], ids=["3", "15", "games", "few"]
)
def test_what_is_left_at_a_quarter_and_at_half_is_within_a_factor_of_two(
    calls: Callable[[], list[tuple[Step, float]]],
) -> None:
    planned = calls()
    job = Job("replay", SPEC, TABLE, tuple(step for step, _ in planned))
    left, whole, told = _Left([job], 1), sum(seconds for _, seconds in planned), []
    assert left.seconds is None
    left.started(job, 0.0)
    for step, seconds in planned:
        left.took(job, step, seconds)
        told.append(left.seconds)
    gone = list(itertools.accumulate(seconds for _, seconds in planned))
    for share in (0.25, 0.5):
        at = next(number for number, each in enumerate(gone) if each >= share * whole)
        shown = told[at]
        assert shown is not None
        assert (whole - gone[at]) / 2 <= shown <= 2 * (whole - gone[at])
    assert told[-1] == pytest.approx(0.0)


def test_side_by_side_less_is_left() -> None:
    jobs = [Job("game", SPEC, TABLE, tuple(step for step, _ in games(1))) for _ in range(8)]
    alone, both = _Left(jobs, 1), _Left(jobs, 2)
    for left in (alone, both):
        for job in jobs[:2]:
            left.started(job, 1.0)
            for step, seconds in games(1):
                left.took(job, step, seconds)
            left.ended(job)
    assert alone.seconds is not None
    assert both.seconds == pytest.approx(alone.seconds / 2)


def test_what_was_taken_from_an_earlier_audit_says_nothing_of_the_pace() -> None:
    (step, seconds), *_ = games(1)
    job = Job("game", SPEC, TABLE, (step, step, step))
    left = _Left([job], 1)
    left.took(job, step, None)
    assert left.seconds is None
    left.took(job, step, seconds)
    assert left.seconds == pytest.approx(seconds)


def test_a_start_and_a_walk_count_as_they_took() -> None:
    """Of many short trainings each in a process of its own, starting and walking through is nearly all that takes time."""
    steps: list[Step] = [Learn("m", rows(50), 0), Walk("m"), Walk("m", everywhere=True)]
    jobs = [Job("room", SPEC, TABLE, tuple(steps)) for _ in range(4)]
    left = _Left(jobs, 1)
    left.started(jobs[0], 2.0)
    for step, seconds in zip(steps, (0.1, 1.0, 3.0), strict=True):
        left.took(jobs[0], step, seconds)
    left.ended(jobs[0])
    assert left.seconds == pytest.approx(3 * (2.0 + 0.1 + 1.0 + 3.0))


def test_the_last_job_is_not_cut_in_two() -> None:
    jobs = [Job("game", SPEC, TABLE, tuple(step for step, _ in games(1))) for _ in range(3)]
    left = _Left(jobs, 2)
    for job in jobs[:2]:
        for step, seconds in games(1):
            left.took(job, step, seconds)
        left.ended(job)
    left.started(jobs[2], 0.0)
    assert left.seconds == pytest.approx(2.3)


def test_of_a_job_that_failed_nothing_is_left() -> None:
    jobs = [Job("game", SPEC, TABLE, tuple(step for step, _ in games(1))) for _ in range(2)]
    left = _Left(jobs, 1)
    for step, seconds in games(1):
        left.took(jobs[0], step, seconds)
    left.ended(jobs[0])
    left.started(jobs[1], 0.0)
    left.ended(jobs[1])
    assert left.seconds == pytest.approx(0.0)


def test_the_pace_counts_a_process_and_a_walk_through_it() -> None:
    run = (answer(Learn("m", rows(100), 0), 1.0), answer(Walk("m"), 0.5), answer(Walk("m", everywhere=True), 2.0))
    pace = pace_of([run], 5.0, records=100, stacks=False)
    assert pace is not None
    assert pace.start == pytest.approx(1.5)
    job = Job("room", SPEC, TABLE, (Learn("m", rows(100), 0), Walk("m", everywhere=True)))
    assert pace.job(job) == pytest.approx(1.5 + 1.0 + 2.0, abs=0.1)


def test_models_that_are_trained_together_take_their_share() -> None:
    pace = Pace(1.0, 2.0, True, 1.0, 0.0, 100, stacks=True, stacked=0.1)
    assert pace.several(20, 2.0) == pytest.approx(4.0)
    assert pace.several(1, 2.0) == pytest.approx(2.0)
    assert pace.step(Together((Learn("a", rows(100), 0), Learn("b", rows(100), 1)))) == pytest.approx(0.4)
    alone = Pace(1.0, 2.0, True, 1.0, 0.0, 100, stacks=False, stacked=0.1)
    assert alone.several(20, 2.0) == pytest.approx(40.0)


def test_no_count_goes_back() -> None:
    seen: list[tuple[int, int]] = []
    step = onward(lambda _name, done, total: seen.append((done, total)))
    for done, total in [(0, 73), (10, 73), (0, 73), (1, 73), (5, 5), (0, 4), (4, 4)]:
        step("games", done, total)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert all(done <= total for done, total in seen)
