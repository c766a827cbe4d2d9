"""Letters and replies that were written to where their user chose: listed in the case, and noted for this user.

The list may come from anybody, and so counts only as far as the notes repeat it.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from auditor.base import papers
from auditor.base.noted import note
from auditor.base.outputs import case_of
from auditor.pages.letters import mark


def paper_to(evidence: Path, path: Path, content: bytes, kind: papers.Kind, request: str, subject: str | None) -> bool:
    """Let a purge of the case know of a letter or a reply that was written to where its user chose.

    Args:
        evidence: What it was written from.
        path: Where it lies.
        content: What it holds.
        kind: What it is.
        request: The id of its request.
        subject: The person, where the request is several people's.

    Returns:
        Whether a purge will know of it.
    """
    if (case := case_of(evidence)) is None:
        return False
    paper = _paper(path, content, kind, request, subject)
    if any(each.noted() == paper.noted() for each in papers.listed(case)):
        return True  # the same again: the day on which it was first written stands
    try:
        note([paper.noted(), paper.noted_for(case)])
    except OSError:
        return False
    return papers.remember(case, paper)


def letter_to(path: Path, content: bytes, request: str, subject: str | None, *, draft: bool) -> None:
    """Note a letter under the name that its request gives it, so that it is known whatever the evidence says by then.

    Its folder is listed, and its name has the digest of its request: a purge needs no line for it.
    """
    with suppress(OSError):
        note([_paper(path, content, "draft" if draft else "letter", request, subject).noted()])


def _paper(path: Path, content: bytes, kind: papers.Kind, request: str, subject: str | None) -> papers.Paper:
    today = datetime.now(tz=UTC).date()
    return papers.Paper(kind, path.resolve(), hashlib.sha256(content).hexdigest(), today, mark(request, subject))
