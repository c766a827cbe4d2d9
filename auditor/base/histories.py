"""Histories of operations on a data controller, and which of them mean the same (Cohen et al. 2023, Section 3.1).

A history is logically equivalent to another where both leave the same logical state (Definition 3.1). The auditor does not know
what a controller's operations mean. It knows two things: `delete` is as if that channel had never spoken (Definition 3.5), and
operations that are declared to commute may be exchanged across channels. Both together give a normal form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

ENVIRONMENT: Final = "environment"
"""The channel that asks for what no data subject may ask for; it is never deleted."""
DELETE: Final = "delete"
"""The operation by which a channel asks for everything of its own to be deleted."""
LONGEST_TEXT: Final = 10_000
"""Characters of a channel, an operation or an argument."""
MOST_OPERATIONS: Final = 10_000
"""Operations of one history."""


class Operation(NamedTuple):
    """One operation of one channel."""

    channel: str
    operation: str
    argument: str | None = None


History: TypeAlias = tuple[Operation, ...]


class Output(NamedTuple):
    """A text that is not known before a history is played: what an earlier output of the same play was."""

    number: int
    """0 for what `initialize` returned, i for what the i-th operation did."""


class Move(NamedTuple):
    """An operation whose channel or argument may be an earlier output, which is how an adversary adapts (Definition 3.4)."""

    channel: str | Output
    operation: str
    argument: str | Output | None = None


Script: TypeAlias = tuple[Move, ...]
SILENCE: Final = "silence"
"""What stands for an output that the controller left out."""


def resolved(script: Sequence[Move], outputs: Sequence[str | None]) -> History:
    """Put the outputs of a play in the places that name them.

    Args:
        script: What was played.
        outputs: What `initialize` returned, then what each operation did; those that are named must be there.

    Raises:
        IndexError: If an output is named that there is none of.
    """

    def said(text: str | Output | None) -> str | None:
        return _heard(outputs[text.number]) if isinstance(text, Output) else text

    return tuple(Operation(said(each.channel) or SILENCE, each.operation, said(each.argument)) for each in script)


def _heard(output: str | None) -> str:
    return (output or SILENCE)[:LONGEST_TEXT]


def without_deleted(history: Iterable[Operation]) -> History:
    """Leave out every deletion, and all that its channel did before it (Definition 3.5)."""
    gone: set[str] = set()
    kept: list[Operation] = []
    for each in reversed(tuple(history)):
        if each.operation == DELETE:
            gone.add(each.channel)
        elif each.channel not in gone:
            kept.append(each)
    return tuple(reversed(kept))


def runs_of(history: Sequence[Operation], commuting: frozenset[str]) -> tuple[History, ...]:
    """Cut a history where order counts: each operation that does not commute alone, the others in runs between them."""
    parts: list[list[Operation]] = [[]]
    for each in history:
        if each.operation in commuting:
            parts[-1].append(each)
        else:
            parts += [[each], []]
    return tuple(tuple(part) for part in parts if part)


def normal_form(history: Iterable[Operation], commuting: frozenset[str]) -> History:
    """The representative of everything that a history is logically equivalent to, as far as the declaration tells.

    Deletions are carried out; then, within each run of commuting operations, the channels come in order of their names. The
    order within one channel stays.

    Args:
        history: Operations in the order in which they were made.
        commuting: Names of the operations whose order across channels makes no difference.
    """
    parts = runs_of(without_deleted(history), commuting)
    return tuple(each for part in parts for each in sorted(part, key=lambda operation: operation.channel))


def equivalent(left: Iterable[Operation], right: Iterable[Operation], commuting: frozenset[str]) -> bool:
    """Whether two histories are logically equivalent (Definition 3.1), as far as the declaration tells."""
    return normal_form(left, commuting) == normal_form(right, commuting)


ANY_WORD: Final = "*"
"""An example argument that stands for any word; the auditor draws one that occurs nowhere else."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What channels of a controller may ask, and whose order makes no difference."""

    arguments: Mapping[str, tuple[str, ...]]
    """By operation: example arguments, ANY_WORD among them for any word; none for an operation that takes no argument."""
    commuting: frozenset[str]
    """Operations whose order across channels makes no logical difference."""
    environment: frozenset[str] = frozenset()
    """Operations that no data subject may ask for, such as the tick of a clock (Cohen et al. 2023, Remark 2.2)."""


def side_by_side(parts: Iterable[tuple[Mapping[str, str], Vocabulary]]) -> Vocabulary:
    """What channels may ask of programs that run side by side: whatever reaches one of them.

    Order counts where it does for one that hears of it. No operation of two that `divided` names gets here.

    Args:
        parts: Of each program, its own operations by the names that reach it as such, and what it may be asked.
    """
    heard = tuple(parts)
    named = dict.fromkeys(name for names, _ in heard for name in names)
    reached = {name: [(names[name], said) for names, said in heard if name in names] for name in named}
    return Vocabulary(
        {name: tuple(dict.fromkeys(each for own, said in to for each in said.arguments[own])) for name, to in reached.items()},
        frozenset(name for name, to in reached.items() if all(own in said.commuting for own, said in to)),
        frozenset(name for name, to in reached.items() if any(own in said.environment for own, said in to)),
    )


def divided(parts: Iterable[tuple[Mapping[str, str], Vocabulary]]) -> tuple[tuple[str, int], ...]:
    """Find operations that reach one program as what people may ask and another as what only the environment may.

    Anyone who asks for such a one sets off what no data subject may, and no game would let a person ask for it.

    Args:
        parts: As for `side_by_side`.

    Returns:
        The operations, each with the number of the first program to which it is the environment's.
    """
    heard = tuple(parts)
    of_environment = {
        name: [(number, names[name] in said.environment) for number, (names, said) in enumerate(heard) if name in names]
        for name in dict.fromkeys(name for names, _ in heard for name in names)
    }
    return tuple(
        (name, next(number for number, its in found if its))
        for name, found in of_environment.items()
        if len({its for _, its in found}) > 1
    )
