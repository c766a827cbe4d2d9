"""Theorems by id. A module of a part names its own in `THEOREMS`; a new theorem is one entry there and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import chain

from auditor import __version__
from auditor.base.parts import modules
from auditor.document.editions import in_force, older_modules
from auditor.verdict.theorems.theorem import Theorem, needing

__all__ = ["Theorem", "facts_needed", "needing", "theorems"]


@lru_cache(maxsize=8)
def theorems(version: str = __version__) -> Mapping[str, Theorem]:
    """Every theorem that a version knows, by its id.

    Raises:
        ValueError: If two have one id, or `version` is not a version.
    """
    return in_force(_every(), version, key=lambda each: each.id)


@cache
def facts_needed() -> frozenset[str]:
    """The names of all facts that some theorem needs, in any edition."""
    return frozenset(name for theorem in _every() for name in (*theorem.needs, *theorem.may_need))


@cache
def _every() -> tuple[Theorem, ...]:
    return tuple(theorem for module in chain(modules("theorems"), older_modules()) for theorem in getattr(module, "THEOREMS", ()))
