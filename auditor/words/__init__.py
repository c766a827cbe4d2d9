"""The one vocabulary of every rendering: sentences by message id, made from judged values.

A module of this folder holds the sentences of one family in its constant `SENTENCES`: a format string, or a function of the
parameters where a sentence has parts that come and go. Values come from judges; nothing is worked out here but grammar.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from auditor.domain import Reason
from auditor.words.kinds import Sentence
from auditor.words.numbers import printed

__all__ = ["UNSAYABLE", "basis", "does_not_apply", "said", "sentence", "sentences"]

DOES_NOT_APPLY: Final = "Does not apply"
"""How the basis of a check begins that has nothing to say about the case."""
UNSAYABLE: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What making a sentence raises where a document that came from anybody holds a reason that this version never writes."""


@cache
def sentences() -> Mapping[str, Sentence]:
    """Every sentence by its message id.

    Raises:
        ValueError: If two sentences have one id.
    """
    found: dict[str, Sentence] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda each: each.name):
        for code, words in getattr(importlib.import_module(f"{__name__}.{module.name}"), "SENTENCES", {}).items():
            if code in found:
                raise ValueError(f"two sentences are called {code!r}")
            found[code] = words
    return found


def sentence(reason: Reason) -> str:
    """The reason in words, those among its parameters first.

    Raises:
        KeyError: If the catalogue has no sentence of that id, or a parameter is missing.
    """
    words, given = sentences()[reason.code], printed(said(dict(reason.parameters)))
    return words.format_map(given) if isinstance(words, str) else words(given)


def said(value: Any) -> Any:
    """A value with every reason inside it as a sentence; a reason may come as the JSON that it is stored as."""
    match value:
        case Reason():
            return sentence(value)
        case {"code": str(code), "parameters": dict(parameters)} if len(value) == 2:
            return sentence(Reason(code, parameters))
        case dict():
            return {key: said(inner) for key, inner in value.items()}
        case list() | tuple():
            return [said(inner) for inner in value]
        case _:
            return value


def basis(reasons: Iterable[Reason]) -> str:
    """How a value came about, or why there is none, in one paragraph."""
    return " ".join(sentence(reason) for reason in reasons)


def does_not_apply(reasons: Iterable[Reason]) -> bool:
    """Whether the reasons say that a check has nothing to say about the case."""
    return basis(reasons).startswith(DOES_NOT_APPLY)
