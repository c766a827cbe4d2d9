"""Ten replies over the three regimes: one for each thing that may have become of a request."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from auditor.base.deletion_log.requests import (
    Awaited,
    ClockPause,
    ErasureGround,
    Extension,
    KeepingException,
    KeptData,
    Recipient,
    Regime,
    Undertaking,
)
from auditor.base.domain import Status, Verdict
from auditor.document.evidence import Evidence
from auditor.pages.replies import Reply, reply
from letter_cases import DAY, row, sample, undone, with_rows

HERE = "REQ-2026-0001"
UNREAD = "0" * 64
"""For the digest of the evidence, which no reply prints: to write all of it takes longer than the reply."""
DECLARED = {
    "subject": "p-1",
    "model_erased_at": DAY,
    "answered_at": DAY,
    "erasure_ground": ErasureGround.CONSENT_WITHDRAWN,
    "kept": (
        KeptData("Invoices of 2025", "section 147 of the Fiscal Code", KeepingException.LEGAL_OBLIGATION, date(2036, 1, 1)),
    ),
    "recipients_notified": (Recipient("Partner Ltd", notified_at=DAY),),
    "identity_check": "a code to the address that we have for you",
    "identity_checked_at": datetime(2026, 1, 8, 9, tzinfo=UTC),
    "signatory": "Kim Example, data protection officer",
}
CCPA = {**DECLARED, "regime": Regime.CCPA, "erasure_ground": None, "kept": ()}
LATE = {"answered_at": datetime(2026, 4, 1, tzinfo=UTC), "late_reason": "The letter lay in another department."}
ASKED = ClockPause(DAY - timedelta(days=8), None, "The address differs from that of the account", Awaited.IDENTITY)
PROOF = ClockPause(DAY - timedelta(days=8), DAY + timedelta(days=2), "a proof of identity", Awaited.IDENTITY)
WHOLE = {"kept": (), "recipients_notified": (Recipient(),)}
EXTENDED = datetime(2026, 3, 19, tzinfo=UTC)
NOTICE = Extension(notified_at=DAY, reason="Many requests came at once.", until=date(2026, 3, 20))


def found_again(evidence: Evidence) -> Evidence:
    """The same, where the search found this request's data again."""
    checks = tuple(
        replace(each, status=Status.FAIL, observed={**(each.observed or {}), "request_ids": [HERE]})
        if each.id == "data.erased"
        else each
        for each in evidence.checks
    )
    return evidence.model_copy(update={"checks": checks, "verdict": Verdict.FAIL, "strength": None})


def reply_of(evidence: Evidence, **changes: object) -> Reply:
    """The reply about the first request, changed."""
    return reply(with_rows(evidence, row(evidence, **changes)), HERE, evidence_sha256=UNREAD)


def reply_undone(status: str, **changes: object) -> Reply:
    """The reply about a request for which nothing was erased."""
    return reply(with_rows(sample(), undone(sample(), status, **changes)), HERE, evidence_sha256=UNREAD)


_MADE: Mapping[str, Callable[[], Reply]] = {
    "executed": lambda: reply_of(sample(), **DECLARED),
    "nothing declared": lambda: reply_of(sample(), answered_at=None),
    "executed under the law of California": lambda: reply_of(sample(), **CCPA, also_asked="access"),
    "refused": lambda: reply_undone(
        "denied",
        reason="We need the file for a lawsuit.",
        exception="Article 17(3)(e)",
        ground="limitation",
        signatory="Kim Example",
    ),
    "no match": lambda: reply_undone("no-match", regime=Regime.UK, answered_at=DAY, reason="Looked in CRM, billing and mail"),
    "open": lambda: reply_undone(
        "open",
        answered_at=None,
        clock_pauses=(ASKED,),
        undertaking=Undertaking("erase the data once we know that it is you", date(2027, 1, 31)),
    ),
    "revoked": lambda: reply_undone("revoked", regime=Regime.UK),
    "late": lambda: reply_of(sample(), **{**DECLARED, **LATE, "regime": Regime.UK, "clock_pauses": (PROOF,)}),
    "extended": lambda: reply_of(sample(), **{**DECLARED, **WHOLE, "extension": NOTICE, "answered_at": EXTENDED}),
    "found again": lambda: reply_of(found_again(sample()), **{**DECLARED, "kept": ()}),
}
REPLIES: Mapping[str, Callable[[], Reply]] = {name: functools.cache(make) for name, make in _MADE.items()}
"""Each is made once."""
