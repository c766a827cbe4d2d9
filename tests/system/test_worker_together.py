"""Many models in one exchange: the answers of one at a time, each checked as if it were asked for alone."""

from pathlib import Path

import numpy as np
import pytest
from sandboxed import ROWS, SEED, TRAIN, failure, worker

from auditor.sandbox import Learn, Limits, Predict, ProcedureSpec, Together, Unlearn, jobs
from auditor.sandbox.jobs import Job

pytestmark = pytest.mark.usefixtures("scratch_parent")

PROCEDURES = Path(__file__).with_name("together_procedures.py")
ASKED = np.array([4, 0])
LEARN = tuple(Learn(f"m{number}", ROWS[number:], SEED + number) for number in range(3))
UNLEARN = tuple(Unlearn(f"m{number}", f"u{number}", ROWS[number:], np.array([1]), SEED + 9 + number) for number in range(3))
BEFORE = tuple(Predict(f"m{number}", "train", 2, None if number == 1 else ASKED) for number in range(3))
AFTER = tuple(Predict(f"u{number}", "train", 2, ASKED) for number in range(3))


def odd(kind, *steps, **more):
    return str(failure(f"{PROCEDURES.name}:Odd", *steps, kind=kind, **more))


@pytest.mark.parametrize("kind", ["Single", "Many"])
def test_many_at_a_time_are_answered_as_one_after_another(kind):
    with worker(f"{PROCEDURES.name}:Single") as running:
        apart = [[running.run(step) for step in steps] for steps in (LEARN, UNLEARN, BEFORE, AFTER)]
    with worker(f"{PROCEDURES.name}:{kind}") as running:
        together = [running.run(Together(steps)) for steps in (LEARN, UNLEARN, BEFORE, AFTER)]
    for number, (one, whole) in enumerate(zip(apart, together, strict=True), start=1):
        assert whole.supported
        assert (whole.array, whole.content, whole.facts) == (None, None, {})
        assert [answer.step for answer in whole.parts] == [answer.step for answer in one]
        assert sum(answer.seconds for answer in whole.parts) == pytest.approx(whole.seconds)
        for single, answer in zip(one, whole.parts, strict=True):
            np.testing.assert_array_equal(answer.array, single.array)
            assert answer.facts.keys() == single.facts.keys()
            assert answer.facts.get("mean") == single.facts.get("mean")
            if kind == "Many" and number < 3:
                assert answer.facts["calls"] == f"{number}"


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("short", "expected 3 answers from learn_many, found something else"),
        ("long", "expected 3 answers from learn_many"),
        ("iterator", "expected 3 answers from learn_many"),
        ("none", "expected a model, found None"),
        ("same", "expected a model of its own"),
        ("seed", "the seed, which is a secret"),
        ("nested", "strings, booleans and numbers"),
        ("huge", "an answer of at most 1048576 bytes"),
    ],
)
def test_models_that_are_no_answer(kind, words):
    assert words in odd(kind, Together(LEARN))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("few", "expected 3 answers from predict_many"),
        ("nan", "together (step 2), predict 2 of 3: expected finite numbers, found 12 of 12 not finite"),
        ("sums", "predict 2 of 3: expected probabilities that sum to one in every row"),
        ("shape", "predict 2 of 3: expected an array of shape (6, 2), found shape (5, 2)"),
        ("objects", "expected an array of dtype float32 or float64, found dtype object"),
        ("exit", "together (step 2) ended without an answer: exit status 0"),
    ],
)
def test_predictions_that_are_no_answer(kind, words):
    assert words in odd(kind, Together(LEARN), Together(BEFORE))


def test_each_step_brings_the_time_of_one_call():
    said = odd("slow", Together(LEARN), Together(BEFORE[:1]), limits=Limits(timeout_s=1.5))
    assert "it took longer than 1.5 s" in said
    with worker(f"{PROCEDURES.name}:Odd", kind="slow", limits=Limits(timeout_s=1.5)) as running:
        running.run(Together(LEARN))
        assert len(running.run(Together(BEFORE)).parts) == 3


def test_what_does_not_exist_is_not_asked_for():
    with worker(f"{PROCEDURES.name}:Many") as running:
        with pytest.raises(ValueError, match="expected one that an earlier step made"):
            running.run(Together(UNLEARN))
        with pytest.raises(ValueError, match="expected positions within 6 training records"):
            running.run(Together((*LEARN[:1], Learn("far", np.array([6]), 1))))
        assert running.run(Together(LEARN)).supported  # nothing of that reached the child


def test_a_job_counts_every_call_of_the_steps_that_are_asked_together():
    seen = []
    steps = (Together(LEARN), Together(BEFORE), Predict("m0", "train", 2))
    lot = [Job("game", ProcedureSpec(None, f"{PROCEDURES}:Many"), {"train": TRAIN}, steps)]
    (answers,) = jobs.run(lot, workers=1, on_step=lambda *progress: seen.append(progress))
    assert seen == [("game", 0, 7), ("game", 3, 7), ("game", 6, 7), ("game", 7, 7)]
    np.testing.assert_array_equal(answers[1].parts[0].array, answers[2].array[ASKED])
