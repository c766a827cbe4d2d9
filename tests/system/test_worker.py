"""A procedure in the sandbox: what comes back when it behaves, and what is said when it does not."""

import io
import shutil
import threading
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from sandboxed import FAULTY, LEARN, ROWS, SEED, TRAIN, alive, ask, failure, worker

from auditor.base.errors import ProcedureError, SandboxError
from auditor.base.records import Dataset
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
from auditor.sandbox.memory import Allowance
from auditor.sandbox.scratch import Scratch
from levels import forking, require

pytestmark = pytest.mark.usefixtures("scratch_parent")


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
        assert running.run(Predict("less", "train", 2, np.array([4, 0]))).array.shape == (2, 2)

        saved = np.load(io.BytesIO(running.run(Save("model")).content), allow_pickle=False)
        np.testing.assert_array_equal(saved["weights"], expected)

        assert running.run(Drop("model")).supported
        with pytest.raises(ValueError, match="expected one that an earlier step made"):
            running.run(Parameters("model"))
        assert running.run(Parameters("less")).array is not None


def test_a_built_in_procedure_needs_no_entry():
    spec = ProcedureSpec("certified-removal", None, {"l2": 0.1, "sigma": 1.0, "tolerance": 1e-8})
    answers = []
    for _ in range(2):
        with Worker(spec, {"train": TRAIN}, level=forking()) as running:
            running.run(LEARN)
            running.run(Unlearn("model", "less", ROWS, ROWS[:1], SEED))
            answers.append([running.run(Parameters(name)).array for name in ("model", "less")])
    np.testing.assert_array_equal(answers[0], answers[1])
    assert not np.array_equal(*answers[0])
    with (
        pytest.raises(ProcedureError, match="it raised ValueError"),
        Worker(ProcedureSpec("unheard-of", None), {"train": TRAIN}, level=forking()),
    ):
        pytest.fail("it was built")


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
        with worker("Environment", level=Level.PROCESS, limits=limits) as running:
            (scratch,) = scratch_parent.iterdir()
            assert scratch.stat().st_mode & 0o777 == 0o700
            facts.append(running.run(LEARN).facts)
            assert alive(facts[-1]["pid"])
        assert not alive(facts[-1]["pid"])
        found = facts[-1]
        names = {name.removeprefix("env ") for name in found if name.startswith("env ")}
        assert names == {
            *("PATH", "LANG", "HOME", "LOGNAME", "TMPDIR", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "PYTHONFAULTHANDLER"),
            *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_CBWR", "MKL_NUM_THREADS", "CUBLAS_WORKSPACE_CONFIG"),
            *("JOBLIB_MULTIPROCESSING", "AUDITOR_DEVICE", "CUDA_VISIBLE_DEVICES"),
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


def test_of_a_traceback_the_frame_that_raised_is_told_and_no_more():
    error = failure("RaisingDeep", LEARN)
    lines = error.stderr_tail.splitlines()
    assert lines[0] == "before"
    assert lines[1].endswith("in deeper")
    assert lines[2:] == ["ValueError: at the bottom"]


def test_a_disk_that_is_full_is_named_beside_the_failure(monkeypatch):
    monkeypatch.setattr(Scratch, "is_out_of_room", lambda _self: True)
    assert "has no space left: free some there and start again" in str(failure("Raising", LEARN))


def test_what_lies_where_the_auditor_makes_a_folder_is_said():
    with worker("Squatting") as running:
        running.run(LEARN)
        with pytest.raises(SandboxError, match=r"2\.saved: File exists"):
            running.run(Save("model"))


def test_a_seed_in_the_name_of_an_exception_is_blotted_out():
    assert "Seed_[seed]" in str(failure("NamesSeed", LEARN))


@pytest.mark.parametrize("name", ["TellsSeed", "TellsSeedAsText"])
def test_a_seed_among_the_facts_is_refused(name):
    assert "a secret" in str(failure(name, LEARN))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("RaisingOnBuild", "the procedure's start failed: it raised KeyError"),
        ("NoSuchClass", "to define NoSuchClass, found nothing of that name"),
        ("WithoutPredict", "found no predict"),
    ],
)
def test_a_procedure_that_cannot_be_built(name, words):
    assert words in str(failure(name))


def test_an_unknown_file_and_a_syntax_error(tmp_path_factory):
    folder = tmp_path_factory.mktemp("case")
    (folder / "broken.py").write_text("def")
    for file, words in (
        ("missing.py", "found no such file"),
        ("broken.py", "SyntaxError"),
        ("data.txt", "a Python file"),
    ):
        with (
            pytest.raises(ProcedureError, match=words),
            Worker(ProcedureSpec(None, f"{folder / file}:A"), {"train": TRAIN}, level=forking()),
        ):
            pytest.fail("it was built")


def test_an_entry_finds_the_modules_beside_it_and_leaves_no_bytecode(tmp_path_factory):
    folder = tmp_path_factory.mktemp("case")
    (folder / "beside.py").write_text(FAULTY.read_text())
    (folder / "numpy.py").write_text("raise RuntimeError('shadowed')")
    (folder / "entry.py").write_text("from beside import Good\nclass Mine(Good):\n    pass\n")
    with Worker(ProcedureSpec(None, f"{folder}/entry.py:Mine"), {"train": TRAIN}, level=forking()) as running:
        assert running.run(LEARN).supported
    assert {entry.name for entry in folder.iterdir()} == {"beside.py", "numpy.py", "entry.py"}


def test_a_hang_is_ended_after_the_timeout():
    begin = time.monotonic()
    error = failure("Hanging", LEARN, limits=Limits(timeout_s=2.0))
    assert time.monotonic() - begin < 10
    assert "took longer than 2 s" in str(error)
    assert error.stderr_tail == "thinking"


def test_the_timeout_is_for_one_call():
    with worker("Slow", limits=Limits(timeout_s=2.0)) as running:
        for name in ("a", "b"):
            assert running.run(Learn(name, ROWS, 1)).seconds >= 1.1


def test_a_clock_that_jumps_back_changes_no_duration_and_no_timeout(monkeypatch):
    jumps = iter(range(10**9, 0, -86400))
    monkeypatch.setattr(time, "time", lambda: float(next(jumps)))
    with worker("Slow", limits=Limits(timeout_s=30.0)) as running:
        assert 1.1 <= running.run(LEARN).seconds < 30


def test_processes_left_behind_are_killed():
    with worker("Forking", level=Level.PROCESS) as running:
        facts = running.run(LEARN).facts
        assert alive(facts["group"])
        assert alive(facts["stray"])
    assert not alive(facts["group"])
    assert not alive(facts["stray"])


def test_an_exit_is_seen_although_a_fork_holds_the_channel():
    with worker("ForkingAndExiting", level=Level.PROCESS) as running:
        facts = running.run(LEARN).facts
        with pytest.raises(ProcedureError, match="ended without an answer: exit status 0"):
            running.run(Unlearn("model", "less", ROWS, ROWS[:1], 1))
        assert not alive(facts["group"])
        assert not alive(facts["stray"])


@pytest.mark.parametrize("name", ["Flooding", "FloodingAtOnce"])
def test_too_much_output(name):
    assert "wrote more than 2 MiB to stdout and stderr" in str(
        failure(name, LEARN, level=Level.PROCESS, limits=Limits(output_mb=2))
    )


def test_too_much_memory():
    assert "held more than 150 MiB of memory" in str(failure("Hungry", LEARN, level=Level.PROCESS, limits=Limits(memory_mb=150)))


@pytest.mark.parametrize("level", [Level.PROCESS, Level.CONFINED])
def test_memory_that_is_not_resident_counts(level):
    require(level)
    spec = ProcedureSpec(None, f"{FAULTY}:HungryBeyondMaps", {})
    with pytest.raises(ProcedureError, match="held more than 150 MiB of memory"):
        ask(Worker(spec, {"train": TRAIN}, limits=Limits(memory_mb=150, timeout_s=60.0), level=level), [LEARN])


def test_memory_that_forks_share_counts_once():
    with worker("Sharing", level=Level.PROCESS, limits=Limits(memory_mb=250)) as running:  # 64 MiB, which six processes show
        assert running.run(LEARN).supported


def test_without_a_limit_of_its_own_a_job_has_half_of_what_is_free():
    spec = ProcedureSpec(None, f"{FAULTY}:Hungry", {})
    with pytest.raises(ProcedureError) as caught:
        ask(Worker(spec, {"train": TRAIN}, allowance=Allowance(150 * 2**20)), [LEARN])
    assert "together with the other jobs more than half of what was free, 150 MiB" in str(caught.value)
    assert "memory_mb in [sandbox], or run fewer at a time with --jobs" in str(caught.value)


def test_files_without_a_name_take_their_space():
    assert "files took more than 8 MiB" in str(failure("HidingDisk", LEARN, level=Level.PROCESS, limits=Limits(file_mb=8)))


def test_too_many_processes():
    assert "ran more than 40 processes at a time" in str(
        failure("Multiplying", LEARN, level=Level.PROCESS, limits=Limits(processes=40, timeout_s=60.0))
    )


def test_too_many_files():
    assert "files took more than 8 MiB" in str(failure("FillingDisk", LEARN, level=Level.PROCESS, limits=Limits(file_mb=8)))


def test_one_file_too_large():
    assert "it raised OSError" in str(failure("OneLargeFile", LEARN, level=Level.PROCESS, limits=Limits(file_mb=4)))


def test_sealed_folders_are_removed_too():
    with worker("SealingScratch", level=Level.PROCESS) as running:
        assert running.run(LEARN).supported


def test_folders_however_deep_are_removed(scratch_parent):
    with suppress(ProcedureError):  # where the auditor looked in time: too deep to count
        ask(worker("Nesting", level=Level.PROCESS), [LEARN])
    assert list(scratch_parent.iterdir()) == []


def test_what_could_not_be_removed_is_told_beside_the_failure(monkeypatch, scratch_parent):
    def fail(_path):
        raise OSError(5, "Input/output error")

    failure("Raising", LEARN)  # the first worker of a process also tries whether its level stands
    monkeypatch.setattr("auditor.sandbox.folders.remove", fail)
    with pytest.raises(SandboxError) as caught:
        ask(worker("Raising"), [LEARN])
    assert "learn (step 1) failed: it raised ArithmeticError" in str(caught.value)
    (left,) = scratch_parent.iterdir()
    assert f"the scratch folder {left} could not be removed: Input/output error" in str(caught.value)
    shutil.rmtree(left)


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
    assert words in str(failure(name, LEARN, level=Level.PROCESS))


def test_an_end_between_two_steps():
    with worker("KilledLater", level=Level.PROCESS) as running:
        running.run(LEARN)
        time.sleep(0.7)
        with pytest.raises(ProcedureError, match="exit status 0"):
            running.run(Predict("model", "train", 2))


def test_two_names_for_one_model_are_refused():
    assert "the very object" in str(failure("ReturningItself", LEARN, Learn("another", ROWS, 1)))


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
            (Predict("model", "train", 2, np.array([6])), "within 6 records of train"),
            (State("nobody"), "found nobody"),
        ):
            with pytest.raises(ValueError, match=words):
                running.run(step)
        assert running.run(Predict("model", "train", 2)).supported


def test_what_cannot_be_set_up():
    with pytest.raises(ValueError, match="one named train"):
        worker("Good", tables={"test": TRAIN})
    with pytest.raises(SandboxError, match="asked for was level none"):
        Worker(ProcedureSpec(None, f"{FAULTY}:Good"), {"train": TRAIN}, level=Level.NONE)
    with pytest.raises(ValueError, match="not JSON compliant"), worker("Good", scale=float("nan")):
        pytest.fail("NaN crossed")


def test_a_timeout_may_be_longer_than_any_run():
    with worker("Minimal", limits=Limits(timeout_s=1e300)) as running:
        assert running.run(LEARN).supported


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
    """Those of a process that workers are forked from stay, until it has been idle for a while."""

    def opened():
        with worker("Good") as running:
            running.run(LEARN)
            running.run(Save("model"))
        return len(list(Path("/proc/self/fd").iterdir()))

    first = opened()
    assert max(opened() for _ in range(2)) <= first
