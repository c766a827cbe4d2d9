"""What a table `noisy-gd` declares, as the theorems read it: the constants of its loss, its step size, and the theorem meant."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from auditor.base.domain import Reason
from auditor.maths.certificates.losses import LOSSES, capped_smoothness, constants, theorem_rate
from auditor.maths.certificates.rounding import exponential_ceiling
from auditor.settings.networks import Mlp
from auditor.settings.noisy_gd import NoisyGd

Theorem: TypeAlias = Literal["5.1", "5.2"]

SAME_RATE: Final = 1e-12
"""How far, relative to it, a declared step size may lie from that of Theorem 5.1 and still be it: what rounding leaves."""


@dataclass(frozen=True, slots=True)
class Declared:
    """The loss and the steps as declared. What is None nobody named."""

    theorem: Theorem | None
    """The one whose form the declaration has; None where neither covers it."""
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
    reason: Reason | None = None
    """Why no theorem covers it."""
    fix: Reason | None = None
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
    """The declaration of a table, and why neither theorem covers it where none does."""
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
            Reason("descent.loss-clipped", {"loss": procedure.loss, "clip": procedure.clip}),
            Reason("descent.loss-clipped.fix", {"largest": largest}),
        )
    return _meant(found)


def _of_a_network(procedure: NoisyGd) -> Declared:
    found = _as_attested(procedure)
    deep = procedure.model is not None and not is_linear(procedure)
    if procedure.clip is not None:
        return _without(
            found,
            Reason("descent.network-clipped"),
            Reason("descent.network-clipped.deep-fix") if deep else Reason("descent.network-clipped.fix"),
        )
    if deep:
        return _without(
            replace(found, lipschitz=None, smoothness=None, theorem_rate=None),
            Reason("descent.deep-network"),
            Reason("descent.deep-network.fix"),
        )
    named_constants = (("lipschitz", procedure.lipschitz), ("smoothness", procedure.smoothness))
    missing = [name for name, value in named_constants if value is None]
    if missing:
        named = {"missing": missing}
        return _without(found, Reason("descent.no-constants", named), Reason("descent.no-constants.fix", named))
    if procedure.loss_cap is None and not procedure.convex:
        return _without(found, Reason("descent.neither"), Reason("descent.neither.fix"))
    return _meant(found)


def _as_attested(procedure: NoisyGd) -> Declared:
    """The constants of a network, by the controller's word; steps on clipped gradients follow no gradient of a loss."""
    if procedure.rate == "theorem":
        raise AssertionError("a table of a network names its rate")
    clipped, cap = procedure.clip is not None, procedure.loss_cap
    smoothness = None if clipped else procedure.smoothness
    return Declared(
        theorem=None,
        lipschitz=min((each for each in (procedure.lipschitz, procedure.clip) if each is not None), default=None),
        smoothness=smoothness,
        rate=procedure.rate,
        bound=cap,
        convex=procedure.convex and cap is None and not clipped,
        is_gradient=not clipped,
        attested=True,
        theorem_rate=None if smoothness is None or cap is not None else theorem_rate(smoothness, l2=procedure.l2),
    )


def _meant(found: Declared) -> Declared:
    """The declaration with its theorem: 5.2 for a bounded loss, 5.1 for a convex one with the step size that it asks for."""
    if found.bound is not None:
        return replace(found, theorem="5.2")
    if found.has_theorem_rate:
        return replace(found, theorem="5.1")
    wanted = {"wanted": found.theorem_rate}
    fix = Reason("descent.step-size.fix-attested", wanted) if found.attested else Reason("descent.step-size.fix", wanted)
    return _without(found, Reason("descent.step-size", {**wanted, "rate": found.rate}), fix)


def _without(found: Declared, reason: Reason, fix: Reason) -> Declared:
    return replace(found, reason=reason, fix=fix)
