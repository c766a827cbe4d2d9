"""The tables and figures of Gao, Garg, Mahmoody and Vasudevan (deletion-inference.md) on bundled data.

`python -m benchmarks.paper.deletion_inference` plays 1,000 games a cell and writes the page docs/paper-deletion-inference.md.
Each cell is kept in a JSON file of its own under `--cells`, piece by piece: a run that was stopped goes on where it was.
`--games N` is for fewer games, `--only inference.iris` for some of the cells (and no page), `--workers N` for another number of
processes than two, `--results FILE` to write the page from what an earlier run found.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
from pathlib import Path
from typing import Any

from benchmarks.paper import publishing
from benchmarks.paper.inference import cells, grammar, keeping, labels, large, nearest, page, pictures

WORKERS = 2
_ROOT = Path(__file__).resolve().parents[2]


def results(folder: Path) -> dict[str, Any]:
    """Everything that the page tells, as JSON holds it: the cells that were played, and what is drawn by no game."""
    every = cells.every()
    played = {name: keeping.played(folder, name) for name in every}
    found: dict[str, Any] = {
        "games": cells.GAMES,
        "cells": {name: each for name, each in played.items() if each["games"]},
        "asked": {name: cell.games for name, cell in every.items()},
        "known": labels.known_instance(),
        "pictures": pictures.pictures(cells.PICTURES),
        "known_records": nearest.KNOWN,
        "asked_rows": labels.ASKED,
        "large": {"small-cnn": "small CNN", "mlp": "MLP"},
        "sizes": list(large.SIZES),
        "batch": large.BATCH,
        "sentences": grammar.SENTENCES,
        "words": grammar.WORDS,
    }
    listed: dict[str, Any] = json.loads(json.dumps(found))
    return listed


def main() -> None:
    """Play, print the page, and write it with its figures and results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=cells.GAMES, help="most games a cell; 0 to play none")
    parser.add_argument("--cells", type=Path, default=Path(".paper-cells"), help="folder where the cells are kept")
    parser.add_argument("--only", default="", help="a cell, or the beginning of names up to a point; writes no page")
    parser.add_argument("--workers", type=int, default=WORKERS, help="processes")
    parser.add_argument("--out", type=Path, default=_ROOT / "docs", help="folder for the page")
    parser.add_argument("--results", type=Path, help="write the page from this file instead of playing")
    asked = parser.parse_args()
    if asked.results:
        found = json.loads(asked.results.read_text(encoding="utf-8"))
    else:
        for name, cell in cells.every().items():
            if f"{name}.".startswith(asked.only and f"{asked.only}."):
                keeping.play(asked.cells, name, cell.make, min(asked.games, cell.games), workers=asked.workers)
        if asked.only:
            return
        found = results(asked.cells)
    text = page.page(found)
    print(text)
    publishing.write(asked.out, page.NAME, text, page.figures(found), found)


if __name__ == "__main__":
    main()
