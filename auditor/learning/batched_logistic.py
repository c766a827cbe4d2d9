"""Logistic models trained, and unlearned from, many at a time: on subsets of one table, as games of membership need them.

The minimisers of many subsets lie near that of all their rows together, so its Hessian serves them all: a chord step (Newton's
with a fixed matrix) is three matrix products for every problem at once, and converges linearly. What it serves badly gets Newton
steps of its own, and what is left after that goes through `logistic.minimise`, which alone says that a tolerance is out of reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import scipy.linalg

from auditor.base.records import Floats, Positions
from auditor.learning.logistic import LARGE, MAX_STEPS, Objective, is_wide, minimise
from auditor.learning.subsets import Bools, Subsets, Table, blocks

Steps: TypeAlias = Callable[[Subsets, Floats, Floats], Floats]
"""Of some problems, at points and with gradients of shape (b, d), the full steps to subtract, shape (b, d)."""


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """How far B problems have come."""

    parameters: Floats
    """w, shape (B, d)."""
    done: Bools
    """Where ‖∇L_b‖₂, computed for many at once, is within the tolerance, shape (B,)."""
    certain: Bools
    """Where it is within the tolerance however the sums are ordered in float64, shape (B,)."""


@dataclass(frozen=True, slots=True)
class Damping:
    """When a step is accepted, and when a problem is given up."""

    decrease: float
    """A step w − rate·step must bring the gradient's norm to (1 − decrease·rate) of what it was; else the rate is halved."""
    shortest: float
    """A problem that would need a smaller rate is given up."""


def descend(subsets: Subsets, start: Floats, steps: Steps, damping: Damping, *, tolerance: float) -> Reached:
    """Step every problem until its gradient's norm is within the tolerance, or it is given up.

    Problems that need no more steps are dropped, so that the others cost no more than they must.

    Args:
        subsets: B problems.
        start: Where to begin, shape (B, d).
        steps: What to step by.
        damping: What a step must achieve.
        tolerance: Bounds ‖∇L_b‖₂ on the scale of the sum.
    """
    at = start.copy()
    gradients, errors = subsets.gradients(at)
    norms = np.linalg.norm(gradients, axis=1)
    done, certain = norms <= tolerance, norms + errors <= tolerance
    moving = np.flatnonzero(~done)
    subsets = subsets.only(moving)
    for _ in range(MAX_STEPS):
        if not len(moving):
            break
        full, rate = steps(subsets, at[moving], gradients[moving]), 1.0
        part, waiting = subsets, np.arange(len(moving))
        while True:
            which = moving[waiting]
            candidates = at[which] - rate * full[waiting]
            found, errors = part.gradients(candidates)
            lengths = np.linalg.norm(found, axis=1)
            better = lengths <= (1 - damping.decrease * rate) * norms[which]  # false where a length is not a number
            taken = which[better]
            at[taken], gradients[taken], norms[taken] = candidates[better], found[better], lengths[better]
            done[taken], certain[taken] = lengths[better] <= tolerance, (lengths + errors)[better] <= tolerance
            waiting, rate = waiting[~better], rate / 2
            if not len(waiting) or rate < damping.shortest:
                break
            part = part.only(~better)
        still = ~done[moving]
        still[waiting] = False
        if not still.all():
            moving, subsets = moving[still], subsets.only(still)
    return Reached(at, done, certain)


SHARED_NUMBERS = 1 << 18
"""Weights of rows in one block of problems that share the table: 2 MiB, and as much again for every temporary array."""
SHARED_AT_LEAST = 8
"""Problems that share one reading of a large table, which takes longer than what is computed of it for one of them."""
SOLVED = 1e-11
"""What may be left of a right-hand side where a system of equations is solved step by step."""
MOST_STEPS = 40
"""Steps in which that is done; near the pooled Hessian it takes some eight."""
PACKED_NUMBERS = 1 << 20
"""Numbers in one block of problems with rows of their own: 8 MiB, and as much again for every temporary array."""
ROUGH = 1e-3
"""What is left of the pooled problem's gradient where its Hessian is taken; the subsets' own minimisers lie farther off."""
CHORDS = Damping(decrease=0.2, shortest=1.0)
"""A Newton step costs about d/2 chord steps: where each leaves at most 0.8 of the gradient, the tolerance is nearer by chords."""
NEWTON = Damping(decrease=0.5, shortest=0.125)
"""A problem that needs shorter steps than these crawls by its gradient's norm; `minimise` has the objective's value to go by."""


def minimise_many(
    features: Floats, signs: Floats, members: Bools, *, l2: float, perturbations: Floats, tolerance: float
) -> Floats:
    """The minimisers of L_b(·; D_k) for many subsets D_k of one table, shape (B, d).

    Each is what `logistic.minimise` finds: ‖∇L_b(w_k; D_k)‖₂ ≤ tolerance as `logistic.Objective` computes it, so that the two lie
    within 2·tolerance/(λn_k) of each other (strong convexity). No step is taken that does not shrink the gradient's norm.

    Args:
        features: X, shape (n, d).
        signs: y, shape (n,), each −1 or +1.
        members: Which rows problem k is made of, shape (B, n).
        l2: λ > 0; problem k's regulariser is λn_k/2·‖w‖² with n_k its number of rows.
        perturbations: b of every problem, shape (B, d).
        tolerance: Bounds ‖∇L_b‖₂ on the scale of the sum.

    Raises:
        ValueError: If the shapes do not fit.
        ArithmeticError: If the tolerance of some problem cannot be reached in float64, as `logistic.minimise` says it.
    """
    _check_shapes(features, members, perturbations)
    table = Table(features, signs, l2)
    # Float64 may overflow on the way: what is not finite is never accepted, and its problem goes one by one.
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        reached = _by_chords(table, members, perturbations, tolerance)
        reached = _by_newton(table, members, perturbations, tolerance, reached)
    found = reached.parameters
    for k in np.flatnonzero(~reached.certain):
        objective = table.objective(members[k], perturbations[k])
        try:
            found[k] = minimise(objective, tolerance=tolerance, start=found[k])
        except ArithmeticError:
            found[k] = minimise(objective, tolerance=tolerance)
    return found


def remove_many(features: Floats, signs: Floats, members: Bools, forget: Bools, *, l2: float, parameters: Floats) -> Floats:
    """Newton removal (Guo et al. 2020, eqs. 3 and 6) from many models at once: w_k + H_k⁻¹Δ_k, shape (B, d).

    What `newton.NewtonRemoval` steps to, one model at a time. The perturbation plays no part: it cancels in Δ. Of a
    small table every model has a Hessian of its own, which saves calls and no arithmetic; of a large one the steps are solved by
    conjugate gradients near one Hessian for all.

    Args:
        features: X, shape (n, d).
        signs: y, shape (n,), each −1 or +1.
        members: The rows that model k was trained on, shape (B, n).
        forget: The rows to remove from it, a subset of `members` that leaves at least one, shape (B, n).
        l2: λ > 0.
        parameters: w of every model, shape (B, d).

    Raises:
        ValueError: If the shapes do not fit, or `forget` holds a row that is no member, or every member.
    """
    _check_shapes(features, members, parameters)
    if forget.shape != members.shape or np.any(forget & ~members):
        raise ValueError("the rows to forget are not a subset of the members")
    kept = members & ~forget
    if not kept.any(axis=1).all():
        raise ValueError("a removal leaves no record of its model's training data")
    table, steps, large = Table(features, signs, l2), np.zeros_like(parameters), features.size >= LARGE
    for block in _packs(members, np.arange(len(members)), features.shape[1]):
        at, nothing = parameters[block], np.zeros((len(block), features.shape[1]))
        # Δ = mλw + Σ_removed ∇ℓ is the gradient of the removed rows' own unperturbed objective.
        influence, _ = table.packed(forget[block], nothing).gradients(at)
        steps[block] = influence if large else table.packed(kept[block], nothing).solved(at, influence)
    return np.asarray(parameters + (_solved_together(table, kept, parameters, steps) if large else steps))


def _solved_together(table: Table, kept: Bools, parameters: Floats, right: Floats) -> Floats:
    """H_k⁻¹v_k of many models of a large table, shape (B, d), by conjugate gradients: no Hessian but one is formed.

    What they do not bring to `SOLVED` is solved by a Hessian of its own.
    """
    union, found = np.asarray(kept.any(axis=0)), np.zeros_like(right)
    if not len(right):
        return found
    pooled = table.objective(union, np.zeros(parameters.shape[1])).hessian(parameters.mean(axis=0))
    try:
        inverse = np.asarray(scipy.linalg.inv(pooled))
    except ValueError:  # not finite, or singular in float64 (LinAlgError)
        inverse = np.eye(len(pooled))
    for block in blocks(np.arange(len(right)), each=len(union), most=SHARED_AT_LEAST * len(union)):
        subsets = table.shared(kept[block], np.zeros_like(right[block]))
        times = subsets.curving(parameters[block])
        found[block] = conjugate_gradients(times, lambda left: left @ inverse, right[block])
        off = np.linalg.norm(times(found[block]) - right[block], axis=1)
        for k in block[~(off <= SOLVED * np.linalg.norm(right[block], axis=1))].tolist():
            found[k] = table.objective(kept[k], np.zeros_like(right[k])).solved(parameters[k], right[k])
    return found


def conjugate_gradients(times: Callable[[Floats], Floats], near: Callable[[Floats], Floats], right: Floats) -> Floats:
    """Solve A_k x_k = v_k for many symmetric positive definite matrices at once, shape (B, d), to a tenth of `SOLVED`.

    What is not there after `MOST_STEPS` steps is left as it is.

    Args:
        times: Multiplies by A_k, shape (B, d) in and out.
        near: Multiplies by what is near its inverse, symmetric and positive definite.
        right: v, shape (B, d).
    """
    found, left = np.zeros_like(right), right.copy()
    step = near(left)
    along, enough = (left * step).sum(axis=1), 0.1 * SOLVED * np.linalg.norm(right, axis=1)
    for _ in range(MOST_STEPS):
        active = np.linalg.norm(left, axis=1) > enough
        if not active.any():
            break
        turned = times(step)
        curved = (step * turned).sum(axis=1)
        rates = np.divide(along, curved, out=np.zeros_like(along), where=active & (curved > 0))[:, None]
        found += rates * step
        left -= rates * turned
        better, before = near(left), along
        along = (left * better).sum(axis=1)
        step = better + np.divide(along, before, out=np.zeros_like(along), where=before > 0)[:, None] * step
    return found


def _check_shapes(features: Floats, members: Bools, each: Floats) -> None:
    rows, dimensions = features.shape
    if members.shape != (len(each), rows) or each.shape[1:] != (dimensions,):
        raise ValueError(f"subsets {members.shape} and vectors {each.shape} do not fit a table {features.shape}")


def _packs(members: Bools, positions: Positions, dimensions: int) -> Iterator[Positions]:
    """Blocks of problems with rows of their own, those of like size together, so that little is padded."""
    sizes = members[positions].sum(axis=1)
    longest = int(sizes.max(initial=0))
    yield from blocks(positions[np.argsort(sizes, kind="stable")], each=longest * dimensions, most=PACKED_NUMBERS)


def _by_chords(table: Table, members: Bools, perturbations: Floats, tolerance: float) -> Reached:
    """As far as one Hessian for all goes: that of the pooled problem, near its minimiser, scaled to each problem's rows."""
    count, dimensions = perturbations.shape
    sizes, union = members.sum(axis=1), np.asarray(members.any(axis=0))
    filled, rows = np.flatnonzero(sizes), np.count_nonzero(union)
    # What subsets of different sizes have in common is their mean record's objective.
    mean = (perturbations[filled] / sizes[filled, None]).sum(axis=0) / max(1, len(filled))
    nothing = Reached(np.zeros((count, dimensions)), np.zeros(count, dtype=bool), np.zeros(count, dtype=bool))
    try:
        start, inverse = _pooled(table.objective(union, rows * mean), tolerance, wide=is_wide(len(table.features), dimensions))
    except (ArithmeticError, ValueError):  # out of reach; not finite, or singular in float64 (LinAlgError)
        return nothing
    if inverse is None:
        return replace(nothing, parameters=np.where(sizes[:, None] > 0, start, 0.0))

    def steps(subsets: Subsets, _: Floats, gradients: Floats) -> Floats:
        return np.asarray((rows / subsets.sizes)[:, None] * (gradients @ inverse))

    nearest = replace(nothing, parameters=np.where(sizes[:, None] > 0, start, 0.0))
    together = SHARED_AT_LEAST * len(table.features) if table.features.size >= LARGE else 0
    pieces = blocks(filled, each=len(table.features), most=max(SHARED_NUMBERS, together))
    return _refined(nearest, pieces, lambda block: table.shared(members[block], perturbations[block]), steps, CHORDS, tolerance)


def _pooled(objective: Objective, tolerance: float, *, wide: bool) -> tuple[Floats, Floats | None]:
    """A point near the minimiser, and the inverse Hessian there; None of a wide table.

    Raises:
        ArithmeticError: If the minimiser is out of reach.
        ValueError: If the Hessian is not finite, or singular in float64.
    """
    rough = max(tolerance, ROUGH * float(np.linalg.norm(objective.gradient(np.zeros(objective.features.shape[1])))))
    start = minimise(objective, tolerance=rough)
    if wide:  # a step of each problem's own is cheaper than one inverse of that size
        return start, None
    return start, np.asarray(scipy.linalg.inv(objective.hessian(start)))


def _by_newton(table: Table, members: Bools, perturbations: Floats, tolerance: float, reached: Reached) -> Reached:
    """The rest, with a Hessian of each problem's own at every step."""
    pieces = _packs(members, np.flatnonzero(~reached.done & members.any(axis=1)), table.features.shape[1])
    return _refined(
        reached, pieces, lambda block: table.packed(members[block], perturbations[block]), _newton_steps, NEWTON, tolerance
    )


def _newton_steps(subsets: Subsets, parameters: Floats, gradients: Floats) -> Floats:
    try:
        return subsets.solved(parameters, gradients)
    except np.linalg.LinAlgError:  # one of them is singular in float64: no step is taken here
        return np.zeros_like(gradients)


def _refined(
    reached: Reached,
    pieces: Iterable[Positions],
    subsets_of: Callable[[Positions], Subsets],
    steps: Steps,
    damping: Damping,
    tolerance: float,
) -> Reached:
    """`reached` with the problems of every piece brought further, one piece in memory at a time."""
    found, done, certain = reached.parameters.copy(), reached.done.copy(), reached.certain.copy()
    for block in pieces:
        part = descend(subsets_of(block), found[block], steps, damping, tolerance=tolerance)
        found[block], done[block], certain[block] = part.parameters, part.done, part.certain
    return Reached(found, done, certain)
