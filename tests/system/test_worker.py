"""A procedure in the sandbox: what comes back when it behaves, and what is said when it does not."""

import io
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from auditor.domain import Dataset
from auditor.errors import ProcedureError, SandboxError
from auditor.sandbox import (
    Drop,
    Learn,
    Level,
    Limits,
    Parameters,
    Predict,
    ProcedureSpec,
    Refit,
    Save,
    State,
    StoppedError,
    Unlearn,
    Worker,
)

FAULTY = Path(__file__).with_name("faulty_procedures.py")
ROWS = np.arange(6)
SEED = 2**70 + 12345
TRAIN = Dataset(np.arange(12.0).reshape(6, 2), np.array([0, 1, 0, 1, 0, 1]), np.array([f"r{i}" for i in range(6)]))
LEARN = Learn("model", ROWS, SEED)


@pytest.fixture(autouse=True)
def scratch_parent(tmp_path, monkeypatch):
    """The folder that scratch folders are made in; empty again when the test is over."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield tmp_path
    assert list(tmp_path.iterdir()) == []


def worker(name, *, tables=None, limits=None, stop=None, **settings):
    return Worker(ProcedureSpec(None, f"{FAULTY}:{name}", settings), tables or {"train": TRAIN}, limits=limits, stop=stop)


def ask(worker, steps):
    with worker as running:
        return [running.run(step) for step in steps]


def failure(name, *steps, limits=None, **settings):
    """The error that the steps end in."""
    with pytest.raises(ProcedureError) as caught:
        ask(worker(name, limits=limits, **settings), steps)
    assert str(SEED) not in str(caught.value)
    assert str(SEED) not in caught.value.stderr_tail
    return caught.value


def alive(pid):
    try:
        return (Path("/proc") / str(int(pid)) / "stat").read_text().rpartition(")")[2].split()[0] not in {"Z", "X"}
    except FileNotFoundError:
        return False


def test_a_good_procedure_answers_every_step():
    holdout = Dataset(np.ones((3, 2)), np.array([0, 1, 0]), np.array(["h0", "h1", "h2"]))
    with worker("Good", tables={"train": TRAIN, "holdout": holdout}, scale=2.0) as running:
        learned = running.run(LEARN)
        assert learned.facts == {"rows": 6.0, "scale": 2.0, "fine": True, "kind": "mean"}
        assert learned.supported
        assert 0 < learned.seconds < 1
        assert learned.array is None

        expected = np.random.default_rng(SEED).normal(size=3) * 2.0
        np.testing.assert_array_equal(running.run(Parameters("model")).array, expected)

        unlearned = running.run(Unlearn("model", "less", ROWS, np.array([1, 4]), SEED + 1))
        assert unlearned.facts["rows"] == 4.0
        np.testing.assert_array_equal(running.run(Parameters("less")).array, expected + 1)
        # Unlearning changed the model that it was given; the one that is kept is another.
        np.testing.assert_array_equal(running.run(Parameters("model")).array, expected)

        running.run(Refit("model", "refitted", np.array([5, 0, 3]), SEED))
        np.testing.assert_array_equal(running.run(Parameters("refitted")).array, expected + 2)
        assert running.run(State("refitted")).content == b"r5,r0,r3"

        predicted = running.run(Predict("less", "holdout", 2))
        np.testing.assert_array_equal(predicted.array, np.full((3, 2), 0.5))
        assert predicted.array.dtype == np.float64

        saved = np.load(io.BytesIO(running.run(Save("model")).content), allow_pickle=False)
        np.testing.assert_array_equal(saved["weights"], expected)

        assert running.run(Drop("model")).supported
        with pytest.raises(ValueError, match="expected one that an earlier step made"):
            running.run(Parameters("model"))
        assert running.run(Parameters("less")).array is not None


def test_a_model_can_be_replaced_batch_after_batch():
    with worker("Good") as running:
        running.run(LEARN)
        rows = ROWS
        for left in (5, 4):
            facts = running.run(Unlearn("model", "model", rows, np.array([0]), SEED)).facts
            rows = rows[1:]
            assert facts["rows"] == left == rows.size


def test_optional_methods_may_be_missing():
    with worker("Minimal") as running:
        running.run(LEARN)
        for step in (Parameters("model"), State("model"), Save("model"), Refit("model", "refitted", ROWS, 1)):
            answer = running.run(step)
            assert not answer.supported
            assert answer.array is answer.content is None
        assert not running.run(Predict("refitted", "train", 2)).supported
        assert not running.run(Unlearn("refitted", "further", ROWS, ROWS[:1], 2)).supported
        assert not running.run(Predict("further", "train", 2)).supported
        assert not running.run(Drop("refitted")).supported
        assert running.run(Predict("model", "train", 2)).array.shape == (6, 2)


def test_an_immutable_model_may_be_returned_as_it_is():
    with worker("Constant") as running:
        running.run(LEARN)
        assert running.run(Unlearn("model", "less", ROWS, ROWS[:1], 2)).supported


def test_labels_may_be_strings():
    table = Dataset(TRAIN.features, np.array(list("ababab")), TRAIN.ids)
    with worker("Good", tables={"train": table}) as running:
        assert running.run(LEARN).facts["rows"] == 6.0
    with (
        pytest.raises(TypeError, match="not of objects"),
        worker("Good", tables={"train": Dataset(TRAIN.features, table.labels.astype(object), TRAIN.ids)}),
    ):
        pytest.fail("objects crossed")


def test_the_environment_is_clean_and_the_limits_are_set(monkeypatch, scratch_parent):
    monkeypatch.setenv("TOKEN_OF_THE_PARENT", "hunter2")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    limits = Limits(file_mb=7)
    facts = []
    for _ in range(2):
        with worker("Environment", limits=limits) as running:
            (scratch,) = scratch_parent.iterdir()
            assert scratch.stat().st_mode & 0o777 == 0o700
            facts.append(running.run(LEARN).facts)
            assert alive(facts[-1]["pid"])
        assert not alive(facts[-1]["pid"])
        found = facts[-1]
        names = {name.removeprefix("env ") for name in found if name.startswith("env ")}
        assert names == {
            *("PATH", "LANG", "HOME", "TMPDIR", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "PYTHONFAULTHANDLER"),
            *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "CUBLAS_WORKSPACE_CONFIG"),
        }
        assert found["cwd"] == found["env HOME"] == found["env TMPDIR"] == str(scratch / "home")
        assert found["stdin"] == ""
        assert found["leader"] is True
        assert found["heavy"] == ""
        assert found["RLIMIT_CORE"] == "(0, 0)"
        assert found["RLIMIT_FSIZE"] == str((7 * 2**20, 7 * 2**20))
        assert found["RLIMIT_NOFILE"] == "(1024, 1024)"
    assert facts[0]["hash"] == facts[1]["hash"]


def test_garbage_on_stdout_does_not_mix_with_answers():
    with worker("Babbling") as running:
        assert running.run(LEARN).supported
        assert running.run(Predict("model", "train", 2)).array.shape == (6, 2)


def test_an_exception_is_told_without_its_message():
    error = failure("Raising", LEARN)
    assert str(error) == "the procedure's learn (step 1) failed: it raised ArithmeticError"
    assert "red alert" in error.stderr_tail  # control characters are gone
    assert "ArithmeticError: seed [seed] of record r0" in error.stderr_tail
    assert len(error.stderr_tail.splitlines()) <= 20


def test_a_seed_in_the_name_of_an_exception_is_blotted_out():
    assert "Seed_[seed]" in str(failure("NamesSeed", LEARN))


@pytest.mark.parametrize("name", ["TellsSeed", "TellsSeedAsText"])
def test_a_seed_among_the_facts_is_refused(name):
    assert "a secret" in str(failure(name, LEARN))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("RaisingOnBuild", "the procedure's start failed: it raised KeyError"),
        ("NoSuchClass", "it raised AttributeError"),
        ("WithoutPredict", "found no predict"),
    ],
)
def test_a_procedure_that_cannot_be_built(name, words):
    assert words in str(failure(name))


def test_an_unknown_file_and_a_syntax_error(tmp_path_factory):
    folder = tmp_path_factory.mktemp("case")
    (folder / "broken.py").write_text("def")
    for file, words in (("missing.py", "FileNotFoundError"), ("broken.py", "SyntaxError"), ("data.txt", "a Python file")):
        with pytest.raises(ProcedureError, match=words), Worker(ProcedureSpec(None, f"{folder / file}:A"), {"train": TRAIN}):
            pytest.fail("it was built")


def test_an_entry_finds_the_modules_beside_it_and_leaves_no_bytecode(tmp_path_factory):
    folder = tmp_path_factory.mktemp("case")
    (folder / "beside.py").write_text(FAULTY.read_text())
    (folder / "numpy.py").write_text("raise RuntimeError('shadowed')")
    (folder / "entry.py").write_text("from beside import Good\nclass Mine(Good):\n    pass\n")
    with Worker(ProcedureSpec(None, f"{folder}/entry.py:Mine"), {"train": TRAIN}) as running:
        assert running.run(LEARN).supported
    assert {entry.name for entry in folder.iterdir()} == {"beside.py", "numpy.py", "entry.py"}


def test_a_hang_is_ended_after_the_timeout():
    begin = time.monotonic()
    error = failure("Hanging", LEARN, limits=Limits(timeout_s=1.0))
    assert time.monotonic() - begin < 5
    assert "took longer than 1 s" in str(error)
    assert error.stderr_tail == "thinking"


def test_the_timeout_is_for_one_call():
    with worker("Slow", limits=Limits(timeout_s=0.9)) as running:
        for name in ("a", "b", "c"):
            assert running.run(Learn(name, ROWS, 1)).seconds >= 0.5


def test_processes_left_behind_are_killed():
    with worker("Forking") as running:
        facts = running.run(LEARN).facts
        assert alive(facts["group"])
        assert alive(facts["stray"])
    assert not alive(facts["group"])
    assert not alive(facts["stray"])


def test_an_exit_is_seen_although_a_fork_holds_the_channel():
    with worker("ForkingAndExiting") as running:
        facts = running.run(LEARN).facts
        with pytest.raises(ProcedureError, match="ended without an answer: exit status 0"):
            running.run(Unlearn("model", "less", ROWS, ROWS[:1], 1))
        assert not alive(facts["group"])
        assert not alive(facts["stray"])


@pytest.mark.parametrize("name", ["Flooding", "FloodingAtOnce"])
def test_too_much_output(name):
    assert "wrote more than 2 MiB to stdout and stderr" in str(failure(name, LEARN, limits=Limits(output_mb=2)))


def test_too_much_memory():
    assert "held more than 150 MiB of memory" in str(failure("Hungry", LEARN, limits=Limits(memory_mb=150)))


def test_too_many_files():
    assert "files took more than 8 MiB" in str(failure("FillingDisk", LEARN, limits=Limits(file_mb=8)))


def test_one_file_too_large():
    assert "it raised OSError" in str(failure("OneLargeFile", LEARN, limits=Limits(file_mb=4)))


def test_sealed_folders_are_removed_too():
    with worker("SealingScratch") as running:
        assert running.run(LEARN).supported


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Exiting", "learn (step 1) ended without an answer: exit status 0"),
        ("ExitingPolitely", "exit status 3"),
        ("Killed", "killed by SIGKILL"),
        ("ClosingChannel", "it closed its channel"),
        ("ReturningNone", "expected a model, found None"),
    ],
)
def test_no_answer(name, words):
    assert words in str(failure(name, LEARN))


def test_an_end_between_two_steps():
    with worker("KilledLater") as running:
        running.run(LEARN)
        time.sleep(0.3)
        with pytest.raises(ProcedureError, match="exit status 0"):
            running.run(Predict("model", "train", 2))


def test_two_names_for_one_model_are_refused():
    assert "the very object" in str(failure("ReturningItself", LEARN, Learn("another", ROWS, 1)))


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
    assert words in str(failure("StrangeFacts", LEARN, kind=kind))


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
    assert words in str(failure("StrangePredictions", LEARN, Predict("model", "train", 2), kind=kind))


@pytest.mark.parametrize("kind", ["flat", "column"])
def test_real_values(kind):
    with worker("StrangeValues", kind=kind) as running:
        running.run(LEARN)
        np.testing.assert_array_equal(running.run(Predict("model", "train", None)).array, np.arange(6.0))


@pytest.mark.parametrize("kind", ["column-major", "big-endian"])
def test_parameters_of_any_layout(kind):
    with worker("StrangeValues", kind=kind) as running:
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
    assert words in str(failure("StrangeValues", LEARN, step, kind=kind))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("missing", "found no such file or directory"),
        ("link", "found a symbolic link"),
        ("second_name", "found something that is none, or has a second name"),
        ("pipe", "found something that is none"),
        ("folder", "found something that is none"),
        ("swapped_folder", "found no such file or directory"),
        ("truncated", "95 bytes, which is not its size"),
        ("pickled", "found dtype |O"),
        ("sparse", "expected a file of at most 1073741824 bytes"),
    ],
)
def test_tampering_with_files(kind, words):
    assert words in str(failure("TamperingWithFiles", LEARN, Predict("model", "train", 2), kind=kind))


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
        ("wrong clock", "s that passed"),
    ],
)
def test_tampering_with_answers(kind, words):
    assert words in str(failure("TamperingWithAnswers", LEARN, kind=kind))


def test_an_answer_before_the_question():
    with worker("AnsweringUnasked") as running:
        running.run(LEARN)
        time.sleep(0.2)
        with pytest.raises(ProcedureError, match="no answer before the question"):
            running.run(Drop("model"))


def test_a_worker_that_failed_is_over():
    with worker("Raising") as running:
        with pytest.raises(ProcedureError):
            running.run(LEARN)
        with pytest.raises(RuntimeError, match="not running"):
            running.run(LEARN)


def test_steps_that_name_what_does_not_exist():
    with worker("Minimal") as running:
        running.run(LEARN)
        for step, words in (
            (Learn("a", np.array([0, 6]), 1), "within 6 training records"),
            (Learn("a", np.array([-1]), 1), "within 6 training records"),
            (Predict("model", "nowhere", 2), "expected one of train, found nowhere"),
            (State("nobody"), "found nobody"),
        ):
            with pytest.raises(ValueError, match=words):
                running.run(step)
        assert running.run(Predict("model", "train", 2)).supported


def test_what_cannot_be_set_up():
    with pytest.raises(ValueError, match="one named train"):
        worker("Good", tables={"test": TRAIN})
    for level in (Level.NONE, Level.CONFINED):
        with pytest.raises(SandboxError, match=f"asked for was level {level}"):
            Worker(ProcedureSpec(None, f"{FAULTY}:Good"), {"train": TRAIN}, level=level)
    with pytest.raises(ValueError, match="not JSON compliant"), worker("Good", scale=float("nan")):
        pytest.fail("NaN crossed")


def test_an_event_stops_a_step():
    stop = threading.Event()
    timer = threading.Timer(0.4, stop.set)
    with worker("Hanging", stop=stop) as running:
        timer.start()
        begin = time.monotonic()
        with pytest.raises(StoppedError):
            running.run(LEARN)
        assert time.monotonic() - begin < 3
    timer.join()


def test_descriptors_are_closed():
    before = len(list(Path("/proc/self/fd").iterdir()))
    with worker("Good") as running:
        running.run(LEARN)
        running.run(Save("model"))
    assert len(list(Path("/proc/self/fd").iterdir())) == before
