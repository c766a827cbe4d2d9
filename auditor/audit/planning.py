"""`auditor plan`: what a promise about deletions costs, on the case's own data, before anything is trained for release.

Parts bring planners, each for one kind of promise; the one that is asked for plans. What planners share is here: what is wished
for, accuracy with its interval, and many settings tried side by side.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

import numpy as np
from joblib import Parallel, delayed

from auditor.base.errors import UsageError
from auditor.base.parts import modules
from auditor.case import Case
from auditor.pages.words.texts import say

if TYPE_CHECKING:
    from rich.console import Console

DRAWS, QUICK_DRAWS = 5, 2
"""Trainings of each setting."""
CONFIDENCE: Final = 0.95
UNLIKE: Final = 10.0
"""So many times as large as the middle one, a column drowns others."""
_NAMED: Final = 3

OnStep: TypeAlias = Callable[[str, int, int], None]
"""Called with the stage, the steps done and all steps of it."""
_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is asked of a plan; each planner reads what its kind of promise has."""

    epsilon: float
    right_guesses: float | None = None
    """In the place of ε: the most right guesses of 100; None where ε is given."""
    delta: float = 0.0
    deletions: int = 1
    """Records that are deleted one at a time."""
    order: float | None = None
    """The Rényi order q; None for the case's own, or the usual one."""
    seen: int = 0
    """Published models that those who ask for deletions may have seen."""
    l2: tuple[float, ...] | None = None
    """Values of λ to try; None for the usual ones."""
    sigma: tuple[float, ...] | None = None
    """Values of σ, likewise."""
    epsilon_dp: tuple[float, ...] | None = None
    """Values of ε_dp of one model, likewise."""
    horizon: int | None = None
    """The releases of a stream; None for the case's own."""
    records: int | None = None
    """Records of one person in a stream; None for the most that the case's log names."""
    parameters: int | None = None
    """The numbers of a model; None for the case's own."""
    norm: float | None = None
    """The length of the weights that the loss of a stream is compared with; None for 1."""
    seed: int = 0
    """Everything that is drawn comes from it. It is not, and must not be, the seed of a model that is released."""
    quick: bool = False


@dataclass(frozen=True, slots=True)
class Planner:
    """What plans for one kind of promise."""

    promise: str
    """What it is called: a key in `[claims]`, or what `auditor plan` names it."""
    plan: Callable[[Case, Wish, int, OnStep], dict[str, Any]]
    """Plans with a number of processes side by side; returns the plan as the JSON object that the command prints and writes."""
    table: Callable[[Mapping[str, Any], Console], None]
    """Prints such an object on a terminal."""
    without_case: Callable[[Wish], dict[str, Any]] | None = None
    """Plans for no case in particular; None where a plan takes the records of one."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The share of right predictions, or for a regression R²: the mean over the trainings, with an interval for all of them."""

    value: float
    low: float
    high: float


def plan(case: Case | None, promise: str, wish: Wish, *, jobs: int, on_step: OnStep) -> dict[str, Any]:
    """Plan for a promise, as the JSON object that the command prints and writes.

    Args:
        case: The case; None where the numbers that are wished for say all.
        promise: Its kind, as its planner names it.
        wish: What is asked for.
        jobs: Processes side by side; the plan does not depend on them.
        on_step: Called with what goes on.

    Raises:
        InputError: If nothing can be planned on the data of the case.
        UsageError: If nothing plans for such a promise or without a case, or something that is wished for is out of range.
    """
    chosen = planner(promise)
    if case is None:
        if chosen.without_case is None:
            raise UsageError("missing argument CASE")
        return chosen.without_case(wish)
    said = chosen.plan(case, wish, jobs, on_step)
    sizes = sizes_of(case)
    caution = unlike(sizes)
    return {**said, "column_sizes": dict(sizes), "sentence": f"{said['sentence']} {caution}"} if caution else said


def sizes_of(case: Case) -> tuple[tuple[str, float], ...]:
    """Measure how large the values of each column are, the root of their mean square, from the largest on.

    A column without a name, or one of several that stand for it, goes by its number from 1 on; columns of zeros are left out.
    """
    if case.train is None:
        return ()
    features = np.reshape(np.asarray(case.train.features, dtype=np.float64), (len(case.train), -1))
    data = case.settings.data
    roles = {data.id, data.label, data.sensitivity, data.person, data.weight}
    names = data.columns or tuple(name for name in case.columns if name not in roles)
    if len(names) != features.shape[1]:
        names = tuple(str(at + 1) for at in range(features.shape[1]))
    scale = np.max(np.abs(features), axis=0, initial=0.0)
    within = features / np.where(scale > 0, scale, 1.0)
    sizes = scale * np.sqrt(np.mean(within**2, axis=0))
    found = [(name, float(f"{size:.3g}")) for name, size in zip(names, sizes.tolist(), strict=True) if size > 0]
    return tuple(sorted(found, key=lambda each: -each[1]))


def unlike(sizes: Sequence[tuple[str, float]]) -> str:
    """Say that a few columns drown the others, and what to do; nothing where columns are about as large as one another.

    A linear model with penalty λ, on rows of norm at most 1, can weigh small columns no more than large ones.
    """
    if not sizes:
        return ""
    middle = statistics.median_low([size for _, size in sizes])
    large = [(name, size) for name, size in sizes if size >= UNLIKE * middle]
    if not large:
        return ""
    named = ", ".join(f"{name} ({size:g})" for name, size in large[:_NAMED])
    more = len(large) - _NAMED
    return say("plan-unlike-columns", named=named, more=max(0, more), middle=f"{middle:g}", smallest=f"{sizes[-1][1]:g}")


def planner(promise: str) -> Planner:
    """Find what plans for a kind of promise.

    Raises:
        UsageError: If nothing does.
    """
    planners: dict[str, Planner] = {module.PLANNER.promise: module.PLANNER for module in modules("planning")}
    if promise not in planners:
        raise UsageError(f"nothing plans for {promise}; there are plans for {', '.join(planners)}")
    return planners[promise]


def in_six_digits(value: float) -> float:
    """The least number of six significant digits that is at least a value above 0."""
    return float(Decimal(value).normalize(Context(prec=6, rounding=ROUND_CEILING)))


def plain(value: Any) -> Any:
    """Turn tuples into the lists that JSON has, at any depth."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, tuple | list) else value


def all_of(tasks: Sequence[Callable[[], _Found]], jobs: int, on_step: OnStep, name: str) -> list[_Found]:
    """Run many small tasks, and give what each finds in their order, whatever the number of processes."""
    on_step(name, 0, len(tasks))
    found: list[_Found] = []
    for result in _run(tasks, min(jobs, len(tasks))):
        found.append(result)
        on_step(name, len(found), len(tasks))
    return found


def _run(tasks: Sequence[Callable[[], _Found]], jobs: int) -> Iterator[Any]:
    if jobs == 1:
        return (task() for task in tasks)
    # Records are personal data: they go through pipes, and never into a file that a killed process leaves behind.
    running: Iterator[Any] = Parallel(n_jobs=jobs, return_as="generator", max_nbytes=None)(delayed(task)() for task in tasks)
    return running
