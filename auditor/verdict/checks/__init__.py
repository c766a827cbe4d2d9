"""One pure judge for each check: `judge(context, observed, earlier) -> Finding`.

A module of a part that holds a check names its `Definition` in the constant `CHECK`, or several in a tuple `CHECKS`, and the part
names the module. The auditor's own are known by their cards, and imported when they are asked: `auditor.verdict.checks.late`.
`audit` and `verify` run the same judges, those of the version that wrote a document: `auditor.document.editions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain, groupby
from operator import itemgetter
from types import ModuleType
from typing import Any

from auditor import __version__
from auditor.base.domain import Check
from auditor.base.foreign_parts import ForeignPart, PerParts, fault_of, foreign_modules, refuse_taken
from auditor.base.parts import Part, modules, parts
from auditor.document.editions import in_force, older_modules
from auditor.verdict.checks import foreign as bounds
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.late import named_in

__all__ = [
    "brought_by",
    "constants",
    "definitions",
    "derived_in",
    "judging_unlearning",
    "listed_in",
    "observed_in",
    "part_of",
    "the",
    "with_role",
]


@PerParts
def definitions(version: str = __version__) -> Mapping[str, Definition[Any]]:
    """Every check that a version knows, by its id, in the order of their places; those of foreign parts in force come last.

    Raises:
        ValueError: If two checks have one id or one place, or `version` is not a version.
        PartError: If a foreign part brings what none may bring.
    """
    by_id = in_force(_every(), version, key=lambda each: each.card.id)
    if len({each.card.place for each in by_id.values()}) < len(by_id):
        raise ValueError("two checks have one place")
    foreign = {name: each for name, (_, each) in _foreign().items()}
    return {**dict(sorted(by_id.items(), key=lambda each: each[1].card.place)), **foreign}


def brought_by(check_id: str) -> ForeignPart | None:
    """Give the foreign part in force that brings a check; None for one of the auditor's own."""
    found = _foreign().get(check_id)
    return None if found is None else found[0]


@cache
def part_of(check_id: str) -> str | None:
    """Name the part of the auditor's own that brings a check today; None where none does."""
    found = (part.name for part in parts() for module in modules("cards", of=part.name) if check_id in _ids(module))
    return next(found, None)


def _ids(module: ModuleType) -> frozenset[str]:
    return frozenset(late.card.id for late in module.CARDS)


@PerParts
def _foreign() -> Mapping[str, tuple[ForeignPart, Definition[Any]]]:
    """The checks of foreign parts in force, by id, part by part in the order of their places.

    Raises:
        PartError: If one has the id of another check, or is what no foreign check may be.
    """
    own = frozenset(each.card.id for each in _every())
    found: dict[str, tuple[ForeignPart, Definition[Any]]] = {}
    for part, brought in groupby(foreign_modules("checks"), key=itemgetter(0)):
        listed = sorted((each for _, module in brought for each in named_in(module)), key=lambda each: each.card.place)
        refuse_taken(part, "check", (each.card.id for each in listed), own | found.keys())
        for each in listed:
            if each.card.id in found:
                raise fault_of(part, f"brings two checks called {each.card.id}")
            if fault := bounds.of_check(each, own):
                raise fault_of(part, f"brings {each.card.id}, {fault}")
            found[each.card.id] = (part, each)
    return found


@cache
def _every() -> tuple[Definition[Any], ...]:
    """Every edition of every check."""
    return (*chain.from_iterable(map(_of_part, parts())), *chain.from_iterable(map(named_in, older_modules())))


def _of_part(part: Part) -> Iterator[Definition[Any]]:
    """The checks of one part: by their cards, or, where it has none, by the modules that judge."""
    if part.cards:
        return (late.as_definition() for module in modules("cards", of=part.name) for late in module.CARDS)
    return chain.from_iterable(map(named_in, modules("checks", of=part.name)))


@cache
def constants(name: str) -> tuple[Any, ...]:
    """Collect what modules that judge name in a constant, every edition of it: a check finds so what others bring to it.

    Those are the auditor's own: a foreign module brings nothing to another check.
    """
    brought = chain(modules("contributions"), older_modules())
    return tuple(getattr(module, name) for module in brought if hasattr(module, name))


def observed_in(check: Check, version: str) -> Values | None:
    """Read what a check of a document observed, as the version did that wrote it; None where nothing was.

    Raises:
        KeyError: If that version has no such check.
        ValueError: If the document says something else than what is observed for it.
    """
    return None if check.observed is None else definitions(version)[check.id].observed.model_validate(check.observed)


def derived_in(check: Check, version: str) -> Values | None:
    """Read what a check of a document derived, as the version did that wrote it; None where nothing was.

    Raises:
        KeyError: If that version has no such check.
        ValueError: If the document says something else than what its judge derives.
    """
    return None if check.derived is None else definitions(version)[check.id].derived_in(check.derived)


def listed_in(*, reruns: bool, places: bool, version: str = __version__) -> tuple[str, ...]:
    """List the ids of the checks that a document lists.

    Args:
        reruns: Whether there was anything to run: checks of answers are listed where there was not.
        places: Whether the case is of places alone: checks of these are listed there.
        version: The version that wrote the document.
    """
    cards = {name: each.card for name, each in definitions(version).items()}
    return tuple(name for name, card in cards.items() if not (card.of_answers and reruns) and not (card.of_places and not places))


def judging_unlearning(check_ids: Iterable[str], version: str) -> frozenset[str]:
    """Those of the checks that judge the unlearning itself, as a version has it."""
    listed = definitions(version)
    return frozenset(name for name in check_ids if name in listed and listed[name].card.judges_unlearning)


@lru_cache(maxsize=512)
def with_role(role: Role, version: str = __version__) -> tuple[str, ...]:
    """List the ids of the checks that have a role, in the order of their places, as a version has them."""
    return tuple(name for name, each in definitions(version).items() if role in each.card.roles)


def the(role: Role, version: str = __version__) -> str:
    """Give the id of the one check that has a role, as a version has it.

    Raises:
        LookupError: If there is none, or more than one.
    """
    found = with_role(role, version)
    if len(found) != 1:
        raise LookupError(f"{len(found)} checks have the role {role.value!r} in auditor {version}, one is needed")
    return found[0]
