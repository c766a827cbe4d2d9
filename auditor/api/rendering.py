"""Rechecks results and renders documents for a Python caller."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

from auditor.api.audits import LOG, Audit, Source, evidence_of
from auditor.api.results.documents import Format, Reader, formats, refuse_signed, rendered
from auditor.api.results.rendering import loader
from auditor.api.sources import EVIDENCE, PathLike, evidence_file, path_of
from auditor.base import extras, process_marks
from auditor.base.domain import Problem
from auditor.base.errors import InputError, LackingPartError, UsageError
from auditor.base.outputs import of_evidence
from auditor.base.writing import write_all
from auditor.document import evidence_files
from auditor.pages.taking_part import taking_part_in
from auditor.pages.words.rendered_evidence import tell
from auditor.pages.words.texts import say
from auditor.recheck import Outcome, recheck

_ENDINGS: Final = {
    ".pdf": Format.PDF,
    ".html": Format.HTML,
    ".md": Format.MD,
    ".xml": Format.JUNIT,
    ".sarif": Format.SARIF,
    ".json": Format.JSON,
    ".cdx.json": Format.CYCLONEDX,
    ".oscal.json": Format.OSCAL,
}
_PDF: Final = b"%PDF-"


def verify(results: Source, *, key: PathLike | None) -> Outcome:
    """Recheck results; see `auditor.api.verify`."""
    public = None if key is None else path_of(key, "key", "the path of a public key")
    content = results.to_bytes() if isinstance(results, Audit) else results
    if isinstance(content, bytes):
        if public is not None:
            raise UsageError("verify: a key asks for a signed statement next to a file; give the path of the file or its folder")
        return _recheck_bytes(content)
    expected = "an Audit, a path or the bytes of an evidence.json, a report or a letter"
    return recheck(path_of(content, "results", expected), public_key=public, renderer=loader(LOG.info))


def _recheck_bytes(content: bytes) -> Outcome:
    """Recheck one document as if it were alone in a folder."""
    with tempfile.TemporaryDirectory(prefix=process_marks.prefix()) as folder:
        # One folder further down: a file of a case is looked for in the folder above too.
        path = Path(folder) / "audit" / ("report.pdf" if content.startswith(_PDF) else EVIDENCE)
        path.parent.mkdir()
        path.write_bytes(content)
        return recheck(path, renderer=loader(LOG.info))


def read(results: PathLike | bytes) -> Audit:
    """Read evidence that follows from what it rests on; see `auditor.api.read`."""
    content = results if isinstance(results, bytes) else evidence_files.content_of(evidence_file(results))
    name = EVIDENCE if isinstance(results, bytes) else str(evidence_file(results))
    evidence = evidence_files.parse(content, name)
    outcome = verify(content, key=None)
    if outcome.lacking:
        raise LackingPartError("; ".join(outcome.lacking))
    if findings := outcome.findings:
        expected = "what follows from what was declared and observed"
        raise InputError([Problem(name, finding.place, expected, finding.message) for _, finding in findings])
    return Audit(evidence)


def report(evidence: Source, *, to: PathLike | None, reader: str | None, form: str | None) -> bytes | Path:
    """Render a report; see `auditor.api.report`."""
    path = None if to is None else path_of(to, "to", "the path of a file")
    asked = _reader(reader)
    chosen = _format(asked, form, path)
    if chosen is Format.PDF:
        extras.require("report", "a report in PDF")
    source = evidence_of(evidence)
    with taking_part_in(source):
        content, _ = rendered(tell(source), chosen, whole=asked is not Reader.OFFICER)
    if path is None:
        return content
    from auditor.api.results.letters import refuse_over_letter  # noqa: PLC0415

    refuse_signed(path)
    refuse_over_letter(path, content)
    write_all({path: content})
    return path


def _reader(name: str | None) -> Reader | None:
    if name == Reader.SUBJECT:
        raise UsageError("for_='subject': a report covers every request; letter(evidence, request) writes to one person")
    served = [each.value for each in Reader if formats(each)]
    if name is not None and name not in served:
        raise UsageError(f"for_: expected {' or '.join(map(repr, served))}, found {name!r:.60}")
    return None if name is None else Reader(name)


def _format(reader: Reader | None, form: str | None, path: Path | None) -> Format:
    allowed = formats(reader)
    names = " or ".join(repr(each.value) for each in allowed)
    if form is None and path is not None:
        chosen = _ENDINGS.get("".join(path.suffixes[-2:]).lower()) or _ENDINGS.get(path.suffix.lower())
        if chosen is None:
            endings = " or ".join(ending for ending, each in _ENDINGS.items() if each in allowed)
            raise UsageError(f"to: expected a file ending in {endings}, or format={names}, found {path.name!r:.60}")
    elif form is None:
        chosen = allowed[0]
    elif form in set(Format):
        chosen = Format(form)
    else:
        raise UsageError(f"format: expected {names}, found {form!r:.60}")
    if chosen not in allowed:
        raise UsageError(f"format: for_={str(reader)!r} is served in {names}, found {chosen.value!r}")
    return chosen


def letter(evidence: Source, request: str, *, to: PathLike | None, subject: str | None, draft: bool) -> bytes | Path:
    """Write a letter; see `auditor.api.letter`."""
    path = None if to is None else path_of(to, "to", "the path of a file")
    extras.require("report", "a letter")
    from auditor.api.results.letters import asked, write_letter  # noqa: PLC0415
    from auditor.pages import letter as letters  # noqa: PLC0415 - loads the layout engine

    source = evidence_of(evidence)
    with taking_part_in(source):
        extracted = asked(source, request, subject, draft=draft)
        content = letters.pdf(extracted)
    if path is None:
        return content
    place = _list(evidence, path)
    write_letter(path, content, extracted.evidence_sha256, None, notice=LOG.info)
    if place is not None:
        from auditor.api.results.papers import paper_to  # noqa: PLC0415

        paper_to(place, path, content, "draft" if draft else "letter", request, subject)
    return path


def reply(evidence: Source, request: str, *, to: PathLike | None, subject: str | None, form: str | None) -> bytes | Path:
    """Draft a reply; see `auditor.api.reply`."""
    path = None if to is None else path_of(to, "to", "the path of a file")
    from auditor.api.results import replies  # noqa: PLC0415

    if form is not None and form not in set(replies.Form):
        raise UsageError(f"format: expected 'docx' or 'pdf', found {form!r:.60}")
    by_name = None if path is None else replies.form_of(path.name)
    if path is not None and (by_name is None or form not in {None, by_name}):
        raise UsageError(f"to: expected a file ending in .{form or 'docx or .pdf'}, found {path.name!r:.60}")
    chosen = by_name or replies.Form(form or replies.Form.DOCX)
    if chosen is replies.Form.PDF:
        extras.require("report", "a reply in PDF")
    source = evidence_of(evidence)
    with taking_part_in(source):
        drafted = replies.draft(source, request, subject, chosen)
    if path is None:
        return drafted.content
    place = _list(evidence, path)
    replies.write(path, drafted)
    if place is not None:
        from auditor.api.results.papers import paper_to  # noqa: PLC0415

        paper_to(place, path, drafted.content, "reply", request, subject)
    return path


def _list(evidence: Source, path: Path) -> Path | None:
    """List the folder of a letter or a reply in the case that its evidence lies in, for a purge to look there.

    Returns:
        Where the evidence lies; None where it lies nowhere.
    """
    if isinstance(evidence, bytes):
        return None
    place = evidence_file(evidence) if isinstance(evidence, str | os.PathLike) else evidence.files.get("evidence")
    if place is not None and not of_evidence(place, path.parent):
        LOG.info(say("cli-not-found-by-purge", folder=path.parent))
    return place
