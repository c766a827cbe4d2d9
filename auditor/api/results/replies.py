"""Replies: drafted as Word documents or PDFs, written only where nothing lies, and known again by what they hold."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from auditor.api.results.letters import keep_what_was_sent, require_request
from auditor.base.errors import AuditorError, UsageError
from auditor.base.writing import write_all
from auditor.pages import pages, replies
from auditor.pages.replies import page
from auditor.recheck import signing
from auditor.recheck.files import is_subject

if TYPE_CHECKING:
    from auditor.base.deletion_log.requests import RequestOutcome
    from auditor.document.evidence import Evidence

LARGEST: Final = 4 * 1024 * 1024
"""Bytes of a file, or of what a part of it unpacks to, that is taken for a reply; those that are written have a hundredth."""
_MOST_TRIED: Final = 20
"""Replies that are drafted again to find out which of them a file is."""
_STREAM: Final = re.compile(rb"\bstream\r?\n(.*?)\r?\nendstream", re.DOTALL)


class Form(StrEnum):
    """How a reply is written."""

    DOCX = "docx"
    PDF = "pdf"


@dataclass(frozen=True, slots=True)
class Draft:
    """A reply as it is written."""

    content: bytes
    blanks: int
    """What nobody declared, and somebody has to fill in."""
    keys: tuple[str, ...]
    """Columns of the log, and keys of audit.toml, that fill some of them."""


def form_of(name: str) -> Form | None:
    """Say by its ending how a file is written; None for an ending that no reply has."""
    ending = Path(name).suffix.lower().removeprefix(".")
    return Form(ending) if ending in set(Form) else None


def draft(evidence: Evidence, request: str, subject: str | None, form: Form) -> Draft:
    """Draft the reply to one request.

    Args:
        evidence: Of the audit.
        request: Its id, as the log has it.
        subject: The person, as the log names them, where a request is several people's.
        form: How to write it.

    Raises:
        UsageError: If the evidence has no such request; the message names similar ones.
        InputError: If no reply can be drafted of it.
        MissingExtraError: If the layout engine of a PDF is not installed.
        ReportError: As for a letter.
    """
    require_request(evidence, request)
    made = replies.reply(evidence, request, subject)
    said, title, date = page.paragraphs(made), page.title(request), pages.dated(evidence.audit.finished_at)
    if form is Form.DOCX:
        from auditor.pages.replies.docx import docx  # noqa: PLC0415

        content = docx(said, title=title, date=date)
    else:
        from auditor.pages.replies.pdf import pdf  # noqa: PLC0415

        content = pdf(said, title=title, date=date)
    left = page.blanks(said)
    return Draft(content, len(left), tuple(dict.fromkeys(each.key for each in left if each.key is not None)))


def refuse_place(path: Path) -> None:
    """Refuse a file that is there, whose name is that of a result, or in the folder of a signed audit.

    Raises:
        UsageError: If the name is one that `verify` reads, or the folder one in which it refuses what nothing signs.
        SentError: If something lies there.
    """
    if is_subject(path.name):
        raise UsageError(f"reply: {path.name} is a name that verify takes for a report or a letter; choose another")
    if (path.parent / signing.STATEMENT_FILE).is_file():
        why = "holds a signed audit, in which verify refuses what nothing signs; choose another folder"
        raise UsageError(f"reply: {path.parent} {why}")
    keep_what_was_sent(path)


def write(path: Path, drafted: Draft) -> None:
    """Write a reply where nothing lies.

    Raises:
        UsageError: As for `refuse_place`, or if it cannot be written there.
        StorageError: If it cannot be written for another reason.
    """
    refuse_place(path)
    write_all({path: drafted.content})


def whose(content: bytes, form: Form, evidence: Evidence) -> RequestOutcome | None:
    """Find the request that some bytes are the reply to, as it would be written now.

    Args:
        content: A file, which may come from anybody.
        form: How it is written.
        evidence: Of the audit.

    Returns:
        The row of the log; None for a file that was edited, is of another audit or version, or is no reply.
    """
    if len(content) > LARGEST:
        return None
    parts = tuple(_parts(content, form))
    tried = 0
    for each in evidence.requests:
        title = escape(page.title(each.request_id)).encode("utf-8", "replace")
        if not any(title in part for part in parts):
            continue
        tried += 1
        if tried > _MOST_TRIED:
            break
        try:
            if draft(evidence, each.request_id, each.subject, form).content == content:
                return each
        except AuditorError:
            continue
    return None


def _parts(content: bytes, form: Form) -> Iterator[bytes]:
    """Where the title of a reply stands: a Word document is not packed, and each stream of a PDF is by itself."""
    yield content
    if form is Form.PDF:
        for stream in _STREAM.finditer(content):
            try:
                yield zlib.decompressobj().decompress(stream[1], LARGEST)
            except zlib.error:
                continue
