"""Whether estimates hold: plans of samples of eight kinds against their audits, and the time left that is shown on the way.

    python -m benchmarks.estimates            every sample, on an idle machine; writes the table of docs/scaling.md
    python -m benchmarks.estimates NAME …     some of them; prints their rows, and writes nothing

An audit is estimated as `check --dry-run` does, by the rows of the plan that then ran, and by what its first stage expects of the
rest. What is left of a thing is compared at a quarter and at half of the time that it takes, where it takes ten seconds or more.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from auditor import case as cases
from auditor.audit.auditing import First, Options, audit, every_core
from auditor.audit.rehearsal import rehearse
from benchmarks import machine
from benchmarks.measuring import SAMPLES

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "scaling.md"
KINDS: Final = {
    "digits-newton": "certified removal",
    "digits-retrain": "logistic, retrained",
    "digits-mlp-none": "network",
    "loans-lightgbm": "LightGBM in a pipeline",
    "digits-own-procedure": "training loop of the case",
    "trigram-model": "text",
    "breast-cancer-noisy-gd": "noisy gradient descent",
    "dictionary-controller": "whole controller",
}
BEGIN, END = "<!-- estimates -->", "<!-- end of estimates -->"
_LONG_S: Final = 10.0
_SHARES: Final = (0.25, 0.5)


@dataclass(slots=True)
class Watched:
    """What was shown of an audit while it ran."""

    began: float = field(default_factory=time.monotonic)
    first: dict[str, float] = field(default_factory=dict)
    last: dict[str, float] = field(default_factory=dict)
    told: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    stage: First | None = None
    stage_at: float = 0.0

    def on_step(self, name: str, _done: int, _total: int) -> None:
        """Take note of a step."""
        now = time.monotonic()
        self.first.setdefault(name, now)
        self.last[name] = now

    def on_left(self, name: str, seconds: float) -> None:
        """Take note of what was said to be left."""
        self.told.setdefault(name, []).append((time.monotonic(), seconds))

    def on_first(self, found: First) -> None:
        """Take note of the first answer."""
        self.stage, self.stage_at = found, time.monotonic() - self.began

    def furthest(self) -> float | None:
        """Give the largest factor between what was shown as left and what was, at a quarter and at half of what took long."""
        factors = []
        for name, told in self.told.items():
            begun, ended = self.first[name], self.last[name]
            for share in _SHARES if ended - begun >= _LONG_S else ():
                at = begun + share * (ended - begun)
                shown = [(when, left) for when, left in told if when <= at]
                if shown:
                    left = shown[-1][1] - (at - shown[-1][0])
                    real = ended - at
                    factors.append(max(left / real, real / left) if left > 0 else float("inf"))
        return max(factors, default=None)


def row(name: str, *, quick: bool) -> str:
    """Measure one sample, and give its row."""
    folder = SAMPLES / name
    options = Options(workers=every_core(), quick=quick)
    planned = rehearse(cases.read(folder), options)
    watched = Watched()
    asked = {"on_step": watched.on_step, "on_left": watched.on_left, "on_first": watched.on_first}
    audit(cases.read(folder), Options(workers=every_core(), quick=quick, **asked))
    took = time.monotonic() - watched.began
    ran = [each for each in planned.ahead if not each.if_open or each.name in watched.first]
    estimate = planned.around + sum(each.seconds for each in ran) if planned.ahead else None
    factor = None if estimate is None else max(estimate / took, took / estimate)
    first = "" if watched.stage is None else _s(watched.stage_at)
    cells = (KINDS.get(name, ""), name, _s(estimate), _s(took), _times(factor), first, _times(watched.furthest()))
    return f"| {' | '.join(cells)} |"


def _s(seconds: float | None) -> str:
    return "not estimated" if seconds is None else f"{seconds:.0f} s"


def _times(factor: float | None) -> str:
    return "" if factor is None else f"{factor:.1f}"


def table(rows: Sequence[str], load: float) -> str:
    """Give the part of the page between its marks."""
    here = machine.here()
    head = "| kind | sample | estimated | took | factor | first answer | time left, factor |\n|---|---|---|---|---|---|---|"
    where = f"{here['cpu']}, {here['cores']} cores, {here['memory_gb']} GB of memory"
    said = f"*Measured* by `python -m benchmarks.estimates` at a load of {load:.1f} ({where})."
    return f"{BEGIN}\n{said}\n\n{head}\n" + "\n".join(rows) + f"\n{END}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for; with no name everything, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.estimates", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a sample; one of each kind if left out")
    parser.add_argument("--quick", action="store_true", help="smaller samples, to try this; nothing is written")
    asked = parser.parse_args(arguments)
    load, rows = os.getloadavg()[0], []
    for name in asked.names or KINDS:
        rows.append(row(name, quick=asked.quick))
        print(rows[-1], flush=True)
    if not asked.names and not asked.quick:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(before + table(rows, load) + rest.partition(END)[2], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
