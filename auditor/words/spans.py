"""Times in words."""

from __future__ import annotations

from auditor.words.texts import say


def span(seconds: float) -> str:
    """Say a time: seconds below two minutes, minutes below two hours."""
    if seconds < 119.5:
        return say("cli-span-seconds", count=max(1, round(seconds)))
    if seconds < 7170:
        return say("cli-span-minutes", count=round(seconds / 60))
    return say("cli-span-hours", hours=int(seconds / 3600 + 1 / 120), minutes=round(seconds / 60) % 60)
