"""Files changed after they were written: the recheck of each fails and says what changed."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

import rechecks
import signed
from auditor.base.errors import InputError
from auditor.document.evidence import digest
from auditor.pages.letters import SCHEMA
from auditor.recheck import Outcome, recheck, signing
from rendered_results import SAMPLE, results
from tampered_folders import carrying


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
    for name in (*signing.OF_AUDIT, "letter.dsse.json"):
        (folder / name).unlink()
    assert recheck(folder / "evidence.json").protection == "none: unsigned"
    assert "printed on the pages" in recheck(folder / "report.pdf").protection


def test_a_number_that_follows_from_nothing_is_found_by_its_digest_alone(folder: Path) -> None:
    """A time that was measured: nothing can derive it again, and without a signature nothing would find it."""
    changed = rechecks.changed(lambda value: value["audit"].update(finished_at="2027-01-01T00:00:00Z"), SAMPLE)
    (folder / "evidence.json").write_bytes(changed)
    assert "signature of evidence.json" in told(recheck(folder / "evidence.json", public_key=folder / "key.pub"))
    assert f"signature of evidence.json: this file is {digest(changed)}" in told(recheck(folder / "evidence.json"))
    for name in signing.OF_AUDIT:
        (folder / name).unlink()
    assert recheck(folder / "evidence.json").agrees


@pytest.mark.parametrize("name", signing.OF_AUDIT)
def test_a_statement_about_other_files_contradicts_these_without_a_key(folder: Path, name: str) -> None:
    """That of another audit, or of its first stage, in the place of this one's."""
    other = rechecks.changed(lambda value: value["audit"].update(finished_at="2027-01-01T00:00:00Z"), SAMPLE)
    statement = signing.about({"evidence.json": other})[name]
    (folder / name).write_bytes(signing.sign(statement, signed.signer()))
    assert "the statement next to it signs another digest, no matter by which key" in told(recheck(folder))
    assert not recheck(folder).agrees


def test_a_statement_about_another_letter_contradicts_this_one_without_a_key(folder: Path) -> None:
    about = signing.about_letter("other.pdf", b"another letter", digest((folder / "evidence.json").read_bytes()))
    (folder / "letter.dsse.json").write_bytes(signing.sign(about, signed.signer()))
    assert "signature of letter.pdf: the statement next to it signs another file, no matter by which key" in told(recheck(folder))
    (folder / "letter.dsse.json").unlink()
    assert recheck(folder).agrees


def test_a_number_changed_in_a_report_with_the_digest_that_its_pages_print_does_not_pass(
    folder: Path, printed: dict[str, bytes]
) -> None:
    changed = rechecks.changed(lambda value: value["audit"].update(finished_at="2027-01-01T00:00:00Z"), SAMPLE)
    (folder / "report.pdf").write_bytes(carrying(printed["report.pdf"], "evidence.json", changed))
    alone = recheck(folder / "report.pdf")
    assert f"the digest of the evidence of the attachment is not printed on it: {digest(changed)}" in told(alone)
    (folder / "evidence.json").unlink()
    assert not recheck(folder / "report.pdf").agrees


def test_a_letter_of_a_later_minor_version_is_read_and_of_another_major_one_refused(
    folder: Path, printed: dict[str, bytes]
) -> None:
    value = json.loads(PdfReader(io.BytesIO(printed["letter.pdf"])).attachments["letter.json"][0])
    (folder / "letter.dsse.json").unlink()
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
