"""What was declared and where it ran, as judges read it; `audit` takes it from the case, `verify` from the evidence."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from auditor.base.deletion_log.requests import RequestOutcome
from auditor.document.context import (
    Audit,
    CaseFacts,
    ControllerFacts,
    DeletionLogFacts,
    Environment,
    PolicyFacts,
    ProcedureFacts,
    SizeFacts,
)
from auditor.settings.builtin import Procedure
from auditor.settings.controller import RequesterTable
from auditor.settings.lineage import Descendant
from auditor.settings.places import PlacesAlone
from auditor.settings.tables import Claims, InferenceTable, Policy, SwapTable, declared_procedure

SECRET_BITS: Final = 96
"""A seed of fewer bits can be found by trying them all."""


@dataclass(frozen=True, slots=True)
class Context:
    """Everything that a judge may know in addition to what the run observed. It holds no secret: of the seed only its length."""

    audit: Audit
    case: CaseFacts
    procedure: Procedure
    """As declared; its seed is not the declared one."""
    seed_bits: int
    """The length of the procedure's seed."""
    claims: Claims
    policy: Policy
    swap: SwapTable
    inference: InferenceTable
    requester: RequesterTable | None
    environment: Environment
    log: DeletionLogFacts
    requests: tuple[RequestOutcome, ...]
    """As logged, with dates and deadlines."""
    controller: ControllerFacts | None = None
    """The whole controller; None where none is audited."""
    lineage: tuple[Descendant, ...] = ()
    """What was made from the model, as declared."""

    @property
    def version(self) -> str:
        """The version of the auditor that ran: whatever is judged is judged as that version did."""
        return self.audit.auditor_version

    @property
    def holidays(self) -> frozenset[date]:
        """Public holidays that the case declares."""
        return frozenset(self.log.holidays)

    @property
    def learns(self) -> bool:
        """Whether the case has a procedure that learns: not where it is of a controller, or of places, alone."""
        return self.procedure.learns

    @property
    def places_alone(self) -> bool:
        """Whether the case is of places and a log, and of no model."""
        return isinstance(self.procedure, PlacesAlone)

    @property
    def foreign(self) -> bool:
        """Whether code of the controller's own runs: procedure, function that embeds, adaptive requester or whole controller."""
        requester = self.requester is not None and self.requester.foreign
        embeds = isinstance(self.procedure, PlacesAlone) and self.procedure.embed is not None
        return self.procedure.foreign or embeds or requester or self.foreign_controller

    @property
    def foreign_controller(self) -> bool:
        """Whether the whole controller is code of the case."""
        return self.controller is not None and self.controller.foreign

    def attests(self, name: str) -> bool:
        """Whether the controller attests it, by its name in `auditor.settings.attestations`."""
        return name in self.claims.attested

    @property
    def quick(self) -> bool:
        """Whether the run was a quick one, which decides nothing that rests on samples."""
        return self.audit.quick

    @property
    def first_stage(self) -> bool:
        """Whether the run ended after its first stage: what had not run by then is still to come, and nothing passes."""
        return self.audit.stage == "first"

    @property
    def seed_is_secret(self) -> bool:
        """Whether the seed is long enough not to be found by trying."""
        return self.seed_bits >= SECRET_BITS

    @property
    def classifies(self) -> bool:
        """Whether the task is classification."""
        return self.case.task == "classification"

    @property
    def both_seen(self) -> bool:
        """Whether somebody saw, or will see, a release from before a deletion as well as the one after it; silence counts."""
        seen = self.log.max_seen_releases
        return self.policy.before_and_after or (self.log.batches > 0 if seen is None else seen > 0)

    @property
    def records_removed(self) -> int:
        """The training records that executed requests removed."""
        return self.case.training_records - self.case.records_left


def context_of(
    *,
    audit: Audit,
    case: CaseFacts,
    procedure: ProcedureFacts,
    policy: PolicyFacts,
    sizes: SizeFacts,
    environment: Environment,
    deletion_log: DeletionLogFacts,
    requests: tuple[RequestOutcome, ...],
    controller: ControllerFacts | None = None,
    lineage: tuple[Descendant, ...] = (),
) -> Context:
    """The context in the sections of an evidence document.

    Raises:
        pydantic.ValidationError: If a section states a table that this version cannot have read.
    """
    return Context(
        audit=audit,
        case=case,
        procedure=declared_procedure(procedure.use, procedure.entry, procedure.unlearn, procedure.settings),
        seed_bits=procedure.seed_bits,
        claims=_claims(policy),
        policy=Policy.model_validate({**policy.settings, "required": None if policy.listed is None else list(policy.listed)}),
        swap=sizes.swap,
        inference=sizes.inference,
        requester=sizes.requester,
        environment=environment,
        log=deletion_log,
        requests=requests,
        controller=controller,
        lineage=lineage,
    )


def _claims(policy: PolicyFacts) -> Claims:
    """The claims as declared: one person attests all of it, on one day."""
    word = next(iter(policy.attested), None)
    attested = {} if word is None else {"attested_by": word.by, "attested_at": word.at}
    return Claims.model_validate({**policy.claims, "attested": [each.name for each in policy.attested], **attested})
