"""Patterns that the parser of HTML makes once for each set of characters that it reads up to, where it would for each word."""

from __future__ import annotations

import re
from collections.abc import Iterable


class _Patterns(dict[tuple[Iterable[str], bool], re.Pattern[str]]):
    """What matches up to the characters of a set, or only those: the parser keeps each under a name that it never asks for."""

    def __missing__(self, key: tuple[Iterable[str], bool]) -> re.Pattern[str]:
        characters, opposite = key
        listed = "".join(f"\\x{ord(each):02x}" for each in characters)
        pattern = self[key] = re.compile(f"[{'' if opposite else '^'}{listed}]+")
        return pattern


def install() -> None:
    """Make the parser find its patterns."""
    from tinyhtml5 import inputstream  # noqa: PLC0415 - heavy, and absent where nothing is rendered

    if not isinstance(inputstream.characters_until_regex, _Patterns):
        inputstream.characters_until_regex = _Patterns()
