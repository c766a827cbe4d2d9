"""How long a person waits: `auditor --help`, the demo audit, its report, a letter's worth of start-up."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measuring import line, seconds

SAMPLES = Path(__file__).resolve().parent.parent / "sample_models"
SAMPLE, GAMES = SAMPLES / "digits-newton", SAMPLES / "breast-cancer-dp"
PLAYED = ("inference.example", "inference.instance", "reconstruction.label")
"""The checks that play deletion games with noisy descent, a thousand games each, trained many at a time."""


def _auditor(*arguments: str, codes: tuple[int, ...] = (0,)) -> None:
    done = subprocess.run([sys.executable, "-m", "auditor", *arguments], check=False, capture_output=True)
    if done.returncode not in codes:
        raise subprocess.CalledProcessError(done.returncode, done.args, done.stdout, done.stderr)


def main() -> None:
    """Time whole commands as processes."""
    with tempfile.TemporaryDirectory() as folder:
        evidence = str(Path(folder) / "evidence.json")
        line("auditor --help", f"{seconds(lambda: _auditor('--help')):.2f} s", "under 0.4 s")
        demo = seconds(lambda: _auditor("check", str(SAMPLE), "--out", folder), repeats=3)
        line("demo audit, from case to PDF", f"{demo:.1f} s", "under 20 s")
        only = [word for check in PLAYED for word in ("--only", check)]
        played = seconds(lambda: _auditor("check", str(GAMES), *only, "--out", f"{folder}/games", codes=(0, 3)), repeats=1)
        line("the deletion games of breast-cancer-dp, case to evidence", f"{played:.1f} s", "under 60 s")
        report = seconds(lambda: _auditor("report", evidence, "-o", f"{folder}/again.pdf"), repeats=3)
        line("report of the demo, PDF from evidence", f"{report:.1f} s", "under 4 s")


if __name__ == "__main__":
    main()
