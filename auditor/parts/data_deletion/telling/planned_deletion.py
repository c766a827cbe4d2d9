"""A plan for data deletion for readers: a table on a terminal, from the plan's document alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from auditor.pages import wording
from auditor.pages.words import guesses
from auditor.pages.words.texts import Named, say, text

if TYPE_CHECKING:
    from rich.console import Console

_HEADED: Final = Named("plan-heading-")
_HEADINGS: Final = ("λ", "ε_dp", "σ²", "learn", "unlearn", "saved", "accuracy", "interval", "risk", "right")


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
    for number, heading in enumerate(_HEADED.get(each, each) for each in _HEADINGS):
        width = max(len(heading), *(len(each[number]) for each in cells))
        shown.add_column(heading, justify="right", no_wrap=True, min_width=width)
    for row, texts in zip(document["settings"], cells, strict=True):
        mark = "▶" if row == document["recommended"] else "●" if row["serves"] else "○"
        shown.add_row(Text(mark), *(Text(text, style="green" if row["serves"] else "dim") for text in texts))
    console.print(shown)
    reasons: dict[str, list[str]] = {}
    for row in document["settings"]:
        if row["reason"]:
            reasons.setdefault(row["reason"], []).append(
                say("plan-deletion-row", l2=f"{row['l2']:g}", epsilon_dp=f"{row['epsilon_dp']:.3g}")
            )
    for reason, rows in reasons.items():
        named = "; ".join(rows[:3]) + (say("plan-deletion-rows-more", more=len(rows) - 3) if len(rows) > 3 else "")
        console.print(Text(f"○ {wording.short(reason, 300)}: {named}", style="dim"), soft_wrap=True)
    bare = ", ".join(f"λ {each['l2']:g}: {each['accuracy']:.3f}" for each in document["without_noise"])
    scores = say("plan-deletion-scores", baseline=f"{document['baseline']:.3f}", bare=bare)
    for said in (
        text("plan-deletion-legend"),
        say("plan-deletion-accuracy", measure=document["measure"], scores=scores),
        *document["assumptions"],
    ):
        console.print(Text(wording.shown(said), style="dim"), soft_wrap=True)
    console.print(Text(wording.shown(document["sentence"])), soft_wrap=True)


def _promise(document: Mapping[str, Any]) -> str:
    promise = document["promise"]
    seen = say("plan-deletion-promise-seen", seen=promise["seen"]) if promise["seen"] else ""
    deleted = wording.plural(promise["deletions"], "deletion")
    goal = say(
        "plan-deletion-goal",
        epsilon=wording.number(promise["epsilon"]),
        order=f"{promise['order']:g}",
        deleted=deleted,
        seen=seen,
    )
    size = say(
        "plan-deletion-size",
        records=wording.number(document["records"]),
        loss=document["loss"],
        parameters=document["parameters"],
    )
    right = guesses.at_most(guesses.of_advantage(document["advantage"]))
    return say(
        "plan-deletion-lead",
        case=wording.short(document["case"], 60),
        goal=goal,
        size=size,
        draws=document["search"]["draws"],
        right=right,
    )


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    accuracy, share = row["accuracy"], row["saved_share"]
    return (
        f"{row['l2']:g}",
        f"{row['epsilon_dp']:.3g}",
        f"{row['sigma2']:.3g}" if row["sigma2"] is not None else "",
        str(row["learn_steps"]) if row["learn_steps"] is not None else "",
        str(row["unlearn_steps"]) if row["unlearn_steps"] is not None else "",
        "" if share is None else f"{math.floor(100 * share)} %" if share > 0 else text("plan-none-saved"),
        f"{accuracy['value']:.3f}" if accuracy else "",
        say("from-to", low=f"{accuracy['low']:.2f}", high=f"{accuracy['high']:.2f}") if accuracy else "",
        f"{row['excess_risk']:.2g}" if row["excess_risk"] is not None else "",
        f"{row['right_guesses']:g}" if row["right_guesses"] is not None else "",
    )
