"""Stages of a run: parts bring them, and the core works out their order, runs what they ask for, and notes what they see.

A stage says which checks it is run for, what it goes on after, and what it hands to others. All stages are planned, what can run
from the start runs side by side, and then stage by stage goes on: what earlier ones found decides what is run next. First come
the replay of the log and the clean rooms that the release is compared with, then what these left open. Stages of foreign parts
come last: they read what the others saw, and change nothing of it.

Where somebody waits for a first answer, the replay and the stages whose checks are `first` run before anything else, and are
handed over as a `FirstStage`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from graphlib import CycleError, TopologicalSorter
from inspect import getattr_static
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

from auditor.audit.forecast import Ahead, Forecast, Pace, Rehearsed, Room, pace_of
from auditor.audit.replay import Looking, Replay, Replaying, specification
from auditor.audit.run_options import FirstStage, RunOptions
from auditor.base.domain import Message
from auditor.base.errors import AuditorError, ProcedureError, SandboxError
from auditor.base.foreign_parts import PerParts, fault_of, foreign_modules
from auditor.base.parts import modules
from auditor.base.records import Positions
from auditor.case import Case
from auditor.maths import special
from auditor.sandbox import Answer, Level
from auditor.sandbox.jobs import Job
from auditor.sandbox.runs import keeps
from auditor.verdict.checks import brought_by, definitions, with_role
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.differences import Foretold
from auditor.verdict.checks.finding import Finding, Values, skipped
from auditor.verdict.judgement import NOT_YET, applicable, concerns, judge_one

_Given = TypeVar("_Given")
_OWN_ALONE: Final = ("prepare", "foresee", "is_ready", "rest", "foresee_rest", "is_open", "unplanned", "refutable", "rehearse")
"""Methods that no stage of a foreign part has: a replay, a plan and what an audit can refute are of others' checks too."""

Needed: TypeAlias = Role | type[Any]
"""What a stage goes on after: all that are run for checks of a role, or all that hand over values of a type."""


class Subject(StrEnum):
    """What a stage examines; a case has one of the first two, and may have the third, or has the last alone."""

    MODEL = "model"
    """A procedure that learns and is run again."""
    ANSWERS = "answers"
    """Answers that the controller wrote down."""
    PROGRAM = "program"
    """A whole program that keeps what it is given."""
    PLACES = "places"
    """Places that are searched."""


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
    failure: AuditorError | None = None
    """What failed, where the rest of what was seen counts all the same."""
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
        unseen = skipped(Message("left-out"))
        return {
            check_id: unseen if self.looking is None or check_id not in self.seen else self._judged(check_id) for check_id in ids
        }

    def _judged(self, check_id: str) -> Finding:
        definition, seen = definitions()[check_id], self.seen
        before = {
            # In the first stage of an audit what it needs may be still to run.
            needed: NOT_YET
            if needed not in seen and definitions()[needed].runs
            else judge_one(definitions()[needed], self.context, seen.get(needed), {})
            for needed in definition.card.needs
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

    def load_ahead(self) -> None:
        """Have a process load what it will be asked for, as everything begins to run: it loads meanwhile."""

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

    def is_ready(self) -> bool:
        """Whether it can go on in the first stage: what it reads of others may have been left for after it."""
        return True

    def rest(self) -> Mapping[str, Values]:
        """Run what it left for after the first stage, in which it went on already, and say what was seen."""
        return {}

    def foresee_rest(self, forecast: Forecast) -> Iterator[Ahead]:
        """Give the rows of what it left for after the first stage."""
        del forecast
        return iter(())

    def is_open(self) -> bool:
        """Whether anything is left to run for it, once the clean rooms have been entered."""
        return self.run.how.wants(self.checks)

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
    def rehearse(cls, case: Case, level: Level, on_step: Callable[[str, int, int], None]) -> Rehearsed:
        """Try what it runs on as little as can be, say what would end an audit, and time it.

        Raises:
            SandboxError: If the sandbox cannot be set up.
        """
        del case, level, on_step
        return Rehearsed()


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
    if subject is not Subject.PLACES:
        special.load()
    known, brought = definitions(), modules("stages", examining=subject)
    found = [stage for module in brought for stage in module.STAGES if subject in {None, stage.subject}]
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


Planned: TypeAlias = Sequence[tuple[Stage, tuple[Job, ...]]]
"""Stages with their own jobs."""


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
        self.run, how, self._subject = run, run.how, subject
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

    def observe(self) -> bool:
        """Run everything, and note in the run what was seen, as soon as it is.

        Returns:
            Whether everything was run: not where the one who took the first stage wants no more.

        Raises:
            ValueError: If a stage observed something for a check that it is not run for.
            ProcedureError: If what is audited failed.
            SandboxError: If the sandbox did.
        """
        for stage, _ in self.planned:
            stage.load_ahead()
        take, subject = self.run.how.at_first, self._subject
        if take is None or subject is not Subject.MODEL:
            self._go(self.replay, self.planned)
            return True
        began, early = time.monotonic(), self._early()
        pace, waiting = self._go(self.replay, tuple(each for each in self.planned if each[0] in early), first=True)
        gone = [stage for stage, _ in self.planned if stage in early and stage not in waiting]
        later = tuple(each for each in self.planned if each[0] not in gone)
        if not take(self._first(later, gone, pace, time.monotonic() - began)):
            return False
        for stage in gone:
            self._note(stage, stage.rest())
        self._go((), later)
        return True

    def _go(self, replay: Sequence[Job], planned: Planned, *, first: bool = False) -> tuple[Pace | None, list[Stage]]:
        """Run jobs and stages in their order; the pace that the replay showed, and the stages that the first one has to leave."""
        run, began = self.run, time.monotonic()
        jobs = (*replay, *(job for _, jobs in planned for job in jobs))
        answers = iter(run.how.run(jobs) if jobs else ())
        took = time.monotonic() - began
        replayed = [next(answers) for _ in replay]
        theirs = [[next(answers) for _ in jobs] for _, jobs in planned]
        if run.replaying is not None and replayed:
            run.replay = run.replaying.read(replayed)
        waiting: list[Stage] = []
        for (stage, _), given in zip(planned, theirs, strict=True):
            if type(stage) in self._foreign:
                stage.run = run.aside()
            if first and not stage.is_ready():
                waiting.append(stage)
            else:
                self._note(stage, stage.observe(given))
        stacks = run.case.settings.procedure.trains_together
        return (pace_of(replayed, took, records=len(run.case.train), stacks=stacks) if replayed else None), waiting

    def _note(self, stage: Stage, found: Mapping[str, Values]) -> None:
        if strange := found.keys() - set(stage.checks):
            raise ValueError(
                f"{type(stage).__qualname__} is not run for {', '.join(sorted(strange))}, and observed values for it"
            )
        self.run.seen |= found

    def _early(self) -> frozenset[Stage]:
        """The stages whose checks are all of the first one, and that wait for no other."""
        known, context = definitions(), self.run.context
        early: list[Stage] = []
        for stage, _ in self.planned:
            before = (other for other, _ in self.planned if other is not stage and _waits(type(stage), type(other)))
            first = type(stage) not in self._foreign and all(known[check_id].first(context) for check_id in stage.checks)
            if first and all(other in early for other in before):
                early.append(stage)
        return frozenset(early)

    def _first(self, later: Planned, gone: Sequence[Stage], pace: Pace | None, took: float) -> FirstStage:
        """What was seen, and what is still to come at the pace of the replay."""
        run, case = self.run, self.run.case
        left = [(stage, jobs) for stage, jobs in later if type(stage) not in self._foreign and stage.is_open()]
        rows: tuple[Ahead, ...] = ()
        if pace is not None:
            forecast = Forecast(
                pace=pace,
                room=Room.unmeasured(),
                workers=run.how.workers,
                records=len(case.train),
                keeps=keeps(specification(case), run.how.level),
                asked=in_question(run.context, run.how.only),
            )
            foreseen = [row for stage in gone for row in stage.foresee_rest(forecast)]
            foreseen += [row for stage, jobs in left for row in stage.foresee(forecast, jobs)]
            rows = tuple(row for row in foreseen if row.counted and not (row.if_rejected or row.if_revealed or row.too_long))
        unmeasured = {check_id for stage, _ in left for check_id in stage.unplanned(case, run.context)}
        return FirstStage(dict(run.seen), rows, tuple(each for each in definitions() if each in unmeasured), took)


def in_question(context: Context, only: tuple[str, ...] | None) -> tuple[str, ...]:
    """List the checks of an audit that apply to a case, as far as that is known before anything has run."""
    found = []
    for check_id, definition in definitions().items():
        wanted = (only is None or check_id in only) and concerns(definition.card, context)
        before = {needed: skipped(Message("left-out")) for needed in definition.card.needs}
        if wanted and applicable(definition, context) and definition.applies(context, before) is None:
            found.append(check_id)
    return tuple(found)


def observe(case: Case, context: Context, how: RunOptions) -> tuple[Mapping[str, Values], AuditorError | None]:
    """Plan, run, and read what is wanted of everything that a case has.

    Returns:
        What was seen by check id, and the error of what failed first. Where a learning procedure fails nothing counts that was
        seen of it; of a whole program counts what was seen before.

    Raises:
        InputError: If the log leaves nothing to learn from.
    """
    seen: dict[str, Values] = {}
    if case.answers is not None or case.places:
        run = Run(case, context, how)
        Stages(run, Subject.ANSWERS if case.answers is not None else Subject.PLACES).observe()
        return run.seen, run.failure
    failures: list[AuditorError] = []
    if context.learns:
        learned = Run(case, context, how)
        try:
            whole = Stages(learned, Subject.MODEL).observe()
            seen |= learned.seen
            if not whole:
                return seen, None
        except (ProcedureError, SandboxError) as error:
            failures.append(error)
    if case.settings.controller is not None:
        try:
            Stages(Run(case, context, how, seen), Subject.PROGRAM).observe()
        except (ProcedureError, SandboxError) as error:
            failures.append(error)
    return seen, next(iter(failures), None)
