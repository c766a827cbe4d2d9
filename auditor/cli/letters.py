"""The command that writes letters: certificate."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.base import extras
from auditor.base.errors import UsageError
from auditor.base.outputs import of_evidence
from auditor.base.writing import require_folder_of
from auditor.cli.keys import open_signer
from auditor.terminal.options import EvidencePath, Json, Lang, Quiet, Subject, evidence_at, refuse_language, take_parts_in
from auditor.terminal.output import narrate, print_json, say
from auditor.terminal.progress import progress

if TYPE_CHECKING:
    from auditor.document.evidence import Evidence
    from auditor.pages.letters import Extract
    from auditor.recheck.signing import Signer


def certificate(
    context: typer.Context,
    evidence: EvidencePath,
    request: Annotated[str | None, typer.Option(metavar="ID", help="The request id, as in the log.", show_default=False)] = None,
    everyone: Annotated[
        Path | None, typer.Option("--all", metavar="DIR", help="Write a letter for every request, into DIR.", show_default=False)
    ] = None,
    subject: Subject = None,
    draft: Annotated[
        bool, typer.Option("--draft", help="Write a draft, not to be sent, with blanks where [case] lacks something.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File to write; next to the evidence if left out; - for stdout.",
            show_default=False,
        ),
    ] = None,
    sign: Annotated[
        Path | None,
        typer.Option(metavar="KEY", help="Sign each letter; the statement is written next to it.", show_default=False),
    ] = None,
    lang: Lang = "en",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write the letter for one erasure request.

    A one-sheet PDF in plain words for the person who asked. It says nothing about any other request. Send it with your reply.
    It names the controller and a contact, which [case] must give, and the authority, which [case] must give for requests under
    eu. A letter that is there already is never overwritten, as it may have been sent; a draft is.
    """
    refuse_language(lang)
    if subject is not None and request is None:
        raise UsageError("certificate: --subject says whose letter of a request it is; it needs --request ID")
    if (request is None) == (everyone is None):
        raise UsageError("certificate: expected either --request ID or --all DIR")
    if everyone is not None and output is not None:
        raise UsageError("certificate: --all DIR names the files itself; leave out -o")
    if sign is not None and output is not None and str(output) == "-":
        raise UsageError("certificate: --sign writes a statement next to the letter, and - is no file; leave one of them out")
    if output is not None and str(output) != "-":
        require_folder_of(output)
    extras.require("report", "certificate")
    from auditor.api.results.letters import asked  # noqa: PLC0415
    from auditor.document import evidence_files  # noqa: PLC0415
    from auditor.pages import letter  # noqa: PLC0415

    signer = open_signer(sign) if sign is not None else None
    evidence = evidence_at(evidence)
    document = evidence_files.read(evidence)
    take_parts_in(context, document)
    if everyone is not None:
        listed_or_told(evidence, everyone, quiet=quiet or as_json)
        _all(document, everyone, signer, draft=draft, as_json=as_json, quiet=quiet)
    elif request is not None:
        extracted = asked(document, request, subject, draft=draft)
        path = output if output is not None else evidence.with_name(letter.file_name(request, subject))
        content = _one(extracted, evidence, path, signer, as_json=as_json, quiet=quiet)
        if content is not None:
            from auditor.api.results.papers import letter_to, paper_to  # noqa: PLC0415

            if output is None:
                letter_to(path, content, request, subject, draft=draft)
            else:
                paper_to(evidence, path, content, "draft" if draft else "letter", request, subject)


def _one(extracted: Extract, evidence: Path, path: Path, signer: Signer | None, *, as_json: bool, quiet: bool) -> bytes | None:
    """Write one letter; give what a file holds of it, and nothing of one that went to stdout."""
    from auditor.api.results.letters import write_letter  # noqa: PLC0415
    from auditor.pages import letter  # noqa: PLC0415

    with progress(shown=not quiet) as on_step:
        on_step("letters", 0, 1)
        content = letter.pdf(extracted, signed_by=_key_of(signer))
    if str(path) == "-":
        sys.stdout.buffer.write(content)
        return None
    listed_or_told(evidence, path.parent, quiet=quiet or as_json)
    placed = write_letter(path, content, extracted.evidence_sha256, signer, notice=narrate)
    if as_json:
        print_json({"request_id": extracted.request.request_id, "path": str(path), "bytes": len(content), **placed.as_json()})
    elif not quiet:
        typer.echo(say("cli-written" if placed.written else "cli-letter-the-same", path=path))
        if placed.over_draft:
            typer.echo(say("cli-letters-over-draft", count=1))
    return content


def listed_or_told(evidence: Path, folder: Path, *, quiet: bool) -> None:
    """List a folder of letters in the case of the evidence, for a purge to look there; say where nothing lists it."""
    if folder.resolve() != evidence.resolve().parent and not of_evidence(evidence, folder):
        narrate(say("cli-not-found-by-purge", folder=folder), quiet=quiet)


def _key_of(signer: Signer | None) -> str | None:
    return None if signer is None else signer.public_key.keyid


def _of_sent(document: Evidence, folder: Path, sent: Mapping[str, str]) -> Iterable[str]:
    """Say of which requests other letters are there; of several once, as those of another audit are all other letters."""
    from auditor.api.results.letters import listed  # noqa: PLC0415

    if len(sent) <= 1:
        return sent.values()
    day = f"{document.audit.finished_at:%Y-%m-%d}"
    return [say("cli-letters-sent", names=listed(list(sent)), folder=folder, day=day)]


def _narrate_all(folder: Path, new: int, over_drafts: int, *, same: int) -> None:
    """Say how many letters were written, and what became of those that lay there."""
    typer.echo(say("cli-letters-written", count=new, folder=folder))
    if over_drafts:
        typer.echo(say("cli-letters-over-draft", count=over_drafts))
    if same:
        typer.echo(say("cli-letters-the-same", count=same))


def _all(document: Evidence, folder: Path, signer: Signer | None, *, draft: bool, as_json: bool, quiet: bool) -> None:
    """One letter after the other, each written whole; those whose rows cannot be told apart are left out and named."""
    from auditor.api.results.letters import NOBODY, SentError, listed, write_letter  # noqa: PLC0415
    from auditor.api.results.papers import letter_to  # noqa: PLC0415
    from auditor.pages import letter  # noqa: PLC0415
    from auditor.pages.letters import addressees, canonical_digest, extract, require_sender  # noqa: PLC0415

    if not document.requests:
        raise UsageError(NOBODY)
    if not draft:
        require_sender(document)  # before the first is written: requests under different laws need different keys
    wanted, unclear = addressees(document)
    digest = canonical_digest(document)
    shared = {name for name, count in Counter(name for name, _ in wanted).items() if count > 1}
    letters: list[dict[str, object]] = []
    new = over_drafts = 0
    sent: dict[str, str] = {}
    with progress(shown=not quiet) as on_step:
        for number, (request_id, subject) in enumerate(wanted, start=1):
            named = subject if request_id in shared else None
            extracted = extract(document, request_id, named, draft=draft, evidence_sha256=digest)
            path = folder / letter.file_name(request_id, named)
            content = letter.pdf(extracted, signed_by=_key_of(signer))
            on_step("letters", number, len(wanted))
            try:
                placed = write_letter(path, content, digest, signer, notice=narrate)
            except SentError as error:
                sent[request_id] = str(error)
                continue
            new += placed.written
            over_drafts += placed.over_draft
            letter_to(path, content, request_id, named, draft=draft)
            letters.append({"request_id": request_id, "path": str(path), "bytes": len(content), **placed.as_json()})
    if as_json:
        print_json({"letters": letters})
    elif not quiet:
        _narrate_all(folder, new, over_drafts, same=len(letters) - new)
    problems = [*_of_sent(document, folder, sent)]
    if unclear:
        problems.append(f"no letter was written for ids that are on several rows of the log: {listed(sorted(unclear))}")
    if problems:
        raise UsageError("\n".join(problems))
