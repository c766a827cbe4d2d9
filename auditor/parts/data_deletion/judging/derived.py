"""What the judges of data deletion work out: premises, and what an ε says in other words."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from auditor.base.domain import Message, Provenance
from auditor.parts.data_deletion.judging.goals import Named
from auditor.verdict.checks.finding import Values

Theorem: TypeAlias = Literal["5.1", "5.2", "gaussian", "batches", "twins"]
"""What an ε was derived from; `twins` are runs with other records in the place of the deleted ones."""


class Premise(Values):
    """One premise of a theorem, and what was found of it."""

    name: str
    """Of the fact that a guarantee rests on; see `auditor.verdict.guarantees.STATEMENTS`."""
    holds: bool | None
    """None where nobody could tell."""
    found: Message
    how: Provenance
    """Refuted where it does not hold."""
    mend: Message | None = None
    """What would make it hold."""


class AtOrder(Values):
    """ε and the bound on membership at one Rényi order."""

    order: float
    epsilon_dd: float | None
    epsilon_dp: float | None
    advantage: float | None


class Membership(Values):
    """The best bound on the advantage in guessing whether a record was there."""

    order: float
    bound: float


class Conversion(Values):
    """The best (ε, δ) that a Rényi ε converts to."""

    delta: float
    order: float
    mironov: float | None
    tight: float | None


class Gaussian(Values):
    """The Gaussian trade-off alongside the theorem."""

    mu: float
    epsilon: float | None
    advantage: float


class AfterSteps(Values):
    """ε_dd after so many unlearning steps, by the theorem and by the trade-off."""

    steps: int
    epsilon_dd: float | None
    gaussian: float | None


class OfBatch(Values):
    """What one batch leaves."""

    batch: str
    removed: int
    rows: int
    """Records trained on before it."""
    epsilon_dd: float | None
    """Of one of its records."""
    epsilon_together: float | None
    """Of all of its records together."""


class Cost(Values):
    """Gradients of records, and seconds, that retraining after the last batch takes and that unlearning it took."""

    gradients_learning: int | None
    gradients_unlearning: int | None
    saved_share: float | None
    seconds_retraining: float
    seconds_unlearning: float | None


class AcceptedUpdate(Values):
    """The noise of one update, and the interval that the declared variance is not refused in."""

    measured: float
    count: int
    low: float
    high: float


class AcceptedNoise(AcceptedUpdate):
    """The noise of all updates together, and of each."""

    declared: float
    detects: float
    """The smallest relative deviation of the variance that the test of all updates finds with probability `power`."""
    significance: float
    power: float
    updates: tuple[AcceptedUpdate, ...]


class Steps(Values):
    """Steps of learning and of a batch as declared, and of learning and each batch as counted."""

    declared: tuple[int, int]
    counted: tuple[int | None, ...]


class Sizes(Values):
    """What a bound needs to know of the records."""

    rows: int
    """The fewest training records while a record that was deleted was among them."""
    parameters: int | None
    largest_batch: int


class DescentSettings(Sizes):
    """Everything that the certificates of noisy gradient descent are derived from."""

    loss: str | None
    clip: float | None
    loss_cap: float | None
    lipschitz: float | None
    smoothness: float | None
    l2: float
    sigma2: float
    rate: float
    learn_steps: int
    unlearn_steps: int
    steps_with_record: int


class Twins(Values):
    """Runs with other records in the place of the deleted ones, in words."""

    runs: int
    replacements: tuple[Message, ...]
    same: bool
    reason: Message | None
    differs_after: str | None
    difference: float | None
    by_file: bool
    before_too: bool


class Derived(Values):
    """ε of one deleted record, what it rests on, and what it says in other words."""

    theorem: Theorem | None
    order: float
    epsilon_dd: float | None
    epsilon_dp: float | None
    """Of each model that was seen."""
    reason: Message | None
    """Why there is no ε; None where there is one."""
    mend: Message | None
    settings: DescentSettings | Sizes
    premises: tuple[Premise, ...]
    orders: tuple[AtOrder, ...] = ()
    membership: Membership | None = None
    conversions: tuple[Conversion, ...] = ()
    gaussian: Gaussian | None = None
    curve: tuple[AfterSteps, ...] = ()
    batches: tuple[OfBatch, ...] = ()
    cost: Cost
    utility: dict[str, Any] | None = None
    """The outputs of the rule `noisy-gd-utility`."""
    noise: AcceptedNoise | None = None
    steps: Steps | None = None
    sources: tuple[Named, ...]
    """Who names an ε, and at which order."""
    twins: Twins | None = None

    @property
    def false(self) -> tuple[Premise, ...]:
        """The premises that were found false."""
        return tuple(premise for premise in self.premises if premise.holds is False)

    @property
    def open(self) -> tuple[Premise, ...]:
        """The premises that nobody could know."""
        return tuple(premise for premise in self.premises if premise.holds is None)
