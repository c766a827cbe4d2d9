"""The table of the procedure `noisy-sgd`: noisy gradient descent in mini-batches; and its entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from auditor.base.domain import Message
from auditor.parts.data_deletion.settings import rounding_of_rerun, step_size
from auditor.settings.builtin import USE, Carried, Entry, Procedure, Tolerance, one_of
from auditor.settings.facets import Packing
from auditor.settings.values import Positive, Seed, wrong


class NoisySgd(Procedure):
    """The built-in procedure `noisy-sgd`: steps in mini-batches, of a convex loss (after Chien, Wang, Chen and Li 2024).

    The batch of a record follows from its id alone, and stays; an epoch visits every batch once, always in the same order.
    """

    use: Annotated[Literal["noisy-sgd"], USE] = "noisy-sgd"
    """The name of the procedure."""
    loss: Annotated[Literal["logistic", "softmax"], one_of("loss", ("logistic", "softmax"))]
    """The loss of a linear model without intercept."""
    l2: Positive
    """The L2 coefficient lambda: every step adds that of (l2 / 2) times the squared norm."""
    sigma2: Positive
    """Variance of the gradient noise: a step adds sqrt(2 rate) N(0, sigma2 I)."""
    batches: Annotated[int, Field(ge=1, le=1_000_000)]
    """M: a record is in batch SHA-256(id) mod M."""
    batch_size: Annotated[int, Field(ge=1, le=1_000_000_000)]
    """b, which every batch's sum of gradients is divided by, however many records are left in it; no batch may hold more."""
    order: Annotated[float, Field(gt=1)] = 2.0
    """q, the Renyi order that epsilons are stated at; that of a claim goes first."""
    learn_epochs: Annotated[int, Field(ge=0, le=1_000_000)]
    """Epochs of learning."""
    unlearn_epochs: Annotated[int, Field(ge=0, le=1_000_000)]
    """Epochs after each batch of deletions."""
    clip: Positive | None = None
    """The Euclidean norm that the gradient of one record is clipped to; of the logistic loss alone, whose clipped gradients are
    still gradients."""
    rate: Annotated[Literal["theorem"] | float, BeforeValidator(step_size)] = "theorem"
    """The step size; "theorem" for 1/(2(l2 + smoothness))."""
    row_norms: Annotated[Literal["report", "refuse", "scale"], one_of("row_norms", ("report", "refuse", "scale"))] = "report"
    """What is done with training records whose features have a norm above 1, for which the loss's constants do not hold."""
    seed: Seed
    """A secret; learn gets seed, the k-th batch of deletions seed + k."""

    @property
    def sandbox_settings(self) -> dict[str, object]:
        """All that is declared but the seed."""
        return self.model_dump(mode="json", exclude={"use", "seed"})

    def tolerance_of_rerun(self, rows_left: int) -> Tolerance | None:  # noqa: ARG002 - no step depends on how many are left
        """As of full batches."""
        return rounding_of_rerun(self)

    @property
    def carried(self) -> Carried:
        """An update is descent from the model that it is given."""
        return Carried(Message("carried.parameters-read"))

    @property
    def descent(self) -> NoisySgd:
        """What the theorems on data deletion cover."""
        return self

    @property
    def packing(self) -> Packing:
        """As declared."""
        return Packing(self.batches, self.batch_size)

    @property
    def learn_steps(self) -> int:
        """One a batch."""
        return self.learn_epochs * self.batches

    @property
    def unlearn_steps(self) -> int:
        """One a batch."""
        return self.unlearn_epochs * self.batches

    @property
    def renyi_order(self) -> float:
        """As declared."""
        return self.order

    def linear_models(self, labels: int, *, classifies: bool) -> int:  # noqa: ARG002 - it classifies, or is refused
        """One for the logistic loss, one for each label for softmax."""
        return 1 if self.loss == "logistic" else labels

    # Nothing of a network, and no cap: the bound is for a known convex loss.
    @property
    def model(self) -> None:
        """No network."""
        return

    @property
    def entry(self) -> None:
        """No network."""
        return

    @property
    def params(self) -> Mapping[str, JsonValue]:
        """No network."""
        return {}

    @property
    def loss_cap(self) -> None:
        """Not capped: a capped loss is not convex."""
        return

    @property
    def lipschitz(self) -> None:
        """Known of the loss."""
        return

    @property
    def smoothness(self) -> None:
        """Known of the loss."""
        return

    @property
    def convex(self) -> bool:
        """Said of networks alone."""
        return False

    @model_validator(mode="after")
    def _keys_fit(self) -> NoisySgd:
        if self.clip is not None and self.loss == "softmax":
            raise wrong('clip with loss = "logistic" only: clipped softmax gradients are no gradients', f"clip = {self.clip:g}")
        if self.rate != "theorem" and self.rate * self.l2 >= 2:
            raise wrong(
                f"a rate below 2/l2, which is {2 / self.l2:g}: beyond it no step comes nearer to 0", f"rate = {self.rate:g}"
            )
        return self


PROCEDURES: Final = (
    Entry(
        NoisySgd,
        build="auditor.parts.data_deletion.learning.making:make_batches",
        fits="auditor.parts.data_deletion.declared:fits_batches",
        of_data="auditor.parts.networks.declared:of_data",
    ),
)
