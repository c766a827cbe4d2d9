"""What lies in a signed folder: everything is covered by a statement, or the recheck fails and names it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

import rechecks
import signed
from auditor.base.errors import InputError
from auditor.cli import run
from auditor.document.evidence import digest
from auditor.recheck import Outcome, recheck, signing

SAMPLE = "digits-shipped-old"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A case with the folder of its signed audit: evidence alone, which is rechecked in no time."""
    audit = tmp_path / "case" / "audit"
    audit.mkdir(parents=True)
    write_signed(audit, rechecks.derived(SAMPLE))
    (tmp_path / "key.pub").write_bytes(signed.PUBLIC)
    return audit


def write_signed(audit: Path, evidence: bytes, **predicates: Any) -> None:
    (audit / "evidence.json").write_bytes(evidence)
    for name, statement in signing.about({"evidence.json": evidence}).items():
        said = predicates.get(name.partition(".")[0].replace("-", "_"), {})
        about = signing.Statement(statement.subjects, statement.predicate_type, {**statement.predicate, **said})
        (audit / name).write_bytes(signing.sign(about, signed.signer()))


def with_key(folder: Path) -> Outcome:
    return recheck(folder, public_key=folder.parents[1] / "key.pub")


def told(outcome: Outcome) -> str:
    return "\n".join(map(str, outcome.together.findings))


def test_a_signed_folder_agrees(folder: Path) -> None:
    outcome = with_key(folder)
    assert outcome.agrees, told(outcome)
    assert (
        outcome.protection
        == f"signed by key {signing.key_id(signed.PUBLIC)[:16]}: evidence.json; signed and not here: " + model()
    )


def model() -> str:
    name: str = rechecks.document(SAMPLE)["case"]["model"]
    return name


def test_folders_and_links_in_a_signed_folder_fail_and_kept_runs_and_the_key_itself_do_not(folder: Path) -> None:
    (folder / ".runs").mkdir()
    (folder / "key.pub").write_bytes(signed.PUBLIC)
    assert recheck(folder, public_key=folder / "key.pub").agrees
    (folder / "letters").mkdir()
    (folder / "also").symlink_to(folder / "evidence.json")
    (folder / "other.pub").write_bytes(signed.PUBLIC)
    said = told(recheck(folder, public_key=folder / "key.pub"))
    for name in ("letters", "also", "other.pub"):
        assert f"signature of {name}: no statement covers it" in said
    (folder / ".runs").rmdir()
    (folder / ".runs").symlink_to("/")
    assert "signature of .runs: " in told(with_key(folder))


def test_inputs_of_the_audit_may_lie_in_the_signed_folder_as_they_were_read(folder: Path) -> None:
    toml = folder / "audit.toml"
    toml.write_text("[case]")

    def declare(value: dict[str, Any]) -> None:
        held = next(each for each in value["case"]["inputs"] if each["path"] == "audit.toml")
        held.update(sha256=digest(toml.read_bytes()), bytes=len(toml.read_bytes()))

    write_signed(folder, rechecks.changed(declare, SAMPLE))
    assert "signature of audit.toml" not in told(with_key(folder))
    toml.write_text("[case] ")
    assert "signature of audit.toml: no statement covers it" in told(with_key(folder))


def of_model(content: bytes) -> bytes:
    """Evidence about a model of this content, whatever else it says."""

    def declare(value: dict[str, Any]) -> None:
        held = next(each for each in value["case"]["inputs"] if each["path"] == model())
        held.update(sha256=digest(content), bytes=len(content))

    return rechecks.changed(declare, SAMPLE)


@pytest.mark.parametrize("where", ["audit", "case"])
def test_the_model_file_is_held_against_its_digest(folder: Path, where: str) -> None:
    write_signed(folder, of_model(b"weights"))
    path = (folder if where == "audit" else folder.parent) / model()
    path.write_bytes(b"weights")
    outcome = with_key(folder)
    assert model() not in told(outcome)
    path.write_bytes(b"other weights")
    for outcome in (with_key(folder), recheck(folder), recheck(folder / "evidence.json")):
        assert f"is {digest(b'other weights')}, the audit examined {digest(b'weights')}" in told(outcome)


def test_a_path_of_the_model_leads_out_of_no_case(folder: Path) -> None:
    outside = folder.parents[1] / "model.safetensors"
    outside.write_bytes(b"weights")

    for path in ("../../model.safetensors", str(outside)):

        def declare(value: dict[str, Any], path: str = path) -> None:
            value["case"]["model"] = path
            value["case"]["inputs"].append({"path": path, "sha256": "0" * 64, "bytes": 7})

        content = rechecks.changed(declare, SAMPLE)
        (folder / "evidence.json").write_bytes(content)
        assert digest(b"weights") not in told(recheck(folder))


def test_a_statement_of_another_version_may_say_more_and_has_to_say_the_verdict(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("auditor.recheck.signatures.__version__", "0.3.0")
    write_signed(folder, rechecks.derived(SAMPLE), statement={"note": "more"}, test_result={"note": "more"})
    assert with_key(folder).agrees
    write_signed(folder, rechecks.derived(SAMPLE), statement={"verdict": "pass"}, test_result={"result": "PASSED"})
    said = told(with_key(folder))
    assert "its verdict is" in said
    assert "its result is" in said


def test_a_stray_statement_by_another_key_fails(folder: Path) -> None:
    other = signing.generate(None)
    key = folder.parents[1] / "other"
    key.write_bytes(other.private_pem)
    key.chmod(0o600)
    about = signing.about_letter("letter-a.pdf", b"", "0" * 64)
    stray = folder / "letter-a.dsse.json"
    stray.write_bytes(signing.sign(about, signing.load_private(key, str)))
    assert "signature of letter-a.dsse.json: the envelope holds no signature by this key" in told(with_key(folder))
    stray.write_bytes(signing.sign(about, signed.signer()))
    assert with_key(folder).agrees


def test_a_private_key_and_two_keys_in_one_file_are_no_public_key(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    key = folder.parents[1] / "key.pub"
    pair = signing.generate(None)
    for content, said in (
        (pair.private_pem, "a private key: keep that one to yourself"),
        (signed.PUBLIC + pair.private_pem, "a private key: keep that one to yourself"),
        (signed.PUBLIC + pair.public_pem, "more than one key"),
        (b"", "something else"),
    ):
        key.write_bytes(content)
        assert run(["verify", str(folder), "--key", str(key)]) == 2
        assert said in capfd.readouterr().err


def test_archives_are_not_opened(tmp_path: Path) -> None:
    archives = {
        b"PK\x03\x04../../evidence.json": "ZIP archive",
        b"\x1f\x8b\x08": "no text",
        b"evidence.json" + bytes(500): "no text",
    }
    for content, found in archives.items():
        path = tmp_path / "audit.zip"
        path.write_bytes(content)
        with pytest.raises(InputError, match=found):
            recheck(path)


def test_a_statement_that_nobody_here_can_read_is_unreadable_and_not_unsigned(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "auditor.recheck.signatures", None)
    monkeypatch.setitem(sys.modules, "auditor.recheck.covering", None)
    for path in (folder, folder / "evidence.json"):
        with pytest.raises(InputError, match=r"statement\.dsse\.json: expected the package securesystemslib"):
            recheck(path)
    with pytest.raises(InputError, match="the package securesystemslib"):
        with_key(folder)


def test_a_pipe_keeps_nobody_waiting(tmp_path: Path) -> None:
    path = tmp_path / "evidence.json"
    os.mkfifo(path)
    with pytest.raises(InputError, match="no plain file"):
        recheck(path)
