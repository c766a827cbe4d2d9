"""Adversaries of the SWAP test. Each sees shadow data and what a model gives away, and nothing of who is to be forgotten.

A module of this folder that holds attacks names them in its constant `ATTACKS`; the folder is listed, so that a new attack is one
new file and nothing else.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from auditor import __version__
from auditor.attacks.attack import Attack
from auditor.attacks.threat_model import Outputs, References, Shadow, Turn
from auditor.attacks.whole_set import WHOLE_SET
from auditor.base.domain import Problem
from auditor.base.errors import InputError
from auditor.base.foreign_parts import PerParts, foreign_modules, refuse_taken
from auditor.document.editions import in_force

__all__ = ["WHOLE_SET", "Attack", "Outputs", "References", "Shadow", "Turn", "attacks", "foreign", "refuse_unknown", "unknown"]


@PerParts
def _listed() -> Mapping[str, Attack[Any]]:
    """Every attack by its name, those of foreign parts in force last."""
    return {**_own(), **_foreign()}


def foreign() -> frozenset[str]:
    """Name the attacks of foreign parts in force."""
    return frozenset(_foreign())


@PerParts
def _foreign() -> Mapping[str, Attack[Any]]:
    """The attacks of foreign parts in force by name.

    Raises:
        PartError: If a part brings one that is there already.
    """
    found: dict[str, Attack[Any]] = {}
    for part, module in foreign_modules("attacks"):
        for attack in module.ATTACKS:
            refuse_taken(part, "attack", [attack.name], {*_own(), *found, WHOLE_SET.name})
            found[attack.name] = attack
    return found


@cache
def _own() -> Mapping[str, Attack[Any]]:
    found: dict[str, Attack[Any]] = {}
    # Folders hold adversaries of other games.
    for module in sorted((each for each in pkgutil.iter_modules(__path__) if not each.ispkg), key=lambda each: each.name):
        for attack in getattr(importlib.import_module(f"{__name__}.{module.name}"), "ATTACKS", ()):
            if attack.name in found:
                raise ValueError(f"two attacks are called {attack.name!r}")
            found[attack.name] = attack
    return dict(sorted(found.items()))


def attacks(version: str = __version__) -> Mapping[str, Attack[Any]]:
    """Every attack that a version knows, by its name, in the order of names.

    Raises:
        ValueError: If `version` is not a version.
    """
    return in_force(_listed().values(), version, key=lambda each: each.name)


def unknown(names: Iterable[str]) -> tuple[str, ...]:
    """Those of `names` that no attack bears, in their order."""
    return tuple(name for name in names if name not in _listed())


def refuse_unknown(names: Iterable[str]) -> None:
    """See that every attack that `[swap] attacks` names exists.

    Raises:
        InputError: With one problem for each that does not.
    """
    if absent := unknown(names):
        expected = f"attacks among {', '.join(_listed())}"
        raise InputError([Problem("audit.toml", "swap.attacks", expected, json.dumps(name)) for name in absent])
