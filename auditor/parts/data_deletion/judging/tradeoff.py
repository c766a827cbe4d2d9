"""The sharp ceiling of the SWAP test for noisy gradient descent, held against what the attacks of the game reached.

In a pair F and T change places: m records of |R ∪ F| are others while the model is learned, and none of them is there after. The
two models then have the Gaussian trade-off μ of the rule `noisy-gd-gaussian` with m records of n = |R ∪ F|, so that nobody tells
them apart with an advantage above 2Φ(μ/2) − 1. In mini-batches, where F and T are in batches of their own, both sets are
records that leave: μ is that of `noisy-gd-batches` for 2m. Stated as the Rényi ε = qμ²/2 of that trade-off at the declared order.
It is a statement about all that the game forgets together; the ε of one deleted person is another one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Final

from auditor.base.domain import Certificate, Message
from auditor.maths.certificates import derive, gaussian, noisy_gd_batches, noisy_gd_gaussian
from auditor.maths.certificates.renyi import gaussian_epsilon
from auditor.parts.swap.judging.epsilon_consistency import power
from auditor.parts.swap.judging.epsilon_consistency.contributors import Contributor, Enough, Limit
from auditor.parts.swap.judging.epsilon_consistency.observed import Played
from auditor.parts.swap.judging.epsilon_consistency.rows import Compared, Lower, Stated, row
from auditor.settings.facets import NoisyDescent
from auditor.verdict.checks.context import Context


def compare(context: Context, game: Played, limits: Sequence[Limit], enough: Enough) -> Compared:
    """Hold the attacks against the trade-off; nothing where the procedure is not noisy gradient descent on a known loss.

    Args:
        context: What was declared.
        game: What was played.
        limits: Of the attacks on single records and of the adversary that sees whole sets.
        enough: Finds the pairs with which advantages like these refute an ε.
    """
    procedure = context.procedure.descent
    if procedure is None or procedure.loss is None:
        return Compared()
    order, own = procedure.order, _certificate(procedure, game)
    stated = _stated(procedure, game, own)
    shown = [_epsilon(order, each.advantage) for each in limits]
    reach = max(_epsilon(order, each.most).outputs["epsilon_lower"] for each in limits)
    lowers = tuple(
        Lower(
            method=each.method,
            title=each.title,
            epsilon=found.outputs["epsilon_lower"],
            confidence=each.confidence,
            decides=each.decides,
            suspected=_epsilon(order, each.suspected).outputs["epsilon_lower"],
            suspected_confidence=each.suspected_confidence,
        )
        for each, found in zip(limits, shown, strict=True)
    )

    def epsilon_of(advantage: float) -> float:
        return float(_epsilon(order, advantage).outputs["epsilon_lower"])

    noticed = None
    if stated.epsilon is not None:
        single, whole_set = limits
        noticed = power.by_advantage(
            stated.epsilon,
            game.procedure,
            epsilon_of,
            alpha=1 - whole_set.suspected_confidence,
            alpha_single=1 - single.suspected_confidence,
            decisions=game.decisions,
        )
    compared = row(stated, lowers, reach=reach, noticed=(noticed,), test="swap", enough=partial(enough, epsilon_of))
    certificates = (*(() if own is None else (own,)), *shown)
    return Compared((compared,), certificates if compared.compared else ())


def _stated(procedure: NoisyDescent, game: Played, own: Certificate | None) -> Stated:
    from auditor.parts.data_deletion.judging.premises import longer_than_one  # noqa: PLC0415 - the theorems, for those who descend

    why, mu = None, None if own is None else own.outputs["mu"]
    if own is None:
        why = Message("epsilon.consistency.why.no-tradeoff")
    elif mu is None:
        why = Message("epsilon.consistency.why.condition", {"found": str(own.outputs["reason"])})
    if longer_than_one(game.longest_row):
        why = Message("epsilon.consistency.why.long-rows")
    epsilon = None if mu is None else gaussian_epsilon(procedure.order, mu)
    return Stated(
        against=Message("epsilon.consistency.against.tradeoff", {"forgotten": game.forgotten}),
        source="certificate",
        epsilon=epsilon if epsilon is not None and math.isfinite(epsilon) else None,
        order=procedure.order,
        why_not=why,
        rule=noisy_gd_gaussian.KIND if procedure.packing is None else noisy_gd_batches.KIND,
    )


def _certificate(procedure: NoisyDescent, game: Played) -> Certificate | None:
    from auditor.parts.data_deletion.settings import read  # noqa: PLC0415 - the theorems, for those who descend

    declared = read(procedure)
    if not declared.trades_off:
        return None
    given = {"lipschitz": declared.lipschitz, "l2": procedure.l2, "smoothness": declared.smoothness, "sigma2": procedure.sigma2}
    if procedure.packing is not None:
        # F is in other batches than T: every one of both is a record that leaves.
        packed = {"batch": procedure.packing.divisor, "batches": procedure.packing.batches, "size": 2 * game.forgotten}
        epochs = {
            "epochs": procedure.unlearn_steps // packed["batches"],
            "learn_epochs": procedure.learn_steps // packed["batches"],
        }
        return derive(noisy_gd_batches.KIND, {**given, "rate": declared.rate, **packed, **epochs})
    steps = {"rate": declared.rate, "steps": procedure.unlearn_steps, "learn_steps": procedure.learn_steps}
    return derive(noisy_gd_gaussian.KIND, {**given, **steps, "n": game.trained, "size": game.forgotten})


def _epsilon(order: float, advantage: float) -> Certificate:
    return derive(gaussian.KIND, {"q": order, "advantage": min(gaussian.MOST, max(0.0, advantage))})


AGAINST_EPSILON: Final = Contributor("tradeoff", place=10, since="0.2.0", ceiling=compare)
