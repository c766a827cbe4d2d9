"""Run every benchmark, each in a process of its own, so that one's memory is not another's."""

from __future__ import annotations

import platform
import subprocess
import sys

from auditor import processors

MODULES = (
    "benchmarks.commands",
    "benchmarks.newton_removal",
    "benchmarks.removal",
    "benchmarks.deletion",
    "benchmarks.planning",
    "benchmarks.many_models",
    "benchmarks.refits",
    "benchmarks.noisy_gd",
    "benchmarks.networks",
    "benchmarks.swap",
    "benchmarks.retrainer",
    "benchmarks.release_under_attack",
    "benchmarks.moved_copies",
    "benchmarks.large_table",
    "benchmarks.documents",
    "benchmarks.letter",
    "benchmarks.verify",
    "benchmarks.large_log",
    "benchmarks.erasure",
    "benchmarks.control_games",
    "benchmarks.controllers",
    "benchmarks.counters",
    "benchmarks.sandbox",
    "benchmarks.kill_and_resume",
    "benchmarks.cluster_kills",
    "benchmarks.cluster_pace",
)


def main() -> None:
    """Run them all; stop at the first that fails."""
    print(f"Python {platform.python_version()}, {processors.count()} cores, one thread per process\n", flush=True)
    for module in MODULES:
        print(module, flush=True)
        subprocess.run([sys.executable, "-m", module], check=True)
        print(flush=True)


if __name__ == "__main__":
    main()
