"""The fuzzer's harness: what it keeps of a finding, and how one is repeated. Fuzzing itself is `make fuzz`."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from auditor.base.domain import Problem
from auditor.base.errors import InputError
from cases import SAMPLES
from readers import READERS, Reader
from tests import fuzz

ROOT = SAMPLES.parent


def fragile(data: bytes) -> None:
    """Refuses what it should, and breaks in two places."""
    if data.startswith(b"no"):
        raise InputError([Problem("file", "", "yes", "no")])
    if data.startswith(b"key"):
        {}[data]
    if data.startswith(b"deep"):
        fragile(data)


def test_each_place_that_raises_is_one_finding_with_its_command(tmp_path: Path) -> None:
    calls: list[None] = []
    read = fuzz.watched("fragile", Reader(fragile, lambda: (b"yes",)), tmp_path, lambda: calls.append(None))
    for data in (b"yes", b"no", b"key 1", b"key 2", b"deep"):
        read(data)
    assert len(calls) == 5
    found = sorted(tmp_path.glob("*.bin"))
    assert [each.read_bytes() for each in found] == [b"key 1", b"deep"]
    assert [each.name.split("-")[1] for each in found] == ["KeyError", "RecursionError"]
    told = found[0].with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    assert told[1] == f"{sys.executable} -m tests.fuzz --repeat fragile {found[0]}"


@pytest.mark.parametrize(("content", "said"), [(b"not an archive", "refused, as it should be"), (None, "read")])
def test_a_finding_is_repeated_by_its_command(content: bytes | None, said: str, tmp_path: Path) -> None:
    file = tmp_path / "a file.bin"
    file.write_bytes(READERS["model.npz"].seeds()[0] if content is None else content)
    asked = shlex.split(fuzz.command("model.npz", file))
    ran = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout.startswith(said)) == (0, True), ran.stderr


def test_the_fuzzer_is_in_a_group_of_its_own() -> None:
    made = subprocess.run(["make", "-n", "fuzz", "MINUTES=3", "VENV=none"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ".ci/lock install fuzz" in made.stdout
    assert "tests.fuzz --minutes 3" in made.stdout
    install = subprocess.run(["make", "-n", "install-dev", "VENV=none"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "fuzz" not in install.stdout
