"""Damped steps for many problems at once, each with a rate of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from auditor.base.domain import Floats
from auditor.learning.logistic import MAX_STEPS
from auditor.learning.subsets import Bools, Subsets

Steps: TypeAlias = Callable[[Subsets, Floats, Floats], Floats]
"""Of some problems, at points and with gradients of shape (b, d), the full steps to subtract, shape (b, d)."""


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """How far B problems have come."""

    parameters: Floats
    """w, shape (B, d)."""
    done: Bools
    """Where ‖∇L_b‖₂, computed for many at once, is within the tolerance, shape (B,)."""
    certain: Bools
    """Where it is within the tolerance however the sums are ordered in float64, shape (B,)."""


@dataclass(frozen=True, slots=True)
class Damping:
    """When a step is accepted, and when a problem is given up."""

    decrease: float
    """A step w − rate·step must bring the gradient's norm to (1 − decrease·rate) of what it was; else the rate is halved."""
    shortest: float
    """A problem that would need a smaller rate is given up."""


def descend(subsets: Subsets, start: Floats, steps: Steps, damping: Damping, *, tolerance: float) -> Reached:
    """Step every problem until its gradient's norm is within the tolerance, or it is given up.

    Problems that need no more steps are dropped, so that the others cost no more than they must.

    Args:
        subsets: B problems.
        start: Where to begin, shape (B, d).
        steps: What to step by.
        damping: What a step must achieve.
        tolerance: Bounds ‖∇L_b‖₂ on the scale of the sum.
    """
    at = start.copy()
    gradients, errors = subsets.gradients(at)
    norms = np.linalg.norm(gradients, axis=1)
    done, certain = norms <= tolerance, norms + errors <= tolerance
    moving = np.flatnonzero(~done)
    subsets = subsets.only(moving)
    for _ in range(MAX_STEPS):
        if not len(moving):
            break
        full, rate = steps(subsets, at[moving], gradients[moving]), 1.0
        part, waiting = subsets, np.arange(len(moving))
        while True:
            which = moving[waiting]
            candidates = at[which] - rate * full[waiting]
            found, errors = part.gradients(candidates)
            lengths = np.linalg.norm(found, axis=1)
            better = lengths <= (1 - damping.decrease * rate) * norms[which]  # false where a length is not a number
            taken = which[better]
            at[taken], gradients[taken], norms[taken] = candidates[better], found[better], lengths[better]
            done[taken], certain[taken] = lengths[better] <= tolerance, (lengths + errors)[better] <= tolerance
            waiting, rate = waiting[~better], rate / 2
            if not len(waiting) or rate < damping.shortest:
                break
            part = part.only(~better)
        still = ~done[moving]
        still[waiting] = False
        if not still.all():
            moving, subsets = moving[still], subsets.only(still)
    return Reached(at, done, certain)
