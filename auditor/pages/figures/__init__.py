"""Figures of the report and of plans, each a `Chart`: lines, marks, bands and notes, in the units of the drawing.

Coordinates are in CSS pixels from the upper left corner, for a drawing as wide as the text block of an A4 page.
"""

from __future__ import annotations

from auditor.pages.figures.attack_intervals import attack_intervals
from auditor.pages.figures.chart import WIDTH, Chart
from auditor.pages.figures.derivation_tree import derivation
from auditor.pages.figures.icon_array import icon_array
from auditor.pages.words.told import ToldCheck
from auditor.parts.data_deletion.telling.figures.deletion_steps import deletion_steps
from auditor.parts.log.telling.figures.request_timeline import timeline
from auditor.parts.removal.judging.budget import Derived
from auditor.parts.removal.telling.figures.removal_budget import budget
from auditor.parts.revealing.telling.figures.rebuilt_picture import rebuilt_picture
from auditor.parts.swap.telling.figures.epsilon_axis import epsilon
from auditor.parts.swap.telling.figures.swap_quality import quality

__all__ = [
    "WIDTH",
    "Chart",
    "attack_intervals",
    "budget",
    "deletion_steps",
    "derivation",
    "epsilon",
    "icon_array",
    "of_check",
    "quality",
    "rebuilt_picture",
    "timeline",
]


def of_check(check: ToldCheck) -> Chart | None:
    """Draw the figure that a check has wherever it is shown; None where it has none, or nothing to draw."""
    match check.id:
        case "swap.quality":
            return quality(check)
        case "removal.budget":
            found = check.derived_as(Derived)
            return None if found is None else budget(found)
        case _:
            return None
