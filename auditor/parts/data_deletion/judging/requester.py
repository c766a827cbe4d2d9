"""What the games of an adaptive requester refute: the claim of data deletion, and what is certified of noisy gradient descent.

Under a claim of (q, ε)-data-deletion under p-adaptive requests both worlds' models lie within ε of one law that never saw the
record (forget-unlearning.md, Definition 4.1), so that what the requester reaches refutes every smaller ε. Its limits hold with
the part of both errors that the other families leave it (`families`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from auditor.base.domain import Certificate, Message
from auditor.maths.certificates import derive
from auditor.parts.data_deletion.judging.chains import by_advantage, event, most
from auditor.parts.data_deletion.judging.goals import order_of
from auditor.parts.swap.judging.epsilon_consistency import families
from auditor.parts.swap.judging.epsilon_consistency.contributors import Contribution, Contributor, Game
from auditor.parts.swap.judging.epsilon_consistency.observed import Games, Observed
from auditor.parts.swap.judging.epsilon_consistency.power import by_counts, trials_that_refute
from auditor.parts.swap.judging.epsilon_consistency.rows import DATA_DELETION, Compared, Lower, Stated, row
from auditor.settings.controller import RequesterTable
from auditor.settings.facets import NoisyDescent
from auditor.verdict.checks.context import Context


def judge(context: Context, table: RequesterTable, games: Games) -> tuple[Game, Compared]:
    """Hold what the games show against claim and certificate.

    Args:
        context: With the claim.
        table: Of the requester.
        games: What was counted.
    """
    order, counted = order_of(context.claims, context.procedure), games.counted
    errors = families.errors(context)
    confidence, weaker = 1 - errors.refutes, 1 - errors.opens
    found, suspected = (event(order, counted, confidence=each) for each in (confidence, weaker))
    reached, suspected_by_advantage = (by_advantage(order, each.outputs["advantage"]) for each in (found, suspected))
    reach = most(order, counted, confidence=confidence).outputs["radius_lower"]
    of_any_law, of_advantage = found.outputs["radius_lower"], reached.inputs["epsilon"]
    played = {"seen": table.seen, "games": counted.trials + counted.other_trials}
    lowers = tuple(
        Lower(
            method=method,
            title=Message(f"epsilon.consistency.method.{method}", played),
            epsilon=epsilon,
            confidence=confidence,
            suspected=weak,
            suspected_confidence=weaker,
        )
        for method, epsilon, weak in (
            ("requester", of_any_law, suspected.outputs["radius_lower"]),
            ("requester-advantage", of_advantage, suspected_by_advantage.inputs["epsilon"]),
        )
    )
    statements, certificates = _statements(context, table, games, order)

    def noticed(epsilon: float | None) -> float | None:
        if epsilon is None:
            return None
        return by_counts(epsilon, order, counted, confidence=weaker, kind="radius")

    def enough(epsilon: float) -> int | None:
        trials = trials_that_refute(epsilon, order, counted, confidence=confidence)
        # Rules are fitted on the same share of the games, and fours of games are played: both halves of either world.
        return None if trials is None else 4 * math.ceil(trials * (games.fitted / counted.trials + 2) / 4)

    rows = tuple(
        row(each, lowers, reach=reach, noticed=(noticed(each.epsilon),), test="requester", enough=enough) for each in statements
    )
    fallen = [] if context.quick else [{"against": each.against, "epsilon": each.epsilon} for each in rows if each.refuted]
    shown = {"epsilon": of_any_law, "order": order, "confidence": confidence}
    game = Game(
        requester=table.use or table.entry,
        own_guess=games.own_guess,
        seen=table.seen,
        rounds=table.rounds,
        games=games.fitted + counted.trials + counted.other_trials,
        fitted=games.fitted,
        **counted.model_dump(),
        named_right=counted.share_right,
        advantage=counted.hits / counted.trials - counted.other_hits / counted.other_trials,
        advantage_lower=found.outputs["advantage"],
        confidence=confidence,
        order=order,
        suspected_confidence=weaker,
        epsilon_lower=of_any_law,
        epsilon_by_advantage=of_advantage,
        largest_request=games.largest_request,
        replaces=games.replaces,
        quick=context.quick,
        refuted=Message("requester.refuted", {"fallen": fallen, **shown}) if fallen else None,
    )
    return game, Compared(rows, (found, reached, *certificates))


def _statements(
    context: Context, table: RequesterTable, games: Games, order: float
) -> tuple[list[Stated], tuple[Certificate, ...]]:
    claim, procedure, seen = context.claims.data_deletion, context.procedure.descent, {"seen": table.seen}
    # At least so many records are there when the target is deleted. A requester that replaces may delete as well: what it named
    # at most in one round counts for every round.
    rows = context.case.training_records - (table.rounds - 1) * games.largest_request
    found: list[Stated] = []
    if claim is not None:
        why, covered = None, claim.adaptive or 0
        if table.seen > covered:
            why = Message("epsilon.consistency.why.saw-more", {**seen, "covered": covered})
        elif procedure is not None and rows < games.rows_of_log:
            why = Message("epsilon.consistency.why.fewer-rows", {"of_log": games.rows_of_log, "rows": rows})
        against = Message("epsilon.consistency.against.requester-claim", seen)
        found.append(Stated(against, "claim", claim.epsilon, order=claim.q, why_not=why, claim=DATA_DELETION))
    if procedure is None:
        return found, ()
    certificates = tuple(_certified(context, procedure, table, rows, order))
    epsilon = certificates[-1].epsilon if certificates else None
    why = None if epsilon is not None else Message("epsilon.consistency.why.nothing-certified")
    against = Message("epsilon.consistency.against.requester-certificate", seen)
    found.append(Stated(against, "certificate", epsilon, order=order, why_not=why, rule="adaptive"))
    return found, certificates


def _certified(
    context: Context, procedure: NoisyDescent, table: RequesterTable, rows: int, order: float
) -> Iterator[Certificate]:
    """What the theorems promise in these games: of the deletion, and after so many models were seen."""
    if rows < 1 or (procedure.loss is None and procedure.lipschitz is None):
        return
    from auditor.parts.data_deletion.judging.bounds import bounds, setting_of  # noqa: PLC0415 - the theorems, for those who descend

    # Of the theorems that count here none depends on the number of parameters.
    setting = setting_of(procedure, order=order, rows=rows, parameters=context.case.features, updates=table.rounds - 1)
    found = bounds(setting, tradeoff=context.policy.use_gaussian_tradeoff)
    if found.source not in {"5.1", "gaussian"} or found.epsilon_dd is None or found.epsilon_dp is None:
        return
    yield from found.certificates
    yield derive("adaptive", {"epsilon_dd": found.epsilon_dd, "epsilon_dp": found.epsilon_dp, "seen": table.seen})


def judged_games(context: Context, games: Games | None) -> Game | None:
    """What the games of the declared requester came to; None where none were played."""
    if games is None or context.requester is None:
        return None
    return judge(context, context.requester, games)[0]


def _compare(context: Context, observed: Observed) -> Contribution:
    """Hold the games of the declared requester against claim and certificate, where any were played."""
    if observed.games is None or context.requester is None:
        return Contribution()
    game, compared = judge(context, context.requester, observed.games)
    return Contribution(compared, game=game)


AGAINST_EPSILON: Final = Contributor(
    "requester", place=20, since="0.2.0", plays=lambda context: context.requester is not None, compare=_compare
)
