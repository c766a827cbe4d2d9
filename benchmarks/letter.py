"""How long a letter takes: one as a whole command, and one after another for every request."""

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
        # With --quick most checks stay open, and the exit code says so; a letter takes as long.
        subprocess.run(
            [sys.executable, "-m", "auditor", "check", str(SAMPLE), "--out", folder, "--quick"], check=False, capture_output=True
        )
        one = seconds(lambda: _auditor("certificate", evidence, "--request", "REQ-2026-0001", "-o", f"{folder}/one.pdf"))
        line("one letter, from the evidence to the PDF", f"{one:.2f} s", "under 1.5 s")
        every = seconds(lambda: _auditor("certificate", evidence, "--all", f"{folder}/all"), repeats=3)
        count = len(list(Path(folder, "all").iterdir()))
        line("each further letter of `--all`", f"{(every - one) / (count - 1):.2f} s")


if __name__ == "__main__":
    main()
