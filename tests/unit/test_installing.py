"""What `make` installs, and that no CUDA library comes along unasked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cases import SAMPLES

ROOT = SAMPLES.parent


def refuse_cuda(folder: Path, packages: list[str], **given: str) -> subprocess.CompletedProcess[str]:
    """Run the script with a pip that would install these packages."""
    (folder / "pip").mkdir()
    (folder / "pip" / "__init__.py").touch()
    report = json.dumps({"install": [{"metadata": {"name": name}} for name in packages]})
    (folder / "pip" / "__main__.py").write_text(f"print({report!r})", encoding="utf-8")
    surroundings = {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder), **given}
    script = [sys.executable, str(ROOT / ".ci" / "refuse-cuda")]
    return subprocess.run(script, env=surroundings, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("packages", "given", "code"),
    [
        (["torch", "filelock"], {}, 0),
        (["torch", "nvidia-cublas", "triton"], {}, 2),
        (["torch", "nvidia-cublas"], {"TORCH_CUDA": "yes"}, 0),
        ([], {}, 0),
    ],
)
def test_cuda_libraries_are_refused_unless_asked_for(
    packages: list[str], given: dict[str, str], code: int, tmp_path: Path
) -> None:
    ran = refuse_cuda(tmp_path, packages, **given)
    assert ran.returncode == code, ran.stderr
    assert ("TORCH_INDEX=ADDRESS" in ran.stderr) == (code == 2)


def test_the_demo_installs_what_it_needs_and_the_tests_everything(tmp_path: Path) -> None:
    def told(target: str) -> str:
        asked = ["make", "-n", target, f"VENV={tmp_path / 'venv'}"]
        return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert "'.[report]'" in told("demo")
    assert "torch" not in told("demo")
    assert ".[all]" not in told("demo")
    assert "refuse-cuda" in told("install")
    assert "'.[all,dev]'" in told("test")


def system_packages(
    folder: Path, *, root: bool, installed: tuple[str, ...] = (), missing: str = "nothing", apt: int | None = 0
) -> tuple[int, str, list[str]]:
    """Run the script where only these programs exist, one library is missing, and apt-get ends with this code or is absent."""
    programs = dict.fromkeys(installed, "exit 0") | {"id": f"echo {0 if root else 1000}"}
    programs["python"] = f'case "$*" in *{missing}*) exit 1;; esac'
    if apt is not None:
        programs["apt-get"] = f'echo "$*" >> {folder / "asked"}; exit {apt}'
    for name, script in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    command = ["/bin/sh", str(ROOT / ".ci" / "system-packages"), str(folder / "python")]
    ran = subprocess.run(command, env={"PATH": str(folder)}, capture_output=True, text=True, check=False)
    asked = (folder / "asked").read_text(encoding="utf-8").splitlines() if (folder / "asked").exists() else []
    return ran.returncode, ran.stderr, [line.split()[-1] for line in asked if line.startswith("install")]


def test_with_bubblewrap_and_the_libraries_nothing_is_installed(tmp_path: Path) -> None:
    assert system_packages(tmp_path, root=True, installed=("bwrap",)) == (0, "", [])


def test_root_on_debian_gets_bubblewrap(tmp_path: Path) -> None:
    code, said, asked = system_packages(tmp_path, root=True)
    assert (code, asked) == (0, ["bubblewrap"])
    assert said == "Installing Debian packages: bubblewrap\n"


def test_bubblewrap_that_cannot_be_installed_is_no_obstacle(tmp_path: Path) -> None:
    code, said, _ = system_packages(tmp_path, root=True, apt=100)
    assert code == 0
    assert said.endswith("Bubblewrap could not be installed: the sandbox goes without it, one level weaker.\n")


@pytest.mark.parametrize(("root", "apt"), [(False, 0), (True, None)])
def test_elsewhere_bubblewrap_is_named_and_nothing_is_installed(root: bool, apt: int | None, tmp_path: Path) -> None:
    code, said, asked = system_packages(tmp_path, root=root, apt=apt)
    assert (code, asked) == (0, [])
    assert said.startswith("Optional, for the strongest level of the sandbox")
    assert said.endswith("sudo apt-get install bubblewrap\n")


def test_a_library_is_required(tmp_path: Path) -> None:
    code, said, asked = system_packages(tmp_path, root=False, missing="libgomp")
    assert (code, asked) == (2, [])
    assert said.endswith("sudo apt-get install libgomp1\n")


@pytest.mark.parametrize(("apt", "expected"), [(0, 0), (100, 100)])
def test_root_on_debian_gets_the_library_or_an_error(apt: int, expected: int, tmp_path: Path) -> None:
    code, _, asked = system_packages(tmp_path, root=True, missing="libgomp", apt=apt, installed=("bwrap",))
    assert code == expected
    assert asked == (["libgomp1"] if apt == 0 else [])
