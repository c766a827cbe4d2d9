"""What a pass may rest on: the cap over the controller's own code, claims and words that bind, and something that was examined.

Code that runs can tell a test from the log that it is tested for. So a verdict on a controller's own code may not rest on tests
of the code alone: it passes only where the release itself was examined, or where nothing that is released or kept depends on the
content of the deleted records, and each time with what nobody can examine attested by name. The words never turn a finding into
a pass; they are asked for in addition to it. The auditor's own procedures are read, and need none of this.

Only the procedure counts as such code here, a network of the controller's included. A requester of the controller's plays against
the procedure: the worst that it can do is to find nothing, which no verdict takes for evidence.

Everything is decided from statuses, words and standings, so that an evidence document, which has them all, can be held to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from auditor import __version__
from auditor.base.domain import ClaimStatus, Fact, Guarantee, Provenance, Status, Verdict
from auditor.base.errors import ReportError
from auditor.document.conclusions import Cap, ClaimStanding, Route, RouteName
from auditor.document.editions import FIRST, in_force
from auditor.document.evidence import Evidence
from auditor.settings.attestations import CODE_CLEAN, EXTRACTOR, GENUINE, HONEST, LINEAGE, LOG_COMPLETE, PREPROCESSING, facts_of
from auditor.settings.builtin import Procedure
from auditor.verdict.checks import derived_in, the, with_role
from auditor.verdict.checks.card import Role
from auditor.verdict.checks.finding import Values
from auditor.verdict.checks.readings import ByTheorem, ForAPerson
from auditor.verdict.decisions import decide_exit_code

BY_COUNTERFACTUAL_RUNS: Final = "twins"
"""What a bound of data deletion names as its theorem where counterfactual runs gave equal bytes at every batch."""
BY_ATTACKS: Final = "remembers"
"""The way in which foreign code passes where attacks find nothing in its release and its game."""
HOLDING: Final = frozenset({ClaimStatus.SHOWN, ClaimStatus.SUPPORTED})

_Further: TypeAlias = Literal["data-deletion-claim", "equal-counterfactual-runs"]


@dataclass(frozen=True, slots=True)
class _Rule:
    """What a route asks for."""

    name: RouteName
    checks: tuple[Role, ...]
    """The roles of the checks that must pass; one check has each."""
    words: tuple[str, ...]
    further: tuple[_Further, ...] = ()
    since: str = FIRST
    """The version since which foreign code may pass by it, asked for as much."""


ROUTES: Final = (
    _Rule("exact", (Role.EXACT,), (CODE_CLEAN,)),
    _Rule(
        "counterfactual",
        (Role.STATELESS, Role.DATA_DELETION),
        (CODE_CLEAN,),
        ("data-deletion-claim", "equal-counterfactual-runs"),
    ),
    _Rule(BY_ATTACKS, (Role.ATTACKS_RELEASE, Role.ATTACKS_RECORDS, Role.ATTACKS_SETS), (HONEST, CODE_CLEAN)),
)
"""The ways in which foreign code may pass, the strongest first."""
_OF_ANSWERS: Final = _Rule("answers", (Role.ATTACKS_ANSWERS,), (GENUINE,))
"""The one way in which answers that the controller wrote down may pass."""
OF_CONTROLLER: Final = (Role.HISTORY, Role.SEARCHES)
"""What every whole controller is held to: that its state shows nothing of the past, and that it keeps nothing of who has left."""
_OF_CONTROLLER: Final = _Rule("controller", OF_CONTROLLER, ("controller-is-implementation", HONEST))
"""The way in which a whole controller that is code of the case may pass."""

_BY_GUARANTEE: Final[Mapping[str, str]] = {"certified_removal": "certified-removal", "data_deletion": "data-deletion"}
_BY_CHECK: Final[Mapping[str, tuple[Role, ...]]] = {
    "dp": (Role.TRAINING_NOISE, Role.REPORTING_NOISE),
    "history_independent": (Role.HISTORY,),
    "retraining": (Role.EXACT,),
}
"""Roles of the checks that find out whether a claim holds, of which at most one applies to a case."""
_BY_WORD: Final[Mapping[str, str]] = {"dp": "seed-secret"}
"""What has to be attested as well: noise hides nothing from anyone who knows its seed."""
_OF_CHECK: Final = {Status.PASS: ClaimStatus.SUPPORTED, Status.FAIL: ClaimStatus.REFUTED}


def cap(
    *,
    foreign: bool,
    statuses: Mapping[str, Status],
    attested: Collection[str],
    claimed: Collection[str],
    independent: bool,
    foreign_controller: bool = False,
    reruns: bool = True,
    version: str = __version__,
) -> Cap:
    """Find the way in which foreign code passes, or what each way lacks.

    Args:
        foreign: Whether the controller's own code learns and unlearns.
        statuses: Of every check, by id; what is not listed did not pass.
        attested: Names of what the controller attests.
        claimed: Keys of its claims.
        independent: Whether counterfactual runs gave equal bytes at every batch.
        foreign_controller: Whether a whole controller that is code of the case was audited.
        reruns: Whether there is anything to run; where there are answers alone, there is one way.
        version: The version that ran.
    """
    if not reruns:
        route = _route(_OF_ANSWERS, statuses, attested, {}, version)
        return Cap(foreign=True, route=route.name if route.open else None, routes=(route,))
    whole = _route(_OF_CONTROLLER, statuses, attested, {}, version) if foreign_controller else None
    if not foreign:
        return Cap(foreign=False, route=None, routes=(), controller=whole)
    met: dict[_Further, bool] = {
        "data-deletion-claim": "data_deletion" in claimed,
        "equal-counterfactual-runs": independent,
    }
    routes = tuple(
        _route(rule, statuses, attested, met, version) for rule in in_force(ROUTES, version, key=lambda each: each.name).values()
    )
    return Cap(foreign=True, route=next((each.name for each in routes if each.open), None), routes=routes, controller=whole)


def _route(
    rule: _Rule, statuses: Mapping[str, Status], attested: Collection[str], met: Mapping[_Further, bool], version: str
) -> Route:
    asked = (the(role, version) for role in rule.checks)
    return Route(
        name=rule.name,
        checks=tuple(each for each in asked if statuses.get(each) is not Status.PASS),
        words=tuple(each for each in rule.words if each not in attested),
        further=tuple(each for each in rule.further if not met[each]),
    )


def words_of(found: Cap) -> tuple[str, ...]:
    """Name the attestations that the ways need by which foreign code passes: the open ones, or what every way asks for."""
    if found.route == _OF_ANSWERS.name or any(each.name == _OF_ANSWERS.name for each in found.routes):
        return _OF_ANSWERS.words
    whole = _OF_CONTROLLER.words if found.controller is not None else ()
    if not found.foreign:
        return whole
    asked = [each.words for each in ROUTES if found.route in {None, each.name}]
    return (*whole, *(each for each in asked[0] if all(each in words for words in asked)))


@dataclass(frozen=True, slots=True)
class Promise:
    """The (ε, δ) that one person gets, with as many records as the log names for one."""

    epsilon: float
    delta: float


def claims(
    claimed: Mapping[str, object],
    *,
    guarantees: Iterable[Guarantee],
    statuses: Mapping[str, Status],
    attested: Collection[str],
    private: Promise | None,
    version: str = __version__,
) -> tuple[ClaimStanding, ...]:
    """Say of each claim whether it is shown, supported, refuted or neither.

    A claim of removal or of data deletion stands as its guarantee does. Private training and retraining are what a check finds,
    with the word that noise asks for: *supported* where it passes, as what a check cannot see is taken on trust. One that this
    version does not know is not shown.

    A claim is made to people: none stands that promises less to a person with all of their records than it says.

    Args:
        claimed: The table of claims; what is said not to hold is no claim.
        guarantees: Every guarantee.
        statuses: Of every check, by id.
        attested: Names of what the controller attests.
        private: What private training gives one person; None where it gives nothing.
        version: The version that ran.
    """
    derived = {each.id: each for each in guarantees}
    standings = {name: _standing(name, derived, statuses, attested, version) for name in sorted(stated(claimed))}
    return tuple(_of_claim(name, claimed[name], standing, derived, private) for name, standing in standings.items())


def _of_claim(
    name: str,
    claim: Any,
    standing: ClaimStatus,
    derived: Mapping[str, Guarantee],
    private: Promise | None,
) -> ClaimStanding:
    if standing not in HOLDING or not isinstance(claim, Mapping):
        return ClaimStanding(name=name, standing=standing)
    guarantee = derived.get(_BY_GUARANTEE.get(name, ""))
    if name == "dp":
        found: tuple[float | None, float | None] = (None, None) if private is None else (private.epsilon, private.delta)
    else:
        found = (None, None) if guarantee is None else (guarantee.epsilon, guarantee.delta or 0.0)
    if _kept(claim, *found, None if guarantee is None else guarantee.order):
        return ClaimStanding(name=name, standing=standing)
    return ClaimStanding(name=name, standing=ClaimStatus.NOT_SHOWN, epsilon=found[0], delta=found[1])


def _kept(claim: Mapping[str, Any], epsilon: float | None, delta: float | None, order: float | None) -> bool:
    """Whether what one person gets is no more than what is claimed; a Rényi ε says nothing of a larger order than its own."""
    if epsilon is None or delta is None:
        return False
    if order is not None and claim.get("q", order) > order:
        return False
    return bool(epsilon <= claim["epsilon"] and delta <= claim.get("delta", 0.0))


def _standing(
    name: str, derived: Mapping[str, Guarantee], statuses: Mapping[str, Status], attested: Collection[str], version: str
) -> ClaimStatus:
    if name in _BY_GUARANTEE:
        guarantee = derived.get(_BY_GUARANTEE[name])
        return ClaimStatus.NOT_SHOWN if guarantee is None else guarantee.status
    asked = (each for role in _BY_CHECK.get(name, ()) for each in with_role(role, version))
    ran = [statuses[each] for each in asked if statuses.get(each, Status.SKIPPED) is not Status.SKIPPED]
    found = _OF_CHECK.get(ran[0], ClaimStatus.NOT_SHOWN) if len(ran) == 1 else ClaimStatus.NOT_SHOWN
    silent = name in _BY_WORD and _BY_WORD[name] not in attested
    return ClaimStatus.NOT_SHOWN if silent and found is ClaimStatus.SUPPORTED else found


def unexamined(
    *,
    batches: int,
    passed: Collection[str],
    judging: Collection[str],
    claimed: Collection[str],
    version: str = __version__,
) -> bool:
    """Say whether records were deleted and nothing that passes examines the forgetting, whatever the policy lists.

    Private training promises it beforehand: it counts where it is claimed.

    Args:
        batches: How many the log deletes.
        passed: Ids of the checks that pass.
        judging: Those of them that judge the unlearning itself.
        claimed: Keys of the controller's claims.
        version: The version that ran.
    """
    promised = "dp" in claimed and any(each in passed for role in _BY_CHECK["dp"] for each in with_role(role, version))
    return batches > 0 and not promised and not judging


def contradicted(attested: Iterable[str], facts: Iterable[Fact]) -> tuple[str, ...]:
    """Name the attestations that the run refutes: a word that is found false keeps the verdict from pass.

    Clean preprocessing is among them whether it is attested or not: retained records that were scaled by deleted ones carry
    something of them into every model, a retrained one included.
    """
    false = {each.name for each in facts if each.how is Provenance.REFUTED}
    return tuple(name for name in sorted({*attested, PREPROCESSING}) if false.intersection(facts_of(name)))


def above_extractor(procedure: Procedure) -> bool:
    """Whether a procedure declares that its features come from a private extractor, trained on the same records."""
    return procedure.removal is not None and procedure.removal.extractor is not None


def silent(
    attested: Collection[str],
    *,
    requests: int,
    batches: int,
    extractor: bool,
    lineage: bool = False,
    refuted: Collection[str] = (),
    places: bool = False,
) -> tuple[str, ...]:
    """Name the attestations that a pass asks for where people asked for erasure, or records were deleted, and that nobody made.

    No check finds out that a log is complete, or that nothing was prepared with the deleted records: that columns show nothing is
    no evidence. A private extractor is trained on them by its nature, and its own word says that no other step was.

    Args:
        attested: Names of what the controller attests.
        requests: How many the log has, carried out or not: one that leaves out the erasures shows none.
        batches: How many it deletes.
        extractor: Whether the features come from a private extractor.
        lineage: Whether the policy asks that everything made from the model is settled, which a list that may have gaps does not
            show.
        refuted: Names of those that the run contradicts: what is false has to be fixed, not said.
        places: Whether places alone were searched, for the people whom the log names, and nothing was learned from them.
    """
    if places:
        return ()
    asked = (
        *((LOG_COMPLETE,) if requests or batches else ()),
        *((EXTRACTOR if extractor else PREPROCESSING,) if batches else ()),
        *((LINEAGE,) if lineage and batches else ()),
    )
    return tuple(each for each in asked if each not in attested and each not in refuted)


def silent_in(evidence: Evidence) -> tuple[str, ...]:
    """Name the same of a document, by what it says of log and attestations."""
    return silent(
        {each.name for each in evidence.policy.attested},
        requests=len(evidence.requests),
        batches=evidence.deletion_log.batches,
        extractor=bool(evidence.procedure.settings.get("extractor")),
        lineage=bool(evidence.policy.settings.get("lineage_settled")),
        refuted=evidence.reliance.contradicted,
        places=evidence.places_alone,
    )


def unmet(standings: Iterable[ClaimStanding]) -> tuple[ClaimStanding, ...]:
    """The claims that keep the verdict from pass."""
    return tuple(each for each in standings if each.standing not in HOLDING)


def stated(claims_table: Mapping[str, object]) -> tuple[str, ...]:
    """The keys of what is claimed: what is said not to hold is no claim."""
    return tuple(name for name, value in claims_table.items() if value is not False and value is not None)


def held_back(evidence: Evidence) -> bool:
    """Whether cap or claims keep the verdict of a document from pass, by what it says of checks, words and guarantees.

    Raises:
        ReportError: If what it says of a check that a bound is taken from cannot be read.
    """
    statuses, version = {check.id: check.status for check in evidence.checks}, evidence.version
    (deletion,) = _derived(evidence, Role.DATA_DELETION)
    noise = (_private(each) for role in _BY_CHECK["dp"] for each in _derived(evidence, role))
    private = next((each for each in noise if each is not None), None)
    claimed, attested = stated(evidence.policy.claims), {each.name for each in evidence.policy.attested}
    capped = cap(
        foreign=evidence.procedure.entry is not None,
        statuses=statuses,
        attested=attested,
        claimed=claimed,
        independent=isinstance(deletion, ByTheorem) and deletion.theorem == BY_COUNTERFACTUAL_RUNS,
        foreign_controller=evidence.controller is not None and evidence.controller.foreign,
        reruns=evidence.reruns,
        version=version,
    )
    return (
        capped.holds
        or evidence.reliance.unexamined
        or bool(silent_in(evidence))
        or bool(evidence.reliance.contradicted)
        or bool(evidence.policy.settings.get("lineage_settled") and any(each.descent.open for each in evidence.lineage))
        or bool(unmet(_claims_of(evidence, statuses, attested, private)))
    )


def _derived(evidence: Evidence, role: Role) -> tuple[Values | None, ...]:
    """What checks with a role derived, one after the other; None for one that derived nothing."""
    listed = {check.id: check for check in evidence.checks}
    checks = (listed.get(each) for each in with_role(role, evidence.version))
    try:
        return tuple(None if check is None else derived_in(check, evidence.version) for check in checks)
    except ValueError as error:
        raise ReportError("what the evidence derived of a bound cannot be read; it is not rendered") from error


def _private(derived: Values | None) -> Promise | None:
    """What noise gives one person; None where it gives nothing, or nothing was derived."""
    person = derived.for_a_person if isinstance(derived, ForAPerson) else None
    return None if person is None else Promise(person.epsilon, person.delta)


def _claims_of(
    evidence: Evidence, statuses: Mapping[str, Status], attested: Collection[str], private: Promise | None
) -> tuple[ClaimStanding, ...]:
    return claims(
        evidence.policy.claims,
        guarantees=evidence.guarantees,
        statuses=statuses,
        attested=attested,
        private=private,
        version=evidence.version,
    )


def refuse_contradiction(evidence: Evidence) -> None:
    """Stop where the document says pass while its own checks do not.

    Raises:
        ReportError: If the verdict is pass although a required check did not pass, the isolation or the cap over foreign code
            keeps it from pass, or a claim is not at least supported; or if something else than a pass has a strength.
    """
    if evidence.verdict is not Verdict.PASS:
        if evidence.strength is not None:
            raise ReportError("the evidence contradicts itself: it grades a pass that it is not; it is not rendered")
        return
    statuses = {check.id: check.status for check in evidence.checks}
    if decide_exit_code(statuses, evidence.policy.required, capped=evidence.environment.capped) != 0:
        raise ReportError(
            "the evidence contradicts itself: its verdict is pass, but a required check did not pass; it is not rendered"
        )
    if held_back(evidence):
        raise ReportError(
            "the evidence contradicts itself: its verdict is pass, but the controller's own code passes by none of the ways that "
            "there are, a claim is not supported, or nobody attests what a pass asks for; it is not rendered"
        )
