"""Give the texts of pages by message id, from the Fluent catalogue of one language.

A catalogue is every `.ftl` file of a language's folder; a file holds one part of the documents. Nothing is left out in silence: a
message that no file has, two of one id, one that does not parse, or a parameter that is not given is an error.

A message is parsed when it is first printed: a document prints a part of the catalogue, and parsing is slow.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fluent.runtime import FluentBundle

ENGLISH: Final = "en"
_MARK: Final = "\ue000"
"""A private character, around the number of a value that is put in after formatting."""
_MARKED: Final = re.compile(f"{_MARK}[0-9]+{_MARK}")
_LONG: Final = 1000
_ENTRY: Final = re.compile(r"^([a-zA-Z][\w-]*) *=.*\n(?:(?![a-zA-Z#-]).*\n)*", re.MULTILINE)
"""A message with its id: its first line, and those after it that begin with a space or a brace, or are empty."""


def text(message: str, /, **given: str | int) -> str:
    """Format one message in English.

    Args:
        message: Its id.
        given: Its parameters by name. Strings are printed as they are; a whole number may choose a plural form.

    Raises:
        KeyError: If the catalogue has no such message, or a parameter is missing.
    """
    bundle = _holding(message)
    pattern = bundle.get_message(message).value
    if pattern is None:
        raise KeyError(f"the text {message!r} is empty")
    held = {f"{_MARK}{place}{_MARK}": value for place, value in enumerate(given.values()) if _is_held(value)}
    marks = {value: mark for mark, value in held.items()}
    formatted, errors = bundle.format_pattern(
        pattern, {name: marks.get(value, value) if _is_held(value) else value for name, value in given.items()}
    )
    if errors:
        raise KeyError(f"the text {message!r} cannot be formatted: {errors[0]}")
    return _MARKED.sub(lambda found: str(held[found[0]]), str(formatted))


def _is_held(value: str | int) -> bool:
    """Whether a value is put in after formatting: Fluent takes none of more than 2500 characters, and no mark may be forged."""
    return isinstance(value, str) and (len(value) > _LONG or _MARK in value)


def either(message: str, otherwise: str) -> str:
    """Give a text that takes no parameter, or another one where the catalogue has none of that name."""
    return text(message) if message in sources(ENGLISH) else otherwise


def _holding(message: str) -> FluentBundle:
    """The bundle of English texts, with this message in it.

    Raises:
        KeyError: If the catalogue has no such message.
        ValueError: If it does not parse.
    """
    bundle = _bundle(ENGLISH)
    if not bundle.has_message(message):
        from fluent.runtime import FluentResource  # noqa: PLC0415 - only where a text is printed

        if message not in sources(ENGLISH):
            raise KeyError(f"no text is called {message!r}")
        bundle.add_resource(FluentResource(sources(ENGLISH)[message]))
        if not bundle.has_message(message):
            raise ValueError(f"the text {message!r} does not parse")
    return bundle


@cache
def _bundle(language: str) -> FluentBundle:
    from fluent.runtime import FluentBundle  # noqa: PLC0415

    # Isolation marks are invisible characters around every value: they would break searching and copying.
    return FluentBundle([language], use_isolating=False)


@cache
def sources(language: str) -> Mapping[str, str]:
    """Read every message of one language as it is written, by its id.

    Raises:
        ValueError: If two messages have one id.
    """
    found: dict[str, str] = {}
    for file in sorted((Path(__file__).parent / language).glob("*.ftl")):
        for entry in _ENTRY.finditer(file.read_text(encoding="utf-8") + "\n"):
            if entry[1] in found:
                raise ValueError(f"two texts are called {entry[1]!r}")
            found[entry[1]] = entry[0]
    return MappingProxyType(found)
