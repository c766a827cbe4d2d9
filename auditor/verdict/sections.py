"""The sections of an evidence document that describe, and how a document is concluded from them and from what was observed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from auditor.base.deletion_log.requests import RequestOutcome
from auditor.document.conclusions import TakenPart
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
from auditor.document.evidence import Evidence
from auditor.settings.documents import OutsidePlace
from auditor.settings.lineage import Descendant
from auditor.settings.receipts import Receipt
from auditor.verdict.checks.context import Context, context_of
from auditor.verdict.checks.finding import Values


@dataclass(frozen=True, slots=True)
class Sections:
    """The sections of an evidence document that describe. What in them follows from the rest is worked out again."""

    audit: Audit
    case: CaseFacts
    procedure: ProcedureFacts
    policy: PolicyFacts
    sizes: SizeFacts
    environment: Environment
    deletion_log: DeletionLogFacts
    requests: tuple[RequestOutcome, ...]
    outside: tuple[OutsidePlace, ...] = ()
    controller: ControllerFacts | None = None
    parts: tuple[TakenPart, ...] = ()
    lineage: tuple[Descendant, ...] = ()
    receipts: tuple[Receipt, ...] = ()

    @property
    def context(self) -> Context:
        """The same as judges read it.

        Raises:
            pydantic.ValidationError: If a section states a table that this version cannot have read.
        """
        return context_of(
            audit=self.audit,
            case=self.case,
            procedure=self.procedure,
            policy=self.policy,
            sizes=self.sizes,
            environment=self.environment,
            deletion_log=self.deletion_log,
            requests=self.requests,
            controller=self.controller,
            lineage=self.lineage,
        )


@dataclass(frozen=True, slots=True)
class Conclusion:
    """How a document is concluded from what was declared and observed, since a version."""

    conclude: Callable[[Sections, Mapping[str, Values]], Evidence]
    since: str
