"""A worker's processes as /proc shows them: what is in their memory, and their end, where not all of them are shown at once."""

import subprocess

import pytest

from auditor.sandbox import processes


def leaving():
    """A process of a group of its own, whose environment names its home."""
    return subprocess.Popen(["/bin/sleep", "600"], start_new_session=True, env={"HOME": "/strays/of/mine"})


def test_a_stray_that_shows_no_environment_yet_is_waited_for(monkeypatch):
    child = leaving()
    shown = iter([(set(), True), (set(), True), ({child.pid}, False)])
    monkeypatch.setattr(processes, "_left", lambda _group, _marker: next(shown, (set(), False)))
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
    assert processes._left(7, "MARKED=/")[1] is begins
    (entry / "exe").unlink()
    assert not processes._left(7, "MARKED=/")[1]


def test_what_a_process_started_before_it_ended_is_found_though_it_was_not_listed(monkeypatch, tmp_path):
    def read(pid, name):
        if pid == 7:  # it ends as it is looked at, and has started another
            (tmp_path / "7").rmdir()
            (tmp_path / "8").mkdir()
            (tmp_path / "8" / "stat").write_text("8 (sleep) S 1 8 8 0")
            raise FileNotFoundError
        return {"environ": b"MARKED=/", "cmdline": b"sleep"}[name]

    (tmp_path / "7").mkdir()
    monkeypatch.setattr(processes, "_PROC", tmp_path)
    monkeypatch.setattr(processes, "_numbers", lambda: [int(each.name) for each in tmp_path.iterdir()])
    monkeypatch.setattr(processes, "_content", read)
    assert processes._left(9, "MARKED=/") == ({8}, False)


LAUNCHER = "/usr/bin/bwrap"


@pytest.fixture
def shown(monkeypatch, tmp_path):
    """A function that shows a process: its number, its parent, and lines of its memory map."""
    monkeypatch.setattr(processes, "_PROC", tmp_path)
    # The kernel knows nothing of these.
    monkeypatch.setattr(processes, "_may_belong", lambda _pid, _group: True)

    def show(pid, parent, *files, group=10):
        (tmp_path / str(pid)).mkdir(exist_ok=True)
        (tmp_path / str(pid) / "stat").write_text(f"{pid} (a) b) S {parent} {group} {group} 0")
        lines = ["7f00-7f01 rw-p 00000000 00:00 0 \n", "7ffc-7ffd rw-p 00000000 00:00 0                          [stack]\n"]
        lines += [f"55d0-55d1 {access} 00000000 fe:00 {inode}                   {path}\n" for access, inode, path in files]
        (tmp_path / str(pid) / "maps").write_text("".join(lines))

    return show


def test_the_launchers_own_processes_lead_the_group(shown):
    shown(10, 1, ("r-xp", 7, LAUNCHER))
    shown(11, 10, ("r-xp", 7, LAUNCHER))
    shown(12, 11)
    shown(13, 11)
    shown(14, 10, group=14)
    assert sorted(processes.leading(10)) == [10, 11]
    assert sorted(processes.members(10)) == [10, 11, 12, 13]


def test_what_the_launcher_had_mapped_is_known_in_the_launcher_alone(shown):
    shown(10, 1, ("r-xp", 7, LAUNCHER), ("r--p", 8, "/opt/lib/libcap.so"))
    shown(11, 10, ("r-xp", 7, LAUNCHER))
    known = {file for pid in processes.leading(10) for file in processes.files_in(pid)}
    shown(12, 11, ("r-xp", 9, "/usr/bin/python3"))
    assert processes.mapped_files(10, known=known) == {"/usr/bin/python3"}
    # Another process has it in its memory; another file has its name; it has more in its memory than it had.
    shown(12, 11, ("r-xp", 7, LAUNCHER))
    assert processes.mapped_files(10, known=known) == {LAUNCHER}
    shown(12, 11)
    shown(11, 10, ("r-xp", 70, LAUNCHER))
    assert processes.mapped_files(10, known=known) == {LAUNCHER}
    shown(11, 10, ("r-xp", 7, LAUNCHER), ("r-xp", 71, "/code.so (deleted)"))
    assert processes.mapped_files(10, known=known) == {"/code.so"}


def test_shared_memory_and_data_count_where_they_are_mapped_as_code(shown):
    shown(10, 1, ("rw-s", 7, "/dev/shm/sem.a"), ("r--s", 8, "/tables/train"), ("r--s", 9, "/tables/other"))
    assert processes.mapped_files(10, data={"/tables/train"}) == {"/tables/other"}
    shown(10, 1, ("r-xp", 7, "/dev/shm/sem.a"), ("r-xs", 8, "/tables/train"))
    assert processes.mapped_files(10, data={"/tables/train"}) == {"/dev/shm/sem.a", "/tables/train"}


def test_what_the_kernel_says_of_a_process_is_what_its_file_says():
    child = leaving()
    try:
        assert processes.members(child.pid) == processes.leading(child.pid) == [child.pid]
        for group in (child.pid, *{processes._status(pid).group for pid in processes._numbers()}):
            read = {pid for pid in processes._numbers() if processes._belongs(processes._status(pid), group)}
            told = {pid for pid in read if processes._may_belong(pid, group)}
            # One that ends meanwhile belongs nowhere.
            assert not {pid for pid in read - told if processes._belongs(processes._status(pid), group)}
    finally:
        child.kill()
        child.wait(5)
    assert processes.members(child.pid) == []
    assert not processes._may_belong(child.pid, child.pid)


def test_where_the_kernel_does_not_say_the_file_is_read(monkeypatch):
    def refuse(_pid):
        raise PermissionError

    monkeypatch.setattr(processes.os, "getpgid", refuse)
    child = leaving()
    try:
        assert processes.members(child.pid) == [child.pid]
    finally:
        child.kill()
        child.wait(5)
