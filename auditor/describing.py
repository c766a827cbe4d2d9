"""The parts of the evidence that describe: the case, its procedure, the policy, the log, and where it ran.

Nothing is judged here. Secrets stay out: of a procedure's seed only a salted digest is told, and of the controller's own settings
whatever is called a seed or a secret is blotted out.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from auditor import deletions
from auditor.case import Case
from auditor.checks import epsilon_consistency
from auditor.checks.context import Context, context_of
from auditor.checks.finding import Finding
from auditor.domain import Check, Guarantee, LogFinding, RequestOutcome, Standing
from auditor.evidence import (
    Audit,
    CaseFacts,
    DeletionLogFacts,
    Environment,
    PolicyFacts,
    ProcedureFacts,
    SizeFacts,
    Wall,
    digest_of,
    policy_digest,
)
from auditor.observing import certified, deletion, privacy
from auditor.observing.devices import Place
from auditor.sandbox import Level, examined
from auditor.sandbox.examination import probe as probe_level
from auditor.settings.certified_removal import CertifiedRemoval
from auditor.settings.learning import Foreign
from auditor.settings.networks import Torch
from auditor.settings.noisy_gd import NoisyGd

_SECRET_NAME = re.compile(r"seed|secret|passw|token|credential|private|api_?key", re.IGNORECASE)
PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "torch", "opacus", "pydantic", "jinja2", "weasyprint")
"""Packages whose versions the evidence names."""


def case_digest(case: Case) -> str:
    """SHA-256 over the canonical list of inputs."""
    return digest_of([[item.path, item.sha256] for item in case.inputs])


def case_facts(case: Case) -> CaseFacts:
    """What was audited."""
    settings = case.settings
    located = {record for request in case.requests if request.executed_at for record in request.record_ids}
    left = sum(record not in located for record in case.train.ids.tolist())
    return CaseFacts(
        name=settings.case.name,
        release=settings.case.release,
        controller=settings.case.controller,
        contact=settings.case.contact,
        digest=case_digest(case),
        inputs=case.inputs,
        model=settings.model.path if settings.model else None,
        store=settings.data.store,
        training_records=len(case.train),
        records_left=left,
        features=case.train.features.shape[1],
        classes=len(np.unique(case.train.labels)) if settings.data.task == "classification" else 0,
        holdout_records=None if case.holdout is None else len(case.holdout),
        parameters=None if case.shipped is None else int(case.shipped.size),
        task=settings.data.task,
    )


def procedure_facts(case: Case, audit_seed: int) -> ProcedureFacts:
    """The procedure as declared, its seed as a salted digest at most."""
    procedure = case.settings.procedure
    declared: dict[str, Any] = _without_secrets(procedure.model_dump(mode="json", exclude={"seed", "use", "entry", "unlearn"}))
    salt = digest_of(["seed", case_digest(case), str(audit_seed)])[:32]
    guessable = procedure.seed.bit_length() < certified.SECRET_BITS
    return ProcedureFacts(
        use=None if isinstance(procedure, Foreign) else procedure.use,
        entry=procedure.entry if isinstance(procedure, Foreign | NoisyGd | Torch) else None,
        unlearn=None if isinstance(procedure, Foreign | NoisyGd) else procedure.unlearn,
        settings=declared,
        seed_bits=procedure.seed.bit_length(),
        seed_digest=None if guessable else hashlib.sha256(f"{salt}:{procedure.seed}".encode()).hexdigest(),
        seed_salt=None if guessable else salt,
    )


def _without_secrets(value: Any) -> Any:
    """A controller's own settings with whatever is called a seed or a secret blotted out, at any depth."""
    match value:
        case dict():
            return {key: "not shown" if _SECRET_NAME.search(key) else _without_secrets(item) for key, item in value.items()}
        case list():
            return [_without_secrets(item) for item in value]
        case _:
            return value


def policy_facts(
    case: Case, checks: tuple[Check, ...], findings: Mapping[str, Finding], required: tuple[str, ...], *, by_default: bool
) -> PolicyFacts:
    """What had to hold, and which claims no check of this run speaks to."""
    settings = case.settings.policy.model_dump(mode="json", exclude={"required"}, exclude_none=True)
    claims = case.settings.claims.model_dump(mode="json", exclude={"attested"}, exclude_none=True)
    attested = case.settings.claims.attested
    examined = {"certified_removal"} if isinstance(case.settings.procedure, CertifiedRemoval) else set()
    examined |= privacy.examined_claims(checks) | deletion.examined_claims(checks)
    if epsilon_consistency.CARD.id in findings:
        examined |= epsilon_consistency.examined_claims(findings[epsilon_consistency.CARD.id])
    return PolicyFacts(
        required=required,
        listed=case.settings.policy.required,
        required_by_default=by_default,
        settings=settings,
        claims=claims,
        claims_not_examined=tuple(sorted(claims.keys() - examined)),
        attested=attested,
        digest=policy_digest(required, settings, claims, attested),
    )


def context(
    case: Case,
    *,
    audit: Audit,
    environment: Environment,
    outcomes: tuple[RequestOutcome, ...],
    problems: tuple[LogFinding, ...],
) -> Context:
    """What judges may know of a case besides what its run observes."""
    return context_of(
        audit=audit,
        case=case_facts(case),
        procedure=procedure_facts(case, int(audit.seed)),
        policy=policy_facts(case, (), {}, (), by_default=case.settings.policy.required is None),
        sizes=size_facts(case),
        environment=environment,
        deletion_log=log_facts(case, outcomes, problems),
        requests=outcomes,
    )


def size_facts(case: Case) -> SizeFacts:
    """The declared sizes of the tests that draw samples."""
    settings = case.settings
    return SizeFacts(swap=settings.swap, inference=settings.inference, requester=settings.requester)


def environment(level: Level, place: Place | None, *, capped: bool) -> Environment:
    """Where it ran; the walls are those that the procedure ran behind."""
    # A procedure that was let out of the strongest level by hand ran behind other walls, which are tried for themselves;
    # so are walls that let a GPU through.
    probes = place.probes if place is not None else None
    if probes is None:
        probes = examined().probes if level is examined().level else probe_level(level)
    found: dict[str, str] = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return Environment(
        device="none" if place is None else place.device,
        device_name="no device was asserted" if place is None else place.name,
        isolation=level.value,
        walls=tuple(Wall(name=probe.name, held=probe.held, found=probe.found) for probe in probes),
        capped=capped,
        python=platform.python_version(),
        packages=found,
    )


def log_facts(case: Case, outcomes: tuple[RequestOutcome, ...], problems: tuple[LogFinding, ...]) -> DeletionLogFacts:
    """The deletion log, summed up."""
    seen = [request.seen_releases for request in case.requests if request.seen_releases is not None]
    return DeletionLogFacts(
        requests=len(case.requests),
        records=len({record for request in case.requests for record in request.record_ids}),
        batches=len(deletions.replayable(case.requests, case.known_ids)),
        overdue=tuple(outcome.request_id for outcome in outcomes if outcome.overdue),
        problems=problems,
        max_seen_releases=max(seen, default=None),
        columns_not_read=tuple(case.columns_not_read),
    )


def covered(outcomes: tuple[RequestOutcome, ...], guarantees: tuple[Guarantee, ...]) -> tuple[RequestOutcome, ...]:
    """Each request with the guarantees that cover it: those that stand, for requests that were carried out."""
    standing = tuple(item.id for item in guarantees if item.status in {Standing.SHOWN, Standing.SUPPORTED})
    return tuple(
        replace(outcome, guarantees=standing) if outcome.status == "executed" and outcome.records else outcome
        for outcome in outcomes
    )


def stamp() -> datetime:
    """The time as the evidence states it: the clock's, or the one that SOURCE_DATE_EPOCH fixes for reproducible bytes.

    Deadlines are always judged by the clock.
    """
    fixed = os.environ.get("SOURCE_DATE_EPOCH")
    if fixed is not None and fixed.isdigit():
        return datetime.fromtimestamp(int(fixed), tz=UTC)
    return datetime.now(tz=UTC).replace(microsecond=0)
