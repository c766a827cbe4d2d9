"""What a number of deletions at (ε, δ) costs by certified removal, setting by setting.

settings           the target, the search, and what a plan consists of
task               what the case asks to be learned
walking            deletions one after another, by the built-in procedure's own code
accuracy           holdout or cross-validation, with an interval
loss_perturbation  one λ and σ;  noise_at_release: output noise, plain differential privacy, and no noise
document           the plan as JSON, and in a sentence
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final

from auditor.audit.planning import DRAWS, QUICK_DRAWS, OnStep, Planner, Wish, all_of
from auditor.base.draws import generator
from auditor.base.errors import UsageError
from auditor.base.records import Floats, Positions
from auditor.case import Case
from auditor.maths.certificates import gaussian
from auditor.maths.tradeoff.reading import right_guesses
from auditor.pages.words.texts import say, text
from auditor.parts.removal.planning import noise_at_release, walking
from auditor.parts.removal.planning.accuracy import baseline, measure_of
from auditor.parts.removal.planning.document import (
    L2_GRID,
    QUICK_L2_GRID,
    QUICK_SIGMA_GRID,
    SIGMA_GRID,
    Plan,
    Search,
    Setting,
    Target,
    document,
)
from auditor.parts.removal.planning.walking import Task, task_of

if TYPE_CHECKING:
    from rich.console import Console

_BEYOND: Final = 6
"""Doublings of the grid's largest σ that are tried where nothing on the grid serves the target."""


def search_for(
    case: Case,
    *,
    seed: int,
    quick: bool = False,
    l2: Sequence[float] | None = None,
    sigma: Sequence[float] | None = None,
) -> Search:
    """The grid of a case: the values asked for, or the usual ones and the case's own.

    Raises:
        InputError: See `task_of`.
        UsageError: If a value is not above 0.
    """
    task = task_of(case)
    chosen_l2 = _grid("--l2", l2, QUICK_L2_GRID if quick else L2_GRID, task.l2)
    chosen_sigma = _grid("--sigma", sigma, QUICK_SIGMA_GRID if quick else SIGMA_GRID, task.sigma)
    return Search(chosen_l2, chosen_sigma, QUICK_DRAWS if quick else DRAWS, seed)


def plan(case: Case, target: Target, search: Search, *, jobs: int = 1, on_step: OnStep | None = None) -> Plan:
    """Try every setting of a search on the data of a case.

    Raises:
        InputError: See `task_of`.
        UsageError: If the target is out of range, or leaves no record.
    """
    return plan_task(case.settings.case.name, task_of(case), target, search, jobs=jobs, on_step=on_step)


def plan_task(name: str, task: Task, target: Target, search: Search, *, jobs: int = 1, on_step: OnStep | None = None) -> Plan:
    """The same for a task that need not come from a case.

    Args:
        name: What it is called.
        task: What is learned.
        target: What has to be served.
        search: Where, and how closely.
        jobs: Processes side by side; the plan does not depend on them.
        on_step: Called with the stage, the steps done and all steps of it.

    Raises:
        UsageError: If the target is out of range, or leaves no record.
    """
    _refuse(target, records=len(task.train))
    tell = on_step or (lambda _name, _done, _total: None)
    seeds, drawn = training_seeds(search), orders(task, target, search)
    norms = all_of([partial(walking.spectral_norms, task.train, each) for each in drawn], jobs, tell, "orders")
    row = partial(_loss_row, task, target, search, seeds, drawn, norms)
    cells = [partial(row, l2, sigma) for l2 in search.l2 for sigma in search.sigma]
    loss = all_of(cells, jobs, tell, "loss")
    around = partial(noise_at_release.settings, task, target, seed=search.seed, seeds=seeds, orders=drawn)
    hidden, private, bare = zip(*all_of([partial(around, l2=l2) for l2 in search.l2], jobs, tell, "noise"), strict=True)
    beyond = None if any(each.serves for each in loss) else _beyond(search, row)
    return Plan(
        case=name,
        target=target,
        search=search,
        records=len(task.train),
        features=task.train.features.shape[1],
        models=task.models,
        score="R²" if task.regression else "accuracy",
        measure=measure_of(task),
        baseline=baseline(task),
        loss_perturbation=tuple(loss),
        output_noise=tuple(hidden),
        differential_privacy=tuple(private),
        no_protection=tuple(bare),
        beyond=beyond,
        assumptions=(*task.assumptions, *_assumptions(task, target)),
        right_guesses=right_guesses(noise_at_release.kept(task, target)),
    )


def epsilon_for(task: Task, guesses: float, delta: float) -> float:
    """Find the largest ε at δ whose promise leaves at most a share of right guesses, by the noise of loss perturbation.

    Args:
        task: What is learned.
        guesses: The share, above 0.5 and below 1.
        delta: δ.

    Raises:
        UsageError: If a number is out of range, or δ by itself leaves more.
    """
    if not 0.5 < guesses < 1:
        raise UsageError(f"--right-guesses: expected a number above 50 and below 100, found {100 * guesses:g}")
    _refuse_delta(delta)

    def leaves(epsilon: float) -> float:
        return right_guesses(noise_at_release.kept(task, Target(1, epsilon, delta)))

    if task.distribution == "laplace":
        found = math.log(guesses / (1 - guesses))
    else:
        found = gaussian.epsilon(delta, 2 * NormalDist().inv_cdf(guesses))
    while found > 0 and leaves(found) > guesses:
        found *= 1 - 1e-12 if found > 1e-9 else 0.0
    if found <= 0:
        raise UsageError(f"--right-guesses: {100 * guesses:g} of 100 takes a δ below {delta:g}")
    return found


def training_seeds(search: Search) -> tuple[int, ...]:
    """The seed of each training; none of them may ever train a model that is released."""
    return tuple(int(generator(search.seed, "plan", "training", number).integers(2**62)) for number in range(search.draws))


def orders(task: Task, target: Target, search: Search) -> tuple[Positions, ...]:
    """Random positions of the training data, twice as many as are to be deleted, or all but one: one order a training."""
    most = min(2 * target.deletions, len(task.train) - 1)
    return tuple(
        generator(search.seed, "plan", "order", number).permutation(len(task.train))[:most] for number in range(search.draws)
    )


def _loss_row(
    task: Task,
    target: Target,
    search: Search,
    seeds: Sequence[int],
    drawn: Sequence[Positions],
    norms: Sequence[Floats],
    l2: float,
    sigma: float,
) -> Setting:
    return noise_at_release.setting(task, target, l2=l2, sigma=sigma, seed=search.seed, seeds=seeds, orders=drawn, norms=norms)


def _beyond(search: Search, row: Callable[[float, float], Setting]) -> Setting | None:
    """The first that serves the target when σ is doubled again and again at the largest λ."""
    for doubling in range(1, _BEYOND + 1):
        found = row(search.l2[-1], search.sigma[-1] * 2**doubling)
        if found.serves:
            return found
    return None


def _grid(option: str, asked: Sequence[float] | None, usual: Sequence[float], declared: float | None) -> tuple[float, ...]:
    values = usual if asked is None else asked
    if not values or not all(0 < value < float("inf") for value in values):
        raise UsageError(
            f"{option}: expected numbers above 0, separated by commas, found {', '.join(map(str, values)) or 'none'}"
        )
    own = () if declared is None or asked is not None else (declared,)
    return tuple(sorted({*values, *own}))


def _refuse(target: Target, *, records: int) -> None:
    if not 1 <= target.deletions < records:
        raise UsageError(f"--deletions: expected 1 to {records - 1}, which leaves a record, found {target.deletions}")
    if not 0 < target.epsilon < float("inf"):
        raise UsageError(f"--epsilon: expected a number above 0, found {target.epsilon:g}")
    _refuse_delta(target.delta)


def _refuse_delta(delta: float) -> None:
    if not 0 < delta < 1:
        raise UsageError(f"--delta: expected a number between 0 and 1, found {delta:g}")


def _assumptions(task: Task, target: Target) -> tuple[str, ...]:
    said = [text(f"plan-assume-{each}") for each in ("loss", "noise", "best")]
    if not task.regression:
        said.append(say("plan-assume-dp", deletions=target.deletions, row_norm=f"{task.row_norm:g}"))
    if task.distribution == "laplace":
        said.append(say("plan-assume-laplace"))
    return tuple(said)


def _planned(case: Case, wish: Wish, jobs: int, on_step: OnStep) -> dict[str, Any]:
    search = search_for(case, seed=wish.seed, quick=wish.quick, l2=wish.l2, sigma=wish.sigma)
    epsilon = wish.epsilon
    if wish.right_guesses is not None:
        epsilon = epsilon_for(task_of(case), wish.right_guesses / 100, wish.delta)
    target = Target(wish.deletions, epsilon, wish.delta)
    return document(plan(case, target, search, jobs=jobs, on_step=on_step))


def _table(said: Mapping[str, Any], console: Console) -> None:
    from auditor.pages.planned import table  # noqa: PLC0415 - only where it is shown

    table(said, console)


PLANNER: Final = Planner("certified_removal", _planned, _table)
