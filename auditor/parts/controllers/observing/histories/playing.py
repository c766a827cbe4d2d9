"""What plays a history: from `initialize` with a tape, through every operation, to the state that is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from auditor.base.histories import Script


class Play(NamedTuple):
    """One history to be played by a controller of its own."""

    tape: int
    """The seed that `initialize` is given."""
    script: Script


class Ran(NamedTuple):
    """What a play came to."""

    outputs: tuple[str | None, ...]
    """What `initialize` returned, then what each operation did."""
    state: bytes


class Player(Protocol):
    """Plays histories, each from the start and by a controller of its own."""

    def play(self, plays: Sequence[Play]) -> list[Ran]:
        """Play them in order.

        Raises:
            ProcedureError: If the controller raised, hung, or returned something else than the contract asks for.
            SandboxError: If the sandbox failed.
        """


class Counting:
    """A player that counts what it plays.

    Attributes:
        player: Plays them, and counts nothing.
        histories: Played so far.
        operations: Made so far.
    """

    def __init__(self, player: Player) -> None:
        self.player = player
        self.histories = 0
        self.operations = 0

    def play(self, plays: Sequence[Play]) -> list[Ran]:
        """Play them in order; raises what the player raises."""
        self.histories += len(plays)
        self.operations += sum(len(each.script) for each in plays)
        return self.player.play(plays)
