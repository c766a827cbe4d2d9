"""What steps of noisy gradient descent on convex losses share: their constants, and how much closer a step brings two models."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from auditor.base.domain import Condition, Provenance
from auditor.maths.certificates.rounding import floor
from auditor.maths.certificates.rule import Inputs, above, at_least, trusted

INDISTINCT: Final = 1e-300
"""Below the smallest normal number 1 - c has no digits to spare."""


class LossInputs(Inputs):
    """The constants of the loss and of the noise."""

    lipschitz: float
    """L, a bound on the gradient norm of every record's loss, at least 0."""
    l2: float
    """lambda, the coefficient of the regulariser outside the mean, at least 0."""
    smoothness: float
    """beta, a bound on the curvature of every record's loss, at least 0."""
    sigma2: float
    """sigma^2, the variance of the noise before it is scaled by sqrt(2 eta), above 0."""

    @property
    def ranges(self) -> tuple[Condition, ...]:
        """The conditions on these constants alone."""
        return (
            at_least("lipschitz", self.lipschitz, 0),
            at_least("l2", self.l2, 0),
            at_least("smoothness", self.smoothness, 0),
            above("sigma2", self.sigma2, 0),
        )

    def missing(self, rate: float) -> Fraction:
        """1 - c, exactly, of steps at a rate; below 0 where a step can move two models apart."""
        step, l2, smoothness = Fraction(rate), Fraction(self.l2), Fraction(self.smoothness)
        return 1 - max(abs(1 - step * l2), abs(1 - step * (l2 + smoothness)))

    def contracts(self, rate: float, *, learned: int | None, key: str) -> tuple[Condition, ...]:
        """The conditions on a step at a rate, and what is trusted of the losses.

        Args:
            rate: eta, above 0.
            learned: The steps or epochs with the record; None where the bound has to hold for any number of them.
            key: The input that says how many.
        """
        missing = self.missing(rate)
        found, how = f"c = {floor(1 - missing):.12g}", Provenance.COMPUTED
        closer = Condition(
            "rate <= 2/(l2 + smoothness): no step moves two models apart", missing >= 0, found, Provenance.COMPUTED
        )
        fades = Condition(f"every step brings models together, or {key} is given", missing > 0, found, how)
        return (
            closer,
            *([fades] if learned is None else []),
            trusted("every loss is convex, Lipschitz and smooth with these constants"),
            trusted("gradients are not clipped, or the model has one output and they are a scalar times the record"),
        )
