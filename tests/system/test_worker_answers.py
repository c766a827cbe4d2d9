"""Answers that are none: strange facts, arrays, files and lines, each refused with what was expected and found."""

import time
from contextlib import suppress

import numpy as np
import pytest
from sandboxed import FAULTY, LEARN, TRAIN, failure, worker

from auditor.base.errors import ProcedureError
from auditor.sandbox import Drop, Level, Limits, Parameters, Predict, ProcedureSpec, Save, State, Worker
from levels import require

pytestmark = pytest.mark.usefixtures("scratch_parent")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("list", "expected facts(model) to return a mapping, found list"),
        ("nested", "found dict"),
        ("nan", "it raised ValueError"),
        ("none", "found NoneType"),
        ("number key", "strings, booleans and numbers"),
        ("huge number", "finite numbers"),
        ("huge", "an answer of at most 1048576 bytes"),
    ],
)
def test_strange_facts(kind, words):
    assert words in str(failure("faulty_answers.py:StrangeFacts", LEARN, kind=kind))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("columns", "expected an array of shape (6, 2), found shape (6, 4)"),
        ("rows", "expected an array of shape (6, 2), found shape (5, 2)"),
        ("flat", "found shape (6,)"),
        ("scalar", "found shape ()"),
        ("nan", "expected finite numbers, found 1 of 12 not finite"),
        ("infinite", "found 12 of 12 not finite"),
        ("integers", "expected an array of dtype float32 or float64, found dtype <i8"),
        ("complex", "found dtype <c16"),
        ("strings", "found dtype <U"),
        ("objects", "found dtype object"),
        ("records", "found dtype"),
        ("negative", "expected probabilities, found 6 of 6 rows with a negative number"),
        ("sums", "expected probabilities that sum to one in every row, found 6 of 6 rows that do not"),
        ("ragged", "it raised ValueError"),
        ("none", "found dtype object"),
    ],
)
def test_strange_predictions(kind, words):
    assert words in str(failure("faulty_answers.py:StrangePredictions", LEARN, Predict("model", "train", 2), kind=kind))


@pytest.mark.parametrize("kind", ["flat", "column"])
def test_real_values(kind):
    with worker("faulty_answers.py:StrangeValues", kind=kind) as running:
        running.run(LEARN)
        np.testing.assert_array_equal(running.run(Predict("model", "train", None)).array, np.arange(6.0))


@pytest.mark.parametrize("kind", ["column-major", "big-endian"])
def test_parameters_of_any_layout(kind):
    with worker("faulty_answers.py:StrangeValues", kind=kind) as running:
        running.run(LEARN)
        assert set(running.run(Parameters("model")).array) == {1.0}


@pytest.mark.parametrize(
    ("kind", "step", "words"),
    [
        ("other", Predict("model", "train", None), "expected an array of shape (6,) or (6, 1), found shape (6, 2)"),
        ("matrix", Parameters("model"), "expected an array of shape (d,), d at least 1, found shape (2, 2)"),
        ("empty", Parameters("model"), "found shape (0,)"),
        ("other", State("model"), "expected bytes, found str"),
        ("other", Save("model"), "expected one file at the path that it was given, found none"),
        ("two files", Save("model"), "found several"),
        ("folder", Save("model"), "expected a regular file"),
        ("link", Save("model"), "found a symbolic link"),
    ],
)
def test_strange_values(kind, step, words):
    assert words in str(failure("faulty_answers.py:StrangeValues", LEARN, step, kind=kind))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("missing", "found no such file or directory"),
        ("link", "found a symbolic link"),
        ("second_name", "found something else, or a file with a second name"),
        ("pipe", "found something else"),
        ("folder", "found something else"),
        ("swapped_folder", "found no such file or directory"),
        ("truncated", "95 bytes, which is not its size"),
        ("pickled", "found dtype |O"),
        ("sparse", "expected a file of at most 1073741824 bytes"),
    ],
)
def test_tampering_with_files(kind, words):
    steps, level = (LEARN, Predict("model", "train", 2)), Level.PROCESS  # where no barrier is in the way of any of it
    assert words in str(failure("faulty_answers.py:TamperingWithFiles", *steps, level=level, kind=kind))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("huge", "an answer of at most 1048576 bytes"),
        ("no JSON", "expected an answer in JSON"),
        ("no object", "a JSON object, found a list"),
        ("other number", "an answer to another step"),
        ("other step", "an answer to another step"),
        ("twice", "expected one answer, found more"),
        ("no method", "expected a method learn, found none"),
        ("wrong clock", "found other keys"),
    ],
)
def test_tampering_with_answers(kind, words):
    assert words in str(failure("faulty_answers.py:TamperingWithAnswers", LEARN, kind=kind))


def test_an_answer_before_the_question():
    with worker("faulty_answers.py:AnsweringUnasked") as running:
        running.run(LEARN)
        time.sleep(0.7)
        with pytest.raises(ProcedureError, match="no answer before the question"):
            running.run(Drop("model"))


@pytest.mark.parametrize("level", [Level.PROCESS, Level.CONFINED])
def test_links_laid_in_a_race_with_the_auditor_lead_nowhere(level, tmp_path_factory):
    """Nothing outside is read as an answer, removed with the scratch folder, or changed at a level that has walls."""
    require(level)
    outside = tmp_path_factory.mktemp("mine") / "mine.npy"
    np.save(outside, np.full(4, 7.0))
    before = outside.read_bytes()
    spec = ProcedureSpec(None, f"{FAULTY.with_name('faulty_answers.py')}:RacingWithLinks", {"outside": str(outside)})
    for _ in range(2):
        answers = []
        with suppress(ProcedureError), Worker(spec, {"train": TRAIN}, limits=Limits(timeout_s=60.0), level=level) as running:
            running.run(LEARN)
            answers.extend(running.run(Parameters("model")).array for _ in range(50))
        assert all((answer == 1.0).all() for answer in answers)
        assert outside.exists()
        if level > Level.PROCESS:  # there are no walls against writing at that level
            assert outside.read_bytes() == before
    assert list(outside.parent.iterdir()) == [outside]
