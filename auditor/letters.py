"""What one person's letter may say: a list of allowed facts, taken from the evidence for one request.

The letter is made from an `Extract` alone, never from the evidence, and the same `Extract` is what it carries as `letter.json`.
Nothing enters that could name or single out another request. Free texts of checks, premises and the log stay out, and so do
counts, batches, row numbers and places: a text of a check may list other requests, and a place may be called after one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any, Final, Literal

import rfc8785
from pydantic import BaseModel, ConfigDict

from auditor import deletions, guarantees, words
from auditor.checks import definitions, judging_unlearning
from auditor.deadlines import due
from auditor.decisions import refuse_contradiction
from auditor.domain import (
    Check,
    Guarantee,
    How,
    Premise,
    Problem,
    RequestOutcome,
    Standing,
    Status,
    Strength,
    Verdict,
)
from auditor.errors import InputError, ReportError
from auditor.evidence import Evidence, digest
from auditor.theorems import theorems

SCHEMA: Literal["auditor.letter/2"] = "auditor.letter/2"
UNNAMED_FACT: Final = "another-premise"
UNNAMED_RULE: Final = "another-theorem"
"""Stand for names that no catalogue of this version holds: a name that came from elsewhere may be about somebody else."""
TOLD: Final = (guarantees.CERTIFIED_REMOVAL, guarantees.DATA_DELETION, guarantees.CONTROL, guarantees.CONFIDENTIALITY)
"""The guarantees that a letter has words for, in the order in which it mentions them."""
OWN_FINDINGS: Final = (
    deletions.NOT_LOCATED,
    deletions.NO_MATCH_BUT_KNOWN,
    deletions.LOOKS_LIKE_KNOWN,
    deletions.MAY_BE_KNOWN,
    deletions.LOOKS_LIKE_RETAINED,
    deletions.EXECUTED_BEFORE_RECEIVED,
    deletions.EXECUTED_IN_FUTURE,
    deletions.EXECUTED_WITHOUT_TIME,
    deletions.STATUS_CONTRADICTED,
    deletions.DUE_BEFORE_RECEIVED,
)
"""Findings in the log that are about one row alone. The others are about two requests, and no letter reports them."""

Outcome = Literal["executed", "open", "denied", "revoked", "not-located", "no-match", "unknown"]
Search = Literal["found", "not-found", "open", "not-examined"]
Deadline = Literal["calendar-month", "days", "log"]

_OUTCOMES: Final[Mapping[str, Outcome]] = {
    "executed": "executed",
    "open": "open",
    "denied": "denied",
    "revoked": "revoked",
    "not-located": "not-located",
    "no-match": "no-match",
}


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True)


class AuditPart(_Part):
    """The run."""

    id: str
    finished_at: datetime
    auditor_version: str
    quick: bool
    capped: bool
    """True where foreign code ran in a sandbox too weak for a verdict better than inconclusive."""


class CasePart(_Part):
    """What was audited, and by whose word."""

    name: str
    release: str | None
    controller: str | None
    contact: str | None
    model_given: bool
    """Whether the model file about to be released was there to be checked."""
    store_given: bool
    """Whether a data store was there to be searched."""
    unlearns: bool
    """False where the declared procedure leaves the model as it is."""


class RequestPart(_Part):
    """This request."""

    request_id: str
    status: Outcome
    received_on: date
    due_on: date
    deadline: Deadline
    """Where the due date comes from: the calendar month, days that the policy sets, or a date in the log."""
    deleted_at: datetime | None
    days: int | None
    overdue: bool
    records: int | None
    """Records of this request that were located and carried out; null for a request that was not carried out."""
    guarantees: tuple[str, ...]
    """Ids of the guarantees, shown or supported, that cover this request."""
    findings: tuple[str, ...]
    """Codes of contradictions in its own row of the log."""
    search: Search
    """What the search of the controller's data found of this request."""


class CheckPart(_Part):
    """A check of the model that came to a result that counts."""

    id: str
    status: Status
    required: bool


class SwapPart(_Part):
    """The interval of Q that the SWAP test found on sets drawn at random."""

    low: float
    high: float
    confidence: float


class PremisePart(_Part):
    """A premise, and how it is known."""

    fact: str
    """Its name in the catalogue."""
    how: How


class DerivationPart(_Part):
    """One application of a theorem."""

    rule: str
    """The theorem's id."""
    premises: tuple[PremisePart, ...]


class GuaranteePart(_Part):
    """A guarantee that a letter has words for."""

    id: str
    status: Standing
    epsilon: float | None
    delta: float | None
    derivation: tuple[DerivationPart, ...]
    order: float | None = None
    """The Rényi order that ε is stated at; left out of letter.json where it has none."""
    advantage: float | None = None
    """How much better than guessing anybody tells at best whether the data were there; left out where no bound is known."""


class Extract(_Part):
    """Everything that the letter for one request says."""

    schema_: Literal["auditor.letter/2"] = SCHEMA
    evidence_sha256: str
    """Digest of the full evidence."""
    verdict: Verdict
    default_policy_verdict: Verdict
    strength: Strength | None
    """What a pass is worth; null where the verdict is none."""
    statements: tuple[str, ...]
    """Attestations of the controller that carry the pass."""
    unlearning_decides: bool
    """Whether a check that examines the unlearning itself is among those that decide the verdict."""
    audit: AuditPart
    case: CasePart
    request: RequestPart
    checks: tuple[CheckPart, ...]
    not_run: tuple[str, ...]
    """Checks that apply and did not run."""
    swap: SwapPart | None
    guarantees: tuple[GuaranteePart, ...]
    other_guarantees: int
    """How many further guarantees the evidence holds."""

    model_config = ConfigDict(
        alias_generator=lambda name: "schema" if name == "schema_" else name,
        populate_by_name=True,
    )

    def to_bytes(self) -> bytes:
        """RFC 8785 canonical bytes: the `letter.json` that the letter carries."""
        parts = self.model_dump(mode="json", by_alias=True)
        for part in parts["guarantees"]:
            for name in ("order", "advantage"):
                if part[name] is None:
                    del part[name]
        return rfc8785.dumps(parts)


def ambiguous(evidence: Evidence) -> tuple[str, ...]:
    """Request ids that are on more than one row: whose letter it would be cannot be known."""
    seen: dict[str, int] = {}
    for outcome in evidence.requests:
        seen[outcome.request_id] = seen.get(outcome.request_id, 0) + 1
    return tuple(request_id for request_id, rows in seen.items() if rows > 1)


def extract(evidence: Evidence, request_id: str, *, evidence_sha256: str | None = None) -> Extract:
    """What may be said to the person who made one request.

    Args:
        evidence: The whole evidence.
        request_id: Their request, exactly as the log names it.
        evidence_sha256: The digest of the evidence's canonical bytes, where it is known already.

    Raises:
        InputError: If the evidence holds no request of that id, or more than one.
        ReportError: If the verdict contradicts the checks, the evidence has no canonical form, or it gives a reason that this
            version has no words for.
    """
    refuse_contradiction(evidence)
    outcome = _the_one(evidence.requests, request_id)
    checks = {check.id: check for check in evidence.checks}
    required = frozenset(evidence.policy.required)
    # The others are about all requests together: a letter says instead what they found about its own.
    about_model = [checks[name] for name, each in definitions().items() if name in checks and each.card.letter is not None]
    return Extract(
        evidence_sha256=evidence_sha256 if evidence_sha256 is not None else canonical_digest(evidence),
        verdict=evidence.verdict,
        default_policy_verdict=evidence.default_policy_verdict,
        strength=evidence.strength,
        statements=evidence.reliance.statements,
        unlearning_decides=bool(judging_unlearning(required)),
        audit=_audit(evidence),
        case=_case(evidence),
        request=_request(evidence, outcome, checks.get("data.erased")),
        checks=_with_result(about_model, required),
        not_run=_not_run(about_model, required),
        swap=_swap(checks.get("swap.quality"), evidence.sizes.swap.confidence),
        guarantees=tuple(guarantee_part(item) for name in TOLD for item in evidence.guarantees if item.id == name),
        other_guarantees=sum(item.id not in TOLD for item in evidence.guarantees),
    )


def canonical_digest(evidence: Evidence) -> str:
    """SHA-256 of the canonical bytes of the whole evidence.

    Raises:
        ReportError: If it holds something that has no canonical form.
    """
    try:
        return digest(evidence.to_bytes())
    except ValueError as error:
        raise ReportError(f"the evidence has no canonical form: {error}") from error


def _the_one(requests: Sequence[RequestOutcome], request_id: str) -> RequestOutcome:
    """The only request of an id.

    Raises:
        InputError: If there is none, or more than one.
    """
    found = [outcome for outcome in requests if outcome.request_id == request_id]
    if len(found) != 1:
        told = "no such request" if not found else f"{len(found)} requests of that id; whose letter it is cannot be known"
        raise InputError([Problem("evidence", "requests", f"one request {request_id[:80]}", told)])
    return found[0]


def _audit(evidence: Evidence) -> AuditPart:
    return AuditPart(
        id=evidence.audit.id,
        finished_at=evidence.audit.finished_at,
        auditor_version=evidence.audit.auditor_version,
        quick=evidence.audit.quick,
        capped=evidence.environment.capped,
    )


def _case(evidence: Evidence) -> CasePart:
    return CasePart(
        name=evidence.case.name,
        release=evidence.case.release,
        controller=evidence.case.controller,
        contact=evidence.case.contact,
        model_given=evidence.case.model is not None,
        store_given=evidence.case.store is not None,
        unlearns=evidence.procedure.unlearn != "none",
    )


def _with_result(checks: Sequence[Check], required: frozenset[str]) -> tuple[CheckPart, ...]:
    return tuple(
        CheckPart(id=check.id, status=check.status, required=check.id in required)
        for check in checks
        if check.status is not Status.SKIPPED
    )


def _not_run(checks: Sequence[Check], required: frozenset[str]) -> tuple[str, ...]:
    """Ids of the checks that did not run though they apply; one that is required counts in any case."""
    return tuple(check.id for check in checks if not _has_run(check) and (check.id in required or not _does_not_apply(check)))


def _has_run(check: Check) -> bool:
    """Whether the check came to a result or tried to."""
    return check.status is not Status.SKIPPED or check.value is not None


def _does_not_apply(check: Check) -> bool:
    try:
        return words.does_not_apply(check.reasons)
    except words.UNSAYABLE as error:
        raise ReportError(f"this version has no words for why {check.id} did not run") from error


def _request(evidence: Evidence, outcome: RequestOutcome, erased: Check | None) -> RequestPart:
    status = _OUTCOMES.get(outcome.status, "unknown")
    executed = status == "executed"
    standing = {item.id for item in evidence.guarantees if item.status in {Standing.SHOWN, Standing.SUPPORTED}}
    covering = [name for name in TOLD if name in standing and name in outcome.guarantees]
    return RequestPart(
        request_id=outcome.request_id,
        status=status,
        received_on=outcome.received_on,
        due_on=outcome.due_on,
        deadline=_deadline(outcome, evidence.policy.settings.get("deadline_days")),
        deleted_at=outcome.deleted_at if executed else None,
        days=outcome.days if executed else None,
        overdue=outcome.overdue,
        records=outcome.records if executed else None,
        guarantees=tuple(covering) if executed else (),
        findings=_findings(evidence, outcome.request_id),
        search=_search(outcome.request_id, erased) if status in {"executed", "no-match"} else "not-examined",
    )


def _deadline(outcome: RequestOutcome, declared: Any) -> Deadline:
    days = declared if isinstance(declared, int) and not isinstance(declared, bool) and declared >= 0 else None
    deadline = due(replace(outcome, due_in_log=None), days)
    if deadline.extended or outcome.due_on != deadline.on:
        return "log"
    return "calendar-month" if days is None else "days"


def _findings(evidence: Evidence, request_id: str) -> tuple[str, ...]:
    """Codes of the findings whose message begins with this request and its row, as `deletions.findings` writes them."""
    problems = evidence.deletion_log.problems
    own = {item.code for item in problems if item.message.startswith(f"request {request_id} (row {item.row}): ")}
    return tuple(code for code in OWN_FINDINGS if code in own)


def _search(request_id: str, erased: Check | None) -> Search:
    """What `data.erased` found of this request; whatever is not clearly said is open."""
    if erased is None or not _has_run(erased) or erased.status is Status.ERROR:
        return "not-examined"
    named = {**(erased.observed or {}), **(erased.derived or {})}.get("request_ids")
    if not isinstance(named, list | tuple):
        return "open"
    if request_id in named:
        return "found"
    if erased.status in {Status.PASS, Status.FAIL}:
        return "not-found"
    return "open"


def _swap(check: Check | None, confidence: float) -> SwapPart | None:
    if check is None or check.value is None or check.interval is None:
        return None
    low, high = check.interval
    return SwapPart(low=low, high=high, confidence=confidence) if 0 <= low <= high <= 1 else None


def guarantee_part(item: Guarantee) -> GuaranteePart:
    """What a letter holds of a guarantee: neither its words nor what its premises rest on."""
    return GuaranteePart(
        id=item.id,
        status=item.status,
        epsilon=item.epsilon,
        delta=item.delta,
        order=item.order,
        advantage=item.terms.get("advantage") if item.status in {Standing.SHOWN, Standing.SUPPORTED} else None,
        derivation=tuple(
            DerivationPart(
                rule=derivation.rule if derivation.rule in theorems() else UNNAMED_RULE,
                premises=tuple(_premise(premise) for premise in derivation.premises),
            )
            for derivation in item.derivation
        ),
    )


def _premise(premise: Premise) -> PremisePart:
    return PremisePart(fact=premise.fact if premise.fact in guarantees.KNOWN else UNNAMED_FACT, how=premise.how)
