"""What a worker inherits of the auditor, and what a worker that was killed leaves of training data."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from sandboxed import LEARN, TRAIN

from auditor.base.errors import ProcedureError
from auditor.cli import run
from auditor.sandbox import Level, Limits, ProcedureSpec, State, Worker
from levels import EXECUTED, require

PROCEDURES = Path(__file__).with_name("inheriting_procedures.py")
VARIABLES = ("AUDITOR_PASSPHRASE", "AWS_SECRET_ACCESS_KEY", "AUDITOR_HISTORY", "PYTHONPATH")
LEVELS = [Level.PROCESS, Level.NO_NETWORK, Level.CONFINED, Level.NAMESPACED, EXECUTED]
WALLED = [Level.CONFINED, Level.NAMESPACED, EXECUTED]


def looked(level: Level, begins: str = "") -> dict[str, str]:
    """What a worker found."""
    spec = ProcedureSpec(None, f"{PROCEDURES}:Looking", {"begins": begins[::-1], "parent": os.getpid()})
    with Worker(spec, {"train": TRAIN}, level=level) as running:
        running.run(LEARN)
        content = running.run(State("model")).content
    assert content is not None
    names = ("drawn", "environment", "descriptors", "secrets", "auditor")
    return dict(zip(names, content.decode().splitlines(), strict=True))


@pytest.mark.attempt("what workers inherit and leave")
@pytest.mark.levels
@pytest.mark.parametrize("level", LEVELS)
def test_two_workers_draw_other_numbers(level: Level) -> None:
    """Forks of one process would draw the same, and a procedure without seeds would seem to repeat itself."""
    require(level)
    first, second = (json.loads(looked(level)["drawn"]) for _ in range(2))
    assert all(one != other for one, other in zip(first, second, strict=True))


@pytest.mark.attempt("what workers inherit and leave")
@pytest.mark.levels
@pytest.mark.parametrize("level", LEVELS)
def test_no_secret_of_the_auditor_is_in_a_worker(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in its environment nor in its memory, though it is forked."""
    require(level)
    token = secrets.token_hex(12)
    for name in VARIABLES:
        monkeypatch.setenv(name, f"{token}-of-{name}")
    held = [f"{token}-in-memory-{at}".encode() for at in range(100)]
    found = looked(level, token)
    assert found["secrets"] == "secrets 0"
    assert len(held) == 100
    assert not {*VARIABLES} & set(found["environment"].split())
    if level in WALLED:
        assert found["auditor"] == "environment of the auditor closed"


@pytest.mark.attempt("what workers inherit and leave")
@pytest.mark.levels
@pytest.mark.parametrize("level", LEVELS)
def test_a_worker_has_its_channel_and_its_output_and_no_other_descriptor(level: Level, tmp_path: Path) -> None:
    require(level)
    with (tmp_path / "secret").open("w+b") as file, tempfile.TemporaryFile() as other:
        os.set_inheritable(file.fileno(), True)
        os.set_inheritable(other.fileno(), True)
        found = looked(level)["descriptors"].split()
    assert len(found) <= 5, found
    assert [each.partition(":")[0] for each in found[:3]] == ["0", "1", "2"]
    assert "secret" not in " ".join(found)


@pytest.mark.attempt("what workers inherit and leave")
@pytest.mark.levels
@pytest.mark.parametrize("level", WALLED)
@pytest.mark.parametrize("end", ["timeout", "killed"])
def test_a_worker_that_is_killed_leaves_no_training_data(level: Level, end: str, tmp_path: Path) -> None:
    require(level)
    token = secrets.token_hex(8)
    spec = ProcedureSpec(None, f"{PROCEDURES}:Leaving", {"begins": token})
    if end == "timeout":
        with pytest.raises(ProcedureError), Worker(spec, {"train": TRAIN}, level=level, limits=Limits(timeout_s=2.0)) as running:
            running.run(LEARN)
    else:
        program = f"""
import sys
sys.path.insert(0, {str(PROCEDURES.parent)!r})
from sandboxed import LEARN, TRAIN
from auditor.sandbox import Level, ProcedureSpec, Worker
spec = ProcedureSpec(None, {str(PROCEDURES)!r} + ":Leaving", {{"begins": {token!r}}})
with Worker(spec, {{"train": TRAIN}}, level=Level({str(level)!r})) as running:
    running.run(LEARN)
"""
        with subprocess.Popen([sys.executable, "-c", program], env=os.environ | {"TMPDIR": str(tmp_path)}) as auditor:
            deadline = time.monotonic() + 60
            while not any(path.stat().st_size for path in tmp_path.glob("auditor-*/stderr")):
                assert time.monotonic() < deadline
                assert auditor.poll() is None
                time.sleep(0.05)
            auditor.kill()
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(tempfile, "tempdir", str(tmp_path))
            (tmp_path / "audit").mkdir()
            assert run(["clean", str(tmp_path / "audit"), "--quiet"]) == 0
        assert [path.name for path in tmp_path.iterdir()] == ["audit"]
    places = ("/tmp", "/var/tmp", "/dev/shm", "/run", Path.home(), Path.cwd())
    assert [place for place in places if Path(place, f"left-{token}").exists()] == []
