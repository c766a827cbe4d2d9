"""The pan-privacy game with one intrusion (Cohen et al. 2023, Algorithm 3, Definitions 5.6 and 5.7), counted under fresh tapes.

The challenge is one person's first operation, followed by their deletion: a controller may keep ids in addition, and has to
forget them (Algorithm 4). The adversary sees every answer to the environment, and the state once. Which number, or weighted sum
of numbers, tells the two sides apart is chosen on one half of the runs and counted on the other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from auditor.base.histories import DELETE, ENVIRONMENT, Move, Script, Vocabulary
from auditor.base.records import Floats
from auditor.parts.controllers.judging.history.observed import Event, Law
from auditor.parts.controllers.observing.histories.drawing import Drawing
from auditor.parts.controllers.observing.histories.playing import Play, Player
from auditor.parts.controllers.observing.numbers import numbers, widest

RUNS: Final = 400
"""Of either side; half of them choose the event."""
QUICK: Final = 60
_BITS: Final = 48


_Said: TypeAlias = Callable[[int], tuple[Script, int]]
"""Under a tape: all moves in order, and after how many of them the state is seen."""


class _Steps(NamedTuple):
    """One way to play: who comes between ticks, when the challenge is made, and after how many moves the state is seen."""

    name: str
    script: Callable[[Sequence[Move], Move], tuple[Script, int]]
    """From the challenge and the tick, all moves in order and the place of the intrusion."""


def _at_once(challenge: Sequence[Move], tick: Move) -> tuple[Script, int]:
    return (*challenge, tick, tick), len(challenge)


def _beforehand(challenge: Sequence[Move], tick: Move) -> tuple[Script, int]:
    return (*challenge, tick, tick), 0


def _after_a_report(challenge: Sequence[Move], tick: Move) -> tuple[Script, int]:
    return (*challenge, tick, tick), len(challenge) + 1


def _between_reports(challenge: Sequence[Move], tick: Move) -> tuple[Script, int]:
    return (tick, *challenge, tick, tick), 1


def _late(challenge: Sequence[Move], tick: Move) -> tuple[Script, int]:
    return (tick, tick, tick, *challenge, tick), 3 + len(challenge)


def _after_they_left(challenge: Sequence[Move], tick: Move) -> tuple[Script, int]:
    """The one order in which a report that is made once covers them."""
    said, left = challenge[:1], challenge[1:]
    return (*said, tick, *left, tick), len(challenge) + 1


ADVERSARIES: Final = (
    _Steps("intrudes-at-once", _at_once),
    _Steps("intrudes-beforehand", _beforehand),
    _Steps("intrudes-after-a-report", _after_a_report),
    _Steps("intrudes-between-reports", _between_reports),
    _Steps("intrudes-late", _late),
    _Steps("intrudes-after-they-left", _after_they_left),
)
LISTENS: Final = "intrudes-when-a-report-is-low"
_HEARD: Final = 4
"""Ticks after which the adversary that listens intrudes in any case."""


class _View(NamedTuple):
    answers: tuple[str | None, ...]
    state: bytes


def play(player: Player, vocabulary: Vocabulary, *, seed: int, runs: int = RUNS) -> tuple[Law, ...]:
    """Play the game with every adversary.

    Args:
        player: Plays histories.
        vocabulary: What may be asked; without an operation of the environment alone there is no such game.
        seed: The auditor's.
        runs: Of either side.

    Returns:
        One event for each adversary: left with the challenge, right without it. Empty where the controller is not a function of
        its tape: state and answers then come from two runs and say nothing together.

    Raises:
        ProcedureError: If the controller failed.
        SandboxError: If the sandbox did.
    """
    if not vocabulary.environment:
        return ()
    rng = random.Random(f"{seed}/pan-privacy")  # noqa: S311 - a game, no secret
    drawing = Drawing(vocabulary, rng)
    person = drawing.word()
    challenge = (drawing.move(person), Move(person, DELETE, None))
    tick = drawing.clock()[0]
    games: list[tuple[str, _Said, _Said]] = [
        (each.name, partial(_always, each.script(challenge, tick)), partial(_always, each.script((), tick)))
        for each in ADVERSARIES
    ]
    listening = partial(_listening, player, tick)
    games.append((LISTENS, partial(listening, challenge), partial(listening, ())))
    found: list[Law] = []
    for name, with_it, without in games:
        left, right = (_views(player, [rng.getrandbits(_BITS) for _ in range(runs)], said) for said in (with_it, without))
        if left is None or right is None:
            return ()
        found.append(_law(name, left, right, person))
    return tuple(found)


def _always(said: tuple[Script, int], _tape: int) -> tuple[Script, int]:
    return said


def _listening(player: Player, tick: Move, challenge: Sequence[Move], tape: int) -> tuple[Script, int]:
    """Challenge at the first report below 0, then wait for another and look at the state."""
    heard = player.play([Play(tape, (tick,) * _HEARD)])[0].outputs[1:]
    low = next((place for place, said in enumerate(heard) if _is_low(said)), _HEARD - 1)
    before = (tick,) * (low + 1)
    return (*before, *challenge, tick, tick), len(before) + len(challenge) + 1


def _is_low(said: str | None) -> bool:
    return said is not None and said.startswith("-")


def _law(name: str, left: Sequence[_View], right: Sequence[_View], person: str) -> Law:
    half = len(left) // 2
    event, kind = _chosen(left[:half], right[:half], person)
    counted = [sum(map(event, side[half:])) for side in (left, right)]
    return Law(adversary=name, adapts=name == LISTENS, event=kind, runs=len(left) - half, left=counted[0], right=counted[1])


def _views(player: Player, tapes: Sequence[int], said: _Said) -> list[_View] | None:
    """What the adversary sees under each tape; None where the same moves under one tape were answered differently."""
    scripts = [said(tape) for tape in tapes]
    whole = player.play([Play(tape, script) for tape, (script, _) in zip(tapes, scripts, strict=True)])
    seen = player.play([Play(tape, script[:until]) for tape, (script, until) in zip(tapes, scripts, strict=True)])
    if any(one.outputs != other.outputs[: len(one.outputs)] for one, other in zip(seen, whole, strict=True)):
        return None
    found = []
    for (script, _), ran, intruded in zip(scripts, whole, seen, strict=True):
        answers = zip(script, ran.outputs[1:], strict=True)
        found.append(_View((ran.outputs[0], *(text for move, text in answers if move.channel == ENVIRONMENT)), intruded.state))
    return found


def _chosen(left: Sequence[_View], right: Sequence[_View], person: str) -> tuple[Callable[[_View], bool], Event]:
    """The event that differs most."""
    named = person.encode()
    best = abs(sum(named in each.state for each in left) - sum(named in each.state for each in right)) / len(left)
    event: Callable[[_View], bool] = partial(_names, named)
    kind = Event.HOLDS
    for gap, kind_of, weights, limit in widest(*([numbers(*each) for each in side] for side in (left, right))):
        if gap > best:
            best, event, kind = gap, partial(_exceeds, weights, limit), kind_of
    return event, kind


def _names(person: bytes, view: _View) -> bool:
    return person in view.state


def _exceeds(weights: Floats, limit: float, view: _View) -> bool:
    return bool(numbers(*view) @ weights > limit)
