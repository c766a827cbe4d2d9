"""A training goes on from its checkpoint: in the very same step of the very same job, and nowhere else."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest
from sandboxed import LEARN, ROWS, SEED, TRAIN

from auditor.base.errors import ProcedureError
from auditor.sandbox import Learn, Level, Limits, Parameters, ProcedureSpec, StoppedError, Unlearn, Worker
from auditor.sandbox import checkpoints as watching
from auditor.sandbox.jobs import Job, run
from auditor.sandbox.runs import Runs, remove
from auditor.sandbox.runs import checkpoints as kept_checkpoints
from auditor.sandbox.scratch import Scratch
from kept_runs import opened

CODE = Path(__file__).with_name("checkpoint_procedures.py")
pytestmark = pytest.mark.usefixtures("scratch_parent")
SMALL = Limits(file_mb=8, timeout_s=30)


@pytest.fixture
def runs_folder(tmp_path_factory):
    """Where runs are kept; `tmp_path` is where scratch folders lie, and nothing may stay."""
    return tmp_path_factory.mktemp("kept") / ".runs"


@pytest.fixture
def folder_of_answers(tmp_path_factory):
    return tmp_path_factory.mktemp("answers")


class Memory:
    """Checkpoints by position."""

    def __init__(self, **held):
        self.held = {int(name[1:]): (content, 100.0) for name, content in held.items()}

    def take(self, position):
        return self.held.get(position)

    def keep(self, position, content, seconds):
        self.held[position] = content, seconds


def worker(name, memory, **more):
    return Worker(ProcedureSpec(None, f"{CODE}:{name}"), {"train": TRAIN}, checkpoints=memory, **more)


def learned(name, memory, *steps, **more):
    """What the steps answer: of `parameters`, how long the checkpoint was that the training was given, or -1."""
    with worker(name, memory, **more) as running:
        return [running.run(step) for step in (LEARN, Parameters("model"), *steps)]


def test_a_checkpoint_is_handed_over_and_comes_back_on_the_same_step():
    memory = Memory()
    first = learned("Plain", memory)
    assert first[1].array[0] == -1
    assert {position: content for position, (content, _) in memory.held.items()} == {1: b"four"}
    again = learned("Plain", memory, Unlearn("model", "next", ROWS, ROWS[:1], 3), Parameters("next"))
    assert again[1].array[0] == 4
    assert again[3].array[0] == -1
    assert set(memory.held) == {1, 3}


def test_seconds_count_what_was_spent_before_and_so_does_the_time_limit():
    memory = Memory(_1=b"abc")
    learn, found = learned("Plain", memory, limits=Limits(timeout_s=150))
    assert found.array[0] == 3
    assert 100 <= learn.seconds < 140
    assert memory.held[1][1] >= 100
    with pytest.raises(ProcedureError, match="it took longer than 30 s"):
        learned("Plain", Memory(_1=b"abc"), limits=Limits(timeout_s=30))


def test_a_class_that_does_not_declare_it_is_asked_as_ever():
    memory = Memory(_1=b"abc")
    with pytest.raises(ProcedureError, match="raised AttributeError"):
        learned("Undeclared", memory)
    assert memory.held == {1: (b"abc", 100.0)}


@pytest.mark.parametrize("name", ["Link", "SecondName", "Pipe", "Folder"])
def test_what_is_no_plain_file_is_no_checkpoint(name):
    memory = Memory()
    assert learned(name, memory, limits=SMALL)[1].array[0] == -1
    assert memory.held == {}


@pytest.mark.parametrize(("size", "kept"), [(100, True), (101, False)])
def test_a_large_file_is_no_checkpoint(folder_of_answers, size, kept):
    memory = Memory()
    (folder_of_answers / "1.checkpoint").write_bytes(bytes(size))
    watching.Watched(memory, 1, folder=_opened(folder_of_answers), number=1, limit=100).end()
    assert bool(memory.held) is kept


def test_a_checkpoint_counts_for_the_disk_limit():
    with pytest.raises(ProcedureError, match="its files took more than 8 MiB"):
        learned("Full", Memory(), limits=SMALL)


def test_one_that_changes_while_it_is_read_is_not_kept(folder_of_answers, monkeypatch):
    memory, path = Memory(), folder_of_answers / "1.checkpoint"
    path.write_bytes(b"whole")
    watched = watching.Watched(memory, 1, folder=_opened(folder_of_answers), number=1, limit=100)
    fstat, calls = watching.os.fstat, []

    def grown(descriptor):
        calls.append(descriptor)
        if len(calls) == 2:
            path.write_bytes(b"other")
            watching.os.utime(path, ns=(1, 1))
        return fstat(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(watching.os, "fstat", grown)
        watched.look()
    assert memory.held == {}
    watched.look()
    assert memory.held[1][0] == b"other"
    memory.held.clear()
    watched.end()
    assert memory.held == {}, "it was not new"
    assert not path.exists()


def _opened(folder):
    return watching.os.open(folder, watching.os.O_RDONLY)


def job(name="Plain", seed=SEED, steps=None):
    steps = steps or (Learn("model", ROWS, seed), Parameters("model"))
    spec = ProcedureSpec(None, f"{CODE}:{name}")
    return Job("replay", spec, {"train": TRAIN}, steps, level=Level.CONFINED, limits=Limits(timeout_s=40))


def interrupted(found, runs):
    """Run a job until a checkpoint is kept, and end it as an interruption does."""
    folder, stop = Path(runs), threading.Event()
    runs = opened(folder)
    address = runs.address(found, 0)
    places = runs.checkpoints(found, 0, address)
    end = time.monotonic() + 30

    def watch():
        while time.monotonic() < end and not list(folder.glob("*.checkpoint")):
            time.sleep(0.05)
        stop.set()

    watcher = threading.Thread(target=watch)
    watcher.start()
    options = {"level": found.level, "limits": found.limits, "stop": stop, "checkpoints": places}
    with Worker(found.spec, found.tables, **options) as running, pytest.raises(StoppedError):
        running.run(found.steps[0])
    watcher.join()
    (entry,) = folder.glob("*.checkpoint")
    return entry


def lengths(jobs, folder, **more):
    notices = []
    runs = opened(folder, notices, **more)
    return [answers[1].array[0] for answers in run(jobs, workers=1, on_step=lambda *_: None, kept=runs)], notices


def test_the_same_job_goes_on_and_leaves_no_checkpoint(runs_folder):
    found, folder = job("Endless"), runs_folder
    interrupted(found, folder)
    assert lengths([found], folder)[0] == [4]
    assert [each.suffix for each in folder.iterdir() if each.name != "salt"] == [".run"]


def test_no_other_job_goes_on_from_it(runs_folder):
    folder = runs_folder
    entry = interrupted(job("Endless"), folder)
    others = [
        job("Endless", SEED + 1),
        job("Endless", steps=(Learn("model", ROWS[:5], SEED), Parameters("model"))),
        job("Plain"),
    ]
    notices = []
    runs = opened(folder, notices)
    for other, occurrence in [*((each, 0) for each in others), (job("Endless"), 1)]:
        places = runs.checkpoints(other, occurrence, runs.address(other, occurrence))
        assert [places.take(position) for position in range(1, 4)] == [None] * 3
    mine = runs.checkpoints(job("Endless"), 0, runs.address(job("Endless"), 0))
    assert mine.take(1)[0] == b"four"
    assert mine.take(2) is None
    assert runs.checkpoints(job("Endless"), 0, None) is None
    # Under the name of another step, and of another job, its seal does not hold.
    for name in (entry.name.replace("-1.", "-2."), f"{runs.address(others[0], 0)}-1{kept_checkpoints.SUFFIX}"):
        entry.with_name(name).write_bytes(entry.read_bytes())
    assert mine.take(2) is None
    assert runs.checkpoints(others[0], 0, runs.address(others[0], 0)).take(1) is None
    assert len(notices) == 2


def test_one_that_was_tampered_with_is_not_taken(runs_folder):
    found, folder = job("Plain"), runs_folder
    runs = opened(folder)
    places = runs.checkpoints(found, 0, runs.address(found, 0))
    places.keep(1, b"abcdef", 3.0)
    assert places.take(1) == (b"abcdef", 3.0)
    (entry,) = folder.glob("*.checkpoint")
    entry.write_bytes(entry.read_bytes()[:-1] + b"g")
    values, notices = lengths([found], folder)
    assert values == [-1]
    assert any("is damaged or was written by somebody else: replay trains from the beginning" in each for each in notices)


def test_fresh_takes_none_and_a_failure_leaves_none(runs_folder):
    folder = runs_folder
    for name in ("Plain", "Failing"):
        runs = opened(folder)
        found = job(name)
        runs.checkpoints(found, 0, runs.address(found, 0)).keep(1, b"abcdef", 3.0)
        if name == "Plain":
            assert lengths([found], folder, fresh=True)[0] == [-1]
        else:
            with pytest.raises(ProcedureError):
                lengths([found], folder)
        assert list(folder.glob("*.checkpoint")) == []


def test_nothing_is_kept_where_runs_are_not(runs_folder):
    found = Job("replay", job("Plain").spec, {"train": TRAIN}, job("Plain").steps, level=Level.PROCESS)
    runs = opened(runs_folder)
    assert runs.checkpoints(found, 0, runs.address(found, 0)) is None


def test_what_one_step_leaves_for_another_is_not_kept_for_it():
    memory = Memory()
    learned("Whispering", memory)
    assert set(memory.held) == {1}
    np.testing.assert_array_equal(learned("Whispering", memory)[1].array, [6, 0])


def test_clean_removes_it(runs_folder):
    runs = opened(runs_folder)
    runs.checkpoints(job(), 0, runs.address(job(), 0)).keep(1, b"abcdef", 3.0)
    removed = remove(runs_folder.parent)
    assert any(str(each.path).endswith("-1.checkpoint") for each in removed)
    assert not runs_folder.exists()


def test_one_elsewhere_is_encrypted_and_removed(runs_folder):
    where = f"memory://{runs_folder.parent.name}"
    runs = Runs(where, notice=pytest.fail)
    places = runs.checkpoints(job(), 0, runs.address(job(), 0))
    assert places.take(1) is None
    places.keep(1, b"abcdef", 3.0)
    assert places.take(1) == (b"abcdef", 3.0)
    places.remove()
    places.remove()
    assert places.take(1) is None


def test_a_link_in_the_place_of_an_input_is_not_followed(tmp_path_factory):
    target, scratch = tmp_path_factory.mktemp("outside") / "file", Scratch()
    try:
        (scratch.inputs / "1.checkpoint").symlink_to(target)
        with pytest.raises(FileExistsError):
            scratch.write_checkpoint("1.checkpoint", b"abc")
        (scratch.inputs / "2.model").symlink_to(target.parent)
        with pytest.raises(FileExistsError):
            scratch.write_model("2.model", b"abc")
        (scratch.inputs / "3.npz").symlink_to(target)
        scratch.write_positions("3.npz", {"deleted": np.arange(2)})
        assert not (scratch.inputs / "3.npz").is_symlink()
    finally:
        scratch.remove()
    assert not list(target.parent.iterdir())
