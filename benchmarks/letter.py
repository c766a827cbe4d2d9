"""How long a letter takes: one as a whole command, and one after another for every request."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import Figure, Times, command, commands
from benchmarks.recorded import evidence


@dataclass(frozen=True, slots=True)
class Sizes:
    """How often each command runs, and over how many requests."""

    repeats: int
    requests: int


USUAL, TINY = Sizes(repeats=5, requests=10), Sizes(repeats=1, requests=2)


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time whole commands as processes."""
    with tempfile.TemporaryDirectory() as folder:
        path, recorded = Path(folder) / "evidence.json", evidence(sizes.requests)
        path.write_bytes(recorded.to_bytes())
        first = ("--request", recorded.requests[0].request_id)
        # Each to a place of its own: where a letter lies, the command reads that one too.
        costs = [
            command("certificate", str(path), *first, "--draft", "-o", f"{folder}/{number}.pdf")
            for number in range(1 + sizes.repeats)
        ][1:]
        one = Times(tuple(cost.seconds for cost in costs), tuple(cost.processor for cost in costs))
        yield one.figure("one")
        every = commands("certificate", str(path), "--draft", "--all", f"{folder}/all", repeats=sizes.repeats)
        taken = (
            tuple((whole - least) / (sizes.requests - 1) for whole, least in zip(these, those, strict=True))
            for these, those in ((every.wall, one.wall), (every.processor, one.processor))
        )
        wall, processor = taken
        yield Figure("further", wall, "s", processor)
