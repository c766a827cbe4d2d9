"""The page docs/paper-swap.md and its figures, from the results alone."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from benchmarks.paper import drawing, published, tables
from benchmarks.paper.drawing import Series
from benchmarks.paper.orders import agreement
from benchmarks.paper.publishing import RESULTS
from benchmarks.paper.scoring import ATTACK_SETS
from benchmarks.paper.tables import epsilon_label, identity, mia, quality, rows

NAME: Final = "paper-swap"


def page(found: Mapping[str, Any]) -> str:
    """The page in Markdown."""
    loader = FileSystemLoader(Path(__file__).parent)
    environment = Environment(loader=loader, undefined=StrictUndefined, autoescape=False)
    return environment.get_template("page.md.j2").render(_context(found)) + "\n"


def figures(found: Mapping[str, Any]) -> dict[str, str]:
    """The figures by name, as SVG."""
    epsilons = tuple(epsilon_label(column["epsilon"]) for column in found["table1"])
    games = tuple(str(number) for number in range(1, len(found["seeds"]) + 1))
    sizes = tuple(str(column["records"]) for column in found["sizes"])
    ours = quality("all")
    return {
        "quality": drawing.svg(
            [
                Series("Q, the paper's attacks", "ε", epsilons, rows(found["table1"], quality("paper"))),
                Series("Q, all attacks", "ε", epsilons, rows(found["table1"], ours)),
            ],
            "Unlearning quality Q against epsilon of the training, method by method, by the paper's attacks and by all.",
        ),
        "other-scores": drawing.svg(
            [
                Series("IC score", "ε", epsilons, rows(found["table3"], identity)),
                Series("MIA score, 1 − AUC", "ε", epsilons, rows(found["table1"], mia)),
            ],
            "Interclass-confusion score and MIA score against epsilon of the training, method by method.",
        ),
        "sizes-and-seeds": drawing.svg(
            [
                Series("Q, all attacks, by data size", "records", sizes, rows(found["sizes"], ours)),
                Series("Q, all attacks, by seed", "game", games, rows(found["seeds"], ours)),
            ],
            "Unlearning quality Q over sizes of the data and over seeds of the game, method by method.",
        ),
    }


def _context(found: Mapping[str, Any]) -> dict[str, Any]:
    columns, plan = found["table1"], found["plan"]
    plain = columns[-1]
    shared = list(published.QUALITY)
    theirs = [published.QUALITY[name][None] for name in shared]
    identical = all(column["control"]["identical"] and column["control"]["quality"] == 1 for column in columns)
    falling = [column["methods"]["none"] for column in reversed(columns)]
    remarks = Path(__file__).with_name("remarks.md").read_text(encoding="utf-8").strip()
    return {
        "name": NAME,
        "results": RESULTS,
        "plan": plan,
        "trained": plain["trained"],
        "forgotten": plain["forgotten"],
        "delta": f"{plan['delta']:g}",
        "noises": tables.noises(columns),
        "minutes": round(found["seconds"] / 60),
        "quality": {chosen: tables.qualities(columns, chosen) for chosen in ATTACK_SETS},
        "control": "exactly 1 in every column, its outputs equal bit for bit" if identical else "other values than 1: a bug",
        "least": epsilon_label(columns[0]["epsilon"]),
        "nothing": {chosen: ", ".join(f"{each[chosen]['value']:.3f}" for each in falling) for chosen in ATTACK_SETS},
        "order": {
            chosen: f"{agreement(theirs, [plain['methods'][name][chosen]['value'] for name in shared]):+.2f}"
            for chosen in ATTACK_SETS
        },
        "spread": tables.spread(found["table2"]),
        "confusion": tables.compared(found["table3"], identity, published.CONFUSION),
        "mia": tables.compared(columns, mia, published.MIA),
        "orders": tables.ordering(columns, found["table3"]),
        "sizes": _kept(found["sizes"]),
        "seeds": _kept(found["seeds"]),
        "lookup": tables.lookup(found["lookup"]),
        # They cover one run at full size, and would be wrong next to another's numbers.
        "remarks": remarks if plan["full"] else "Too small a run to remark on.",
    }


def _kept(columns: list[Mapping[str, Any]]) -> str:
    """How far the order of the methods is kept from one column to the next."""
    values = [[method["all"]["value"] for method in column["methods"].values()] for column in columns]
    return ", ".join(f"{agreement(one, other):+.2f}" for one, other in pairwise(values))
