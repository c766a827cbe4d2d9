"""A JSON for each cell: games are added to it in pieces, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed

from auditor.base.writing import write_all

PIECE = 20
"""Games in a piece."""

Game = Callable[[int], dict[str, float]]
"""A game by its number: what it came to, each a number whose mean is wanted."""


def played(folder: Path, name: str) -> dict[str, Any]:
    """What a cell has come to so far: its games, sums and sums of squares of what each gave, and CPU seconds."""
    path = folder / f"{name}.json"
    if not path.exists():
        return {"games": 0, "sums": {}, "squares": {}, "cpu_seconds": 0.0}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def play(folder: Path, name: str, make: Callable[[], Game], games: int, *, workers: int) -> dict[str, Any]:
    """Play what a cell lacks to so many games, and keep it after every piece."""
    found = played(folder, name)
    first = found["games"]
    pieces = [range(start, min(start + PIECE, games)) for start in range(first, games, PIECE)]
    parallel = Parallel(n_jobs=min(workers, max(1, len(pieces))), return_as="generator")
    for piece, (sums, squares, seconds) in zip(pieces, parallel(delayed(_piece)(make, piece) for piece in pieces), strict=True):
        found["games"] = piece.stop
        for kind, added in (("sums", sums), ("squares", squares)):
            found[kind] = {key: found[kind].get(key, 0.0) + value for key, value in added.items()}
        found["cpu_seconds"] += seconds
        write_all({folder / f"{name}.json": f"{json.dumps(found, indent=1)}\n".encode()})
        print(f"{name}: {piece.stop} of {games} games, {found['cpu_seconds']:.0f} s of CPU time", file=sys.stderr, flush=True)
    return found


def _piece(make: Callable[[], Game], numbers: Sequence[int]) -> tuple[Mapping[str, float], Mapping[str, float], float]:
    started = time.process_time()
    game = make()
    sums: dict[str, float] = {}
    squares: dict[str, float] = {}
    for number in numbers:
        for key, value in game(number).items():
            sums[key] = sums.get(key, 0.0) + value
            squares[key] = squares.get(key, 0.0) + value * value
    return sums, squares, time.process_time() - started
