"""Join what several things are called, as a language does it, and say times and sizes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import reduce

from auditor.pages.words.texts import say, text


def span(seconds: float) -> str:
    """Say a time: seconds below two minutes, minutes below two hours."""
    if seconds < 119.5:
        return say("cli-span-seconds", count=max(1, round(seconds)))
    if seconds < 7170:
        return say("cli-span-minutes", count=round(seconds / 60))
    return say("cli-span-hours", hours=int(seconds / 3600 + 1 / 120), minutes=round(seconds / 60) % 60)


def size(amount: int) -> str:
    """Say a number of bytes, rounded up."""
    unit, scaled = "kb", amount / 1000
    for larger in ("mb", "gb"):
        if math.ceil(scaled) >= 1000:
            unit, scaled = larger, scaled / 1000
    shown = math.ceil(10 * scaled) / 10 if scaled < 10 else math.ceil(scaled)
    return say(f"cli-size-{unit}", amount=f"{shown:g}")


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


def continued(parts: Iterable[str]) -> list[str]:
    """Begin all of them but the first with a small letter, as in a sentence that lists them."""
    return [each if not at else each[:1].lower() + each[1:] for at, each in enumerate(parts)]


def and_more(parts: Iterable[str], more: int) -> str:
    """Join them by commas: a, b and 3 more; the end only where there are more."""
    named = ", ".join(parts)
    return text("common-and-more", named=named, more=str(more)) if more else named
