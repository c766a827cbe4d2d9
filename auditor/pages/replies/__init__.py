"""What the reply to one person may say: the facts of their letter, and what their own row of the log declares.

__init__  what it is made from;  page: its words, and the blanks for whatever nobody declared;  docx, pdf: how it is written

A reply is the controller's, and no evidence. Nothing in it is guessed: what is not declared is a blank. It is made from the
letter's extract and one row of the log, so that nothing of anybody else can enter it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from auditor.base.deletion_log.deadlines import ByDue
from auditor.base.deletion_log.requests import ClockPause, ErasureGround, KeptData
from auditor.document.evidence import Evidence
from auditor.pages.letters import Extract, extract, punctuality, row_of


@dataclass(frozen=True, slots=True)
class Reply:
    """Everything that a reply is made from."""

    letter: Extract
    """Its enclosure says the same."""
    waits: tuple[ClockPause, ...]
    """When the controller waited for the person, whether or not the law stops the clock for it."""
    ground: ErasureGround | None
    kept: tuple[KeptData, ...] | None
    """Empty where the log says that nothing is kept; None where it does not say."""
    identity_check: str | None
    identity_checked_on: date | None
    signatory: str | None

    @property
    def owed(self) -> ByDue:
        """Whether the person got in time what they asked for, or an answer, if this is the first one that the log lacks."""
        return punctuality.owed(self.letter)


def reply(evidence: Evidence, request_id: str, subject: str | None = None, *, evidence_sha256: str | None = None) -> Reply:
    """What may be said in reply to the person who made one request.

    Args:
        evidence: The whole evidence.
        request_id: Their request, exactly as the log names it.
        subject: The person's pseudonym in the log, where the request is several people's.
        evidence_sha256: As for a letter.

    Raises:
        InputError: As for a letter; what [case] lacks becomes a blank.
        ReportError: As for a letter.
    """
    letter = extract(evidence, request_id, subject, draft=True, evidence_sha256=evidence_sha256)
    own = row_of(evidence, request_id, subject)
    return Reply(
        letter=letter,
        waits=tuple(sorted(own.clock_pauses, key=lambda each: each.paused_at)),
        ground=own.erasure_ground,
        kept=own.kept,
        identity_check=own.identity_check,
        identity_checked_on=None if own.identity_checked_at is None else own.identity_checked_at.date(),
        signatory=own.signatory,
    )
