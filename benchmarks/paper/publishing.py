"""What the commands of this folder do alike: measure or read results, print a page, write it with its figures."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final

RESULTS: Final = "results.json"
_ROOT: Final = Path(__file__).resolve().parents[2]


def run(description: str | None, measure: Callable[[bool], Mapping[str, Any]], document: ModuleType) -> None:
    """Measure, print the page, and write it where a folder is named; the full run writes to docs.

    Args:
        description: For `--help`.
        measure: The results, from tiny sizes or in full.
        document: With NAME, page(results) and figures(results).
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help="tiny sizes, which show nothing but that all of it runs")
    parser.add_argument("--out", type=Path, help="folder for the page; docs in a full run, nowhere in a quick one")
    parser.add_argument("--results", type=Path, help="write the page from this file instead of measuring")
    asked = parser.parse_args()
    found = json.loads(asked.results.read_text(encoding="utf-8")) if asked.results else measure(asked.quick)
    page = document.page(found)
    print(page)
    folder = asked.out or (None if asked.quick else _ROOT / "docs")
    if folder is not None:
        write(folder, document.NAME, page, document.figures(found), found)


def write(folder: Path, name: str, page: str, figures: Mapping[str, str], found: Mapping[str, Any]) -> None:
    """Page, figures and results: FOLDER/NAME.md and FOLDER/NAME/."""
    beside = folder / name
    beside.mkdir(parents=True, exist_ok=True)
    (beside / RESULTS).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    for figure, drawn in figures.items():
        (beside / f"{figure}.svg").write_text(drawn, encoding="utf-8")
    (folder / f"{name}.md").write_text(page, encoding="utf-8")
