"""Many small tasks of a plan, one after another or side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

from joblib import Parallel, delayed

OnStep: TypeAlias = Callable[[str, int, int], None]
_Found = TypeVar("_Found")


def all_of(tasks: Sequence[Callable[[], _Found]], jobs: int, on_step: OnStep, name: str) -> list[_Found]:
    """What each task finds, in their order, whatever the number of processes."""
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
