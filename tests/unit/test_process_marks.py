"""Whether the process that a name belongs to has ended."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from auditor.base import process_marks


def started(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])


def test_a_process_that_runs_has_not_ended() -> None:
    marked = process_marks.mark()
    assert re.fullmatch(process_marks.MARK, marked)
    assert not process_marks.has_ended(marked)
    assert process_marks.prefix() == f"auditor-{marked}-"
    assert marked == f"{os.getpid():x}-{started(os.getpid()):x}"


def test_the_same_number_with_another_start_is_another_process() -> None:
    assert process_marks.has_ended(f"{os.getpid():x}-{started(os.getpid()) + 1:x}")


def test_a_process_has_ended_once_it_is_dead_even_before_it_is_reaped() -> None:
    code = "from auditor.base import process_marks; print(process_marks.mark(), flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        marked = child.stdout.readline().strip()
        assert not process_marks.has_ended(marked)
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert process_marks.has_ended(marked)
    assert process_marks.has_ended(marked)


def test_where_nothing_can_be_told_nothing_has_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    marked = process_marks.mark()
    monkeypatch.setattr(process_marks, "_PROC", tmp_path)
    assert not process_marks.has_ended(marked)
    assert not process_marks.has_ended(process_marks.mark())


@pytest.mark.parametrize("word", ["", "12", "12-", "-5", "12-5-7", "12-xyz", "../12-5", "12-5\n"])
def test_what_is_no_mark_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="expected <number>-<start>"):
        process_marks.has_ended(word)
