"""docs/speed.md, written from benchmarks/measured.json: every row with its figure, or what it was on an earlier day.

    python -m benchmarks.page

writes it again without measuring, after a change of words in `benchmarks.rows`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any, Final

from benchmarks import growth_drawing
from benchmarks.rows import GROUPS, NOTES, Row

ROOT: Final = Path(__file__).resolve().parent.parent
MEASURED: Final = ROOT / "benchmarks" / "measured.json"
PAGE: Final = ROOT / "docs" / "speed.md"
_HEAD: Final = """\
# Speed

`make bench` measures these figures and writes this page.
It keeps them, each with its date and machine, in [measured.json](../benchmarks/measured.json).
`python -m benchmarks NAME …` measures some benchmarks again, by the names in the last column.
`python -m benchmarks --long` also measures what takes more than a few minutes; rows on a GPU and on Ray need these.
A row that was not measured keeps its figure, and has its date in brackets, and its machine where it was another.

A figure is the median of its repeats, or of the seeds, tables or programs that its row names, with the least and the
most in brackets; without brackets it was measured once.
"N times": the first of two things is N times as fast, or as large, as the second; where the aim is "at most", less is
better.
"Not measured": measured.json has no figure; [scaling](scaling.md) has some of these, with their date.
An exponent of 1 says that twice as much takes twice as long.
"Processor" is the processor time of a command, which other work on the machine changes less than the time on the clock.
Aims are targets that no test enforces: {missed} of {aims} that were measured are missed, and say so.
"""
_LIMIT: Final = re.compile(r"(under|at most|at least) \+?([\d.,]+)(?: (s|ms|GB|%))?")

Measured = dict[str, Any]


def read(path: Path = MEASURED) -> Measured:
    """The figures that were measured so far."""
    found: Measured = json.loads(path.read_text(encoding="utf-8"))
    return found


def written(measured: Measured) -> str:
    """measured.json as it is kept."""
    return json.dumps(measured, indent=1, ensure_ascii=False) + "\n"


def page(measured: Measured) -> str:
    """The whole page."""
    figures, machines = measured["figures"], measured["machines"]
    date = max(each["date"] for each in figures.values())
    last = [each for each in figures.values() if each["date"] == date]
    machine = Counter(each["machine"] for each in last).most_common(1)[0][0]
    told = [is_missed(row.aim, figures[row.key]) for rows in GROUPS.values() for row in rows if row.aim and row.key in figures]
    head = _HEAD.format(missed=told.count(True), aims=len(told) - told.count(None))
    parts = [head, _measured_on(date, machine, measured)]
    for title, rows in GROUPS.items():
        said = (*NOTES[title], "") if title in NOTES else ()
        lines = [f"## {title}", "", *said, "| what | measured | aim | benchmark |", "|---|---|---|---|"]
        lines += [_line(row, figures.get(row.key), date, machine) for row in rows]
        parts.append("\n".join(lines) + "\n")
    others = {each["machine"] for each in figures.values()} - {machine}
    if others:
        lines = ["## Other machines", "", *(f"- {name}: {_described(machines[name])}." for name in sorted(others))]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _measured_on(date: str, machine: str, measured: Measured) -> str:
    loads = sorted(
        each["load"]
        for each in measured["figures"].values()
        if (each["date"], each["machine"]) == (date, machine) and "load" in each
    )
    here = measured["machines"][machine]
    lines = [f"Measured on {date}, on {_described(here)}."]
    if loads:
        # A benchmark keeps the cores busy by itself, and the average holds what the one before it left.
        if median(loads) > 1.5 * here.get("cores", 1):
            lines.append("Other programs kept the machine busy, so wall-clock times are longer than on an idle machine.")
        lines.append(f"When a benchmark began, the load average was {loads[0]:.1f} to {loads[-1]:.1f}.")
    before = sorted(each["load"] for each in measured["figures"].values() if each["date"] != date and "load" in each)
    if before:
        lines.append(f"Of figures with an earlier date it was {before[0]:.1f} to {before[-1]:.1f}: under load, times are longer.")
    return "\n".join(lines) + "\n"


def _described(machine: Mapping[str, Any]) -> str:
    if "described" in machine:
        return str(machine["described"])
    parts = [
        machine["cpu"],
        f"{machine['cores']} cores",
        f"{machine['memory_gb']} GB of memory",
        machine["gpu"] or "no GPU",
        machine["system"],
        f"Python {machine['python']}",
        f"NumPy {machine['numpy']} with {machine['blas']}",
        f"PyTorch {machine['torch']}",
        "one thread a process" if machine["threads"] == 1 else f"{machine['threads']} threads a process",
    ]
    return ", ".join(parts)


def _line(row: Row, figure: Mapping[str, Any] | None, date: str, machine: str) -> str:
    found = "not measured"
    if figure is not None:
        own = [] if figure["date"] == date and figure["machine"] == machine else [figure["date"]]
        own += [] if figure["machine"] == machine else [figure["machine"]]
        found = cell(figure) + (f" ({', '.join(own)})" if own else "")
    missed = ", missed" if figure is not None and row.aim and is_missed(row.aim, figure) else ""
    return f"| {row.what} | {found} | {row.aim}{missed} | {row.benchmark} |"


def is_missed(aim: str, figure: Mapping[str, Any]) -> bool | None:
    """Whether the median, as it is printed, misses an aim; None where the aim or the figure is in words."""
    found = _LIMIT.fullmatch(aim)
    if "text" in figure or (found is None and aim != "all"):
        return None
    values, unit = figure["values"], figure["unit"]
    if found is None:
        return bool(values[0] < int(unit.removeprefix("of ")))
    side, limit, of = found.groups()
    if of is not None and of != unit:
        raise ValueError(f"an aim in {of} for a figure in {unit}")
    printed = float(_number(median(values), unit).replace(",", "").replace("−", "-"))
    most = float(limit.replace(",", ""))
    return printed < most if side == "at least" else printed >= most if side == "under" else printed > most


def cell(figure: Mapping[str, Any]) -> str:
    """A figure as it is printed."""
    if "text" in figure:
        return str(figure["text"])
    values, unit = figure["values"], figure["unit"]
    if unit.startswith("of "):
        return f"{values[0]:.0f} {unit}"
    numbers = [_number(each, unit) for each in (median(values), min(values), max(values))]
    spread = f" ({numbers[1]} to {numbers[2]})" if numbers[1] != numbers[2] else ""
    processor = f", processor {_number(median(figure['processor']), 's')} s" if figure.get("processor") else ""
    return f"{' '.join([numbers[0], unit]).strip()}{spread}{processor}"


def _number(value: float, unit: str) -> str:
    """Three digits, and two below 1: more would be chance."""
    if unit == "%":
        return f"{value:+.0f}".replace("-", "−")
    if value >= 99.95:
        return f"{value:,.0f}"
    if value >= 9.995:
        return f"{value:.1f}"
    return f"{value:.2f}" if value >= 0.995 else f"{value:.2g}"


def write(measured: Measured) -> None:
    """Write the page, and the figure of growth once that was measured."""
    PAGE.write_text(page(measured), encoding="utf-8")
    if "growth.records" in measured["figures"]:
        growth_drawing.FIGURE.write_text(growth_drawing.svg(measured["figures"]), encoding="utf-8")


if __name__ == "__main__":
    write(read())
