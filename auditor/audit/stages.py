"""Stages of a run: parts bring them, and the core works out their order, runs what they ask for, and notes what they see.

A stage says which checks it is run for, what it goes on after, and what it hands to others. All stages are planned, what can run
from the start runs side by side, and then stage by stage goes on: what earlier ones found decides what is run next. First come
the replay of the log and the clean rooms that the release is compared with, then what these left open. Stages of foreign parts
come last: they read what the others saw, and change nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from graphlib import CycleError, TopologicalSorter
from inspect import getattr_static
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

from auditor.audit.forecast import Ahead, Forecast, Obstacle
from auditor.audit.replay import Looking, Replay, Replaying
from auditor.audit.run_options import RunOptions
from auditor.base.domain import Message, Positions
from auditor.base.errors import AuditorError, ProcedureError, SandboxError
from auditor.base.foreign_parts import PerParts, fault_of, foreign_modules
from auditor.base.parts import modules
from auditor.case import Case
from auditor.sandbox import Answer, Level
from auditor.sandbox.jobs import Job
from auditor.verdict.checks import brought_by, definitions, with_role
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.differences import Foretold
from auditor.verdict.checks.finding import Finding, Values, skipped
from auditor.verdict.judgement import judge_one

_Given = TypeVar("_Given")
_OWN_ALONE: Final = ("prepare", "foresee", "unplanned", "refutable", "rehearse")
"""Methods that no stage of a foreign part has: a replay, a plan and what an audit can refute are of others' checks too."""

Needed: TypeAlias = Role | type[Any]
"""What a stage goes on after: all that are run for checks of a role, or all that hand over values of a type."""


class Subject(StrEnum):
    """What a stage examines; a case has one of the first two, and may have the third."""

    MODEL = "model"
    """A procedure that learns and is run again."""
    ANSWERS = "answers"
    """Answers that the controller wrote down."""
    PROGRAM = "program"
    """A whole program that keeps what it is given."""


@dataclass(slots=True, eq=False)
class Run:
    """One run of a case: what its stages share, and what was seen so far."""

    case: Case
    context: Context
    """The same as declared."""
    how: RunOptions
    seen: dict[str, Values] = field(default_factory=dict)
    """By check id."""
    looking: Looking | None = None
    """How the replay's models are examined; None where the release is not compared with clean rooms."""
    around: tuple[Positions | None, ...] = ()
    """For each batch the training rows that the models before and after it are asked about; empty to ask none."""
    replaying: Replaying | None = None
    """The replay as planned; None where no check asks for one."""
    replay: Replay | None = None
    """What it showed; once clean rooms have been entered, with the model trained there as the retrained one."""
    _handed: dict[type[Any], object] = field(default_factory=dict)

    def hand(self, value: object | None) -> None:
        """Hand a value to later stages, which ask for it by its type; None hands nothing."""
        if value is not None:
            self._handed[type(value)] = value

    def handed(self, kind: type[_Given]) -> _Given | None:
        """Take what an earlier stage handed over; None where it handed nothing of that type."""
        value = self._handed.get(kind)
        return value if isinstance(value, kind) else None

    def aside(self) -> Run:
        """Give a run of its own to a stage of a foreign part: what is noted in it reaches no other stage."""
        return replace(self, seen=dict(self.seen), _handed=dict(self._handed))

    def compared(self) -> Mapping[str, Finding]:
        """Judge the comparison with clean rooms, as far as it has been seen, by check id."""
        ids = with_role(Role.EXACT, self.context.version)
        if self.looking is None:
            return {check_id: skipped(Message("left-out")) for check_id in ids}
        return {check_id: self._judged(check_id) for check_id in ids}

    def _judged(self, check_id: str) -> Finding:
        definition, seen = definitions()[check_id], self.seen
        before = {
            needed: judge_one(definitions()[needed], self.context, seen.get(needed), {}) for needed in definition.card.needs
        }
        return judge_one(definition, self.context, seen.get(check_id), before)


class Stage:
    """Runs that serve the same checks: planned before anything has run, and gone on with once it is their turn.

    Attributes:
        run: What all stages of a run share.
    """

    subject: ClassVar[Subject] = Subject.MODEL
    checks: ClassVar[tuple[str, ...]] = ()
    """Ids of the checks that it is run for."""
    after: ClassVar[tuple[Needed, ...]] = (Role.EXACT,)
    """What it goes on after: clean rooms, if nothing else is said, for they give the retrained model."""
    hands: ClassVar[tuple[type[Any], ...]] = ()
    """Types of what it may hand to others."""

    def __init__(self, run: Run) -> None:
        """Keep the run."""
        self.run = run

    def prepare(self) -> None:
        """Note in the run what its replay has to show for this stage: `looking`, `around`."""

    def plan(self) -> tuple[Job, ...]:
        """Plan what can run from the start, side by side with the replay and other stages."""
        return ()

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Run what is left to run, and say what was seen, by check id.

        Args:
            answers: To the jobs of `plan`.

        Raises:
            NoDeviceError: If a run did not use the CUDA device that was found.
            ProcedureError: If what is audited failed.
            SandboxError: If the sandbox did.
        """
        raise NotImplementedError

    def foresee(self, forecast: Forecast, jobs: Sequence[Job]) -> Iterator[Ahead]:
        """Give the rows of what it will run; those of its own jobs if nothing else is said.

        Args:
            forecast: What to estimate with.
            jobs: Those of `plan`.
        """
        for name, those in by_name(jobs).items():
            yield forecast.of_jobs(name, those, self.checks)

    @classmethod
    def unplanned(cls, case: Case, context: Context) -> Iterable[str]:
        """List the checks for which something runs that no row of the plan holds."""
        del case, context
        return ()

    @classmethod
    def refutable(cls, context: Context, asked: tuple[str, ...]) -> Foretold | None:
        """Say what its runs can refute at best, from what is declared alone; None where nothing can be said.

        Args:
            context: What is declared.
            asked: Ids of the checks that apply and are asked for.
        """
        del context, asked
        return None

    @classmethod
    def rehearse(cls, case: Case, level: Level, on_step: Callable[[str, int, int], None]) -> tuple[Obstacle, ...]:
        """Try what it runs on as little as can be, and say what would end an audit.

        Raises:
            SandboxError: If the sandbox cannot be set up.
        """
        del case, level, on_step
        return ()


class Measuring(Stage):
    """A stage that runs nothing of its own: it measures what the replay showed."""

    def observe(self, answers: Sequence[tuple[Answer, ...]]) -> Mapping[str, Values]:
        """Measure the replay, where there is one."""
        del answers
        return {} if self.run.replay is None else self.measure(self.run.replay)

    def measure(self, replay: Replay) -> Mapping[str, Values]:
        """Say what a replay shows, by check id."""
        raise NotImplementedError


def by_name(jobs: Iterable[Job]) -> dict[str, list[Job]]:
    """Sort jobs by what progress shows them as."""
    found: dict[str, list[Job]] = {}
    for job in jobs:
        found.setdefault(job.part_of or job.name, []).append(job)
    return found


def listed(subject: Subject | None = None) -> tuple[type[Stage], ...]:
    """List the stages that parts bring, each after those that it waits for, and otherwise in the order of its checks.

    Those of foreign parts in force come after all others.

    Args:
        subject: Of these; None for all.

    Raises:
        ValueError: If stages wait for one another.
        PartError: If a foreign part brings one that none may bring.
    """
    known = definitions()
    found = [stage for module in modules("stages") for stage in module.STAGES if subject in {None, stage.subject}]
    found.sort(key=lambda stage: min(known[check_id].card.place for check_id in stage.checks))
    return (*in_order(found), *(stage for stage in foreign() if subject in {None, stage.subject}))


@PerParts
def foreign() -> tuple[type[Stage], ...]:
    """List the stages of foreign parts in force, part by part.

    Raises:
        PartError: If one is run for a check that its part does not bring, hands something to others, or changes what they do.
    """
    found: list[type[Stage]] = []
    for part, module in foreign_modules("stages"):
        for stage in module.STAGES:
            if not (isinstance(stage, type) and issubclass(stage, Stage)):
                raise fault_of(part, f"brings the stage {stage!r:.60}, which is no class of Stage")
            others = [check_id for check_id in stage.checks if brought_by(check_id) != part]
            changed = [name for name in _OWN_ALONE if getattr_static(stage, name) is not vars(Stage)[name]]
            if others or not stage.checks:
                named = f"for {others[0]}, which is no check of its own" if others else "for no check"
                raise fault_of(part, f"observes {named}")
            if stage.hands or changed:
                what = f"has a method {changed[0]}" if changed else "hands values to other stages"
                raise fault_of(part, f"brings the stage {stage.__qualname__}, which {what}: it may read what others saw")
            found.append(stage)
    return tuple(found)


def in_order(stages: Sequence[type[Stage]]) -> tuple[type[Stage], ...]:
    """Put stages in order: each after those that it waits for, and otherwise as they are listed.

    Raises:
        ValueError: If stages wait for one another.
    """
    waits = {stage: [each for each in stages if each is not stage and _waits(stage, each)] for stage in stages}
    try:
        TopologicalSorter(waits).prepare()
    except CycleError as error:
        names = " -> ".join(each.__qualname__ for each in error.args[1])
        raise ValueError(f"stages wait for one another: {names}") from error
    ordered: dict[type[Stage], None] = {}

    def put(stage: type[Stage]) -> None:
        for each in waits[stage]:
            put(each)
        ordered[stage] = None

    for stage in stages:
        put(stage)
    return tuple(ordered)


def _waits(stage: type[Stage], other: type[Stage]) -> bool:
    """Whether a stage goes on only after another one."""
    for needed in stage.after:
        if isinstance(needed, Role):
            if not set(with_role(needed)).isdisjoint(other.checks):
                return True
        elif needed in other.hands:
            return True
    return False


class Stages:
    """The stages of one run that examine one subject.

    Attributes:
        run: What they share.
        replay: The jobs of the replay.
        planned: Each stage with its own jobs.
    """

    def __init__(self, run: Run, subject: Subject) -> None:
        """Plan the replay, where something asks for it, and every stage.

        Raises:
            InputError: If the log leaves nothing to learn from.
        """
        self.run, how = run, run.how
        self._foreign = frozenset(foreign())
        wanted = (each for each in listed(subject) if each not in self._foreign or how.wants(each.checks))
        stages = [stage(run.aside() if stage in self._foreign else run) for stage in wanted]
        for stage in stages:
            stage.prepare()
        if subject is Subject.MODEL and how.wants(each for each, known in definitions().items() if known.replays):
            run.replaying = Replaying(
                run.case, seed=how.seed, level=how.level, where=how.where, looking=run.looking, around=run.around
            )
        self.replay = () if run.replaying is None else run.replaying.jobs
        self.planned = tuple((stage, stage.plan()) for stage in stages)

    @property
    def jobs(self) -> tuple[Job, ...]:
        """Everything that can run side by side from the start."""
        return (*self.replay, *(job for _, jobs in self.planned for job in jobs))

    def observe(self) -> None:
        """Run everything, and note in the run what was seen, as soon as it is.

        Raises:
            ValueError: If a stage observed something for a check that it is not run for.
            ProcedureError: If what is audited failed.
            SandboxError: If the sandbox did.
        """
        run = self.run
        answers = iter(run.how.run(self.jobs) if self.jobs else ())
        replayed = [next(answers) for _ in self.replay]
        theirs = [[next(answers) for _ in jobs] for _, jobs in self.planned]
        if run.replaying is not None:
            run.replay = run.replaying.read(replayed)
        for (stage, _), given in zip(self.planned, theirs, strict=True):
            if type(stage) in self._foreign:
                stage.run = run.aside()
            found = stage.observe(given)
            if strange := found.keys() - set(stage.checks):
                raise ValueError(
                    f"{type(stage).__qualname__} is not run for {', '.join(sorted(strange))}, and observed values for it"
                )
            run.seen |= found


def observe(case: Case, context: Context, how: RunOptions) -> tuple[Mapping[str, Values], AuditorError | None]:
    """Plan, run, and read what is wanted of everything that a case has.

    Returns:
        What was seen by check id, and the error of what failed first. Where a learning procedure fails nothing counts that was
        seen of it; of a whole program counts what was seen before.

    Raises:
        InputError: If the log leaves nothing to learn from.
    """
    seen: dict[str, Values] = {}
    if case.answers is not None:
        run = Run(case, context, how)
        Stages(run, Subject.ANSWERS).observe()
        return run.seen, None
    failures: list[AuditorError] = []
    if context.learns:
        learned = Run(case, context, how)
        try:
            Stages(learned, Subject.MODEL).observe()
            seen |= learned.seen
        except (ProcedureError, SandboxError) as error:
            failures.append(error)
    if case.settings.controller is not None:
        try:
            Stages(Run(case, context, how, seen), Subject.PROGRAM).observe()
        except (ProcedureError, SandboxError) as error:
            failures.append(error)
    return seen, next(iter(failures), None)
