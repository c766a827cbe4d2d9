"""`auditor reply`: a draft to edit, which is never written over and which no signature covers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pypdf import PdfReader

from auditor.cli import run
from auditor.recheck import signing
from cases import laid_out_once
from letter_cases import row, sample, with_rows
from reply_cases import DECLARED

REQUEST = "REQ-2026-0001"


@pytest.fixture(scope="module", autouse=True)
def _laid_out_once() -> Iterator[None]:
    """Equal letters, replies and reports are laid out once: what is done with their files is asked here."""
    with laid_out_once():
        yield


@pytest.fixture
def evidence(tmp_path: Path) -> Path:
    found = sample("digits-newton")
    path = tmp_path / "evidence.json"
    path.write_bytes(with_rows(found, row(found, **DECLARED), *found.requests[1:]).to_bytes())
    return path


def test_a_word_document_is_written_for_its_owner_alone(evidence: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = evidence.with_name("reply.docx")
    assert run(["reply", str(evidence), "--request", REQUEST, "-o", str(path)]) == 0
    out, err = capfd.readouterr()
    assert out == f"Written: {path}\n"
    assert "3 blanks to fill" in err
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_bytes()[:4] == b"PK\x03\x04"


def test_a_pdf_says_the_same_and_carries_nothing(evidence: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = evidence.with_name("reply.pdf")
    assert run(["reply", str(evidence), "--request", REQUEST, "-o", str(path), "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    assert answer == {"request_id": REQUEST, "path": str(path), "bytes": path.stat().st_size, "blanks": 3}
    reader = PdfReader(path)
    assert not reader.attachments
    text = " ".join(" ".join(each.extract_text() for each in reader.pages).split())
    assert "Draft reply" in text
    assert "Partner Ltd was notified of the erasure" in text
    assert run(["verify", str(path)]) == 2, "a reply is no evidence"


@pytest.mark.parametrize("name", ["reply.docx", "reply.pdf"])
def test_no_reply_is_ever_written_over(evidence: Path, name: str, capfd: pytest.CaptureFixture[str]) -> None:
    path = evidence.with_name(name)
    path.write_bytes(b"edited, and sent")
    assert run(["reply", str(evidence), "--request", REQUEST, "-o", str(path)]) == 2
    assert "may have been sent" in capfd.readouterr().err
    assert path.read_bytes() == b"edited, and sent"
    path.unlink()
    path.symlink_to(evidence.with_name("elsewhere"))
    assert run(["reply", str(evidence), "--request", REQUEST, "-o", str(path)]) == 2
    assert not evidence.with_name("elsewhere").exists()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--request", REQUEST, "-o", "reply.odt"], ".docx or .pdf"),
        (["--request", REQUEST, "-o", "-"], ".docx or .pdf"),
        (["--request", REQUEST, "-o", "letter-to-them.pdf"], "verify takes for a report or a letter"),
        (["--request", REQUEST, "-o", "report.pdf"], "verify takes for a report or a letter"),
        (["--request", REQUEST, "-o", "nowhere/reply.docx"], "there is no folder"),
        (["--request", "REQ-2026-001", "-o", "reply.docx"], "no request REQ-2026-001; it holds "),
        (["--request", REQUEST, "--subject", "p-9", "-o", "reply.docx"], "none of the subject p-9"),
        (["--request", REQUEST, "-o", "reply.docx", "--sign", "key"], "--sign"),
    ],
)
def test_bad_usage_writes_nothing(
    evidence: Path, arguments: list[str], word: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(evidence.parent)
    assert run(["reply", str(evidence), *arguments]) == 2
    assert word in capfd.readouterr().err
    assert [each.name for each in evidence.parent.iterdir()] == [evidence.name]


def test_no_report_is_written_over_a_letter_or_a_reply(evidence: Path, capfd: pytest.CaptureFixture[str]) -> None:
    letter, reply, edited = (evidence.with_name(name) for name in ("sent.pdf", "reply.pdf", "reply.docx"))
    assert run(["certificate", str(evidence), "--request", REQUEST, "-o", str(letter), "-q"]) == 0
    assert run(["reply", str(evidence), "--request", REQUEST, "-o", str(reply), "-q"]) == 0
    edited.write_bytes(b"edited")
    before = [each.read_bytes() for each in (letter, reply, edited)]
    for path in (letter, reply, edited):
        form = "md" if path is edited else "pdf"
        assert (
            run(["report", str(evidence), "--for", "officer" if form == "pdf" else "ci", "--format", form, "-o", str(path)]) == 2
        )
        assert "may have been sent" in capfd.readouterr().err
    assert [each.read_bytes() for each in (letter, reply, edited)] == before
    again = evidence.with_name("again.pdf")
    for _ in range(2):
        assert run(["report", str(evidence), "--for", "officer", "-o", str(again), "-q"]) == 0


def test_a_reply_among_signed_files_is_named_as_not_theirs(evidence: Path, capfd: pytest.CaptureFixture[str]) -> None:
    signer = signing.generate(None)
    folder = evidence.parent
    signing.write_pair(folder.parent / "reply-key", signer)
    key = signing.load_private(folder.parent / "reply-key", lambda: "")
    for name, statement in signing.about({"evidence.json": evidence.read_bytes()}).items():
        (folder / name).write_bytes(signing.sign(statement, key))
    for name in ("reply.docx", "reply.pdf"):
        given = ["reply", str(evidence), "--request", REQUEST, "-q", "-o"]
        assert run([*given, str(folder / name)]) == 2
        assert "holds a signed audit" in capfd.readouterr().err
        assert run([*given, str(folder.parent / name)]) == 0
        (folder.parent / name).rename(folder / name)
    run(["verify", str(folder), "--key", str(folder.parent / "reply-key.pub")])
    said = "".join(capfd.readouterr())
    assert "reply.docx" in said
    assert "reply.pdf" in said
