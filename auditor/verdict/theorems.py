"""Theorems by id. A module of a part names its own in `THEOREMS`; a new theorem is one entry there and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Final, Literal, TypeAlias

from auditor import __version__
from auditor.base.foreign_parts import ForeignPart, PerParts, foreign_modules, refuse_taken
from auditor.base.parts import modules
from auditor.document.editions import FIRST, in_force, older_modules

# What a theorem is to a derivation: its citation, and the facts that it needs.
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
    unless: tuple[str, ...] = ()
    """Names of facts that its statement concerns and that nobody has to know: each, once refuted, is a premise that fails."""
    concludes: bool = True
    """Whether anything follows from it. What only names the place of a guarantee next to another one concludes nothing, whatever
    is known."""
    together: Together = "none"
    through: tuple[str, ...] = ()
    """Ids of theorems that its proof passes through, the last step first."""
    declared: bool = False
    """Whether a case declares that it is what follows, as by two programs side by side: no page asks for another one then."""
    since: str = FIRST
    """The version since which documents may rest on it, with these needs."""


LOG_FACTS: Final = frozenset(
    {
        "log-complete",
        "log-consistent",
        "own-request-fixed",
        "preprocessing-clean",
        "requests-fixed",
        "seen-releases",
        "subjects-complete",
    }
)
"""Facts about the deletion log, and about the records that it names. A theorem by which something is *shown* needs those that its
statement concerns, or names them in `unless`."""


def needing(theorem: Theorem, fact: str) -> Theorem:
    """Add one fact to those that a theorem needs, unless it needs it anyway."""
    return theorem if fact in theorem.needs else replace(theorem, needs=(*theorem.needs, fact))


__all__ = ["LOG_FACTS", "Theorem", "facts_needed", "foreign_theorems", "needing", "theorems"]


@PerParts
def theorems(version: str = __version__) -> Mapping[str, Theorem]:
    """Every theorem that a version knows, by its id; those of foreign parts in force come last.

    Raises:
        ValueError: If two have one id, or `version` is not a version.
        PartError: If a foreign part brings one that is there already.
    """
    return {**in_force(_every(), version, key=lambda each: each.id), **{each.id: each for _, each in foreign_theorems()}}


@PerParts
def foreign_theorems() -> tuple[tuple[ForeignPart, Theorem], ...]:
    """List the theorems of foreign parts in force, each with its part.

    Raises:
        PartError: If a part brings one that is there already.
    """
    found: dict[str, tuple[ForeignPart, Theorem]] = {}
    own = frozenset(each.id for each in _every())
    for part, module in foreign_modules("theorems"):
        for each in module.THEOREMS:
            refuse_taken(part, "theorem", [each.id], own | found.keys())
            found[each.id] = (part, each)
    return tuple(found.values())


@cache
def facts_needed() -> frozenset[str]:
    """The names of all facts that some theorem of the auditor's own needs, or needs not to be refuted, in any edition."""
    return frozenset(name for theorem in _every() for name in (*theorem.needs, *theorem.may_need, *theorem.unless))


@cache
def _every() -> tuple[Theorem, ...]:
    return tuple(theorem for module in chain(modules("theorems"), older_modules()) for theorem in getattr(module, "THEOREMS", ()))
