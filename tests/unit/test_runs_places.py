"""Finished runs in a folder, or at any address that fsspec reaches: found again, and readable by their user alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

from auditor.base import extras
from auditor.base.errors import UsageError
from auditor.cli import run
from auditor.sandbox import Answer
from auditor.sandbox.runs import Runs, place_of, remove
from kept_runs import SEED, answers, job


@pytest.fixture(params=["memory", "file", "folder"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A place of each kind."""
    if request.param == "memory":
        fsspec.filesystem("memory").store.clear()
        yield "memory://bucket/audit/runs"
        fsspec.filesystem("memory").store.clear()
    else:
        yield str(tmp_path / "runs") if request.param == "folder" else f"file://{tmp_path}/runs"


def contents(where: str) -> dict[str, bytes]:
    """What lies there, by the path within."""
    files, path = fsspec.core.url_to_fs(where)
    return {name: files.cat_file(name) for name in files.find(path)}


def kept(where: str, notices: list[str] | None = None) -> Runs:
    """Runs there."""

    def refuse(said: str) -> None:
        pytest.fail(said)

    return Runs(where, notice=refuse if notices is None else notices.append)


def keep(where: str) -> None:
    runs = kept(where)
    runs.keep(job(), 0, runs.address(job(), 0), answers(job().steps))


def take(where: str, notices: list[str] | None = None) -> tuple[Answer, ...] | None:
    runs = kept(where, notices)
    return runs.take(job(), runs.address(job(), 0))


def test_what_is_kept_is_found_again(where: str) -> None:
    assert take(where) is None
    keep(where)
    found = take(where)
    assert found is not None
    assert [answer.seconds for answer in found] == [answer.seconds for answer in answers(job().steps)]


def test_what_was_changed_or_exchanged_is_not_taken(where: str) -> None:
    keep(where)
    files, _ = fsspec.core.url_to_fs(where)
    for name, content in contents(where).items():
        if name.endswith(".run"):
            for other in (content[:-1], b"", content[:40] + bytes([content[40] ^ 1]) + content[41:], b"cos\nsystem\n."):
                files.pipe_file(name, other)
                notices: list[str] = []
                assert take(where, notices) is None
                assert "damaged or was written by somebody else" in notices[0]


def test_another_users_runs_are_not_taken(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(where)
    before = contents(where)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    assert take(where) is None
    files, _ = fsspec.core.url_to_fs(where)
    runs = kept(where)
    address = runs.address(job(), 0)
    (path,) = (name for name in before if name.endswith(".run"))
    files.pipe_file(f"{path.rpartition('/')[0]}/{address}.run", before[path])
    notices: list[str] = []
    assert take(where, notices) is None
    assert len(notices) == 1


@pytest.mark.parametrize("scheme", ["memory://bucket", "file://"])
def test_others_who_read_the_place_learn_nothing(scheme: str, tmp_path: Path) -> None:
    where = f"{scheme}{tmp_path}/runs"
    keep(where)
    (content,) = contents(where).values()
    for word in (b"answers", b"gradient_norm", b".npy", b"PK\x03\x04", str(SEED).encode(), b"auditor.run"):
        assert word not in content


def test_a_place_that_cannot_be_written_is_a_notice(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    notices: list[str] = []
    runs = kept(f"file://{tmp_path}/file/runs", notices)
    runs.keep(job(), 0, runs.address(job(), 0), answers(job().steps))
    assert len(notices) == 1
    assert "not kept for a later audit" in notices[0]


@pytest.mark.parametrize("address", ["nonsense://x", "s3nothing://bucket/x", "://"])
def test_an_address_that_nothing_reaches_is_bad_usage(address: str) -> None:
    with pytest.raises(UsageError, match=r"--runs .*: expected an address that fsspec can reach"):
        place_of(address)


def test_a_path_needs_no_fsspec_and_an_address_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "_found", lambda module: module != "fsspec")
    keep(str(tmp_path / "runs"))
    assert take(str(tmp_path / "runs")) is not None
    with pytest.raises(UsageError, match=r"needs fsspec, which is not installed: pip install 'auditor\[dask\]'"):
        place_of("memory://x")


def test_clean_removes_the_runs_and_nothing_else(where: str, tmp_path: Path) -> None:
    keep(where)
    files, path = fsspec.core.url_to_fs(where)
    files.pipe_file(f"{path}/mine.txt", b"mine")
    removed = [item for item in remove(tmp_path / "none", where) if item.kind == "run"]
    assert len(removed) == 1
    assert [name.rpartition("/")[2] for name in contents(where)] == ["mine.txt"]
    assert take(where) is None


def test_an_unusable_place_is_refused_before_the_audit(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    sample = Path(__file__).resolve().parents[2] / "sample_models" / "digits-newton-overrun"
    assert run(["check", str(sample), "--out", str(tmp_path), "--runs", "nonsense://x"]) == 2
    assert "--runs nonsense://x" in capfd.readouterr().err
    assert not (tmp_path / "evidence.json").exists()
