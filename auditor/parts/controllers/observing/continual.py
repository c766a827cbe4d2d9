"""What plays of a controller under continual release show: its noise, tape by tape, and what a person changes under one tape."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from pydantic import JsonValue

from auditor.base.histories import ENVIRONMENT, Move, Script
from auditor.base.records import Floats
from auditor.parts.controllers.judging.privacy_continual import Drawn, Observed
from auditor.parts.controllers.learning import linear_records
from auditor.parts.controllers.learning.continual_model import release_noise
from auditor.parts.controllers.observing.histories.playing import Play, Player, Ran
from auditor.parts.controllers.settings import ContinualModel

TAPES: Final = 300
QUICK: Final = 60
_BITS: Final = 48
_SHIFTS: Final = (0, 32, 64, 96)
"""Bits by which tapes are shifted that agree below: a generator that leaves high bits out then repeats itself."""
_SUMS: Final = 8
"""Sums of one state whose noise is read."""
_REPORTS: Final = 2
"""Reports of one play."""


class _Way(NamedTuple):
    """How somebody is counted, and what is read off a report."""

    says: str
    asks: str
    argument: Callable[[str], str | None]
    """What a person says."""
    total: Callable[[str], Floats]
    """The noisy sum that a report gives, shape (d,)."""
    adds: Callable[[str, str | None], Floats]
    """What a person adds to it after a report, or before the first one; shape (d,)."""


def _counts(use: str) -> _Way:
    says, asks = ("get", "getCount") if use == "public-directory" else ("add", "tick")
    return _Way(says, asks, lambda _: None, lambda report: np.array([float(report)]), lambda *_: np.ones(1))


def _learns(declared: ContinualModel) -> _Way:
    """A model's reports are minus the rate times the sum of gradients, each at the weights that were reported before it."""
    rate = declared.rate or 1 / release_noise(declared.factorisation, declared.epsilon, declared.delta, declared.horizon)

    def record(name: str) -> list[float]:
        # Long enough to be clipped: it then moves the sums as far as any record may.
        drawing = random.Random(f"{name}/record")  # noqa: S311 - a game, no secret
        return [*(drawing.choice((-4.0, 3.0, 5.0)) for _ in range(declared.features)), drawing.choice((-1.0, 1.0))]

    def weights(report: str | None) -> Floats:
        return np.zeros(declared.features) if report is None else np.array([float(each) for each in report.split(",")])

    return _Way(
        "add",
        "tick",
        lambda name: ",".join(map(repr, record(name))),
        lambda report: weights(report) / -rate,
        lambda name, report: linear_records.gradients(np.array([record(name)]), weights(report))[0],
    )


def observe(player: Player, use: str, params: Mapping[str, JsonValue], *, seed: int, quick: bool) -> Observed:
    """Play a controller of ours under continual release, without anybody and with a few people.

    Args:
        player: Plays histories.
        use: Which controller.
        params: What it was told.
        seed: The auditor's.
        quick: Whether few tapes will do.

    Raises:
        ProcedureError: If the controller failed.
        SandboxError: If the sandbox did.
    """
    way = _learns(ContinualModel.model_validate(params)) if use == "continual-model" else _counts(use)
    tick = Move(ENVIRONMENT, way.asks)
    tapes = _tapes(seed, QUICK if quick else TAPES)
    silent: list[Script] = [(tick,) * ticks for ticks in range(_REPORTS + 1)]
    states = [[_held(ran) for ran in player.play([Play(tape, script) for tape in tapes])] for script in silent]
    state = [value for held in states[0] for value in _open(held)[:_SUMS]]
    kept, added = list[float](), list[float]()
    for before, after in itertools.pairwise(states):
        for one, other in zip(before, after, strict=True):
            sum_before, sum_after = _ended(one, other)
            kept += sum_before.tolist()
            added += (sum_after - sum_before).tolist()
    people = _with_people(player, tapes[0], way, tick)
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


def _with_people(player: Player, tape: int, way: _Way, tick: Move) -> dict[str, Any]:
    """What changes under one tape where people speak."""

    def speaks(*names: str) -> Script:
        return tuple(Move(name, way.says, way.argument(name)) for name in names)

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
    return {
        "moved": sum(each**2 for each in moved),
        "off": _off(way, quiet, loud),
        "again": _held(twice) != _held(one),
        "between": sum(answer is not None for answer in (*one.outputs[1:], *twice.outputs[1:])),
    }


def _off(way: _Way, quiet: Sequence[str | None], loud: Sequence[str | None]) -> float:
    """How far reports are, at most, from what they are without anybody plus what people add; infinity where there are none."""
    if None in quiet or None in loud:
        return math.inf
    try:
        alone, found = ([way.total(each or "") for each in side] for side in (quiet, loud))
        first = sum(way.adds(name, None) for name in ("a", "b", "c"))
        expected = (first, first + way.adds("d", loud[0]))
        apart = [abs(other - one - people).max() for other, one, people in zip(found, alone, expected, strict=True)]
    except ValueError:
        return math.inf
    largest, scale = max(map(float, apart)), max(float(abs(each).max()) for each in alone)
    return largest / max(scale, 1.0) if math.isfinite(largest) else math.inf


def _reports(script: Script, ran: Ran) -> list[str | None]:
    """What was answered to the environment."""
    asked = zip(script, ran.outputs[1:], strict=True)
    return [answer for move, answer in asked if move.channel == ENVIRONMENT]


def _held(ran: Ran) -> dict[str, Any]:
    """What a controller of ours keeps: alone, or as the first of two parts."""
    held: Any = json.loads(ran.state)
    found: dict[str, Any] = held[0] if isinstance(held, list) else held
    return found


def _open(held: dict[str, Any]) -> list[float]:
    kept = held["mechanism"]["open"]
    sums = list(kept.values()) if isinstance(kept, dict) else kept
    return [float(each) for each in np.ravel(sums)]


def _ended(before: dict[str, Any], after: dict[str, Any]) -> tuple[Floats, Floats]:
    """The sum that ended with a tick: as it was kept, and as it was released; shape (d,) both."""
    kept, released = before["mechanism"]["open"], after["mechanism"]["released"]
    if isinstance(kept, dict):
        (level,) = set(kept) - set(after["mechanism"]["open"]) - set(before["mechanism"]["released"])
        return np.atleast_1d(kept[level]), np.atleast_1d(released[level])
    return np.atleast_1d(kept[0]), np.atleast_1d(released[-1])


def _drawn(values: Sequence[float]) -> Drawn:
    return Drawn(count=len(values), squares=sum(each**2 for each in values))
