"""The table of the procedure `certified-removal`, and its entry."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import model_validator

from auditor.base.domain import Message
from auditor.settings.builtin import USE, Carried, Entry, Procedure, Tolerance, one_of
from auditor.settings.facets import Extractor, Removal
from auditor.settings.values import Inside, NonNegative, Positive, Seed, wrong


class CertifiedRemoval(Procedure):
    """The built-in procedure `certified-removal`: loss perturbation and Newton removal (Guo et al. 2020)."""

    use: Annotated[Literal["certified-removal"], USE] = "certified-removal"
    """The name of the procedure."""
    loss: Annotated[Literal["logistic", "least-squares"], one_of("loss", ("logistic", "least-squares"))] = "logistic"
    """The loss; logistic for labels (two, or one-versus-rest for more), least-squares for numbers."""
    halved: bool = False
    """Whether the squared loss is half the square, (w'x - y)^2 / 2."""
    l2: Positive
    """The L2 coefficient lambda; the objective adds (l2 n / 2) times the squared norm."""
    sigma: NonNegative
    """Standard deviation of each component of the random linear term b; with "laplace", the scale of its norm, which is
    Gamma(d, sigma). 0, for no such term, only alongside release_noise."""
    perturbation: Annotated[Literal["gaussian", "laplace"], one_of("perturbation", ("gaussian", "laplace"))] = "gaussian"
    """The law of the random linear term."""
    epsilon: NonNegative | None = None
    """Of the removal budget; with delta."""
    delta: Inside | None = None
    """Of the removal budget; with epsilon."""
    tolerance: Positive = 1e-8
    """Largest gradient norm, of the sum objective, at which the optimiser stops."""
    unlearn: Literal["newton", "retrain"] = "newton"
    """How a batch is answered: a Newton step, or training from scratch."""
    release_noise: NonNegative = 0.0
    """Standard deviation s of the noise that is added to every parameter of a release, fixed before the data; with
    residual_budget."""
    residual_budget: Positive | None = None
    """The gradient norm, all classes together, above which no model is released, fixed before the data: a Newton step that would
    leave more is answered by training from scratch with the same b."""
    row_norms: Annotated[Literal["report", "refuse", "scale"], one_of("row_norms", ("report", "refuse", "scale"))] = "report"
    """What is done with training records whose features have a norm above 1, for which two of the bounds do not hold: taken as
    they are, refused, or scaled to norm 1, in learning and predicting alike."""
    extractor: Extractor | None = None
    """What made the features, where it was trained on these records, the deleted ones among them, and is not trained again; None
    where it was trained on other data alone, or there is none."""
    retrain_at_budget: bool = False
    """Whether the procedure retrains at a batch that would overrun the removal budget."""
    seed: Seed
    """A secret; learn gets seed, the k-th batch seed + k."""

    @property
    def sandbox_settings(self) -> dict[str, object]:
        """All but the seed and what is declared of an extractor, under the names of the procedure's arguments."""
        return {
            "l2": self.l2,
            "sigma": self.sigma,
            "tolerance": self.tolerance,
            "unlearn_by": self.unlearn,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "retrain_at_budget": self.retrain_at_budget,
            "loss": self.loss,
            "halved": self.halved,
            "distribution": self.perturbation,
            "release_noise": self.release_noise,
            "residual_budget": self.residual_budget,
            "row_norms": self.row_norms,
        }

    @property
    def removal(self) -> Removal:
        """What the theorems on certified removal cover."""
        return self

    @property
    def keeps_labels(self) -> bool:
        """Each class has its model."""
        return True

    def linear_models(self, labels: int, *, classifies: bool) -> int:
        """One, or one for each of more than two labels."""
        return labels if classifies and labels > 2 else 1

    @property
    def timed_repeats(self) -> int:
        """More than once, for the median of what takes seconds."""
        return 5

    @property
    def trains_again(self) -> bool:
        """Retraining at the budget does not count, not even where every batch came to it: whether it came to it depends on b."""
        return self.unlearn == "retrain"

    @property
    def enforces_criterion(self) -> bool:
        """Whether no model is released that misses its criterion: it is trained from scratch instead, or always is."""
        return self.retrain_at_budget or bool(self.release_noise) or self.trains_again

    def models(self, classes: int) -> int:
        """How many models it trains for a case with so many classes: one, or for more than two classes one each."""
        return 1 if self.loss == "least-squares" or classes <= 2 else classes

    @property
    def carried(self) -> Carried:
        """A Newton step starts from weights without noise, and the budget counts what earlier removals have spent."""
        if self.unlearn == "retrain":
            return Carried(Message("carried.labels"))
        beyond = [Message("carried.weights-without-noise"), Message("carried.perturbation")] if self.release_noise else []
        if self.retrain_at_budget:
            beyond.append(Message("carried.budget-spent"))
        if not beyond:
            return Carried(Message("carried.weights"))
        return Carried(Message("carried.beyond", {"beyond": beyond}), tuple(beyond))

    def tolerance_of_rerun(self, rows_left: int) -> Tolerance | None:
        """What the optimiser's tolerance admits.

        L_b is λn-strongly convex, so two optima found to a gradient norm of `tolerance` lie within 2·tolerance/(λn) of one
        another; each Newton step carries that on with a factor near 1, for which a factor 4 leaves room.
        """
        return Tolerance(8 * self.tolerance / (self.l2 * rows_left), "model.reproduced.tolerance.optimiser")

    @property
    def solved_together(self) -> bool:
        """One strongly convex problem a class; not where a removal depends on the budget that earlier ones have used."""
        return not self.retrain_at_budget

    @model_validator(mode="after")
    def _keys_fit(self) -> CertifiedRemoval:
        if self.halved and self.loss != "least-squares":
            raise wrong('halved only with loss = "least-squares"', f'halved = true with loss = "{self.loss}"')
        if not self.release_noise:
            if self.residual_budget is not None:
                raise wrong("residual_budget only with a release_noise above 0", f"residual_budget = {self.residual_budget:g}")
            if not self.sigma:
                raise wrong("a sigma above 0, or a release_noise above 0", "sigma = 0")
            return self
        if self.residual_budget is None:
            raise wrong("residual_budget in addition to release_noise: it has to be fixed before the data", "no residual_budget")
        if self.tolerance >= self.residual_budget:
            raise wrong(
                f"a tolerance below residual_budget = {self.residual_budget:g}, which training itself must keep",
                f"{self.tolerance:g}",
            )
        if self.retrain_at_budget:
            raise wrong(
                "retrain_at_budget = false with release_noise, which retrains with the same b at residual_budget",
                "retrain_at_budget = true",
            )
        return self


PROCEDURES: Final = (
    Entry(
        CertifiedRemoval,
        build="auditor.parts.removal.learning.certified_removal:CertifiedRemoval",
        read="auditor.parts.removal.declared:read",
        fits="auditor.parts.removal.declared:fits",
    ),
)
