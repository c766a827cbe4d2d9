"""One recheck: every document for itself, then all of them together, then the signature."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from auditor.domain import Problem
from auditor.errors import InputError
from auditor.evidence import digest
from auditor.verify import letters, printed
from auditor.verify.derivations import recheck_evidence
from auditor.verify.files import EVIDENCE, PAGE, Files, find
from auditor.verify.outcome import Kind, Outcome, Part, Rechecked, part
from auditor.verify.reading import Document, read_evidence
from auditor.words.verdict import sentence_of

_COVER: Final = ("digest of the evidence", "report id", "sentence")
"""What a report's first pages name of the evidence that it carries."""


@dataclass(slots=True)
class _Found:
    """What the files hold, as they are taken apart."""

    documents: list[Rechecked] = field(default_factory=list)
    evidence: dict[str, Document] = field(default_factory=dict)
    """By where it was: a file, or the PDF that carries it."""
    letters: dict[str, letters.Letter] = field(default_factory=dict)
    unreadable: dict[str, InputError] = field(default_factory=dict)


def recheck(path: Path, *, public_key: Path | None = None) -> Outcome:
    """Recheck a file, or everything of ours in a folder.

    Args:
        path: An evidence.json, a report or a letter in PDF, or the folder of an audit.
        public_key: With it a signed statement must lie next to the files and cover them as they are.

    Raises:
        InputError: If nothing can be read, or the key is none.
    """
    files = find(path)
    found = _Found()
    if files.beside is not None:
        try:
            found.evidence[EVIDENCE] = read_evidence(files.beside, EVIDENCE)
        except InputError as error:
            found.unreadable[EVIDENCE] = error
    # Evidence first, so that what was taken from it can be compared with it.
    for name in sorted(files.subjects, key=lambda each: each != EVIDENCE):
        try:
            _take(found, name, files.subjects[name])
        except InputError as error:
            found.unreadable[name] = error
    if not found.documents and public_key is None:
        problems = [problem for error in found.unreadable.values() for problem in error.problems]
        raise InputError(problems or [Problem(str(path), "", "a document of ours", "none of the files is one")])
    signed, protection = _signature(files, found, public_key)
    judged = [*_together(files, found), *signed]
    return Outcome(tuple(found.documents), part("files", judged), protection)


def _take(found: _Found, name: str, content: bytes) -> None:
    if content.startswith(printed.SIGNATURE):
        _take_pdf(found, name, content)
    elif name == PAGE:
        return
    else:
        document = read_evidence(content, name)
        found.evidence[name] = document
        found.documents.append(recheck_evidence(document, name))


def _take_pdf(found: _Found, name: str, content: bytes) -> None:
    pdf = printed.read_pdf(content, name)
    held = dict(pdf.attachments)
    if EVIDENCE in held:
        document = read_evidence(held[EVIDENCE], f"{name}: {EVIDENCE}")
        found.evidence[name] = document
        named = digest(document.content), document.evidence.audit.id, sentence_of(document.evidence)
        pages = _pages(pdf, EVIDENCE, dict(zip(_COVER, named, strict=True)))
        if any(each.sha256 == named[0] for each in found.documents):
            # Rechecked as a file: its disagreements need not be listed twice.
            found.documents.append(Rechecked(name, Kind.REPORT, digest(content), (pages,)))
        else:
            own = recheck_evidence(document, name)
            found.documents.append(Rechecked(name, Kind.REPORT, digest(content), (pages, *own.parts), own.stated))
    elif letters.LETTER in held:
        letter = letters.read_letter(held[letters.LETTER], f"{name}: {letters.LETTER}")
        found.letters[name] = letter
        parts = (_pages(pdf, letters.LETTER, {"digest of the evidence": letter.evidence_sha256}), *letters.recheck_alone(letter))
        stated = () if EVIDENCE in found.evidence else ("everything that the letter takes from the evidence, which is not here",)
        found.documents.append(Rechecked(name, Kind.LETTER, digest(content), parts, stated))
    else:
        raise InputError([Problem(name, "", f"{EVIDENCE} or {letters.LETTER} inside", ", ".join(held) or "no attachment")])


def _pages(pdf: printed.Printed, attachment: str, named: dict[str, str]) -> Part:
    def missing() -> Iterator[str]:
        for what, text in named.items():
            if not printed.named_on(pdf, text):
                yield f"the {what} of the attachment is not printed on it: {text[:80]}"

    return part("pages", (("attachments", printed.carried(pdf, attachment)), ("cover", missing())))


def _together(files: Files, found: _Found) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Whether what lies together belongs together."""
    for name, error in found.unreadable.items():
        yield name, tuple(f"it cannot be read: {problem}" for problem in error.problems)
    evidence = found.evidence.get(EVIDENCE)
    for name, document in found.evidence.items():
        if name != EVIDENCE and evidence is not None:
            yield f"{name} and {EVIDENCE}", _equal(document.content, evidence.content)
    for name, letter in found.letters.items():
        if evidence is not None:
            yield f"{name} and {EVIDENCE}", tuple(letters.against_evidence(letter, evidence.evidence, evidence.content))
    if evidence is not None and PAGE in files.subjects:
        named = digest(evidence.content).encode() in files.subjects[PAGE]
        yield f"{PAGE} and {EVIDENCE}", () if named else (f"{PAGE} does not print the digest of {EVIDENCE}",)


def _equal(embedded: bytes, beside: bytes) -> tuple[str, ...]:
    if embedded == beside:
        return ()
    return (f"the embedded evidence is {digest(embedded)}, the file is {digest(beside)}",)


def _signature(files: Files, found: _Found, public_key: Path | None) -> tuple[list[tuple[str, list[str]]], str]:
    """What does not hold of the signature, and the protection that was found."""
    if public_key is None:
        return [], _unchecked(files, found)
    # Only those who ask for a signature need the libraries that check one.
    from auditor import signing  # noqa: PLC0415

    key = signing.read_public(public_key)
    statements = _statements(files, found)
    messages: dict[str, list[str]] = {name: [] for name in statements.places}
    for place, message in _disagreements(files, found, statements, key):
        messages.setdefault(place, []).append(message)
    judged = [(f"signature of {name}", said) for name, said in messages.items()]
    identity = f"key {signing.key_id(key)[:16]}"
    if any(said for _, said in judged):
        return judged, f"a signature that does not hold for {identity}"
    unsigned = statements.unsigned
    agreeing = f"; {', '.join(unsigned)} not signed, in agreement with it" if unsigned else ""
    return judged, f"signed by {identity}: {', '.join((*statements.signable, *statements.own))}{agreeing}"


@dataclass(frozen=True, slots=True)
class _Statements:
    """Which statement has to cover what."""

    of_audit: Mapping[str, bytes]
    """The statements about the audit that are there."""
    signable: Mapping[str, bytes]
    """What they have to cover, by name."""
    own: Mapping[str, str]
    """The letters that have a statement of their own, with its name."""
    unsigned: tuple[str, ...]
    """The letters that have none."""

    @property
    def places(self) -> tuple[str, ...]:
        """Statements and files, in the order in which they are reported."""
        return (*self.of_audit, *self.signable, *self.own.values(), *self.own)


def _statements(files: Files, found: _Found) -> _Statements:
    from auditor import signing  # noqa: PLC0415

    signable = {name: content for name, content in files.subjects.items() if name not in found.letters}
    if files.beside is not None:
        signable[EVIDENCE] = files.beside
    own = {name: envelope for name in found.letters if (envelope := signing.letter_envelope(name)) in files.envelopes}
    of_audit = {
        name: files.envelopes[name] for name in (signing.STATEMENT_FILE, signing.TEST_RESULT_FILE) if name in files.envelopes
    }
    return _Statements(of_audit, signable, own, tuple(name for name in found.letters if name not in own))


def _disagreements(files: Files, found: _Found, statements: _Statements, key: bytes) -> Iterator[tuple[str, str]]:
    """The place and the message of everything that no statement by the key covers, or that one contradicts."""
    from auditor.verify.signatures import recheck_letter_signature, recheck_signature  # noqa: PLC0415

    # A letter that came alone, with its own statement, needs no other.
    if statements.signable or statements.of_audit or not statements.own:
        yield from recheck_signature(statements.of_audit, statements.signable, key)
    for name, envelope in statements.own.items():
        named = found.letters[name].evidence_sha256
        yield from recheck_letter_signature(name, files.subjects[name], files.envelopes[envelope], named, key)
    if EVIDENCE not in statements.signable:
        for name in statements.unsigned:
            yield name, f"no statement signs it, and no signed {EVIDENCE} lies next to it"


def _unchecked(files: Files, found: _Found) -> str:
    """The protection where nobody asked for a signature."""
    if files.envelopes:
        return f"a signature is present ({', '.join(files.envelopes)}), not checked (no --key)"
    if any(document.kind is not Kind.EVIDENCE for document in found.documents):
        return "the digest of the evidence, printed on the pages, and nothing else: unsigned"
    return "none: unsigned"
