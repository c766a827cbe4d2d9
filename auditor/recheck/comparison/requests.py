"""Find the requests whose state differs between two audits."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from auditor.document.evidence import Evidence
from auditor.pages.words.texts import text
from auditor.verdict.standing import Chain, chains


@dataclass(frozen=True, slots=True)
class Moved:
    """One request in both audits."""

    request_id: str
    old: str
    """Where it stood: what the log records, what was found of its data, what can be said of the model, the deadline."""
    new: str


def moved(old: Evidence, new: Evidence) -> tuple[Moved, ...]:
    """List the requests that both logs name and that hold otherwise now, in the order of the new log.

    An id that is on several rows of a log says nothing of one request, and is left out.
    """
    before, after = _standings(old), _standings(new)
    return tuple(
        Moved(request_id, said, after[request_id])
        for request_id in after
        if (said := before.get(request_id)) is not None and said != after[request_id]
    )


def _standings(evidence: Evidence) -> dict[str, str]:
    counts = Counter(each.request_id for each in evidence.requests)
    found = zip(evidence.requests, chains(evidence), strict=True)
    return {request.request_id: said(chain) for request, chain in found if counts[request.request_id] == 1}


def said(chain: Chain) -> str:
    """Where a request stands, in a few words."""
    parts = [text("diff-recorded", status=chain.recorded)]
    if chain.data is not None:
        parts.append(text("diff-data", found=chain.data.value))
    if chain.model is not None:
        parts.append(text("diff-model", standing=chain.model.value))
    if chain.late:
        parts.append(text("diff-late"))
    return ", ".join(parts)
