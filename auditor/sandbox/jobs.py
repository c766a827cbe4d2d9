"""Many sandboxed runs side by side: one process for each job, one thread that waits for it, results in order.

The longest start first, so that the last to end is a short one.

The processes are started here, or by the workers of a cluster; the threads wait for either in the same way.

The first failure ends the lot: a procedure that has crashed, hung or lied once is not started again, and what runs is killed.
A job that has finished is kept where the caller says so, and taken from there when the same is asked for again.
"""

from __future__ import annotations

import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from auditor.base.errors import AuditorError, ProcedureError
from auditor.base.records import Dataset, Part
from auditor.sandbox import (
    Answer,
    DeviceKind,
    Learn,
    Level,
    Limits,
    Modules,
    ProcedureSpec,
    Refit,
    Step,
    StoppedError,
    Together,
    Unlearn,
    Worker,
)
from auditor.sandbox.checkpoints import Checkpoints
from auditor.sandbox.memory import default_allowance
from auditor.sandbox.runs import Runs
from auditor.sandbox.steps import count, kind_of

if TYPE_CHECKING:
    from auditor.sandbox.cluster import Cluster


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """One procedure and the steps that it is asked for, in a process of its own."""

    name: str
    """Shown while it runs."""
    spec: ProcedureSpec
    tables: Mapping[str, Dataset | Part] = field(repr=False)
    steps: Sequence[Step]
    limits: Limits = field(default_factory=Limits)
    level: Level = Level.PROCESS
    device: DeviceKind = "cpu"
    """What the procedure shall compute on; only a `Device` step among the steps asserts that it can."""
    part_of: str | None = None
    """What the job is a part of, for the progress of the whole; None where it stands for itself."""
    may_fail: bool = False
    """Whether the others go on where its procedure fails; its answers are then empty."""


Run: TypeAlias = Callable[[Sequence[Job]], list[tuple[Answer, ...]]]
"""Runs jobs side by side and gives their answers in order."""


class _Left:
    """What is left of jobs of one name, by what calls of each kind have taken until now: of trainings for each row.

    To start a process counts as a call.
    """

    def __init__(self, jobs: Sequence[Job], workers: int) -> None:
        self._workers = max(1, min(workers, len(jobs)))
        self._jobs = {id(job): Counter[str]({_START: 1}) for job in jobs}
        self._running: set[int] = set()
        self._units: Counter[str] = Counter({_START: len(jobs)})
        self._taken: Counter[str] = Counter()
        self._seconds: dict[str, float] = {}
        self._trainings: set[str] = set()
        for job in jobs:
            for step in job.steps:
                kind, units = kind_of(step), _units(step)
                self._jobs[id(job)][kind] += units
                self._units[kind] += units
                if _trains(step):
                    self._trainings.add(kind)

    def started(self, job: Job, seconds: float) -> None:
        """Take note of a process that has started."""
        self._running.add(id(job))
        self._note(job, _START, 1, seconds)

    def took(self, job: Job, step: Step, seconds: float | None) -> None:
        """Take note of a call that has ended; None for one that was not run."""
        self._note(job, kind_of(step), _units(step), seconds)

    def ended(self, job: Job) -> None:
        """Take note of a job of which nothing is left."""
        self._running.discard(id(job))
        self._units -= self._jobs[id(job)]
        self._jobs[id(job)].clear()

    def _note(self, job: Job, kind: str, units: int, seconds: float | None) -> None:
        self._units[kind] -= units
        self._jobs[id(job)][kind] -= units
        if seconds is not None:
            self._taken[kind] += units
            self._seconds[kind] = self._seconds.get(kind, 0.0) + seconds

    @property
    def seconds(self) -> float | None:
        """Estimate what is left; None before anything has trained that is to train again.

        Of a kind of training that was not seen yet a row takes as long as one of those that were. No job is cut in two: what runs
        takes as long as the longest of them.
        """
        trained = [kind for kind in self._trainings if self._taken[kind]]
        if not trained and any(self._units[kind] for kind in self._trainings):
            return None
        usual = max((self._seconds[kind] / self._taken[kind] for kind in trained), default=0.0)
        each = {kind: self._seconds[kind] / self._taken[kind] for kind in self._units if self._taken[kind]}
        unseen = dict.fromkeys(self._trainings - each.keys(), usual)

        def of(units: Counter[str]) -> float:
            return sum(count * (each | unseen).get(kind, 0.0) for kind, count in units.items())

        return max(of(self._units) / self._workers, *(of(self._jobs[running]) for running in self._running), 0.0)


_START: Final = "start"


def _trains(step: Step) -> bool:
    return any(isinstance(each, Learn | Unlearn | Refit) for each in (step.steps if isinstance(step, Together) else (step,)))


def _units(step: Step) -> int:
    """What the time of a step grows with: rows of trainings, and calls of anything else."""
    match step:
        case Learn(rows=rows) | Unlearn(rows=rows) | Refit(rows=rows):
            return max(1, len(rows))
        case Together(steps=steps):
            return sum(map(_units, steps))
    return 1


class _Run:
    """The shared state of one call of `run`."""

    def __init__(
        self,
        jobs: Sequence[Job],
        on_step: Callable[[str, int, int], None],
        on_left: Callable[[str, float], None],
        kept: Runs | None,
        cluster: Cluster | None,
        workers: int,
    ) -> None:
        self._kept, self._cluster, self._on_left = kept, cluster, on_left
        named: dict[str, list[Job]] = {}
        for job in jobs:
            named.setdefault(job.part_of or job.name, []).append(job)
        self._left = {name: _Left(those, workers) for name, those in named.items()}
        self._steps: Counter[str] = Counter()
        for job in jobs:
            self._steps[job.part_of or job.name] += _calls(job)
        self._done: Counter[str] = Counter()
        self._begun: set[str] = set()
        self.stop = threading.Event()
        self.failure: AuditorError | None = None
        self._on_step = on_step
        self._lock = threading.Lock()
        self._allowance = default_allowance()
        self._idle = threading.Condition()
        self._running = 0

    def one(self, job: Job, occurrence: int) -> tuple[Answer, ...] | None:
        """Run one job; None where it failed or was stopped."""
        with self._idle:
            if self.stop.is_set():
                return None
            self._running += 1
        try:
            return self._answers(job, occurrence)
        except StoppedError:
            return None
        except AuditorError as error:
            if job.may_fail and isinstance(error, ProcedureError):
                self._end(job)
                return ()
            with self._lock:
                if self.failure is None:
                    self.failure = error
            self.stop.set()
            return None
        except BaseException:
            self.stop.set()
            raise
        finally:
            with self._idle:
                self._running -= 1
                self._idle.notify_all()

    def wait_until_idle(self) -> None:
        """Wait until no job runs; after `stop` that is a matter of moments."""
        with self._idle:
            self._idle.wait_for(lambda: self._running == 0)

    def _answers(self, job: Job, occurrence: int) -> tuple[Answer, ...]:
        # Which driver a worker's GPU has is not known here, and a kept run is one of a known driver.
        if self._kept is None or (self._cluster is not None and job.device == "cuda"):
            return self._fresh_answers(job)
        address = self._kept.address(job, occurrence)
        taken = self._kept.take(job, address)
        if taken is not None:
            self._count(job, _calls(job), dict.fromkeys(range(len(job.steps))))
            self._end(job)
            return taken
        checkpoints = self._kept.checkpoints(job, occurrence, address)
        try:
            answers = self._fresh_answers(job, checkpoints)
        except ProcedureError:
            # Where it failed because of one, it would fail for ever.
            if checkpoints is not None:
                checkpoints.remove()
            raise
        self._kept.keep(job, occurrence, address, answers)
        if checkpoints is not None:
            checkpoints.remove()
        return answers

    def _fresh_answers(self, job: Job, checkpoints: Checkpoints | None = None) -> tuple[Answer, ...]:
        if self._cluster is not None:
            found = self._cluster.answers(job, stop=self.stop, begin=lambda: self._begin(job))
            self._count(job, _calls(job), {number: answer.seconds for number, answer in enumerate(found)})
            self._end(job)
            return found
        answers, began = [], time.monotonic()
        self._begin(job)
        with Worker(
            job.spec,
            job.tables,
            limits=job.limits,
            level=job.level,
            stop=self.stop,
            device=job.device,
            allowance=self._allowance,
            checkpoints=checkpoints,
        ) as worker:
            with self._lock:
                self._left[job.part_of or job.name].started(job, time.monotonic() - began)
            for number, step in enumerate(job.steps):
                answers.append(worker.run(step))
                self._count(job, count(step), {number: answers[-1].seconds})
        self._end(job)
        return tuple(answers)

    def _end(self, job: Job) -> None:
        """Take note that nothing is left of a job."""
        with self._lock:
            self._left[job.part_of or job.name].ended(job)

    def _begin(self, job: Job) -> None:
        """Say what runs before its first step ends, which may be hours later."""
        name = job.part_of or job.name
        with self._lock:
            if name not in self._begun:
                self._begun.add(name)
                self._on_step(name, self._done[name], self._steps[name])

    def _count(self, job: Job, steps: int, took: Mapping[int, float | None]) -> None:
        """Count calls as done, with the seconds of each step that has ended by its number; None for one that was not run."""
        name = job.part_of or job.name
        with self._lock:
            self._done[name] += steps
            for number, seconds in took.items():
                self._left[name].took(job, job.steps[number], seconds)
            self._on_step(name, self._done[name], self._steps[name])
            if (left := self._left[name].seconds) is not None:
                self._on_left(name, left)


def _calls(job: Job) -> int:
    return sum(count(step) for step in job.steps)


def _rows(job: Job) -> int:
    """Count the rows that a job trains on, every time: what it takes, as far as anybody knows beforehand."""
    single = [each for step in job.steps for each in (step.steps if isinstance(step, Together) else (step,))]
    return sum(len(step.rows) for step in single if isinstance(step, Learn | Unlearn | Refit))


def _longest_first(jobs: Sequence[Job]) -> list[int]:
    """Order jobs so that no long one is left to run alone at the end; those of one length as they are."""
    return sorted(range(len(jobs)), key=lambda number: -_rows(jobs[number]))


def _occurrences(jobs: Sequence[Job]) -> list[int]:
    """For each job, how many of the same name went before it."""
    seen: Counter[str] = Counter()
    numbers = []
    for job in jobs:
        numbers.append(seen[job.name])
        seen[job.name] += 1
    return numbers


def run(
    jobs: Sequence[Job],
    *,
    workers: int,
    on_step: Callable[[str, int, int], None],
    on_left: Callable[[str, float], None] = lambda _name, _seconds: None,
    kept: Runs | None = None,
    on_modules: Callable[[bytes], None] | None = None,
    cluster: Cluster | None = None,
) -> list[tuple[Answer, ...]]:
    """Run every job, at most `workers` at a time.

    Args:
        jobs: What to run.
        workers: How many processes may run side by side, at least 1.
        on_step: Called before the first step and after each with the name of the job, or of what it is a part of, how many
            steps are done and how many there are; by one thread at a time, not always the same.
        on_left: Called after each step with the name and the seconds that are left, once that can be told.
        kept: Where finished jobs are kept, and taken from; None to run every job and keep none. Jobs of one name are told
            apart by their order.
        on_modules: Called for each job with the files of code that its process had loaded in the end, as `sandbox.modules` reads
            them; None to ask for none.
        cluster: Whose workers start the processes; None to start them on this machine.

    Returns:
        For each job, in order, the answers to its steps, in order; none of one that failed and may.

    Raises:
        ProcedureError: The first failure of a procedure; no further job was started and the running ones were killed.
        SandboxError: If a sandbox could not be set up or torn down.
        ValueError: If `workers` is less than 1, or a step names what does not exist.
    """
    if workers < 1:
        raise ValueError(f"workers: expected at least 1, found {workers}")
    asked = jobs if on_modules is None else [replace(job, steps=(*job.steps, Modules())) for job in jobs]
    state = _Run(asked, on_step, on_left, kept, cluster, workers)
    with warnings.catch_warnings():
        # Where the machine has no semaphores (no writable /dev/shm), joblib warns that it runs jobs one after another. It may.
        warnings.filterwarnings("ignore", message=r".*joblib will operate in serial mode")
        from joblib import Parallel, delayed  # noqa: PLC0415 - a search of places runs no job
    try:
        # Threads: each only waits for its own process. One task at a time, so that none is queued behind a failure.
        order, occurrences = _longest_first(asked), _occurrences(asked)
        finished_in_turn = Parallel(n_jobs=workers, backend="threading", batch_size=1, pre_dispatch="n_jobs")(
            delayed(state.one)(asked[number], occurrences[number]) for number in order
        )
    except BaseException:
        # An interruption reaches this thread alone; joblib leaves its threads to themselves.
        state.stop.set()
        state.wait_until_idle()
        raise
    if state.failure is not None:
        raise state.failure
    outcomes = dict(zip(order, finished_in_turn, strict=True))
    finished = [answers for number in range(len(asked)) if (answers := outcomes[number]) is not None]
    if on_modules is None:
        return finished
    for answers in filter(None, finished):
        if (content := answers[-1].content) is not None:
            on_modules(content)
    return [answers[:-1] for answers in finished]
