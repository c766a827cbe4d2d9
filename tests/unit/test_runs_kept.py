"""What is kept comes back to the bit, and nothing comes back that is not exactly what this user kept there."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from auditor.base.user_key import key_file
from auditor.sandbox.runs import packing
from auditor.sandbox.runs.secrets import secret_of
from kept_runs import SEED, answers, job, kept_in, opened, same, steps


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.run"))


def test_answers_come_back_to_the_bit(tmp_path: Path) -> None:
    run, address = kept_in(tmp_path / ".runs")
    later = opened(tmp_path / ".runs")
    assert later.address(run, 0) == address
    taken = later.take(run, address)
    assert taken is not None
    assert same(taken, answers(run.steps))
    assert later.taken == ("replay",)


def test_only_the_user_can_read_it_and_the_seed_is_in_no_name_and_no_byte(tmp_path: Path) -> None:
    kept_in(tmp_path / ".runs")
    assert stat.S_IMODE((tmp_path / ".runs").stat().st_mode) == 0o700
    files = [*(tmp_path / ".runs").iterdir(), key_file()]
    assert len(files) == 3
    written = str(SEED).encode(), SEED.to_bytes(16, "little"), SEED.to_bytes(16, "big"), f"{SEED:x}".encode()
    for path in files:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert not any(word in path.read_bytes() or word in path.name.encode() for word in written)


def test_a_folder_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    (tmp_path / ".runs").mkdir(mode=0o755)
    kept_in(tmp_path / ".runs")
    assert stat.S_IMODE((tmp_path / ".runs").stat().st_mode) == 0o700


def test_nothing_is_there_before_it_is_kept(tmp_path: Path) -> None:
    runs = opened(tmp_path / ".runs")
    assert runs.take(job(), runs.address(job(), 0)) is None
    assert runs.taken == ()


def test_fresh_takes_nothing_and_keeps_all_the_same(tmp_path: Path) -> None:
    run, address = kept_in(tmp_path / ".runs")
    entries(tmp_path / ".runs")[0].unlink()
    runs = opened(tmp_path / ".runs", fresh=True)
    assert runs.address(run, 0) == address
    runs.keep(run, 0, address, answers(run.steps))
    assert runs.take(run, address) is None
    assert len(entries(tmp_path / ".runs")) == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.data())
def test_a_damaged_entry_is_never_taken_and_never_a_crash(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder = tmp_path_factory.mktemp("damage") / ".runs"
    run, address = kept_in(folder)
    entry = entries(folder)[0]
    whole = entry.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    kind = data.draw(st.sampled_from(["flip", "cut", "longer", "empty", "other"]))
    damaged = {
        "flip": whole[:place] + bytes([whole[place] ^ data.draw(st.integers(1, 255))]) + whole[place + 1 :],
        "cut": whole[:place],
        "longer": whole + b"\0",
        "empty": b"",
        "other": data.draw(st.binary(max_size=200)),
    }[kind]
    entry.write_bytes(damaged)
    notices: list[str] = []
    runs = opened(folder, notices)
    assert runs.take(run, runs.address(run, 0)) is None
    assert runs.taken == ()
    assert len(notices) == 1
    assert entry.name in notices[0]
    assert "replay is run again" in notices[0]
    runs.keep(run, 0, address, answers(run.steps))
    again = runs.take(run, address)
    assert again is not None
    assert same(again, answers(run.steps))


@pytest.mark.parametrize("kind", ["folder", "link", "pipe"])
def test_what_is_no_plain_file_is_not_followed_and_not_waited_for(tmp_path: Path, kind: str) -> None:
    run, address = kept_in(tmp_path / ".runs")
    entry = entries(tmp_path / ".runs")[0]
    entry.rename(tmp_path / "moved")
    match kind:
        case "folder":
            entry.mkdir()
        case "link":
            entry.symlink_to(tmp_path / "moved")
        case "pipe":
            os.mkfifo(entry)
    notices: list[str] = []
    runs = opened(tmp_path / ".runs", notices)
    assert runs.take(run, runs.address(run, 0)) is None
    assert "replay is run again" in notices[0]
    runs.keep(run, 0, address, answers(run.steps))
    assert ("not kept" in notices[-1]) is (kind == "folder")
    assert not list((tmp_path / ".runs").glob("*.partial"))


def test_an_entry_under_another_address_is_not_taken(tmp_path: Path) -> None:
    kept_in(tmp_path / ".runs")
    wanted = job(name="self-check")
    notices: list[str] = []
    runs = opened(tmp_path / ".runs", notices)
    address = runs.address(wanted, 0)
    entries(tmp_path / ".runs")[0].rename(tmp_path / ".runs" / f"{address}.run")
    assert runs.take(wanted, address) is None
    assert "written by somebody else" in notices[0]


def test_what_somebody_else_kept_in_a_case_is_never_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The audited party knows seed, case, salt and machine, and writes an entry at every address that it can work out."""
    run = job()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "theirs"))
    _, theirs = kept_in(tmp_path / ".runs", run)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "ours"))
    notices: list[str] = []
    runs = opened(tmp_path / ".runs", notices)
    ours = runs.address(run, 0)
    assert ours != theirs
    assert runs.take(run, ours) is None
    assert notices == []
    # Even were the address told to them, the seal would not fit.
    (tmp_path / ".runs" / f"{theirs}.run").rename(tmp_path / ".runs" / f"{ours}.run")
    assert runs.take(run, ours) is None
    assert len(notices) == 1


def test_a_new_salt_makes_what_was_kept_worthless(tmp_path: Path) -> None:
    run, address = kept_in(tmp_path / ".runs")
    (tmp_path / ".runs" / "salt").unlink()
    assert opened(tmp_path / ".runs").address(run, 0) != address


def test_code_that_changed_while_it_ran_is_not_kept(tmp_path: Path) -> None:
    run, runs = job(), opened(tmp_path / ".runs")
    address = runs.address(run, 0)
    assert address is not None
    runs.keep(run, 0, address[::-1], answers(run.steps))
    assert entries(tmp_path / ".runs") == []


@pytest.mark.parametrize("fault", ["file", "link", "short salt", "open salt", "linked salt", "open key", "no home"])
def test_where_nothing_can_be_kept_the_audit_is_told_once_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    folder = tmp_path / ".runs"
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    if "salt" in fault or "key" in fault:
        secret_of(folder)
    match fault:
        case "file":
            folder.write_text("in the way", encoding="utf-8")
        case "link":
            (tmp_path / "elsewhere").mkdir()
            folder.symlink_to(tmp_path / "elsewhere")
        case "short salt":
            (folder / "salt").write_bytes(b"short")
        case "open salt":
            (folder / "salt").chmod(0o644)
        case "linked salt":
            (folder / "salt").rename(tmp_path / "salt")
            (folder / "salt").symlink_to(tmp_path / "salt")
        case "open key":
            key_file().chmod(0o604)
        case "no home":
            monkeypatch.setenv("XDG_STATE_HOME", "/proc/none")
    notices: list[str] = []
    runs = opened(folder, notices)
    assert runs.address(job(), 0) is None
    assert runs.address(job(), 1) is None
    assert runs.take(job(), None) is None
    runs.keep(job(), 0, None, answers(steps()))
    assert len(notices) == 1
    assert notices[0].startswith("finished runs are not kept: ")
    assert not list((tmp_path / "elsewhere").iterdir()) if fault == "link" else True


def test_a_relative_state_folder_is_not_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "somewhere")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert key_file() == tmp_path / ".local" / "state" / "auditor" / "key"


def test_a_full_disk_loses_the_entry_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, address = kept_in(tmp_path / ".runs")
    before = entries(tmp_path / ".runs")[0].read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    notices: list[str] = []
    runs = opened(tmp_path / ".runs", notices)
    runs.address(run, 0)
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", full)
        runs.keep(run, 0, address, answers(run.steps))
    assert notices == ["replay is not kept for a later audit: No space left on device"]
    assert entries(tmp_path / ".runs")[0].read_bytes() == before
    assert not list((tmp_path / ".runs").glob(".*"))


def test_the_sealed_file_is_an_npz_that_needs_no_pickle() -> None:
    run = job()
    file = packing.sealed(packing.packed(answers(run.steps)), address="a", secret=b"s")
    content = packing.unsealed(file, address="a", secret=b"s")
    assert content is not None
    assert content.startswith(b"PK")
    assert b"pickle" not in content
    with pytest.raises(ValueError, match="expected 2 answers, found 7"):
        packing.unpacked(content, run.steps[:2])
