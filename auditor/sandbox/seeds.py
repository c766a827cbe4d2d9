"""Seeds are secrets: a certificate may rest on nobody knowing them, so they leave no trace in messages or facts."""

from __future__ import annotations

import re
from collections.abc import Mapping

_SECRET_DIGITS = 6
"""Shorter seeds are guessed anyway, and blotting out every "0" or "42" would itself tell them."""


class Seeds:
    """The seeds that one procedure has been given so far."""

    def __init__(self) -> None:
        """Start with none."""
        self._seeds: set[str] = set()

    def add(self, seed: int) -> None:
        """Remember a seed, if it is long enough to be one that is not guessed."""
        digits = str(abs(seed))
        if len(digits) >= _SECRET_DIGITS:
            self._seeds.add(digits)

    def hide(self, text: str) -> str:
        """The text with every seed, written in decimal, blotted out."""
        for seed in self._seeds:
            if seed in text:
                text = re.sub(rf"(?<!\d){seed}(?!\d)", "[seed]", text)
        return text

    def told_by(self, facts: Mapping[str, float | bool | str]) -> bool:
        """Whether a name or value among the facts tells a seed; numbers are compared as the floats that they became."""
        if any(self.hide(str(item)) != str(item) for pair in facts.items() for item in pair):
            return True
        numbers = {_as_float(seed) for seed in self._seeds}
        return any(isinstance(value, float) and abs(value) in numbers for value in facts.values())

    def __repr__(self) -> str:
        """How many there are, and no more."""
        return f"Seeds({len(self._seeds)})"


def _as_float(seed: str) -> float | None:
    try:
        return float(int(seed))
    except OverflowError:  # no fact can hold it
        return None
