"""The evidence document: the one result of an audit, which every report, letter and recheck only reads.

It is a JSON object, written as RFC 8785 canonical bytes: equal evidence means equal bytes and one digest. Identifiers and seeds
are strings; a number that could not be had is null, with the reason alongside it. The schema is published by `auditor schema`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

import rfc8785
from pydantic import ConfigDict, Field, SerializationInfo, TypeAdapter, field_serializer

from auditor.base.deletion_log.requests import RequestOutcome
from auditor.base.domain import Certificate, Check, Guarantee, InputFile, Strength, Verdict
from auditor.document.conclusions import Examined, Levels, Reliance, StatedDescendant, StatedPremise, TakenPart
from auditor.document.context import (
    Attested,
    Audit,
    CaseFacts,
    ControllerFacts,
    DeletionLogFacts,
    Environment,
    Fragment,
    PolicyFacts,
    ProcedureFacts,
    SizeFacts,
)
from auditor.document.later_fields import later, undeclared
from auditor.settings.documents import OutsidePlace
from auditor.settings.receipts import Receipt

SCHEMA: Literal["auditor.evidence/2"] = "auditor.evidence/2"
LARGEST_INTEGER = 2**53 - 1
"""The largest integer that every JSON reader keeps (RFC 8785, section 3.2.2.3)."""


_REQUESTS: Final = TypeAdapter(list[RequestOutcome], config=ConfigDict(defer_build=True))
_AT_ONCE: Final = 2000


def _as_logged(requests: tuple[RequestOutcome, ...], *, mode: Literal["json", "python"]) -> list[dict[str, Any]]:
    """What most logs leave out is left out here too: a key that is missing has the default of the schema."""
    values: list[dict[str, Any]] = _REQUESTS.dump_python(list(requests), mode=mode, exclude_defaults=True)
    return values


class Evidence(Fragment):
    """Everything that one audit found."""

    schema_: Literal["auditor.evidence/2"] = SCHEMA
    verdict: Verdict
    default_policy_verdict: Verdict
    """The verdict over the same findings with [policy] empty and [swap] at its defaults."""
    strength: Strength | None
    """What the pass is worth; null where the verdict is no pass."""
    examined: Examined
    reliance: Reliance
    audit: Audit
    case: CaseFacts
    procedure: ProcedureFacts
    policy: PolicyFacts
    sizes: SizeFacts
    environment: Environment
    deletion_log: DeletionLogFacts
    checks: tuple[Check, ...]
    certificates: tuple[Certificate, ...]
    guarantees: tuple[Guarantee, ...]
    requests: tuple[RequestOutcome, ...]
    controller: ControllerFacts | None = Field(default=None, exclude_if=undeclared)
    """The whole controller, where one was audited."""
    outside: tuple[OutsidePlace, ...] = Field(default=(), exclude_if=undeclared)
    """Places beyond the store where the records may be, as declared; no check looks into them."""
    lineage: tuple[StatedDescendant, ...] = later("0.2.0", ())
    """What was made from the model, as declared; whether it still depends on deleted records follows from the dates."""
    receipts: tuple[Receipt, ...] = later("0.2.0", ())
    """Receipts of processors, as declared, each with the digest of its file; no check reads one."""
    parts: tuple[TakenPart, ...] = later("0.2.0", ())
    """Parts of third parties that took part, by name."""
    levels: Levels | None = later("0.2.0")
    """How often chance alone accuses an honest case like this one, or leaves it open; None in documents that do not say."""
    premises: tuple[StatedPremise, ...] = later("0.2.0", ())
    """What a pass of this case rests on, said or unsaid; empty in documents that do not say."""

    model_config = ConfigDict(
        alias_generator=lambda name: "schema" if name == "schema_" else name,
        populate_by_name=True,
    )

    @field_serializer("requests")
    def _requests(self, requests: tuple[RequestOutcome, ...], info: SerializationInfo) -> list[dict[str, Any]]:
        return _as_logged(requests, mode="json" if info.mode_is_json() else "python")

    @property
    def learns(self) -> bool:
        """Whether the case has a procedure that learns: not where it is of a whole controller, or of places, alone."""
        return self.procedure.use not in {"none", "places"}

    @property
    def places_alone(self) -> bool:
        """Whether the case is of places and a log, and of no model."""
        return self.procedure.use == "places"

    @property
    def version(self) -> str:
        """The version that wrote the document, and by whose judges it is judged."""
        return self.audit.auditor_version

    @property
    def reruns(self) -> bool:
        """Whether there was anything to run: not where the case has nothing but answers that models gave."""
        return self.procedure.use != "answers"

    def to_bytes(self) -> bytes:
        """RFC 8785 canonical bytes.

        Raises:
            ValueError: If something in it has no canonical form, such as a number that is not finite.
        """
        parts = self.model_dump(mode="json", by_alias=True, exclude={"requests"})
        written = {name: rfc8785.dumps(part) for name, part in parts.items()}
        # Some at a time: of 100,000 requests as values at once there would be a hundred megabytes.
        some = (_outcomes(self.requests[start : start + _AT_ONCE]) for start in range(0, len(self.requests), _AT_ONCE))
        written["requests"] = b"[%s]" % b",".join(some)
        return b"{%s}" % b",".join(b'"%s":%s' % (name.encode(), written[name]) for name in sorted(written))

    def check(self, check_id: str) -> Check:
        """The check of that id.

        Raises:
            KeyError: If the evidence holds no such check.
        """
        for check in self.checks:
            if check.id == check_id:
                return check
        raise KeyError(check_id)


def _outcomes(requests: tuple[RequestOutcome, ...]) -> bytes:
    """Some requests in RFC 8785 form, without brackets, by Python's own encoder: of 100,000 the general one would take a second.

    It differs from RFC 8785 in floats, large integers and the order of keys outside ASCII alone, and a request has none of them.
    """
    values = _as_logged(requests, mode="json")
    if any(abs(each.get(key) or 0) > LARGEST_INTEGER for each in values for key in ("days", "records", "paused_days")):
        return rfc8785.dumps(values)[1:-1]
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()[1:-1]


def digest(data: bytes) -> str:
    """SHA-256 in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def digest_of(value: Any) -> str:
    """SHA-256 of the RFC 8785 form of a JSON value."""
    return digest(rfc8785.dumps(value))


def case_digest(inputs: Iterable[InputFile]) -> str:
    """SHA-256 over the canonical list of a case's inputs."""
    return digest_of([[item.path, item.sha256] for item in inputs])


def policy_digest(
    required: Sequence[str], settings: Mapping[str, Any], claims: Mapping[str, Any], attested: Sequence[Attested]
) -> str:
    """The digest over everything that was fixed before the run."""
    words = [each.model_dump(mode="json") for each in attested]
    return digest_of([list(required), dict(settings), dict(claims), *([words] if words else [])])
