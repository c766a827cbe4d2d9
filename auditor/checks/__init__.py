"""One pure judge for each check: `judge(context, observed, earlier) -> Finding`.

A module of this folder, or of a folder in it, that holds a check names its `Definition` in the constant `CHECK`, or several in a
tuple `CHECKS`; the folder is listed, so that a new check is one new file here. `audit` and `verify` run the same judges.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from auditor.checks.definition import Definition

__all__ = ["definitions", "judging_unlearning", "listed_in"]


@cache
def definitions() -> Mapping[str, Definition[Any]]:
    """Every check by its id, in the order of their places.

    Raises:
        ValueError: If two checks have one id or one place.
    """
    found: list[Definition[Any]] = []
    for name in _modules(__path__, __name__):
        module = importlib.import_module(name)
        alone = (module.CHECK,) if hasattr(module, "CHECK") else ()
        found += (*alone, *getattr(module, "CHECKS", ()))
    ordered = sorted(found, key=lambda each: each.card.place)
    by_id = {each.card.id: each for each in ordered}
    if len(by_id) < len(found) or len({each.card.place for each in found}) < len(found):
        raise ValueError("two checks have one id or one place")
    return by_id


def listed_in(*, reruns: bool) -> tuple[str, ...]:
    """List the ids of the checks that a document lists.

    Args:
        reruns: Whether there was anything to run: checks of answers are listed where there was not.
    """
    return tuple(name for name, each in definitions().items() if not (each.card.of_answers and reruns))


def judging_unlearning(check_ids: Iterable[str]) -> frozenset[str]:
    """Those of the checks that judge the unlearning itself."""
    return frozenset(name for name in check_ids if name in definitions() and definitions()[name].card.judges_unlearning)


def _modules(path: Any, package: str) -> Iterator[str]:
    for each in sorted(pkgutil.iter_modules(path), key=lambda found: found.name):
        name = f"{package}.{each.name}"
        yield name
        if each.ispkg:
            yield from _modules(importlib.import_module(name).__path__, name)


def shows_deletions(check_id: str) -> bool:
    """Whether a check asks what the model before a deletion and the one after it show together.

    That is no question of what either of them keeps: a model that never held a record can be what gives its deletion away.
    """
    return check_id.startswith(("inference.", "reconstruction.", "answers.inference"))
