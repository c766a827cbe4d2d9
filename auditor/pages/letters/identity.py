"""Say of which requests nobody knows who made them: their letters call no data the person's own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from auditor.base.deletion_log.requests import Awaited, ClockPause, Regime
from auditor.pages.letters.parts import RequestPart

_UNVERIFIED: Final = re.compile(
    r"\b7022\s*\(a\)|\b(?:identity|who you are)\b.*\bnot\b.*\bverif|\bnot\b.*\bverif.*\b(?:identity|who you are)\b", re.IGNORECASE
)
"""Words by which a refusal rests on it that nobody could verify who asked: in California on 11 CCR 7022(a)."""
_OF_IDENTITY: Final = re.compile(r"\b(?:11\s*\(2\)|12\s*\([26]\))", re.IGNORECASE)
"""Articles of the GDPR and the UK GDPR by which nobody has to act for somebody who cannot be identified."""
_RULE: Final = re.compile(r"\b(?:11\s*\(2\)|12\s*\([256]\)|12A\b)", re.IGNORECASE)
_EXCEPTION: Final = re.compile(r"\b17\s*\(3\)", re.IGNORECASE)


def is_unverified(request: RequestPart) -> bool:
    """Say whether a business in California refused since it could not verify who asked: it relies on no exception then."""
    said = request.exception or ""
    if request.regime is not Regime.CCPA or request.status != "denied" or "1798." in said:
        return False
    return _UNVERIFIED.search(said) is not None


def is_unproven(request: RequestPart, waits: Iterable[ClockPause] = ()) -> bool:
    """Say whether a request was refused of which nobody knows who made it: the log says so, or no proof came."""
    if request.status != "denied":
        return False
    no_proof = any(each.awaits is Awaited.IDENTITY and each.resumed_at is None for each in (*waits, *request.pauses))
    said = (request.exception, request.reason)
    by_article = request.regime is not Regime.CCPA and _OF_IDENTITY.search(request.exception or "") is not None
    return is_unverified(request) or no_proof or by_article or any(_UNVERIFIED.search(each or "") for each in said)


def is_open(request: RequestPart) -> bool:
    """Say whether nobody knows yet, or knew when it was refused, who made a request."""
    return is_unproven(request) or any(each.awaits is Awaited.IDENTITY for each in request.asked)


def rests_on_a_rule(request: RequestPart) -> bool:
    """Say whether a refusal rests on a rule about requests, and on no exception from the right to erasure."""
    said = request.exception or ""
    if request.regime is Regime.CCPA:
        return is_unverified(request)
    return _RULE.search(said) is not None and _EXCEPTION.search(said) is None
