"""The one vocabulary of every rendering: sentences by message id, made from judged values.

The sentence of a reason is the message `reason-…` of the catalogue, named after its code. Where parts of it come and go by more
than a number or a flag, a module of this folder or of a part puts it together in its constant `SENTENCES`, from messages too. Values come from
judges; nothing is worked out here but grammar.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from auditor.base.domain import Message
from auditor.base.foreign_parts import PerParts, fault_of, foreign_modules, refuse_taken
from auditor.base.listing import modules_below
from auditor.base.parts import modules
from auditor.pages.words import catalogue, texts
from auditor.pages.words.kinds import Given, Sentence
from auditor.pages.words.numbers import printed

__all__ = ["DO_NOT_APPLY", "UNSAYABLE", "as_id", "basis", "does_not_apply", "said", "sentence", "sentences"]

_PREFIX: Final = "reason-"
DO_NOT_APPLY: Final = frozenset(
    {
        "answers-alone",
        "answers-none",
        "nothing-learned",
        "places-alone",
        "deletion-other-procedure",
        "deletion-own-code",
        "games-no-controller",
        "inference-no-labels",
        "privacy-continual-no-controller",
        "privacy-continual-no-counter",
        "reconstruction-instance-sentences",
        "reconstruction-label-none",
        "reconstruction-sentence-no-text",
        "release-exact-approximate",
        "release-exact-hands-on",
        "release-exact-no-batch",
        "release-exact-noisy-gd",
        "release-exact-not-retrained",
        "release-remembers-exact",
        "release-remembers-no-batch",
        "removal-budget-no-random-term",
        "removal-output-noise-no-noise",
        "state-history_independent-no-controller",
        "swap-release-exact",
        "training-privacy-none-declared",
    }
)
"""Reasons of a check that has nothing to say about the case."""
UNSAYABLE: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What making a sentence raises where a document that came from anybody holds a reason that this version never writes."""


def as_id(code: str) -> str:
    """Give a code as ids of messages have it, whether there is a sentence or not: no id has a point in it."""
    return code.replace(".", "-")


@PerParts
def _made() -> Mapping[str, Sentence]:
    """The sentences that a function puts together, by their codes as ids have them, those of foreign parts in force last.

    Raises:
        ValueError: If two sentences have one code.
        PartError: If a foreign part brings one that is there already.
    """
    found = dict(_own())
    for part, module in foreign_modules("sentences"):
        for code, words in module.SENTENCES.items():
            refuse_taken(part, "sentence", [as_id(code)], found)
            if texts.has(_PREFIX + as_id(code)):
                raise fault_of(part, f"brings the sentence {code}, which is a message already")
            found[as_id(code)] = words
    return found


@cache
def _own() -> Mapping[str, Sentence]:
    found: dict[str, Sentence] = {}
    for module in (*modules_below(sys.modules[__name__]), *modules("sentences")):
        for code, words in getattr(module, "SENTENCES", {}).items():
            if as_id(code) in found or texts.has(_PREFIX + as_id(code)):
                raise ValueError(f"two sentences are called {code!r}")
            found[as_id(code)] = words
    return found


@PerParts
def sentences() -> frozenset[str]:
    """The code of every reason that there is a sentence for, as ids of messages have it."""
    plain = (name.removeprefix(_PREFIX) for name in catalogue.sources(catalogue.ENGLISH) if name.startswith(_PREFIX))
    return frozenset(_made()) | frozenset(plain)


def sentence(reason: Message) -> str:
    """The reason in words, those among its parameters first.

    Raises:
        KeyError: If the catalogue has no sentence of that code, or a parameter is missing.
    """
    given = printed(said(dict(reason.parameters)))
    make = _made().get(as_id(reason.code))
    return texts.filled(_PREFIX + as_id(reason.code), given) if make is None else make(Given(given))


def said(value: Any) -> Any:
    """A value with every reason inside it as a sentence; a reason may come as the JSON that it is stored as."""
    match value:
        case Message():
            return sentence(value)
        case {"code": str(code), "parameters": dict(parameters)} if len(value) == 2:
            return sentence(Message(code, parameters))
        case dict():
            return {key: said(inner) for key, inner in value.items()}
        case list() | tuple():
            return [said(inner) for inner in value]
        case _:
            return value


def basis(reasons: Iterable[Message]) -> str:
    """How a value came about, or why there is none, in one paragraph."""
    return " ".join(sentence(reason) for reason in reasons)


def does_not_apply(reasons: Iterable[Message]) -> bool:
    """Whether the reasons say that a check has nothing to say about the case.

    Raises:
        KeyError: If the catalogue has no sentence for one of them.
    """
    codes = [as_id(reason.code) for reason in reasons]
    if unknown := set(codes) - sentences():
        raise KeyError(min(unknown))
    return bool(codes) and codes[0] in DO_NOT_APPLY
