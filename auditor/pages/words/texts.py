"""Give the texts of pages by message id, from the Fluent catalogue of one language.

Nothing is left out in silence: a message that no file has, two of one id, one that does not parse, or a parameter that is not
given is an error.

A message is parsed when it is first printed: a document prints a part of the catalogue, and parsing is slow. Nine in ten are one
line of text with values in it, and are put together here as Fluent would; Fluent is not even loaded for them.

A message writes a number as `{ NUM($x, as: ".3g") }` in the one way of `numbers`; `as` may also be `up` and `down`, for bounds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from auditor.base.foreign_parts import PerParts
from auditor.pages.words.catalogue import ENGLISH, sources, spoken
from auditor.pages.words.numbers import printed

if TYPE_CHECKING:
    from fluent.runtime import FluentBundle

_MARK: Final = "\ue000"
"""A private character, around the number of a value that is put in after formatting."""
_MARKED: Final = re.compile(f"{_MARK}[0-9]+{_MARK}")
_LONG: Final = 1000


def text(message: str, /, **given: str | float) -> str:
    """Format one message in the language that is spoken, English where nobody chose one.

    Args:
        message: Its id.
        given: Its parameters by name. Strings are printed as they are; a whole number may choose a plural form.

    Raises:
        KeyError: If the catalogue has no such message, or a parameter is missing.
    """
    pieces = _pieces(sources(spoken()).get(message, ""))
    if pieces and all(type(given.get(name)) is str for name in pieces[1::2]):
        return "".join(str(given[piece]) if place % 2 else piece for place, piece in enumerate(pieces))
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


_VALUE: Final = r"\{ *\$[a-zA-Z][a-zA-Z0-9_-]* *\}"
_LINE: Final = re.compile(rf"[a-zA-Z][\w-]* *= *((?:[^{{}}\s]|{_VALUE})(?:[^{{}}\r\n\t]|{_VALUE})*?)[ \n]*")
"""A message of one line without anything that chooses, calls or refers."""
_NAME: Final = re.compile(r"\{ *\$([a-zA-Z][a-zA-Z0-9_-]*) *\}")


@cache
def _pieces(source: str) -> tuple[str, ...]:
    """Take a message of one line apart: text and the name of a value by turns; nothing of any other message."""
    found = _LINE.fullmatch(source)
    return () if found is None else tuple(_NAME.split(found[1]))


def has(message: str) -> bool:
    """Whether the catalogue has a message of that id."""
    return message in sources(spoken())


def variant(message: str, kind: str) -> str:
    """Name the version of a message for one kind of case: `MESSAGE-KIND` where the catalogue has it, else `MESSAGE`."""
    return own if has(own := f"{message}-{kind}") else message


def filled(message: str, given: Mapping[str, object]) -> str:
    """Format one message with parameters as judges give them.

    A value that the message neither chooses by nor writes by NUM is printed as it is. A message may choose by a number's plural
    form, by `[true]` and `[false]` of a flag, and by `[none]` where a value may be missing.

    Raises:
        KeyError: If the catalogue has no such message, or a parameter is missing or no number where one is written.
    """
    if not has(message):
        raise KeyError(f"no text is called {message!r}")
    reckoned = set(_RECKONED.findall(sources(spoken())[message]))
    return text(message, **{name: _chosen(value) if name in reckoned else _plain(value) for name, value in given.items()})


def say(message: str, /, **given: Any) -> str:
    """Format one message with parameters as judges give them; see `filled`."""
    return filled(message, given)


_RECKONED: Final = re.compile(r"(?:NUM\(\s*\$(?=[\w-]+)|\{\s*\$(?=[\w-]+\s*->))([\w-]+)")
"""A parameter that a message chooses by or writes as a number."""


def _chosen(value: Any) -> Any:
    match value:
        case None:
            return "none"
        case bool():
            return _plain(value)
        case _:
            return value


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else format(printed(value), "")


def _number(value: Any, **how: str) -> Any:
    """What NUM writes.

    Raises:
        TypeError: If it is given no number.
    """
    if isinstance(value, str):
        raise TypeError("no number")
    return format(printed(value), str(how.get("as", "")))


class Named(Mapping[str, str]):
    """What things of one kind are called: the messages whose ids begin alike, by the rest of their ids.

    A name is looked up with a dash for each point, space and underscore in it, which no id has.
    """

    def __init__(self, prefix: str, *names: str) -> None:
        """Take the messages whose ids begin with a prefix.

        Args:
            prefix: How the ids begin.
            names: What is named, in its order; left out, whatever the catalogue has, as ids have it.
        """
        self._prefix, self._names = prefix, names

    def __getitem__(self, name: str) -> str:
        """Give the text of one name.

        Raises:
            KeyError: If there is none.
        """
        return text(self._prefix + _DASHED.sub("-", name))

    def __contains__(self, name: object) -> bool:
        """Whether there is a text of that name."""
        if self._names and name not in self._names:
            return False
        return isinstance(name, str) and has(self._prefix + _DASHED.sub("-", name))

    def __iter__(self) -> Iterator[str]:
        """Give every name in its order."""
        if self._names:
            return iter(self._names)
        return (each.removeprefix(self._prefix) for each in sources(ENGLISH) if each.startswith(self._prefix))

    def __len__(self) -> int:
        """Give the number of names."""
        return sum(1 for _ in self)


_DASHED: Final = re.compile(r"[. _]")


def _is_held(value: Any) -> bool:
    """Whether a value is put in after formatting: Fluent takes none of more than 2500 characters, and no mark may be forged."""
    return isinstance(value, str) and (len(value) > _LONG or _MARK in value)


def either(message: str, otherwise: str) -> str:
    """Give a text that takes no parameter, or another one where the catalogue has none of that name."""
    return text(message) if has(message) else otherwise


def _holding(message: str) -> FluentBundle:
    """The bundle of texts in the language that is spoken, with this message in it.

    Raises:
        KeyError: If the catalogue has no such message.
        ValueError: If it does not parse.
    """
    language = spoken()
    bundle = _bundle(language)
    if not bundle.has_message(message):
        from fluent.runtime import FluentResource  # noqa: PLC0415 - only where a text is printed

        if message not in sources(language):
            raise KeyError(f"no text is called {message!r}")
        bundle.add_resource(FluentResource(sources(language)[message]))
        if not bundle.has_message(message):
            raise ValueError(f"the text {message!r} does not parse")
    return bundle


@PerParts
def _bundle(language: str) -> FluentBundle:
    from fluent.runtime import FluentBundle  # noqa: PLC0415

    # Isolation marks are invisible characters around every value: they would break searching and copying.
    return FluentBundle([language], functions={"NUM": _number}, use_isolating=False)
