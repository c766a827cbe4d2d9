"""Folders that foreign code has filled: whatever it did to them, they are measured and go."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from auditor.sandbox import folders
from auditor.sandbox.scratch import Scratch

DEEP = 3000


def nest(folder: Path, depth: int, *, size: int = 0) -> None:
    """Make folders within one another, with a file in the last; no path to it is short enough to be used."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    file = os.open("file", os.O_WRONLY | os.O_CREAT, dir_fd=here)
    os.write(file, b"x" * size)
    os.close(file)
    os.close(here)


def test_folders_however_deep_are_removed_with_few_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    if os.access("/dev/shm", os.W_OK):
        monkeypatch.setattr(tempfile, "tempdir", "/dev/shm")
    scratch = Scratch()
    nest(scratch.home, DEEP, size=5)
    before = len(list(Path("/proc/self/fd").iterdir()))
    assert scratch.held_bytes() is None  # no limit on disk space may be passed by below where nobody looks
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    scratch.remove()
    assert not scratch.path.exists()


def test_what_was_removed_is_counted(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "one").write_bytes(b"123")
    (tmp_path / "a" / "b" / "two").write_bytes(b"4567")
    assert folders.remove(tmp_path / "a") == 7
    assert list(tmp_path.iterdir()) == []


def test_links_out_of_the_folder_are_removed_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "kept").write_text("kept", encoding="utf-8")
    folder = tmp_path / "scratch"
    folder.mkdir()
    (folder / "out").symlink_to(tmp_path / "mine")
    (folder / "loop").symlink_to(folder)
    assert folders.held_bytes(folder, entries=10) is not None
    folders.remove(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert (tmp_path / "mine" / "kept").read_text(encoding="utf-8") == "kept"


def test_a_link_in_the_place_of_the_folder_itself_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "kept").touch()
    (tmp_path / "scratch").symlink_to(tmp_path / "mine")
    with pytest.raises(OSError, match="scratch"):
        folders.remove(tmp_path / "scratch")
    assert folders.held_bytes(tmp_path / "scratch", entries=10) is None
    assert (tmp_path / "mine" / "kept").exists()


def test_closed_folders_go_too(tmp_path: Path) -> None:
    for name in ("scratch/a/b", "scratch/c"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "file").touch()
    for name in ("scratch/a/b", "scratch/a", "scratch/c", "scratch"):
        (tmp_path / name).chmod(0)
    folders.remove(tmp_path / "scratch")
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_removed_is_said_and_the_rest_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "scratch"
    for name in ("a/stuck", "a/goes", "b/goes"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    real = os.unlink

    def unlink(name: str, **options: int) -> None:
        if name == "stuck":
            raise PermissionError(1, "Operation not permitted", name)
        real(name, **options)

    monkeypatch.setattr(os, "unlink", unlink)
    with pytest.raises(PermissionError, match="stuck"):
        folders.remove(folder)
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*")) == ["a", "a/stuck"]


def test_a_folder_moved_elsewhere_meanwhile_ends_the_removal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The way up then leads to another folder, whose files are nobody's to remove."""
    folder, mine = tmp_path / "scratch", tmp_path / "mine"
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "file").touch()
    (mine / "b").mkdir(parents=True)
    (mine / "kept").touch()
    real = os.unlink

    def unlink(name: str, **options: int) -> None:
        real(name, **options)
        (folder / "a" / "b").rename(mine / "moved")

    monkeypatch.setattr(os, "unlink", unlink)
    with pytest.raises(OSError, match="moved while it was removed"):
        folders.remove(folder)
    assert (mine / "kept").exists()


def test_many_entries_are_not_counted_to_the_end(tmp_path: Path) -> None:
    for number in range(12):
        (tmp_path / str(number)).touch()
    assert folders.held_bytes(tmp_path, entries=12) == 0
    assert folders.held_bytes(tmp_path, entries=11) is None


EXCHANGING = """
import ctypes, os, sys
library = ctypes.CDLL(None, use_errno=True)
here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
print("ready", flush=True)
while True:
    library.renameat2(here, sys.argv[1].encode(), here, sys.argv[2].encode(), exchange)
"""


def test_folders_that_become_links_and_back_while_they_are_removed_lead_nowhere(tmp_path: Path) -> None:
    """A process exchanges a folder and a link to a folder of ours as fast as it can, while the auditor measures and removes."""
    mine, scratch = tmp_path / "mine", tmp_path / "scratch"
    for number in range(8):
        (mine / f"d{number}").mkdir(parents=True)
        (mine / f"d{number}" / "kept").write_bytes(b"x" * 2**16)
    before = sorted(path.relative_to(mine) for path in mine.rglob("*"))
    command = [sys.executable, "-c", EXCHANGING, str(scratch / "a"), str(scratch / "b")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as racing:
        try:
            assert racing.stdout is not None
            racing.stdout.readline()
            for _ in range(60):
                for number in range(8):
                    (scratch / "a" / f"d{number}").mkdir(parents=True)
                    (scratch / "a" / f"d{number}" / "file").touch()
                (scratch / "b").symlink_to(mine)
                for _ in range(3):
                    assert (folders.held_bytes(scratch, entries=1000) or 0) < 2**16
                while scratch.exists():
                    with contextlib.suppress(OSError):
                        folders.remove(scratch)
        finally:
            racing.kill()
    assert sorted(path.relative_to(mine) for path in mine.rglob("*")) == before
