"""From what was declared and observed to the whole document: findings, guarantees, verdict, digests.

Pure, and the same for `audit`, which observed, and for `verify`, which reads what was observed: whatever an evidence document
says in addition to its declared context and its observations comes from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from auditor.base.deletion_log.deadlines import dated, declared_days
from auditor.base.domain import Certificate, Check, Fact, Guarantee, InputFile, RequestOutcome, Status, Verdict
from auditor.document.editions import FIRST, in_force, older_modules
from auditor.document.evidence import (
    Audit,
    Cap,
    CaseFacts,
    ClaimStanding,
    Environment,
    Evidence,
    Examined,
    PolicyFacts,
    ProcedureFacts,
    Reliance,
    case_digest,
    digest_of,
    policy_digest,
)
from auditor.settings.tables import CLAIMED
from auditor.verdict import default_policy, reliance
from auditor.verdict.checks import attested, definitions, judging_unlearning, listed_in, the, with_role
from auditor.verdict.checks.card import Card, Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding, Values
from auditor.verdict.decisions import decide_exit_code, decide_verdict
from auditor.verdict.guarantees import UNLEARNING, Pledges, Spent, derive_guarantees
from auditor.verdict.judgement import applicable, judge_all
from auditor.verdict.sections import Conclusion, Sections
from auditor.verdict.strength import graded

STRONG_WALLS: Final = frozenset({"confined", "namespaced"})
"""Levels of isolation behind which foreign code cannot reach the inputs of its own audit."""


def conclude(declared: Sections, observed: Mapping[str, Values]) -> Evidence:
    """Judge, derive and decide, as the version did that ran.

    Args:
        declared: What was declared, and where and when it ran.
        observed: What the run observed, by check id.

    Raises:
        LookupError: If something was observed for no check, or nothing for one that ran.
        pydantic.ValidationError: If a section states a table that this version cannot have read.
    """
    older = (module.CONCLUSION for module in older_modules() if hasattr(module, "CONCLUSION"))
    editions: tuple[Conclusion, ...] = (CONCLUSION, *older)
    (edition,) = in_force(editions, declared.audit.auditor_version, key=lambda _: "conclusion").values()
    return edition.conclude(declared, observed)


def _conclude(declared: Sections, observed: Mapping[str, Values]) -> Evidence:
    requests = _dated(declared)
    log = declared.deletion_log.model_copy(
        update={"requests": len(requests), "overdue": tuple(each.request_id for each in requests if each.overdue)}
    )
    declared = replace(declared, requests=requests, deletion_log=log)
    context = declared.context
    findings = judge_all(context, observed)
    decided = _decided(context, findings, declared.environment)
    usual = _by_default(context, observed, declared.environment)
    examined = _examined(context, findings)
    case = declared.case.model_copy(update={"digest": case_digest(declared.case.inputs)})
    return Evidence(
        verdict=decided.verdict,
        default_policy_verdict=usual.verdict,
        strength=graded(
            required=decided.required,
            statuses=decided.statuses,
            guarantees=decided.guarantees,
            examined=examined,
            version=context.version,
            learns=context.learns,
            reruns=context.procedure.reruns,
        )
        if decided.verdict is Verdict.PASS
        else None,
        examined=examined,
        reliance=_reliance(context, observed, findings, decided, usual, declared.environment),
        audit=declared.audit.model_copy(update={"id": _audit_id(declared.audit, case), "exit_code": decided.exit_code}),
        case=case,
        procedure=_procedure(declared, case),
        policy=_policy(declared.policy, decided.required, _examined_claims(context, findings)),
        sizes=declared.sizes,
        environment=decided.environment,
        deletion_log=log,
        checks=tuple(
            listed(check_id, findings[check_id], observed.get(check_id))
            for check_id in listed_in(reruns=context.procedure.reruns, version=context.version)
        ),
        certificates=_certificates(findings, context.version),
        guarantees=decided.guarantees,
        requests=_covered(requests, decided.guarantees),
        controller=declared.controller,
        outside=declared.outside,
    )


CONCLUSION: Final = Conclusion(_conclude, since=FIRST)
"""How this version concludes."""


@dataclass(frozen=True, slots=True)
class _Decided:
    """What follows from findings under one policy."""

    required: tuple[str, ...]
    statuses: Mapping[str, Status]
    guarantees: tuple[Guarantee, ...]
    environment: Environment
    cap: Cap
    claims: tuple[ClaimStanding, ...]
    unexamined: bool
    contradicted: tuple[str, ...]
    exit_code: int

    @property
    def verdict(self) -> Verdict:
        """As the exit code has it."""
        return decide_verdict(self.exit_code)


def _decided(context: Context, findings: Mapping[str, Finding], ran_in: Environment, *, unplayed: bool = False) -> _Decided:
    """Decide.

    Args:
        context: What was declared.
        findings: Of every check.
        ran_in: Where it ran, as stated.
        unplayed: Whether the policy asks for a larger SWAP game than was played: then it was not, but what the smaller one found
            to fail stays found.
    """
    played = with_role(Role.SIZED_GAME, context.version)
    statuses = {
        check_id: Status.SKIPPED if unplayed and check_id in played and finding.status is not Status.FAIL else finding.status
        for check_id, finding in findings.items()
    }
    facts = _facts(context, findings)
    pledges = _pledges(context, findings)
    guarantees = _guarantees(context, facts, pledges)
    environment = _environment(context, ran_in)
    table = context.claims.model_dump(exclude_none=True, include=set(CLAIMED))
    claimed = reliance.stated(table)
    cap = reliance.cap(
        foreign=context.procedure.foreign,
        statuses=statuses,
        attested=context.claims.attested,
        claimed=claimed,
        independent=pledges.deletion is not None and pledges.deletion.source == reliance.BY_COUNTERFACTUAL_RUNS,
        foreign_controller=context.foreign_controller,
        reruns=context.procedure.reruns,
        version=context.version,
    )
    person = pledges.private or pledges.continual
    claims = reliance.claims(
        table,
        guarantees=guarantees,
        statuses=statuses,
        attested=context.claims.attested,
        private=None if person is None else reliance.Promise(person.epsilon, person.delta),
        version=context.version,
    )
    spared = _spared(context, findings, guarantees, claims, cap)
    required = tuple(each for each in _required(context, findings) if each not in spared)
    passed = {name for name, status in statuses.items() if status is Status.PASS}
    unexamined = reliance.unexamined(
        batches=context.log.batches,
        passed=passed,
        judging=judging_unlearning(passed, context.version),
        claimed=claimed,
        version=context.version,
    )
    contradicted = reliance.contradicted(context.claims.attested, facts)
    exit_code = decide_exit_code(
        statuses,
        required,
        capped=environment.capped or cap.holds or unexamined or bool(contradicted) or bool(reliance.unmet(claims)),
        failed=context.audit.failure is not None,
    )
    return _Decided(required, statuses, guarantees, environment, cap, claims, unexamined, contradicted, exit_code)


def _by_default(context: Context, observed: Mapping[str, Values], ran_in: Environment) -> _Decided:
    """What the same observations come to under the default policy."""
    usual = default_policy.under_default(context)
    findings = judge_all(usual, observed, again=True)
    return _decided(usual, findings, ran_in, unplayed=default_policy.smaller_game(context))


def _reliance(
    context: Context,
    observed: Mapping[str, Values],
    findings: Mapping[str, Finding],
    decided: _Decided,
    usual: _Decided,
    ran_in: Environment,
) -> Reliance:
    """What the verdict rests on, with everything in which its policy asks for less than the default."""
    listed_by_policy = context.policy.required is not None
    return Reliance(
        cap=decided.cap,
        claims=decided.claims,
        unexamined=decided.unexamined,
        contradicted=decided.contradicted,
        statements=tuple(
            name
            for name in context.claims.attested
            if decided.exit_code == 0 and _carries(name, context, observed, findings, ran_in)
        ),
        weakenings=default_policy.weakenings(
            context, played=bool({*with_role(Role.SIZED_GAME, context.version)} & {*usual.required})
        ),
        left_out=tuple(each for each in usual.required if each not in decided.required) if listed_by_policy else (),
    )


def _carries(
    name: str, context: Context, observed: Mapping[str, Values], findings: Mapping[str, Finding], ran_in: Environment
) -> bool:
    """Whether the verdict were no pass had the controller not attested one thing."""
    rest = tuple(each for each in context.claims.attested if each != name)
    silent = replace(context, claims=context.claims.model_copy(update={"attested": rest}))
    # Where a guarantee or a way to a pass asks for the word, nothing has to be judged again to see it.
    if _decided(silent, findings, ran_in).exit_code != 0:
        return True
    return _decided(silent, judge_all(silent, observed, again=True), ran_in).exit_code != 0


def _examined(context: Context, findings: Mapping[str, Finding]) -> Examined:
    """What was examined of everything that a deletion has to reach."""
    file, search = (findings[the(role, context.version)].status for role in (Role.COMPARES_FILE, Role.SEARCHES))
    ran = {name for name, found in findings.items() if found.status in {Status.PASS, Status.FAIL, Status.INCONCLUSIVE}}
    return Examined(
        model=context.case.model_alone and file in {Status.PASS, Status.FAIL},
        store=context.case.store is not None and search in {Status.PASS, Status.FAIL},
        procedure=context.procedure.reruns and bool(judging_unlearning(ran, context.version)),
        backups=False,
    )


def seed_salt(inputs: Iterable[InputFile], audit_seed: str) -> str:
    """The salt of the digest of a procedure's seed."""
    return digest_of(["seed", case_digest(inputs), audit_seed])[:32]


def _audit_id(audit: Audit, case: CaseFacts) -> str:
    chosen = sorted(audit.only or ())
    fitted = [] if audit.budget is None else [audit.budget.model_dump(mode="json")]
    return digest_of([case.digest, audit.seed, audit.quick, chosen, audit.auditor_version, *fitted])[:16]


def _procedure(declared: Sections, case: CaseFacts) -> ProcedureFacts:
    guessable = not declared.context.seed_is_secret
    salt = None if guessable else seed_salt(case.inputs, declared.audit.seed)
    seed_digest = None if guessable else declared.procedure.seed_digest
    return declared.procedure.model_copy(update={"seed_salt": salt, "seed_digest": seed_digest})


def _policy(stated: PolicyFacts, required: tuple[str, ...], examined: frozenset[str]) -> PolicyFacts:
    return stated.model_copy(
        update={
            "required": required,
            "required_by_default": stated.listed is None,
            "claims_not_examined": tuple(sorted(set(reliance.stated(stated.claims)) - examined)),
            "digest": policy_digest(required, stated.settings, stated.claims, stated.attested),
        }
    )


def _environment(context: Context, stated: Environment) -> Environment:
    """Foreign code behind weak barriers could reach the inputs of its own audit, so its answers decide nothing."""
    return stated.model_copy(update={"capped": context.foreign and stated.isolation not in STRONG_WALLS})


def _dated(declared: Sections) -> tuple[RequestOutcome, ...]:
    """Every request with what its own dates give; of one that waits the day of the run has a say too."""
    days = declared_days(declared.policy.settings)
    closing = declared.audit.started_at.date()
    informs = any(each.answered_at is not None for each in declared.requests)
    return tuple(
        replace(dated(each, deadline_days=days, closing=closing, informs=informs), guarantees=()) for each in declared.requests
    )


def _facts(context: Context, findings: Mapping[str, Finding]) -> tuple[Fact, ...]:
    """Everything that a theorem may need: what checks and data show, and where neither speaks the controller's words."""
    # Of a fact that several refute the first counts, and what compares every ε says least of it.
    counting = _consistency_last(_counting(context, findings), context.version)
    facts = [fact for check_id in counting for fact in findings[check_id].facts]
    facts += [fact for each in definitions(context.version).values() for fact in each.declared_facts(context)]
    # A word fills in what no check covers: it makes nothing weaker or stronger that one found.
    spoken = {fact.name for fact in facts}
    erased = findings[the(Role.SEARCHES, context.version)]
    return (*facts, *(fact for fact in attested.facts(context, erased) if fact.name not in spoken))


def _pledges(context: Context, findings: Mapping[str, Finding]) -> Pledges:
    """The numbers that checks give to guarantees."""
    return Pledges.together(each.pledges(context, findings) for each in definitions(context.version).values())


def _guarantees(context: Context, facts: Iterable[Fact], pledges: Pledges) -> tuple[Guarantee, ...]:
    return derive_guarantees(
        facts,
        epsilon=pledges.epsilon,
        delta=pledges.delta,
        private=pledges.private,
        continual=pledges.continual,
        fresh=pledges.fresh,
        extractor=pledges.extractor,
        deletion=pledges.deletion,
        version=context.version,
        spent=Spent(by_loss=pledges.by_loss, by_noise=pledges.by_noise),
    )


def _counting(context: Context, findings: Iterable[str]) -> Iterable[str]:
    """The checks whose facts may support a guarantee: not those that `--only` left out, though a run observed something."""
    only, known = context.audit.only, definitions(context.version)
    return [check_id for check_id in findings if only is None or check_id in only or not known[check_id].runs]


def _required(context: Context, findings: Mapping[str, Finding]) -> tuple[str, ...]:
    """The ids that decide the verdict."""
    ran = {name for name, found in findings.items() if found.status not in {Status.SKIPPED, Status.ERROR}}
    known = definitions(context.version)
    exact = findings[the(Role.EXACT, context.version)].status is Status.PASS
    if context.policy.required is not None:
        chosen = set(context.policy.required) | {name for name in ran if known[name].card.required_when_run}
        chosen |= _missed(context) - ({*with_role(Role.ATTACKS_RELEASE, context.version)} if exact else set())
    else:
        failed = {name for name, found in findings.items() if found.status is Status.ERROR}
        chosen = failed | _required_by_default(context, ran, exact=exact)
    return tuple(check_id for check_id in known if check_id in chosen)


def _spared(
    context: Context,
    findings: Mapping[str, Finding],
    guarantees: Iterable[Guarantee],
    claims: Iterable[ClaimStanding],
    cap: Cap,
) -> frozenset[str]:
    """The attacks on the release that decide nothing: they see nothing in what a theorem or equal bytes speak for already.

    Noise that hides what a model holds blinds attacks too. Where even a model that holds the records goes undetected, an
    undetected release says nothing, for or against. A procedure of ours then rests on its theorem, foreign code on runs with
    other records.
    """
    known, listed_by_policy = definitions(context.version), context.policy.required or ()
    attacking = (each for each in with_role(Role.ATTACKS_RELEASE, context.version) if each not in listed_by_policy)
    blind = frozenset(each for each in attacking if known[each].blind(findings[each]))
    if context.procedure.foreign:
        return blind if cap.route == "counterfactual" else frozenset()
    private = any(each.name == "dp" and each.standing in reliance.HOLDING for each in claims)
    carried = private or any(each.status in reliance.HOLDING for each in guarantees if each.id != UNLEARNING)
    return blind if carried else frozenset()


def deciding(context: Context) -> frozenset[str]:
    """The ids of checks that decide the verdict where they apply, whether they run or not: to leave one out leaves it open."""
    known = definitions(context.version)
    wanted = {name for name, each in known.items() if each.card.every_case or each.wanted(context)}
    if context.policy.required is None:
        return frozenset(wanted)
    bound = {name for name in wanted if _binds(known[name].card)}
    return frozenset(bound | set(context.policy.required))


def _missed(context: Context) -> set[str]:
    """What `--only` leaves out and the whole audit would have been held to, whatever the policy lists.

    That is what is required whenever it runs, and what can contradict a word or a promise that the verdict rests on: to run less
    must not make an audit pass.
    """
    known = definitions(context.version)
    left_out = known.keys() - (context.audit.only or known.keys())
    binding = {name for name in left_out if _binds(known[name].card)}
    return {name for name in binding if known[name].wanted(context)}


def _binds(card: Card) -> bool:
    """Whether to leave a check out must not help, whatever the policy lists."""
    return card.required_when_run or Role.CONTRADICTS in card.roles


def _required_by_default(context: Context, ran: Iterable[str], *, exact: bool) -> set[str]:
    """What decides where the policy lists nothing: what ran and judges, and what every case has to pass.

    No game is asked for where the release is exact.

    What `--only` leaves out is required all the same where it applies: to run less must not make an audit pass.
    """
    known = definitions(context.version)
    judging = {name for name in ran if not known[name].card.informative}
    kinds = {name: each for name, each in known.items() if context.learns or each.card.of_controllers}
    relevant = {name: each for name, each in kinds.items() if applicable(each, context)}
    always = {name for name, each in relevant.items() if each.card.every_case}
    if context.controller is not None:
        always |= {the(role, context.version) for role in reliance.OF_CONTROLLER}
    left_out = relevant.keys() - (context.audit.only or known.keys())
    if exact:
        always -= {*with_role(Role.SIZED_GAME, context.version)}
        left_out -= {*with_role(Role.ATTACKS_RELEASE, context.version)}
    return judging | always | {name for name in left_out if known[name].wanted(context)}


def _examined_claims(context: Context, findings: Mapping[str, Finding]) -> frozenset[str]:
    """Claims of the controller that a check of this run examined."""
    known = definitions(context.version).values()
    return frozenset(claim for each in known for claim in each.examined_claims(context, findings))


def listed(check_id: str, finding: Finding, observed: Values | None) -> Check:
    """A finding as evidence lists it."""
    return Check(
        id=check_id,
        status=finding.status,
        value=finding.value,
        interval=None if finding.interval is None else (finding.interval.low, finding.interval.high),
        threshold=finding.threshold,
        observed=None if observed is None else observed.model_dump(mode="json"),
        derived=None if finding.derived is None else finding.derived.model_dump(mode="json"),
        reasons=finding.reasons,
    )


def _certificates(findings: Mapping[str, Finding], version: str) -> tuple[Certificate, ...]:
    """Every certificate, those of the log before those of games."""
    ordered = _consistency_last(findings, version)
    return tuple(certificate for check_id in ordered for certificate in findings[check_id].certificates)


def _consistency_last(check_ids: Iterable[str], version: str) -> list[str]:
    """Checks in their order, what compares every ε after all others."""
    last = with_role(Role.CONSISTENCY, version)
    return sorted(check_ids, key=lambda check_id: check_id in last)


def _covered(requests: Iterable[RequestOutcome], guarantees: Iterable[Guarantee]) -> tuple[RequestOutcome, ...]:
    """Each request with the guarantees that cover it: those that hold, for requests that were carried out."""
    standing = tuple(item.id for item in guarantees if item.status in reliance.HOLDING and item.id != UNLEARNING)
    return tuple(
        replace(request, guarantees=standing) if request.status == "executed" and request.records else request
        for request in requests
    )
