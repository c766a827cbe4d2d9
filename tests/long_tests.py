"""Which tests take long, by a run in which each was measured; writes long_tests.txt: `python -m tests.long_tests JUNIT.xml …`.

It says when a test runs, in `make test` or in `make test-long`, and never whether: .ci/run calls both.
"""

from __future__ import annotations

import argparse
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean
from typing import Final

_ROOT: Final = Path(__file__).resolve().parents[1]
LIST: Final = _ROOT / "tests" / "long_tests.txt"
"""One test function a line, as pytest names it, without its parameters."""
LONG_S: Final = 0.4
"""Seconds on average over the parameters of a test, from which it is long. With these `make test` takes less than ten minutes on
two cores."""


def of(node_id: str) -> str:
    """The function of a test, whatever its parameters are."""
    return node_id.partition("[")[0]


def listed() -> frozenset[str]:
    """The functions whose tests take long."""
    return frozenset(LIST.read_text(encoding="utf-8").splitlines())


def measured(reports: Iterable[Path]) -> dict[str, float]:
    """The mean seconds of each function's tests, by reports of `pytest --junitxml`."""
    seconds = defaultdict[str, list[float]](list)
    for report in reports:
        for case in ET.parse(report).iterfind(".//testcase[@classname!='']"):
            seconds["::".join(_names(case.attrib))].append(float(case.attrib["time"]))
    return {function: fmean(each) for function, each in seconds.items()}


def _names(case: dict[str, str]) -> Iterator[str]:
    """The file of a test, its class where it has one, and its function."""
    parts = case["classname"].split(".")
    at = next(at for at in range(len(parts), 0, -1) if _ROOT.joinpath(*parts[:at]).with_suffix(".py").is_file())
    yield "/".join(parts[:at]) + ".py"
    yield from parts[at:]
    yield of(case["name"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.long_tests", description=__doc__)
    of_both = "what pytest --junitxml wrote of the tests that make test runs, and of those of make test-long"
    parser.add_argument("reports", type=Path, nargs="+", metavar="JUNIT.xml", help=of_both)
    found = measured(parser.parse_args().reports)
    LIST.write_text("".join(f"{each}\n" for each in sorted(found) if found[each] >= LONG_S), encoding="utf-8")
