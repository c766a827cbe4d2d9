"""What Python users call: the same results as the command line, exceptions in place of exit codes, nothing printed."""

from __future__ import annotations

import doctest
import json
import logging
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import front_page
import small_cases
from auditor import api
from auditor.api import Audit, Case, check, letter, read, reply, report, validate, verify
from auditor.api import cases as api_cases
from auditor.base.errors import InputError, ReportError, UsageError
from auditor.cli import run
from auditor.document.evidence_files import parse
from auditor.pages import render
from cases import timeless
from sample_cases import golden

LOG_ALONE = "log.consistency"


@pytest.fixture
def case(tmp_path: Path) -> Path:
    (tmp_path / "case").mkdir()
    return small_cases.write(tmp_path / "case", *small_cases.problem())


@pytest.fixture
def front(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with README's case in my-case, and its files in the folder itself."""
    (tmp_path / "my-case").mkdir()
    front_page.write_case(tmp_path / "my-case")
    front_page.write_case(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("module", [api, api_cases], ids=lambda module: module.__name__)
def test_examples_in_docstrings_hold(module: object, front: Path) -> None:
    known = {
        **{name: getattr(api, name) for name in api.__all__},
        "train": pd.read_csv(front / "train.csv"),
        "log": pd.read_csv(front / "deletions.csv"),
    }
    result = doctest.testmod(module, extraglobs=known)  # type: ignore[arg-type]
    assert result.attempted
    assert not result.failed


def test_importing_it_is_light() -> None:
    heavy = "{'numpy', 'pandas', 'pydantic', 'jinja2', 'torch', 'sklearn', 'typer', 'rich', 'pyarrow'}"
    code = f"import auditor.api, sys; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_it_is_the_same_audit_as_that_of_the_command(
    case: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(render, "pdf", lambda *_, **__: b"%PDF-")
    steps: list[tuple[str, int, int]] = []
    only = "log.consistency,removal.residual"
    audit = check(case, seed=7, quick=True, only=only, out=tmp_path / "out", progress=lambda *step: steps.append(step))
    assert capfd.readouterr() == ("", "")
    code = run(["check", str(case), "--seed", "7", "--quick", "--only", only, "--quiet", "--out", str(tmp_path / "cli")])
    written = (tmp_path / "cli" / "evidence.json").read_bytes()
    assert timeless(audit.evidence) == timeless(parse(written, ""))
    assert audit.exit_code == code
    assert {path.name for path in (tmp_path / "out").iterdir()} == {path.name for path in (tmp_path / "cli").iterdir()}
    assert {path.name for path in audit.files.values()} <= {path.name for path in (tmp_path / "cli").iterdir()}
    assert steps
    assert verify(tmp_path / "out" / "evidence.json").agrees


def test_nothing_is_written_unasked(case: Path) -> None:
    before = sorted(case.rglob("*"))
    check(case, only=LOG_ALONE)
    assert sorted(case.rglob("*")) == before


def test_a_case_that_is_wrong_raises_every_problem(case: Path) -> None:
    text = (case / "audit.toml").read_text(encoding="utf-8")
    (case / "audit.toml").write_text(text.replace("l2 = ", "l22 = ").replace("train.npz", "trian.npz"), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        check(case)
    assert len(caught.value.problems) >= 2
    assert caught.value.exit_code == 2


def test_wrong_arguments_are_named_all_at_once(case: Path) -> None:
    with pytest.raises(UsageError) as caught:
        check(case, seed=-1, jobs=0, device="gpu", only=7)  # type: ignore[arg-type]
    assert [line.partition(":")[0] for line in str(caught.value).splitlines()] == ["seed", "device", "jobs", "only"]
    with pytest.raises(UsageError, match=r"case: expected a folder with audit.toml, that file, or a Case, found int"):
        check(7)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"there is no check named log.consistancy"):
        check(case, only=["log.consistancy"])


def test_a_procedure_that_crashes_is_a_result(case: Path) -> None:
    body = "def learn(self, data, seed):\n    raise ValueError('no')\ndef unlearn(self, model, data, forget, seed): ...\n"
    small_cases.foreign(case, body + "def predict(self, model, features): ...\n")
    audit = check(case)
    assert (audit.exit_code, audit.passed) == (4, False)
    assert "it raised ValueError" in str(audit.failure)
    assert audit.unmet
    assert str(audit.failure) in str(audit.evidence.audit.failure)


def test_a_pass_says_what_it_is() -> None:
    audit = Audit(golden("iris-logistic"))
    assert audit.passed == (audit.exit_code == 0)
    assert repr(audit).splitlines()[0].startswith("Audit(case='iris-logistic', verdict=")
    assert audit.sentence in repr(audit)
    assert {each.id for each in audit.unmet} <= set(audit.required)
    assert audit.check(LOG_ALONE).id == LOG_ALONE


def test_what_was_changed_is_neither_read_nor_verified(case: Path, tmp_path: Path) -> None:
    """Somebody edits the verdict in evidence.json, and a notebook reads it."""
    audit = check(case, only=LOG_ALONE)
    assert read(audit.to_bytes()).verdict == audit.verdict
    document = json.loads(audit.to_bytes())
    document["verdict"], document["audit"]["exit_code"] = "pass", 0
    forged = json.dumps(document).encode()
    outcome = verify(forged)
    assert not outcome.agrees
    assert outcome.exit_code == 1
    assert str(outcome).splitlines()[-1] == outcome.sentence
    assert any("verdict" in finding.place for _, finding in outcome.findings)
    (tmp_path / "evidence.json").write_bytes(forged)
    for source in (forged, tmp_path, tmp_path / "evidence.json"):
        with pytest.raises(InputError, match="verdict"):
            read(source)
    held = Audit(parse(forged, ""))
    assert held._repr_html_() is None
    assert "Pass" not in repr(held)
    with pytest.raises(ReportError):
        held.sentence  # noqa: B018


def test_a_report_is_rendered_for_its_reader(case: Path, tmp_path: Path) -> None:
    audit = check(case, only=LOG_ALONE)
    assert report(audit, for_="ci").startswith(b"## ")
    assert report(audit, format="junit").startswith(b"<?xml")
    path = report(audit.to_bytes(), to=tmp_path / "main.html", for_="officer")
    assert "Technical annex" not in path.read_text(encoding="utf-8")
    assert report(audit, to=tmp_path / "report.sarif").read_bytes() == report(audit, format="sarif")
    with pytest.raises(UsageError, match=r"for_: expected 'officer' or 'regulator' or 'ci', found 'auditors'"):
        report(audit, for_="auditors")
    with pytest.raises(UsageError, match=r"letter\(evidence, request\)"):
        report(audit, for_="subject")
    with pytest.raises(UsageError, match=r"format: for_='officer' is served in 'pdf' or 'html', found 'md'"):
        report(audit, for_="officer", format="md")
    with pytest.raises(UsageError, match=r"to: expected a file ending in .md or .xml"):
        report(audit, to=tmp_path / "summary.txt", for_="ci")
    with pytest.raises(InputError, match="evidence"):
        report(b"{}")


def test_a_letter_is_written(tmp_path: Path) -> None:
    audit = Audit(golden("digits-newton"))
    request = audit.evidence.requests[0].request_id
    path = letter(audit, request, to=tmp_path / "letter.pdf")
    assert path.read_bytes() == letter(audit, request)
    assert path.read_bytes().startswith(b"%PDF-")
    with pytest.raises(UsageError, match="the evidence holds no request"):
        letter(audit, request + "x")
    assert verify(path).agrees


def test_a_reply_is_drafted_and_never_written_over(tmp_path: Path) -> None:
    audit = Audit(golden("digits-newton"))
    request = audit.evidence.requests[0].request_id
    path = reply(audit, request, to=tmp_path / "reply.docx")
    assert path.read_bytes() == reply(audit, request) == reply(audit.to_bytes(), request, format="docx")
    assert path.read_bytes().startswith(b"PK")
    assert reply(audit, request, format="pdf").startswith(b"%PDF-")
    with pytest.raises(UsageError, match="may have been sent"):
        reply(audit, request, to=path)
    with pytest.raises(UsageError, match="the evidence holds no request"):
        reply(audit, request + "x")
    with pytest.raises(UsageError, match=r"to: expected a file ending in .docx or .pdf"):
        reply(audit, request, to=tmp_path / "reply.odt")
    with pytest.raises(UsageError, match=r"to: expected a file ending in .docx, found 'other.pdf'"):
        reply(audit, request, to=tmp_path / "other.pdf", format="docx")
    with pytest.raises(UsageError, match="format: expected 'docx' or 'pdf', found 'odt'"):
        reply(audit, request, format="odt")  # type: ignore[call-overload]
    with pytest.raises(UsageError, match="verify takes for a report or a letter"):
        reply(audit, request, to=tmp_path / "letter.pdf")
    assert [each.name for each in tmp_path.iterdir()] == ["reply.docx"]


def test_a_key_needs_files(case: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="next to a file"):
        verify(check(case, only=LOG_ALONE), key=tmp_path / "key.pub")


def test_a_case_is_a_path(case: Path) -> None:
    assert validate(Case(case), run=False).facts == validate(case / "audit.toml", run=False).facts
    assert check(Case(case), only=LOG_ALONE).exit_code == 3


@pytest.mark.usefixtures("unprinted")
def test_what_is_removed_goes_to_the_logger(case: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "statement.dsse.json").write_text("{}", encoding="utf-8")
    with caplog.at_level(logging.INFO, "auditor"):
        check(case, only=LOG_ALONE, out=tmp_path)
    assert "statement.dsse.json" in caplog.text


@pytest.mark.parametrize("content", [b"", b"[]", b'{"schema": "auditor.evidence/1"}', b"%PDF-1.7"])
def test_what_cannot_be_read_is_named_by_its_path(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "evidence.json").write_bytes(content)
    with pytest.raises(InputError, match=re.escape(f"{tmp_path}/evidence.json: ")):
        read(tmp_path)
    with pytest.raises(InputError, match=r"^evidence\.json: "):
        read(content)
