"""The sharp ceiling of the SWAP test for noisy gradient descent, held against what the attacks of the game reached.

In a pair F and T change places: m records of |R ∪ F| are others while the model is learned, and none of them is there after. The
two models then have the Gaussian trade-off μ of the rule `noisy-gd-gaussian` with m records of n = |R ∪ F|, so that nobody tells
them apart with an advantage above 2Φ(μ/2) − 1. Stated as the Rényi ε = qμ²/2 of that trade-off, at the declared order. It is a
statement about all that the game forgets together; the ε of one deleted person is another one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from auditor.attacks import WHOLE_SET
from auditor.case import Case
from auditor.certificates import derive, gaussian_lower, noisy_gd_gaussian
from auditor.certificates.orders import gaussian_epsilon
from auditor.checks.deletion.rows import SLACK
from auditor.domain import Certificate
from auditor.observing.comparing import Further, Lower, Stated, row
from auditor.observing.deletion.rows import largest_norm
from auditor.observing.swap.drawing import Game
from auditor.settings.descent import read
from auditor.settings.noisy_gd import NoisyGd

TEST: Final = "swap"


@dataclass(frozen=True, slots=True)
class Reached:
    """A lower limit on the advantage of an adversary in the game."""

    method: str
    advantage: float
    most: float
    """The largest limit that the game could have shown."""


def compare(case: Case, game: Game, reached: Iterable[Reached], *, confidence: float) -> Further:
    """Hold the attacks against the trade-off; nothing where the procedure is not noisy gradient descent on a known loss.

    Args:
        case: The case.
        game: What was drawn.
        reached: By the attacks on single records and by the adversary that sees whole sets.
        confidence: With which each limit holds.
    """
    procedure = case.settings.procedure
    if not isinstance(procedure, NoisyGd) or procedure.loss is None:
        return Further()
    own = _certificate(procedure, game)
    why = None if own is not None else "its proof takes a convex loss whose gradients are followed as they are"
    mu = None if own is None else own.outputs["mu"]
    if own is not None and mu is None:
        why = str(own.outputs["reason"])
    if largest_norm(case.train.features, procedure.row_norms) > 1 + SLACK:
        why = "rows of the training data are longer than 1, for which the constants of the loss do not hold"
    epsilon = None if mu is None else gaussian_epsilon(procedure.order, mu)
    against = f"noisy gradient descent's Gaussian trade-off, for all {game.forgotten} records that the game forgets together"
    finite = epsilon if epsilon is not None and math.isfinite(epsilon) else None
    stated = Stated(against, "certificate", finite, procedure.order, why, rule=noisy_gd_gaussian.KIND)
    lowers, certificates = [], [] if own is None else [own]
    for each in reached:
        found, best = (_lower(procedure.order, advantage) for advantage in (each.advantage, each.most))
        title = "the best attack on single records"
        if each.method == "whole-set":
            title = f"the adversary that sees whole sets ({WHOLE_SET.title})"
        shown, reach = found.outputs["epsilon_lower"], best.outputs["epsilon_lower"]
        lowers.append(Lower(each.method, title, shown, confidence, reach))
        certificates.append(found)
    compared = row(TEST, stated, lowers)
    return Further((compared,), tuple(certificates) if compared["compared"] else ())


def _certificate(procedure: NoisyGd, game: Game) -> Certificate | None:
    declared = read(procedure)
    if not declared.trades_off:
        return None
    given = {"lipschitz": declared.lipschitz, "l2": procedure.l2, "smoothness": declared.smoothness, "sigma2": procedure.sigma2}
    steps = {"rate": declared.rate, "steps": procedure.unlearn_steps, "learn_steps": procedure.learn_steps}
    trained = len(game.target) - game.forgotten
    return derive(noisy_gd_gaussian.KIND, {**given, **steps, "n": trained, "size": game.forgotten})


def _lower(order: float, advantage: float) -> Certificate:
    return derive(gaussian_lower.KIND, {"q": order, "advantage": min(gaussian_lower.MOST, max(0.0, advantage))})
