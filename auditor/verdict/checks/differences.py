"""Hold what two models differ in, item by item: parameters, predictions, state, saved file, and objects that a walk meets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, Self, TypeAlias

from pydantic import model_validator

from auditor.base.domain import Message
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.stated import Amount, Count, Positive


# Hold how often one event was seen in each of two worlds, which its limits follow from.
class Counted(Values):
    """How often one event was seen, among draws that nothing was fitted on."""

    hits: Count
    """In world 0."""
    trials: Positive
    other_hits: Count
    """In world 1."""
    other_trials: Positive

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if self.hits > self.trials or self.other_hits > self.other_trials:
            raise ValueError("an event is seen no more often than it is looked for")
        return self

    @property
    def share_right(self) -> float:
        """The share of draws whose world the event names."""
        return (self.hits + self.other_trials - self.other_hits) / (self.trials + self.other_trials)


# What a single run of a case could refute at best: forms of it are known before anything is trained.
@dataclass(frozen=True, slots=True)
class Foretold:
    """What a single run could refute, known before anything is trained."""

    canaries: int
    guesses: int
    unplayable: Message | None
    """Why there would be no run; what follows is then None."""
    epsilon: float | None
    """The lower bound if every guess is right, rounded down: no claim of as much or more can be refuted. None if no ε can."""
    delta: float
    """Of the claim of certified removal; 0 without one."""
    error: float
    """The probability with which the bound may be wrong."""
    noticed: float | None
    """The share of right guesses that would be distinguished from guessing four times in five; None if no share would."""
    claimed: float | None
    """The ε of the claim of certified removal."""
    needed: float | None
    """The true ε from which on the claim would be refuted four times in five, by an adversary who finds everything.

    None without a claim, or where it is out of reach.
    """


Kind: TypeAlias = Literal["parameters", "predictions", "state", "saved file", "object"]
"""What two models are compared by; an object is what a walk over model, procedure, classes and modules met."""
LET_PASS_BYTES: Final = 64
"""Single numbers that differ of themselves, as times do, or stay with other records, as counters do, are listed and let pass, up
to so many bytes in all."""


class Difference(Values):
    """An item that differs."""

    name: str
    kind: Kind | Literal["scalar"]
    """A scalar is a single number that the walk met."""
    largest: Amount | None
    """The largest absolute difference; None where shapes differ, or where it holds no numbers."""
    bytes: Count
    """The size of the item, the larger of the two."""
    moves: Literal["by itself", "not with the records"] | None = None
    """Of a scalar: whether it differs between two runs of the same log, or is the same with other records in the place of the
    deleted ones; None where neither was found."""


class Compared(Values):
    """The release held against one other model, item by item."""

    differing: Count
    differences: tuple[Difference, ...] = ()
    """The first hundred of these, parameters and predictions before all others."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if len(self.differences) > self.differing:
            raise ValueError("no more items are named than differ")
        return self

    @property
    def behaves_otherwise(self) -> bool:
        """Whether parameters or predictions differ."""
        return any(each.kind in {"parameters", "predictions"} for each in self.differences)

    @property
    def let_pass(self) -> tuple[Difference, ...]:
        """Single numbers that are listed and let pass."""
        scalars = tuple(each for each in self.differences if each.kind == "scalar" and each.moves is not None)
        return scalars if sum(each.bytes for each in scalars) <= LET_PASS_BYTES else ()

    @property
    def counted(self) -> int:
        """How many items differ, but for those that are let pass."""
        return self.differing - len(self.let_pass)

    @property
    def unnamed(self) -> int:
        """How many items differ beyond those that are named."""
        return self.differing - len(self.differences)
