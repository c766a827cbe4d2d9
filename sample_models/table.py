"""Writes the table of samples from every `sample.toml`: python sample_models/table.py [--write sample_models/README.md]."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from auditor.base.samples import Sample, every
from auditor.verdict.decisions import decide_verdict

BEGIN = "<!-- samples: from sample_models/*/sample.toml, written by `make samples-table` -->"
END = "<!-- end of samples -->"
_HEAD = ("sample", "procedure", "what it shows", "verdict, exit code", "fails", "inconclusive")


def table() -> str:
    """Write the table in Markdown: samples of one procedure together, by name."""
    ordered = sorted(every(), key=lambda each: (each.procedure, each.name))
    return "\n".join(_row(cells) for cells in (_HEAD, ("---",) * len(_HEAD), *map(_cells, ordered)))


def placed(text: str) -> str:
    """Put the table between the two markers of a text.

    Raises:
        ValueError: If a marker is missing.
    """
    before, rest = text.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def _cells(sample: Sample) -> tuple[str, ...]:
    return (
        f"[`{sample.name}`]({sample.name}/README.md)",
        sample.procedure,
        sample.purpose,
        f"{decide_verdict(sample.exit_code)}, {sample.exit_code}",
        _ids(sample.fails),
        _ids(sample.inconclusive),
    )


def _ids(found: Iterable[str]) -> str:
    return ", ".join(f"`{check_id}`" for check_id in sorted(found))


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print the table, or write it into a file."""
    parser = argparse.ArgumentParser(description="the table of samples")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put it between the markers of this file")
    path = parser.parse_args().write
    if path is None:
        print(table())
    else:
        path.write_text(placed(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
