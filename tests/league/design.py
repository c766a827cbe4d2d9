"""States what a design of the league is: a case, whether it is honest, its lie, and the outcomes that it may have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from submission import Bundle, Submission


class Kind(StrEnum):
    """Names what a dishonest design tries, or that a design is honest."""

    GAME = "game told from log"
    FILE = "file and bits"
    CLAIMS = "claims"
    IDS = "ids"
    PREPROCESSING = "preprocessing"
    TIMING = "timing"
    STATE = "state"
    LAZY = "laziness"
    STILL = "learner that does not react"
    BROUGHT = "brought along"
    HIDDEN = "hidden in what is kept"
    APPROXIMATE = "sold as approximate"
    LEARNERS = "part of a learner that stays"
    TABLES = "tables made with deleted records"
    LOGS = "what the log says"
    STORES = "what the store keeps"
    PROGRAMS = "whole controller"
    NETWORKS = "network"
    ANSWERS = "answers and single runs"
    MEMORY = "memory beyond the objects"
    HONEST = "honest"


ANY_BUT_PASS: Final = frozenset({1, 3})
"""A finding or an open question; exit 2 and 4 would mean that the design is no case, or does not run."""


@dataclass(frozen=True, kw_only=True)
class Design:
    """Holds one design. Whatever is built is drawn from the seed that `build` is given."""

    name: str
    kind: Kind
    lie: str
    """What is not as the controller says, in one sentence; for an honest design, what it does."""
    build: Callable[[int], Submission | Bundle]
    allowed: frozenset[int] = ANY_BUT_PASS
    """The exit codes that the audit may end with."""
    said_by: tuple[str, ...] = ()
    """Checks of which at least one has to fail or stay inconclusive; the release itself ("verdict") where none could."""
    trusted: frozenset[str] = frozenset()
    """Words of `[claims] attested` that are the lie: with them attested the audit passes, and names them. Every other word is
    attested anyway, whether it is true or not: what a check sees no word may turn into a pass."""
    stopped_too: bool = False
    """Whether an audit may also stop it with these words attested, rather than pass and name them."""
    between: Callable[[Path], None] | None = None
    """What happens to the folder after the case was read and before it is audited."""
    quick: bool = False
    """Whether `make test` runs it."""
    by_chance: bool = False
    """Whether its release is judged by ranks among retrained models, which reject one honest release in twenty by chance."""

    @property
    def honest(self) -> bool:
        """Tell whether nothing about it is a lie."""
        return self.kind is Kind.HONEST
