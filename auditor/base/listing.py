"""Listing the modules of a package: what is there is found, and nothing has to be entered anywhere."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType


def modules_below(package: ModuleType) -> Iterator[ModuleType]:
    """Import every module of a package, those of its packages among them, in the order of their names."""
    for each in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
        module = importlib.import_module(f"{package.__name__}.{each.name}")
        yield module
        if each.ispkg:
            yield from modules_below(module)
