"""What `auditor clean` removes, and above all what it leaves."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from auditor.base import process_marks
from auditor.base.errors import StorageError
from auditor.base.user_key import key_file
from auditor.sandbox.runs import remove
from auditor.sandbox.scratch import Scratch
from kept_runs import kept_in

RESULTS = ("evidence.json", "report.pdf", "report.html")
DEAD = f"{os.getpid():x}-1"
"""The mark of a process that had our number before us."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of an audit with results, and a place of its own for temporary files."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    audit = tmp_path / "audit"
    audit.mkdir()
    for name in RESULTS:
        (audit / name).write_text(name, encoding="utf-8")
    yield audit
    for name in RESULTS:
        assert (audit / name).read_text(encoding="utf-8") == name


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.name not in RESULTS}


def test_nothing_to_remove(folder: Path) -> None:
    assert remove(folder) == ()
    assert remove(folder / "none") == ()


def test_kept_runs_go_with_their_salt_and_their_folder(folder: Path) -> None:
    _, address = kept_in(folder / ".runs")
    size = sum(path.stat().st_size for path in (folder / ".runs").iterdir())
    removed = remove(folder)
    assert {(item.kind, item.path.name) for item in removed} == {("run", f"{address}.run"), ("salt", "salt")}
    assert sum(item.bytes for item in removed) == size
    assert names(folder) == set()


def test_half_written_files_of_the_dead_go_and_those_of_the_living_stay(folder: Path) -> None:
    kept_in(folder / ".runs")
    dead = [
        folder / f".evidence.json.{DEAD}.partial",
        folder / ".runs" / f".{'a' * 64}.{DEAD}.x1_y2z3w.partial",
        key_file().with_name(f".key.{DEAD}.abcdefgh.partial"),
    ]
    living = [
        folder / f".evidence.json.{process_marks.mark()}.partial",
        folder / ".runs" / f".salt.{process_marks.mark()}.abcdefgh.partial",
    ]
    for path in (*dead, *living):
        path.write_bytes(b"12345")
    removed = [item for item in remove(folder) if item.kind == "partial"]
    assert {item.path for item in removed} == set(dead)
    assert [item.bytes for item in removed] == [5, 5, 5]
    assert all(path.exists() for path in (*living, key_file()))


def test_what_is_not_named_by_the_auditor_stays(folder: Path) -> None:
    kept_in(folder / ".runs")
    strangers = [
        folder / "notes.partial",
        folder / ".evidence.json.partial",
        folder / f"evidence.json.{DEAD}.partial",
        folder / ".runs" / "notes.txt",
        folder / ".runs" / "short.run",
        folder.parent / "tmp" / "auditor-crash-abc.log",
        folder.parent / "tmp" / f"auditor-{DEAD}-abc.log",
        folder.parent / "tmp" / f"other-{DEAD}-abcdefgh",
    ]
    for path in strangers:
        path.write_text("mine", encoding="utf-8")
    (folder.parent / "tmp" / "auditor-notes").mkdir()
    remove(folder)
    assert all(path.read_text(encoding="utf-8") == "mine" for path in strangers)
    assert (folder.parent / "tmp" / "auditor-notes").is_dir()
    assert {path.name for path in (folder / ".runs").iterdir()} == {"notes.txt", "short.run"}


def test_links_are_neither_followed_nor_removed(folder: Path) -> None:
    elsewhere = folder.parent / "elsewhere"
    kept_in(elsewhere / "runs")
    before = names(elsewhere)
    (folder / ".runs").symlink_to(elsewhere / "runs")
    (folder / f".report.pdf.{DEAD}.partial").symlink_to(elsewhere / "runs" / "salt")
    (folder.parent / "tmp" / f"auditor-{DEAD}-abcdefgh").symlink_to(elsewhere)
    assert remove(folder) == ()
    assert names(elsewhere) == before


def test_scratch_folders_of_the_dead_go_and_those_of_the_living_stay(folder: Path) -> None:
    ours = Scratch()
    try:
        code = "from auditor.sandbox.scratch import Scratch; s = Scratch(); (s.home / 'x').write_bytes(b'123'); print(s.path)"
        environment = os.environ | {"TMPDIR": str(folder.parent / "tmp")}
        shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
        theirs = Path(shown.stdout.strip())
        assert theirs.is_dir()
        (theirs / "home" / "closed").mkdir()
        (theirs / "home" / "closed" / "deep").write_bytes(b"45")
        (theirs / "home" / "closed").chmod(0)
        removed = remove(folder)
        assert [(item.kind, item.path) for item in removed] == [("scratch", theirs)]
        assert removed[0].bytes >= 3
        assert not theirs.exists()
        assert ours.home.is_dir()
    finally:
        ours.remove()


def test_a_scratch_folder_however_deep_goes(folder: Path) -> None:
    scratch = folder.parent / "tmp" / f"auditor-{DEAD}-abcdefgh"
    scratch.mkdir()
    here = os.open(scratch, os.O_RDONLY)
    for _ in range(1100):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    assert [item.path for item in remove(folder)] == [scratch]
    assert not scratch.exists()


def test_what_is_left_of_a_scratch_folder_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = folder.parent / "tmp" / f"auditor-{DEAD}-abcdefgh"
    (scratch / "inputs").mkdir(parents=True)
    (scratch / "inputs" / "train.npz").touch()
    (scratch / "stuck").touch()
    real = os.unlink

    def unlink(name: str, **options: int) -> None:
        if name == "stuck":
            raise PermissionError(1, "Operation not permitted", name)
        real(name, **options)

    monkeypatch.setattr(os, "unlink", unlink)
    with pytest.raises(StorageError, match=f"{scratch}: Operation not permitted"):
        remove(folder)
    assert [path.name for path in scratch.iterdir()] == ["stuck"]


def test_what_cannot_be_removed_is_said_and_the_rest_goes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, address = kept_in(folder / ".runs")
    real = Path.unlink

    def stuck(path: Path, **options: bool) -> None:
        if path.name == "salt":
            raise PermissionError(1, "Operation not permitted")
        real(path, **options)

    monkeypatch.setattr(Path, "unlink", stuck)
    with pytest.raises(StorageError, match="salt: Operation not permitted"):
        remove(folder)
    assert names(folder) == {".runs", ".runs/salt"}
    assert address
