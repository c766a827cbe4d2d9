"""What the games of an adaptive requester refute: the claim of data deletion, and what is certified of noisy gradient descent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from auditor.case import Case
from auditor.certificates import derive
from auditor.checks.deletion.bounds import bounds, setting_of
from auditor.checks.deletion.goals import order_of
from auditor.deletions import replayable
from auditor.domain import Certificate
from auditor.observing.comparing import Further, Lower, Stated, by_advantage, event, most, row
from auditor.observing.deciding import Counted
from auditor.settings.noisy_gd import NoisyGd
from auditor.settings.requesting import RequesterTable

TEST = "requester"


@dataclass(frozen=True, slots=True)
class Result:
    """What the games came to."""

    details: dict[str, Any]
    """As `deletion.adaptive` holds them in its details; `refuted` is a sentence, or None where nothing is refuted."""
    further: Further

    @property
    def refuted(self) -> str | None:
        """What is refuted, in a sentence."""
        found = self.details["refuted"]
        return None if found is None else str(found)


def judge(
    case: Case,
    table: RequesterTable,
    counted: Counted,
    *,
    fitted: int,
    facts: Mapping[str, Any],
    own_guess: bool,
    quick: bool,
) -> Result:
    """Hold what the games show against the claim and the certificate.

    Args:
        case: With its claims.
        table: The game's.
        counted: The counts of the event that was fixed beforehand.
        fitted: How many games a rule was fitted on.
        facts: `largest_request` and `replaces` of the games.
        own_guess: Whether the requester itself said which world each model comes from.
        quick: Whether too few games were played to decide.
    """
    order, confidence = order_of(case.settings.claims, case.settings.procedure), table.confidence
    numbers = (counted.hits, counted.trials, counted.other_hits, counted.other_trials)
    found = event(order, numbers, confidence=confidence)
    reached = by_advantage(order, found.outputs["advantage"])
    best = most(order, numbers, confidence=confidence).outputs["radius_lower"]
    words = f"a requester that saw {_models(table.seen)}, in {counted.trials + counted.other_trials} games"
    of_any_law, of_advantage = found.outputs["radius_lower"], reached.inputs["epsilon"]
    lowers = (
        Lower("requester", f"{words}, against any law that never saw the record", of_any_law, confidence, best),
        Lower("requester-advantage", f"{words}, by Theorem 4.1 of its advantage", of_advantage, confidence, best),
    )
    statements, certificates = _statements(case, table, facts, order)
    rows = tuple(row(TEST, stated, lowers) for stated in statements)
    beyond = [] if quick else [each for each in rows if each["gap"] is not None and each["gap"] > 0]
    details = {
        "requester": table.use or table.entry,
        "own_guess": own_guess,
        "seen": table.seen,
        "rounds": table.rounds,
        "games": fitted + counted.trials + counted.other_trials,
        "fitted": fitted,
        "hits": counted.hits,
        "trials": counted.trials,
        "other_hits": counted.other_hits,
        "other_trials": counted.other_trials,
        "named_right": counted.share_right,
        "advantage": counted.hits / counted.trials - counted.other_hits / counted.other_trials,
        "advantage_lower": found.outputs["advantage"],
        "confidence": confidence,
        "order": order,
        "epsilon_lower": of_any_law,
        "epsilon_by_advantage": of_advantage,
        **facts,
        "quick": quick,
        "refuted": _sentence(beyond, found, order) if beyond else None,
    }
    return Result(details, Further(rows, (found, reached, *certificates)))


def _sentence(beyond: list[dict[str, Any]], found: Certificate, order: float) -> str:
    fallen = "; ".join(f"{each['against']} (ε = {each['epsilon']:.4g})" for each in beyond)
    return (
        f"Refuted by an adaptive requester: {fallen}. Its games show ε of at least {found.outputs['radius_lower']:.4g} at order "
        f"{order:g}, with {100 * found.inputs['confidence']:.4g} % confidence."
    )


def _statements(
    case: Case, table: RequesterTable, facts: Mapping[str, Any], order: float
) -> tuple[list[Stated], tuple[Certificate, ...]]:
    claim, procedure = case.settings.claims.data_deletion, case.settings.procedure
    under = f"under requests of somebody who saw {_models(table.seen)}"
    rows = _rows(case, table, facts)
    found: list[Stated] = []
    certificates: tuple[Certificate, ...] = ()
    if claim is not None:
        why = None
        covered = claim.adaptive or 0
        if table.seen > covered:
            why = f"the requester saw {_models(table.seen)}, and the claim speaks of {covered}"
        elif isinstance(procedure, NoisyGd) and rows < _rows_of_log(case):
            why = f"the claim speaks of the log, which leaves {_rows_of_log(case)} records; the requester leaves {rows}"
        found.append(Stated(f"claimed data deletion, {under}", "claim", claim.epsilon, claim.q, why))
    if isinstance(procedure, NoisyGd):
        certificates = tuple(_certified(case, procedure, table, rows, order))
        epsilon = certificates[-1].epsilon if certificates else None
        why = None if epsilon is not None else "nothing is certified of these games"
        against = f"data deletion by noisy gradient descent, {under}, as its certificate has it for these games"
        found.append(Stated(against, "certificate", epsilon, order, why, rule="adaptive"))
    return found, certificates


def _certified(case: Case, procedure: NoisyGd, table: RequesterTable, rows: int, order: float) -> Iterator[Certificate]:
    """What the theorems promise in these games: of the deletion, and after so many models were seen."""
    if rows < 1 or (procedure.loss is None and procedure.lipschitz is None):
        return
    # Of the theorems that count here none depends on the number of parameters.
    setting = setting_of(procedure, order=order, rows=rows, parameters=case.train.features.shape[1], updates=table.rounds - 1)
    found = bounds(setting, tradeoff=case.settings.policy.use_gaussian_tradeoff)
    if found.source not in {"5.1", "gaussian"} or found.epsilon_dd is None or found.epsilon_dp is None:
        return
    yield from found.certificates
    yield derive("adaptive", {"epsilon_dd": found.epsilon_dd, "epsilon_dp": found.epsilon_dp, "seen": table.seen})


def _rows(case: Case, table: RequesterTable, facts: Mapping[str, Any]) -> int:
    """At least so many records are there when the target is deleted."""
    # A requester that replaces may delete as well: what it named at most in one round counts for every round.
    return len(case.train) - (table.rounds - 1) * int(facts["largest_request"])


def _rows_of_log(case: Case) -> int:
    """At most so many records were there before the log's last batch."""
    batches = replayable(case.requests, case.known_ids)
    return len(case.train) - sum(len(batch.record_ids) for batch in batches[:-1])


def _models(seen: int) -> str:
    return {0: "no released model", 1: "one released model"}.get(seen, f"{seen} released models")
