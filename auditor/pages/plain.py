"""What several renderings say alike: which checks decide, what narrows the whole audit."""

from __future__ import annotations

from collections import Counter
from typing import Final

from auditor.base.domain import Status, Verdict
from auditor.pages import wording
from auditor.pages.words.informative_findings import noticed
from auditor.pages.words.rendered_evidence import Told, ToldCheck
from auditor.pages.words.texts import say, text
from auditor.verdict import examination, request_status
from auditor.verdict.checks import judging_unlearning, the
from auditor.verdict.checks.card import Role
from auditor.verdict.theorems import theorems

_OF_CLAIMS: Final = frozenset({Role.PROVES, Role.CONTRADICTS, Role.EXACT, Role.TRAINING_NOISE, Role.REPORTING_NOISE})
"""Roles of checks that examine what the controller claims."""
_OF_TEXT: Final = "ngram"
"""The procedure that learns from text: its counts are held against no file, and no store is searched for sentences."""
_OF_ESTIMATORS: Final = "sklearn"
"""The procedure whose estimators may have no parameters, such as trees and neighbours: no file of theirs could be read."""


def required_checks(evidence: Told) -> tuple[ToldCheck, ...]:
    """The checks that decide the verdict, those that did not pass first."""
    order = {Status.FAIL: 0, Status.ERROR: 1, Status.INCONCLUSIVE: 2, Status.SKIPPED: 3, Status.PASS: 4}
    required = set(evidence.policy.required)
    return tuple(sorted((check for check in evidence.checks if check.id in required), key=lambda check: order[check.status]))


def checks_in_view(evidence: Told) -> tuple[ToldCheck, ...]:
    """The checks that a reader meets first, in their order: those that decide, examine a claim or saw something.

    What failed, broke off or stayed open is among them, whatever the policy lists: it is never left to who asks for all.
    """
    decide, seen = set(evidence.policy.required), {each.check_id for each in noticed(evidence.evidence)}
    saw = {Status.FAIL, Status.ERROR, Status.INCONCLUSIVE}
    claimed = bool(evidence.policy.claims)
    return tuple(
        check
        for check in evidence.checks
        if check.id in decide
        or check.id in seen
        or check.status in saw
        or (claimed and wording.has_run(check) and not check.card.roles.isdisjoint(_OF_CLAIMS))
    )


def missing_checks(evidence: Told) -> tuple[str, ...]:
    """Ids that the policy requires and the evidence does not hold at all."""
    held = {check.id for check in evidence.checks}
    return tuple(check_id for check_id in evidence.policy.required if check_id not in held)


def not_given(message: str, told: Told) -> str:
    """Choose what is said about a file that was not given: of a text case something else, as no such file could be read.

    Args:
        message: Of the catalogue, without an ending.
        told: The evidence.
    """
    if not told.evidence.reruns:
        return f"{message}-answers"
    return f"{message}-text" if told.procedure.use == _OF_TEXT else message


def no_model(message: str, told: Told) -> str:
    """Choose what is said where no model file was given: nobody is asked to name a file that the case cannot have.

    Args:
        message: Of the catalogue, without an ending.
        told: The evidence.
    """
    compared = next((check.observed for check in told.evidence.checks if check.id == _compared(told)), None)
    if told.procedure.use == _OF_ESTIMATORS and compared is not None and compared.get("parameters") is None:
        return f"{message}-unseen"
    return not_given(message, told)


def _compared(told: Told) -> str:
    """The id of the check that compares the model file."""
    return the(Role.COMPARES_FILE, told.evidence.version)


def base_folders(evidence: Told) -> str:
    """The folders of files that the procedure was given, by name."""
    return ", ".join(wording.short(each.path, 60) for each in evidence.case.base)


def caveats(evidence: Told) -> tuple[str, ...]:
    """What narrows the whole audit, or took part in it and is not the auditor's, and so belongs next to its verdict."""
    staged = () if evidence.audit.stage is None else (text("main-caveat-first"),)
    return (*staged, *narrowing(evidence), *foreign_parts(evidence))


def narrowing(evidence: Told) -> tuple[str, ...]:
    """What narrows the whole audit: nothing where the audit was a full one."""
    case, environment = evidence.case, evidence.environment
    learns, written = evidence.evidence.learns, evidence.evidence.version
    said: list[str] = [] if learns else [text(f"main-limit-{examination.alone(evidence.evidence)}")]
    if learns and case.model is None:
        said.append(text("main-caveat-model" if evidence.evidence.reruns else "main-caveat-answers"))
    if case.model_part is not None:
        said.append(text("main-caveat-part", part=case.model_part))
    if case.base:
        said.append(text("main-caveat-base", folders=base_folders(evidence)))
    if evidence.procedure.unlearn == "none":
        said.append(text("main-caveat-idle"))
    if learns and evidence.verdict is Verdict.PASS and not judging_unlearning(evidence.policy.required, written):
        said.append(text("main-caveat-blind"))
    if learns and case.store is None:
        said.append(text("main-caveat-store"))
    if evidence.audit.quick:
        said.append(text("main-caveat-quick"))
    if (budget := evidence.audit.budget) is not None and (budget.resized or budget.left_out):
        said.append(text("main-caveat-budget"))
    if environment.capped:
        said.append(text("main-caveat-capped", level=environment.isolation))
    return tuple(said)


def became(evidence: Told) -> str:
    """Say what became of the people of the log, and the reason that it gives most for holding nothing; empty without a log."""
    if not (evidence.evidence.learns or evidence.evidence.places_alone) or not evidence.requests:
        return ""
    count = request_status.became(evidence.evidence)
    # Where the log has no pseudonyms, two tickets may be one person's.
    by = "person" if any(each.subject is not None for each in evidence.requests) else "request"
    people, records = wording.plural(count.people, by), wording.plural(count.records, "record")
    said = say("main-became", by=by, people=people, records=records, several=count.several, **count.by_outcome)
    nothing = [each.reason for each in evidence.requests if each.status in request_status.BECAME["nothing"] and each.reason]
    if not nothing:
        return said
    reason, times = Counter(nothing).most_common(1)[0]
    others = len(nothing) - times
    return f"{said} {text('main-became-reason', reason=wording.short(reason, 160), count=times, others=others)}"


def foreign_parts(evidence: Told) -> tuple[str, ...]:
    """Say which parts of third parties took part, with what their theorems conclude; nothing where none did."""
    said: list[str] = []
    for part in evidence.evidence.parts:
        said.append(text("main-caveat-part-taken", name=part.name, package=part.distribution, version=part.version))
        for each in part.conclusions:
            citation = theorems()[each.id].citation
            said.append(text("main-caveat-part-concludes", name=part.name, citation=citation, standing=wording.word(each.status)))
    return tuple(said)
