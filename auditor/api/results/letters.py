"""Letters: what the letter for one request says, and how it is written, with or without a signature."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from auditor.base.errors import InputError, UsageError
from auditor.base.suggestions import nearest
from auditor.base.writing import write_all
from auditor.pages import wording
from auditor.pages.letters import Extract, extract
from auditor.pages.words.texts import say
from auditor.recheck import signing
from auditor.recheck.files import EVIDENCE, REPORT
from auditor.recheck.letters import LETTER, read_letter
from auditor.recheck.pdf import asking

if TYPE_CHECKING:
    from auditor.document.evidence import Evidence
    from auditor.recheck.signing import Signer

NOBODY: Final = "the evidence holds no request: there is nobody to write to"


class SentError(UsageError):
    """A file would be written over one that a person may have been sent."""


def asked(evidence: Evidence, request: str, subject: str | None, *, draft: bool) -> Extract:
    """Extract what the letter for one request may say.

    Args:
        evidence: Of the audit.
        request: Its id, as the log has it.
        subject: The person, as the log names them, where a request is several people's.
        draft: Whether blanks may stay where [case] lacks something.

    Raises:
        UsageError: If the evidence has no such request; the message names the one that was meant, or those that there are.
        InputError: If a letter cannot be written of it.
    """
    require_request(evidence, request)
    return extract(evidence, request, subject, draft=draft)


def require_request(evidence: Evidence, request: str) -> None:
    """Refuse an id that no request of the evidence has.

    Raises:
        UsageError: If it has no such request; the message names the one that was meant, or those that there are.
    """
    known = [outcome.request_id for outcome in evidence.requests]
    if not known:
        raise UsageError(NOBODY)
    if request not in known:
        near = nearest(request, known)
        if near is None:
            hint = say("cli-requests-held", count=len(known), first=listed(known[:1]), last=listed(known[-1:]))
        else:
            hint = say("cli-request-meant", near=listed([near]))
        raise UsageError(f"the evidence holds no request {listed([request])}; {hint}")


@dataclass(frozen=True, slots=True)
class Placed:
    """A letter that lies where it was asked for."""

    written: bool
    """Whether anything was written; False where the same letter was there already."""
    statement: Path | None = None
    """Where the statement about it is; None of an unsigned one."""
    over_draft: bool = False
    """Whether a draft lay there that it replaced."""

    def as_json(self) -> dict[str, object]:
        """What `--json` says of it."""
        where = {} if self.statement is None else {"statement": str(self.statement)}
        return {**where, "written": self.written}


def write_letter(
    path: Path, content: bytes, evidence_sha256: str, signer: Signer | None, *, notice: Callable[[str], object]
) -> Placed:
    """Write a letter and, with a key, the statement about it at once; an unsigned one takes away what signed an earlier draft.

    Nothing is written where the same bytes lie there already: a letter that was sent keeps its time and its name.

    Args:
        path: Of the letter.
        content: Its bytes.
        evidence_sha256: The digest of the evidence that it was taken from.
        signer: The key that signs; None for none.
        notice: Takes a sentence about a statement that was removed.

    Raises:
        SentError: If what lies there may have been sent.
        UsageError: If it cannot be written there.
        StorageError: If it cannot be written for another reason.
    """
    statement_at = path.with_name(signing.letter_envelope(path.name))
    files = {path: content}
    if signer is not None:
        files[statement_at] = signing.sign(signing.about_letter(path.name, content, evidence_sha256), signer)
    is_draft = _is_draft(path)
    if not is_draft:
        keep_what_was_sent(path, content)
        # Alone, its letter was sent from elsewhere, or moved.
        keep_what_was_sent(statement_at, files.get(statement_at) if path.exists() else None)
    new = {each: held for each, held in files.items() if not each.is_file() or each.read_bytes() != held}
    stale = [] if signer is not None else [statement_at]
    if new or any(os.path.lexists(each) for each in stale):
        for removed in write_all(new, without=stale):
            notice(say("cli-removed-letter-signature", path=removed))
    return Placed(bool(new), None if signer is None else statement_at, over_draft=is_draft and path in new)


def keep_what_was_sent(path: Path, content: bytes | None = None) -> None:
    """Refuse to write over a file that a person may have been sent, or that somebody has worked on.

    Args:
        path: Where something is to be written.
        content: What is to be written: the same bytes again change nothing; None where nothing may lie there.

    Raises:
        SentError: If something else lies there.
    """
    if os.path.lexists(path) and (content is None or not path.is_file() or path.read_bytes() != content):
        raise SentError(say("cli-may-have-been-sent", path=path))


def refuse_over_letter(path: Path, content: bytes) -> None:
    """Keep a report from taking the place of a letter or a reply: a Word document, or a PDF that is no report.

    Args:
        path: Where the report is to be written.
        content: The report: where the same bytes lie there already, nothing is replaced, and no process takes them apart.

    Raises:
        SentError: If one of them lies there.
    """
    if _holds(path, content):
        return
    if path.suffix.lower() == ".docx":
        keep_what_was_sent(path)
    elif path.suffix.lower() == ".pdf" and path.name != REPORT and path.is_file():
        try:
            held = asking.read(path.read_bytes(), path.name)
        except (InputError, OSError):
            return  # none of ours, such as a report that broke off
        if EVIDENCE not in dict(held.attachments):
            keep_what_was_sent(path)


def _holds(path: Path, content: bytes) -> bool:
    try:
        return path.is_file() and path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False


def _is_draft(path: Path) -> bool:
    """Whether a file is a letter as it was written, and says of itself that it is not to be sent."""
    try:
        held = asking.read(path.read_bytes(), path.name) if path.is_file() else None
        if held is None or held.revisions != 1 or not held.ends:
            return False
        return read_letter(dict(held.attachments)[LETTER], path.name).extract.draft
    except (InputError, KeyError, OSError):
        return False


def listed(names: list[str]) -> str:
    """List names that come from anybody, shortened, ten at most."""
    shown = ", ".join(wording.short(name, 60) for name in names[:10])
    return say("cli-and-more", shown=shown, more=len(names) - 10) if len(names) > 10 else shown
