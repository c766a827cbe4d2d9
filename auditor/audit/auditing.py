"""From a Case to one Evidence document: run what the checks need, observe, and have the whole document concluded.

Case ──> runs in the sandbox ──> observations ──> assembly.conclude ──> Evidence
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from auditor import __version__, attacks
from auditor.audit.describing import environment, having_imported, sections, stamp, with_row_marks
from auditor.audit.devices import Place, on_cpu, settle
from auditor.audit.forecast import Ahead
from auditor.audit.loaded_packages import Loaded
from auditor.audit.replay import specification
from auditor.audit.run_options import SECOND_STAGE_S, FirstStage, RunOptions
from auditor.audit.stages import observe
from auditor.audit.told_log import ToldLog, told_today
from auditor.base import extras, processors
from auditor.base.domain import Verdict
from auditor.base.errors import AuditorError, ProcedureError, SandboxError, UsageError
from auditor.case import Case
from auditor.document.context import Audit, Budget
from auditor.document.evidence import Evidence
from auditor.sandbox import Answer, Level, available, gate
from auditor.sandbox.jobs import run
from auditor.sandbox.runs import Runs
from auditor.verdict.assembly import conclude
from auditor.verdict.checks import definitions
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Values
from auditor.verdict.sections import Sections

if TYPE_CHECKING:
    from auditor.sandbox.cluster import Cluster


@dataclass(frozen=True, slots=True)
class First:
    """The first answer of an audit, and what is still to run."""

    evidence: Evidence
    ahead: tuple[Ahead, ...]
    """What will run for certain, at the pace of the replay."""
    unmeasured: tuple[str, ...]
    """Checks for which something will run that no row holds."""
    seconds: float
    """That the first stage took."""

    @property
    def to_come(self) -> float:
        """Add up the seconds of what will run."""
        return sum(each.seconds for each in self.ahead)

    @property
    def costs_much(self) -> bool:
        """Whether what is still to run takes more than ten times what the first stage did."""
        return self.to_come > _MUCH * self.seconds


_MUCH: Final = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to run an audit."""

    seed: int = 0
    """The auditor's own seed."""
    quick: bool = False
    only: tuple[str, ...] | None = None
    """Ids of the checks to run; None for all."""
    budget: Budget | None = None
    """What the case's sizes and `only` were fitted to; None where no time was given. It says so, and changes nothing."""
    second_stage_s: float = SECOND_STAGE_S
    """The seconds that a second stage may take: 0 where a time given has no room for it, without limit where it has."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    workers: int = 1
    """Runs at a time on this machine."""
    cluster: Cluster | None = None
    """Whose workers run the procedure; None for this machine."""
    first: bool = False
    """Whether to end after the first stage, once the log is replayed and clean rooms have been entered."""
    on_first: Callable[[First], object] | None = None
    """Takes the first stage, and the audit goes on unless it ends there; None to run everything side by side."""
    on_step: Callable[[str, int, int], None] = lambda _name, _done, _total: None
    """Called with the run's name, the steps done and the steps in all."""
    on_left: Callable[[str, float], None] = lambda _name, _seconds: None
    """Called after each step of a run with its name and the seconds that are left of it, once that can be told."""
    runs: Path | str | None = None
    """The folder that finished runs are kept in and taken from, or an address that fsspec reaches; None to keep none."""
    fresh: bool = False
    """Take no run that is kept."""
    on_notice: Callable[[str], None] = lambda _sentence: None
    """Called for kept runs that could not be trusted, and for runs that could not be kept."""

    def run(self, kept: Runs | None, *, workers: int | None = None) -> Callable[..., list[tuple[Answer, ...]]]:
        """Run jobs where and as it is asked for; `workers` at a time, or as many as there is room for."""
        room = self.workers if self.cluster is None else self.cluster.seats
        return partial(run, workers=workers or room, on_step=self.on_step, on_left=self.on_left, kept=kept, cluster=self.cluster)

    def wants_a_rerun(self) -> bool:
        """Whether any check is wanted that the procedure has to run for."""
        return self.only is None or any(definitions()[check_id].runs for check_id in self.only)


def every_core() -> int:
    """Count the cores that this process may use: as many runs side by side keep them all busy."""
    return processors.count()


def ids_in(only: str | Sequence[str] | None) -> tuple[str, ...] | None:
    """List the ids of checks in a text with commas or in a sequence, each once; None stays None."""
    parts = only.split(",") if isinstance(only, str) else only
    return None if parts is None else tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


@dataclass(frozen=True, slots=True)
class Outcome:
    """An audit's evidence, and, if the procedure or its sandbox failed, the error for the terminal."""

    evidence: Evidence
    failure: AuditorError | None
    taken: tuple[str, ...] = ()
    """The names of the runs that an earlier audit had finished."""


def audit(case: Case, options: Options) -> Outcome:
    """Audit a case.

    A procedure that crashes or hangs, or a sandbox too weak for it, gives evidence too: its checks have status error
    and the exit code is 4, unless a required check failed without it.

    Raises:
        UsageError: If `--only` names an unknown check, the device cannot be had, or an extra that the procedure needs is missing.
        InputError: If the log leaves nothing to learn from.
    """
    refuse(case, options)
    options = replace(options, on_step=onward(options.on_step))
    level, place = settled(case, options)
    kept = None if options.runs is None else Runs(options.runs, notice=options.on_notice, fresh=options.fresh)
    case, place = with_model(case, options, level, place, kept)
    started = stamp()
    declared = with_row_marks(declare(case, options, level, place, started), case)
    loaded = Loaded()
    ran = options.wants_a_rerun() and isinstance(place, Place)

    def concluded(seen: Mapping[str, Values], failure: AuditorError | None, *, first: bool) -> Evidence:
        imported = (
            loaded.named((case.code, case.requester_code, case.controller_code, *case.controller_parts))
            if ran and failure is None
            else None
        )
        environment = declared.environment if imported is None else having_imported(declared.environment, imported)
        return conclude(replace(declared, audit=_facts(options, started, failure, first=first), environment=environment), seen)

    early: list[tuple[FirstStage, Evidence]] = []

    def at_first(stage: FirstStage) -> bool:
        evidence = concluded(stage.seen, None, first=True)
        early.append((stage, evidence))
        if options.on_first is not None:
            options.on_first(First(evidence, stage.ahead, stage.unmeasured, stage.seconds))
        return not options.first

    staged = at_first if options.first or options.on_first is not None else None
    observed, failure = _observed(case, declared.context, options, level, place, kept, loaded, staged)
    for stage, evidence in early:
        if options.first:
            return Outcome(evidence, None, () if kept is None else kept.taken)
        if failure is not None and evidence.verdict is Verdict.FAIL:
            # What is refuted stays refuted, and no procedure escapes that by failing later.
            observed = {**stage.seen, **observed}
    return Outcome(concluded(observed, failure, first=options.first), failure, () if kept is None else kept.taken)


def onward(on_step: Callable[[str, int, int], None]) -> Callable[[str, int, int], None]:
    """Have runs of one name counted on: what runs under it later adds to what was done, and no count goes back."""
    lock = threading.Lock()
    before: dict[str, int] = {}
    last: dict[str, tuple[int, int]] = {}

    def counted(name: str, done: int, total: int) -> None:
        with lock:
            was, whole = last.get(name, (0, 0))
            if done < was:
                before[name] = before.get(name, 0) + whole
            last[name] = (done, total)
            start = before.get(name, 0)
            on_step(name, start + done, start + total)

    return counted


def declare(
    case: Case, options: Options, level: Level, place: Place | AuditorError, started: datetime, log: ToldLog | None = None
) -> Sections:
    """Describe a case, its log, and where it would be audited, before anything of it has run.

    Args:
        case: The case.
        options: Of the audit.
        level: How strongly the procedure is contained.
        place: Where it runs, or why nothing can.
        started: When the audit began.
        log: What the log says today; None to read it.
    """
    told = told_today(case) if log is None else log
    where = environment(level, place if isinstance(place, Place) else None)
    return sections(case, audit=_facts(options, started, None), environment=where, log=told)


def _facts(options: Options, started: datetime, failure: AuditorError | None, *, first: bool = False) -> Audit:
    return Audit(
        id="",
        started_at=started,
        # A clock that is set back meanwhile would let an audit end before it began.
        finished_at=max(started, stamp()),
        auditor_version=__version__,
        seed=str(options.seed),
        quick=options.quick,
        only=options.only,
        budget=options.budget,
        stage="first" if first else None,
        failure=None if failure is None else str(failure),
        exit_code=0,
    )


def refuse(case: Case, options: Options) -> None:
    """Refuse what cannot be audited as it is asked for.

    Raises:
        UsageError: As `audit` does.
    """
    unknown = [check_id for check_id in options.only or () if check_id not in definitions()]
    if unknown:
        raise UsageError(f"--only: there is no check named {', '.join(unknown)}; the checks are {', '.join(definitions())}")
    if options.first and not (case.settings.procedure.reruns and case.settings.procedure.learns and options.wants_a_rerun()):
        raise UsageError("--first: nothing of this audit is replayed, so that it has no first stage; leave --first out")
    attacks.refuse_unknown(case.settings.swap.attacks or ())
    procedure = case.settings.procedure
    if procedure.extra is not None and options.wants_a_rerun():
        extras.require(procedure.extra, f'the procedure "{procedure.built_in}" of this case')
    if options.device == "cuda" and not procedure.learns:
        raise UsageError("nothing of this case computes on a GPU: it has no learning procedure; run with --device auto")
    if options.device == "cuda" and not procedure.may_use_gpu:
        raise UsageError(
            f'the procedure "{procedure.built_in}" computes on the CPU and would not use a GPU; run with --device auto'
        )


def settled(case: Case, options: Options) -> tuple[Level, Place | AuditorError]:
    """Settle the barriers that the procedure runs behind and what it computes on, or say why it cannot run."""
    if not case.settings.procedure.reruns:
        return available(), on_cpu()
    requester = case.settings.requester
    controller = case.settings.controller
    foreign = case.settings.procedure.foreign or any(each is not None and each.foreign for each in (requester, controller))
    # So does a function that embeds, though nothing learns.
    foreign = foreign or (bool(case.places) and case.code is not None)
    # What PyTorch reads of such a file is as hostile as code.
    foreign = foreign or (case.model_file is not None and case.model_file.pickled)
    found, where = _weakest(options)
    try:
        level, _ = gate(foreign=foreign, isolation=case.settings.sandbox.isolation, available=found)
    except SandboxError as error:
        return found, error if where is None else SandboxError(f"on {where}: {error}")
    if not options.wants_a_rerun() or not case.settings.procedure.learns:
        return level, on_cpu()
    try:
        return level, settle(case, specification(case), wanted=options.device, level=level, notice=options.on_notice)
    except (ProcedureError, SandboxError) as error:
        return level, error


def _weakest(options: Options) -> tuple[Level, str | None]:
    """The weakest barriers of all machines that run anything, and the host that has them where it is not this one."""
    here = available()
    if options.cluster is None:
        return here, None
    there, host = options.cluster.weakest
    return (there, host) if there < here else (here, None)


def with_model(
    case: Case, options: Options, level: Level, place: Place | AuditorError, kept: Runs | None
) -> tuple[Case, Place | AuditorError]:
    """Put the tensors of a case's model file in order, or say why nobody can tell which order that is."""
    if isinstance(place, AuditorError) or case.model_file is None or not options.wants_a_rerun() or case.answers is not None:
        return case, place
    from auditor.audit import model_layout  # noqa: PLC0415 - many a case has no model file

    try:
        return model_layout.settle(case, run=options.run(kept, workers=1), level=level), place
    except (ProcedureError, SandboxError) as error:
        return case, error


def _observed(
    case: Case,
    context: Context,
    options: Options,
    level: Level,
    place: Place | AuditorError,
    kept: Runs | None,
    loaded: Loaded,
    at_first: Callable[[FirstStage], bool] | None,
) -> tuple[Mapping[str, Values], AuditorError | None]:
    """What the run saw, and the error of a procedure that failed; its own output stays on the terminal, it may hold records."""
    if not options.wants_a_rerun():
        return {}, None
    if isinstance(place, AuditorError):
        return {}, place
    how = RunOptions(
        seed=options.seed,
        quick=options.quick,
        only=options.only,
        workers=options.workers if options.cluster is None else options.cluster.seats,
        level=level,
        where=place,
        run=partial(options.run(kept), on_modules=loaded.add),
        on_step=options.on_step,
        on_modules=loaded.add,
        second_stage_s=options.second_stage_s,
        at_first=at_first,
    )
    return observe(case, context, how)
