"""A plan for a model from a stream for readers: a table on a terminal, from the plan's document alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from auditor.pages import wording
from auditor.pages.words.texts import say

if TYPE_CHECKING:
    from rich.console import Console

_HEADINGS: Final = ("factorisation", "noise", "epsilon", "right", "release", "kept", "rate", "loss")
_UNITS: Final = ("B", "kB", "MB", "GB", "TB", "PB")
_THOUSAND: Final = 1000.0


def continual_table(document: Mapping[str, Any], console: Console) -> None:
    """Print the target, both factorisations and what the case declares, what is assumed, and as the last line the sentence.

    Strings are cleaned and never read as markup.
    """
    from rich import box  # noqa: PLC0415 - only where a terminal is written to
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    target = document["target"]
    given = {key: target[key] for key in ("horizon", "records", "parameters")}
    goal = say("plan-continual-goal", **given, epsilon=f"{target['epsilon']:.4g}", delta=f"{target['delta']:g}")
    console.print(Text(say("plan-continual-lead", case=wording.short(document["case"], 60), goal=goal)), soft_wrap=True)
    shown = Table(box=box.SIMPLE_HEAD, padding=0, expand=False)
    shown.add_column("", no_wrap=True, min_width=1)
    for name in _HEADINGS:
        shown.add_column(say(f"plan-continual-heading-{name}"), justify="right", no_wrap=True)
    declared = document["declared"]
    for row in (*document["settings"], *(() if declared is None else (declared,))):
        mark = "=" if row is declared else "▶" if row == document["recommended"] else "●" if row["meets"] else "○"
        shown.add_row(Text(mark), *(Text(cell, style="green" if row["meets"] else "dim") for cell in _cells(row)))
    console.print(shown)
    for reason in dict.fromkeys(row["reason"] for row in document["settings"] if row["reason"]):
        console.print(Text(f"○ {wording.short(reason, 300)}", style="dim"), soft_wrap=True)
    for said in (say("plan-continual-legend"), *document["assumptions"]):
        console.print(Text(wording.shown(said), style="dim"), soft_wrap=True)
    console.print(Text(wording.shown(document["sentence"])), soft_wrap=True)


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    numbers = ("noise_multiplier", "epsilon", "right_guesses", "release_sigma")
    shown = tuple("" if row[each] is None else f"{row[each]:.4g}" for each in numbers)
    learns = tuple("" if row[each] is None else f"{row[each]:.3g}" for each in ("rate", "excess_loss"))
    return (row["factorisation"], *shown, "" if row["kept_bytes"] is None else _size(row["kept_bytes"]), *learns)


def _size(count: float) -> str:
    for unit in _UNITS[:-1]:
        if count < _THOUSAND:
            return f"{count:.3g} {unit}"
        count /= _THOUSAND
    return f"{count:.3g} {_UNITS[-1]}"
