"""The page docs/continual-accuracy.md and its figure, from the results alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from benchmarks.paper import drawing
from benchmarks.paper.drawing import Series
from benchmarks.paper.publishing import RESULTS

NAME: Final = "continual-accuracy"
METHODS: Final[Mapping[str, str]] = {
    "ftrl-square-root": "FTRL, root",
    "ftrl-tree": "FTRL, tree",
    "dp-sgd": "DP-SGD",
    "retraining": "retraining",
}
"""What the figure calls them."""
_TOLD: Final[Mapping[str, tuple[str, str, str]]] = {
    "ftrl-square-root": (
        "DP-FTRL, square root",
        "a record added or removed; one pass",
        "sees every release, and once all that is kept",
    ),
    "ftrl-tree": ("DP-FTRL, tree", "a record added or removed; one pass", "sees every release, and once all that is kept"),
    "dp-sgd": (
        "DP-SGD",
        "a record added or removed; many passes, Poisson samples",
        "sees the final model; every step is paid for",
    ),
}
_NETWORKS: Final = {"logistic": "Multinomial logistic regression", "mlp": "One hidden layer of 32"}
_TOP: Final = """# What learning from a stream costs in accuracy

DP-FTRL (Cohen et al. 2023, Proposition 5.13; `use = "ftrl"`) alongside DP-SGD at the same ε and δ, and alongside
training from scratch after deletions, without noise.
The ε are equal as numbers and not as promises: each is printed with its neighbours and its adversary.
Scikit-learn's {digits} digits in ten classes, {records} for training and {held_out} held out, rows scaled to length 1;
δ = {delta:g}.

`python -m benchmarks.paper.continual` measures it ({minutes} minutes on busy cores) and writes this page with its
figure and [the numbers]({name}/{results}).

**Accuracy** is the mean over {measured} splits, each with a start and noise of its own, with Student's interval for the
mean ({confidence:g} %): of the drawing, on these digits.
Steps, epochs and rates were chosen on {tuned} other splits of the same digits: {streams} settings of DP-FTRL, {sampled} of
DP-SGD; no ε pays for that.
"""
_BELOW: Final = """
## What it says

- **{verdict}**
- What DP-FTRL gives for it: a model after every step while records still arrive, under one ε, with the state seen once;
  and a deletion costs nothing, today or later.
  DP-SGD needs all records at the start, and pays again when it is trained again.
- A release carries noise of √2 S/μ in each number of the sum, however many records there are, and {records} are few.
  The loss bound falls about with the square root of their number ([planning](planning.md#planning-a-stream)).
- Retraining hides nobody who stays; the {deleted} who were deleted it never saw.
  It trains once more for each request.
"""


def page(found: Mapping[str, Any]) -> str:
    """The page in Markdown."""
    scope = found["scope"]
    given = {
        "name": NAME,
        "results": RESULTS,
        "digits": scope["records"] + scope["held_out"],
        "minutes": max(1, round(found["seconds"] / 60)),
        "streams": len(scope["steps"]) * len(scope["rates"]),
        "sampled": len(scope["epochs"]) * len(scope["private_rates"]),
        "verdict": verdict(found),
        **scope,
    }
    lines = [_TOP.format(**given), f"![Accuracy against epsilon]({NAME}/accuracy.svg)"]
    for network, title in _NETWORKS.items():
        lines += [
            "",
            f"## {title}",
            "",
            "| method | ε | neighbours | adversary | accuracy | chosen |",
            "| --- | --- | --- | --- | --- | --- |",
        ]
        for row in _rows(found, network):
            for method, (name, neighbours, adversary) in _TOLD.items():
                cell = row["methods"][method]
                lines.append(
                    f"| {name} | {row['epsilon']:g} | {neighbours} | {adversary} | {_accuracy(cell)} | {_chosen(cell)} |"
                )
        plain = found["retraining"][network]
        lines.append(f"| retraining | none | none | none | {_accuracy(plain)} | {_chosen(plain)} |")
    return "\n".join(lines) + "\n" + _BELOW.format(**given)


def summary(found: Mapping[str, Any]) -> str:
    """What each network reaches at each ε, a row each, for a page on more than this: accuracies with their intervals."""
    scope = found["scope"]
    told = dict.fromkeys((name.partition(",")[0], *rest) for name, *rest in _TOLD.values())
    what = f"the mean over {scope['measured']} splits, and its {scope['confidence']:g} % interval; δ = {scope['delta']:g}"
    lines = [
        f"Accuracy on {scope['held_out']} held-out digits: {what}.",
        "",
        *(f"- {name}. Neighbours: {neighbours}. Adversary: {adversary}." for name, neighbours, adversary in told),
        "",
        f"| model | ε | {' | '.join(name for name, *_ in _TOLD.values())} | retraining, without noise |",
        f"| --- | --- | {' | '.join('---' for _ in _TOLD)} | --- |",
    ]
    for network, title in _NETWORKS.items():
        plain = _accuracy(found["retraining"][network])
        for row in _rows(found, network):
            cells = " | ".join(_accuracy(row["methods"][method]) for method in _TOLD)
            lines.append(f"| {title} | {row['epsilon']:g} | {cells} | {plain} |")
    return "\n".join(lines) + "\n"


def verdict(found: Mapping[str, Any]) -> str:
    """Say who is more accurate at equal ε, and by how much; a win only where intervals do not meet."""
    rows = found["rows"]
    behind = [row["methods"]["dp-sgd"]["value"] - _stream(row)["value"] for row in rows]
    apart = [_stream(row)["high"] < row["methods"]["dp-sgd"]["low"] for row in rows]
    ahead = sum(row["methods"]["dp-sgd"]["high"] < _stream(row)["low"] for row in rows)
    if all(apart):
        least, most = (f"{100 * each:.0f}" for each in (min(behind), max(behind)))
        return f"DP-FTRL loses to DP-SGD in every row, by {least} to {most} percentage points."
    return (
        f"DP-FTRL is less accurate than DP-SGD in {sum(apart)} of {len(rows)} rows, more accurate in {ahead}; "
        "in the others the intervals meet."
    )


def _stream(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The better of the two factorisations."""
    found: Mapping[str, Any] = max(
        (row["methods"][each] for each in ("ftrl-square-root", "ftrl-tree")), key=lambda one: one["value"]
    )
    return found


def _rows(found: Mapping[str, Any], network: str) -> list[Mapping[str, Any]]:
    return [row for row in found["rows"] if row["network"] == network]


def _accuracy(cell: Mapping[str, Any]) -> str:
    return f"{100 * cell['value']:.1f} % ({100 * cell['low']:.1f} to {100 * cell['high']:.1f})"


def _chosen(cell: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {cell[key]:g}" for key in ("steps", "epochs", "rate") if key in cell)


def figures(found: Mapping[str, Any]) -> Mapping[str, str]:
    """Accuracy against ε, a panel a network."""
    panels = [_panel(found, network, title) for network, title in _NETWORKS.items()]
    return {"accuracy": drawing.svg(panels, "Accuracy on held-out digits against epsilon, by method and network.")}


def _panel(found: Mapping[str, Any], network: str, title: str) -> Series:
    rows = _rows(found, network)
    private: dict[str, Sequence[Mapping[str, float]]] = {
        each: [_estimate(row["methods"][each]) for row in rows] for each in _TOLD
    }
    plain = [_estimate(found["retraining"][network])] * len(rows)
    return Series(title, "ε", tuple(f"{row['epsilon']:g}" for row in rows), {**private, "retraining": plain}, METHODS)


def _estimate(cell: Mapping[str, Any]) -> dict[str, float]:
    return {key: float(cell[key]) for key in ("value", "low", "high")}
