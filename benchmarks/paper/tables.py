"""The tables of the page in Markdown: ours with its interval, the paper's number in parentheses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from benchmarks.paper import published
from benchmarks.paper.drawing import Estimate
from benchmarks.paper.learners import METHODS
from benchmarks.paper.orders import orders, rises_for_certain
from benchmarks.paper.published import Row
from benchmarks.paper.scoring import ATTACK_SETS

Column = Mapping[str, Any]
Pick = Callable[[Any], Estimate]
"""Takes a method's estimate out of what a column holds of it."""

_WORDS: Final = {"paper": "the paper's attacks", "all": "all attacks"}
_LOOKUPS: Final = {
    "patient": "both splits, and asks until it knows",
    "hasty": "both splits, and asks once",
    "single": "the first split",
}


def quality(chosen: str) -> Pick:
    """Q by one of the sets of attacks."""
    return lambda method: method[chosen]


def mia(method: Any) -> Estimate:
    """The MIA score."""
    found: Estimate = method["mia"]
    return found


def identity(method: Any) -> Estimate:
    """Where a column holds nothing else: its IC score."""
    found: Estimate = method
    return found


def rows(columns: Sequence[Column], pick: Pick) -> dict[str, list[Estimate]]:
    """By method, one estimate for each column."""
    return {name: [pick(column["methods"][name]) for column in columns] for name in METHODS}


def qualities(columns: Sequence[Column], chosen: str) -> str:
    """Table 1, with the control and the accuracy below."""
    lines = _lines(columns, quality(chosen), published.QUALITY)
    lines.append(["Retrain, equal seeds", *(f"{column['control']['quality']:.3f}" for column in columns)])
    accuracy = [_share(column["methods"]["none"]["accuracy"], published.ACCURACY, column["epsilon"]) for column in columns]
    lines.append(["Accuracy of None", *accuracy])
    return _table(_head(columns), lines)


def compared(columns: Sequence[Column], pick: Pick, theirs: Mapping[str, Row]) -> str:
    """Table 3 or 4."""
    return _table(_head(columns), _lines(columns, pick, theirs))


def spread(found: Mapping[str, Any]) -> dict[str, Any]:
    """Table 2, and what it comes to."""
    methods = found["methods"]
    lines = []
    for name, each in methods.items():
        cells = [METHODS[name]]
        for chosen in ATTACK_SETS:
            theirs = published.DEVIATIONS.get(name) if chosen == "paper" else None
            said = [f" ({value:.3f})" for value in theirs] if theirs else ["", ""]
            cells += [_triple(each[chosen][kind]) + words for kind, words in zip(("swap", "random"), said, strict=True)]
            cells.append(_triple(each[chosen]["ratio"], digits=1))
        lines.append(cells)
    ratios = [each[chosen]["ratio"] for each in methods.values() for chosen in ATTACK_SETS]
    head = ["", *(f"{kind}, {_WORDS[chosen]}" for chosen in ATTACK_SETS for kind in ("SWAP", "random", "ratio"))]
    return {
        "table": _table(head, lines),
        "forgotten": found["forgotten"],
        "smaller": sum(ratio["value"] > 1 for ratio in ratios),
        "surely": sum(ratio["low"] > 1 for ratio in ratios),
        "comparisons": len(ratios),
        **{kind: f"{methods['retrain']['paper'][kind]['mean']:.3f}" for kind in ("swap", "random")},
    }


def ordering(columns: Sequence[Column], confused: Sequence[Column]) -> str:
    """What each score does to orders, ours and the paper's."""
    scores: Mapping[str, tuple[Mapping[str, list[Estimate]], Mapping[str, Row]]] = {
        "Q, the paper's attacks": (rows(columns, quality("paper")), published.QUALITY),
        "Q, all attacks": (rows(columns, quality("all")), {}),
        "IC score": (rows(confused, identity), published.CONFUSION),
        "MIA score": (rows(columns, mia), published.MIA),
    }
    lines = []
    for name, (ours, theirs) in scores.items():
        cells = _order({method: [one["value"] for one in row] for method, row in ours.items()})
        lows, highs = ({method: [one[end] for one in row] for method, row in ours.items()} for end in ("low", "high"))
        others = _order({method: list(row.values()) for method, row in theirs.items()}) if theirs else ["–"] * len(cells)
        joined = [f"{cell} ({other})" for cell, other in zip(cells, others, strict=True)]
        lines.append([name, joined[0], str(rises_for_certain(lows, highs)), *joined[1:]])
    head = [
        "",
        "steps at which a score rises with ε",
        "for certain",
        "order at one ε against the next, mean τ",
        "at or above Retrain",
    ]
    return _table(head, lines)


def lookup(found: Mapping[str, Any]) -> str:
    """Proposition 3.9."""
    lines = [[words, _triple(found[name]["random"]), _triple(found[name]["swap"])] for name, words in _LOOKUPS.items()]
    return _table(["knows", "two random splits", "a swap pair"], lines)


def noises(columns: Sequence[Column]) -> str:
    """The noise multiplier of each private column."""
    private = [column for column in columns if column["epsilon"] is not None]
    return ", ".join(f"{column['noise_multiplier']:g} (ε = {epsilon_label(column['epsilon'])})" for column in private)


def epsilon_label(epsilon: float | None) -> str:
    """∞ without privacy."""
    return "∞" if epsilon is None else f"{epsilon:g}"


def _order(scores: Mapping[str, Sequence[float]]) -> list[str]:
    found = orders(scores)
    return [
        f"{found.against_epsilon} of {found.steps}",
        f"{found.agreement:+.2f}",
        f"{found.above_retrain} of {found.places}",
    ]


def _lines(columns: Sequence[Column], pick: Pick, theirs: Mapping[str, Row]) -> list[list[str]]:
    return [
        [
            METHODS[name],
            *(f"{_triple(one)} {_paper(theirs.get(name), column['epsilon'])}" for one, column in zip(row, columns, strict=True)),
        ]
        for name, row in rows(columns, pick).items()
    ]


def _head(columns: Sequence[Column]) -> list[str]:
    return ["", *(f"ε = {epsilon_label(column['epsilon'])}" for column in columns)]


def _share(ours: float, theirs: Row, epsilon: float | None) -> str:
    return f"{ours:.3f} {_paper(theirs, epsilon)}"


def _paper(theirs: Row | None, epsilon: float | None) -> str:
    return f"({theirs[epsilon]:.3f})" if theirs is not None and epsilon in theirs else "(–)"


def _triple(one: Estimate, digits: int = 3) -> str:
    return f"{one['value']:.{digits}f} [{one['low']:.{digits}f}, {one['high']:.{digits}f}]"


def _table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    written = [head, ["---"] * len(head), *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in written)
