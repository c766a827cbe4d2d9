"""How long a person waits: `auditor --help`, the demo audit, its report, three checks with their deletion games."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import SAMPLES, Figure, commands

PLAYED = ("inference.example", "inference.instance", "reconstruction.label")
"""The checks that play deletion games with noisy descent, a thousand games each, trained many at a time."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How often each command runs, and what of the demo is audited."""

    helps: int
    demos: int
    demo: tuple[str, ...] = ()
    """Further options of the demo audit."""
    played: tuple[str, ...] = PLAYED


USUAL = Sizes(helps=5, demos=5)
TINY = Sizes(helps=1, demos=1, demo=("--quick", "--only", "log.consistency"), played=())


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time whole commands as processes."""
    yield commands("--help", repeats=sizes.helps, warm_up=1).figure("help")
    with tempfile.TemporaryDirectory() as folder:
        evidence, again = str(Path(folder) / "evidence.json"), str(Path(folder) / "again.pdf")
        # Less than the whole leaves it open, and the exit code says so.
        codes = (0, 3) if sizes.demo else (0,)
        demo = ("check", str(SAMPLES / "digits-newton"), "--out", folder, "--fresh", *sizes.demo)
        yield commands(*demo, repeats=sizes.demos, warm_up=1, codes=codes).figure("demo")
        yield commands("report", evidence, "-o", again, repeats=sizes.demos, warm_up=1).figure("report")
        only = [word for check in sizes.played or ("log.consistency",) for word in ("--only", check)]
        games = ("check", str(SAMPLES / "breast-cancer-dp"), *only, "--out", f"{folder}/games")
        yield commands(*games, repeats=1, codes=(0, 3)).figure("games")
