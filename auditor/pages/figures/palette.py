"""Reads the colours of every figure from the style sheet of the pages: there is one palette."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from auditor.base import resources

_DECLARED: Final = re.compile(r"--([a-z0-9-]+):\s*(#[0-9a-f]{6})\b")
_SERIES: Final = 9


@cache
def colour(name: str) -> str:
    """Give a colour of the style sheet, such as `ink` or `fail`, as `#rrggbb`.

    Raises:
        KeyError: If the style sheet has no colour of that name.
    """
    return declared()[name]


def series(number: int) -> str:
    """Give the colour of one of many lines; after nine they start over."""
    return colour(f"series-{number % _SERIES + 1}")


@cache
def declared() -> dict[str, str]:
    """Give every colour of the style sheet by its name."""
    sheet = (resources.templates() / "styles" / "shared.css").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for name, value in _DECLARED.findall(sheet):
        found.setdefault(name, value)
    return found
