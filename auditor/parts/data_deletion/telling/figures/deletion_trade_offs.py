"""The figure of a plan for data deletion: accuracy against ε_dp, and against the gradients that unlearning saves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from auditor.pages import wording
from auditor.pages.figures.axes import Linear, Ticked
from auditor.pages.figures.chart import WIDTH, Chart
from auditor.pages.figures.trade_offs import Panel, Row, draw_panel, lambdas, span_of, ticked
from auditor.pages.words.texts import text

_HEIGHT: Final = 251.0
_SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)


def deletion_trade_offs(document: Mapping[str, Any]) -> Chart:
    """Draw the document of a plan for data deletion."""
    rows = [row for row in document["settings"] if row["accuracy"]]
    bare = max((each["accuracy"] for each in document["without_noise"]), default=None)
    span = span_of([row["accuracy"]["value"] for row in rows], bare)
    chart = Chart(_HEIGHT, document["sentence"])
    best = document["recommended"]
    accuracy = best["accuracy"]["value"] if best and best["accuracy"] else None
    private = Panel(
        text("figure-plan-private-title"),
        text("figure-plan-private"),
        ticked(document["search"]["epsilon_dp"], ".3g"),
        span,
        lambdas(
            {l2: [(row["epsilon_dp"], _accuracy(row)) for row in rows if row["l2"] == l2] for l2 in document["search"]["l2"]}
        ),
        bare,
        chosen=None if accuracy is None else (best["epsilon_dp"], accuracy),
    )
    serving = sorted((row for row in rows if row["serves"]), key=_saved)
    saved = Panel(
        text("figure-plan-saved-title", epsilon=wording.number(document["promise"]["epsilon"])),
        text("figure-plan-saved"),
        Ticked(Linear(0.0, 1.0), tuple((share, wording.percent(share)) for share in _SHARES)),
        span,
        lambdas({l2: [(_saved(row), _accuracy(row)) for row in serving if row["l2"] == l2] for l2 in document["search"]["l2"]}),
        bare,
        chosen=None if accuracy is None else (_saved(best), accuracy),
    )
    draw_panel(chart, private, 0.0, WIDTH / 2, 0.0)
    draw_panel(chart, saved, WIDTH / 2, WIDTH, 0.0)
    return chart


def _saved(row: Row) -> float:
    return float(row["saved_share"])


def _accuracy(row: Row) -> float:
    return float(row["accuracy"]["value"])


FIGURES: Final = {"plan.data-deletion": deletion_trade_offs}
