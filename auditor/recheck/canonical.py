"""The form of an evidence document: canonical bytes, and every check once in its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import rfc8785

from auditor.document.evidence import SCHEMA
from auditor.recheck.outcome import Part, part
from auditor.recheck.reading import Document
from auditor.verdict.checks import listed_in


def recheck_form(document: Document) -> Part:
    """Hold the bytes against their RFC 8785 form, and the checks against the contract's list."""
    return part("forms", (("evidence", _bytes(document)), ("checks", _checks(document))))


def _bytes(document: Document) -> Iterator[str]:
    exact = document.value["schema"] == SCHEMA
    # The model's own bytes also find a value in another spelling, such as a number in quotes.
    canonical = document.evidence.to_bytes() if exact else rfc8785.dumps(document.value)
    if document.content != canonical:
        yield "its bytes are not the canonical form (RFC 8785) of what it says, so its digest is not that of the evidence"


def _checks(document: Document) -> Iterator[str]:
    found, listed = (
        [check.id for check in document.evidence.checks],
        listed_in(reruns=document.evidence.reruns, version=document.evidence.version),
    )
    twice = sorted({check_id for check_id in found if found.count(check_id) > 1})
    if twice:
        yield f"more than once: {', '.join(twice)}"
    missing = [check_id for check_id in listed if check_id not in found]
    if missing:
        yield f"missing: {', '.join(missing)}"
    if document.value["schema"] == SCHEMA:
        # What a foreign part brings is known where the part is in force; where it is not, the recheck says so.
        brought = [check_id for part in document.evidence.parts for check_id in part.checks]
        yield from _unknown(found, [*listed, *brought])
    if not twice and not _in_order(found, listed):
        yield "not in the order of the contract"


def _unknown(found: Sequence[str], listed: Sequence[str]) -> Iterator[str]:
    foreign = [check_id for check_id in found if check_id not in listed]
    if foreign:
        yield f"unknown: {', '.join(foreign)}"


def _in_order(found: Sequence[str], listed: Sequence[str]) -> bool:
    """Whether the checks that the contract lists keep its order; others may come anywhere."""
    known = [check_id for check_id in found if check_id in listed]
    return known == [check_id for check_id in listed if check_id in known]
