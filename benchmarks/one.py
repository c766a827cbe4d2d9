"""Measures one benchmark in this process: python -m benchmarks.one NAME tiny|usual|long FILE."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from benchmarks import page
from benchmarks.measuring import Figure, MissedError
from benchmarks.rows import ROWS

MISSED: Final = 3
"""The exit code where the figures stand and something is wrong."""


def sizes(module: ModuleType, size: str) -> Any:
    """The sizes of a benchmark by name; its usual ones where it has no long ones. None where it has nothing but those."""
    usual = getattr(module, "USUAL", None)
    return getattr(module, size.upper(), usual)


def kept(figure: Figure) -> dict[str, Any]:
    """A figure as measured.json keeps it."""
    values: dict[str, Any] = {"values": [_rounded(each) for each in figure.values], "unit": figure.unit}
    if figure.processor:
        values["processor"] = [_rounded(each) for each in figure.processor]
    if figure.points:
        values["points"] = [[_rounded(each) for each in point] for point in figure.points]
    return values


def measure(name: str, size: str, found: dict[str, dict[str, Any]]) -> None:
    """Measure a benchmark, print each figure as it comes, and add it to `found` by the key of its row.

    Raises:
        KeyError: If a figure has no row.
        MissedError: If the figures stand and something is wrong.
    """
    module = import_module(f"benchmarks.{name}")
    chosen = sizes(module, size)
    if chosen is None:
        print("  takes long: measured with --long alone", flush=True)
        return
    for figure in module.measure(chosen):
        row = ROWS[f"{name}.{figure.row}"]
        found[row.key] = kept(figure)
        print(f"  {row.name:<26} {page.cell(found[row.key]):<44} {row.aim}", flush=True)


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")


def main() -> None:
    """Measure, and write the figures into a file once all of them are there."""
    name, size, file = sys.argv[1:]
    found: dict[str, dict[str, Any]] = {}
    code = 0
    try:
        measure(name, size, found)
    except MissedError as error:
        print(f"  {error}", flush=True)
        code = MISSED
    Path(file).write_text(json.dumps(found), encoding="utf-8")
    sys.exit(code)


if __name__ == "__main__":
    main()
