"""Ways to tamper with the folder of a signed audit, each a small function from an honest folder to a tampered one.

Nobody here has the key, unless the field says so: the holder can sign anything at any time, and what is signed then must still
agree with itself.
"""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pypdf import PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, StreamObject, TextStringObject

import rechecks
from auditor.pages.letter import file_name
from auditor.pages.letters import extract
from auditor.recheck import signing
from forged_pages import annotated, held, rewritten, updated
from signed_folders import (
    EVIDENCE,
    LETTERS,
    MODEL,
    PAGE,
    REPORT,
    changed,
    changed_letter,
    earlier,
    evidence,
    letter_of,
    page,
    report,
    results,
    statements,
)

Tamper = Callable[[Path], object]
STATEMENT, TEST_RESULT = signing.STATEMENT_FILE, signing.TEST_RESULT_FILE
LETTER, OTHER_LETTER = LETTERS
OWN, OTHER_OWN = map(signing.letter_envelope, LETTERS)
LISTED = "Not files of an audit, and not rechecked: "
UNCHECKED = "not checked (no --key)"
ANOTHER_FILE = "the statement next to it signs another file"
ANOTHER_DIGEST = "the statement next to it signs another digest"
FILES, RESULTS = "files in a signed folder", "results in it"


@dataclass(frozen=True)
class Attempt:
    """One way to tamper with a folder, and what `verify` must say of it."""

    field: str
    name: str
    tamper: Tamper
    named: str
    """What stands in its output, with the key and without: the place, and what is wrong with it."""
    without_key: str | None = None
    """What stands there without the key where that is something else; None for the same."""
    passes: bool = False
    """Whether it ends with 0 without the key, which then says what it did not recheck or did not check."""
    told: bool = False
    """Whether it ends with 0 with the key too: something is not here, and the last sentence says so."""
    unreadable: bool = False
    """Whether nothing can be read: without the key it ends with 2."""
    alone: str | None = None
    """The one file that `verify` is asked about; None for the folder."""
    slow: bool = False


def write(name: str, content: bytes | Callable[[], bytes]) -> Tamper:
    """Put content in the place of a file."""
    return lambda folder: (folder / name).write_bytes(content if isinstance(content, bytes) else content())


def each(*steps: Tamper) -> Tamper:
    """One step after another."""
    return lambda folder: [step(folder) for step in steps]


def gone(*names: str) -> Tamper:
    """Take files away."""
    return lambda folder: [(folder / name).unlink() for name in names]


def moved(name: str, to: str) -> Tamper:
    """Call a file otherwise."""
    return lambda folder: (folder / name).rename(folder / to)


def copied(name: str, to: str) -> Tamper:
    """Put one file in the place of another."""
    return lambda folder: shutil.copy(folder / name, folder / to)


def exchanged(one: str, two: str) -> Tamper:
    """Exchange the contents of two files."""
    return each(moved(one, "between"), moved(two, one), moved("between", two))


def edited(name: str, change: Callable[[bytes], bytes]) -> Tamper:
    """Change the content of a file."""
    return lambda folder: (folder / name).write_bytes(change((folder / name).read_bytes()))


def linked(name: str, to: str, *, hard: bool = False) -> Tamper:
    """Put a link in the place of a file."""

    def link(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).hardlink_to(folder / to) if hard else (folder / name).symlink_to(to)

    return link


def inside(name: str, make: Callable[[Path], object]) -> Tamper:
    """Put something that is no plain file in the place of one."""

    def put(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        make(folder / name)

    return put


def carrying(pdf: bytes, name: str, content: bytes) -> bytes:
    """A PDF with other content in the attachment of a name."""
    before = held(pdf, name)

    def change(writer: PdfWriter) -> None:
        for number in range(1, len(writer._objects) + 1):
            found = writer.get_object(number)
            if isinstance(found, StreamObject) and found.get("/Type") == "/EmbeddedFile" and found.get_data() == before:
                found.set_data(content)

    return rewritten(pdf, change)


def without_attachment(name: str) -> Callable[[bytes], bytes]:
    """A PDF whose list of attachments lacks one."""

    def drop(writer: PdfWriter) -> None:
        names = writer.root_object["/Names"].get_object()["/EmbeddedFiles"].get_object()["/Names"].get_object()
        at = [str(held) for held in names].index(name)
        del names[at : at + 2]

    return lambda pdf: rewritten(pdf, drop)


def listed_as(name: str) -> Callable[[PdfWriter], object]:
    """Call the first attachment otherwise."""

    def call(writer: PdfWriter) -> None:
        names = writer.root_object["/Names"].get_object()["/EmbeddedFiles"].get_object()["/Names"].get_object()
        names[0] = TextStringObject(name)

    return call


def behind_an_annotation(writer: PdfWriter) -> None:
    """Hide a file behind an annotation, where no list of attachments has it."""
    stream = StreamObject()
    stream.set_data(b"hidden")
    inner = DictionaryObject({NameObject("/F"): writer._add_object(stream)})
    names = {"/Type": NameObject("/Filespec"), "/F": TextStringObject("h.txt"), "/EF": inner}
    spec = DictionaryObject({NameObject(key): value for key, value in names.items()})
    note = DictionaryObject({NameObject("/Subtype"): NameObject("/FileAttachment"), NameObject("/FS"): spec})
    writer.pages[0][NameObject("/Annots")] = ArrayObject([writer._add_object(note)])


def blank_pdf() -> bytes:
    """A PDF that holds nothing of ours."""
    writer = PdfWriter()
    writer.add_blank_page(72, 72)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def flipped(table: bytes) -> bytes:
    """A table with a no made a yes."""
    assert b",false," in table
    return table.replace(b",false,", b",true,", 1)


def swapped_requests(value: Any) -> None:
    requests = value["requests"]
    requests[0], requests[1] = requests[1], requests[0]


def unsigned(name: str, request: str, change: Callable[[Any], object]) -> Tamper:
    """A letter that says something else, on its pages too, and has no statement."""
    return each(write(name, lambda: letter_of(changed_letter(request, change), None)), gone(signing.letter_envelope(name)))


def failed_no_more(value: Any) -> None:
    value["model"].update(failed=[], forgot="open", open=["removal.residual"])


# Files that the folder should not hold, or under names that it should not hold.
def strange(name: str, content: bytes = b"Pass") -> Attempt:
    """A file that no statement covers: without a key it is listed as not rechecked."""
    return Attempt(
        FILES,
        f"a file {name!r}",
        write(name, content),
        f"signature of {name}: no statement covers it",
        LISTED + name,
        passes=True,
    )


def lookalike(name: str, of: str, what: str) -> Attempt:
    """A name that a reader, or another file system, takes for one of ours."""
    return Attempt(FILES, what, lambda folder: shutil.copy(folder / of, folder / name), "its name looks like that of")


def in_case(folder: Path) -> Path:
    return folder.parent / MODEL


def other_public(folder: Path) -> None:
    (folder / "release-key.pub").write_bytes(signing.generate(None).public_pem)


OF_FILES = [
    *map(strange, ("final.pdf", "evidence.json.bak", ".hidden", "x.zip", "report.junit.xml", "report.sarif", "report.md")),
    strange("requests.csv", b"request,late\r\nREQ-2026-0001,false\r\n"),
    strange("report.htm", b"<!doctype html>Pass"),
    *map(strange, ("数据删除报告.pdf", "ملخصات.pdf", "отчёты.pdf", "數據刪除證明文件.json", "Letter of engagement.pdf")),
    lookalike("Report.pdf", REPORT, "another case of letters"),
    lookalike("report.pdf ", REPORT, "a space behind a name"),
    lookalike("evidence\u200b.json", EVIDENCE, "a letter of no width in a name"),
    lookalike("\uff45vidence.json", EVIDENCE, "a wide letter in a name"),
    lookalike("\u0435vidence.json", EVIDENCE, "a Cyrillic letter in a name"),
    lookalike("report.html\u0301", PAGE, "an accent that stands on nothing"),
    lookalike("r\u0435\u0301port.pdf", REPORT, "a Cyrillic letter with an accent"),
    lookalike("\u0280\u1d07\u1d18\u1d0f\u0280\u1d1b.pdf", REPORT, "small capitals in a name"),
    lookalike("rep\u00f8rt.pdf", REPORT, "a letter with a stroke in a name"),
    lookalike("report\u3002pdf", REPORT, "another full stop in a name"),
    lookalike("statement.DSSE.json", STATEMENT, "a statement in other case"),
    lookalike("Letter-a.pdf", LETTER, "a letter in other case"),
    lookalike("LETTER-REQ-2026-0001-F291DA8345A8.pdf", LETTER, "a letter that is not there in other case"),
    Attempt(
        FILES,
        "a letter by the name of another request's",
        lambda folder: shutil.copy(folder / LETTER, folder / file_name(LETTERS[OTHER_LETTER])),
        "its name is that of the letter about",
    ),
    lookalike("letter-\u0430.pdf", OTHER_LETTER, "a letter by the name of another in Cyrillic"),
    lookalike("letter-a .pdf", OTHER_LETTER, "a letter by the name of another with a space"),
    Attempt(
        FILES,
        "a folder of other letters",
        each(lambda folder: (folder / "letters").mkdir(), copied(LETTER, "letters/letter-a.pdf")),
        "signature of letters: no statement covers it",
        LISTED + "letters",
        passes=True,
    ),
    Attempt(
        FILES,
        "a link to the evidence",
        linked("also.json", EVIDENCE),
        "signature of also.json: no statement covers it",
        LISTED + "also.json",
        passes=True,
    ),
    *(
        Attempt(FILES, f"{name} is a link", each(moved(name, f"../{name}"), linked(name, f"../{name}")), f"{name}: it is a link")
        for name in (EVIDENCE, REPORT, PAGE, LETTER, STATEMENT, OWN)
    ),
    Attempt(FILES, "the page is a folder", inside(PAGE, Path.mkdir), f"{PAGE}: it is a folder"),
    Attempt(FILES, "a letter is a pipe", inside(LETTER, os.mkfifo), f"{LETTER}: it is a special file"),
    Attempt(FILES, "the test result is a pipe", inside(TEST_RESULT, os.mkfifo), f"{TEST_RESULT}: it is a special file"),
    Attempt(FILES, "the statement is a folder", inside(STATEMENT, Path.mkdir), f"{STATEMENT}: it is a folder"),
    Attempt(
        FILES,
        "kept runs are a link",
        lambda folder: (folder / ".runs").symlink_to("/"),
        "signature of .runs: no statement covers it",
        f"{LISTED}.runs",
        passes=True,
    ),
    Attempt(
        FILES,
        "kept runs are a file",
        write(".runs", b"Pass"),
        "signature of .runs: no statement covers it",
        f"{LISTED}.runs",
        passes=True,
    ),
    Attempt(
        FILES,
        "a name that is no text",
        lambda folder: Path(os.fsdecode(os.fsencode(folder) + b"/\xff.pdf")).write_bytes(b""),
        ".pdf: no statement covers it",
        LISTED,
        passes=True,
    ),
    Attempt(
        FILES,
        "a name that steers a terminal",
        write("\x1b[2J\u202ereport.pdf", b""),
        "\ufffd[2J\ufffdreport.pdf: no statement covers it",
        f"{LISTED}\ufffd[2J\ufffdreport.pdf",
        passes=True,
    ),
    Attempt(
        FILES,
        "another public key in the folder",
        other_public,
        "signature of release-key.pub: no statement covers it",
        f"{LISTED}release-key.pub",
        passes=True,
    ),
    Attempt(FILES, "another model in the case", lambda folder: in_case(folder).write_bytes(b"other"), "the audit examined"),
    Attempt(FILES, "another model in the folder", write(MODEL, b"other"), "the audit examined"),
    Attempt(
        FILES,
        "a link to the model in the folder",
        lambda folder: (folder / MODEL).symlink_to(in_case(folder)),
        f"signature of {MODEL}: no statement covers it",
        LISTED + MODEL,
        passes=True,
    ),
    Attempt(
        FILES,
        "no model at all",
        lambda folder: in_case(folder).unlink(),
        f"signed and not here: {MODEL}",
        UNCHECKED,
        passes=True,
        told=True,
    ),
    Attempt(
        FILES,
        "other settings in the folder",
        write("audit.toml", b"[case]"),
        "signature of audit.toml: no statement covers it",
        f"{LISTED}audit.toml",
        passes=True,
    ),
]


# Results that are not those that were signed, or do not belong together.
def cut(name: str, share: float) -> Attempt:
    return Attempt(
        RESULTS, f"{share} of {name}", edited(name, lambda whole: whole[: int(len(whole) * share)]), f"{name}: it cannot be read"
    )


def letters_of_earlier(folder: Path) -> None:
    """A letter of an earlier audit, with the statement that signed it then."""
    files = {EVIDENCE: earlier().to_bytes(), LETTER: letter_of(extract(earlier(), LETTERS[LETTER]))}
    for name, content in {**files, **statements(files)}.items():
        if name in {LETTER, OWN}:
            (folder / name).write_bytes(content)


def letter_without_evidence(folder: Path) -> None:
    """A letter that nobody wrote, next to a report whose evidence says otherwise, and the evidence itself left out."""
    unsigned(LETTER, LETTERS[LETTER], failed_no_more)(folder)
    gone(EVIDENCE)(folder)


def earlier_letter_without_evidence(folder: Path) -> None:
    letters_of_earlier(folder)
    gone(EVIDENCE)(folder)


LETTER_CHANGES: dict[str, tuple[Callable[[Any], object], str]] = {
    "its standing": (lambda value: value["model"].update(forgot="supported"), "model.forgot is"),
    "its date": (lambda value: value["request"].update(erased_on="2027-01-01"), "request.erased_on is"),
    "its checks": (failed_no_more, "model.failed is"),
    "its sender": (lambda value: value["sender"].update(authority="Nobody"), "sender.authority is"),
    "its search": (lambda value: value["request"].update(search="found"), "request.search is"),
    "its records": (lambda value: value["request"].update(records=900), "request.records is"),
    "its evidence": (lambda value: value.update(evidence_sha256="0" * 64), "it was taken from evidence"),
    "its request": (lambda value: value["request"].update(request_id="REQ-2026-0005"), "request.received_on is"),
}
OF_RESULTS = [
    Attempt(
        RESULTS,
        "a number that follows from others",
        write(EVIDENCE, lambda: changed(lambda value: rechecks.check(value, "utility.accuracy").update(value=-0.1))),
        "utility.accuracy: value: it is -0.1, what the document declares and observed gives",
    ),
    Attempt(
        RESULTS,
        "a time that follows from nothing",
        write(EVIDENCE, lambda: changed(lambda value: value["audit"].update(finished_at="2027-01-01T00:00:00Z"))),
        f"{REPORT} and {EVIDENCE}: the embedded evidence is",
    ),
    Attempt(RESULTS, "two requests swapped", write(EVIDENCE, lambda: changed(swapped_requests)), f"{REPORT} and {EVIDENCE}"),
    Attempt(RESULTS, "a newline behind the evidence", edited(EVIDENCE, lambda content: content + b"\n"), "canonical form"),
    Attempt(RESULTS, "evidence in another encoding", edited(EVIDENCE, lambda content: b"\xef\xbb\xbf" + content), EVIDENCE),
    Attempt(
        RESULTS, "a key of the evidence twice", edited(EVIDENCE, lambda content: b'{"verdict":"pass",' + content[1:]), EVIDENCE
    ),
    Attempt(
        RESULTS,
        "evidence of another case",
        write(EVIDENCE, lambda: rechecks.derived("digits-newton")),
        f"{REPORT} and {EVIDENCE}",
        slow=True,
    ),
    Attempt(RESULTS, "evidence of an earlier audit", write(EVIDENCE, lambda: earlier().to_bytes()), f"{REPORT} and {EVIDENCE}"),
    Attempt(
        RESULTS,
        "evidence and page of an earlier audit",
        each(write(EVIDENCE, lambda: earlier().to_bytes()), write(PAGE, lambda: page(earlier()))),
        f"{REPORT} and {EVIDENCE}",
        slow=True,
    ),
    Attempt(
        RESULTS, "the report of an earlier audit", write(REPORT, lambda: report(earlier())), f"{REPORT} and {EVIDENCE}", slow=True
    ),
    Attempt(
        RESULTS,
        "an earlier audit in everything but its letters",
        lambda folder: [
            (folder / name).write_bytes(content) for name, content in results(earlier()).items() if "letter" not in name
        ],
        f"{LETTER} and {EVIDENCE}: it was taken from evidence",
        slow=True,
    ),
    Attempt(
        RESULTS, "a signed letter of an earlier audit", letters_of_earlier, f"{LETTER} and {EVIDENCE}: it was taken from evidence"
    ),
    Attempt(
        RESULTS,
        "a signed letter of an earlier audit, and no evidence",
        earlier_letter_without_evidence,
        f"{LETTER} and {REPORT}: it was taken from evidence",
    ),
    Attempt(RESULTS, "a changed letter, and no evidence", letter_without_evidence, f"{LETTER} and {REPORT}: model.failed is"),
    *(
        Attempt(
            RESULTS,
            f"a letter with {what} changed",
            unsigned(LETTER, LETTERS[LETTER], change),
            f"{LETTER} and {EVIDENCE}: {said}",
        )
        for what, (change, said) in LETTER_CHANGES.items()
    ),
    Attempt(
        RESULTS,
        "two letters exchanged",
        exchanged(LETTER, OTHER_LETTER),
        f"signature of {LETTER}: {OWN} does not sign this file",
        ANOTHER_DIGEST,
    ),
    Attempt(
        RESULTS,
        "two letters exchanged with their statements",
        each(exchanged(LETTER, OTHER_LETTER), exchanged(OWN, OTHER_OWN)),
        f"signature of {LETTER}: {OWN} does not sign this file",
        ANOTHER_FILE,
    ),
    Attempt(
        RESULTS,
        "a letter under another name",
        each(moved(LETTER, "letter-z.pdf"), moved(OWN, "letter-z.dsse.json")),
        "signature of letter-z.pdf: letter-z.dsse.json does not sign this file",
        ANOTHER_FILE,
    ),
    Attempt(
        RESULTS,
        "an unsigned letter",
        write("letter-c.pdf", lambda: letter_of(extract(evidence(), "REQ-2026-0005"), None)),
        "signature of letter-c.pdf: no statement signs it",
        UNCHECKED,
        passes=True,
    ),
    Attempt(
        RESULTS,
        "a letter that says it is signed",
        write("letter-c.pdf", lambda: letter_of(extract(evidence(), "REQ-2026-0005"))),
        "signature of letter-c.pdf: no statement signs it",
        "its pages name a key that signs them",
    ),
    Attempt(RESULTS, "the evidence in the place of the report", copied(EVIDENCE, REPORT), f"{REPORT}: it is called"),
    Attempt(RESULTS, "the report in the place of the evidence", copied(REPORT, EVIDENCE), f"{EVIDENCE}: it is called"),
    Attempt(RESULTS, "a letter in the place of the report", copied(LETTER, REPORT), f"{REPORT}: it is called"),
    Attempt(RESULTS, "a letter in the place of the page", copied(LETTER, PAGE), f"{PAGE}: it is called"),
    Attempt(RESULTS, "the report in the place of a letter", copied(REPORT, LETTER), f"{LETTER}: it is called"),
    Attempt(RESULTS, "the evidence in the place of a letter", copied(EVIDENCE, LETTER), f"{LETTER}: it is called"),
    Attempt(RESULTS, "the page in the place of the report", copied(PAGE, REPORT), f"{REPORT}: it cannot be read"),
    *(Attempt(RESULTS, f"{name} is empty", write(name, b""), name) for name in (EVIDENCE, REPORT, PAGE, LETTER)),
    *(cut(name, share) for name in (REPORT, LETTER) for share in (0.3, 0.9, 0.9999)),
    Attempt(
        RESULTS,
        "something behind the report's end",
        edited(REPORT, lambda pdf: pdf + b"\n%%EOF\n"),
        "it was changed after it was written",
        slow=True,
    ),
    Attempt(
        RESULTS, "a word behind a letter's end", edited(LETTER, lambda pdf: pdf + b"Pass"), "it was changed after it was written"
    ),
    Attempt(
        RESULTS,
        "something before the report's beginning",
        edited(REPORT, lambda pdf: b"Pass\n" + pdf),
        f"{REPORT}: it cannot be read",
    ),
    Attempt(
        RESULTS,
        "an incremental update",
        edited(LETTER, lambda pdf: updated(pdf, annotated(Subtype="/FreeText", Contents="Pass", DA="/Helv 12 Tf 0 g"))),
        "it was changed after it was written",
    ),
    Attempt(
        RESULTS,
        "an incremental update whose end is covered up",
        edited(LETTER, lambda pdf: updated(pdf, annotated(Subtype="/Stamp", Contents="Pass")).replace(b"%%EOF", b"%%FOE", 1)),
        "it was changed after it was written",
    ),
    Attempt(
        RESULTS,
        "an encrypted report",
        edited(REPORT, lambda pdf: rewritten(pdf, lambda writer: writer.encrypt("", algorithm="RC4-128"))),
        "not encrypted",
        slow=True,
    ),
    Attempt(RESULTS, "a report without a document", write(REPORT, blank_pdf), f"{REPORT}: it cannot be read"),
    Attempt(
        RESULTS,
        "an attachment more",
        edited(REPORT, lambda pdf: rewritten(pdf, lambda writer: writer.add_attachment("extra.txt", b"more"))),
        "it carries evidence.json, extra.txt, ",
        slow=True,
    ),
    Attempt(
        RESULTS,
        "a letter's attachment twice",
        edited(LETTER, lambda pdf: rewritten(pdf, lambda writer: writer.add_attachment("letter.json", held(pdf, "letter.json")))),
        "it carries letter.json, letter.json, and should carry letter.json alone",
    ),
    Attempt(
        RESULTS,
        "another document of a letter's name",
        edited(LETTER, lambda pdf: rewritten(pdf, lambda writer: writer.add_attachment("letter.json", b"{}"))),
        f"{LETTER}: it cannot be read",
    ),
    Attempt(
        RESULTS,
        "a table of the report changed",
        edited(REPORT, lambda pdf: carrying(pdf, "requests.csv", flipped(held(pdf, "requests.csv")))),
        "requests.csv in it is another than the evidence gives",
        slow=True,
    ),
    Attempt(
        RESULTS,
        "a table of the report taken out",
        edited(REPORT, without_attachment("requests.csv")),
        "and should carry evidence.json",
        slow=True,
    ),
    Attempt(
        RESULTS,
        "no evidence in the report",
        edited(REPORT, without_attachment(EVIDENCE)),
        f"{REPORT}: it cannot be read",
        slow=True,
    ),
    Attempt(
        RESULTS,
        "other evidence in the report",
        edited(
            REPORT,
            lambda pdf: carrying(pdf, EVIDENCE, changed(lambda value: value["audit"].update(finished_at="2027-01-01T00:00:00Z"))),
        ),
        "the digest of the evidence of the attachment is not printed on it",
        slow=True,
    ),
    Attempt(
        RESULTS,
        "a letter whose attachment is listed otherwise",
        edited(LETTER, lambda pdf: rewritten(pdf, listed_as("letter.json "))),
        f"{LETTER}: it cannot be read",
    ),
    Attempt(
        RESULTS,
        "a file hidden behind an annotation",
        edited(LETTER, lambda pdf: rewritten(pdf, behind_an_annotation)),
        "it holds 2 embedded files, 1 of them in addition to letter.json",
    ),
]
