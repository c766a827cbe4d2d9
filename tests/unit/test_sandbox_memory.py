"""Memory counts wherever a process puts it, and once."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.sandbox import memory
from auditor.sandbox.memory import Allowance, free_bytes, held_bytes, shared_on_machine, shown_bytes, unlinked_bytes

MEBIBYTE = 2**20
SIZE = 48 * MEBIBYTE
MANY = 2**60
LOOKS = 5
PLACES = {
    "private": "held = bytearray(b'x') * SIZE",
    "shared and mapped": "held = mmap.mmap(-1, SIZE); held.write(b'x' * SIZE)",
    "shared and given back": "held = mmap.mmap(-1, SIZE); held.write(b'x' * SIZE); held.madvise(mmap.MADV_DONTNEED)",
    "a memory file": "held = os.memfd_create('x'); [os.write(held, b'x' * 2**20) for _ in range(SIZE // 2**20)]",
    "a memory file that is mapped and closed": (
        "file = os.memfd_create('x'); [os.write(file, b'x' * 2**20) for _ in range(SIZE // 2**20)]; "
        "held = mmap.mmap(file, SIZE); os.close(file)"
    ),
    "a removed file of the folder for shared memory": (
        "file = tempfile.TemporaryFile(dir='/dev/shm'); [file.write(b'x' * 2**20) for _ in range(SIZE // 2**20)]; file.flush()"
    ),
    "sockets": "held = [socket.socketpair() for _ in range(SIZE // 2**19 // 2 + 40)]",
}


@contextmanager
def holding(code: str) -> Iterator[list[int]]:
    """A process that has run some code, and those that it forked."""
    if "/dev/shm" in code and not os.access("/dev/shm", os.W_OK):
        pytest.skip("no folder for shared memory here")
    start = f"import mmap, os, socket, sys, tempfile, time; SIZE = {SIZE}; forks = []\n{code}\n"
    waiting = "print(os.getpid(), *forks, flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", start + waiting], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, process_group=0
    ) as process:
        assert process.stdout is not None
        try:
            yield [int(word) for word in process.stdout.readline().split()]
        finally:
            os.killpg(process.pid, 9)


@pytest.mark.parametrize("place", PLACES)
def test_memory_counts_wherever_it_is(place: str) -> None:
    with holding("pass") as nothing:
        little = held_bytes(nothing, enough=0)
    with holding(PLACES[place]) as processes:
        for enough in (0, MANY):
            held = held_bytes(processes, enough=enough)
            assert held >= SIZE
        assert held_bytes(processes, enough=0) <= little + 1.5 * SIZE + 8 * MEBIBYTE


@pytest.mark.parametrize("place", PLACES)
def test_what_a_short_look_does_not_show_is_told_by_the_whole_machine(place: str) -> None:
    """Memory maps need not be read at every look: without them nothing is missed that does not make files in memory grow."""
    for _ in range(LOOKS):
        before = shared_on_machine()
        with holding(PLACES[place]) as processes:
            grown = shared_on_machine() - before
            hidden = held_bytes(processes, enough=MANY) - shown_bytes(processes)
            shown = shown_bytes(processes)
        if hidden <= 0.1 * SIZE or grown >= 0.9 * SIZE:
            break  # Other tests of the same machine give back what they share, too.
    assert hidden <= 0.1 * SIZE or grown >= 0.9 * SIZE
    assert shown >= SIZE or place in {"shared and given back", "a memory file that is mapped and closed"}


@pytest.mark.parametrize("place", [place for place in PLACES if "private" not in place and place != "sockets"])
def test_where_sizes_cannot_be_seen_what_is_mapped_counts_whole(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an ordinary user finds it: nobody else may follow the links of a memory map."""
    real = os.stat

    def refusing(path: object, **options: object) -> os.stat_result:
        if "map_files" in str(path):
            raise PermissionError
        return real(path, **options)  # type: ignore[arg-type,call-overload,no-any-return]

    monkeypatch.setattr(os, "stat", refusing)
    with holding(PLACES[place]) as processes:
        assert SIZE <= held_bytes(processes, enough=0) <= SIZE + 40 * MEBIBYTE


@pytest.mark.parametrize("place", ["private", "shared and mapped", "shared and given back", "a memory file"])
def test_what_forks_share_counts_once(place: str) -> None:
    fork = "\nfor _ in range(6):\n    pid = os.fork()\n    if not pid: time.sleep(600)\n    forks.append(pid)"
    with holding(PLACES[place] + fork) as processes:
        assert len(processes) == 7
        assert SIZE <= held_bytes(processes, enough=0) <= 2 * SIZE
        assert held_bytes(processes, enough=MANY) >= SIZE


def test_libraries_and_files_with_a_name_are_no_memory_of_a_process() -> None:
    with holding("import numpy") as processes:
        assert held_bytes(processes, enough=0) < 60 * MEBIBYTE


def test_a_file_that_was_removed_and_is_open_takes_its_space(tmp_path: Path) -> None:
    if memory.lies_in_memory(tmp_path.stat().st_dev):
        pytest.skip("temporary files lie in memory here")
    code = f"file = tempfile.TemporaryFile(dir={str(tmp_path)!r}); file.write(b'x' * SIZE); file.flush(); os.fsync(file.fileno())"
    with holding(code) as processes:
        assert SIZE <= unlinked_bytes(processes) <= 1.1 * SIZE
        assert held_bytes(processes, enough=0) < SIZE


def test_a_process_that_has_ended_holds_nothing() -> None:
    with holding("pass") as processes:
        pass
    assert held_bytes(processes, enough=0) == 0


def test_what_is_free_is_no_more_than_the_machine_has() -> None:
    assert 0 < free_bytes() < os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize(("line", "place"), [("0::/a/b", ""), ("7:memory:/a/b", "memory"), ("3:cpu,memory:/a/b", "memory")])
def test_a_control_group_with_less_counts(line: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "cgroup").write_text(f"9:pids:/\n{line}\n", encoding="utf-8")
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB\nMemAvailable: 8000 kB\n", encoding="utf-8")
    names = ("memory.max", "memory.current") if not place else ("memory.limit_in_bytes", "memory.usage_in_bytes")
    for folder, limit in ((tmp_path / place / "a" / "b", "max"), (tmp_path / place / "a", "5000")):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / names[0]).write_text(limit, encoding="utf-8")
        (folder / names[1]).write_text("3000", encoding="utf-8")
    monkeypatch.setattr(memory, "_PROC", tmp_path)
    monkeypatch.setattr(memory, "_GROUPS", tmp_path)
    assert free_bytes() == 2000


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 20)).map(lambda pair: (pair[0], sum(pair)))))
def test_intervals_are_counted_once(parts: list[tuple[int, int]]) -> None:
    assert memory._union(parts) == len({byte for first, last in parts for byte in range(first, last)})


def test_jobs_share_what_is_allowed_and_the_largest_is_ended() -> None:
    allowance = Allowance(100)
    assert not allowance.is_exceeded_by(1, 90)
    assert not allowance.is_exceeded_by(2, 10)
    assert not allowance.is_exceeded_by(2, 30)  # together too much, and not through this one
    assert allowance.is_exceeded_by(1, 90)
    allowance.leave(1)
    assert not allowance.is_exceeded_by(2, 100)
    assert allowance.is_exceeded_by(2, 101)


def test_temporary_files_are_told_to_be_in_memory_or_not() -> None:
    assert isinstance(memory.lies_in_memory(Path(tempfile.gettempdir()).stat().st_dev), bool)
    file = os.memfd_create("x")
    assert memory.lies_in_memory(os.fstat(file).st_dev)
    os.close(file)
