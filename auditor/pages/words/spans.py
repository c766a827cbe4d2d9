"""Times and sizes in words."""

from __future__ import annotations

import math

from auditor.pages.words.texts import say


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
