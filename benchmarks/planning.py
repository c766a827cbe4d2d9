"""How long `auditor plan` takes on digits: the whole grid and the quick one, two classes and ten, on two processes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from auditor import case as cases
from auditor.planning import Target, plan, search_for
from benchmarks.measuring import line, seconds

SAMPLES = Path(__file__).resolve().parent.parent / "sample_models"
TARGET = Target(50, 1.0, 1e-4)


def main() -> None:
    """Measure and print."""
    for name in ("digits-newton", "digits-ten-classes"):
        case = cases.read(SAMPLES / name)
        for quick in (True, False):
            search = search_for(case, seed=0, quick=quick)
            taken = seconds(partial(plan, case, TARGET, search, jobs=2), repeats=1, warm_up=0)
            grid = f"{len(search.l2) * len(search.sigma)} settings, {search.draws} orders"
            line(
                f"auditor plan {name}, {TARGET.deletions} deletions: {grid}", f"{taken:.1f} s", "" if quick else "about a minute"
            )


if __name__ == "__main__":
    main()
