"""Proposition 3.9: an adversary that never queries the model, and has memorised which splits it will be shown."""

from __future__ import annotations

from typing import Any

import numpy as np

from auditor.base.records import Positions
from auditor.parts.swap.observing.drawing import Game
from benchmarks.paper.scoring import estimate

Split = tuple[Positions, Positions]
"""(F, T)."""


def outcomes(game: Game) -> dict[str, Any]:
    """Mean advantage of three lookup tables on pairs of random splits and on swap pairs, those of a game.

    `patient` knows both splits and draws until a record is forgotten in both or unseen in both (Algorithm 3.1); where there is no
    such record it says the same on either side. `hasty` has the same table, takes the first record, and tosses a coin where the
    table is silent. `single` knows the first split alone.
    """
    sides = [pair.sides() for pair in game.pairs]
    swapped = [(pair[0], pair[1]) for pair in sides]
    random = [(one[0], other[0]) for one, other in zip(sides[0::2], sides[1::2], strict=False)]
    tables = {"patient": _patient, "hasty": _hasty, "single": _single}
    return {
        name: {
            "random": estimate([advantage(*pair) for pair in random]),
            "swap": estimate([advantage(*pair) for pair in swapped]),
        }
        for name, advantage in tables.items()
    }


def _patient(first: Split, second: Split) -> float:
    known, unseen = (len(np.intersect1d(one, other)) for one, other in zip(first, second, strict=True))
    return 1.0 if known and unseen else 0.0


def _hasty(first: Split, second: Split) -> float:
    known, unseen = (np.intersect1d(one, other) for one, other in zip(first, second, strict=True))
    return abs(_mean_advantage(known, unseen, first, second))


def _single(first: Split, second: Split) -> float:
    return abs(_mean_advantage(*first, first, second))


def _mean_advantage(known: Positions, unseen: Positions, first: Split, second: Split) -> float:
    """Over two splits: "trained on" of what is in `known`, "not" of what is in `unseen`, and a fair coin otherwise."""

    def accepted(records: Positions) -> float:
        return 0.5 + float(np.isin(records, known).mean() - np.isin(records, unseen).mean()) / 2

    return float(np.mean([accepted(forgotten) - accepted(fresh) for forgotten, fresh in (first, second)]))
