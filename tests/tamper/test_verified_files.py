"""Files changed after they were written: the recheck of each fails and says what changed."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, StreamObject, TextStringObject

import rechecks
import signed
from auditor.base.errors import InputError
from auditor.document.evidence import digest
from auditor.pages.letters import SCHEMA
from auditor.recheck import Outcome, recheck, signing
from forged_pages import rewritten
from rendered_results import SAMPLE, results


@pytest.fixture(scope="module")
def printed() -> dict[str, bytes]:
    """Evidence, its report and one letter, as an audit and `certificate` write them."""
    return results()


@pytest.fixture
def folder(tmp_path: Path, printed: dict[str, bytes]) -> Path:
    """The folder of a signed audit with a letter, and the public key beside it."""
    for name, content in printed.items():
        (tmp_path / name).write_bytes(content)
    sign(tmp_path)
    (tmp_path / "key.pub").write_bytes(signed.PUBLIC)
    return tmp_path


def sign(folder: Path) -> None:
    """Sign the results that lie in a folder."""
    files = {name: (folder / name).read_bytes() for name in ("evidence.json", "report.pdf", "report.html")}
    for name, statement in signing.about(files).items():
        (folder / name).write_bytes(signing.sign(statement, signed.signer()))
    written = (folder / "letter.pdf").read_bytes()
    about = signing.about_letter("letter.pdf", written, digest(files["evidence.json"]))
    (folder / "letter.dsse.json").write_bytes(signing.sign(about, signed.signer()))


def told(outcome: Outcome) -> str:
    """Every finding, a line each, with the document that it is about."""
    own = [f"{document.name}: {finding}" for document in outcome.documents for finding in document.findings]
    return "\n".join([*own, *map(str, outcome.together.findings)])


def with_key(folder: Path) -> Outcome:
    return recheck(folder, public_key=folder / "key.pub")


def carrying(pdf: bytes, name: str, content: bytes) -> bytes:
    """A PDF with other content in the attachment of a name."""
    (before,) = PdfReader(io.BytesIO(pdf)).attachments[name]

    def change(writer: PdfWriter) -> None:
        for number in range(1, len(writer._objects) + 1):
            found = writer.get_object(number)
            if isinstance(found, StreamObject) and found.get("/Type") == "/EmbeddedFile" and found.get_data() == before:
                found.set_data(content)

    return rewritten(pdf, change)


def test_a_signed_folder_agrees_and_says_what_protects_it(folder: Path) -> None:
    outcome = with_key(folder)
    assert outcome.agrees, told(outcome)
    assert outcome.protection.startswith(f"signed by key {signing.key_id(signed.PUBLIC)[:16]}: evidence.json, ")
    assert ", letter.pdf; signed and not here: " in outcome.protection
    assert {document.name for document in outcome.documents} == {"evidence.json", "report.pdf", "report.html", "letter.pdf"}
    for name in ("evidence.json", "report.pdf", "letter.pdf"):
        assert recheck(folder / name, public_key=folder / "key.pub").agrees


def test_without_a_key_a_signature_is_said_to_be_unchecked_and_its_absence_told(folder: Path) -> None:
    assert "not checked (no --key)" in recheck(folder).protection
    for name in (signing.STATEMENT_FILE, signing.TEST_RESULT_FILE, "letter.dsse.json"):
        (folder / name).unlink()
    assert recheck(folder / "evidence.json").protection == "none: unsigned"
    assert "printed on the pages" in recheck(folder / "report.pdf").protection


def test_a_key_asks_for_a_statement(folder: Path) -> None:
    (folder / signing.STATEMENT_FILE).unlink()
    outcome = with_key(folder)
    assert not outcome.agrees
    assert "there is no statement to check with it" in told(outcome)


def test_a_number_that_does_not_follow_is_named_with_the_broken_digest(folder: Path, printed: dict[str, bytes]) -> None:
    changed = rechecks.changed(lambda value: rechecks.check(value, "utility.accuracy").update(value=-0.1), SAMPLE)
    (folder / "evidence.json").write_bytes(changed)
    said = told(with_key(folder))
    assert "utility.accuracy: value: it is -0.1, what the document declares and observed gives" in said
    assert f"statement.dsse.json signs {digest(printed['evidence.json'])}, this file is {digest(changed)}" in said
    assert f"the embedded evidence is {digest(printed['evidence.json'])}, the file is {digest(changed)}" in said


def test_a_number_that_follows_from_nothing_is_found_by_its_digest_alone(folder: Path) -> None:
    """A time that was measured: nothing can derive it again, and without a signature nothing would find it."""
    changed = rechecks.changed(lambda value: value["audit"].update(finished_at="2027-01-01T00:00:00Z"), SAMPLE)
    (folder / "evidence.json").write_bytes(changed)
    assert recheck(folder / "evidence.json").agrees
    assert "signature of evidence.json" in told(recheck(folder / "evidence.json", public_key=folder / "key.pub"))


def test_a_number_changed_in_a_report_with_the_digest_that_its_pages_print_does_not_pass(
    folder: Path, printed: dict[str, bytes]
) -> None:
    changed = rechecks.changed(lambda value: value["audit"].update(finished_at="2027-01-01T00:00:00Z"), SAMPLE)
    (folder / "report.pdf").write_bytes(carrying(printed["report.pdf"], "evidence.json", changed))
    alone = recheck(folder / "report.pdf")
    assert f"the digest of the evidence of the attachment is not printed on it: {digest(changed)}" in told(alone)
    (folder / "evidence.json").unlink()
    assert not recheck(folder / "report.pdf").agrees


def test_two_requests_swapped_are_found_in_signed_evidence(folder: Path) -> None:
    def swap(value: dict[str, Any]) -> None:
        requests = value["requests"]
        requests[0], requests[1] = requests[1], requests[0]

    (folder / "evidence.json").write_bytes(rechecks.changed(swap, SAMPLE))
    assert "signature of evidence.json: statement.dsse.json signs" in told(with_key(folder))


def test_an_old_signature_on_new_evidence_is_found(folder: Path) -> None:
    (folder / "evidence.json").write_bytes(rechecks.derived("digits-newton"))
    said = told(with_key(folder))
    assert "signature of evidence.json: statement.dsse.json signs" in said
    assert 'its verdict is "fail", the evidence has "pass"' in said
    assert "report.pdf and evidence.json: the embedded evidence is" in said
    assert "letter.pdf and evidence.json: it was taken from evidence" in said


def test_another_payload_type_another_key_and_another_predicate_are_named(folder: Path) -> None:
    path = folder / signing.STATEMENT_FILE
    payload = base64.b64decode(json.loads(path.read_bytes())["payload"])
    path.write_bytes(signed.enveloped(payload, "application/vnd.example"))
    assert "statement.dsse.json: the envelope is of another payload type" in told(with_key(folder))
    path.write_bytes((folder / signing.TEST_RESULT_FILE).read_bytes())
    assert f"it is of the type {signing.TEST_RESULT_TYPE}, expected {signing.AUDIT_TYPE}" in told(with_key(folder))
    sign(folder)
    (folder / "key.pub").write_bytes(signing.generate(None).public_pem)
    assert "statement.dsse.json: " in told(with_key(folder))


@pytest.mark.parametrize("share", [0.3, 0.9999, *(pytest.param(each, marks=pytest.mark.slow) for each in (0.0001, 0.9))])
def test_a_truncated_pdf_cannot_be_read(folder: Path, printed: dict[str, bytes], share: float) -> None:
    for name in ("report.pdf", "letter.pdf"):
        path, whole = folder / name, printed[name]
        path.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(InputError, match=f"{name}.*(cut off or damaged|JSON)"):
            recheck(path)
        assert f"{name}: it cannot be read" in told(recheck(folder))
        path.write_bytes(whole)


def test_an_added_attachment_is_named(folder: Path, printed: dict[str, bytes]) -> None:
    more = rewritten(printed["report.pdf"], lambda writer: writer.add_attachment("extra.txt", b"more"))
    (folder / "report.pdf").write_bytes(more)
    said = told(recheck(folder / "report.pdf"))
    assert "it carries evidence.json, extra.txt, requests.csv, certificates.json, and should carry" in said
    twice = rewritten(printed["report.pdf"], lambda writer: writer.add_attachment("evidence.json", b"{}"))
    (folder / "report.pdf").write_bytes(twice)
    with pytest.raises(InputError, match="schema"):
        recheck(folder / "report.pdf")


def test_a_table_that_says_otherwise_than_the_evidence_is_named(folder: Path, printed: dict[str, bytes]) -> None:
    (table,) = PdfReader(io.BytesIO(printed["report.pdf"])).attachments["requests.csv"]
    assert b",false," in table
    forged = carrying(printed["report.pdf"], "requests.csv", table.replace(b",false,", b",true,", 1))
    (folder / "report.pdf").write_bytes(forged)
    said = told(recheck(folder / "report.pdf"))
    assert "requests.csv in it is another than the evidence gives" in said
    assert "certificates.json in it" not in said


def test_a_table_that_was_taken_out_is_named(folder: Path, printed: dict[str, bytes]) -> None:
    def without(writer: PdfWriter) -> None:
        names = writer.root_object["/Names"].get_object()["/EmbeddedFiles"].get_object()["/Names"].get_object()
        at = [str(each) for each in names].index("requests.csv")
        del names[at : at + 2]

    (folder / "report.pdf").write_bytes(rewritten(printed["report.pdf"], without))
    assert "it carries evidence.json, certificates.json, and should carry" in told(recheck(folder / "report.pdf"))


def test_a_file_hidden_behind_an_annotation_is_counted(folder: Path, printed: dict[str, bytes]) -> None:
    def annotate(writer: PdfWriter) -> None:
        stream = StreamObject()
        stream.set_data(b"hidden")
        held = DictionaryObject({NameObject("/F"): writer._add_object(stream)})
        names = {"/Type": NameObject("/Filespec"), "/F": TextStringObject("h.txt"), "/EF": held}
        spec = DictionaryObject({NameObject(key): value for key, value in names.items()})
        note = DictionaryObject({NameObject("/Subtype"): NameObject("/FileAttachment"), NameObject("/FS"): spec})
        writer.pages[0][NameObject("/Annots")] = ArrayObject([writer._add_object(note)])

    (folder / "report.pdf").write_bytes(rewritten(printed["report.pdf"], annotate))
    assert "it holds 4 embedded files, 1 of them in addition to evidence.json" in told(recheck(folder / "report.pdf"))


def test_something_behind_the_end_of_a_pdf_is_found(folder: Path, printed: dict[str, bytes]) -> None:
    (folder / "report.pdf").write_bytes(printed["report.pdf"] + b"\n%%EOF\n")
    assert "it was changed after it was written" in told(recheck(folder / "report.pdf"))


def test_a_pdf_without_a_document_of_ours_is_named(folder: Path) -> None:
    writer = PdfWriter()
    writer.add_blank_page(72, 72)
    target = io.BytesIO()
    writer.write(target)
    (folder / "report.pdf").write_bytes(target.getvalue())
    with pytest.raises(InputError, match=r"expected evidence\.json or letter\.json inside, found no attachment"):
        recheck(folder / "report.pdf")
    assert "report.pdf: it cannot be read" in told(recheck(folder))


def test_an_encrypted_pdf_is_named(folder: Path, printed: dict[str, bytes]) -> None:
    (folder / "report.pdf").write_bytes(rewritten(printed["report.pdf"], lambda writer: writer.encrypt("", algorithm="RC4-128")))
    with pytest.raises(InputError, match="not encrypted"):
        recheck(folder / "report.pdf")


def test_a_page_of_other_evidence_is_named(folder: Path, printed: dict[str, bytes]) -> None:
    page = printed["report.html"].replace(digest(printed["evidence.json"]).encode(), b"0" * 64)
    (folder / "report.html").write_bytes(page)
    assert "report.html: digest: it does not print the digest of evidence.json" in told(recheck(folder))


LETTER_CHANGES: dict[str, tuple[Callable[[Any], object], str, str]] = {
    "standing": (
        lambda value: value["model"].update(forgot="supported"),
        "forgot is supported, and no promise goes with it",
        "model.forgot is",
    ),
    "date": (
        lambda value: value["request"].update(erased_on="2027-01-01"),
        "late is false, its dates make it true",
        "request.erased_on is",
    ),
    "check": (lambda value: value["model"].update(failed=[]), "", "model.failed is"),
    "sender": (lambda value: value["sender"].update(authority=None), "it is no draft, and lacks", "sender.authority is"),
    "search": (lambda value: value["request"].update(search="found"), "", "request.search is"),
    "another request": (
        lambda value: value["request"].update(request_id="REQ-2026-0004"),
        "",
        "the evidence has",
    ),
}


@pytest.mark.parametrize("change", LETTER_CHANGES)
def test_a_changed_letter_is_named_alone_where_it_contradicts_itself_and_beside_its_evidence_always(
    folder: Path, printed: dict[str, bytes], change: str
) -> None:
    apply, alone, beside = LETTER_CHANGES[change]
    held = PdfReader(io.BytesIO(printed["letter.pdf"])).attachments["letter.json"][0]
    value = json.loads(held)
    apply(value)
    (folder / "letter.pdf").write_bytes(carrying(printed["letter.pdf"], "letter.json", rfc8785.dumps(value)))
    assert beside in told(recheck(folder / "letter.pdf"))
    (folder / "evidence.json").rename(folder / "elsewhere.json")
    said = told(recheck(folder / "letter.pdf"))
    assert (alone in said) if alone else not said


def test_a_letter_without_a_statement_of_its_own_is_not_signed_by_lying_next_to_signed_evidence(folder: Path) -> None:
    (folder / "letter.dsse.json").unlink()
    for outcome in (with_key(folder), recheck(folder / "letter.pdf", public_key=folder / "key.pub")):
        assert "signature of letter.pdf: no statement signs it: there is no letter.dsse.json next to it" in told(outcome)


def test_a_letter_of_a_later_minor_version_is_read_and_of_another_major_one_refused(
    folder: Path, printed: dict[str, bytes]
) -> None:
    value = json.loads(PdfReader(io.BytesIO(printed["letter.pdf"])).attachments["letter.json"][0])
    for version, read in ((f"{SCHEMA}.3", True), ("auditor.letter/2", False)):
        value["schema"] = version
        (folder / "letter.pdf").write_bytes(carrying(printed["letter.pdf"], "letter.json", rfc8785.dumps(value)))
        if read:
            assert not told(recheck(folder / "letter.pdf"))
        else:
            with pytest.raises(InputError, match="schema"):
                recheck(folder / "letter.pdf")


@settings(max_examples=12)
@given(place=st.integers(0, 10**9), bit=st.integers(0, 7), name=st.sampled_from(["evidence.json", "report.pdf", "report.html"]))
def test_any_flipped_bit_of_a_signed_file_is_found(
    tmp_path_factory: pytest.TempPathFactory, printed: dict[str, bytes], place: int, bit: int, name: str
) -> None:
    folder = tmp_path_factory.mktemp("flipped")
    for each, content in printed.items():
        (folder / each).write_bytes(content)
    sign(folder)
    (folder / "key.pub").write_bytes(signed.PUBLIC)
    content = bytearray(printed[name])
    content[place % len(content)] ^= 1 << bit
    (folder / name).write_bytes(bytes(content))
    said = told(recheck(folder / name, public_key=folder / "key.pub"))
    assert f"signature of {name}: statement.dsse.json signs {digest(printed[name])}" in said


def test_a_statement_that_signs_another_model_than_the_evidence_names_is_told(folder: Path) -> None:
    evidence = json.loads((folder / "evidence.json").read_bytes())
    model = evidence["case"]["model"]
    assert model is not None
    files = {name: (folder / name).read_bytes() for name in ("evidence.json", "report.pdf", "report.html")}
    (statement, other) = signing.about(files).values()
    for changed in ("0" * 64, None):
        subjects = [each for each in statement.subjects if each.name != model]
        subjects += [] if changed is None else [signing.Subject(model, changed)]
        exchanged = signing.Statement(tuple(subjects), statement.predicate_type, statement.predicate)
        (folder / signing.STATEMENT_FILE).write_bytes(signing.sign(exchanged, signed.signer()))
        (folder / signing.TEST_RESULT_FILE).write_bytes(signing.sign(other, signed.signer()))
        outcome = with_key(folder)
        assert not outcome.agrees
        assert f"for the model {model}" in told(outcome)
