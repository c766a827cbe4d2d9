"""What a run sees of a controller whose histories are played."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from pydantic import Field

from auditor.base.domain import Message
from auditor.base.histories import History, Operation
from auditor.parts.controllers.judging.history.pipeline import Pipeline
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.stated import Count, Positive

Row: TypeAlias = tuple[str, str, str | None]
"""Channel, operation, argument."""


class Event(StrEnum):
    """What a state may show that tells two laws apart."""

    WHOLE = "the whole state"
    SIZE = "the size of the state"
    BYTE = "a byte of the state"
    BIT = "a bit of the state"
    HOLDS = "a text that the operations named"
    ECHO = "a text that the controller returned"
    NUMBER = "a number in answers or state"
    SUM = "a weighted sum of the numbers in answers and state"


class Counterexample(Values):
    """Two logically equivalent histories that left different states under one tape, in fresh processes, or different answers."""

    adversary: str
    adapts: bool
    """Whether it was found by using what the controller returned."""
    tape: Count
    left: tuple[Row, ...]
    right: tuple[Row, ...]
    minimal: bool
    """Whether no single operation can be left out."""
    offset: Count
    """The first byte in which the states differ."""
    sizes: tuple[Count, Count]
    digests: tuple[str, str]
    """SHA-256 of either state."""
    excerpts: tuple[str, str]
    """Some bytes of either state from `offset` on, in hexadecimal."""
    answers: bool = Field(default=False, exclude_if=lambda value: not value)
    """Whether the states are the same, and the fields above describe the last answers."""

    @property
    def sides(self) -> tuple[History, History]:
        """The two histories."""
        left, right = (tuple(Operation(*row) for row in side) for side in (self.left, self.right))
        return left, right


class Law(Values):
    """One event, counted over states that either history left under fresh tapes. It was chosen on other runs."""

    adversary: str
    adapts: bool
    event: Event
    runs: Positive
    """Of either history."""
    left: Count
    right: Count


class Played(Values):
    """The histories of one adversary."""

    adversary: str
    histories: Count
    different: Count
    """Pairs whose states differ."""


class Tried(Values):
    """What became of the histories."""

    histories: Count
    operations: Count
    deterministic: bool
    """Whether the same history gave the same outputs and state under the same tape, in two processes."""
    ignores_tape: bool
    """Whether other tapes changed nothing, so that identical and fresh tapes are one."""
    searched: bool
    """Whether hypothesis searched for histories too."""
    played: tuple[Played, ...]
    counterexamples: tuple[Counterexample, ...]
    """One of each kind, a few at most."""
    laws: tuple[Law, ...]


class Together(Values):
    """The pair against its parts, each alone under its half of the tape and asked what reaches it."""

    histories: Count
    operations: Count
    apart: Count
    """Histories in which the pair answered, or kept, something else than its parts do alone."""
    repeats: bool
    """Whether either part came to the same in another process under the same tape, the histories in another order."""
    tapes: Count
    """Other tapes under which the first part heard the same."""
    by_chance: Count
    """Histories in which it then answered something else."""
    files: Count
    """Files that the two left in the folder that both work in."""


class Parts(Values):
    """What plays of two programs side by side showed."""

    first: Tried
    second: Tried | None
    """None where it hides people by noise, which `privacy.continual` examines."""
    together: Together


class Observed(Values):
    """What the games showed."""

    untried: Message | None = None
    """Why none was played."""
    tried: Tried | None = None
    pipeline: Pipeline | None = Field(default=None, exclude_if=lambda value: value is None)
    """Of a learner that claims it."""
    parts: Parts | None = Field(default=None, exclude_if=lambda value: value is None)
    """Of two programs side by side, what plays of each by itself showed."""
