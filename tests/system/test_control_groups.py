"""Workers in control groups, where the kernel lets this process make one.

For an ordinary user: `systemd-run --user --scope -p Delegate=yes .venv/bin/python -m pytest tests/system/test_control_groups.py`.
"""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from sandboxed import FAULTY, LEARN, TRAIN, alive, ask, worker

from auditor.base import process_marks
from auditor.base.errors import ProcedureError
from auditor.sandbox import Level, Limits, ProcedureSpec, Worker, control_groups, memory
from auditor.sandbox.memory import Allowance

MEBIBYTE = 2**20


@pytest.fixture(scope="module")
def home() -> Path:
    try:
        return control_groups.home()
    except control_groups.NoGroupError as error:
        pytest.skip(f"no control group can be had here: {error}")


@pytest.fixture
def uncounted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left but the kernel."""
    monkeypatch.setattr(memory, "held_bytes", lambda *_args, **_options: 0)


def groups(home: Path) -> set[str]:
    return {path.name for path in home.iterdir() if path.is_dir() and not path.name.endswith("-auditor")}


def test_a_worker_runs_in_a_group_of_its_own_that_ends_with_it(home: Path) -> None:
    before = groups(home)
    with worker("Good", level=Level.PROCESS, limits=Limits(memory_mb=900)) as running:
        (own,) = groups(home) - before
        group = home / own
        assert (group / "memory.max").read_text() == f"{900 * MEBIBYTE}\n"
        assert len((group / "cgroup.procs").read_text().split()) == 1
        running.run(LEARN)
    assert groups(home) == before


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("name", ["Hungry", "HungryAtOnce", "HungryBeyondMaps"])
def test_the_kernel_ends_what_holds_too_much(home: Path, name: str) -> None:
    before = groups(home)
    with pytest.raises(ProcedureError, match="was ended: it held more than 150 MiB of memory"):
        ask(worker(name, level=Level.PROCESS, limits=Limits(memory_mb=150, timeout_s=60.0)), [LEARN])
    assert groups(home) == before


@pytest.mark.usefixtures("home", "uncounted")
def test_a_job_without_a_limit_of_its_own_has_what_is_allowed_to_all() -> None:
    spec = ProcedureSpec(None, f"{FAULTY}:HungryAtOnce", {})
    with pytest.raises(ProcedureError, match="more than half of what was free, 150 MiB: set another limit"):
        ask(Worker(spec, {"train": TRAIN}, allowance=Allowance(150 * MEBIBYTE)), [LEARN])


@pytest.mark.usefixtures("home")
def test_a_process_that_leaves_its_session_and_environment_is_ended_too() -> None:
    with worker("Wiped", level=Level.PROCESS) as running:
        stray = running.run(LEARN).facts["stray"]
        assert alive(stray)
    deadline = time.monotonic() + 5.0
    while alive(stray) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not alive(stray)


def test_a_group_is_left_as_it_was_and_what_a_killed_auditor_left_is_removed(home: Path) -> None:
    place = home / "of-a-test"
    place.mkdir()
    try:
        with suppress(OSError):  # the limits that `place` passes on are its own
            (place / "cgroup.subtree_control").write_text("-memory")
        ended = subprocess.Popen(["/bin/true"])
        ended.wait()
        left = place / f"{process_marks.NAME}-{ended.pid:x}-1-7"
        left.mkdir()
        code = (
            "from auditor.sandbox import control_groups as groups, Limits\n"
            "home = groups.home()\n"
            "group = groups.make(Limits(), 2**30)\n"
            "print(home.name, group.path.parent.name, (home / 'cgroup.subtree_control').read_text().split())\n"
            "group.remove()\n"
        )
        command = control_groups.Group(place).entered_by([sys.executable, "-c", code])
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert said.startswith("of-a-test of-a-test ['memory'")
        assert (place / "cgroup.subtree_control").read_text().split() == []
        assert [path for path in place.iterdir() if path.is_dir()] == []
    finally:
        place.rmdir()


def test_a_group_with_other_processes_is_not_divided(home: Path) -> None:
    if not (home / "cgroup.type").exists():
        pytest.skip("the topmost group may hold processes and be divided")
    code = (
        "from auditor.sandbox import control_groups as groups, Limits\n"
        "assert groups.make(Limits(), 2**30) is None\n"
        "groups.home()\n"
    )
    before = Path("/proc/self/cgroup").read_text(encoding="utf-8")
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "holds other processes as well" in found.stderr
    assert Path("/proc/self/cgroup").read_text(encoding="utf-8") == before
