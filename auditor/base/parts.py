"""Parts: each holds everything about one subject that is audited, and brings it to the core by dotted names.

Every folder of `auditor.parts` has a module `part` with the constant `PART`. What it names is imported when it is asked for:
`auditor verify` loads judges and nothing that runs, `auditor calc` closed forms alone. The core asks here for what parts bring.

Parts of third parties are found in `auditor.base.foreign_parts`; nothing here lists them, so that whatever forgets them does
without them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal, TypeAlias

_HOME: Final = "auditor.parts"

Kind: TypeAlias = Literal[
    "attacks",
    "cards",
    "checks",
    "contributions",
    "formats",
    "theorems",
    "rules",
    "sentences",
    "remedies",
    "guarantees",
    "statements",
    "figures",
    "tellings",
    "helpers",
    "procedures",
    "controllers",
    "stages",
    "planning",
    "commands",
    "requesters",
    "results",
    "tickets",
    "baselines",
]
Constant: TypeAlias = Literal["commands", "requesters", "results", "tickets", "baselines"]
_MODELS: Final = ("model",)


@dataclass(frozen=True, slots=True)
class Part:
    """What one part brings; modules are named below its folder, such as `judging.quality`."""

    name: str
    """Of its folder."""
    subject: str
    """What is audited, as the end of a sentence."""
    knows: tuple[str, ...] = ()
    """Parts that it may import, in addition to log, release and store, which every part may."""
    cards: tuple[str, ...] = ()
    """Modules with a constant `CARDS`: its checks, each with its card and the one of `checks` that judges it."""
    checks: tuple[str, ...] = ()
    """Modules with a constant `CHECK`, or several in `CHECKS`."""
    contributions: tuple[str, ...] = ()
    """Modules with a constant that a check of another part asks for, such as `AGAINST_EPSILON`."""
    theorems: tuple[str, ...] = ()
    """Modules with a constant `THEOREMS`; `ROUTES` says of guarantees that `auditor explain` explains what leads to them."""
    guarantees: tuple[str, ...] = ()
    """Modules with a constant `GUARANTEES`: how guarantees follow from its theorems."""
    statements: tuple[str, ...] = ()
    """Modules with the constants `STATEMENTS` and `LIMITS`: what guarantees say in words, and what they limit for one person."""
    rules: tuple[str, ...] = ()
    """Modules with a constant `RULES`: closed forms."""
    sentences: tuple[str, ...] = ()
    """Modules with a constant `SENTENCES`: sentences that messages alone cannot make."""
    remedies: tuple[str, ...] = ()
    """Modules with a constant `REMEDIES`: what to do about a check that did not pass."""
    figures: tuple[str, ...] = ()
    """Modules with a constant `FIGURES`: what draws a figure, by its name, or by the id of the check that it shows."""
    tellings: tuple[str, ...] = ()
    """Modules with a constant `TELLING`: what pages ask about checks, by their ids; games of a whole log in `GAMES`."""
    helpers: tuple[str, ...] = ()
    """Modules whose functions templates call, by the last piece of the module's name."""
    commands: tuple[str, ...] = ()
    """Modules with a constant `COMMANDS`: commands of the command line, which import nothing heavy before they run."""
    requesters: tuple[str, ...] = ()
    """Modules with a constant `REQUESTERS`: classes by the name that `[requester] use` gives them."""
    results: tuple[str, ...] = ()
    """Modules with a constant `RESULTS`: files that an audit leaves next to its evidence, by what their names begin with."""
    tickets: tuple[str, ...] = ()
    """Modules with a constant `TICKETS`: what makes a log of an export of tickets for a case that is begun."""
    baselines: tuple[str, ...] = ()
    """Modules with a constant `BASELINES`: what makes the baseline of a scan before people are erased."""
    stages: tuple[str, ...] = ()
    """Modules with a constant `STAGES`: what it runs of an audit, and what that waits for."""
    examines: tuple[str, ...] = ()
    """What its stages examine, by the names of `auditor.audit.stages.Subject`; models alone if empty. For other cases they are
    not imported."""
    serves: tuple[str, ...] = ()
    """Functions that answer in processes of their own, as `module:name`: what its stages will ask, and can be loaded before."""
    planning: tuple[str, ...] = ()
    """Modules with a constant `PLANNER`: what `auditor plan` asks for one kind of promise."""
    procedures: tuple[str, ...] = ()
    """Modules with a constant `PROCEDURES`: entries of what `[procedure] use` can name, without what learns."""
    controllers: tuple[str, ...] = ()
    """Modules with a constant `CONTROLLERS`: entries of what `[controller] use` can name, without their code."""
    attacks: tuple[str, ...] = ()
    """Of foreign parts: modules with a constant `ATTACKS`; the auditor's own are in `auditor.attacks`."""
    formats: tuple[str, ...] = ()
    """Of foreign parts: modules with a constant `FORMATS`: what `auditor report --format` can write."""
    classes: Mapping[str, str] = field(default_factory=dict)
    """Of foreign parts: classes that learn, by the name that `[procedure] use` gives them: a module, a colon, a name in it. They
    are audited as a class of the case is: nothing that they say of themselves counts."""


@cache
def parts() -> tuple[Part, ...]:
    """List every part, in the order of their names."""
    home = importlib.import_module(_HOME)
    found = sorted(each.name for each in pkgutil.iter_modules(home.__path__))
    return tuple(importlib.import_module(f"{_HOME}.{name}.part").PART for name in found)


def modules(kind: Kind, *, examining: str | None = None, of: str | None = None) -> Iterator[ModuleType]:
    """Import the modules of one kind that parts bring, part by part.

    Args:
        kind: Which.
        examining: What stages examine: of parts alone that have some for it; None for all.
        of: Of the part of that name alone; None for all.
    """
    for part in parts():
        if of in {None, part.name} and (examining is None or examining in (part.examines or _MODELS)):
            for name in getattr(part, kind):
                yield importlib.import_module(f"{_HOME}.{part.name}.{name}")


def names(kind: Kind) -> Iterator[str]:
    """Name the modules of one kind that parts bring; none of them is imported."""
    return (f"{_HOME}.{part.name}.{name}" for part in parts() for name in getattr(part, kind))


def first_of(homes: Iterable[str], constant: str, wanted: Callable[[Any], bool]) -> Any | None:
    """Give the first that modules list in a constant and that is wanted; no module after the one that has it is imported.

    Args:
        homes: Names of modules, in the order in which they are asked.
        constant: What each lists it in, where it lists any.
        wanted: Says of one whether it is the one.
    """
    listed = (each for home in homes for each in getattr(importlib.import_module(home), constant, ()))
    return next(filter(wanted, listed), None)


def served(examining: str) -> Iterator[str]:
    """Name the functions that stages ask in processes of their own, for what they examine; nothing is imported of them."""
    for part in parts():
        if examining in (part.examines or _MODELS):
            yield from (f"{_HOME}.{part.name}.{name}" for name in part.serves)


def named(place: str) -> Any:
    """Import what a dotted name means: a module, a colon, and a name in it."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def constants(kind: Constant) -> Iterator[Any]:
    """Import what parts bring under a constant that is called as its kind, such as `COMMANDS`, part by part."""
    return (getattr(module, kind.upper()) for module in modules(kind))


def folders(below: str) -> Iterator[Path]:
    """List the folders of that path below each part, those that exist; nothing is imported of what is in them.

    Args:
        below: Such as `telling/words/en`.
    """
    home = importlib.import_module(_HOME)
    for part in parts():
        for place in home.__path__:
            folder = Path(place, part.name, below)
            if folder.is_dir():
                yield folder
