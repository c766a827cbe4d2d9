"""What parameters the functions of a case must have: one message with the name, what was expected and what was found.

Without it a wrong signature is met in the middle of a run, as Python's own error, whose words stay in the sandbox because they
may hold personal data. Names of parameters hold none. Runs in the child, on code that it believes nothing of.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

METHODS: Final[Mapping[str, tuple[str, ...]]] = {
    "learn": ("data", "seed"),
    "unlearn": ("model", "data", "forget", "seed"),
    "predict": ("model", "features"),
    "refit": ("model", "data", "seed"),
    "parameters": ("model",),
    "state": ("model",),
    "save": ("model", "path"),
    "load": ("path",),
    "facts": ("model",),
}
"""What a procedure of a case is called with."""
OF_LOOP: Final[Mapping[str, tuple[str, ...]]] = {
    "build": (),
    "loss": ("outputs", "labels"),
    "optimiser": ("module",),
    "train": ("module", "data"),
    "epochs_of": ("module", "optimiser", "data"),
    "batches": ("data",),
}
"""What a `TrainingLoop` calls of itself."""
OF_CONTROLLER: Final[Mapping[str, tuple[str, ...]]] = {
    "initialize": ("seed",),
    "activate": ("channel", "operation", "argument"),
    "state": (),
}
OWN_UNLEARN: Final = ("model", "retain", "forget", "seed")
"""What `unlearn` of a file is called with where `[procedure] unlearn = "own"`."""
_EITHER: Final = frozenset({"data", "retain"})
"""What the second argument of `unlearn` is: of a class every row before the batch, of a file's function those that stay."""


class SignatureError(Exception):
    """A function of the case takes other parameters than it is called with."""


def require(objects: Any, expected: Mapping[str, Sequence[str]]) -> None:
    """Refuse methods that cannot be called as they will be.

    Args:
        objects: What has the methods, or its class; a method that it lacks is nobody's fault here.
        expected: Their parameters by name of the method.

    Raises:
        SignatureError: For the first that cannot.
    """
    for name, parameters in expected.items():
        method = getattr(objects, name, None)
        if callable(method):
            first = ("self",) if inspect.isclass(objects) and inspect.isfunction(method) else ()
            require_one(method, name, (*first, *parameters))


def require_one(function: Callable[..., Any], name: str, positional: Sequence[str], keywords: Iterable[str] = ()) -> None:
    """Refuse a function that cannot be called with so many positions and these keywords, or that names them otherwise.

    Raises:
        SignatureError: With the name, the expected parameters and those found.
    """
    keywords = tuple(keywords)
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return  # compiled, or nobody can say
    try:
        found.bind(*positional, **dict.fromkeys(keywords))
        fits = not _swapped(found, positional)
    except TypeError:
        fits = False
    if fits:
        return
    own = [each for each in positional if each != "self"]
    listed = [str(each.replace(annotation=each.empty)) for each in found.parameters.values() if each.name != "self"]
    expected = ", ".join([*own, *(f"{each}=…" for each in keywords)])
    raise SignatureError(f"expected {name}({expected}), found {name}({', '.join(listed)})"[:400])


def _swapped(found: inspect.Signature, positional: Sequence[str]) -> bool:
    """Whether a parameter has the name of what comes at another place, or takes the rows that stay for all rows."""
    places = [each.name for each in found.parameters.values() if each.kind in {each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD}]
    return any(
        given != wanted and (given in positional or {given, wanted} == _EITHER)
        for given, wanted in zip(places, positional, strict=False)
    )
