"""Hold what two models differ in, item by item: parameters, predictions, state, saved file, and objects that a walk meets."""

from __future__ import annotations

from typing import Final, Literal, Self, TypeAlias

from pydantic import model_validator

from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.quantities import Amount, Count

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
