"""What follows from one large document, worked out once while its pages ask for it again and again."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import ref

_Document = TypeVar("_Document")
_Found = TypeVar("_Found")


def kept_for_last(find: Callable[[_Document], _Found]) -> Callable[[_Document], _Found]:
    """Keep what is found of the document that was asked about last, as long as that is there.

    Args:
        find: What never changes its document, nor gives what somebody else may change.
    """
    kept: list[tuple[Callable[[], _Document | None], _Found]] = []

    @wraps(find)
    def found(document: _Document) -> _Found:
        for of, before in kept:
            if of() is document:
                return before
        now = find(document)
        kept[:] = [(ref(document), now)]
        return now

    return found
