"""Many jobs side by side: order, progress, and that one failure ends the lot."""

import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from auditor.base.errors import ProcedureError, SandboxError
from auditor.base.records import Dataset
from auditor.sandbox import Learn, Level, Limits, Parameters, ProcedureSpec, Unlearn, jobs
from auditor.sandbox.jobs import Job
from levels import forking

FAULTY = Path(__file__).with_name("faulty_procedures.py")
ROWS = np.arange(4)
TRAIN = Dataset(np.ones((4, 2)), np.array([0, 1, 0, 1]), np.array(list("abcd")))


pytestmark = pytest.mark.usefixtures("scratch_parent")


def job(name, kind="Good", *, seed=1, level=None, limits=None):
    steps = (Learn("a", ROWS, seed), Unlearn("a", "b", ROWS, ROWS[:1], seed), Parameters("b"))
    return Job(name, ProcedureSpec(None, f"{FAULTY}:{kind}"), {"train": TRAIN}, steps, limits or Limits(), level or forking())


def quiet(name, done, total):
    """Progress that nobody looks at."""


@pytest.mark.parametrize("workers", [1, 2])
def test_answers_come_in_the_order_of_the_jobs(workers):
    seen = []
    lot = [job(f"job {seed}", seed=seed) for seed in range(4)]
    results = jobs.run(lot, workers=workers, on_step=lambda *progress: seen.append(progress))
    for seed, answers in enumerate(results):
        assert [answer.step for answer in answers] == list(lot[seed].steps)
        np.testing.assert_array_equal(answers[2].array, np.random.default_rng(seed).normal(size=3) + 1)
    assert len(results) == 4
    assert sorted(seen) == [(f"job {seed}", done, 3) for seed in range(4) for done in (0, 1, 2, 3)]


def test_the_longest_start_first_and_answers_stay_in_order():
    begun = []
    rows = {"short": ROWS[:1], "alike": ROWS[:2], "long": ROWS, "alike too": ROWS[:2]}
    lot = [replace(job(name), steps=(Learn("a", each, 1), Parameters("a"))) for name, each in rows.items()]
    results = jobs.run(lot, workers=1, on_step=lambda name, done, total: begun.append(name) if not done else None)
    assert begun == ["long", "alike", "alike too", "short"]
    assert [answers[0].step.rows.size for answers in results] == [1, 2, 4, 2]


def test_equal_jobs_give_equal_bytes():
    first, second = jobs.run([job("a", seed=2**90), job("b", seed=2**90)], workers=2, on_step=quiet)
    assert first[2].array.tobytes() == second[2].array.tobytes()
    assert first[0].facts == second[0].facts


def test_no_jobs():
    assert jobs.run([], workers=3, on_step=quiet) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_after_a_failure_no_job_starts_and_running_ones_are_killed(workers):
    seen = []
    lot = [job("fine"), job("bad", "Raising"), job("long", "Hanging"), *(job(f"later {i}") for i in range(6))]
    begin = time.monotonic()
    with pytest.raises(ProcedureError, match="it raised ArithmeticError"):
        jobs.run(lot, workers=workers, on_step=lambda name, done, total: seen.append(name) if done else None)
    assert time.monotonic() - begin < 10
    assert "long" not in seen
    assert not any(name.startswith("later") for name in seen)


def test_the_error_is_the_first_one():
    lot = [job("hangs", "Hanging", limits=Limits(timeout_s=30)), job("bad", "Exiting")]
    with pytest.raises(ProcedureError, match="exit status 0"):
        jobs.run(lot, workers=2, on_step=quiet)


def test_a_level_that_cannot_be_had():
    with pytest.raises(SandboxError, match="asked for was level none"):
        jobs.run([job("a", level=Level.NONE)], workers=1, on_step=quiet)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_in_the_callback_ends_the_lot(workers):
    def broken(name, done, total):
        raise ZeroDivisionError(name)

    with pytest.raises(ZeroDivisionError):
        jobs.run([job("a"), job("b", "Hanging"), job("c")], workers=workers, on_step=broken)
    # What joblib's threads ran has ended by now, or the scratch folders would still be there.


def test_the_callback_is_called_by_one_thread_at_a_time():
    inside = threading.Lock()

    def alone(name, done, total):
        assert inside.acquire(blocking=False)
        time.sleep(0.01)
        inside.release()

    jobs.run([job("a"), job("b"), job("c")], workers=3, on_step=alone)


def test_at_least_one_worker():
    with pytest.raises(ValueError, match="at least 1"):
        jobs.run([job("a")], workers=0, on_step=quiet)
