"""What a theorem is to a derivation: its citation, and the facts that it needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from auditor.document.editions import FIRST

Together: TypeAlias = Literal["same", "noise", "none"]
"""What a conclusion says of k people together (Deletion-as-control, Section 2.4): the same ε and δ, as histories without all of
them are histories too; what group privacy leaves of noise; or nothing."""


@dataclass(frozen=True, slots=True)
class Theorem:
    """One theorem that a guarantee can follow from."""

    id: str
    """A stable name, which results hold."""
    citation: str
    needs: tuple[str, ...]
    """Names of facts."""
    may_need: tuple[str, ...] = ()
    """Names of facts that it needs too where more is asked of it, such as a promise to a person."""
    under: tuple[str, ...] = ()
    """Those of them that its statement names as conditions: the controller's word meets one, and weakens nothing."""
    concludes: bool = True
    """Whether anything follows from it. What only names the place of a guarantee next to another one concludes nothing, whatever
    is known."""
    together: Together = "none"
    through: tuple[str, ...] = ()
    """Ids of theorems that its proof passes through, the last step first."""
    since: str = FIRST
    """The version since which documents may rest on it, with these needs."""


def needing(theorem: Theorem, fact: str) -> Theorem:
    """Add one fact to those that a theorem needs, unless it needs it anyway."""
    return theorem if fact in theorem.needs else replace(theorem, needs=(*theorem.needs, fact))
