"""The page docs/certified-removal-figures.md and its figures, from the results alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from auditor.pages import planned
from benchmarks.paper import removal_drawing
from benchmarks.paper.publishing import RESULTS

NAME: Final = "certified-removal-figures"
_ROWS: Final = {
    "worst-case": "worst case, corrected for b",
    "as-printed": "as printed (Corollaries 1 and 2)",
    "online": "online, no pass over the data",
    "tightened": "tightened",
    "local": "local, which decides in an audit",
    "measured": "measured residual",
}


def page(found: Mapping[str, Any]) -> str:
    """The page in Markdown."""
    loader = FileSystemLoader(Path(__file__).parent)
    environment = Environment(loader=loader, undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True)
    scope = found["scope"]
    return (
        environment.get_template("removal.md.j2").render(
            name=NAME,
            results=RESULTS,
            scope=scope,
            plan=found["trade_offs"],
            sentence=found["trade_offs"]["sentence"],
            minutes=max(1, round(found["seconds"] / 60)),
            bounds=[_bound(found, key) for key in _ROWS],
            budget=found["budget"],
            classical_budget=found["classical_budget"],
            single=_ratios(found["bounds"]["1"]),
            linear=_half(found["bounds"]["1"]["as-printed"]),
            pictures=found["pictures"],
            unlike=_margins(found["pictures"]["residual"]),
        )
        + "\n"
    )


def figures(found: Mapping[str, Any]) -> dict[str, str]:
    """The figures by name, as SVG."""
    return {
        "figure-1": planned.svg(found["trade_offs"]),
        "figure-2": removal_drawing.bounds(found["bounds"], found["budget"]),
        "figure-3": removal_drawing.pictures(found["pictures"]),
    }


def _bound(found: Mapping[str, Any], key: str) -> dict[str, str]:
    """One row of the table: what the bound adds up to, and how many removals it certifies."""
    cells = {"name": _ROWS[key]}
    for size, series in found["bounds"].items():
        values, removed = series[key], series["removed"]
        within = [count for count, value in zip(removed, values, strict=True) if value <= found["budget"]]
        least = "at least " if len(within) == len(values) else ""
        cells[f"end_{size}"] = f"{values[-1]:.3g}"
        cells[f"served_{size}"] = f"{least}{int(within[-1]) if within else 0}"
    sizes = list(found["bounds"])
    return {
        "name": cells["name"],
        **{f"{kind}{at}": cells[f"{kind}_{size}"] for at, size in enumerate(sizes) for kind in ("end", "served")},
    }


def _ratios(series: Mapping[str, Sequence[float]]) -> dict[str, str]:
    """How much larger each bound ends than the measured residual."""
    return {key.replace("-", "_"): f"{values[-1] / series['measured'][-1]:,.0f}" for key, values in series.items()}


def _half(values: Sequence[float]) -> float:
    """The share of its end that a series has reached half way; one half where it is a line."""
    return values[len(values) // 2 - 1] / values[-1]


def _margins(found: Mapping[str, Any]) -> dict[str, float]:
    ends = {end: [each["margin"] for each in found[end]] for end in ("hardest", "easiest")}
    wrong = sum(each < 0 for each in ends["hardest"])
    return {"wrong": wrong, **{end: sum(values) / len(values) for end, values in ends.items()}}
