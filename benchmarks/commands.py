"""How long a person waits: `auditor --help`, the demo audit, its report, a letter's worth of start-up."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measuring import line, seconds

SAMPLE = Path(__file__).resolve().parent.parent / "sample_models" / "digits-newton"


def _auditor(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "auditor", *arguments], check=True, capture_output=True)


def main() -> None:
    """Time whole commands as processes."""
    with tempfile.TemporaryDirectory() as folder:
        evidence = str(Path(folder) / "evidence.json")
        line("auditor --help", f"{seconds(lambda: _auditor('--help')):.2f} s", "under 0.4 s")
        demo = seconds(lambda: _auditor("check", str(SAMPLE), "--out", folder), repeats=3)
        line("demo audit, from case to PDF", f"{demo:.1f} s", "under 20 s")
        report = seconds(lambda: _auditor("report", evidence, "-o", f"{folder}/again.pdf"), repeats=3)
        line("report of the demo, PDF from evidence", f"{report:.1f} s", "under 4 s")


if __name__ == "__main__":
    main()
