"""Which checks decide a verdict: those that a policy lists, or that apply where it lists none, and what nobody may leave out.

A half of the third pass of a conclusion, and asked beforehand too, by those who fit an audit into a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from auditor.base.domain import Guarantee, Status
from auditor.document.conclusions import Cap, ClaimStanding
from auditor.verdict import reliance
from auditor.verdict.checks import definitions, the, with_role
from auditor.verdict.checks.card import Card, Role
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding
from auditor.verdict.guarantees import UNLEARNING, rests_on_foreign
from auditor.verdict.judgement import applicable, concerns


def deciding(context: Context) -> frozenset[str]:
    """The ids of checks that decide the verdict where they apply, whether they run or not: to leave one out leaves it open."""
    known = definitions(context.version)
    wanted = {name for name, each in known.items() if each.card.every_case or each.wanted(context)}
    if context.policy.required is None:
        return frozenset(wanted)
    bound = {name for name in wanted if _binds(known[name].card)}
    return frozenset(bound | set(context.policy.required))


def required(context: Context, findings: Mapping[str, Finding]) -> tuple[str, ...]:
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


def spared(
    context: Context,
    findings: Mapping[str, Finding],
    guarantees: Iterable[Guarantee],
    claims: Iterable[ClaimStanding],
    cap: Cap,
) -> frozenset[str]:
    """The checks of the release that decide nothing: they see nothing in what something stronger speaks for already.

    Noise that hides what a model holds blinds attacks too. Where even a model that holds the records goes undetected, an
    undetected release says nothing, for or against. A procedure of ours then rests on its theorem, foreign code on runs with
    other records.

    Equality with a clean room says nothing either where training does not repeat itself. What is left then is the way by attacks,
    which foreign code passes by where the attacks on the release and both parts of the game pass.
    """
    known, listed_by_policy = definitions(context.version), context.policy.required or ()
    attacking = (each for each in with_role(Role.ATTACKS_RELEASE, context.version) if each not in listed_by_policy)
    blind = frozenset(each for each in attacking if known[each].blind(findings[each]))
    if context.procedure.foreign:
        if cap.route == reliance.BY_ATTACKS:
            exact = the(Role.EXACT, context.version)
            return frozenset({exact} - {*listed_by_policy}) if known[exact].blind(findings[exact]) else frozenset()
        return blind if cap.route == "counterfactual" else frozenset()
    private = any(each.name == "dp" and each.standing in reliance.HOLDING for each in claims)
    carrying = (each for each in guarantees if each.id != UNLEARNING and not rests_on_foreign(each))
    carried = private or any(each.status in reliance.HOLDING for each in carrying)
    return blind if carried else frozenset()


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
    kinds = {name: each for name, each in known.items() if concerns(each.card, context)}
    relevant = {name: each for name, each in kinds.items() if applicable(each, context)}
    always = {name for name, each in relevant.items() if each.card.every_case}
    if context.controller is not None:
        always |= {the(role, context.version) for role in reliance.OF_CONTROLLER}
    left_out = relevant.keys() - (context.audit.only or known.keys())
    if exact:
        always -= {*with_role(Role.SIZED_GAME, context.version)}
        left_out -= {*with_role(Role.ATTACKS_RELEASE, context.version)}
    return judging | always | {name for name in left_out if known[name].wanted(context)}
