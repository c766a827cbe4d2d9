"""What plays of a counter under continual release show: its noise, tape by tape, and what one person changes under one tape."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from auditor.base.histories import ENVIRONMENT, Move, Script
from auditor.parts.controllers.judging.privacy_continual import Drawn, Observed
from auditor.parts.controllers.observing.histories.playing import Play, Player, Ran

TAPES: Final = 300
QUICK: Final = 60
_BITS: Final = 48
_SHIFTS: Final = (0, 32, 64, 96)
"""Bits by which tapes are shifted that agree below: a generator that leaves high bits out then repeats itself."""
_SUMS: Final = 8
"""Sums of one state whose noise is read."""
_REPORTS: Final = 2
"""Reports of one play."""


def observe(player: Player, use: str, *, seed: int, quick: bool) -> Observed:
    """Play a counter of ours, without anybody and with a few people.

    Args:
        player: Plays histories.
        use: Which counter.
        seed: The auditor's.
        quick: Whether few tapes will do.

    Raises:
        ProcedureError: If the controller failed.
        SandboxError: If the sandbox did.
    """
    says, asks = ("get", "getCount") if use == "public-directory" else ("add", "tick")
    tick = Move(ENVIRONMENT, asks)
    tapes = _tapes(seed, QUICK if quick else TAPES)
    silent: list[Script] = [(tick,) * ticks for ticks in range(_REPORTS + 1)]
    states = [[_held(ran) for ran in player.play([Play(tape, script) for tape in tapes])] for script in silent]
    state = [value for held in states[0] for value in _open(held)[:_SUMS]]
    kept, added = [], []
    for before, after in itertools.pairwise(states):
        for one, other in zip(before, after, strict=True):
            sum_before, sum_after = _ended(one, other)
            kept.append(sum_before)
            added.append(sum_after - sum_before)
    people = _with_people(player, tapes[0], says, tick)
    return Observed(
        tapes=len(tapes),
        state=_drawn(state),
        release=_drawn(added),
        products=sum(one * other for one, other in zip(kept, added, strict=True)),
        repeated=sum(count - 1 for count in Counter(_open(held)[0] for held in states[0]).values()),
        **people,
    )


def _tapes(seed: int, count: int) -> list[int]:
    """Tapes of which some differ in high bits alone."""
    drawing = random.Random(f"{seed}/continual")  # noqa: S311 - a game, no secret
    low = drawing.getrandbits(_BITS // 2)
    return [low + (drawing.getrandbits(_BITS) + 1 << _SHIFTS[number % len(_SHIFTS)]) for number in range(count)]


def _with_people(player: Player, tape: int, says: str, tick: Move) -> dict[str, Any]:
    """What changes under one tape where people speak."""

    def speaks(*names: str) -> Script:
        return tuple(Move(name, says, None) for name in names)

    scripts: list[Script] = [
        (),
        speaks("a"),
        (*speaks("a"), *speaks("a")),
        (tick, tick),
        (*speaks("a", "b", "c"), tick, *speaks("a", "d"), Move("b", "delete"), tick),
    ]
    nobody, one, twice, silent, busy = player.play([Play(tape, script) for script in scripts])
    moved = [after - before for before, after in zip(_open(_held(nobody)), _open(_held(one)), strict=True)]
    quiet, loud = _reports(scripts[3], silent), _reports(scripts[4], busy)
    counted = [abs(other - alone - people) for other, alone, people in zip(loud, quiet, (3, 4), strict=True)]
    scale = max(map(abs, quiet), default=1.0)
    return {
        "moved": sum(each**2 for each in moved),
        "off": max(counted, default=float("inf")) / max(scale, 1.0),
        "again": _held(twice) != _held(one),
        "between": sum(answer is not None for answer in (*one.outputs[1:], *twice.outputs[1:])),
    }


def _reports(script: Script, ran: Ran) -> list[float]:
    """What was answered to the environment."""
    asked = zip(script, ran.outputs[1:], strict=True)
    return [float(answer or "nan") for move, answer in asked if move.channel == ENVIRONMENT]


def _held(ran: Ran) -> dict[str, Any]:
    """What a counter of ours keeps: alone, or as the first of two parts."""
    held: Any = json.loads(ran.state)
    found: dict[str, Any] = held[0] if isinstance(held, list) else held
    return found


def _open(held: dict[str, Any]) -> list[float]:
    kept = held["mechanism"]["open"]
    return [float(each) for each in (kept.values() if isinstance(kept, dict) else kept)]


def _ended(before: dict[str, Any], after: dict[str, Any]) -> tuple[float, float]:
    """The sum that ended with a tick: as it was kept, and as it was released."""
    kept, released = before["mechanism"]["open"], after["mechanism"]["released"]
    if isinstance(kept, dict):
        (level,) = set(kept) - set(after["mechanism"]["open"]) - set(before["mechanism"]["released"])
        return float(kept[level]), float(released[level])
    return float(kept[0]), float(released[-1])


def _drawn(values: Sequence[float]) -> Drawn:
    return Drawn(count=len(values), squares=sum(each**2 for each in values))
