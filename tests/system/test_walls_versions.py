"""Files stay as they are under every version of Landlock, the first ones included, which know nothing of truncation."""

import json
import os
import subprocess
import sys

import pytest

from auditor.sandbox import kernel, landlock, walls

OWN = kernel.own()
OFFERED = landlock.version(OWN.numbers) if OWN else 0
PROGRAM = """
import json, os, sys
from auditor.sandbox import kernel, landlock, seccomp
own, offered, opened, closed = kernel.own(), int(sys.argv[1]), sys.argv[2], sys.argv[3]
kernel.give_up_privileges(own.numbers)
landlock.restrict(own.numbers, offered, [(opened, landlock.READ), ("/nowhere/at/all", landlock.READ)])
handled = offered >= landlock.TRUNCATION_SINCE
seccomp.install(own, seccomp.program(own, own_namespaces=False, truncation_handled=handled))
done = []
for folder in (opened, closed):
    for name, attempt in {
        "read": lambda path: os.close(os.open(path, os.O_RDONLY)),
        "write": lambda path: os.close(os.open(path, os.O_WRONLY)),
        "append": lambda path: os.close(os.open(path, os.O_WRONLY | os.O_APPEND)),
        "cut": lambda path: os.close(os.open(path, os.O_RDONLY | os.O_TRUNC)),
        "cut strangely": lambda path: os.close(os.open(path, 3 | os.O_TRUNC)),
        "truncate": lambda path: os.truncate(path, 0),
        "remove": os.remove,
        "rename": lambda path: os.rename(path, path + "-2"),
        "link": lambda path: os.link(path, path + "-3"),
        "make": lambda path: os.close(os.open(path + "-4", os.O_WRONLY | os.O_CREAT)),
        "folder": lambda path: os.mkdir(path + "-5"),
        "symlink": lambda path: os.symlink("x", path + "-6"),
        "list": lambda path: os.listdir(os.path.dirname(path)),
    }.items():
        try:
            attempt(folder + "/file")
        except OSError:
            continue
        done.append([os.path.basename(folder), name])
print(json.dumps(done))
"""


def attempts_under(version, folder):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(version), str(folder / "opened"), str(folder / "closed")],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_every_version_that_this_kernel_offers(tmp_path):
    for version in range(1, OFFERED + 1):
        folder = tmp_path / str(version)
        for name in ("opened", "closed"):
            (folder / name).mkdir(parents=True)
            (folder / name / "file").write_text("as it was")
        assert attempts_under(version, folder) == [["opened", "read"], ["opened", "list"]]
        for name in ("opened", "closed"):
            assert [path.name for path in (folder / name).iterdir()] == ["file"]
            assert (folder / name / "file").read_text() == "as it was"


def test_a_version_later_than_these_walls_is_used_as_far_as_they_know(tmp_path):
    for name in ("opened", "closed"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("as it was")
    if OFFERED < landlock.SCOPES_SINCE:
        with pytest.raises(subprocess.CalledProcessError):  # a kernel takes no larger request than it knows
            attempts_under(99, tmp_path)
        return
    assert attempts_under(99, tmp_path) == [["opened", "read"], ["opened", "list"]]


def test_an_unknown_processor_gets_no_walls_and_no_procedure(monkeypatch):
    monkeypatch.setattr(kernel.platform, "machine", lambda: "riscv64")
    assert kernel.own() is None
    plan = walls.Plan(3, None, files=True, namespaces=False, opened=[], witness=os.devnull)
    with pytest.raises(walls.NoWallError, match="x86-64 and AArch64 only"):
        walls.raise_walls(plan)
