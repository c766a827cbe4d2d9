"""The command that drafts the reply to one person: reply."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from auditor.base import extras
from auditor.base.errors import UsageError
from auditor.base.writing import require_folder_of
from auditor.cli.letters import listed_or_told
from auditor.terminal.options import EvidencePath, Json, Lang, Quiet, Subject, evidence_at, refuse_language, take_parts_in
from auditor.terminal.output import narrate, print_json, say


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
    from auditor.api.results import replies  # noqa: PLC0415

    form = replies.form_of(output.name)
    if form is None:
        raise UsageError(f"reply: expected -o FILE ending in .docx or .pdf, found {output.name!r:.80}")
    require_folder_of(output)
    if form is replies.Form.PDF:
        extras.require("report", "a reply in PDF")
    replies.refuse_place(output)
    from auditor.document import evidence_files  # noqa: PLC0415

    document = evidence_files.read(evidence_at(evidence))
    take_parts_in(context, document)
    drafted = replies.draft(document, request, subject, form)
    listed_or_told(evidence_at(evidence), output.parent, quiet=quiet or as_json)
    replies.write(output, drafted)
    from auditor.api.results.papers import paper_to  # noqa: PLC0415

    paper_to(evidence_at(evidence), output, drafted.content, "reply", request, subject)
    if as_json:
        print_json({"request_id": request, "path": str(output), "bytes": len(drafted.content), "blanks": drafted.blanks})
    elif not quiet:
        typer.echo(say("cli-written", path=output))
        narrate(say("cli-reply-blanks", count=drafted.blanks))
        if drafted.keys:
            narrate(say("cli-reply-keys", keys=", ".join(drafted.keys)))
