"""Pages that show something else than what they carry: each forgery is found, and honest pages agree however they were stored."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from pypdf.errors import PyPdfError

from auditor.base.errors import InputError, ReportError
from auditor.cli import run
from auditor.document.evidence import Evidence
from auditor.pages import letter, render, rerender
from auditor.pages.letters import Extract, extract
from auditor.pages.words.rendered_evidence import tell
from auditor.recheck import Outcome, Renderer, recheck
from auditor.recheck.pdf import child, picture, structure
from auditor.recheck.pdf.contents import take_apart
from forged_pages import drawn, painted_over, rewritten
from rendered_results import REQUEST, results

Load = Callable[[], Renderer | None]


@pytest.fixture(scope="module")
def honest() -> dict[str, bytes]:
    """Evidence, its report in two forms, and one letter."""
    return results()


class Rendered:
    """Hands over what was rendered once: a page takes seconds."""

    def __init__(self, honest: dict[str, bytes]) -> None:
        self.honest = honest

    def report(self, evidence: Evidence, *, date: datetime, signed_by: str | None) -> bytes:
        return self.honest["report.pdf"]

    def page(self, evidence: Evidence, *, date: datetime, signed_by: str | None) -> bytes:
        return self.honest["report.html"]

    def letter(self, extract: Extract, *, date: datetime, signed_by: str | None) -> bytes:
        return self.honest["letter.pdf"]


@pytest.fixture
def load(honest: dict[str, bytes]) -> Load:
    return lambda: Rendered(honest)


@pytest.fixture
def folder(tmp_path: Path, honest: dict[str, bytes]) -> Path:
    for name, content in honest.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def told(outcome: Outcome) -> str:
    own = [f"{document.name}: {finding}" for document in outcome.documents for finding in document.findings]
    return "\n".join([*own, *map(str, outcome.together.findings)])


def test_honest_pages_agree(folder: Path, load: Load) -> None:
    outcome = recheck(folder, renderer=load)
    assert outcome.agrees, told(outcome)
    assert outcome.sentence.startswith("Agrees: ")
    assert [(document.name, document.parts[0].total) for document in outcome.documents][1:] == [
        ("report.pdf", 3),
        ("letter.pdf", 3),
        ("report.html", 2),
    ]


def test_a_letter_that_was_stored_otherwise_and_looks_the_same_agrees(folder: Path, honest: dict[str, bytes], load: Load) -> None:
    stored = rewritten(honest["letter.pdf"])
    assert stored != honest["letter.pdf"]
    (folder / "letter.pdf").write_bytes(stored)
    outcome = recheck(folder / "letter.pdf", renderer=load)
    assert outcome.agrees, told(outcome)


def test_html_without_its_evidence_cannot_be_judged(folder: Path, load: Load) -> None:
    (folder / "evidence.json").unlink()
    with pytest.raises(InputError, match=r"report\.html: expected evidence\.json next to it"):
        recheck(folder / "report.html", renderer=load)


def test_pages_of_another_version_and_pages_that_nobody_renders_are_not_said_to_agree(
    folder: Path, honest: dict[str, bytes], load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "letter.pdf").write_bytes(rewritten(honest["letter.pdf"], drawn(b"0 0 300 300 re f")))
    monkeypatch.setattr("auditor.recheck.pages.__version__", "0.3.0")
    for renderer, reason in (
        (load, "written by auditor 0.2.0, this is 0.3.0"),
        (lambda: None, "the libraries that render a report are not installed: "),
        (None, "nothing here renders them again"),
    ):
        outcome = recheck(folder / "letter.pdf", renderer=renderer)
        assert outcome.agrees, "the evidence alone decides"
        assert f"pages not compared: letter.pdf ({reason}" in outcome.sentence
        assert not outcome.sentence.startswith("Agrees")
    (folder / "letter.pdf").write_bytes(honest["letter.pdf"])
    assert recheck(folder / "letter.pdf", renderer=load).sentence.startswith("Agrees"), "equal bytes agree in any version"


def test_pages_that_name_a_key_need_the_statement_that_they_name(folder: Path, load: Load) -> None:
    evidence = Evidence.model_validate_json((folder / "evidence.json").read_bytes())
    (folder / "letter.pdf").write_bytes(letter.pdf(extract(evidence, REQUEST), signed_by="0" * 64))
    said = told(recheck(folder / "letter.pdf", renderer=load))
    assert "its pages name a key that signs them, and there is no letter.dsse.json next to it" in said


def test_a_document_that_cannot_be_rendered_did_not_become_these_pages(folder: Path, honest: dict[str, bytes]) -> None:
    class Refusing(Rendered):
        def letter(self, extract: Extract, *, date: datetime, signed_by: str | None) -> bytes:
            raise ReportError("no words")

    said = told(recheck(folder / "letter.pdf", renderer=lambda: Refusing(honest)))
    assert "cannot be rendered, so these pages did not come of it: no words" in said


def test_whatever_words_and_templates_raise_is_a_report_error(honest: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = Evidence.model_validate_json(honest["evidence.json"])
    moment = datetime(2026, 11, 22)
    renderer = rerender.Again(lambda _message: None)
    for error in (KeyError("x"), TypeError("x"), ValueError("x"), RecursionError("x")):

        def raising(*_: object, error: Exception = error, **__: object) -> bytes:
            raise error

        monkeypatch.setattr(render, "html", raising)
        with pytest.raises(ReportError, match=type(error).__name__):
            renderer.page(evidence, date=moment, signed_by=None)


def test_rendering_ends_where_it_takes_too_long(honest: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = Evidence.model_validate_json(honest["evidence.json"])
    before = signal.getsignal(signal.SIGALRM)
    monkeypatch.setattr(rerender, "SECONDS", 0.05)
    monkeypatch.setattr(render, "html", lambda *_, **__: time.sleep(20))
    with pytest.raises(ReportError, match="takes longer"):
        rerender.Again(lambda _message: None).page(evidence, date=datetime(2026, 11, 22), signed_by=None)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_the_date_of_a_file_may_be_another_and_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = Evidence.model_validate_json((folder / "evidence.json").read_bytes())
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    (folder / "letter.pdf").write_bytes(letter.pdf(extract(evidence, REQUEST)))
    (folder / "report.html").write_bytes(render.html(tell(evidence)).encode())
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    for name in ("letter.pdf", "report.html"):
        outcome = recheck(folder / name, renderer=lambda: rerender.Again(lambda _message: None))
        assert outcome.agrees, told(outcome)
        assert "the date of the file, 2001-09-09T01:46:40+00:00" in " ".join(outcome.documents[0].stated)


def test_the_command_renders_says_so_and_finds_a_forged_letter(
    folder: Path, honest: dict[str, bytes], capfd: pytest.CaptureFixture[str]
) -> None:
    path = folder / "letter.pdf"
    assert run(["verify", str(path)]) == 0
    said = capfd.readouterr()
    assert said.out.splitlines()[-1].startswith("Agrees: ")
    assert said.err == f"Rendering the letter about {REQUEST} again …\n"
    path.write_bytes(rewritten(honest["letter.pdf"], painted_over("request")))
    assert run(["verify", str(path), "--quiet"]) == 1
    said = capfd.readouterr()
    assert said.err == ""
    assert "letter.pdf: what is shown: page 1: its picture is not the one that the evidence gives" in said.out


def test_only_a_faint_difference_of_a_dot_is_rounding() -> None:
    size = (2, 1)
    assert picture._furthest((b"\x00\x80", size), (b"\x02\x80", size)) <= picture._FAINT
    assert picture._furthest((b"\x00\x80", size), (b"\x03\x80", size)) > picture._FAINT
    assert picture._furthest((b"\x00\x80", size), (b"\x00\x80", (1, 2))) == 255


@pytest.mark.parametrize(("producer", "agrees"), [("WeasyPrint 70.1", True), ("WeasyPrint 70.1, certified", False), ("", False)])
def test_another_version_of_the_layout_engine_is_no_forgery_and_other_words_in_its_place_are(
    honest: dict[str, bytes], producer: str, agrees: bool
) -> None:
    other = rewritten(honest["letter.pdf"], lambda writer: writer.add_metadata({"/Producer": producer}))
    assert (child._compare(other, honest["letter.pdf"])["differences"] == []) is agrees


def test_a_second_table_of_objects_is_a_change_after_the_writing(honest: dict[str, bytes]) -> None:
    assert take_apart(honest["letter.pdf"]).revisions == 1
    stored = rewritten(honest["letter.pdf"])
    assert take_apart(stored).revisions == 1
    for key in (b"/XRefStm 9 ", b"/Prev 9 "):
        hybrid = stored.replace(b"trailer\n<<\n", b"trailer\n<<\n" + key, 1)
        assert hybrid != stored
        with contextlib.suppress(PyPdfError):
            assert take_apart(hybrid).revisions > 1


def test_places_may_differ_by_the_rounding_of_a_layout_and_counts_may_not() -> None:
    assert structure._same(10.0, 10.4, place=True)
    assert not structure._same(10.0, 10.6, place=True)
    assert not structure._same(10.0, 10.4, place=False)
    assert not structure._same(1, 2, place=True)
