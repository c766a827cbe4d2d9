"""`auditor plan --data-deletion`: what a promise of (q, ε)-data-deletion by noisy gradient descent costs, on the case's own data.

At each λ and ε_dp the noise, the steps and the promise follow from Theorem 5.1 by the rules that an audit judges with
(forget-unlearning.md, equations 16 and 17; Theorem 4.3 where published models were seen); the accuracy is measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from auditor.audit.planning import DRAWS, QUICK_DRAWS, OnStep, Planner, Wish, all_of, in_six_digits
from auditor.base import promises
from auditor.base.domain import Certificate
from auditor.base.errors import UsageError
from auditor.case import Case
from auditor.learning.noisy_gd.descent import Descent
from auditor.learning.noisy_gd.models import theorem_rate
from auditor.maths.certificates import derive
from auditor.maths.certificates.renyi import advantage
from auditor.maths.certificates.rounding import ceiling
from auditor.maths.tradeoff.combining import several
from auditor.maths.tradeoff.promises import finite
from auditor.maths.tradeoff.reading import right_guesses
from auditor.pages.words.texts import say, text
from auditor.parts.data_deletion.planning.deletion_document import (
    DELETION_L2_GRID,
    FOLDS_OF_EPSILON,
    QUICK_DELETION_L2_GRID,
    SHARES_OF_EPSILON,
    DeletionPlan,
    DeletionSearch,
    DeletionSetting,
    Promise,
    deletion_document,
)
from auditor.parts.data_deletion.planning.linear_models import LinearTask, linear_task, trained, without_noise

if TYPE_CHECKING:
    from rich.console import Console


def promise_for(case: Case, *, epsilon: float, order: float | None, seen: int, deletions: int) -> Promise:
    """What is to be promised; q as the case declares it where it is left out, else 2.

    Raises:
        InputError: See `linear_task`.
        UsageError: If a value is out of range.
    """
    task = linear_task(case)
    chosen = order if order is not None else task.order if task.order is not None else 2.0
    if not 0 < epsilon < float("inf"):
        raise UsageError(f"--epsilon: expected a number above 0, found {epsilon:g}")
    if not 1 < chosen < float("inf"):
        raise UsageError(f"--order: expected a number above 1, found {chosen:g}")
    if not 0 <= seen <= 10**9:
        raise UsageError(f"--seen: expected a count of published models, found {seen}")
    if not 1 <= deletions < len(task.train):
        raise UsageError(f"--deletions: expected 1 to {len(task.train) - 1}, which leaves a record, found {deletions}")
    return Promise(epsilon, chosen, seen, deletions)


def deletion_search(
    case: Case,
    promise: Promise,
    *,
    seed: int,
    quick: bool = False,
    l2: Sequence[float] | None = None,
    epsilon_dp: Sequence[float] | None = None,
) -> DeletionSearch:
    """The grid of a case: the values asked for, or the usual ones and the case's own λ.

    Raises:
        InputError: See `linear_task`.
        UsageError: If a value is not above 0.
    """
    declared = linear_task(case).l2
    usual = QUICK_DELETION_L2_GRID if quick else DELETION_L2_GRID
    values = _above_zero("--l2", l2) if l2 is not None else (*usual, *(() if declared is None else (declared,)))
    if epsilon_dp is not None:
        private = _above_zero("--epsilon-dp", epsilon_dp)
    elif promise.seen:
        private = tuple(share * promise.epsilon / promise.seen for share in SHARES_OF_EPSILON)
    else:
        private = tuple(fold * promise.epsilon for fold in FOLDS_OF_EPSILON)
    return DeletionSearch(tuple(sorted({*values})), tuple(sorted({*private})), QUICK_DRAWS if quick else DRAWS, seed)


def plan_deletion(
    case: Case, promise: Promise, search: DeletionSearch, *, jobs: int = 1, on_step: OnStep | None = None
) -> DeletionPlan:
    """Try every setting of a search on the data of a case.

    Args:
        case: Whose records are trained on.
        promise: What a deleted person is to be promised.
        search: Where, and how closely.
        jobs: Processes side by side; the plan does not depend on them.
        on_step: Called with the stage, the steps done and all steps of it.

    Raises:
        InputError: See `linear_task`.
    """
    task = linear_task(case)
    tell = on_step or (lambda _name, _done, _total: None)
    row = partial(setting, task, promise, draws=search.draws, seed=search.seed)
    cells: list[Callable[[], DeletionSetting]] = [
        partial(row, l2=l2, epsilon_dp=private) for l2 in search.l2 for private in search.epsilon_dp
    ]
    rows = all_of(cells, jobs, tell, "settings")
    bare = all_of([partial(_bare, task, l2, rows, search.seed) for l2 in search.l2], jobs, tell, say("plan-no-noise"))
    return DeletionPlan(
        case=case.settings.case.name,
        promise=promise,
        search=search,
        loss=task.loss.name,
        records=len(task.train),
        features=task.train.features.shape[1],
        parameters=task.parameters,
        advantage=derive("advantage", {"q": promise.order, "epsilon": promise.epsilon}).outputs["bound"],
        measure=task.measure,
        baseline=task.baseline(),
        rows=tuple(rows),
        without_noise=tuple(zip(search.l2, bare, strict=True)),
        assumptions=(*task.assumptions, *_assumptions(promise)),
    )


def setting(task: LinearTask, promise: Promise, *, l2: float, epsilon_dp: float, draws: int, seed: int) -> DeletionSetting:
    """One λ and ε_dp: noise, steps and promise by the rules, accuracy by training."""
    row = DeletionSetting(l2, epsilon_dp)
    left = promise.epsilon - promise.seen * epsilon_dp
    if left <= 0:
        return replace(row, reason=say("plan-deletion-seen-too-many", seen=promise.seen))
    # Rounded up, ε_dd and pε_dp may exceed ε by their last digit.
    costs = _costs(task, promise, l2=l2, epsilon_dp=epsilon_dp, epsilon_dd=left * (1 - 1e-12))
    if costs.outputs["learn_steps"] is None:
        return replace(row, reason=str(costs.outputs["reason"]))
    found = costs.outputs
    steps = (found["learn_steps"], found["unlearn_steps"])
    promised = derive(
        "adaptive", {"epsilon_dd": found["epsilon_dd"], "epsilon_dp": found["epsilon_dp"], "seen": promise.seen}
    ).epsilon
    rate = theorem_rate(task.loss.name, l2=l2)
    learned, updated = trained(
        task, Descent(l2, found["sigma2"], rate), steps=steps, deletions=promise.deletions, draws=draws, seed=seed
    )
    kept = promised is not None and promised <= promise.epsilon
    reason = (
        None if steps[1] < steps[0] else text(f"plan-deletion-{'serves-nobody' if found['learn_steps_utility'] else 'drowned'}")
    )
    return replace(
        row,
        sigma2=found["sigma2"],
        learn_steps=steps[0],
        unlearn_steps=steps[1],
        unlearn_steps_utility=found["unlearn_steps_utility"],
        epsilon_dd=found["epsilon_dd"],
        epsilon=promised,
        right_guesses=None if promised is None else right_guesses(_left(task, promise, costs, promised, rate=rate)),
        excess_risk=found["excess_risk_updated"],
        saved_share=found["share_saved"],
        learned=learned,
        accuracy=updated,
        serves=kept and reason is None,
        reason=reason,
    )


def _left(task: LinearTask, promise: Promise, costs: Certificate, promised: float, *, rate: float) -> promises.Promise:
    """What these steps leave of a deleted record, as a promise between the worlds with it and without it.

    Where models were seen, both worlds are near a third law only: the advantage of Theorem 4.1, a δ at ε = 0. Else the world
    without the record is that law, and Theorem 5.1 holds at every order; the Gaussian trade-off has the same premises.
    """
    if promise.seen:
        return promises.Approximate(epsilon=0.0, delta=advantage(promise.order, promised))
    known, found = task.constants, costs.inputs
    shift = derive(
        "noisy-gd-gaussian",
        {
            "lipschitz": known.lipschitz,
            "l2": found["l2"],
            "smoothness": known.smoothness,
            "sigma2": found["sigma2"],
            "n": found["n"],
            "rate": rate,
            "steps": costs.outputs["unlearn_steps"],
        },
    ).outputs["mu"]
    by_theorem = finite(promises.Concentrated, rho=ceiling(Fraction(promised) / Fraction(promise.order)), two_sided=False)
    return several([by_theorem] if shift is None else [promises.Gaussian(mu=shift), by_theorem])


def _costs(task: LinearTask, promise: Promise, *, l2: float, epsilon_dp: float, epsilon_dd: float) -> Certificate:
    """The certificate of the steps: K_A of equation 17 and K_U of equation 16, each at least 1."""
    known = task.constants
    inputs = {
        "q": promise.order,
        "d": task.parameters,
        # Of deletions one after another the last was in the smallest training set.
        "n": len(task.train) - promise.deletions + 1,
        "lipschitz": known.lipschitz,
        "l2": l2,
        "smoothness": known.smoothness,
        "epsilon_dd": epsilon_dd,
    }
    exact = derive("noisy-gd-utility", {**inputs, "epsilon_dp": epsilon_dp})
    if exact.outputs["sigma2"] is None:
        return exact
    # Rounded up to what a person copies into audit.toml: the promise is that of the copied number.
    inputs["sigma2"] = in_six_digits(exact.outputs["sigma2"])
    asked = derive("noisy-gd-utility", inputs)
    if asked.outputs["learn_steps"] is None:
        return asked
    chosen = {
        "learn_steps": max(1, asked.outputs["learn_steps_utility"]),
        "unlearn_steps": max(1, asked.outputs["unlearn_steps_deletion"]),
    }
    return derive("noisy-gd-utility", {**inputs, **chosen})


def _bare(task: LinearTask, l2: float, rows: Sequence[DeletionSetting], seed: int) -> float:
    """Without noise, after as many steps as the longest learning at this λ."""
    steps = max((row.learn_steps or 0 for row in rows if row.l2 == l2), default=0)
    return without_noise(task, l2=l2, steps=max(100, steps), rate=theorem_rate(task.loss.name, l2=l2), seed=seed)


def _above_zero(option: str, values: Sequence[float]) -> tuple[float, ...]:
    if not values or not all(0 < value < float("inf") for value in values):
        found = ", ".join(map(str, values)) or "none"
        raise UsageError(f"{option}: expected numbers above 0, separated by commas, found {found}")
    return tuple(values)


def _assumptions(promise: Promise) -> tuple[str, ...]:
    seen = say("plan-assume-seen", seen=promise.seen) if promise.seen else say("plan-assume-fixed")
    theorem = say("plan-assume-theorem")
    return (
        theorem,
        say("plan-assume-covers", seen=seen),
        say("plan-assume-picked"),
    )


def _planned(case: Case, wish: Wish, jobs: int, on_step: OnStep) -> dict[str, Any]:
    promise = promise_for(case, epsilon=wish.epsilon, order=wish.order, seen=wish.seen, deletions=wish.deletions)
    search = deletion_search(case, promise, seed=wish.seed, quick=wish.quick, l2=wish.l2, epsilon_dp=wish.epsilon_dp)
    return deletion_document(plan_deletion(case, promise, search, jobs=jobs, on_step=on_step))


def _table(said: Mapping[str, Any], console: Console) -> None:
    from auditor.parts.data_deletion.telling.planned_deletion import deletion_table  # noqa: PLC0415 - only where it is shown

    deletion_table(said, console)


PLANNER: Final = Planner("data_deletion", _planned, _table)
