"""`auditor verify`: what it prints, its exit codes, and that it needs none of the libraries that an audit needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import venv
from pathlib import Path
from typing import Any

import pytest
import rfc8785

import rechecks
import signed
from auditor.cli import run
from auditor.recheck import signing

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("torch", "sklearn", "pandas", "jinja2", "weasyprint", "joblib", "pyarrow", "safetensors")
LEAN = ("numpy", "scipy", "pydantic", "pypdf", "rfc8785", "typer", "fluent.runtime", "securesystemslib[crypto]")
"""What verifying needs of what an audit needs."""
BLOCKER = f"""
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {HEAVY!r}:
            raise ImportError(name + " is not installed here")
sys.meta_path.insert(0, Blocked())
from auditor.cli import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.fixture
def evidence(tmp_path: Path) -> Path:
    path = tmp_path / "evidence.json"
    path.write_bytes(rechecks.golden("digits-newton"))
    return path


def tampered(path: Path) -> None:
    path.write_bytes(rechecks.changed(lambda value: rechecks.check(value, "swap.quality").update(interval=[0.99, 1])))


def test_it_counts_what_it_rechecked_and_ends_in_one_sentence(evidence: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(evidence)]) == 0
    said = capfd.readouterr()
    lines = said.out.splitlines()
    assert lines[0].startswith("evidence.json (evidence), SHA-256 ")
    assert any(line.split() == ["certificates", "8", "of", "8"] for line in lines)
    assert any(line.split() == ["checks", "29", "of", "29"] for line in lines)
    assert lines[-1].startswith("Agrees: ")
    assert lines[-1].endswith("Protection: none: unsigned.")
    assert not said.err


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"id,name\n1,Ann\n", "a table in CSV"),
        (b"\xef\xbb\xbfid;name\r\n1;Ann\r\n", "a table in CSV"),
        (b"PAR1\x15\x04", "a table in Parquet"),
        (b"PK\x03\x04rest", "a ZIP archive, or a file of an office program"),
        (b"\x93NUMPY\x01\x00v", "an array of NumPy"),
        (b"Dear Sir or Madam,", "text that is no JSON"),
        (b"\x00\x01\xff\xfe", "bytes that are no text"),
        (b" \n", "an empty file"),
    ],
)
def test_what_is_no_document_of_the_auditor_is_named(
    tmp_path: Path, content: bytes, found: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "given.txt").write_bytes(content)
    assert run(["verify", str(tmp_path / "given.txt")]) == 2
    wanted = "expected evidence.json, a report or a letter in PDF"
    assert capfd.readouterr().err == f"auditor: given.txt: {wanted}, found {found}\n"
    assert run(["report", str(tmp_path / "given.txt"), "--format", "html"]) == 2
    assert capfd.readouterr().err.endswith(f"expected an evidence file in JSON, found {found}\n")


def test_a_log_in_the_place_of_evidence_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "log.jsonl").write_text('{"a": 1}\n{"a": 2}\n')
    assert run(["verify", str(tmp_path / "log.jsonl")]) == 2
    assert "found several JSON values, as in a log" in capfd.readouterr().err


def test_a_disagreement_is_one_line_and_exit_1(evidence: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tampered(evidence)
    assert run(["verify", str(evidence), "--quiet"]) == 1
    lines = capfd.readouterr().out.splitlines()
    assert lines == [
        (
            "evidence.json: checks[6] swap.quality: interval[0]: it is 0.99, "
            "what the document declares and observed gives 0.977751566713"
        ),
        "Does not agree: 1 disagreement.",
    ]


def larger(value: Any) -> Any:
    """Every fraction in a value of JSON, a hundredth larger."""
    match value:
        case float():
            return value * 1.01
        case list():
            return [larger(each) for each in value]
        case dict():
            return {name: larger(each) for name, each in value.items()}
        case _:
            return value


def test_of_many_disagreements_the_first_of_each_kind_are_shown_and_json_has_all(
    evidence: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(evidence.read_bytes())
    residual = next(each for each in document["checks"] if each["id"] == "removal.residual")
    residual["observed"] = larger(residual["observed"])
    evidence.write_bytes(rfc8785.dumps(document))
    assert run(["verify", str(evidence), "--quiet", "--json"]) == 1
    found = json.loads(capfd.readouterr().out)
    assert run(["verify", str(evidence), "--quiet"]) == 1
    *lines, more, last = capfd.readouterr().out.splitlines()
    count = len(found["findings"])
    assert count > 100
    assert last == found["sentence"] == f"Does not agree: {count} disagreements."
    left = int(more.removesuffix(" more are not shown: these are the first of each kind. auditor verify --json lists all."))
    assert count - 2 * len(lines) <= left <= count - len(lines), "a line may name two places"
    kinds = [line.split()[1].partition("[")[0] for line in lines]
    assert max(map(kinds.count, kinds)) == 3
    assert set(kinds) == {each["place"].partition("[")[0] for each in found["findings"]}, "each kind has its first"


def test_evidence_of_another_form_is_refused_in_our_words(evidence: Path, capfd: pytest.CaptureFixture[str]) -> None:
    document = json.loads(evidence.read_bytes())
    next(each for each in document["checks"] if each["id"] == "release.exact")["observed"] = {"made_up": 3}
    evidence.write_bytes(rfc8785.dumps(document))
    assert run(["verify", str(evidence), "--quiet"]) == 1
    said = capfd.readouterr().out
    assert "ValidationError" not in said
    assert "pydantic" not in said


def test_what_is_wrong_in_the_same_way_in_several_checks_is_said_once_with_all_of_them(
    evidence: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(evidence.read_bytes())
    gone = document["requests"].pop(0)["request_id"]
    evidence.write_text(json.dumps(document), encoding="utf-8")
    assert run(["verify", str(evidence), "--quiet"]) == 1
    (line,) = [each for each in capfd.readouterr().out.splitlines() if f"{gone} is no request that was executed" in each]
    assert line.startswith(
        "evidence.json: observed release.remembers, observed removal.residual and observed deletion.adaptive: "
    )


def test_json_holds_counts_findings_and_protection(evidence: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tampered(evidence)
    assert run(["verify", str(evidence), "--json"]) == 1
    said = json.loads(capfd.readouterr().out)
    assert said["agrees"] is False
    assert said["protection"] == "none: unsigned"
    (document,) = said["documents"]
    assert {"name": "certificates", "agreed": 8, "total": 8} in document["parts"]
    assert {"name": "checks", "agreed": 28, "total": 29} in document["parts"]
    (finding,) = said["findings"]
    assert (finding["document"], finding["place"]) == ("evidence.json", "checks[6] swap.quality")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"schema":"auditor.evidence/3"}', b"%PDF-1.7\nno pdf", b"\x00" * 99])
def test_what_cannot_be_read_is_exit_2(tmp_path: Path, content: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "evidence.json"
    path.write_bytes(content)
    assert run(["verify", str(path)]) == 2
    said = capfd.readouterr()
    assert not said.out
    assert "evidence.json" in said.err
    assert "Traceback" not in said.err


def test_a_missing_file_an_empty_folder_and_no_key_are_exit_2(evidence: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert run(["verify", str(tmp_path / "none.json")]) == 2
    assert run(["verify", str(tmp_path / "empty")]) == 2
    assert run(["verify", str(evidence), "--key", str(evidence)]) == 2


def test_a_signature_is_checked_with_the_key(evidence: Path, capfd: pytest.CaptureFixture[str]) -> None:
    key = evidence.with_name("key.pub")
    key.write_bytes(signed.PUBLIC)
    assert run(["verify", str(evidence), "--key", str(key)]) == 1
    for name, statement in signing.about({"evidence.json": evidence.read_bytes()}).items():
        evidence.with_name(name).write_bytes(signing.sign(statement, signed.signer()))
    assert run(["verify", str(evidence), "--key", str(key)]) == 0
    assert "Protection: signed by key" in capfd.readouterr().out
    evidence.write_bytes(b"{" + evidence.read_bytes())
    assert run(["verify", str(evidence), "--key", str(key)]) == 1, "changed, and therefore unreadable"
    assert "signature of evidence.json" in capfd.readouterr().out


def test_text_of_a_document_steers_no_terminal(evidence: Path, capfd: pytest.CaptureFixture[str]) -> None:
    hostile = "\x1b[2J\u202eevil\x07"

    def change(value: dict[str, Any]) -> None:
        value["requests"][0].update(request_id=hostile, days=2)

    evidence.write_bytes(rechecks.changed(change))
    assert run(["verify", str(evidence)]) == 1
    said = capfd.readouterr().out
    assert "evil" in said
    assert not any(character in said for character in "\x1b\x07\u202e")


def test_it_runs_where_nothing_that_an_audit_needs_is_installed(evidence: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", BLOCKER, "verify", str(evidence)], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "Agrees: " in ran.stdout


@pytest.mark.slow
def test_an_installation_without_what_audits_need_verifies(evidence: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "lean", with_pip=True)
    python = str(tmp_path / "lean" / "bin" / "python")
    for arguments in (["--no-deps", str(ROOT)], list(LEAN)):
        subprocess.run([python, "-m", "pip", "install", "--quiet", *arguments], check=True, cwd=tmp_path)
    listed = subprocess.run([python, "-m", "pip", "list"], check=True, capture_output=True, text=True).stdout.lower()
    assert not any(f"\n{name} " in listed for name in ("torch", "scikit-learn", "pandas", "jinja2", "weasyprint"))
    command = [str(tmp_path / "lean" / "bin" / "auditor"), "verify", str(evidence)]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path, env=environment)
    started = time.perf_counter()
    ran = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert "Agrees: " in ran.stdout
    assert time.perf_counter() - started < 10
