"""Files are read in a process of its own: what one of them takes is an answer, and the next one is read all the same."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.base import limited, limited_process, templates
from auditor.base.errors import SandboxError
from auditor.base.limited import MEBIBYTE, NotReadError, Reader, Room
from auditor.base.parts import served
from auditor.parts.places.observing import reading
from auditor.sandbox import kernel, landlock

ROOM = Room(memory=64 * MEBIBYTE, memory_times=2, seconds=1, seconds_each_mebibyte=1)


def serve(held: Any) -> Callable[[Mapping[str, Any], bytes], Any]:
    """Give the function that answers in the process: what is asked for is done."""
    return lambda question, content: globals()[f"_{question['do']}"](held, content)


def _size(_held: Any, content: bytes) -> int:
    return len(content)


def _held(held: Any, _content: bytes) -> list[Any]:
    held["rows"][0] += 1  # an array that came along can be written to
    return [held["name"], held["rows"].tolist()]


def _allocate(_held: Any, content: bytes) -> int:
    return len([bytes(MEBIBYTE) for _ in range(int(content))])


def _spin(_held: Any, _content: bytes) -> None:
    while True:
        pass


def _exit(_held: Any, _content: bytes) -> None:
    os._exit(0)


def _print(_held: Any, _content: bytes) -> str:
    os.write(1, b'\7\0\0\0\0\0\0\0"junk"\n')
    print("junk")
    return "said"


def _shout(_held: Any, content: bytes) -> str:
    return "x" * int(content)


def _raise(_held: Any, _content: bytes) -> None:
    raise LookupError("what a library may raise")


def _around(_held: Any, _content: bytes) -> dict[str, Any]:
    return {
        "process": os.getpid(),
        "loaded": sorted({"torch", "sklearn", "pandas"} & sys.modules.keys()),
        "seen": sorted(os.environ),
    }


def _network(_held: Any, _content: bytes) -> str:
    try:
        socket.socket()
    except OSError as error:
        return type(error).__name__
    return "a socket"


def _write(_held: Any, content: bytes) -> str:
    try:
        Path(content.decode()).write_bytes(b"x")
    except OSError as error:
        return type(error).__name__
    return "written"


def _sort_on_disk(_held: Any, content: bytes) -> int:
    """Sort what has no room in the memory that SQLite takes for it, and say how many rows came out."""
    with sqlite3.connect(":memory:") as database:
        database.execute("PRAGMA cache_size = 10")
        database.execute("PRAGMA temp_store = FILE")
        database.execute("CREATE TABLE t (a)")
        database.executemany("INSERT INTO t VALUES (?)", ((os.urandom(1000),) for _ in range(int(content))))
        return len(database.execute("SELECT a FROM t ORDER BY a").fetchall())


def _end_others(_held: Any, _content: bytes) -> None:
    os.kill(0, signal.SIGKILL)


def _descriptors(_held: Any, _content: bytes) -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def _leave(_held: Any, _content: bytes) -> str:
    path = Path(os.environ["TMPDIR"]) / "left"
    path.write_bytes(b"of the store")
    return str(path)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
    monkeypatch.setenv("A_SECRET", "of the auditor's")
    with Reader(f"{__name__.rpartition('.')[2]}:serve", {"name": "rows", "rows": np.arange(3.0)}, ROOM) as made:
        yield made


@pytest.fixture(params=["forked", "executed"])
def either(request: pytest.FixtureRequest, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """A reader whose process is forked, and one whose is executed."""
    if request.param == "executed":
        monkeypatch.setattr(templates, "fork", lambda *_: None)
    return reader


def ask(reader: Reader, what: str, content: bytes = b"") -> Any:
    return reader.ask({"do": what}, content)


def refused(reader: Reader, what: str, content: bytes = b"") -> tuple[str, int | None]:
    with pytest.raises(NotReadError) as raised:
        ask(reader, what, content)
    return raised.value.why, raised.value.limit


def test_one_process_answers_everything_and_knows_what_it_is_given(reader: Reader) -> None:
    assert reader.starts == 0
    assert ask(reader, "held") == ["rows", [1.0, 1.0, 2.0]]
    assert ask(reader, "size", bytes(5 * MEBIBYTE)) == 5 * MEBIBYTE
    assert ask(reader, "print") == "said"
    around = ask(reader, "around")
    assert around["process"] != os.getpid()
    assert (around["loaded"], "A_SECRET" in around["seen"]) == ([], False)
    assert reader.starts == 1


@pytest.mark.attempt("files that take more than others")
def test_memory_is_limited_by_the_size_of_the_file(reader: Reader) -> None:
    assert ask(reader, "allocate", b"20") == 20
    assert refused(reader, "allocate", b"100") == ("memory", 64 * MEBIBYTE + 2 * 3)
    assert ask(reader, "allocate", b"100" + b" " * (40 * MEBIBYTE)) == 100
    assert reader.starts == 2


@pytest.mark.attempt("files that take more than others")
def test_time_is_limited(reader: Reader) -> None:
    assert refused(reader, "spin") == ("time", 1)
    assert ask(reader, "size", b"abc") == 3


@pytest.mark.attempt("files that take more than others")
@pytest.mark.parametrize("what", ["exit", "raise"])
def test_a_file_that_ends_its_reader_ends_nothing_else(reader: Reader, what: str) -> None:
    assert refused(reader, what) == ("ended", None)
    assert ask(reader, "size", b"abc") == 3


@pytest.mark.attempt("files that take more than others")
def test_a_reply_may_not_be_of_any_length(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limited, "_LONGEST_REPLY", 1000)
    assert len(ask(reader, "shout", b"900")) == 900
    assert refused(reader, "shout", b"2000")[0] == "ended"


@pytest.mark.attempt("files that take more than others")
def test_after_many_that_ended_it_nothing_more_is_read(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limited, "MOST_ENDED", 2)
    for what in ("exit", "exit", "size", "size"):
        assert refused(reader, what)[0] == ("ended" if what == "exit" else "untried")
    assert reader.starts == 2


@pytest.mark.attempt("files that take more than others")
def test_there_is_no_network_and_nothing_is_written_elsewhere(reader: Reader, tmp_path: Path) -> None:
    assert ask(reader, "network") == "PermissionError"
    architecture = kernel.own()
    assert architecture is not None
    held_back = landlock.version(architecture.numbers) > 0  # before Linux 5.13 nothing holds back writing
    assert ask(reader, "write", str(tmp_path / "file").encode()) == ("PermissionError" if held_back else "written")


@pytest.mark.attempt("files that take more than others")
def test_what_it_leaves_is_removed_with_it(reader: Reader) -> None:
    left = Path(ask(reader, "leave"))
    assert left.exists()
    refused(reader, "exit")
    assert not left.parent.exists()


def test_a_process_that_does_not_start_is_an_error_and_no_file_that_cannot_be_read() -> None:
    with Reader("no_such_module:serve", None, ROOM) as reader, pytest.raises(SandboxError):
        ask(reader, "size")


def test_every_process_has_the_same_limits_and_a_folder_of_its_own(either: Reader) -> None:
    with Reader(either.serve, None, ROOM) as other:
        ones = [Path(ask(each, "leave")) for each in (either, other)]
        assert len({each.parent for each in ones}) == 2
        assert ask(either, "write", bytes(ones[0].parent / "more")) == "written"
        assert ask(either, "write", bytes(ones[1].parent / "more")) == "PermissionError"
        assert ask(either, "network") == "PermissionError"
        assert ask(either, "sort_on_disk", b"5000") == 5000
        assert ask(either, "descriptors") == ask(other, "descriptors")
    assert refused(either, "allocate", b"100")[0] == "memory"
    assert refused(either, "spin") == ("time", 1)


@pytest.mark.attempt("files that take more than others")
def test_what_a_file_ends_is_its_own_process(reader: Reader) -> None:
    with Reader(reader.serve, None, ROOM) as other:
        before = ask(other, "around")["process"]
        assert refused(reader, "end_others") == ("ended", None)
        assert ask(other, "around")["process"] == before
    assert ask(reader, "size", b"abc") == 3


def test_a_process_is_forked_from_one_that_another_reader_started(reader: Reader) -> None:
    parents = []
    for _ in range(2):
        number = ask(reader, "around")["process"]
        parents.append(Path(f"/proc/{number}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[1])
        reader.close()
        assert not Path(f"/proc/{number}").exists()
    assert len(set(parents)) == 1
    assert int(parents[0]) != os.getpid()


def test_processes_end_with_an_auditor_that_is_killed() -> None:
    # The auditor is another process here, which prints the number of its reader's process and then waits.
    program = (
        "import sys, time; sys.path.insert(0, sys.argv[1])\n"
        "from test_limited import *\n"
        "with Reader('test_limited:serve', None, ROOM) as reader:\n"
        "    print(ask(reader, 'around')['process'], flush=True)\n"
        "    time.sleep(60)\n"
    )
    folder = str(Path(__file__).parent)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (folder, os.environ.get("PYTHONPATH"))))}
    command = [sys.executable, "-c", program, folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as auditor:
        assert auditor.stdout is not None
        number = int(auditor.stdout.readline())
        assert Path(f"/proc/{number}").exists()
        auditor.kill()
    deadline = time.monotonic() + 20
    while Path(f"/proc/{number}").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_what_is_loaded_ahead_is_what_processes_are_forked_from(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that will read files has their process load before, and starts no second one for it."""
    templates.close()
    started: list[templates.Asked] = []
    begin = templates.Template.__init__

    def noted(self: templates.Template, asked: templates.Asked) -> None:
        started.append(asked)
        begin(self, asked)

    monkeypatch.setattr(templates.Template, "__init__", noted)
    limited_process.load(reader.serve)
    limited_process.load(reader.serve)
    assert ask(reader, "size", b"abc") == 3
    assert len(started) == 1
    templates.close()


def test_what_still_loads_when_nobody_needs_it_any_more_is_ended_at_once() -> None:
    """An error that is found meanwhile is not kept back until libraries are there."""
    templates.close()
    limited_process.load("auditor.parts.places.observing.reading:serve")
    (template,) = templates._kept[-1].running.values()
    began = time.monotonic()
    templates.close()
    assert template.has_ended()
    assert time.monotonic() - began < 10


def test_places_name_the_function_that_reads_them() -> None:
    """What a scan has loaded ahead is what its search asks: another name would load a process for nothing."""
    assert list(served("places")) == [reading._SERVED_BY]
