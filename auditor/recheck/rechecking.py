"""One recheck: every document for itself, then all of them together, then the signature."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from auditor import __version__
from auditor.base.domain import Problem
from auditor.base.errors import InputError, LackingPartError, PartError
from auditor.base.writing import FIRST_STAGE
from auditor.document.evidence import Evidence, digest
from auditor.document.evidence_files import other_than_json
from auditor.pages.taking_part import taking_part_in
from auditor.recheck.derivations import recheck_evidence
from auditor.recheck.files import ENVELOPE, EVIDENCE, PAGE, REPORT, Document, Files, digests_of, find, is_letter, read_evidence
from auditor.recheck.outcome import First, Kind, Outcome, Part, Rechecked, part, shown
from auditor.recheck.pages import Look, Pages, Renderer, Signing
from auditor.recheck.pdf import asking
from auditor.recheck.pdf.contents import SIGNATURE, Contents

if TYPE_CHECKING:
    from auditor.recheck import letters

_STATEMENT: Final = "statement.dsse.json"
_ON_PAGES: Final = "comparisons of pages"
"""Whole documents are compared, and no page is counted: a PDF by attachments, cover and all that it shows."""
_KINDS: Final = {EVIDENCE: Kind.EVIDENCE, REPORT: Kind.REPORT, PAGE: Kind.PAGE}
_COVER: Final = ("digest of the evidence", "report id", "sentence")
"""What a report's first pages name of the evidence that it carries."""


@dataclass(slots=True)
class _Found:
    """What the files hold, as they are taken apart."""

    files: Files
    pages: Pages
    documents: list[Rechecked] = field(default_factory=list)
    evidence: dict[str, Document] = field(default_factory=dict)
    """By where it was: a file, or the PDF that carries it."""
    letters: dict[str, letters.Letter] = field(default_factory=dict)
    unreadable: dict[str, InputError] = field(default_factory=dict)
    lacking: dict[str, None] = field(default_factory=dict)
    """What is said of foreign parts that took part and are not installed here as they were."""

    @property
    def document(self) -> Document | None:
        """The evidence that everything else is held against: the file, or else what a report carries."""
        return next(iter(self.evidence.values()), None)

    def signing(self, statement: str) -> Signing:
        """What lies there in the way of a statement."""
        if statement not in self.files.envelopes:
            return Signing(statement, None)
        try:
            from auditor.recheck.signatures import claimed_key  # noqa: PLC0415
        except ImportError as error:
            raise _unreadable(self.files) from error
        return Signing(statement, claimed_key(self.files.envelopes, statement))


def recheck(path: Path, *, public_key: Path | None = None, renderer: Callable[[], Renderer | None] | None = None) -> Outcome:
    """Recheck a file, or everything of ours in a folder.

    Args:
        path: An evidence.json, a report or a letter in PDF, or the folder of an audit.
        public_key: With it signed statements must lie next to the files and cover them as they are; in a folder, all of them.
        renderer: Gives what renders pages again, once there are any, or None where its libraries are missing; without it they are
            not compared, and the outcome says so.

    Raises:
        InputError: If nothing can be read, or the key is not one.
    """
    if public_key is not None:
        _refuse_other_keys(public_key)
    return _recheck(find(path), path, public_key, renderer)


def _recheck(files: Files, path: Path, public_key: Path | None, renderer: Callable[[], Renderer | None] | None) -> Outcome:
    found = _Found(files, Pages(renderer))
    if files.beside is not None:
        try:
            found.evidence[EVIDENCE] = read_evidence(files.beside, EVIDENCE)
        except InputError as error:
            found.unreadable[EVIDENCE] = error
    # Evidence first, then the report that carries it, and HTML last, so that what was taken from it can be compared with it.
    for name in sorted(files.subjects, key=lambda each: (each != EVIDENCE, each != REPORT, each == PAGE)):
        try:
            _take(found, name, files.subjects[name])
        except InputError as error:
            found.unreadable[name] = error
    if not found.documents and public_key is None:
        problems = [problem for error in found.unreadable.values() for problem in error.problems]
        raise InputError(problems or [Problem(str(path), "", "a document of ours", "none of the files is one")])
    signed, protection = _signature(files, found, public_key)
    judged = [*_together(files, found), *signed]
    first = None
    if files.first is not None:
        try:
            first = _first(files.first, found, public_key, renderer)
        except InputError as error:
            judged.append((FIRST_STAGE, tuple(f"it cannot be read: {problem}" for problem in error.problems)))
    return Outcome(
        tuple(found.documents),
        part("files", judged),
        protection,
        tuple(found.pages.not_compared),
        files.others,
        files.receipts,
        tuple(found.lacking),
        first,
    )


def _first(folder: Path, whole: _Found, public_key: Path | None, renderer: Callable[[], Renderer | None] | None) -> First:
    """Recheck the first stage that lies in the folder of an audit, and whether it is one, and of that audit."""
    files = find(folder, whole=False)
    outcome = _recheck(files, folder, public_key, renderer)
    held = read_evidence(files.subjects[EVIDENCE], EVIDENCE).evidence if EVIDENCE in files.subjects else None
    if held is None:
        return First(outcome, is_one=False, of_this=False)
    own = whole.document
    same = own is not None and held.audit.started_at == own.evidence.audit.started_at
    return First(outcome, is_one=held.audit.stage is not None, of_this=same)


def _take(found: _Found, name: str, content: bytes) -> None:
    if content.startswith(SIGNATURE):
        _take_pdf(found, name, content)
    elif name == PAGE:
        _take_page(found, name, content)
    else:
        if other := other_than_json(content):
            raise InputError([Problem(name, "", f"{EVIDENCE}, a report or a letter in PDF", other)])
        document = read_evidence(content, name)
        found.evidence[name] = document
        with _parts(found, document):
            found.documents.append(recheck_evidence(document, name))


@contextmanager
def _parts(found: _Found, document: Document) -> Iterator[bool]:
    """Have the foreign parts in force that took part in an audit; False, and noted, where one is not installed as it was."""
    with ExitStack() as stack:
        try:
            stack.enter_context(taking_part_in(document.evidence))
        except (LackingPartError, PartError) as error:
            found.lacking[str(error)] = None
            yield False
            return
        yield True


def _take_pdf(found: _Found, name: str, content: bytes) -> None:
    # What tells documents apart by their words takes a tenth of the time of evidence without pages, which needs none of it.
    from auditor.pages import attachments  # noqa: PLC0415
    from auditor.pages.words.verdict import sentence_of  # noqa: PLC0415
    from auditor.recheck import carried as pdf  # noqa: PLC0415
    from auditor.recheck import letters  # noqa: PLC0415

    contents = asking.read(content, name)
    held = dict(contents.attachments)
    if EVIDENCE in held:
        document = read_evidence(held[EVIDENCE], f"{name}: {EVIDENCE}")
        found.evidence[name] = document
        with _parts(found, document) as there:
            if not there:
                found.pages.not_compared.append(f"{name} (a part that took part is not installed)")
                own = recheck_evidence(document, name)
                found.documents.append(replace(own, kind=Kind.REPORT, sha256=digest(content)))
                return
            named = digest(document.content), document.evidence.audit.id, sentence_of(document.evidence)
            look = found.pages.report(name, content, contents, document.evidence, found.signing(_STATEMENT))
            tables = attachments.of(document.evidence) if document.evidence.audit.auditor_version == __version__ else None
            carries = tuple(pdf.carried(contents, EVIDENCE, tables))
        pages = _pages(contents, carries, dict(zip(_COVER, named, strict=True)), look)
        if any(each.sha256 == named[0] for each in found.documents):
            # Rechecked as a file: its disagreements need not be listed twice.
            found.documents.append(Rechecked(name, Kind.REPORT, digest(content), (pages,), look.stated))
        else:
            with _parts(found, document):
                own = recheck_evidence(document, name)
            parts, stated = (pages, *own.parts), (*own.stated, *look.stated)
            found.documents.append(replace(own, kind=Kind.REPORT, sha256=digest(content), parts=parts, stated=stated))
    elif letters.LETTER in held:
        letter = letters.read_letter(held[letters.LETTER], f"{name}: {letters.LETTER}")
        found.letters[name] = letter
        look = found.pages.letter(name, content, contents, letter.extract, found.signing(name.removesuffix(".pdf") + ENVELOPE))
        carries = tuple(pdf.carried(contents, letters.LETTER, {}))
        pages = _pages(contents, carries, {"digest of the evidence": letter.evidence_sha256}, look)
        stated = () if found.evidence else ("everything that the letter takes from the evidence, which is not here",)
        parts = (pages, *letters.recheck_alone(letter))
        found.documents.append(Rechecked(name, Kind.LETTER, digest(content), parts, (*stated, *look.stated)))
    else:
        raise InputError([Problem(name, "", f"{EVIDENCE} or {letters.LETTER} inside", ", ".join(held) or "no attachment")])


def _take_page(found: _Found, name: str, content: bytes) -> None:
    """Hold HTML against the evidence that lies with it; alone it carries nothing that could be judged again."""
    document = found.document
    if document is None:
        raise InputError([Problem(name, "", f"{EVIDENCE} next to it, of which it is the rendering", "none that can be read")])

    with _parts(found, document) as there:
        if not there:
            found.pages.not_compared.append(f"{name} (a part that took part is not installed)")
            return
        look = found.pages.html(name, content, document.evidence, found.signing(_STATEMENT))
    named = () if digest(document.content).encode() in content else (f"it does not print the digest of {EVIDENCE}",)
    pages = part(_ON_PAGES, (("digest", named), ("content", look.messages)))
    found.documents.append(Rechecked(name, Kind.PAGE, digest(content), (pages,), look.stated))


def _pages(contents: Contents, carries: tuple[str, ...], named: dict[str, str], look: Look) -> Part:
    from auditor.recheck import carried as pdf  # noqa: PLC0415 - as above

    def missing() -> Iterator[str]:
        for what, text in named.items():
            if not pdf.named_on(contents, text):
                yield f"the {what} of the attachment is not printed on it: {text[:80]}"

    judged = (("attachments", carries), ("cover", missing()), ("what is shown", look.messages))
    return part(_ON_PAGES, judged)


def _together(files: Files, found: _Found) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Whether what lies together belongs together."""
    for name, kind in files.broken.items():
        yield name, (f"it is {kind}, and is not read",)
    for name, error in found.unreadable.items():
        yield name, tuple(f"it cannot be read: {problem}" for problem in error.problems)
    for name, first in files.alike.items():
        yield name, (f"its name looks like that of {first}, but differs",)
    for document in found.documents:
        yield document.name, _called(document)
    for where, evidence in islice(found.evidence.items(), 1):
        # What everything else is held against: the file, or else what a report carries.
        for name, other in islice(found.evidence.items(), 1, None):
            yield f"{name} and {where}", _equal(other.content, evidence.content)
        for name, letter in found.letters.items():
            yield f"{name} and {where}", _against(found, letter, evidence)
        yield from _exchanged(found, evidence.evidence)
    if found.document is not None:
        yield from _model(files, found.document)


def _called(document: Rechecked) -> tuple[str, ...]:
    """Whether a file holds what its name says: a reader opens it by its name, and a statement signs it by its name."""
    expected = Kind.LETTER if is_letter(document.name) else _KINDS.get(document.name, document.kind)
    return () if document.kind is expected else (f"it is called {_a(expected)}, and is {_a(document.kind)}",)


def _exchanged(found: _Found, evidence: Evidence) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Letters whose files have the names of letters about other requests."""
    if not found.letters:
        return
    from auditor.pages.letters import mark  # noqa: PLC0415 - only where there are letters

    marks = {mark(each.request_id, subject): each.request_id for each in evidence.requests for subject in (None, each.subject)}
    for name, letter in found.letters.items():
        named, held = marks.get(name.removesuffix(".pdf").rpartition("-")[2]), letter.extract.request.request_id
        if named not in {None, held}:
            yield name, (f"its name is that of the letter about {shown(named)}, but it is about {shown(held)}",)


def _a(kind: Kind) -> str:
    return kind.value if kind is Kind.EVIDENCE else f"a {kind}"


def _against(found: _Found, letter: letters.Letter, evidence: Document) -> tuple[str, ...]:
    """Compare a letter with the evidence that it is an extract of, which is made again."""
    from auditor.recheck import letters  # noqa: PLC0415 - only where there are letters

    with _parts(found, evidence) as there:
        return tuple(letters.against_evidence(letter, evidence.evidence, evidence.content)) if there else ()


def _model(files: Files, document: Document) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Hold the model file, where it lies here, against the digest that it had when it was audited."""
    case = document.evidence.case
    if case.model is None:
        return
    path = posixpath.normpath(case.model)
    audited = {each.sha256 for each in case.inputs if each.path == path}
    for place, sha256 in digests_of(files.folder, path).items():
        yield path, () if {sha256} == audited else (f"{place} is {sha256}, the audit examined {', '.join(audited) or 'none'}",)


def _equal(embedded: bytes, beside: bytes) -> tuple[str, ...]:
    if embedded == beside:
        return ()
    return (f"the embedded evidence is {digest(embedded)}, the file is {digest(beside)}",)


def _refuse_other_keys(public_key: Path) -> None:
    """Read the key before anything that takes seconds."""
    try:
        from auditor.recheck.signing.keys import read_public  # noqa: PLC0415
    except ImportError as error:
        expected = "the package securesystemslib[crypto], to check a signature"
        raise InputError([Problem(str(public_key), "", expected, "it is not installed")]) from error
    read_public(public_key)


def _signature(files: Files, found: _Found, public_key: Path | None) -> tuple[list[tuple[str, list[str]]], str]:
    """What does not hold of the signature, and the protection that was found."""
    if public_key is None:
        return _claims(files, found), _unchecked(files, found)
    # Only those who ask for a signature, or have one, need the libraries that check it.
    try:
        from auditor.recheck.covering import Covered, recheck_cover  # noqa: PLC0415
    except ImportError as error:
        raise _unreadable(files) from error
    return recheck_cover(Covered(files, found.document, found.letters), public_key)


def _claims(files: Files, found: _Found) -> list[tuple[str, list[str]]]:
    """Whether everything that is called a signed statement has the form of one, and contradicts no file that it names."""
    if not files.envelopes:
        return []
    try:
        from auditor.recheck.covering import Covered, recheck_claims  # noqa: PLC0415
        from auditor.recheck.signatures import recheck_form  # noqa: PLC0415
    except ImportError as error:
        raise _unreadable(files) from error
    formless = dict(recheck_form(files.envelopes))
    claims = recheck_claims(Covered(files, found.document, found.letters), without=formless)
    return [*((f"signature of {name}", [message]) for name, message in formless.items()), *claims]


def _unreadable(files: Files) -> InputError:
    expected = "the package securesystemslib[crypto], to read a signed statement"
    return InputError([Problem(next(iter(files.envelopes), _STATEMENT), "", expected, "it is not installed")])


def _unchecked(files: Files, found: _Found) -> str:
    """The protection where nobody asked for a signature."""
    if any(name.endswith(ENVELOPE) for name in files.broken):
        return "none: what is called a signed statement cannot be read"
    if files.envelopes:
        return f"a signature is present ({', '.join(files.envelopes)}), not checked (no --key)"
    if any(document.kind is not Kind.EVIDENCE for document in found.documents):
        return "the digest of the evidence, printed on the pages, and nothing else: unsigned"
    return "none: unsigned"
