"""What several renderings say alike: which checks decide, what attacks found, what narrows the whole audit."""

from __future__ import annotations

from auditor.checks import judging_unlearning
from auditor.domain import Status, Verdict
from auditor.report import epsilon_readings, swap_words
from auditor.words.told import Told, ToldCheck


def required_checks(evidence: Told) -> tuple[ToldCheck, ...]:
    """The checks that decide the verdict, those that did not pass first."""
    order = {Status.FAIL: 0, Status.ERROR: 1, Status.INCONCLUSIVE: 2, Status.SKIPPED: 3, Status.PASS: 4}
    required = set(evidence.policy.required)
    return tuple(sorted((check for check in evidence.checks if check.id in required), key=lambda check: order[check.status]))


def missing_checks(evidence: Told) -> tuple[str, ...]:
    """Ids that the policy requires and the evidence does not hold at all."""
    held = {check.id for check in evidence.checks}
    return tuple(check_id for check_id in evidence.policy.required if check_id not in held)


def attacked(evidence: Told) -> tuple[str, ...]:
    """What attacks found, in sentences: in the SWAP test, and against a claimed or certified ε."""
    said: list[str] = []
    for check in evidence.checks:
        if check.id == "swap.quality":
            found = (swap_words.finding(check), swap_words.over_unlearned(check.details), swap_words.blind(check))
            said += [sentence for sentence in found if sentence]
        elif check.id == "epsilon.consistency":
            said += epsilon_readings.refutations(check.details)
    return tuple(said)


def caveats(evidence: Told) -> tuple[str, ...]:
    """What narrows the whole audit, and so belongs next to its verdict: nothing where the audit was a full one."""
    case, environment = evidence.case, evidence.environment
    said: list[str] = []
    if case.model is None:
        said.append("No model file was given: the audit covers the procedure alone, not any model about to be released.")
    if evidence.procedure.unlearn == "none":
        said.append("The declared procedure does not unlearn: a deletion leaves its model as it is.")
    if evidence.verdict is Verdict.PASS and not judging_unlearning(evidence.policy.required):
        said.append("No check that decides this verdict examines the unlearning itself: the policy requires none.")
    if case.store is None:
        said.append("No data store was given: whether the deleted records are gone from the controller's data was not examined.")
    if evidence.audit.quick:
        said.append("This was a quick run with smaller samples: what a full run would decide may have stayed open.")
    if environment.capped:
        said.append(
            f"Foreign code ran at isolation level “{environment.isolation}”, which is too weak to trust its answers: "
            "the verdict can be no better than inconclusive."
        )
    return tuple(said)
