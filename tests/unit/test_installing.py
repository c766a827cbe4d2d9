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
