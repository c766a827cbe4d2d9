"""What a table `noisy-gd` declares, as the theorems read it: the constants of its loss, its step size, and the theorem meant."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from auditor.certificates.losses import LOSSES, capped_smoothness, constants, theorem_rate
from auditor.certificates.rounding import exponential_ceiling
from auditor.settings.networks import Mlp

if TYPE_CHECKING:
    from auditor.settings.noisy_gd import NoisyGd

Theorem: TypeAlias = Literal["5.1", "5.2"]

SAME_RATE: Final = 1e-12
"""How far, relative to it, a declared step size may lie from that of Theorem 5.1 and still be it: what rounding leaves."""
_CLIPPED_FIELD: Final = (
    "clipped gradients that are no scalar times the record are the gradient of no loss in general (Lemma F.3 is false there)"
)
_NO_CONSTANTS: Final = (
    "a network with hidden layers has no constants: its gradients grow with products of weights, and ReLU is not smooth"
)
_KNOWN_LOSS: Final = 'use loss = "logistic" or "softmax", or a network whose loss has a Lipschitz constant and a smoothness'


@dataclass(frozen=True, slots=True)
class Declared:
    """The loss and the steps as declared. What is None nobody named."""

    theorem: Theorem | None
    """The one whose form the declaration has; None where neither speaks of it."""
    lipschitz: float | None
    """L: the largest norm of what one record adds to a sum of gradients; of a clipped field the clip."""
    smoothness: float | None
    """β."""
    rate: float
    """η, as it is run."""
    bound: float | None
    """The largest absolute loss."""
    convex: bool
    """Whether the loss is convex: by what is known of it, or as the controller says of a network."""
    is_gradient: bool
    """Whether the steps follow the gradient of a loss."""
    attested: bool
    """Whether the constants are the controller's word, as of a network."""
    theorem_rate: float | None
    """The step size of Theorem 5.1 for this loss; None where it asks for none."""
    reason: str | None = None
    """Why no theorem speaks of it."""
    mend: str | None = None
    """What would have to be declared instead."""

    @property
    def has_theorem_rate(self) -> bool:
        """Whether the steps have the size of Theorem 5.1."""
        wanted = self.theorem_rate
        return wanted is not None and math.isclose(self.rate, wanted, rel_tol=SAME_RATE, abs_tol=0.0)

    @property
    def trades_off(self) -> bool:
        """Whether what the Gaussian trade-off asks for is declared, but for its c ≤ 1: convex, smooth, Lipschitz, a gradient."""
        return self.convex and self.is_gradient and self.lipschitz is not None and self.smoothness is not None


def read(procedure: NoisyGd) -> Declared:
    """The declaration of a table, and why neither theorem speaks of it where none does."""
    return _of_a_known_loss(procedure) if procedure.loss is not None else _of_a_network(procedure)


def is_linear(procedure: NoisyGd) -> bool:
    """Whether a built-in network has no hidden layer: softmax regression with an intercept."""
    return procedure.model == "mlp" and not Mlp.model_validate(procedure.params).hidden


def linear_constants(largest_norm: float, cap: float | None) -> tuple[float, float]:
    """L and β of softmax regression with an intercept, which reads a row x as (x, 1); no smaller ones hold.

    Args:
        largest_norm: Of the rows.
        cap: That of the loss; None where it has none.
    """
    squared, plain = 1 + largest_norm**2, LOSSES["softmax"]
    lipschitz, smoothness = plain.lipschitz * math.sqrt(squared), plain.smoothness * squared
    return lipschitz, smoothness if cap is None else capped_smoothness(lipschitz, smoothness, cap=cap)


def bound_b(bound: float, sigma2: float) -> float | None:
    """B with σ² ln(B)/4 at least the bound on the loss, rounded up (Theorem 5.2); None beyond the floating-point range."""
    found = exponential_ceiling(4 * bound / sigma2)
    return found if math.isfinite(found) else None


def _of_a_known_loss(procedure: NoisyGd) -> Declared:
    if procedure.loss is None:
        raise AssertionError("a table without a loss is of a network")
    known = constants(procedure.loss, clip=procedure.clip, cap=procedure.loss_cap)
    wanted = theorem_rate(known.smoothness, l2=procedure.l2)
    found = Declared(
        theorem=None,
        lipschitz=known.lipschitz,
        smoothness=known.smoothness if known.is_gradient else None,
        rate=wanted if procedure.rate == "theorem" else procedure.rate,
        bound=known.bound,
        convex=known.convex,
        is_gradient=known.is_gradient,
        attested=False,
        theorem_rate=wanted if known.is_gradient and known.convex else None,
    )
    if not known.is_gradient:
        largest = LOSSES[procedure.loss].lipschitz
        return _without(
            found,
            f"the gradients of the {procedure.loss} loss are clipped to {procedure.clip:g}, and {_CLIPPED_FIELD}",
            f'leave out clip, or set it to {largest:.6g} or more, or use loss = "logistic"',
        )
    return _meant(found)


def _of_a_network(procedure: NoisyGd) -> Declared:
    lipschitz, smoothness, cap = procedure.lipschitz, procedure.smoothness, procedure.loss_cap
    if procedure.rate == "theorem":
        raise AssertionError("a table of a network names its rate")
    clipped = procedure.clip is not None
    smaller = min((each for each in (lipschitz, procedure.clip) if each is not None), default=None)
    found = Declared(
        theorem=None,
        lipschitz=smaller,
        smoothness=None if clipped else smoothness,
        rate=procedure.rate,
        bound=cap,
        convex=procedure.convex and cap is None and not clipped,
        is_gradient=not clipped,
        attested=True,
        theorem_rate=None if smoothness is None or clipped or cap is not None else theorem_rate(smoothness, l2=procedure.l2),
    )
    deep = procedure.model is not None and not is_linear(procedure)
    if clipped:
        return _without(
            found,
            f"the gradients of the network are clipped, and {_CLIPPED_FIELD}",
            f"{_KNOWN_LOSS}; without the clip {_NO_CONSTANTS}"
            if deep
            else "leave out clip, and declare lipschitz and smoothness with loss_cap, or with convex = true",
        )
    if deep:
        return _without(
            replace(found, lipschitz=None, smoothness=None, theorem_rate=None),
            f"whatever is declared, {_NO_CONSTANTS}",
            _KNOWN_LOSS,
        )
    missing = [name for name, value in (("lipschitz", lipschitz), ("smoothness", smoothness)) if value is None]
    if missing:
        names = " and ".join(missing)
        return _without(found, f"the network's table does not name {names}", f"declare {names} of the loss")
    if cap is None and not procedure.convex:
        return _without(
            found,
            "the network's loss is neither bounded nor said to be convex",
            "declare loss_cap, or convex = true where it is",
        )
    return _meant(found)


def _meant(found: Declared) -> Declared:
    """The declaration with its theorem: 5.2 for a bounded loss, 5.1 for a convex one with the step size that it asks for."""
    if found.bound is not None:
        return replace(found, theorem="5.2")
    if found.has_theorem_rate:
        return replace(found, theorem="5.1")
    wanted = "nothing" if found.theorem_rate is None else f"{found.theorem_rate:.12g}"
    mend = f"set rate = {wanted}" if found.attested else f'set rate = "theorem", which is {wanted}'
    return _without(
        found, f"Theorem 5.1 asks for the step size 1/(2(l2 + smoothness)) = {wanted}, declared is {found.rate:.12g}", mend
    )


def _without(found: Declared, reason: str, mend: str) -> Declared:
    return replace(found, reason=reason, mend=mend)
