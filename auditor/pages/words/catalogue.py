"""Read the messages of one language as they are written, and know which language is spoken.

A catalogue is every `.ftl` file of a language's folder and the folders in it; a file holds one part of the documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from auditor.base.foreign_parts import PerParts, fault_of, foreign_folders, refuse_taken
from auditor.base.parts import folders

ENGLISH: Final = "en"
_ENTRY: Final = re.compile(r"^([a-zA-Z][\w-]*) *=.*\n(?:(?![a-zA-Z#-]).*\n)*", re.MULTILINE)
"""A message with its id: its first line, and those after it that begin with a space or a brace, or are empty."""
_OF_PARTS: Final = ("reason-", "fact-")
"""How ids of a foreign part's messages may begin, apart from its own name: whatever asks for other messages asks by what it knows."""
_SPOKEN: Final = ContextVar("_SPOKEN", default=ENGLISH)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Print every text in one language for as long as this lasts.

    Raises:
        ValueError: If there is no catalogue of it.
    """
    if not sources(language):
        raise ValueError(f"there are no texts in {language!r}")
    before = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def spoken() -> str:
    """Name the language that is spoken, English where nobody chose one."""
    return _SPOKEN.get()


def word(message: str) -> str:
    """Give a text of one line as it is written: it takes no parameter, so that no number is written for it.

    Raises:
        KeyError: If the catalogue has no such message.
    """
    return sources(spoken())[message].partition("=")[2].strip()


@PerParts
def sources(language: str) -> Mapping[str, str]:
    """Read every message of one language as it is written, by its id, those of foreign parts in force last.

    Raises:
        ValueError: If two messages have one id.
        PartError: If a foreign part brings a message that is there already, or one with the id of another kind of text.
    """
    own, found = _own(language), dict[str, str]()
    for part, folder in foreign_folders(f"telling/words/{language}"):
        for file in sorted(folder.rglob("*.ftl")):
            for entry in _ENTRY.finditer(file.read_text(encoding="utf-8") + "\n"):
                refuse_taken(part, "message", [entry[1]], own.keys() | found.keys())
                if not entry[1].startswith((*_OF_PARTS, f"{part.name}-")):
                    expected = " or ".join((*_OF_PARTS, f"{part.name}-"))
                    raise fault_of(part, f"brings the message {entry[1]}: the ids of its messages begin with {expected}")
                found[entry[1]] = entry[0]
    return MappingProxyType({**own, **found}) if found else own


@cache
def _own(language: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    homes = (Path(__file__).parent / language, *folders(f"telling/words/{language}"))
    for file in sorted(file for home in homes for file in home.rglob("*.ftl")):
        for entry in _ENTRY.finditer(file.read_text(encoding="utf-8") + "\n"):
            if entry[1] in found:
                raise ValueError(f"two texts are called {entry[1]!r}")
            found[entry[1]] = entry[0]
    return MappingProxyType(found)
