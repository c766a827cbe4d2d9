"""From a Case to one Evidence document: run what the checks need, judge, derive guarantees, decide.

Case ──> runs in the sandbox ──> checks, certificates, facts ──> guarantees ──> verdict ──> Evidence
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from auditor import __version__, attacks, deletions, words
from auditor.case import Case
from auditor.checks import attested, data_erased, definitions, epsilon_consistency
from auditor.checks.context import Context
from auditor.checks.finding import Finding, Values
from auditor.decisions import decide_exit_code, decide_verdict
from auditor.describing import (
    case_digest,
    context,
    covered,
    environment,
    policy_facts,
    procedure_facts,
    size_facts,
    stamp,
)
from auditor.domain import CHECK_IDS, LEFT_OUT, UNLEARNING_CHECKS, Check, Fact, Status, Verdict
from auditor.errors import AuditorError, ProcedureError, SandboxError, UsageError
from auditor.evidence import Audit, Evidence, digest_of
from auditor.guarantees import derive_guarantees
from auditor.jobs import Job, run
from auditor.judgement import as_check, as_finding, in_words, judge_all
from auditor.observing import (
    certified,
    deletion,
    difference,
    erasure,
    extraction,
    privacy,
    requesting,
    rerun,
    stateless,
    swap,
)
from auditor.observing.deletion import chain_counts
from auditor.observing.devices import Place, on_cpu, settle
from auditor.observing.findings import INFORMATIVE_BY_DEFAULT, TITLES, Findings, errored, skipped
from auditor.observing.replay import Replaying, specification
from auditor.runs import Runs
from auditor.sandbox import Answer, Level, available, gate
from auditor.settings.certified_removal import CertifiedRemoval
from auditor.settings.networks import Torch

REPLAY_CHECKS = (
    "data.erased",
    "model.reproduced",
    "training.privacy",
    "removal.residual",
    "removal.budget",
    "removal.output-noise",
    *deletion.IDS,
    "inference.difference",
    "utility.accuracy",
    "cost.speedup",
)
"""Checks that need the log to be replayed."""
RERUN_CHECKS = (*REPLAY_CHECKS, *swap.IDS, stateless.ID)
"""Checks that need the procedure to run."""
ALWAYS_REQUIRED = ("log.consistency", "epsilon.consistency", "model.reproduced")
"""Required whenever they ran, whatever the policy lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to run an audit."""

    seed: int = 0
    """The auditor's own seed."""
    quick: bool = False
    only: tuple[str, ...] | None = None
    """Ids of the checks to run; None for all."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    workers: int = 1
    on_step: Callable[[str, int, int], None] = lambda _name, _done, _total: None
    """Told the run's name, the steps done and the steps in all."""
    runs: Path | None = None
    """The folder that finished runs are kept in and taken from; None to keep none."""
    fresh: bool = False
    """Take no run that is kept."""
    on_notice: Callable[[str], None] = lambda _sentence: None
    """Told of kept runs that could not be trusted, and of runs that could not be kept."""


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
        UsageError: If `--only` names an unknown check, or the device cannot be had.
    """
    _refuse(options)
    attacks.refuse_unknown(case.settings.swap.attacks or ())
    _require_device(case, options.device)
    procedure = case.settings.procedure
    refusal: AuditorError | None = None
    try:
        foreign = procedure.foreign or _brings_requester(case)
        level, capped = gate(foreign=foreign, isolation=case.settings.sandbox.isolation, available=available())
    except SandboxError as error:
        level, capped, refusal = available(), False, error
    place: Place | None = on_cpu()
    if refusal is None and _wants(options, RERUN_CHECKS):
        try:
            place = settle(case, specification(case), wanted=options.device, level=level, notice=options.on_notice)
        except (ProcedureError, SandboxError) as error:
            place, refusal = None, error
    started, today = stamp(), datetime.now(tz=UTC).date()
    known, deadline_days = case.known_ids, case.settings.policy.deadline_days
    outcomes = deletions.outcomes(case.requests, known, deadline_days=deadline_days, today=today)
    problems = deletions.findings(case.requests, known, today=today)
    kept = None if options.runs is None else Runs(options.runs, notice=options.on_notice, fresh=options.fresh)
    running = Audit(
        id=digest_of([case_digest(case), str(options.seed), options.quick, sorted(options.only or ()), __version__])[:16],
        started_at=started,
        finished_at=started,
        auditor_version=__version__,
        seed=str(options.seed),
        quick=options.quick,
        only=options.only,
        exit_code=0,
    )
    where = environment(level, place, capped=capped)
    declared = context(case, audit=running, environment=where, outcomes=outcomes, problems=problems)
    families, observed, failure = _judge(case, options, declared, level, refusal or place, kept)
    running = running.model_copy(update={"failure": None if failure is None else str(failure)})
    declared = replace(declared, audit=running)
    others = {check.id: as_finding(check) for family in families for check in family.checks}
    findings = judge_all(declared, observed, others)
    # What compares every other check's ε comes last: of a fact that both refute the other says more.
    ordered = sorted(findings, key=lambda each: each == epsilon_consistency.CARD.id)
    families = (*families, *(_as_family(each, findings[each], observed.get(each)) for each in ordered))
    checks = _arranged(families, options.only)
    goal = certified.target(case)
    ran = frozenset(check.id for check in checks if check.status not in {Status.SKIPPED, Status.ERROR})
    guarantees = derive_guarantees(
        (
            *(fact for family in families for fact in family.facts if _counts(fact, options.only)),
            *in_words(attested.facts(declared, findings["data.erased"])),
        ),
        epsilon=goal.epsilon if goal else None,
        delta=goal.delta if goal else None,
        private=privacy.pledged(checks),
        extractor=extraction.pledged(case),
        deletion=deletion.pledged(case, checks),
    )
    required, by_default = _required(case, checks, ran, options.only)
    statuses = {check.id: check.status for check in checks}
    exit_code = decide_exit_code(statuses, required, capped=capped, failed=failure is not None)
    verdict = decide_verdict(exit_code)
    sentence = _sentence(case, verdict, statuses, required, capped=capped)
    evidence = Evidence(
        verdict=verdict,
        sentence=sentence,
        audit=running.model_copy(update={"finished_at": stamp(), "exit_code": exit_code}),
        case=declared.case,
        procedure=procedure_facts(case, options.seed),
        policy=policy_facts(case, checks, findings, required, by_default=by_default),
        sizes=size_facts(case),
        environment=where,
        deletion_log=declared.log,
        checks=checks,
        certificates=tuple(certificate for family in families for certificate in family.certificates),
        guarantees=guarantees,
        requests=covered(outcomes, guarantees),
    )
    return Outcome(evidence, failure, () if kept is None else kept.taken)


def _as_family(check_id: str, finding: Finding, observed: Values | None) -> Findings:
    check = as_check(check_id, finding, observed, TITLES[check_id])
    return Findings((check,), finding.certificates, in_words(finding.facts))


def _refuse(options: Options) -> None:
    unknown = [check_id for check_id in options.only or () if check_id not in CHECK_IDS]
    if unknown:
        raise UsageError(f"--only: there is no check named {', '.join(unknown)}; the checks are {', '.join(CHECK_IDS)}")


def _brings_requester(case: Case) -> bool:
    """Whether the case has an adaptive requester of its own, which is foreign code whatever the procedure is."""
    return case.settings.requester is not None and case.settings.requester.foreign


def _require_device(case: Case, device: str) -> None:
    procedure = case.settings.procedure
    if device == "cuda" and not procedure.may_use_gpu:
        name = getattr(procedure, "use", None)
        raise UsageError(f'the procedure "{name}" computes on the CPU and would not use a GPU; run with --device auto')


def _wants(options: Options, check_ids: Iterable[str]) -> bool:
    return options.only is None or bool(set(options.only).intersection(check_ids))


def _judge(
    case: Case,
    options: Options,
    declared: Context,
    level: Level,
    place: Place | AuditorError | None,
    kept: Runs | None,
) -> tuple[tuple[Findings, ...], dict[str, Values], AuditorError | None]:
    """Every family's findings, what was observed for the checks judged together, and the error of a failed procedure."""
    families: list[Findings] = []
    left_out = tuple(
        check_id for group in (REPLAY_CHECKS, swap.IDS, (stateless.ID,)) if not _wants(options, group) for check_id in group
    )
    families.append(Findings(tuple(skipped(check_id, LEFT_OUT) for check_id in left_out if check_id not in definitions())))
    judged: list[Findings] = []
    observed: dict[str, Values] = {}
    try:
        if isinstance(place, AuditorError) and len(left_out) < len(RERUN_CHECKS):
            raise place
        if isinstance(place, Place):
            judged, observed = _rerun(case, options, declared, level, place, kept)
    except (ProcedureError, SandboxError) as error:
        # What the procedure printed stays on the terminal: it may hold personal data.
        broken = [check_id for check_id in RERUN_CHECKS if check_id not in left_out and check_id not in definitions()]
        return (*families, Findings(tuple(errored(check_id, str(error)) for check_id in broken))), {}, error
    return (*families, *judged), observed, None


def _rerun(
    case: Case, options: Options, declared: Context, level: Level, place: Place, kept: Runs | None
) -> tuple[list[Findings], dict[str, Values]]:
    """What every family that runs the procedure found or observed: all runs are planned, run together, and then read."""
    observed: dict[str, Values] = {}
    replaying = Replaying(case, level=level, where=place) if _wants(options, REPLAY_CHECKS) else None
    test = (
        swap.plan(case, seed=options.seed, quick=options.quick, level=level, where=place) if _wants(options, swap.IDS) else None
    )
    trial = stateless.Trial(case, seed=options.seed, level=level, where=place) if _wants(options, (stateless.ID,)) else None
    asking = _wants(options, requesting.ANSWERED)
    requester = requesting.plan(case, seed=options.seed, quick=options.quick, level=level) if asking else None

    def together(jobs: Sequence[Job]) -> list[tuple[Answer, ...]]:
        return run(jobs, workers=options.workers, on_step=options.on_step, kept=kept)

    planned = [
        each.jobs if isinstance(each, Replaying | swap.SwapTest | stateless.Trial | requesting.Requesting) else ()
        for each in (replaying, test, trial, requester)
    ]
    flat = iter(together([job for jobs in planned for job in jobs]))
    replays, games, offers, asked = ([next(flat) for _ in jobs] for jobs in planned)
    judged = []
    if replaying is not None:
        replay = replaying.read(replays)
        observed |= rerun.observe(case, replay)
        observed[data_erased.CARD.id] = erasure.observe(case, replay)
        judged.append(certified.judge(case, replay))
        judged.append(privacy.judge(case, replay))
        judged.append(difference.judge(case, replay, seed=options.seed))
    played = test.judge(games, on_step=options.on_step) if isinstance(test, swap.SwapTest) else test
    if played is not None:
        judged.append(played.findings)
    if trial is not None:
        judged.append(trial.judge(offers, run=together))
    counted = None if requester is None else requester.observe(asked, together(requester.guessing(asked)))
    if _wants(options, (epsilon_consistency.CARD.id,)) and played is not None:
        observed[epsilon_consistency.CARD.id] = epsilon_consistency.Observed(
            swap=played.game,
            not_played=played.not_played,
            games=counted,
            simulated=chain_counts.observe(
                case, seed=options.seed, quick=options.quick, workers=options.workers, on_step=options.on_step
            ),
        )
    if replaying is not None:
        carried = next((check for found in judged for check in found.checks if check.id == stateless.ID), None)
        twins = None
        if deletion.needs_twins(case, replay) and _wants(options, deletion.IDS):
            twins = deletion.compare(case, replay, seed=options.seed, level=level, where=place, run=together)
        came = epsilon_consistency.game_of(declared, counted)
        game = None if came is None else words.said(came.model_dump(mode="json"))
        found = deletion.judge(case, replay, stateless=carried, twins=twins, game=game)
        judged = [*deletion.explained(judged, found), requesting.told(found, game)]
    return judged, observed


def _arranged(families: Iterable[Findings], only: tuple[str, ...] | None) -> tuple[Check, ...]:
    """Every check of the contract once, in its order; those that `--only` leaves out as skipped."""
    found = {check.id: check for family in families for check in family.checks}
    if only is not None:
        found = {check_id: check if check_id in only else skipped(check_id, LEFT_OUT) for check_id, check in found.items()}
    missing = [check_id for check_id in CHECK_IDS if check_id not in found]
    if missing:
        raise AssertionError(f"no family judged {missing}")
    return tuple(found[check_id] for check_id in CHECK_IDS)


def _counts(fact: Fact, only: tuple[str, ...] | None) -> bool:
    """Whether a fact may found a guarantee: not if the check that found it is listed as left out."""
    found_by = str(fact.evidence).partition(":")[0]
    return only is None or found_by not in RERUN_CHECKS or found_by in only


def _required(
    case: Case, checks: tuple[Check, ...], ran: frozenset[str], only: tuple[str, ...] | None
) -> tuple[tuple[str, ...], bool]:
    """The ids that decide the verdict, and whether that is by default.

    What `--only` leaves out is required all the same where it applies: to run less must not make an audit pass.
    """
    listed = case.settings.policy.required
    if listed is None:
        informative = INFORMATIVE_BY_DEFAULT | {each.card.id for each in definitions().values() if each.card.informative}
        chosen = (ran - informative) | swap.ALWAYS_APPLY
        chosen |= {check.id for check in checks if check.status is Status.ERROR}
        if only is not None:
            chosen |= _applying(case) - frozenset(only)
    else:
        chosen = frozenset(listed) | (ran & frozenset(ALWAYS_REQUIRED))
    return tuple(check_id for check_id in CHECK_IDS if check_id in chosen), listed is None


def _applying(case: Case) -> frozenset[str]:
    """Checks that this case gives cause for, found without running any."""
    always = frozenset({"log.consistency", "log.deadlines", "data.erased"}) | swap.ALWAYS_APPLY
    procedure = case.settings.procedure
    return (
        always
        | (_removal_checks(procedure) if isinstance(procedure, CertifiedRemoval) else frozenset())
        | (frozenset(deletion.IDS) if deletion.applies(case) else frozenset())
        | (frozenset({privacy.ID}) if isinstance(procedure, Torch) and procedure.dp is not None else frozenset())
        | (frozenset({stateless.ID}) if stateless.counts(case) else frozenset())
        | (frozenset({"model.reproduced"}) if case.settings.model is not None else frozenset())
        | (frozenset({"utility.accuracy"}) if case.settings.policy.max_accuracy_drop is not None else frozenset())
        | (frozenset({"cost.speedup"}) if case.settings.policy.min_speedup is not None else frozenset())
    )


def _removal_checks(procedure: CertifiedRemoval) -> frozenset[str]:
    applying = {"removal.residual"}
    if procedure.sigma:
        applying.add("removal.budget")
    if procedure.release_noise:
        applying.add("removal.output-noise")
    return frozenset(applying)


def _sentence(case: Case, verdict: Verdict, statuses: Mapping[str, Status], required: tuple[str, ...], *, capped: bool) -> str:
    release = f" release {case.settings.case.release}" if case.settings.case.release else ""
    subject = f"“{case.settings.case.name}”{release}"
    by_status = {status: [check_id for check_id in required if statuses[check_id] is status] for status in Status}
    not_run = sum(status is Status.SKIPPED for status in statuses.values())
    match verdict:
        case Verdict.PASS:
            blind = ""
            if not UNLEARNING_CHECKS.intersection(required):
                blind = " None of them looks at the unlearning itself."
            return (
                f"Pass: {subject} meets all {len(required)} required checks; {not_run} other checks were not required or not run."
                f"{blind}"
            )
        case Verdict.FAIL:
            failed = ", ".join(by_status[Status.FAIL])
            return f"Fail: {subject} fails {len(by_status[Status.FAIL])} of {len(required)} required checks: {failed}."
        case Verdict.INCONCLUSIVE:
            open_ids = [check_id for check_id in required if statuses[check_id] is not Status.PASS]
            if capped and not open_ids:
                return f"Inconclusive: {subject} ran foreign code outside the walls that a verdict needs."
            if not open_ids:
                return f"Inconclusive: nothing that was required of {subject} could be shown."
            return (
                f"Inconclusive: for {subject} {len(open_ids)} of {len(required)} required checks are open: {', '.join(open_ids)}."
            )
