"""The last pass of a conclusion: digests of what was declared and decided, by which documents and cases are compared.

They are over the final values and change none: whatever decides was decided before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from auditor.base.domain import InputFile
from auditor.document.conclusions import TakenPart
from auditor.document.context import Audit, CaseFacts, PolicyFacts, ProcedureFacts
from auditor.document.evidence import case_digest, digest_of, policy_digest
from auditor.verdict import reliance
from auditor.verdict.ruling import Ruling
from auditor.verdict.sections import Sections


@dataclass(frozen=True, slots=True)
class Digested:
    """The sections that hold a digest."""

    audit: Audit
    case: CaseFacts
    procedure: ProcedureFacts
    policy: PolicyFacts


def digested(declared: Sections, ruling: Ruling) -> Digested:
    """Put digests into the sections that were declared, with what was decided of them."""
    case = declared.case.model_copy(update={"digest": case_digest(declared.case.inputs)})
    return Digested(
        audit=declared.audit.model_copy(
            update={"id": _audit_id(declared.audit, case, declared.parts), "exit_code": ruling.exit_code}
        ),
        case=case,
        procedure=_procedure(declared, case),
        policy=_policy(declared.policy, ruling.required, ruling.examined_claims),
    )


def seed_salt(inputs: Iterable[InputFile], audit_seed: str) -> str:
    """The salt of the digest of a procedure's seed."""
    return digest_of(["seed", case_digest(inputs), audit_seed])[:32]


def _audit_id(audit: Audit, case: CaseFacts, parts: Iterable[TakenPart]) -> str:
    chosen = sorted(audit.only or ())
    fitted = [] if audit.budget is None else [audit.budget.model_dump(mode="json")]
    taken = [list(each.named) for each in parts]
    added = [*fitted, *([taken] if taken else [])]
    staged = [] if audit.stage is None else [audit.stage]
    return digest_of([case.digest, audit.seed, audit.quick, chosen, audit.auditor_version, *added, *staged])[:16]


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
