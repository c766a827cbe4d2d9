"""A procedure behind walls answers as it does without them, and ends in the same words."""

import time
from pathlib import Path

import numpy as np
import pytest
from sandboxed import FAULTY, LEARN, ROWS, SEED, TRAIN, alive

from auditor.base.errors import ProcedureError, SandboxError
from auditor.sandbox import (
    Learn,
    Level,
    Limits,
    Parameters,
    Predict,
    ProcedureSpec,
    Refit,
    Save,
    State,
    Unlearn,
    Worker,
)
from levels import EXECUTED, require

WALLED = [Level.NO_NETWORK, Level.CONFINED, Level.NAMESPACED, EXECUTED]
pytestmark = pytest.mark.usefixtures("scratch_parent")


@pytest.fixture(params=WALLED)
def level(request):
    """Each level that stands here."""
    require(request.param)
    return request.param


def behind(level, name, limits=None, **settings):
    return Worker(ProcedureSpec(None, f"{FAULTY}:{name}", settings), {"train": TRAIN}, limits=limits, level=level)


def test_the_same_answers_as_without_walls(level):
    steps = [
        *(LEARN, Parameters("model"), Unlearn("model", "less", ROWS, ROWS[:2], 3), Refit("less", "again", ROWS, 5)),
        *(Parameters("again"), Predict("less", "train", 2), State("again"), Save("model")),
    ]
    answers = []
    for each in (Level.PROCESS, level):
        with behind(each, "Good", scale=2.0) as running:
            answers.append([running.run(step) for step in steps])
    for plain, walled in zip(*answers, strict=True):
        assert (plain.content, plain.facts, plain.supported) == (walled.content, walled.facts, walled.supported)
        np.testing.assert_array_equal(plain.array, walled.array)


def test_a_built_in_procedure_runs_too(level):
    spec = ProcedureSpec("certified-removal", None, {"l2": 0.1, "sigma": 1.0, "tolerance": 1e-8})
    arrays = []
    for each in (Level.PROCESS, level):
        with Worker(spec, {"train": TRAIN}, level=each) as running:
            running.run(LEARN)
            arrays.append(running.run(Parameters("model")).array)
    np.testing.assert_array_equal(*arrays)


def test_environment_and_limits(level, monkeypatch, scratch_parent):
    monkeypatch.setenv("TOKEN_OF_THE_PARENT", "hunter2")
    with behind(level, "Environment", limits=Limits(file_mb=7)) as running:
        (scratch,) = scratch_parent.iterdir()
        found = running.run(LEARN).facts
    assert "env TOKEN_OF_THE_PARENT" not in found
    assert found["cwd"] == found["env HOME"] == found["env TMPDIR"] == str(scratch / "home")
    assert found["stdin"] == found["heavy"] == ""
    assert found["RLIMIT_CORE"] == "(0, 0)"
    assert found["RLIMIT_FSIZE"] == str((7 * 2**20, 7 * 2**20))
    assert found["RLIMIT_NOFILE"] == "(1024, 1024)"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Exiting", "learn (step 1) ended without an answer: exit status 0"),
        ("ExitingPolitely", "exit status 3"),
        ("Killed", "killed by SIGKILL"),
        ("ClosingChannel", "it closed its channel"),
        ("OneLargeFile", "it raised OSError"),
        ("FloodingAtOnce", "wrote more than 2 MiB to stdout and stderr"),
        ("Multiplying", "ran more than 40 processes at a time"),
        ("Hungry", "held more than 150 MiB of memory"),
        ("FillingDisk", "files took more than 4 MiB"),
        ("Hanging", "took longer than 1.5 s"),
    ],
)
def test_the_same_words_for_the_same_fault(level, name, words):
    limits = Limits(
        file_mb=4,
        output_mb=2,
        memory_mb=None if name == "Multiplying" else 150,
        processes=40,
        timeout_s=1.5 if name == "Hanging" else 30.0,
    )
    with behind(level, name, limits=limits) as running, pytest.raises(ProcedureError) as caught:
        running.run(LEARN)
    assert words in str(caught.value)


def test_a_traceback_names_no_seed(level):
    with behind(level, "Raising") as running, pytest.raises(ProcedureError, match="it raised ArithmeticError") as caught:
        running.run(LEARN)
    assert "ArithmeticError: seed [seed] of record r0" in caught.value.stderr_tail
    assert str(SEED) not in caught.value.stderr_tail


def test_forks_are_killed_and_do_not_keep_an_exit_from_being_seen(level):
    with behind(level, "ForkingAndExiting") as running:
        running.run(LEARN)
        leader = running._launched.pid
        with pytest.raises(ProcedureError, match="ended without an answer: exit status 0"):
            running.run(Unlearn("model", "less", ROWS, ROWS[:1], 1))
    assert not alive(leader)
    assert not [path for path in Path("/proc").iterdir() if path.name.isdecimal() and session(path) == leader]


def test_sealed_folders_are_removed_too(level):
    with behind(level, "SealingScratch") as running:
        assert running.run(LEARN).supported


def test_a_start_and_a_step_are_quick(level):
    begin = time.monotonic()
    with behind(level, "Good") as running:
        running.run(LEARN)
        assert time.monotonic() - begin < 10  # 0.12 s where nothing else runs
        begin = time.monotonic()
        for number in range(20):
            running.run(Learn("model", ROWS, number))
        assert time.monotonic() - begin < 5


def test_a_procedure_may_use_processes_threads_and_modules(level, tmp_path_factory):
    folder = tmp_path_factory.mktemp("case")
    (folder / "beside.py").write_text("from faulty import Good\nclass Mine(Good):\n    pass\n")
    (folder / "faulty.py").write_text(FAULTY.read_text())
    (folder / "audit.toml").write_text("seed = 1")
    (folder / "procedure.py").write_text(
        "import asyncio, multiprocessing, os, shutil, subprocess, threading\n"
        "from beside import Mine\n"
        "def done(): os._exit(7)\n"
        "class Busy(Mine):\n"
        "    def facts(self, model):\n"
        "        threads = [threading.Thread(target=list) for _ in range(3)]\n"
        "        [t.start() for t in threads], [t.join() for t in threads]\n"
        "        spawned = multiprocessing.get_context('spawn').Process(target=done)\n"
        "        spawned.start(), spawned.join()\n"
        "        echoed = subprocess.run(['echo', 'hello'], capture_output=True, text=True, start_new_session=True).stdout\n"
        "        shutil.copy2(__file__, 'copy.py')\n"
        "        return {'spawned': spawned.exitcode, 'echoed': echoed, 'slept': asyncio.run(asyncio.sleep(0, 5)),\n"
        "                'beside': ' '.join(sorted(os.listdir(os.path.dirname(__file__))))}\n"
    )
    with Worker(ProcedureSpec(None, f"{folder}/procedure.py:Busy"), {"train": TRAIN}, level=level) as running:
        found = running.run(LEARN).facts
    assert found == {"spawned": 7.0, "echoed": "hello\n", "slept": 5.0, "beside": "beside.py faulty.py procedure.py"}


COUNTING = """\
import joblib, lightgbm
from faulty import Good
class Counting(Good):
    def facts(self, model):
        trees = lightgbm.LGBMClassifier()
        return {"processors": joblib.cpu_count(), "jobs": joblib.effective_n_jobs(8), "threads": trees._process_n_jobs(None)}
"""


@pytest.mark.parametrize("level", [Level.PROCESS, *WALLED], indirect=True)
def test_libraries_count_one_processor_at_every_level(level, tmp_path_factory):
    """What trains with as many threads as there are would otherwise learn another model where bubblewrap is installed."""
    folder = tmp_path_factory.mktemp("case")
    (folder / "faulty.py").write_text(FAULTY.read_text())
    (folder / "procedure.py").write_text(COUNTING)
    with Worker(ProcedureSpec(None, f"{folder}/procedure.py:Counting"), {"train": TRAIN}, level=level) as running:
        assert running.run(LEARN).facts == {"processors": 1, "jobs": 1, "threads": 1}


@pytest.mark.parametrize("refused", [Level.CONFINED, Level.NAMESPACED])
def test_a_case_among_the_libraries_is_refused(refused, monkeypatch, tmp_path_factory):
    folder = tmp_path_factory.mktemp("packages") / "site-packages"
    folder.mkdir()
    (folder / "procedure.py").write_text(FAULTY.read_text())
    monkeypatch.syspath_prepend(folder)
    spec = ProcedureSpec(None, f"{folder}/procedure.py:Good")
    with pytest.raises(SandboxError, match="move the case elsewhere"), Worker(spec, {"train": TRAIN}, level=refused):
        pytest.fail("it started")


def session(process):
    """The session of a process that is no zombie; 0 where it is gone."""
    try:
        fields = (process / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[3]) if fields[0] not in {"Z", "X"} else 0
