"""Theorems by id. A module of this folder names its own in `THEOREMS`; a new theorem is one entry there and nothing else."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from auditor.theorems.theorem import Theorem

__all__ = ["Theorem", "facts_needed", "theorems"]


@cache
def theorems() -> Mapping[str, Theorem]:
    """Every theorem by its id.

    Raises:
        ValueError: If two have one id.
    """
    found: dict[str, Theorem] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda each: each.name):
        for theorem in getattr(importlib.import_module(f"{__name__}.{module.name}"), "THEOREMS", ()):
            if theorem.id in found:
                raise ValueError(f"two theorems are called {theorem.id!r}")
            found[theorem.id] = theorem
    return found


@cache
def facts_needed() -> frozenset[str]:
    """The names of all facts that some theorem needs."""
    return frozenset(name for theorem in theorems().values() for name in theorem.needs)
