"""Results are written whole or not at all, and what stood there before survives a failure."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from auditor.base import process_marks
from auditor.base.errors import AuditorError, StorageError, UsageError
from auditor.base.writing import require_writable, write_all


def listing(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def test_files_are_written_folders_are_made_and_nothing_else_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "deeper"
    write_all({folder / "a": b"1", folder / "b": b"2"})
    assert listing(folder) == {"a": b"1", "b": b"2"}
    write_all({folder / "a": b"3"})
    assert listing(folder) == {"a": b"3", "b": b"2"}


def failing_when(monkeypatch: pytest.MonkeyPatch, function: str, call: int, error: BaseException) -> None:
    """Let the `call`-th use of os.`function` fail."""
    real, calls = getattr(os, function), []

    def wrapped(*arguments: Any, **keywords: Any) -> Any:
        calls.append(arguments)
        if len(calls) == call:
            raise error
        return real(*arguments, **keywords)

    monkeypatch.setattr(os, function, wrapped)


@pytest.mark.parametrize("call", [1, 2, 3])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_write_that_fails_leaves_earlier_files_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: int, error: BaseException
) -> None:
    before = {"a": b"old a", "b": b"old b", "c": b"old c"}
    write_all({tmp_path / name: content for name, content in before.items()})
    failing_when(monkeypatch, "fsync", call, error)
    with pytest.raises(StorageError if isinstance(error, OSError) else KeyboardInterrupt):
        write_all({tmp_path / name: b"new" for name in before})
    assert listing(tmp_path) == before


def test_a_folder_where_a_file_belongs_is_found_before_anything_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "b").mkdir()
    with pytest.raises(UsageError, match="found a folder"):
        write_all({tmp_path / "a": b"new", tmp_path / "b": b"new"})
    assert listing(tmp_path) == {"a": b"old"}


def test_a_file_where_a_folder_belongs_is_said(tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"old")
    with pytest.raises(UsageError, match="cannot be written"):
        write_all({tmp_path / "taken" / "report.pdf": b"new"})
    assert listing(tmp_path) == {"taken": b"old"}


def test_nothing_to_write_is_nothing_done(tmp_path: Path) -> None:
    write_all({})
    assert listing(tmp_path) == {}


def test_what_must_not_lie_beside_the_new_files_is_removed_with_them_and_named(tmp_path: Path) -> None:
    write_all({tmp_path / "evidence": b"old", tmp_path / "statement": b"over the old"})
    gone = write_all({tmp_path / "evidence": b"new"}, without=[tmp_path / "statement", tmp_path / "never there"])
    assert gone == (tmp_path / "statement",)
    assert listing(tmp_path) == {"evidence": b"new"}


def test_a_write_that_fails_removes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_all({tmp_path / "evidence": b"old", tmp_path / "statement": b"over the old"})
    failing_when(monkeypatch, "fsync", 1, OSError(28, "No space left on device"))
    with pytest.raises(StorageError):
        write_all({tmp_path / "evidence": b"new"}, without=[tmp_path / "statement"])
    assert listing(tmp_path) == {"evidence": b"old", "statement": b"over the old"}


def test_a_folder_that_would_have_to_be_removed_is_found_before_anything_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "statement").mkdir()
    with pytest.raises(UsageError, match="found a folder"):
        write_all({tmp_path / "evidence": b"new"}, without=[tmp_path / "statement"])
    assert listing(tmp_path) == {}


@pytest.mark.parametrize(
    ("number", "expected", "words"),
    [(28, StorageError, "free some space there"), (5, StorageError, "Input/output error"), (13, UsageError, "Permission denied")],
)
def test_a_full_or_broken_disk_is_no_bad_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, expected: type[Exception], words: str
) -> None:
    failing_when(monkeypatch, "fsync", 1, OSError(number, os.strerror(number)))
    with pytest.raises(expected, match=f"a: cannot be written: .*{words}") as caught:
        write_all({tmp_path / "a": b"new"})
    assert isinstance(caught.value, AuditorError)
    assert caught.value.exit_code == (2 if expected is UsageError else 4)


def test_a_place_is_tried_before_and_nothing_stays_there(tmp_path: Path) -> None:
    require_writable(tmp_path / "new" / "deeper")
    assert list(tmp_path.iterdir()) == []
    require_writable(tmp_path)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "taken").touch()
    with pytest.raises(UsageError, match=r"taken.*: cannot be written"):
        require_writable(tmp_path / "taken" / "new")


@pytest.mark.parametrize("number", [1, 18, 31, 38, 95])  # EPERM, EXDEV, EMLINK, ENOSYS, EOPNOTSUPP
@pytest.mark.parametrize("call", [1, 2, 3])
def test_without_second_names_a_rename_that_fails_leaves_earlier_files_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, call: int
) -> None:
    before = {"a": b"old a", "b": b"old b", "statement": b"over the old"}
    write_all({tmp_path / name: content for name, content in before.items()})
    (tmp_path / "b").chmod(0o640)
    (tmp_path / "linked").symlink_to("b")

    def link(*_arguments: Any, **_keywords: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "link", link)
    failing_when(monkeypatch, "replace", call, OSError(5, os.strerror(5)))
    with pytest.raises(StorageError, match="cannot be written"):
        write_all({tmp_path / name: b"new" for name in ("a", "new", "linked", "b")}, without=[tmp_path / "statement"])
    assert listing(tmp_path) == before | {"linked": b"old b"}
    assert (tmp_path / "linked").readlink() == Path("b")
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o640
    assert write_all({tmp_path / "a": b"1", tmp_path / "b": b"2"}, without=[tmp_path / "linked"]) == (tmp_path / "linked",)
    assert listing(tmp_path) == {"a": b"1", "b": b"2", "statement": b"over the old"}


def test_without_second_names_a_pipe_is_not_exchanged_with_other_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "a")
    (tmp_path / "b").write_bytes(b"old")
    failing_when(monkeypatch, "link", 1, OSError(1, os.strerror(1), str(tmp_path / "a")))
    with pytest.raises(UsageError, match="a: expected a file to write, found a pipe"):
        write_all({tmp_path / "a": b"1", tmp_path / "b": b"2"})
    assert (tmp_path / "a").is_fifo()
    assert listing(tmp_path) == {"b": b"old"}


@pytest.mark.parametrize("there", [True, False])
def test_a_link_under_a_temporary_name_is_not_written_through(tmp_path: Path, *, there: bool) -> None:
    """As another user can lay one in a shared folder: the names are no secret."""
    mine = tmp_path / "mine"
    if there:
        mine.write_bytes(b"mine")
    shared = tmp_path / "shared"
    shared.mkdir()
    for name in (".report.pdf", ".trial"):
        (shared / f"{name}.{process_marks.mark()}.partial").symlink_to(mine)
    require_writable(shared)
    write_all({shared / "report.pdf": b"report"})
    assert listing(shared) == {"report.pdf": b"report"}
    assert not (shared / "report.pdf").is_symlink()
    assert (mine.read_bytes() if mine.exists() else None) == (b"mine" if there else None)


def test_a_link_that_is_laid_at_the_last_moment_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, temporary = tmp_path / "mine", tmp_path / f".report.pdf.{process_marks.mark()}.partial"
    mine.write_bytes(b"mine")
    real = Path.unlink

    def unlink(path: Path, *, missing_ok: bool = False) -> None:
        real(path, missing_ok=missing_ok)
        if path == temporary and not path.is_symlink():
            path.symlink_to(mine)

    monkeypatch.setattr(Path, "unlink", unlink)
    with pytest.raises(UsageError, match="File exists"):
        write_all({tmp_path / "report.pdf": b"report"})
    assert mine.read_bytes() == b"mine"


def test_its_owner_alone_reads_what_is_written_unless_it_is_shared(tmp_path: Path) -> None:
    umask = os.umask(0o022)
    try:
        path = tmp_path / "evidence.json"
        path.write_bytes(b"earlier")
        path.chmod(0o644)
        for shared, mode in ((False, 0o600), (True, 0o644), (False, 0o600)):
            write_all({path: b"content"}, shared=shared)
            assert stat.S_IMODE(path.stat().st_mode) == mode
    finally:
        os.umask(umask)
