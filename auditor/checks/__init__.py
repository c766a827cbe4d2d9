"""One pure judge for each check: `judge(context, observed, earlier) -> Finding`.

A module of this folder, or of a folder in it, that holds a check names its `Definition` in the constant `CHECK`, or several in a
tuple `CHECKS`; the folder is listed, so that a new check is one new file here. `audit` and `verify` run the same judges.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from auditor.checks.definition import Definition
from auditor.domain import CHECK_IDS

__all__ = ["definitions"]


@cache
def definitions() -> Mapping[str, Definition[Any]]:
    """Every check by its id, in the order of the contract.

    Raises:
        ValueError: If two checks have one id, or an id is none of the contract's.
    """
    found: dict[str, Definition[Any]] = {}
    for name in _modules(__path__, __name__):
        module = importlib.import_module(name)
        alone = (module.CHECK,) if hasattr(module, "CHECK") else ()
        for definition in (*alone, *getattr(module, "CHECKS", ())):
            if definition.card.id in found or definition.card.id not in CHECK_IDS:
                raise ValueError(f"two checks are called {definition.card.id!r}, or the contract has none of that name")
            found[definition.card.id] = definition
    return {check_id: found[check_id] for check_id in CHECK_IDS if check_id in found}


def _modules(path: Any, package: str) -> Iterator[str]:
    for each in sorted(pkgutil.iter_modules(path), key=lambda found: found.name):
        name = f"{package}.{each.name}"
        yield name
        if each.ispkg:
            yield from _modules(importlib.import_module(name).__path__, name)
