"""Plays two programs side by side as one, and each by itself: what one hears of the other shows in what they answer or keep."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final, TypeAlias, TypeVar

from auditor.base.histories import DELETE, History, Move, Operation, Script, Vocabulary, resolved
from auditor.learning.side_by_side import joined, tape_of, together
from auditor.parts.controllers.judging.history.observed import Together
from auditor.parts.controllers.observing.histories.adversaries import RANDOM, REPORTED, SAID_ALIKE, SCRIPTED, Adversary
from auditor.parts.controllers.observing.histories.drawing import Drawing
from auditor.parts.controllers.observing.histories.playing import Play, Player, Ran

P = TypeVar("P", bound=Player)
Hears: TypeAlias = Mapping[str, tuple[str, bool]]
"""A part's own operations by those of the pair that reach it, each with whether it takes an argument."""
OTHER_TAPES: Final = 4
"""Under which the first part has to answer the same."""
_TAPE_BITS: Final = 48
_LONGEST: Final = 120
"""Operations of a history that is compared."""


def observe(
    vocabulary: Vocabulary,
    hears: Sequence[Hears],
    pair: Callable[[], AbstractContextManager[P]],
    parts: Sequence[Callable[[], AbstractContextManager[P]]],
    left: Callable[[P], int],
    *,
    seed: int,
    by_chance: int,
) -> Together:
    """Compare the pair with its parts, and the first part with itself under other tapes.

    Args:
        vocabulary: What the pair may be asked.
        hears: What reaches either part.
        pair: Opens a process for both that has played nothing yet.
        parts: Open one for either.
        left: Counts the files that a player's last history left.
        seed: The auditor's.
        by_chance: Histories of each adversary that draws them.

    Raises:
        ProcedureError: If a program failed.
        SandboxError: If the sandbox did.
    """
    rng = random.Random(f"{seed}/side by side")  # noqa: S311 - a game, no secret
    with pair() as player:
        plays, found = _played(player, vocabulary, rng, by_chance)
        # The last history is one in which people speak and leave.
        files = left(player)
    histories = [resolved(play.script, ran.outputs) for play, ran in zip(plays, found, strict=True)]
    alone, again = [], []
    for number, opened in enumerate(parts):
        asked = [
            Play(tape_of(play.tape, number), tuple(Move(*each) for each in _heard(history, hears[number])))
            for play, history in zip(plays, histories, strict=True)
        ]
        with opened() as player:
            alone.append(player.play(asked))
        with opened() as player:
            again.append(player.play(asked[::-1])[::-1])
    apart = sum(
        not _is_made_of(ran, history, hears, (one, other))
        for ran, history, one, other in zip(found, histories, *alone, strict=True)
    )
    return Together(
        histories=len(plays),
        operations=sum(len(each) for each in histories),
        apart=apart,
        repeats=alone == again,
        tapes=OTHER_TAPES,
        by_chance=_by_chance(histories, hears[0], parts[0], alone[0], rng),
        files=files,
    )


def _played(player: Player, vocabulary: Vocabulary, rng: random.Random, by_chance: int) -> tuple[list[Play], list[Ran]]:
    """Every adversary's histories by the pair, the one in which all leave last."""
    scripted = (*SCRIPTED, *(REPORTED if vocabulary.environment else ()))
    plays: list[Play] = []
    for adversary, count in (*((each, 1) for each in scripted), *((each, by_chance) for each in (*RANDOM, SAID_ALIKE))):
        for _ in range(count):
            drawing = Drawing(vocabulary, random.Random(rng.getrandbits(64)))  # noqa: S311 - a game, no secret
            play = Play(rng.getrandbits(_TAPE_BITS), adversary.script(drawing))
            if len(play.script) <= _LONGEST:
                plays.append(_listened(player, adversary, drawing, play))
    people = Drawing(vocabulary, random.Random(rng.getrandbits(64)))  # noqa: S311 - a game, no secret
    plays.append(Play(rng.getrandbits(_TAPE_BITS), _all_speak_and_one_leaves(people)))
    return plays, player.play(plays)


def _listened(player: Player, adversary: Adversary, drawing: Drawing, play: Play) -> Play:
    if adversary.listens is None:
        return play
    return play._replace(script=adversary.listens(drawing, play.script, player.play([play])[0].outputs))


def _all_speak_and_one_leaves(draw: Drawing) -> Script:
    people = draw.words(3)
    said = [move for _ in range(2) for name in people for move in (*draw.speech(name), *draw.clock())]
    return (*said, Move(people[0], DELETE, None))


def _heard(history: History, hears: Hears) -> History:
    """What reaches one part of what is asked of both."""
    found = (_reached(each, hears) for each in history)
    return tuple(each for each in found if each is not None)


def _reached(said: Operation, hears: Hears) -> Operation | None:
    if said.operation == DELETE:
        return said
    if said.operation not in hears:
        return None
    own, takes = hears[said.operation]
    return Operation(said.channel, own, said.argument if takes else None)


def _is_made_of(ran: Ran, history: History, hears: Sequence[Hears], alone: tuple[Ran, Ran]) -> bool:
    """Whether the pair answered and kept what its parts do alone, put together."""
    answered = [iter(each.outputs) for each in alone]
    expected = [together([next(each) for each in answered])]
    for said in history:
        asked = (each for each, names in zip(answered, hears, strict=True) if _reached(said, names) is not None)
        expected.append(together([next(each) for each in asked]))
    return ran.outputs == tuple(expected) and ran.state == joined([each.state for each in alone])


def _by_chance(
    histories: Sequence[History],
    hears: Hears,
    opened: Callable[[], AbstractContextManager[Player]],
    alone: Sequence[Ran],
    rng: random.Random,
) -> int:
    """Histories in which the first part answers otherwise under another tape."""
    scripts = [tuple(Move(*each) for each in _heard(history, hears)) for history in histories]
    differ = [False] * len(scripts)
    with opened() as player:
        for _ in range(OTHER_TAPES):
            ran = player.play([Play(rng.getrandbits(_TAPE_BITS), each) for each in scripts])
            differ = [was or one.outputs != other.outputs for was, one, other in zip(differ, ran, alone, strict=True)]
    return sum(differ)
