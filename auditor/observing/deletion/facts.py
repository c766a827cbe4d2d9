"""What the checks of data deletion let a theorem conclude, and for which ε."""

from __future__ import annotations

from collections.abc import Iterable

from auditor.case import Case
from auditor.checks.context import SECRET_BITS
from auditor.checks.deletion.goals import goal
from auditor.checks.submission import submitted
from auditor.data_deletion import Deletion
from auditor.domain import Check, Fact, How, Status
from auditor.guarantees import fact
from auditor.observing.deletion.premises import Premise
from auditor.observing.deletion.renyi import ID as RENYI
from auditor.observing.deletion.renyi import Judged
from auditor.settings.noisy_gd import NoisyGd

ADAPTIVE = "deletion.adaptive"


def facts(procedure: NoisyGd, judged: Judged, deleted: Check, answered: Check) -> tuple[Fact, ...]:
    """Every premise of the checks as a fact, whether both keep within their threshold, and what the controller says.

    Args:
        procedure: Its table.
        judged: What both checks rest on.
        deleted: `deletion.renyi`.
        answered: `deletion.adaptive`.
    """
    found = [fact(premise.name, premise.how, f"{RENYI}: {premise.found}") for premise in judged.premises if _known(premise)]
    both = (deleted, answered)
    if any(check.status is Status.FAIL for check in both):
        found.append(fact("deletion-bound-met", How.REFUTED, _words(both)))
    elif all(check.status is Status.PASS for check in both):
        found.append(fact("deletion-bound-met", How.COMPUTED, _words(both)))
    game = answered.details["game"]
    if game is not None and game.get("refuted"):
        found.append(fact("deletion-unrefuted", How.REFUTED, f"{ADAPTIVE}: {game['refuted']}"))
    found += [
        fact(premise["name"], How.ATTESTED, f"{ADAPTIVE}: {premise['found']}")
        for premise in answered.details["premises"]
        if premise["name"] != "requests-fixed"
    ]
    return (*found, *submitted(), _secrecy(procedure.seed))


def pledged(case: Case, checks: Iterable[Check]) -> Deletion | None:
    """What a guarantee of data deletion would promise; None where the case gives no cause for one.

    The ε is that of requests as they were made, for all deleted records of one person.
    """
    procedure, claim = case.settings.procedure, case.settings.claims.data_deletion
    if not isinstance(procedure, NoisyGd) and claim is None:
        return None
    by_id = {check.id: check for check in checks}
    own, adaptive = by_id[RENYI].details, by_id[ADAPTIVE].details
    return Deletion(
        order=goal(case.settings.claims, case.settings.policy, case.settings.procedure).order,
        epsilon=adaptive.get("epsilon_person"),
        source=own.get("theorem"),
        seen=adaptive.get("seen") or 0,
        known_loss=isinstance(procedure, NoisyGd) and procedure.loss is not None,
    )


def _secrecy(seed: int) -> Fact:
    if seed.bit_length() < SECRET_BITS:
        return fact("noise-secret", How.REFUTED, f"the seed has fewer than {SECRET_BITS} bits, so it can be found by trying")
    return fact("noise-secret", How.ATTESTED, f"by the controller; the seed has at least {SECRET_BITS} bits")


def _known(premise: Premise) -> bool:
    return premise.how is not How.UNKNOWN and premise.holds is not None


def _words(both: tuple[Check, Check]) -> str:
    said = []
    for check in both:
        value = "no ε" if check.value is None else f"ε = {check.value:.4g}"
        said.append(f"{check.id}: {value}" + ("" if check.threshold is None else f" of {check.threshold:g}"))
    return "; ".join(said)
