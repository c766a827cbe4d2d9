"""The ε and δ that a controller of ours is made for, which its guarantees state."""

from __future__ import annotations

from typing import NamedTuple

from auditor.document.context import ControllerFacts
from auditor.settings.controller import controllers


class Goal(NamedTuple):
    """What is held against the games."""

    epsilon: float
    delta: float

    def within(self, other: Goal) -> bool:
        """Whether neither of its numbers exceeds the other's."""
        return self.epsilon <= other.epsilon and self.delta <= other.delta


def made_for(whole: ControllerFacts | None) -> Goal:
    """The ε and δ of its parameters, of a pair those of its second part; (0, 0) of any other controller.

    Args:
        whole: The controller as declared; None where there is none.
    """
    if whole is not None and whole.second is not None:
        return made_for(whole.alone(whole.second))  # the first part is exact, or nothing follows
    if whole is None or whole.use is None:
        return Goal(0.0, 0.0)
    params = controllers()[whole.use].params
    declared = None if params is None else params.model_validate(whole.params)
    return Goal(float(getattr(declared, "epsilon", 0.0)), float(getattr(declared, "delta", 0.0)))


def fades(whole: ControllerFacts | None) -> bool:
    """Whether it is a controller of ours whose noise hides its history up to these."""
    return whole is not None and whole.use is not None and controllers()[whole.use].fades
