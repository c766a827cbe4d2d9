"""The losses that noisy gradient descent is certified for, and their constants. They belong to the loss; no data enter.

For rows with ‖x‖₂ ≤ 1 the gradient of a loss has norm at most L (Lipschitz) and its Hessian norm at most β (smoothness). A cap c
turns a loss ℓ ≥ 0 into c(1 − e^(−ℓ/c)), which is at most c, as smooth as ℓ, and no longer convex: its Hessian is
e^(−ℓ/c) (∇²ℓ − ∇ℓ∇ℓᵀ/c), which lies between −L²/c and β.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

Loss: TypeAlias = Literal["logistic", "softmax"]


@dataclass(frozen=True, slots=True)
class LossConstants:
    """What is known of a loss ℓ(θ; x, y) as a function of θ, for every row with ‖x‖₂ ≤ 1."""

    lipschitz: float
    """L: the largest norm of a gradient."""
    smoothness: float
    """β: the largest norm of a Hessian."""
    convex: bool
    bound: float | None
    """The largest |ℓ|; None where there is none."""
    is_gradient: bool
    """Whether the steps follow the gradient of some loss. Clipped gradients that are no scalar times the record do not."""


LOSSES: Final[Mapping[Loss, LossConstants]] = {
    "logistic": LossConstants(1.0, 0.25, convex=True, bound=None, is_gradient=True),
    "softmax": LossConstants(math.sqrt(2.0), 0.5, convex=True, bound=None, is_gradient=True),
}
"""−log σ(y θᵀx) with y = ±1, and the cross-entropy of softmax(Θx) over the whole weight matrix Θ."""


def constants(loss: Loss, *, clip: float | None = None, cap: float | None = None) -> LossConstants:
    """The constants of a loss whose gradients are clipped, or that is capped.

    A logistic gradient is a scalar times the row, so that clipping it gives the gradient of another convex loss; the clipped
    gradient of the softmax loss is that of no loss in general, and no constants but L are claimed for it.

    Args:
        loss: Which one.
        clip: The Euclidean norm that the gradient of one record is clipped to, above 0; None where it is not.
        cap: c, above 0; None where the loss is not capped.

    Raises:
        ValueError: If both a clip and a cap are given.
    """
    if clip is not None and cap is not None:
        raise ValueError("expected a clip or a cap, found both")
    plain = LOSSES[loss]
    if cap is not None:
        smoothness = capped_smoothness(plain.lipschitz, plain.smoothness, cap=cap)
        return replace(plain, smoothness=smoothness, convex=False, bound=cap)
    if clip is None or clip >= plain.lipschitz:
        return plain
    scalar = loss == "logistic"
    return replace(plain, lipschitz=clip, convex=scalar, is_gradient=scalar)


def capped_smoothness(lipschitz: float, smoothness: float, *, cap: float) -> float:
    """max(β, L²/c): how smooth a convex loss is once it is capped at c, above 0."""
    return max(smoothness, lipschitz**2 / cap)


def theorem_rate(smoothness: float, *, l2: float) -> float:
    """The step size η = 1/(2(λ + β)) (forget-unlearning.md, Theorem 5.1)."""
    return 1 / (2 * (l2 + smoothness))


def rounding_spread(*, lipschitz: float, smoothness: float, l2: float, rate: float) -> float:
    """What two honest runs from one seed on a convex loss may differ by on two processors, parameter by parameter.

    A step contracts by 1 − ηλ, so that what rounding adds to it adds up to 1/(ηλ) times as much; parameters are of the order of
    L/λ, and a step rounds each by far less than 1e-13 of that. 0 for η > 2/(2λ + β), beyond which a step may not
    contract so.

    Args:
        lipschitz: L.
        smoothness: β.
        l2: λ, above 0.
        rate: η, above 0.
    """
    if rate > 2 / (2 * l2 + smoothness):
        return 0.0
    return 1e-13 * (lipschitz / l2) / (rate * l2)
