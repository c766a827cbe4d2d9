"""Dates in words."""

from __future__ import annotations

from datetime import date

from auditor.pages.words.texts import text


def dated(value: date, months: str = "month") -> str:
    """Write a date as `3 October 2026`.

    Args:
        value: The date.
        months: The messages of its months: `month`, or `month-short` for axes.
    """
    return text("day", day=str(value.day), month=text(f"{months}-{value.month}"), year=str(value.year))
