"""`auditor certificate --sign`: a letter that goes out alone, with a statement of its own; and `report` beside a signature."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import rechecks
from auditor.cli import run
from auditor.pages import letter
from auditor.recheck import signing
from cases import laid_out_once
from letter_cases import sample

REQUEST, OTHER = "REQ-2026-0001", "REQ-2026-0002"


@pytest.fixture(scope="module", autouse=True)
def _laid_out_once() -> Iterator[None]:
    with laid_out_once():
        yield


@pytest.fixture(scope="module")
def signed_letters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Evidence, a key without a passphrase, and two signed letters."""
    folder = tmp_path_factory.mktemp("letters")
    (folder / "evidence.json").write_bytes(sample("digits-newton").to_bytes())
    signing.write_pair(folder / "key", signing.generate(None))
    for request in (REQUEST, OTHER):
        assert run(["certificate", str(folder / "evidence.json"), "--request", request, "--sign", str(folder / "key"), "-q"]) == 0
    return folder


def alone(folder: Path, request: str, into: Path) -> tuple[Path, Path]:
    """One letter and its statement, as they reach the person who asked."""
    into.mkdir(exist_ok=True)
    name = letter.file_name(request)
    return (
        Path(shutil.copy(folder / name, into / name)),
        Path(shutil.copy(folder / signing.letter_envelope(name), into / signing.letter_envelope(name))),
    )


def test_a_letter_that_came_alone_is_checked_with_the_key(
    signed_letters: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path, _ = alone(signed_letters, REQUEST, tmp_path)
    assert run(["verify", str(path), "--key", str(signed_letters / "key.pub")]) == 0
    assert (
        f"Protection: signed by key {signing.key_id(signing.read_public(signed_letters / 'key.pub'))[:16]}"
        in capfd.readouterr().out
    )


def test_a_letter_next_to_the_evidence_of_an_unsigned_audit_needs_its_own_statement_alone(
    signed_letters: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path, _ = alone(signed_letters, REQUEST, tmp_path)
    (tmp_path / "evidence.json").write_bytes((signed_letters / "evidence.json").read_bytes())
    key = ["--key", str(signed_letters / "key.pub")]
    assert run(["verify", str(path), *key]) == 0
    assert f": {path.name}." in capfd.readouterr().out, "the evidence is not called signed"
    # The folder as a whole holds an audit that nothing signs; and other evidence is not what the letter is signed with.
    assert run(["verify", str(tmp_path), *key]) == 1
    (tmp_path / "evidence.json").write_bytes(rechecks.derived("digits-shipped-old"))
    assert run(["verify", str(path), *key]) == 1


def test_verify_has_one_word_for_what_it_cannot_derive(signed_letters: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(signed_letters / "evidence.json")]) == 0
    said = capfd.readouterr().out
    assert "  taken on trust: " in said
    assert "Taken on trust: " in said.splitlines()[-1]
    assert "taken as stated" not in said


def test_a_letter_goes_into_no_folder_that_was_mistyped(
    signed_letters: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "mistyped" / "letter.pdf"
    assert run(["certificate", str(signed_letters / "evidence.json"), "--request", REQUEST, "-o", str(place)]) == 2
    assert f"there is no folder {place.parent}" in capfd.readouterr().err
    assert not place.parent.exists()


def test_a_changed_letter_and_an_exchanged_statement_are_told(
    signed_letters: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    key = str(signed_letters / "key.pub")
    path, envelope = alone(signed_letters, REQUEST, tmp_path)
    content = path.read_bytes()
    path.write_bytes(content[:-2] + b"\n\n")
    assert run(["verify", str(path), "--key", key]) == 1
    assert f"signature of {path.name}" in capfd.readouterr().out
    path.write_bytes(content)
    shutil.copy(alone(signed_letters, OTHER, tmp_path / "other")[1], envelope)
    assert run(["verify", str(path), "--key", key]) == 1
    assert "does not sign this file" in capfd.readouterr().out
    evidence = (signed_letters / "evidence.json").read_bytes()
    signer = signing.load_private(signed_letters / "key", lambda: "")
    envelope.write_bytes(signing.sign(signing.about_letter(path.name, content, "0" * 64), signer))
    assert run(["verify", str(path), "--key", key]) == 1
    assert "other evidence" in capfd.readouterr().out
    envelope.write_bytes(signing.sign(signing.about({"evidence.json": evidence})[signing.STATEMENT_FILE], signer))
    assert run(["verify", str(path), "--key", key]) == 1
    assert "of the type" in capfd.readouterr().out
    envelope.unlink()
    assert run(["verify", str(path), "--key", key]) == 1


def test_every_letter_of_a_signed_folder_has_to_be_signed(
    signed_letters: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "audit"
    folder.mkdir()
    evidence = folder / "evidence.json"
    shutil.copy(signed_letters / "evidence.json", evidence)
    signer = signing.load_private(signed_letters / "key", lambda: "")
    for name, statement in signing.about({"evidence.json": evidence.read_bytes()}).items():
        (folder / name).write_bytes(signing.sign(statement, signer))
    first, _ = alone(signed_letters, REQUEST, folder)
    second, envelope = alone(signed_letters, OTHER, folder)
    assert run(["verify", str(folder), "--key", str(signed_letters / "key.pub")]) == 0
    assert f"evidence.json, {first.name}, {second.name}" in capfd.readouterr().out
    envelope.unlink()
    assert run(["verify", str(folder), "--key", str(signed_letters / "key.pub")]) == 1
    assert f"signature of {second.name}: no statement signs it" in capfd.readouterr().out


def test_a_letter_that_may_have_been_sent_is_never_written_over(
    signed_letters: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path, envelope = alone(signed_letters, REQUEST, tmp_path)
    sent = path.read_bytes(), envelope.read_bytes()
    given = ["certificate", str(signed_letters / "evidence.json"), "--request", REQUEST, "-o", str(path)]
    for more in ([], ["--draft"], ["--json"]):
        assert run([*given, *more]) == 2
        assert f"{path} is there already, and may have been sent" in capfd.readouterr().err
    assert (path.read_bytes(), envelope.read_bytes()) == sent
    # The same letter again changes nothing; the statement of one that was moved away is kept as well.
    assert run([*given, "--sign", str(signed_letters / "key"), "-q"]) == 0
    assert path.read_bytes() == sent[0]
    path.unlink()
    assert run(given) == 2
    assert envelope.read_bytes() == sent[1]
    # A link is no file to write over either, wherever it leads.
    path.symlink_to(tmp_path / "elsewhere.pdf")
    assert run(given) == 2
    assert run(["certificate", str(signed_letters / "evidence.json"), "--request", REQUEST, "-o", "-", "--sign", "key"]) == 2


def as_it_lies(path: Path) -> tuple[int, int]:
    """Which file it is, and when it was written."""
    return path.stat().st_ino, path.stat().st_mtime_ns


def test_the_same_signed_letter_is_not_written_again_and_it_is_said(
    signed_letters: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    evidence, key = str(signed_letters / "evidence.json"), str(signed_letters / "key")
    path, envelope = alone(signed_letters, REQUEST, tmp_path)
    before = as_it_lies(path), as_it_lies(envelope)
    given = ["certificate", evidence, "--request", REQUEST, "-o", str(path), "--sign", key]
    assert run(given) == 0
    assert capfd.readouterr().out == f"{path} is there already, the same letter: nothing was written.\n"
    assert run([*given, "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["written"] is False
    assert run(["certificate", evidence, "--all", str(tmp_path), "--sign", key]) == 0
    said = capfd.readouterr().out
    assert "1 letter was there already, the same, and was left as it is." in said
    assert (as_it_lies(path), as_it_lies(envelope)) == before
    # Another signature of the same letter may have been sent with it.
    envelope.write_bytes(b"{}")
    assert run(given) == 2
    assert f"{envelope} is there already, and may have been sent" in capfd.readouterr().err
    # A letter whose signature is missing gets it, and stays as it was.
    envelope.unlink()
    assert run(given) == 0
    assert as_it_lies(path) == before[0]
    assert envelope.exists()


def test_all_leaves_what_may_have_been_sent_and_writes_the_rest(
    signed_letters: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path, _ = alone(signed_letters, REQUEST, tmp_path)
    sent = path.read_bytes()
    assert run(["certificate", str(signed_letters / "evidence.json"), "--all", str(tmp_path), "-q"]) == 2
    assert str(path) in capfd.readouterr().err
    assert path.read_bytes() == sent
    assert (tmp_path / letter.file_name(OTHER)).exists()


def test_letters_of_the_audit_before_are_named_once_with_the_way_out(
    signed_letters: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    evidence = str(signed_letters / "evidence.json")
    for request in (REQUEST, OTHER):
        (tmp_path / letter.file_name(request)).write_bytes(b"%PDF- of the month before")
    assert run(["certificate", evidence, "--all", str(tmp_path), "-q"]) == 2
    err = capfd.readouterr().err
    assert err.count("may have been sent") == 1
    assert REQUEST in err
    assert OTHER in err
    folder = re.search(r"such as (\S+)\.", err)
    assert folder is not None
    assert run(["certificate", evidence, "--all", folder[1], "-q"]) == 0


def test_it_is_said_that_a_draft_was_replaced(signed_letters: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    given = ["certificate", str(signed_letters / "evidence.json")]
    one = [*given, "--request", REQUEST, "-o", str(tmp_path / "letter.pdf")]
    for arguments, said in (([*one, "--draft"], False), (one, True), (one, False)):
        assert run(arguments) == 0
        assert ("It replaced a draft that was there." in capfd.readouterr().out) is said
    every = [*given, "--all", str(tmp_path / "all")]
    assert run([*every, "--draft"]) == 0
    assert "replaced" not in capfd.readouterr().out
    assert run(every) == 0
    assert "of them replaced drafts that were there." in capfd.readouterr().out


def test_a_draft_is_written_over_and_what_signed_it_goes_with_it(signed_letters: Path, tmp_path: Path) -> None:
    path = tmp_path / "letter.pdf"
    given = ["certificate", str(signed_letters / "evidence.json"), "--request", REQUEST, "-q", "-o", str(path)]
    assert run([*given, "--draft", "--sign", str(signed_letters / "key")]) == 0
    assert (tmp_path / "letter.dsse.json").exists()
    assert run(given) == 0
    assert not (tmp_path / "letter.dsse.json").exists()
    assert path.stat().st_mode & 0o777 == 0o600
    # What somebody added to is theirs.
    path.unlink()
    assert run([*given, "--draft"]) == 0
    path.write_bytes(path.read_bytes() + b"\n% noted")
    assert run(given) == 2


def test_json_names_the_statement(signed_letters: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "letter.pdf"
    given = ["certificate", str(signed_letters / "evidence.json"), "--request", REQUEST, "-o", str(path)]
    assert run([*given, "--sign", str(signed_letters / "key"), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["statement"] == str(tmp_path / "letter.dsse.json")


def test_report_writes_nothing_unsigned_over_what_is_signed(
    signed_letters: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    evidence, page = tmp_path / "evidence.json", tmp_path / "report.html"
    shutil.copy(signed_letters / "evidence.json", evidence)
    page.write_bytes(b"signed")
    (tmp_path / signing.STATEMENT_FILE).write_bytes(b"{}")
    assert run(["report", str(evidence), "--format", "html"]) == 2
    assert page.read_bytes() == b"signed"
    assert "-o FILE writes elsewhere" in capfd.readouterr().err
    assert run(["report", str(evidence), "--format", "html", "-o", str(tmp_path / "again.html"), "-q"]) == 0


def test_where_nobody_asked_there_is_nobody_to_write_to(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["certificate", str(rechecks.LATEST / "dictionary-controller.json"), "--request", REQUEST]) == 2
    assert "nobody to write to" in capfd.readouterr().err
    assert run(["certificate", str(rechecks.LATEST / "dictionary-controller.json"), "--all", str(tmp_path), "--draft"]) == 2
    assert "nobody to write to" in capfd.readouterr().err


def test_the_folder_of_an_audit_or_a_case_stands_for_its_evidence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    audit = tmp_path / "case" / "audit"
    audit.mkdir(parents=True)
    assert run(["certificate", str(tmp_path / "case"), "--request", REQUEST]) == 2
    assert "expected a case or the folder of an audit" in capfd.readouterr().err
    (audit / "evidence.json").write_bytes(sample("digits-newton").to_bytes())
    for folder in (audit, tmp_path / "case"):
        assert run(["certificate", str(folder), "--request", REQUEST, "-q"]) == 0
        (audit / letter.file_name(REQUEST)).unlink()
