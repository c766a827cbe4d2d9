"""What a procedure of any table can be for the checks: a certified removal, or noisy gradient descent, by what it declares.

A check asks `procedure.removal` or `procedure.descent` and never for a class: a procedure of another part that is one of them is
held to the same theorems.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import JsonValue

from auditor.settings.values import BelowOne, NonNegative, Table


class Extractor(Table):
    """What the training of a feature extractor below the linear model promises of one record (Guo et al. 2020, Theorem 5)."""

    epsilon: NonNegative
    """Of its differential privacy, records being added or removed."""
    delta: BelowOne
    """Of its differential privacy."""


class Removal(Protocol):
    """Certified removal from linear models by Newton steps (Guo et al. 2020), as declared."""

    @property
    def built_in(self) -> str | None:
        """The name that `use` gives it."""

    @property
    def loss(self) -> Literal["logistic", "least-squares"]:
        """Of each model."""

    @property
    def halved(self) -> bool:
        """Whether the squared loss is half the square."""

    @property
    def l2(self) -> float:
        """λ: the objective adds (λn/2)‖w‖²."""

    @property
    def sigma(self) -> float:
        """Standard deviation of each component of b; of a Laplace law the scale of its norm."""

    @property
    def perturbation(self) -> Literal["gaussian", "laplace"]:
        """The law of b."""

    @property
    def epsilon(self) -> float | None:
        """Of the removal budget."""

    @property
    def delta(self) -> float | None:
        """Of the removal budget."""

    @property
    def tolerance(self) -> float:
        """Largest gradient norm at which the optimiser stops."""

    @property
    def unlearn(self) -> Literal["newton", "retrain"]:
        """How a batch is answered."""

    @property
    def release_noise(self) -> float:
        """Standard deviation of the noise on every parameter of a release; 0 for none."""

    @property
    def residual_budget(self) -> float | None:
        """The gradient norm above which no model is released; None without noise at release."""

    @property
    def row_norms(self) -> Literal["report", "refuse", "scale"]:
        """What is done with rows whose norm is above 1."""

    @property
    def extractor(self) -> Extractor | None:
        """What made the features from the same records; None where nothing did."""

    @property
    def retrain_at_budget(self) -> bool:
        """Whether it retrains at a batch that would overrun the budget."""

    @property
    def seed(self) -> int:
        """A secret; learn gets seed, the k-th batch seed + k."""

    @property
    def trains_again(self) -> bool:
        """Whether every batch is answered by training from scratch."""

    @property
    def solved_together(self) -> bool:
        """Whether many of its models are the solutions of one batched problem."""

    @property
    def enforces_criterion(self) -> bool:
        """Whether no model is released that misses its criterion."""

    def models(self, classes: int) -> int:
        """Count the models that it trains for so many classes."""


@dataclass(frozen=True, slots=True)
class Packing:
    """Mini-batches: every record is in one of them, by its own id."""

    batches: int
    """M, the steps of an epoch."""
    divisor: int
    """b, which every batch's sum of gradients is divided by; no batch holds more records."""


class NoisyDescent(Protocol):
    """Noisy gradient descent (Chourasia and Shah 2023, Algorithm 2 and Definition 5.1), as declared."""

    @property
    def loss(self) -> Literal["logistic", "softmax"] | None:
        """The loss of a linear model without intercept; None for a network."""

    @property
    def model(self) -> str | None:
        """A built-in network by name."""

    @property
    def entry(self) -> str | None:
        """The controller's own network."""

    @property
    def params(self) -> Mapping[str, JsonValue]:
        """Of the network."""

    @property
    def l2(self) -> float:
        """λ: the objective is the mean loss plus (λ/2)‖w‖²."""

    @property
    def sigma2(self) -> float:
        """Variance of the gradient noise: a step adds √(2η) N(0, σ²I)."""

    @property
    def order(self) -> float:
        """q, the Rényi order that epsilons are stated at."""

    @property
    def learn_steps(self) -> int:
        """Steps of learning."""

    @property
    def unlearn_steps(self) -> int:
        """Steps after each batch."""

    @property
    def packing(self) -> Packing | None:
        """The mini-batches of its steps; None where every step takes all records."""

    @property
    def clip(self) -> float | None:
        """The norm that each record's gradient is clipped to."""

    @property
    def rate(self) -> Literal["theorem"] | float:
        """The step size."""

    @property
    def loss_cap(self) -> float | None:
        """c, for the loss c(1 − exp(−loss/c))."""

    @property
    def lipschitz(self) -> float | None:
        """Of a network, as attested."""

    @property
    def smoothness(self) -> float | None:
        """Of a network, as attested."""

    @property
    def convex(self) -> bool:
        """Of a network: whether the controller says that its loss is convex."""

    @property
    def row_norms(self) -> Literal["report", "refuse", "scale"]:
        """What is done with rows whose norm is above 1."""

    @property
    def foreign(self) -> bool:
        """Whether a network of the controller's own is trained."""
