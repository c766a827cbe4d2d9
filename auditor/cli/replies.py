"""The command that drafts the reply to one person: reply."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from auditor.base import extras
from auditor.base.errors import UsageError
from auditor.base.writing import require_folder_of, write_all
from auditor.terminal.options import EvidencePath, Json, Lang, Quiet, Subject, evidence_at, refuse_language, take_parts_in
from auditor.terminal.output import narrate, print_json, say

_FORMS: Final = (".docx", ".pdf")


def reply(
    context: typer.Context,
    evidence: EvidencePath,
    request: Annotated[str, typer.Option(metavar="ID", help="The request id, as in the log.", show_default=False)],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File to write: .docx to edit, .pdf to read. One that exists is never overwritten.",
            show_default=False,
        ),
    ],
    subject: Subject = None,
    lang: Lang = "en",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draft the reply to one erasure request.

    It says what the log declares and the audit found, and marks as a blank whatever nobody declared. Edit it, sign it yourself,
    and send it with the letter that auditor certificate writes. It is no evidence, and says nothing about any other request.
    """
    refuse_language(lang)
    form = output.suffix.lower()
    if form not in _FORMS:
        raise UsageError(f"reply: expected -o FILE ending in {' or '.join(_FORMS)}, found {output.name!r:.80}")
    require_folder_of(output)
    if form == ".pdf":
        extras.require("report", "a reply in PDF")
    from auditor.api.results.letters import keep_what_was_sent, require_request  # noqa: PLC0415
    from auditor.document import evidence as evidences  # noqa: PLC0415
    from auditor.pages import pages, replies  # noqa: PLC0415
    from auditor.pages.replies import page  # noqa: PLC0415
    from auditor.recheck.files import is_subject  # noqa: PLC0415

    if is_subject(output.name):
        raise UsageError(f"reply: {output.name} is a name that verify takes for a report or a letter; choose another")
    keep_what_was_sent(output)
    document = evidences.read(evidence_at(evidence))
    take_parts_in(context, document)
    require_request(document, request)
    made = replies.reply(document, request, subject)
    said, title, date = page.paragraphs(made), page.title(made), pages.dated(document.audit.finished_at)
    if form == ".docx":
        from auditor.pages.replies.docx import docx  # noqa: PLC0415

        content = docx(said, title=title, date=date)
    else:
        from auditor.pages.replies.pdf import pdf  # noqa: PLC0415

        content = pdf(said, title=title, date=date)
    keep_what_was_sent(output)
    write_all({output: content})
    blanks = page.blanks(said)
    if as_json:
        print_json({"request_id": request, "path": str(output), "bytes": len(content), "blanks": blanks})
    elif not quiet:
        typer.echo(say("cli-written", path=output))
        narrate(say("cli-reply-blanks", count=blanks))
