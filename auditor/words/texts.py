"""Give the texts of pages by message id, from the Fluent catalogue of one language.

A catalogue is every `.ftl` file of a language's folder; a file holds one part of the documents. Nothing is left out in silence: a
message that no file has, two of one id, or a parameter that is not given is an error.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fluent.runtime import FluentBundle

ENGLISH: Final = "en"
_MARK: Final = "\ue000"
"""A private character, around the number of a value that is put in after formatting."""
_MARKED: Final = re.compile(f"{_MARK}[0-9]+{_MARK}")
_LONG: Final = 1000


def text(message: str, /, **given: str | int) -> str:
    """Format one message in English.

    Args:
        message: Its id.
        given: Its parameters by name. Strings are printed as they are; a whole number may choose a plural form.

    Raises:
        KeyError: If the catalogue has no such message, or a parameter is missing.
    """
    bundle = _holding(message)
    if not bundle.has_message(message):
        raise KeyError(f"no text is called {message!r}")
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
    return text(message) if _holding(message).has_message(message) else otherwise


def _holding(message: str) -> FluentBundle:
    """The file of the part that an id begins with, or else the whole catalogue, which takes ten times as long to read."""
    part = message.partition("-")[0]
    if part.isalpha() and (Path(__file__).parent / ENGLISH / f"{part}.ftl").is_file():
        found = catalogue(ENGLISH, part)
        if found.has_message(message):
            return found
    return catalogue(ENGLISH)


@cache
def catalogue(language: str, part: str = "*") -> FluentBundle:
    """Read every text of one language, or those of one part of the documents.

    Raises:
        ValueError: If a file does not parse, or two messages have one id.
    """
    from fluent.runtime import FluentBundle, FluentResource  # noqa: PLC0415 - only where a text is printed
    from fluent.syntax.ast import Junk, Message  # noqa: PLC0415

    # Isolation marks are invisible characters around every value: they would break searching and copying.
    bundle = FluentBundle([language], use_isolating=False)
    seen: set[str] = set()
    for file in sorted((Path(__file__).parent / language).glob(f"{part}.ftl")):
        resource = FluentResource(file.read_text(encoding="utf-8"))
        for entry in resource.body:
            if isinstance(entry, Junk):
                raise ValueError(f"{file.name} does not parse at {(entry.content or '').strip()[:80]!r}")  # noqa: TRY004 - it is the content that is wrong
            if isinstance(entry, Message):
                if entry.id.name in seen:
                    raise ValueError(f"two texts are called {entry.id.name!r}")
                seen.add(entry.id.name)
        bundle.add_resource(resource)
    return bundle
