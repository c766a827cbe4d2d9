"""A plan for data deletion for readers: a table on a terminal, from the plan's document alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from auditor.report import wording
from auditor.words import guesses

if TYPE_CHECKING:
    from rich.console import Console

_HEADINGS: Final = ("λ", "ε_dp", "σ²", "learn", "unlearn", "saved", "accuracy", "interval", "risk ≤")
_LEGEND: Final = (
    "▶ recommended  ● keeps the promise  ○ does not. learn, unlearn: steps; saved: gradients of a request, compared with "
    "learning from scratch; risk ≤: a bound on the mean excess of the mean loss after any number of updates."
)


def deletion_table(document: Mapping[str, Any], console: Console) -> None:
    """Print the promise, every row, what is assumed, and as the last line the sentence.

    Strings are cleaned and never read as markup.
    """
    from rich import box  # noqa: PLC0415 - only where a terminal is written to
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console.print(Text(_promise(document)), soft_wrap=True)
    shown = Table(box=box.SIMPLE_HEAD, padding=0, expand=False)
    shown.add_column("", no_wrap=True, min_width=1)
    cells = [_cells(row) for row in document["settings"]]
    for number, heading in enumerate(_HEADINGS):
        width = max(len(heading), *(len(each[number]) for each in cells))
        shown.add_column(heading, justify="right", no_wrap=True, min_width=width)
    for row, texts in zip(document["settings"], cells, strict=True):
        mark = "▶" if row == document["recommended"] else "●" if row["serves"] else "○"
        shown.add_row(Text(mark), *(Text(text, style="green" if row["serves"] else "dim") for text in texts))
    console.print(shown)
    reasons: dict[str, list[str]] = {}
    for row in document["settings"]:
        if row["reason"]:
            reasons.setdefault(row["reason"], []).append(f"λ {row['l2']:g}, ε_dp {row['epsilon_dp']:.3g}")
    for reason, rows in reasons.items():
        named = "; ".join(rows[:3]) + (f"; {len(rows) - 3} more" if len(rows) > 3 else "")
        console.print(Text(f"○ {wording.short(reason, 300)}: {named}", style="dim"), soft_wrap=True)
    bare = ", ".join(f"λ {each['l2']:g}: {each['accuracy']:.3f}" for each in document["without_noise"])
    scores = f"Ignoring the record scores {document['baseline']:.3f}; without noise {bare}."
    for said in (
        _LEGEND,
        f"Accuracy after unlearning: {document['measure']}. {scores}",
        *document["assumptions"],
    ):
        console.print(Text(wording.shown(said), style="dim"), soft_wrap=True)
    console.print(Text(wording.shown(document["sentence"])), soft_wrap=True)


def _promise(document: Mapping[str, Any]) -> str:
    promise = document["promise"]
    seen = f", {promise['seen']} published models seen" if promise["seen"] else ""
    deleted = wording.plural(promise["deletions"], "deletion")
    goal = f"ε = {wording.number(promise['epsilon'])} at order {promise['order']:g} for {deleted}{seen}"
    size = f"{wording.number(document['records'])} records, {document['loss']} loss, {document['parameters']} parameters"
    right = guesses.at_most(guesses.of_advantage(document["advantage"]))
    return (
        f"{wording.short(document['case'], 60)}: {goal}; {size}, {document['search']['draws']} trainings each. Anyone "
        f"who sees what is released after a deletion, and guesses whether the record was ever there, is right at most {right} of "
        "100 times. Guessing is right 50 times."
    )


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    accuracy, share = row["accuracy"], row["saved_share"]
    return (
        f"{row['l2']:g}",
        f"{row['epsilon_dp']:.3g}",
        f"{row['sigma2']:.3g}" if row["sigma2"] is not None else "",
        str(row["learn_steps"]) if row["learn_steps"] is not None else "",
        str(row["unlearn_steps"]) if row["unlearn_steps"] is not None else "",
        "" if share is None else f"{math.floor(100 * share)} %" if share > 0 else "none",
        f"{accuracy['value']:.3f}" if accuracy else "",
        f"{accuracy['low']:.2f} to {accuracy['high']:.2f}" if accuracy else "",
        f"{row['excess_risk']:.2g}" if row["excess_risk"] is not None else "",
    )
