"""Measures benchmarks, each in a process of its own, so that one's memory is not another's, and writes docs/speed.md.

What a benchmark measured is kept once it has ended; one that fails changes nothing, and the others go on.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchmarks import machine, page
from benchmarks.one import MISSED
from benchmarks.rows import BENCHMARKS

LIMITS_S: Final = {"tiny": 300, "usual": 900, "long": 4 * 3600}
"""Seconds after which a benchmark is ended."""

Figures = dict[str, dict[str, Any]]
Outcome = tuple[Figures, str | None]
"""What was measured, and what went wrong."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for; the exit code: 1 where a benchmark failed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a benchmark; all of them if left out")
    sizes = parser.add_mutually_exclusive_group()
    sizes.add_argument("--tiny", dest="size", action="store_const", const="tiny", help="tiny sizes; nothing is written")
    sizes.add_argument("--long", dest="size", action="store_const", const="long", help="also what takes more than a few minutes")
    sizes.add_argument("--list", action="store_true", help="print the names of all benchmarks")
    asked = parser.parse_args(arguments)
    if unknown := [name for name in asked.names if name not in BENCHMARKS]:
        parser.error(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    if asked.list:
        print("\n".join(BENCHMARKS))
        return 0
    failures = run_all(asked.names or BENCHMARKS, asked.size or "usual", one, write=asked.size != "tiny")
    for name, what in failures.items():
        print(f"failed: {name}: {what}", file=sys.stderr)
    return 1 if failures else 0


def run_all(names: Sequence[str], size: str, run: Callable[[str, str], Outcome], *, write: bool) -> dict[str, str]:
    """Measure benchmarks one after another, and keep what each measured as soon as it has ended.

    Args:
        names: The benchmarks.
        size: Their sizes by name.
        run: Measures one of them.
        write: Whether to keep the figures and write the page.

    Returns:
        What went wrong, by benchmark.
    """
    failures: dict[str, str] = {}
    for name in names:
        began, load = time.monotonic(), machine.load()
        print(f"{name}, load average {load:.1f}", flush=True)
        figures, problem = run(name, size)
        print(f"  took {time.monotonic() - began:.0f} s{f', and failed: {problem}' if problem else ''}\n", flush=True)
        if problem:
            failures[name] = problem
        if write and figures:
            keep(figures, load)
    return failures


def keep(figures: Figures, load: float) -> None:
    """Add figures to measured.json, with the day and this machine, and write the page from it."""
    measured = page.read(page.MEASURED)
    machines, own = measured["machines"], machine.here()
    name = next((name for name, known in machines.items() if known == own), None)
    if name is None:
        name = f"machine {len(machines) + 1}"
        machines[name] = own
    stamp = {"date": datetime.now(tz=UTC).date().isoformat(), "machine": name, "load": load}
    measured["figures"] |= {key: figure | stamp for key, figure in figures.items()}
    page.MEASURED.write_text(page.written(measured), encoding="utf-8")
    page.write(measured)


def one(name: str, size: str) -> Outcome:
    """Measure a benchmark in a process of its own, and end all that it started if it takes too long."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "figures.json"
        process = subprocess.Popen([sys.executable, "-m", "benchmarks.one", name, size, str(file)], start_new_session=True)
        try:
            code = process.wait(LIMITS_S[size])
        except subprocess.TimeoutExpired:
            return {}, f"not done after {LIMITS_S[size]} s"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if code not in (0, MISSED):
            return {}, f"exit code {code}"
        return json.loads(file.read_text(encoding="utf-8")), "a figure says that something is wrong" if code else None


if __name__ == "__main__":
    sys.exit(main())
