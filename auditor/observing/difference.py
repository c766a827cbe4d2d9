"""`inference.difference`: whether whoever has the model before and after a deletion can name the record that went.

One game a batch of a single record: the adversary forms the Hessian from the holdout, which the model never met, or, without one,
from what remains, and is to tell the deleted record from one that was not deleted, drawn evenly. Its rank among all is shown
beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from auditor.case import Case
from auditor.decisions import decide_compliance
from auditor.domain import Check, Floats, Positions, Status
from auditor.draws import generator
from auditor.observing.findings import TITLES, Findings, skipped
from auditor.observing.removal import Learned
from auditor.observing.replay import Replay
from auditor.procedures.difference import resemblance
from auditor.settings.certified_removal import CertifiedRemoval
from auditor.statistics import clopper_pearson

ID = "inference.difference"


def judge(case: Case, replay: Replay, *, seed: int) -> Findings:
    """Play the games where both versions of the model were or will be seen.

    Args:
        case: The case.
        replay: What the rerun observed.
        seed: The auditor's own, which draws whom the deleted record is told from.
    """
    procedure = case.settings.procedure
    if not isinstance(procedure, CertifiedRemoval):
        return _skipped('Reads the steps of [procedure] use = "certified-removal"; this version knows no other procedure\'s.')
    if not both_seen(case):
        return _skipped(
            "Nobody is said to see the model from before a deletion as well: policy.before_and_after is false, and no request "
            "had seen a release. Whoever does see both is not held off by certified removal."
        )
    if replay.trajectory is None:
        raise AssertionError("the built-in procedure offers parameters()")
    ranks, outcomes, candidates = [], [], 0
    learned = Learned(case, procedure)
    left: Positions = np.arange(len(case.train))
    rng = generator(seed, "difference")
    for number, gone in enumerate(replay.forgotten, start=1):
        if len(gone) == 1:
            likeness = _likeness(case, learned, replay.trajectory[number - 1 : number + 1], left, np.setdiff1d(left, gone))
            at = int(np.flatnonzero(left == gone[0])[0])
            candidates = max(candidates, len(left))
            ranks.append(1 + int(np.count_nonzero(likeness > likeness[at])))
            other = int(rng.integers(len(left) - 1))
            outcomes.append(float(np.sign(likeness[at] - likeness[other + (other >= at)])))
        left = np.setdiff1d(left, gone)
    if not outcomes:
        return _skipped("No batch deleted a single record, and what went together is not told apart.")
    coins = rng.random(len(outcomes)) < 0.5
    return Findings((_check(case, ranks, outcomes, coins, candidates),))


def _skipped(reason: str) -> Findings:
    return Findings((skipped(ID, reason),))


def both_seen(case: Case) -> bool:
    """Whether somebody saw, or will see, a release from before a deletion as well as the one after it."""
    seen = max((request.seen_releases or 0 for request in case.requests), default=0)
    return case.settings.policy.before_and_after or seen > 0


def _likeness(case: Case, learned: Learned, releases: Sequence[Floats], rows: Positions, kept: Positions) -> Floats:
    """Of every record before the batch, how much it looks like the one that went; from two releases, their noise included."""
    shape = (learned.models, learned.dimensions)
    before, after = (each.reshape(shape) for each in releases)
    targets, features = learned.targets, learned.features
    build, l2 = learned.shape.objectives, learned.procedure.l2
    nothing = np.zeros(shape)
    candidates = build(features[rows], targets[:, rows], l2=l2, perturbations=nothing)
    if case.holdout is None:
        known = build(features[kept], targets[:, kept], l2=l2, perturbations=nothing)
    else:
        # Curvatures need no labels.
        known = build(
            learned.rows(case.holdout.features), np.ones((learned.models, len(case.holdout))), l2=l2, perturbations=nothing
        )
    with np.errstate(over="ignore", invalid="ignore"):
        return resemblance(candidates, known, before, after, rows_left=len(kept))


def _check(case: Case, ranks: list[int], outcomes: list[float], coins: np.ndarray[Any, Any], candidates: int) -> Check:
    games, confidence = len(outcomes), case.settings.inference.confidence
    ties = outcomes.count(0.0)
    wins = sum(outcome > 0 or (outcome == 0 and bool(coin)) for outcome, coin in zip(outcomes, coins, strict=True))
    interval = clopper_pearson(wins, games, confidence=confidence)
    largest = case.settings.policy.max_compliance_epsilon
    first = ranks.count(1)
    basis = (
        f"The weights before and after a deletion, and a Hessian of {'the holdout' if case.holdout else 'what remains'}, point "
        f"at a record: the deleted one came out first of up to {candidates} in {first} of {games} batches of one record. "
        f"Told from one other record it was named right {wins} times."
    )
    status = decide_compliance(interval, largest)
    if largest is None:
        basis += " Informative: the policy sets no max_compliance_epsilon."
    elif status is Status.INCONCLUSIVE:
        basis += " Too few games to decide: what they allow lies on both sides of the threshold."
    return Check(
        id=ID,
        title=TITLES[ID],
        status=Status.SKIPPED if largest is None else status,
        value=wins / games,
        interval=(interval.low, interval.high),
        threshold=largest,
        basis=basis,
        details={
            "games": games,
            "wins": wins,
            "ties": ties,
            "epsilon_lower": max(0.0, 2 * interval.low - 1),
            "confidence": confidence,
            "ranks": ranks,
            "ranked_first": first,
            "candidates": candidates,
            "hessian": "holdout" if case.holdout is not None else "remaining records",
        },
    )
