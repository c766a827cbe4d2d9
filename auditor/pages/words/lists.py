"""Join what several things are called, as a language does it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from auditor.pages.words.texts import text


def both(parts: Sequence[str]) -> str:
    """Join few of them: a and b and c; nothing where there are none."""
    return reduce(lambda first, last: text("common-and", first=first, last=last), parts) if parts else ""


def listed(parts: Iterable[str], message: str = "common-and") -> str:
    """Join them: a, b and c; nothing where there are none.

    Args:
        parts: What is joined.
        message: How the last one is joined: `common-and` or `common-or`.
    """
    *first, last = list(parts) or [""]
    return text(message, first=", ".join(first), last=last) if first else last


def and_more(parts: Iterable[str], more: int) -> str:
    """Join them by commas: a, b and 3 more; the end only where there are more."""
    named = ", ".join(parts)
    return text("common-and-more", named=named, more=str(more)) if more else named
