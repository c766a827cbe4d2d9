"""Is finished work lost? An audit is killed at a random moment, started again, and held against an undisturbed one.

Each round starts in an empty folder: SIGKILL at a moment drawn uniformly over the time that an undisturbed audit takes, then the
same command again. The evidence must be equal but for `*_at`, durations and cost.speedup; after `auditor clean` no process
and no scratch folder may be left.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from auditor.sandbox import processes
from auditor.sandbox.runs import FOLDER
from benchmarks.measuring import SAMPLES, Figure, MissedError, out_of

SAMPLE = SAMPLES / "digits-newton-overrun"
FAILS = 1
"""The sample's exit code: it overruns its budget."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many audits are killed."""

    rounds: int
    seed: int = 20261121


LONG, TINY = Sizes(rounds=20), Sizes(rounds=1)


class Bench:
    """A folder for the temporary files, the key and the audits of one measurement."""

    def __init__(self, folder: Path, *, state: Path | None = None) -> None:
        """Begin in a folder; `state` is that of the user, of whose key evidence has marks: one of its own if left out."""
        self.folder = folder
        self.state = state or folder / "state"
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self._environment = os.environ | {"TMPDIR": str(self.temporary), "XDG_STATE_HOME": str(self.state)}

    def started(self, out: Path) -> subprocess.Popen[bytes]:
        """An audit of the sample into `out`, in its own process."""
        command = [sys.executable, "-m", "auditor", "check", str(SAMPLE), "--out", str(out)]
        return subprocess.Popen(command, env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def undisturbed(self, out: Path) -> tuple[dict[str, Any], int]:
        """The evidence of an audit that is left alone, and how many runs it took up from an earlier one."""
        process = self.started(out)
        _, said = process.communicate()
        if process.returncode != FAILS:
            raise RuntimeError(f"expected exit code {FAILS}, found {process.returncode}: {said.decode()}")
        taken = re.search(r"not run again: ([^;]*);", said.decode())
        return timeless(out), taken[1].count(",") + 1 if taken else 0

    def killed(self, out: Path, after: float) -> int:
        """Kill an audit after so many seconds; how many runs it had finished by then."""
        process = self.started(out)
        time.sleep(after)
        process.kill()
        process.communicate()
        return len(list((out / FOLDER).glob("*.run")))

    def left_after_clean(self, out: Path) -> list[str]:
        """What `auditor clean` leaves next to the results: processes, scratch folders, files."""
        subprocess.run(
            [sys.executable, "-m", "auditor", "clean", str(out), "--quiet"],
            env=self._environment,
            check=True,
            capture_output=True,
        )
        strays = [f"process {pid}" for pid in processes.strays(f"HOME={self.temporary}")]
        files = [str(path) for path in self.temporary.iterdir()]
        results = {"evidence.json", "first", "report.html", "report.pdf"}
        return strays + files + [str(path) for path in out.iterdir() if path.name not in results]


def timeless(out: Path) -> dict[str, Any]:
    """The evidence without `*_at` of the audit, durations and cost.speedup."""
    document: dict[str, Any] = json.loads((out / "evidence.json").read_bytes())
    document["audit"] = {key: value for key, value in document["audit"].items() if not key.endswith("_at")}
    document["checks"] = [_untimed(item) for item in document["checks"] if item["id"] != "cost.speedup"]
    return document


def _untimed(check: dict[str, Any]) -> dict[str, Any]:
    observed = {key: value for key, value in (check["observed"] or {}).items() if not key.startswith("seconds_")}
    return check | {"observed": observed}


def kills(folder: Path, rounds: int, seed: int) -> tuple[int, int, int, int]:
    """Kill and resume `rounds` times.

    Returns:
        In how many rounds the evidence was that of the undisturbed audit; in how many nothing was left; how many runs the
        killed audits had finished, of two in each round; how many of these were taken up.
    """
    bench = Bench(folder)
    begin = time.monotonic()
    wanted, _ = bench.undisturbed(folder / "undisturbed")
    seconds = time.monotonic() - begin
    moments = np.random.default_rng(seed).uniform(0.0, seconds, size=rounds)
    same = clean = finished = taken = 0
    for number, moment in enumerate(moments):
        out = folder / f"round-{number}"
        finished += bench.killed(out, float(moment))
        found, taken_up = bench.undisturbed(out)
        taken += taken_up
        left = bench.left_after_clean(out)
        same += found == wanted
        clean += not left
        if found != wanted or left:
            print(
                f"killed after {moment:.3f} s: evidence {'equal' if found == wanted else 'differs'}; left: {left}",
                file=sys.stderr,
            )
    return same, clean, finished, taken


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Count the rounds that came to the same evidence, and those that left nothing."""
    with tempfile.TemporaryDirectory() as name:
        same, clean, finished, taken = kills(Path(name), sizes.rounds, sizes.seed)
    yield out_of("same", same, sizes.rounds)
    yield out_of("clean", clean, sizes.rounds)
    yield out_of("taken-up", taken, finished)
    if (same, clean, taken) != (sizes.rounds, sizes.rounds, finished):
        raise MissedError("an audit that was killed and resumed lost work, left something, or came to other evidence")
