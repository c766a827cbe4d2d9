"""Figures of the report and of plans, each a `Chart`: lines, marks, bands and notes, in the units of the drawing.

Coordinates are in CSS pixels from the upper left corner, for a drawing as wide as the text block of an A4 page.
"""

from __future__ import annotations

from auditor.report.figures.removal_budget import budget

__all__ = [
    "budget",
]
