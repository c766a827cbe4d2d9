"""A game: what a data subject and an environment say to a controller, and what is compared of its real and ideal executions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from auditor.base.histories import DELETE, History, Move, Operation, Output, Script
from auditor.parts.controllers.judging.control import confidentiality_game, control_game
from auditor.parts.controllers.observing.histories.playing import Ran


class Kind(StrEnum):
    """Which definition is played."""

    CONTROL = control_game.CARD.id
    CONFIDENTIALITY = confidentiality_game.CARD.id


class Game(NamedTuple):
    """What both say, in the order in which it is said; every channel but the subject's is the environment's."""

    history: History
    subject: str


class Seen(NamedTuple):
    """What is compared of an execution."""

    answers: tuple[str | None, ...]
    """The environment's, and what `initialize` returned; empty where only states are compared."""
    state: bytes

    @property
    def answered(self) -> bytes:
        """The answers alone."""
        return repr(self.answers).encode()

    @property
    def joined(self) -> bytes:
        """Both as one."""
        return self.answered + b"\n" + self.state


def game(kind: Kind, history: Sequence[Operation], subject: str) -> Game | None:
    """The game of one kind that a history amounts to; None where it amounts to no game.

    Control ends as soon as the subject deletes. Confidentiality ends with the environment; the subject deletes then, unless that
    was the last thing that it said. There it tells the environment nothing. A channel is known to those alone who speak on it
    (proof of Theorem 4.4): where subject and environment name each other's it is no game.

    Args:
        kind: Which definition.
        history: What was said.
        subject: A channel that says something.
    """
    spoke = [place for place, each in enumerate(history) if each.channel == subject]
    if not spoke:
        return None
    leaves = Operation(subject, DELETE, None)
    if kind is Kind.CONTROL:
        first = next((place for place in spoke if history[place].operation == DELETE), None)
        return Game((*history, leaves) if first is None else tuple(history[: first + 1]), subject)
    if _names_each_other(history, subject):
        return None
    ends = history[spoke[-1]].operation == DELETE
    return Game(tuple(history) if ends else (*history, leaves), subject)


def _names_each_other(history: Sequence[Operation], subject: str) -> bool:
    others = {each.channel for each in history} - {subject}
    said = (each.argument or "" for each in history if each.channel == subject)
    heard = any(subject in (each.argument or "") for each in history if each.channel != subject)
    return heard or any(name in text for text in dict.fromkeys(said) for name in others)


def without(played: Game) -> History:
    """What the environment alone said: the queries that a dummy replays, or all that the ideal controller hears."""
    return tuple(each for each in played.history if each.channel != played.subject)


def seen(kind: Kind, played: Game, ran: Ran, *, ideal: bool) -> Seen:
    """What a definition compares of an execution."""
    if kind is Kind.CONTROL:
        return Seen((), ran.state)
    if ideal:
        return Seen(ran.outputs, ran.state)
    answers = zip(played.history, ran.outputs[1:], strict=True)
    return Seen((ran.outputs[0], *(said for each, said in answers if each.channel != played.subject)), ran.state)


def script(history: History) -> Script:
    """The moves that play a history."""
    return tuple(Move(*each) for each in history)


def tells_nothing(moves: Script, subject: str) -> bool:
    """Whether no move of the environment uses what the subject was answered."""
    return not any(
        isinstance(text, Output) and text.number and moves[text.number - 1].channel == subject
        for each in moves
        if each.channel != subject
        for text in (each.channel, each.argument)
    )


_PATIENCE: Final = 20_000
"""Operations that are played before shortening stops where it is."""


def shortened(played: Game, kind: Kind, differs: Callable[[Game], bool], *, patience: int = _PATIENCE) -> tuple[Game, bool]:
    """Leave out operations, many at once and then one by one, as long as the executions still differ.

    Returns:
        The shortest game found, and whether no single operation can be left out of it.
    """
    size = max(len(played.history) // 2, 1)
    while patience > 0:
        start, before = 0, played
        while start < len(played.history) and patience > 0:
            left = game(kind, (*played.history[:start], *played.history[start + size :]), played.subject)
            if left is not None and len(left.history) < len(played.history):
                patience -= 2 * len(left.history) + 2
                if differs(left):
                    played = left
                    continue
            start += size
        if size == 1 and played == before:
            return played, patience > 0
        size = max(size // 2, 1)
    return played, False
