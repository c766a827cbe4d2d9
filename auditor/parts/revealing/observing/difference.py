"""The games of `inference.difference`: who has the model before and after a deletion, and is to name the record that went.

One game a batch of a single record: the adversary forms the Hessian from the holdout, which the model never met, or, without one,
from what remains, and is to tell the deleted record from one that was not deleted, drawn evenly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from auditor.audit.replay import Replay
from auditor.base.deletion_log.deletions import most_seen
from auditor.base.draws import generator
from auditor.base.records import Floats, Positions
from auditor.case import Case
from auditor.learning.declared_removal import Learned
from auditor.learning.logistic import Objective
from auditor.parts.revealing.judging import inference_difference
from auditor.verdict.checks.finding import Values


# Reading a deleted record off two releases: weights before and after a Newton removal, and a Hessian, point at it.
# A Newton removal takes the step δ with Hδ = Δ = mλw + Σ_removed ∇ℓ (Guo et al. 2020, eqs. 3 and 6), so that H(w⁻ − w) − mλw
# is the sum of the deleted records' own loss gradients: for one record, a multiple of its features. The random term of the
# loss is the same in both weights and cancels. Certified removal covers one release and promises nothing against this.
def resemblance(
    candidates: Sequence[Objective], known: Sequence[Objective], before: Floats, after: Floats, *, rows_left: int
) -> Floats:
    """How much each candidate looks like the one record that went: a cosine, shape (n,).

    Args:
        candidates: The records that may have been deleted, one objective a class.
        known: Records whose Hessian the adversary can form, one objective a class; it is scaled to `rows_left`.
        before: Weights before the removal of one record, shape (K, d).
        after: Weights after it, shape (K, d).
        rows_left: The records that the model after it was trained on.
    """
    pointed = np.stack(
        [
            _curved(each, w, u - w, rows_left) + each.l2 * rows_left * (u - w) - each.l2 * w
            for each, w, u in zip(known, before, after, strict=True)
        ]
    )
    features = candidates[0].features
    slopes = np.stack([each.slopes(w) for each, w in zip(candidates, before, strict=True)])
    # A record's gradient over all classes is slope_k x, class after class: its inner product and norm come apart.
    aligned = np.einsum("kn,kn->n", slopes, pointed @ features.T)
    lengths = np.linalg.norm(slopes, axis=0) * np.linalg.norm(features, axis=1) * np.linalg.norm(pointed)
    cosines: Floats = np.divide(aligned, lengths, out=np.zeros(len(features)), where=lengths > 0)
    return cosines


def _curved(known: Objective, parameters: Floats, step: Floats, rows_left: int) -> Floats:
    """Σ ℓ'' x xᵀ δ over the known records, as if there were `rows_left` of them."""
    moved = known.curvatures(parameters) * (known.features @ step)
    curved: Floats = known.features.T @ moved * (rows_left / len(known.features))
    return curved


def observe(case: Case, replay: Replay, *, seed: int) -> Mapping[str, Values]:
    """Play the games where both versions of the model were or will be seen.

    Args:
        case: The case.
        replay: What the rerun observed.
        seed: The auditor's own, which draws whom the deleted record is distinguished from.
    """
    removal = case.settings.procedure.removal
    if removal is None or not both_seen(case):
        return {}
    if replay.trajectory is None:
        raise AssertionError("the built-in procedure offers parameters()")
    ranks, leads, candidates = [], [], 0
    learned = Learned(case.train, removal)
    left: Positions = np.arange(len(case.train))
    rng = generator(seed, "difference")
    for number, gone in enumerate(replay.forgotten, start=1):
        if len(gone) == 1:
            likeness = _likeness(case, learned, replay.trajectory[number - 1 : number + 1], left, np.setdiff1d(left, gone))
            at = int(np.flatnonzero(left == gone[0])[0])
            candidates = max(candidates, len(left))
            ranks.append(1 + int(np.count_nonzero(likeness > likeness[at])))
            other = int(rng.integers(len(left) - 1))
            leads.append(float(np.sign(likeness[at] - likeness[other + (other >= at)])))
        left = np.setdiff1d(left, gone)
    coins = rng.random(len(leads)) < 0.5
    observed = inference_difference.Observed(
        ranks=tuple(ranks),
        ahead=sum(lead > 0 for lead in leads),
        ties=leads.count(0.0),
        ties_won=sum(lead == 0 and bool(coin) for lead, coin in zip(leads, coins, strict=True)),
        candidates=candidates,
    )
    return {inference_difference.CARD.id: observed}


def both_seen(case: Case) -> bool:
    """Whether somebody saw, or will see, a release from before a deletion as well as the one after it."""
    return case.settings.policy.before_and_after or bool(most_seen(case.requests, case.known_ids))


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
