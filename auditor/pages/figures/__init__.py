"""Figures of the report and of plans, each a `Chart`: lines, marks, bands and notes, in the units of the drawing.

Coordinates are in CSS pixels from the upper left corner, for a drawing as wide as the text block of an A4 page. Parts bring
figures of their own in a constant `FIGURES`, found by name when they are drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from auditor.base.parts import modules
from auditor.pages.figures.attack_intervals import attack_intervals
from auditor.pages.figures.chart import WIDTH, Chart
from auditor.pages.figures.derivation_tree import derivation
from auditor.pages.words.rendered_evidence import ToldCheck

__all__ = ["WIDTH", "Chart", "attack_intervals", "derivation", "draw", "of_check"]


@cache
def _of_parts() -> Mapping[str, Callable[..., Chart | None]]:
    """Collect the figures that parts bring, by the name that templates give them, or the id of a check.

    Raises:
        ValueError: If two have one name.
    """
    found: dict[str, Callable[..., Chart | None]] = {}
    for module in modules("figures"):
        if twice := found.keys() & module.FIGURES.keys():
            raise ValueError(f"two figures are called {min(twice)}")
        found |= module.FIGURES
    return found


def draw(name: str, *given: Any) -> Chart | None:
    """Draw a figure that a part brings; None where there is nothing to draw.

    Args:
        name: As the part calls it.
        given: What that figure is drawn from.

    Raises:
        KeyError: If no part brings a figure of that name.
    """
    return _of_parts()[name](*given)


def of_check(check: ToldCheck) -> Chart | None:
    """Draw the figure that a check has wherever it is shown; None where it has none, or nothing to draw."""
    return draw(check.id, check) if check.id in _of_parts() else None
