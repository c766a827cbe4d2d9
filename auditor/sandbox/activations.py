"""The steps that ask a whole controller: play histories, and show everything that the last one left.

A controller is a class with `initialize(seed)`, `activate(channel, operation, argument) -> output` and `state() -> bytes`
(deletion-as-control.md, Section 2.1). Each history has an object of its own. What comes back crosses as one file: a line of JSON,
then the bytes that it gives the lengths of.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from auditor.base.errors import ProcedureError
from auditor.base.histories import Output, Script

LONGEST_OUTPUT: Final = 1024 * 1024
"""Bytes of an output in UTF-8."""
LARGEST_STATE: Final = 64 * 1024 * 1024
"""Bytes of a state."""
AT_ONCE: Final = 64 * 1024 * 1024
"""Bytes of states and outputs after which an answer ends: the rest is asked for again."""
LARGEST: Final = AT_ONCE + 2 * LARGEST_STATE
"""Bytes of an answer: the last history may cross the limit."""
MOST_CONTENTS: Final = 20_000
"""Pieces that a controller's contents come apart into at most; the others share one."""
_FURTHER: Final = 2
"""That one, and one for what the kernel keeps."""
_NAME: Final = 120


@dataclass(frozen=True, slots=True, eq=False)
class Activate:
    """Histories to be played one after another, each from `initialize` with its own tape by a new object of the class.

    Raises:
        ValueError: If there is none.
    """

    name: ClassVar[str] = "activate"
    plays: tuple[tuple[int, Script], ...]
    """Tape and script of each."""
    seconds: float
    """After which the controller is asked to stop; the auditor ends it a little later."""
    shows_state: bool = True
    """Whether state() is called after each; where it is not, b"" stands for what it returns."""

    def __post_init__(self) -> None:
        """Refuse to ask for nothing."""
        if not self.plays:
            raise ValueError("plays: expected at least one")


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything that the object of the last history holds, that the case's modules hold, and that it left in files."""

    name: ClassVar[str] = "contents"


class Played(NamedTuple):
    """What one history came to."""

    outputs: tuple[str | None, ...]
    state: bytes


class Piece(NamedTuple):
    """One thing that a controller holds."""

    name: str
    """Where it was met, in printable characters."""
    content: bytes


class Held(NamedTuple):
    """Everything that a controller holds."""

    pieces: tuple[Piece, ...]
    cut: bool
    """Whether there is something that could not be looked into."""


def written(plays: Iterable[tuple[int, Script]]) -> npt.NDArray[np.uint8]:
    """Histories as the child reads them: JSON in UTF-8, an earlier output by its number in a list."""
    listed = [[tape, [[_text(each.channel), each.operation, _text(each.argument)] for each in script]] for tape, script in plays]
    return np.frombuffer(json.dumps(listed).encode(), dtype=np.uint8)


def _text(text: str | Output | None) -> str | list[int] | None:
    return [text.number] if isinstance(text, Output) else text


def packed(facts: Sequence[Any], contents: Iterable[bytes]) -> Iterable[bytes]:
    """The parts of an answer's file, in order.

    Args:
        facts: What JSON can hold, the length of each content among it.
        contents: Bytes, in the same order.
    """
    yield json.dumps(facts).encode("ascii") + b"\n"
    yield from contents


def read_played(content: bytes, step: Activate, *, where: str) -> list[Played]:
    """The histories that were played: the first ones that were asked for, at least one.

    Raises:
        ProcedureError: If it is anything else, an output or a state is too long, or an output no text.
    """
    facts, rest = _taken_apart(content, where)
    if not 1 <= len(facts) <= len(step.plays):
        _refuse(where, f"1 to {len(step.plays)} histories", f"{len(facts)}")
    found = []
    for fact, (_, script) in zip(facts, step.plays, strict=False):
        match fact:
            case [list(outputs), int(length)] if len(outputs) == len(script) + 1 and all(map(_is_output, outputs)):
                state, rest = _first(rest, length, LARGEST_STATE, where)
                found.append(Played(tuple(outputs), bytes(state)))
            case _:
                _refuse(where, "an output for each operation, a text or None, and a state", "something else")
    if rest:
        _refuse(where, "states alone", "more than that")
    return found


def read_held(content: bytes, *, where: str) -> Held:
    """Everything that a controller holds.

    Raises:
        ProcedureError: If it is anything else.
    """
    facts, rest = _taken_apart(content, where)
    listed, cut = facts if len(facts) == 2 else (None, None)
    if not isinstance(listed, list) or not isinstance(cut, bool) or len(listed) > MOST_CONTENTS + _FURTHER:
        _refuse(where, "what the controller holds", "something else")
    pieces = []
    for fact in listed:
        match fact:
            case [str(name), int(length)]:
                piece, rest = _first(rest, length, LARGEST, where)
                pieces.append(Piece(_printable(name), bytes(piece)))
            case _:
                _refuse(where, "names and lengths", "something else")
    return Held(tuple(pieces), cut)


def _printable(name: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in name[:_NAME])


def _taken_apart(content: bytes, where: str) -> tuple[list[Any], memoryview]:
    line, found, _ = content.partition(b"\n")
    try:
        facts = json.loads(line)
    except (ValueError, RecursionError):
        facts = None
    if not found or not isinstance(facts, list):
        _refuse(where, "an answer in the agreed form", "something else")
    return facts, memoryview(content)[len(line) + 1 :]


def _first(rest: memoryview, length: int, most: int, where: str) -> tuple[memoryview, memoryview]:
    if isinstance(length, bool) or not 0 <= length <= min(most, len(rest)):
        _refuse(where, f"at most {most} bytes, all of them there", "something else")
    return rest[:length], rest[length:]


def _is_output(value: object) -> bool:
    if value is None:
        return True
    if not isinstance(value, str) or len(value) > LONGEST_OUTPUT:
        return False
    try:
        return len(value.encode()) <= LONGEST_OUTPUT
    except UnicodeEncodeError:
        return False


def _refuse(where: str, expected: str, found: str) -> NoReturn:
    raise ProcedureError(f"{where}: expected {expected}, found {found}")
