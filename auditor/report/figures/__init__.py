"""Geometry of the figures: what goes where, in the units of the drawing. The SVG itself is written by the templates.

A figure here is a frozen dataclass of scaled points, ticks and labels. Coordinates are in CSS pixels from the upper left corner,
for a drawing as wide as the text block of an A4 page.
"""

from __future__ import annotations

from auditor.report.figures.deletion_steps import StepsFigure, deletion_steps
from auditor.report.figures.epsilon_axis import EpsilonFigure, epsilon
from auditor.report.figures.removal_budget import BudgetFigure, budget
from auditor.report.figures.request_timeline import TimelineFigure, timeline
from auditor.report.figures.scales import WIDTH, Symlog, Tick, linear_ticks, spread
from auditor.report.figures.swap_quality import QualityFigure, quality

__all__ = [
    "WIDTH",
    "BudgetFigure",
    "EpsilonFigure",
    "QualityFigure",
    "StepsFigure",
    "Symlog",
    "Tick",
    "TimelineFigure",
    "budget",
    "deletion_steps",
    "epsilon",
    "linear_ticks",
    "quality",
    "spread",
    "timeline",
]
