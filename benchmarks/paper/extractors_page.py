"""The page docs/certified-removal-extractors.md and its figures, from the results alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median_low
from typing import Any, Final

from auditor.pages.figures.axes import Frame, Linear
from auditor.pages.figures.chart import WIDTH, Chart
from benchmarks.paper import drawing
from benchmarks.paper.drawing import Series
from benchmarks.paper.publishing import RESULTS

NAME: Final = "certified-removal-extractors"
METHODS: Final[Mapping[str, str]] = {
    "above": "head above",
    "private": "private",
    "untrained": "untrained",
    "plain": "not private",
}
"""What Figure 5 calls them."""
_ARMS: Final[Mapping[str, str]] = {
    "private": "the private network itself",
    "above": "linear model above the private network",
    "untrained": "linear model above an untrained network",
}
_TOP: Final = """# Removal above a feature extractor: stand-ins for two figures

Guo, Goldstein, Hannun and van der Maaten (*Certified data removal from machine learning models*) remove from linear models
above networks: in Figure 4 on LSUN and SST, in Figure 5 on SVHN.
None of these is bundled.
**What is here are stand-ins**: scikit-learn's digits, 8 × 8 pixels, and two convolutions with 16 and 32 filters, whose
{features} outputs are scaled to norm 1 row by row.
What can be compared is the shape.

`python -m benchmarks.paper.extractors` measures both ({minutes} minutes on busy cores) and writes this page, its figures and
[the numbers]({name}/{results}).

## Figure 4: a public extractor

![Stand-in on digits: accuracy against removals served]({name}/figure-4.svg)

**Stand-in**: a network trained on the digits 5 to 9, which count as public; above it five one-versus-rest classifiers of the
digits 0 to 4, {train} to learn from and {held_out} held out.
ε = {epsilon:g}, δ = {delta:g}; {draws} trainings, each with a random order of single removals, counted up to {removals}.
The first row is a model without the random term, from which nothing can be removed.

| λ | σ | removals served, median | least | accuracy | all {draws} trainings, 95 % |
| --- | --- | --- | --- | --- | --- |
"""
_PRIVATE: Final = """
{trade}

## Figure 5: a private extractor

![Stand-in on digits: accuracy against epsilon]({name}/figure-5.svg)

**Stand-in**: ten classes, {trained} digits to learn from and {held_out} held out; means of {draws} splits, with the least and
the largest.
Everybody's promise is for {people} people together, δ = {delta:g} at most.
The network learns by DP-SGD with every record in each of {steps} steps, so that its noise follows from the exact Gaussian for
{people} people (Theorem 5 adds ε and δ of both parts).
The linear model may spend ε/{people} more, with the least σ by which {people} removals stayed within the budget; λ = {l2:g}.

| arm | ε of the network | ε in all | accuracy |
| --- | --- | --- | --- |
"""
_BELOW: Final = """
- {private}
- {untrained}
- Without privacy and without removal the network reaches {plain}.
- Settings were chosen once and not tuned; the intervals are of {draws} splits, and no test of a difference.
"""


def page(found: Mapping[str, Any]) -> str:
    """The page in Markdown."""
    scope, public, private = found["scope"], found["public"], found["private"]
    given = {
        **{key: scope[key] for key in ("epsilon", "delta", "draws", "removals", "held_out", "people", "trained", "l2")},
        **{key: public[key] for key in ("train", "features")},
        "name": NAME,
        "results": RESULTS,
        "minutes": max(1, round(found["seconds"] / 60)),
        "steps": scope["private_steps"],
        "trade": _trade(public["rows"], scope["removals"]),
        "private": _compared(private["rows"], "above", "private", "the private network itself"),
        "untrained": _compared(private["rows"], "above", "untrained", "one above an untrained network, which costs no ε"),
        "plain": _share(private["plain"]),
    }
    settings = "\n".join(_setting(row, scope["removals"]) for row in public["rows"])
    arms = "\n".join(_arm(row, name, scope["people"]) for name in _ARMS for row in private["rows"])
    quick = "" if scope["full"] else "**Too small a run to show anything.**\n\n"
    text = _TOP.format(**given).replace("## Figure 4", f"{quick}## Figure 4")
    return text + settings + "\n" + _PRIVATE.format(**given) + arms + "\n" + _BELOW.format(**given)


def figures(found: Mapping[str, Any]) -> Mapping[str, str]:
    """Both figures by name, as SVG."""
    return {"figure-4": _figure_4(found), "figure-5": _figure_5(found)}


def _setting(row: Mapping[str, Any], most: int) -> str:
    served, reached = row["served"], row["accuracy"]
    middle, least = (f"{'at least ' if count == most else ''}{count}" for count in (median_low(served), min(served)))
    sigma = f"{row['sigma']:g}" if row["sigma"] else "none"
    interval = f"{100 * reached['low']:.1f} to {100 * reached['high']:.1f} %"
    return f"| {row['l2']:g} | {sigma} | {middle} | {least} | {100 * reached['value']:.1f} % | {interval} |"


def _trade(rows: Sequence[Mapping[str, Any]], counted: int) -> str:
    """What the removals cost, between the model without any and the one that serves most."""
    first, most = rows[0], max(rows, key=lambda row: (median_low(row["served"]), row["accuracy"]["value"]))
    at_least = "at least " if median_low(most["served"]) == counted else ""
    return (
        f"From {100 * first['accuracy']['value']:.1f} % without removals to {100 * most['accuracy']['value']:.1f} % with "
        f"{at_least}{median_low(most['served'])} of them (λ = {most['l2']:g}, σ = {most['sigma']:g})."
    )


def _arm(row: Mapping[str, Any], name: str, people: int) -> str:
    network = 0.0 if name == "untrained" else row["epsilon"]
    whole = network + (0.0 if name == "private" else row["epsilon"] / people)
    return f"| {_ARMS[name]} | {network:g} | {whole:g} | {_share(row['methods'][name])} |"


def _share(values: Sequence[float]) -> str:
    mean = sum(values) / len(values)
    return f"{100 * mean:.1f} % ({100 * min(values):.1f} to {100 * max(values):.1f})"


def _compared(rows: Sequence[Mapping[str, Any]], one: str, other: str, name: str) -> str:
    """At which ε of the network one arm is better than another in every split, and at which worse in every split."""
    shares = {f"{row['epsilon']:g}": list(zip(row["methods"][one], row["methods"][other], strict=True)) for row in rows}
    found = []
    for test, said in ((float.__gt__, "more"), (float.__lt__, "less")):
        where = [epsilon for epsilon, pairs in shares.items() if all(test(*each) for each in pairs)]
        found += [f"{said} accurate on every split at ε = {' and '.join(where)}"] if where else []
    outcome = ", and ".join(found) or "neither more nor less accurate on every split, at any ε"
    return f"Compared with {name}, the linear model above the private network is {outcome}."


def _figure_4(found: Mapping[str, Any]) -> str:
    rows, most = found["public"]["rows"], found["scope"]["removals"]
    chart = Chart(276.0, "Stand-in on digits: accuracy against removals served, by λ and σ.")
    low = min(row["accuracy"]["low"] for row in rows)
    frame = Frame(44.0, WIDTH - 120.0, 24.0, 232.0, Linear(0, most), Linear(max(0.0, low - 0.02), 1.0, finest=0.01), 10.0)
    frame.draw_up(chart)
    frame.draw_across(chart, f"removals served at ε = 1, counted up to {most}")
    for row in rows:
        x, reached = frame.x(median_low(row["served"])), row["accuracy"]
        chart.line(((x, frame.y(reached["low"])), (x, frame.y(reached["high"]))), "muted", width=0.7, name="interval")
        chart.mark("disc", x, frame.y(reached["value"]), "ink", size=2.6)
        label = f"{row['l2']:g}, {row['sigma']:g}" if row["sigma"] else "no removals"
        chart.note(x + 6, frame.y(reached["value"]) - 3, label)
    return f"{chart.svg()}\n"


def _figure_5(found: Mapping[str, Any]) -> str:
    rows = found["private"]["rows"]
    shown = {name: [_estimate(row["methods"][name]) for row in rows] for name in METHODS if name != "plain"}
    plain = [_estimate(found["private"]["plain"])] * len(rows)
    series = Series(
        "Accuracy, ten removals",
        "ε of the network",
        tuple(f"{row['epsilon']:g}" for row in rows),
        shown | {"plain": plain},
        METHODS,
    )
    return drawing.svg([series], "Stand-in on digits: accuracy against epsilon for ten people.")


def _estimate(values: Sequence[float]) -> dict[str, float]:
    return {"value": sum(values) / len(values), "low": min(values), "high": max(values)}
