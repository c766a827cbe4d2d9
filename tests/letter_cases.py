"""Golden evidence of samples with what letters need in [case], and with one person's row changed at will."""

from __future__ import annotations

import functools
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from auditor.base.deletion_log.requests import RequestOutcome
from auditor.document.evidence import Evidence
from auditor.pages import letter
from auditor.pages.letters import Extract, extract
from auditor.pages.letters import page as letter_page
from auditor.recheck.derivations import derive_again
from auditor.settings.documents import OutsidePlace, RunBy
from cases import once
from sample_cases import golden

AUTHORITY = "Example Data Protection Authority, 1 Example Square, Exampletown"
NOISY = "breast-cancer-noisy-gd"
DAY = datetime(2026, 1, 17, 12, tzinfo=UTC)
NAMED = {
    "controller": "Example Ltd",
    "contact": "privacy@example.org",
    "authority": AUTHORITY,
    "dpo": "Kim Example",
    "run_by": RunBy(name="Robin Example", relation="internal"),
    "in_use_since": date(2026, 6, 15),
}
PLACES = (
    OutsidePlace(
        name="backups", what="overwritten after 30 days", until=date(2026, 7, 1), declared_by="Sam Example, head of operations"
    ),
    OutsidePlace(name="recipients", what="a partner had samples", declared_by="Sam Example, head of operations"),
)


@functools.cache
def sample(name: str = "digits-newton") -> Evidence:
    """A sample's evidence with everything declared that a letter prints, and no person named in its log."""
    kept = golden(name)
    # Judged by the present rules, and with a claim that is kept to every person.
    claims = {"data_deletion": {**kept.policy.claims["data_deletion"], "epsilon": 0.3}} if name == NOISY else kept.policy.claims
    listed = kept.policy.listed and tuple(each for each in kept.policy.listed if each != "epsilon.consistency")
    policy = kept.policy.model_copy(update={"claims": claims, "listed": listed})
    given = kept.model_copy(update={"policy": policy, "outside": PLACES})
    found = Evidence.model_validate_json(once(f"{name}.lettered.json", lambda: derive_again(given).to_bytes()))
    nameless = tuple(replace(each, subject=None) for each in found.requests)
    return found.model_copy(update={"case": found.case.model_copy(update=NAMED), "requests": nameless})


def row(evidence: Evidence, **changes: Any) -> RequestOutcome:
    """The first request, changed."""
    return replace(evidence.requests[0], **changes)


def with_rows(evidence: Evidence, *rows: RequestOutcome) -> Evidence:
    """The same evidence with these requests alone."""
    return evidence.model_copy(update={"requests": rows})


def undone(evidence: Evidence, status: str, **changes: Any) -> RequestOutcome:
    """The first request, as one for which nothing was erased."""
    return row(evidence, status=status, deleted_at=None, days=None, guarantees=(), **changes)


def letter_of(evidence: Evidence, **changes: Any) -> Extract:
    """The extract of the first request, changed."""
    return extract(with_rows(evidence, row(evidence, **changes)), evidence.requests[0].request_id)


def page_of(found: Extract) -> letter_page.Page:
    """What the letter says."""
    return letter_page.page(found)


def html_of(found: Extract) -> str:
    """The letter before it is laid out."""
    return letter.html(found, date=found.audit.finished_at, signed_by=None)


def said(found: Extract) -> str:
    """All sentences of a letter in one line."""
    page = page_of(found)
    rows = (each for one in page.rows for each in (one.label, one.word, *one.sentences))
    rights = (page.rights.complain, page.rights.authority or "", *page.rights.further, page.rights.contact)
    return " ".join(
        (
            *(page.head, *page.dates, *rows, *rights, *page.statements, *page.number, *page.found, *page.unsettled),
            *(*page.topics, *page.limits, *page.places, *page.about, page.stated, page.further_by, *page.further),
        )
    )
