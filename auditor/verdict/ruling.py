"""The third pass of a conclusion: what findings and guarantees decide under a policy, and what that rests on.

It is run three times over, always from what was declared and what earlier passes found: under the declared policy, under the
default one, and without each attestation in turn, to see which of them carry the verdict. A ruling is never changed by another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from auditor.base.domain import Guarantee, Status, Strength, Verdict
from auditor.document.conclusions import Cap, ClaimStanding, Examined, Reliance
from auditor.document.context import Environment
from auditor.settings.attestations import UNREAD
from auditor.settings.tables import CLAIMED
from auditor.verdict import default_policy, lineage, reliance
from auditor.verdict.checks import definitions, judging_unlearning, the, with_role
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding, Values
from auditor.verdict.checks.readings import LeavesOpen
from auditor.verdict.decisions import decide_exit_code, decide_verdict
from auditor.verdict.grade import graded
from auditor.verdict.guarantees import rests_on_foreign
from auditor.verdict.judgement import Judged, judged
from auditor.verdict.promises import Promised, promised
from auditor.verdict.remembered import attesting
from auditor.verdict.required import required, spared

STRONG_WALLS: Final = frozenset({"confined", "namespaced"})
"""Levels of isolation behind which foreign code cannot reach the inputs of its own audit."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What follows from findings and guarantees under one policy."""

    required: tuple[str, ...]
    statuses: Mapping[str, Status]
    """Of every check by its id; read-only."""
    guarantees: tuple[Guarantee, ...]
    """As the second pass derived them."""
    environment: Environment
    cap: Cap
    claims: tuple[ClaimStanding, ...]
    examined_claims: frozenset[str]
    """Claims of the controller that a check of this run examined."""
    examined: Examined
    unexamined: bool
    contradicted: tuple[str, ...]
    silent: tuple[str, ...]
    """Attestations that a pass asks for and nobody made."""
    lineage: tuple[str, ...]
    """Things made from the model that the policy asks to be settled and that are not."""
    exit_code: int

    @property
    def verdict(self) -> Verdict:
        """As the exit code has it."""
        return decide_verdict(self.exit_code)


def ruled(found: Judged, promises: Promised, ran_in: Environment, *, unplayed: bool = False) -> Ruling:
    """Decide.

    Args:
        found: What was declared, and the finding of every check.
        promises: What is derived of them.
        ran_in: Where it ran, as stated.
        unplayed: Whether the policy asks for a larger SWAP game than was played: then it was not, but what the smaller one found
            to fail stays found.
    """
    context, findings, guarantees = found.context, found.findings, promises.guarantees
    statuses = _statuses(found, unplayed=unplayed)
    environment = _environment(context, ran_in)
    table = context.claims.model_dump(exclude_none=True, include=set(CLAIMED))
    claimed = reliance.stated(table)
    pledges = promises.pledges
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
    left_alone = spared(context, findings, guarantees, claims, cap)
    deciding = tuple(each for each in required(context, findings) if each not in left_alone)
    passed = {name for name, status in statuses.items() if status is Status.PASS}
    unexamined = reliance.unexamined(
        batches=context.log.batches,
        passed=passed,
        judging=judging_unlearning(passed, context.version),
        claimed=claimed,
        version=context.version,
    )
    contradicted = reliance.contradicted(context.claims.attested, promises.facts)
    silent = reliance.silent(
        context.claims.attested,
        requests=len(context.requests),
        batches=context.log.batches,
        extractor=reliance.above_extractor(context.procedure),
        lineage=context.policy.lineage_settled,
        refuted=contradicted,
        places=context.places_alone,
    )
    unsettled = lineage.unsettled(context) if context.policy.lineage_settled else ()
    # What is still to run may refute whatever looks well until then.
    held = context.first_stage or cap.holds or unexamined or bool(contradicted or silent or unsettled or reliance.unmet(claims))
    exit_code = decide_exit_code(
        statuses,
        deciding,
        capped=environment.capped or held,
        failed=context.audit.failure is not None,
    )
    return Ruling(
        required=deciding,
        statuses=MappingProxyType(statuses),
        guarantees=guarantees,
        environment=environment,
        cap=cap,
        claims=claims,
        examined_claims=_examined_claims(context, findings),
        examined=_examined(context, findings),
        unexamined=unexamined,
        contradicted=contradicted,
        silent=silent,
        lineage=unsettled,
        exit_code=exit_code,
    )


def ruled_by_default(context: Context, observed: Mapping[str, Values], ran_in: Environment) -> Ruling:
    """Decide what the same observations come to under the default policy."""
    found = judged(default_policy.under_default(context), observed, again=True)
    return ruled(found, promised(found), ran_in, unplayed=default_policy.smaller_game(context))


def strength_of(ruling: Ruling, context: Context, *, unsaid: bool) -> Strength | None:
    """Grade what a ruling is worth; None where it is no pass, and of places, of which nothing is promised but what was found.

    Args:
        ruling: Under the declared policy.
        context: What was declared.
        unsaid: Whether it rests on something that nobody says and nothing examined.
    """
    if ruling.verdict is not Verdict.PASS or context.places_alone:
        return None
    return graded(
        required=ruling.required,
        statuses=ruling.statuses,
        guarantees=tuple(each for each in ruling.guarantees if not rests_on_foreign(each)),
        examined=ruling.examined,
        unsaid=unsaid,
        version=context.version,
        learns=context.learns,
        reruns=context.procedure.reruns,
    )


def relied_on(found: Judged, observed: Mapping[str, Values], ruling: Ruling, usual: Ruling, ran_in: Environment) -> Reliance:
    """Say what a ruling rests on, with everything in which its policy asks for less than the default.

    Args:
        found: What was declared, and the finding of every check.
        observed: What the run observed, by check id.
        ruling: Under the declared policy.
        usual: Under the default one.
        ran_in: Where it ran, as stated.
    """
    context = found.context
    listed_by_policy = context.policy.required is not None
    return Reliance(
        cap=ruling.cap,
        claims=ruling.claims,
        unexamined=ruling.unexamined,
        contradicted=ruling.contradicted,
        silent=ruling.silent,
        lineage=ruling.lineage,
        statements=tuple(
            name for name in context.claims.attested if ruling.exit_code == 0 and _carries(name, found, observed, ran_in)
        ),
        weakenings=default_policy.weakenings(
            context,
            played=bool({*with_role(Role.SIZED_GAME, context.version)} & {*usual.required}),
            answered=bool({*with_role(Role.ATTACKS_ANSWERS, context.version)} & {*usual.required}),
        ),
        left_out=tuple(each for each in usual.required if each not in ruling.required) if listed_by_policy else (),
    )


def _carries(name: str, found: Judged, observed: Mapping[str, Values], ran_in: Environment) -> bool:
    """Whether the verdict were no pass had the controller not attested one thing."""
    context = found.context
    rest = tuple(each for each in context.claims.attested if each != name)
    # Where a guarantee or a way to a pass asks for the word, nothing has to be judged again to see it.
    unasked = replace(found, context=attesting(context, rest))
    if ruled(unasked, promised(unasked), ran_in).exit_code != 0:
        return True
    again = found.attesting(rest, observed)
    return ruled(again, promised(again), ran_in).exit_code != 0


def _statuses(found: Judged, *, unplayed: bool) -> dict[str, Status]:
    played = with_role(Role.SIZED_GAME, found.context.version)
    return {
        check_id: Status.SKIPPED if unplayed and check_id in played and finding.status is not Status.FAIL else finding.status
        for check_id, finding in found.findings.items()
    }


def _environment(context: Context, stated: Environment) -> Environment:
    """Foreign code behind weak barriers could reach the inputs of its own audit, so its answers decide nothing."""
    return stated.model_copy(update={"capped": context.foreign and stated.isolation not in STRONG_WALLS})


def _examined(context: Context, findings: Mapping[str, Finding]) -> Examined:
    """What was examined of everything that a deletion has to reach."""
    file = findings[the(Role.COMPARES_FILE, context.version)].status
    search = findings[the(Role.SEARCHES_PLACES if context.places_alone else Role.SEARCHES, context.version)]
    there = context.case.store is not None or bool(context.case.places)
    ran = {name for name, found in findings.items() if found.status in {Status.PASS, Status.FAIL, Status.INCONCLUSIVE}}
    return Examined(
        model=context.case.model_alone and file in {Status.PASS, Status.FAIL},
        store=there and (search.status in {Status.PASS, Status.FAIL} or is_open_elsewhere(search)),
        procedure=context.procedure.reruns and bool(judging_unlearning(ran, context.version)),
        backups=False,
    )


def is_open_elsewhere(search: Finding) -> bool:
    """Whether a search is open for what other places hold alone: the store was read and explained whole."""
    left = search.derived
    if search.status is not Status.INCONCLUSIVE or search.value is None or not isinstance(left, LeavesOpen):
        return False
    if left.open_places or left.copied is not None or not left.unexplained:
        return False
    return all(each.word != UNREAD for each in (*left.unexplained, *left.by_word))


def _examined_claims(context: Context, findings: Mapping[str, Finding]) -> frozenset[str]:
    """Claims of the controller that a check of this run examined."""
    known = definitions(context.version).values()
    return frozenset(claim for each in known for claim in each.examined_claims(context, findings))
