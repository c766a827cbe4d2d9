"""A plan for readers: a table on a terminal, and a figure of its trade-offs as SVG and PDF, from the plan's document alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from auditor.pages import pages, templating, wording
from auditor.pages.figures import Chart, draw
from auditor.pages.figures.trade_offs import trade_offs
from auditor.pages.words.texts import Named, say

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_TITLES: Final = Named("plan-title-", "loss_perturbation", "output_noise", "differential_privacy", "no_protection")
_HEADED: Final = Named("plan-heading-")
_HEADINGS: Final = ("λ", "σ", "s", "r", "accuracy", "interval", "served", "worst", "epsilon-needed", "right")


def table(document: Mapping[str, Any], console: Console) -> None:
    """Print every row, method by method, what is assumed, and as the last line the sentence.

    Strings are cleaned and never read as markup.
    """
    from rich.text import Text  # noqa: PLC0415 - only where a terminal is written to

    target = document["target"]
    console.print(
        Text(
            say(
                "plan-lead",
                case=wording.short(document["case"], 60),
                deletions=target["deletions"],
                epsilon=wording.number(target["epsilon"]),
                delta=wording.number(target["delta"]),
                most=f"{target['right_guesses']:g}",
                records=wording.number(document["records"]),
                draws=document["search"]["draws"],
            )
        )
    )
    for key, title in _TITLES.items():
        rows = document[key]
        console.print(Text(title, style="bold"))
        if any(row["accuracy"] for row in rows):
            console.print(_rows(rows, document["recommended"]))
        for reason in dict.fromkeys(row["reason"] for row in rows if row["reason"]):
            console.print(Text(say("plan-without-result", why=wording.short(reason, 300)), style="dim"), soft_wrap=True)
    console.print(
        Text(say("plan-legend")),
        soft_wrap=True,
    )
    for said in (
        say("plan-accuracy", measure=document["measure"], baseline=f"{document['baseline']:.3f}"),
        *document["assumptions"],
    ):
        console.print(Text(wording.shown(said), style="dim"), soft_wrap=True)
    console.print(Text(wording.shown(document["sentence"])), soft_wrap=True)


def _rows(rows: Sequence[Mapping[str, Any]], best: Mapping[str, Any] | None) -> Table:
    """The rows of one method, without the columns that none of them fills; the recommended one is marked."""
    from rich import box  # noqa: PLC0415 - only where a terminal is written to
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    shown = Table(box=box.SIMPLE_HEAD, padding=0, expand=False)
    headings = [_HEADED.get(each, each) for each in _HEADINGS]
    columns = [number for number, _ in enumerate(_HEADINGS) if any(_cells(row)[number] for row in rows)]
    shown.add_column("", no_wrap=True, min_width=1)
    for number in columns:
        width = max(len(headings[number]), *(len(_cells(row)[number]) for row in rows))
        shown.add_column(headings[number], justify="right", no_wrap=True, min_width=width)
    for row in rows:
        cells = _cells(row)
        style = "green" if row["serves"] else "dim"
        mark = "▶" if row == best else "●" if row["serves"] else "○"
        shown.add_row(Text(mark), *(Text(cells[number], style=style) for number in columns))
    return shown


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    accuracy, served = row["accuracy"], row["served"]
    return (
        f"{row['l2']:g}",
        f"{row['sigma']:g}" if row["sigma"] else "",
        f"{row['release_noise']:g}" if row["release_noise"] else "",
        f"{row['residual_budget']:g}" if row["residual_budget"] is not None else "",
        f"{accuracy['value']:.3f}" if accuracy else "",
        say("from-to", low=f"{accuracy['low']:.2f}", high=f"{accuracy['high']:.2f}") if accuracy else "",
        _range(served) if served else "",
        _count(served["worst_margin"], served["most"]) if served else "",
        f"{row['epsilon_needed']:.3g}" if row["epsilon_needed"] is not None and row["sigma"] else "",
        f"{row['right_guesses']:g}" if row["right_guesses"] is not None else "",
    )


def _range(served: Mapping[str, Any]) -> str:
    most = served["most"]
    median, least, largest = (_count(each, most) for each in (served["median"], served["least"], max(served["orders"])))
    return median if least == largest else f"{median} ({least}–{largest})"


def _count(value: int, most: int) -> str:
    return f"≥{value}" if value == most else str(value)


def svg(document: Mapping[str, Any], *, deletion: bool = False) -> str:
    """The figure of a plan: accuracy against what protection costs, and against what it serves.

    Args:
        document: The plan.
        deletion: Whether it is one for data deletion.
    """
    return f"{_drawn(document, deletion=deletion).svg()}\n"


def pdf(document: Mapping[str, Any], written: bytes, date: datetime, *, deletion: bool = False) -> bytes:
    """The same figure with what is assumed, as a PDF with the plan attached.

    Args:
        document: The plan.
        written: The plan as it is attached.
        date: Of the attachment; `SOURCE_DATE_EPOCH` takes its place where it is set.
        deletion: Whether it is one for data deletion.

    Raises:
        ReportError: If the layout engine is missing or reports an error.
    """
    template = templating.environment().get_template("figure_page.html.j2")
    said = {key: document[key] for key in ("sentence", "assumptions")}
    drawing = _drawn(document, deletion=deletion).svg()
    heading = say("plan-page-deletion") if deletion else say("plan-page")
    page = template.render(drawing=drawing, heading=heading, title=document["case"], **said)
    return pages.lay_out(page, [pages.Embedded("plan.json", written, say("plan-page-attached"))], pages.dated(date))


def _drawn(document: Mapping[str, Any], *, deletion: bool) -> Chart:
    drawn = draw("plan.data-deletion", document) if deletion else trade_offs(document)
    if drawn is None:
        raise LookupError("a plan without a figure")
    return drawn
