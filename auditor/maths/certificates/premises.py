"""Conditions as most rules have them: a range that an input lies in, and what a rule must take on trust."""

from __future__ import annotations

from typing import Final

from auditor.base.domain import Condition, How

TRUSTED: Final = "taken as given by this formula"
"""How a premise is known where it counts is said with the guarantee that needs it."""
TOO_LARGE: Final = "a number exceeds the floating-point range"


def above(name: str, value: float, bound: float) -> Condition:
    """The condition that an input exceeds a bound."""
    return Condition(f"{name} > {_shown(bound)}", value > bound, _shown(value), How.COMPUTED)


def at_least(name: str, value: float, bound: float) -> Condition:
    """The condition that an input is not below a bound."""
    return Condition(f"{name} >= {_shown(bound)}", value >= bound, _shown(value), How.COMPUTED)


def between(low: float, name: str, value: float, high: float) -> Condition:
    """The condition that an input lies between two bounds, both included."""
    return Condition(f"{_shown(low)} <= {name} <= {_shown(high)}", low <= value <= high, _shown(value), How.COMPUTED)


def trusted(name: str, found: str = "") -> Condition:
    """A premise that no number of the inputs can show.

    Args:
        name: What has to be true.
        found: What follows from the inputs about it, if anything.
    """
    return Condition(name, True, f"{found}; {TRUSTED}" if found else TRUSTED, How.UNKNOWN)


def _shown(value: float) -> str:
    """A number in few digits; what counts something in all of them."""
    return str(value) if isinstance(value, int) else f"{value:g}"
