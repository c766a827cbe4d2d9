"""Measures this project next to its peers, keeps the figures in results.json, and writes docs/peers.md.

    python -m benchmarks.peers [--tiny | --page] [NAME …]

measures some comparisons again and leaves the others as they are; peers that are not installed are fetched first.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from typing import Any, Final

from benchmarks import machine
from benchmarks.peers import accounting, bounds, databases, environments, membership, page, removal, stores, verdicts
from benchmarks.peers.sizes import TINY, USUAL, Sizes

COMPARISONS: Final[Mapping[str, Callable[[Sizes, Collection[str]], dict[str, Any]]]] = {
    "membership": membership.measure,
    "verdicts": verdicts.measure,
    "bounds": bounds.measure,
    "accounting": accounting.measure,
    "removal": removal.measure,
    "stores": stores.measure,
    "databases": databases.measure,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(COMPARISONS)}; all of them if left out")
    sizes = parser.add_mutually_exclusive_group()
    sizes.add_argument("--tiny", action="store_true", help="tiny sizes; nothing is written")
    sizes.add_argument("--page", action="store_true", help="write the page again without measuring")
    asked = parser.parse_args(arguments)
    if unknown := [name for name in asked.names if name not in COMPARISONS]:
        parser.error(f"no such comparison: {', '.join(unknown)}; there are {', '.join(COMPARISONS)}")
    if not asked.page:
        found = environments.prepare(install=True)
        for name in asked.names or COMPARISONS:
            result = measured(name, TINY if asked.tiny else USUAL, found)
            if not asked.tiny:
                _keep(name, result, environments.stated(found))
    if not asked.tiny:
        results = page.read()
        if lacking := [name for name in COMPARISONS if name not in results]:
            parser.error(f"the page also needs: {', '.join(lacking)}")
        page.PAGE.write_text(page.page(results), encoding="utf-8")
    return 0


def measured(name: str, sizes: Sizes, found: Mapping[str, environments.Environment]) -> dict[str, Any]:
    """Measure one comparison by the peers that can be used."""
    usable = {peer for peer, each in found.items() if not each.problem}
    began, load = time.monotonic(), machine.load()
    print(f"{name}, load average {load:.1f}", flush=True)
    result = COMPARISONS[name](sizes, usable)
    seconds = time.monotonic() - began
    print(f"  took {seconds:.0f} s", flush=True)
    return {"date": datetime.now(tz=UTC).date().isoformat(), "load": load, "seconds": round(seconds), **result}


def _keep(name: str, result: Mapping[str, Any], peers: Mapping[str, Any]) -> None:
    results = page.read() if page.RESULTS.exists() else {}
    here = {**machine.here(), "scikit-learn": metadata.version("scikit-learn")}
    results.pop("remark", None)  # It is about an earlier run.
    results |= {"machine": here, "peers": peers, name: result}
    page.RESULTS.write_text(page.written(results), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
