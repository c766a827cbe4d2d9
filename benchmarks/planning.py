"""How long `auditor plan` takes on digits, two classes and ten, on two processes, and with data deletion on breast cancer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from auditor import case as cases
from auditor.parts.removal.planning.document import Target
from auditor.parts.removal.planning.search import plan, search_for
from benchmarks.measuring import SAMPLES, Figure, commands, times

CASES = {"two-classes": "digits-newton", "ten-classes": "digits-ten-classes"}


@dataclass(frozen=True, slots=True)
class Sizes:
    """What is planned."""

    deletions: int
    rows: tuple[str, ...] = tuple(CASES)
    quick: bool = False
    jobs: int = 2
    data_deletion: bool = True


USUAL, TINY = Sizes(deletions=50), Sizes(deletions=3, rows=("two-classes",), quick=True, jobs=1, data_deletion=False)


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time the plans of the grids, and the command for data deletion."""
    for row in sizes.rows:
        case = cases.read(SAMPLES / CASES[row])
        search = search_for(case, seed=0, quick=sizes.quick)
        target = Target(sizes.deletions, 1.0, 1e-4)
        taken = times(partial(plan, case, target, search, jobs=sizes.jobs), repeats=1, warm_up=0)
        # Its processes do the work: the time of this one says nothing.
        yield Figure(row, taken.wall, "s")
    if sizes.data_deletion:
        asked = ("--data-deletion", "--epsilon", "0.1", "--seen", "3")
        yield commands("plan", str(SAMPLES / "breast-cancer-dp"), *asked, repeats=2).figure("data-deletion")
