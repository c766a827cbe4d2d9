"""The tables and figures of Gao, Garg, Mahmoody and Vasudevan (deletion-inference.md) on bundled data.

`python -m benchmarks.paper.deletion_inference` plays 1,000 games a cell and writes the page docs/paper-deletion-inference.md.
Each cell is kept in a JSON file of its own under `--cells`, piece by piece: a run that was stopped goes on where it was.
`--games N` is for fewer games, `--only PREFIX` for some of the cells, `--workers N` for another number of processes than two.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import sys
from pathlib import Path

from benchmarks.paper.inference import cells, keeping

WORKERS = 2


def main() -> None:
    """Play, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=cells.GAMES, help="most games a cell")
    parser.add_argument("--cells", type=Path, default=Path(".paper-cells"), help="folder where the cells are kept")
    parser.add_argument("--only", default="", help="play the cells whose name begins so")
    parser.add_argument("--workers", type=int, default=WORKERS, help="processes")
    asked = parser.parse_args()
    for name, cell in cells.every().items():
        if name.startswith(asked.only):
            keeping.play(asked.cells, name, cell.make, min(asked.games, cell.games), workers=asked.workers)
    print("played", file=sys.stderr)


if __name__ == "__main__":
    main()
