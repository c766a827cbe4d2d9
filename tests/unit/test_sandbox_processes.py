"""The end of a worker's processes, where /proc does not show all of them at once."""

import subprocess

import pytest

from auditor.sandbox import processes


def leaving():
    """A process of a group of its own, whose environment names its home."""
    return subprocess.Popen(["/bin/sleep", "600"], start_new_session=True, env={"HOME": "/strays/of/mine"})


def test_a_stray_that_shows_no_environment_yet_is_waited_for(monkeypatch):
    child = leaving()
    shown = iter([[], [], [child.pid]])
    monkeypatch.setattr(processes, "strays", lambda _marker: next(shown, []))
    waits = iter([True, True])
    monkeypatch.setattr(processes, "starting", lambda: next(waits, False))
    assert processes.end(2**22 + 1, "HOME=/strays/of/mine")
    assert child.wait(5) == -9


@pytest.mark.parametrize(
    ("environment", "arguments", "state", "begins"),
    [(b"", b"", "R", True), (b"HOME=/", b"", "R", False), (b"", b"sleep", "R", False), (b"", b"", "Z", False)],
)
def test_a_process_between_two_programs_shows_neither_environment_nor_arguments(
    monkeypatch, tmp_path, environment, arguments, state, begins
):
    entry = tmp_path / "7"
    entry.mkdir()
    (entry / "environ").write_bytes(environment)
    (entry / "cmdline").write_bytes(arguments)
    (entry / "stat").write_text(f"7 (a (b) c) {state} 1 7 7 0")
    (entry / "exe").symlink_to("/bin/sleep")
    monkeypatch.setattr(processes, "_PROC", tmp_path)
    assert processes.starting() is begins
    (entry / "exe").unlink()
    assert not processes.starting()
