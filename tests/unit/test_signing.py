"""Keys are written and read with care; a statement comes back as it was signed, and nothing else comes back at all."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
from datetime import datetime
from pathlib import Path

import pytest
import rfc8785
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

import report_examples as examples
import signed
from auditor.base.domain import Status
from auditor.base.errors import InputError, SignatureError, UsageError
from auditor.recheck import signing

SECRET = "correct horse battery staple"
ANOTHER_TOOL = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")


def never() -> str:
    raise AssertionError("asked for a passphrase")


def run_openssl(arguments: list[str | Path], cwd: Path | None = None) -> bytes:
    environment = os.environ | {"WORD": SECRET}
    return subprocess.run(["openssl", *arguments], cwd=cwd, env=environment, capture_output=True, check=True).stdout


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path, _ = signing.write_pair(tmp_path / "key", signing.generate(SECRET))
    return path


def test_a_key_pair_is_written_for_its_owner_alone_and_signs_what_its_public_key_verifies(key: Path) -> None:
    assert key.stat().st_mode & 0o7777 == 0o600
    public = signing.read_public(key.with_name("key.pub"))
    signer = signing.load_private(key, lambda: SECRET)
    assert signer.public_key.keyid == signing.key_id(public)
    assert signing.verify(signing.sign(signed.STATEMENT, signer), public) == signed.STATEMENT


def test_the_mode_of_a_private_key_does_not_follow_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        path, public = signing.write_pair(tmp_path / "key", signing.generate(None))
    finally:
        os.umask(before)
    assert (path.stat().st_mode & 0o7777, public.stat().st_mode & 0o7777) == (0o600, 0o644)


@ANOTHER_TOOL
def test_a_private_key_is_encrypted_pkcs8_and_other_tools_read_both_files(key: Path) -> None:
    assert key.read_text().startswith("-----BEGIN ENCRYPTED PRIVATE KEY-----\n")
    shown = run_openssl(["pkey", "-in", key, "-passin", "env:WORD", "-pubout"])
    assert shown == signing.read_public(key.with_name("key.pub"))


@ANOTHER_TOOL
def test_a_key_that_openssl_encrypted_with_scrypt_is_read(key: Path, tmp_path: Path) -> None:
    stronger = tmp_path / "stronger"
    words = ["-passin", "env:WORD", "-passout", "env:WORD"]
    run_openssl(["pkcs8", "-topk8", "-scrypt", "-in", key, *words, "-out", stronger])
    stronger.chmod(0o600)
    assert signing.load_private(stronger, lambda: SECRET).public_key == signing.load_private(key, lambda: SECRET).public_key


def test_a_key_without_passphrase_is_read_without_asking(tmp_path: Path) -> None:
    path, public = signing.write_pair(tmp_path / "key", signing.generate(None))
    assert signing.load_private(path, never).public_key.keyid == signing.key_id(public.read_bytes())


@pytest.mark.parametrize("taken", ["key", "key.pub"])
def test_a_key_is_never_written_over_another_file(taken: str, tmp_path: Path) -> None:
    (tmp_path / taken).write_bytes(b"precious")
    with pytest.raises(UsageError, match="there already"):
        signing.write_pair(tmp_path / "key", signing.generate(None))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {taken: b"precious"}


def test_a_dangling_link_is_not_followed_when_a_key_is_written(tmp_path: Path) -> None:
    (tmp_path / "key").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="there already"):
        signing.write_pair(tmp_path / "key", signing.generate(None))
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file or directory"):
        signing.write_pair(tmp_path / "none" / "key", signing.generate(None))


@pytest.mark.parametrize("passphrase", ["", "ä" * 512, "a\ud800b"])
def test_a_passphrase_that_cannot_be_used_is_refused_without_being_repeated(passphrase: str) -> None:
    with pytest.raises(UsageError, match="passphrase") as caught:
        signing.generate(passphrase)
    assert caught.value.__cause__ is None
    assert "\ud800" not in str(caught.value)


def test_a_passphrase_of_bytes_that_are_no_utf8_fits_again(tmp_path: Path) -> None:
    word = os.fsdecode(b"caf\xe9")
    path, _ = signing.write_pair(tmp_path / "key", signing.generate(word))
    assert signing.load_private(path, lambda: word)


def test_another_passphrase_is_bad_input_and_neither_it_nor_the_key_is_repeated(key: Path) -> None:
    with pytest.raises(InputError, match="another passphrase") as caught:
        signing.load_private(key, lambda: "Tr0ub4dor&3")
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    assert "Tr0ub4dor" not in str(caught.value)
    assert "Tr0ub4dor" not in repr(signing.generate("Tr0ub4dor&3"))
    assert "PRIVATE" not in repr(signing.generate(None))


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o620, 0o611])
def test_a_private_key_that_others_can_reach_is_refused_with_the_way_out(mode: int, key: Path) -> None:
    key.chmod(mode)
    with pytest.raises(InputError, match=f"mode {mode:04o}; fix it with: chmod 600"):
        signing.load_private(key, never)


def test_a_private_key_of_somebody_else_is_refused(key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: key.stat().st_uid + 1)
    with pytest.raises(InputError, match="belongs to the user who signs"):
        signing.load_private(key, never)


def test_links_folders_pipes_and_large_files_are_no_keys(key: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(key)
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe", 0o600)
    (tmp_path / "large").write_bytes(key.read_bytes() + b"\n" * 65536)
    (tmp_path / "large").chmod(0o600)
    for name, found in {
        "link": "a link",
        "folder": "Is a directory",
        "pipe": "no plain file",
        "large": "more than 65536",
        "none": "No such",
    }.items():
        with pytest.raises(InputError, match=found):
            signing.load_private(tmp_path / name, never)
        with pytest.raises(InputError, match=found):
            signing.read_public(tmp_path / name)


def test_other_kinds_of_key_and_other_files_are_refused(tmp_path: Path, key: Path) -> None:
    other = generate_private_key(SECP256R1())
    (tmp_path / "ec").write_bytes(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    (tmp_path / "text").write_bytes(b"no key at all")
    for name in ("ec", "text"):
        (tmp_path / name).chmod(0o600)
        with pytest.raises(InputError, match=r"Ed25519 private key in PEM \(PKCS#8\)"):
            signing.load_private(tmp_path / name, never)
    with pytest.raises(InputError, match="Ed25519 private key"):
        signing.load_private(copied(key.with_name("key.pub"), tmp_path / "own"), never)
    (tmp_path / "ec.pub").write_bytes(other.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    with pytest.raises(InputError, match="another kind"):
        signing.read_public(tmp_path / "ec.pub")
    with pytest.raises(InputError, match="keep that one to yourself"):
        signing.read_public(key)


def copied(source: Path, target: Path) -> Path:
    target.write_bytes(source.read_bytes())
    target.chmod(0o600)
    return target


def test_the_key_id_is_that_of_in_toto_tools() -> None:
    raw = signed.KEY.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
    # RFC 8032 derives it from the seed 00 01 … 1f; the id is then one SHA-256 over canonical JSON.
    assert raw == "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
    canonical = f'{{"keytype":"ed25519","keyval":{{"public":"{raw}"}},"scheme":"ed25519"}}'
    assert signing.key_id(signed.PUBLIC) == hashlib.sha256(canonical.encode()).hexdigest()


@ANOTHER_TOOL
def test_an_envelope_is_what_openssl_signs_over_the_pae_bytes(tmp_path: Path) -> None:
    """The protocol of DSSE, followed by hand with another tool."""
    envelope = json.loads(signing.sign(signed.STATEMENT, signed.signer()))
    payload = base64.b64decode(envelope["payload"])
    (tmp_path / "pae").write_bytes(signed.pae(payload))
    (tmp_path / "sig").write_bytes(base64.b64decode(envelope["signatures"][0]["sig"]))
    (tmp_path / "pub").write_bytes(signed.PUBLIC)
    command = ["pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", "pub", "-sigfile", "sig", "-in", "pae"]
    assert b"Successfully" in run_openssl(command, cwd=tmp_path)
    assert signed.pae(b"{}", "a").startswith(b"DSSEv1 1 a 2 {}")


def test_the_payload_is_an_in_toto_statement() -> None:
    payload = base64.b64decode(json.loads(signing.sign(signed.STATEMENT, signed.signer()))["payload"])
    assert json.loads(payload) == {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [
            {"name": "evidence.json", "digest": {"sha256": "ab" * 32}},
            {"name": "report.pdf", "digest": {"sha256": "cd" * 32}},
        ],
        "predicateType": "https://example.invalid/v1",
        "predicate": {"a": [1]},
    }


@pytest.mark.parametrize(
    ("subjects", "predicate_type", "why"),
    [
        ((), "t", "no subject"),
        ((("a", "ab" * 32), ("a", "cd" * 32)), "t", "twice"),
        ((("a", "ab" * 32),), "", "no predicate type"),
        ((("", "ab" * 32),), "t", "without a name"),
        ((("a", "AB" * 32),), "t", "no SHA-256"),
        ((("a", "ab" * 31),), "t", "no SHA-256"),
        ((("a", "ab" * 32 + "\n"),), "t", "no SHA-256"),
    ],
)
def test_a_statement_that_says_nothing_or_two_things_cannot_be_made(subjects: tuple, predicate_type: str, why: str) -> None:
    with pytest.raises(SignatureError, match=why):
        signing.Statement(tuple(signing.Subject(*subject) for subject in subjects), predicate_type, {})


@pytest.mark.parametrize("predicate", [{"a": float("nan")}, {"a": 2**60}, {"a": "\ud800"}, {"a": object()}])
def test_what_has_no_canonical_form_is_not_signed(predicate: dict) -> None:
    with pytest.raises(SignatureError, match="no canonical form"):
        signing.sign(signing.Statement(signed.STATEMENT.subjects, "t", predicate), signed.signer())


def test_what_nobody_would_read_is_not_signed() -> None:
    with pytest.raises(SignatureError, match="more than the 1048576"):
        signing.sign(signing.Statement(signed.STATEMENT.subjects, "t", {"a": "b" * signing.MAX_BYTES}), signed.signer())


def test_all_statements_cover_every_file_and_the_model_that_was_audited() -> None:
    evidence = examples.passing()
    statements = signing.about(signed.results())
    assert list(statements) == ["statement.dsse.json", "test-result.dsse.json", "verification-result.dsse.json"]
    own, standard, verification = statements.values()
    assert own.subjects == standard.subjects == verification.subjects
    digests = {subject.name: subject.sha256 for subject in own.subjects}
    model = evidence.case.model
    assert model is not None
    assert digests.pop(model) == next(file.sha256 for file in evidence.case.inputs if file.path == model)
    assert digests == {name: hashlib.sha256(content).hexdigest() for name, content in signed.results().items()}
    assert own.predicate_type.partition("/attestation/")[0] == "https://auditor.invalid"
    assert own.predicate["verdict"] == "pass"
    assert own.predicate["audit"]["id"] == evidence.audit.id
    assert standard.predicate_type == "https://in-toto.io/attestation/test-result/v0.1"
    assert standard.predicate["configuration"] == [{"name": "policy", "digest": {"sha256": evidence.policy.digest}}]


@pytest.mark.parametrize(("name", "result"), [("passing", "PASSED"), ("failing", "FAILED"), ("broken_off", "FAILED")])
def test_the_test_result_follows_the_verdict_and_lists_no_open_check_as_passed(name: str, result: str) -> None:
    evidence = getattr(examples, name)()
    predicate = signing.about(signed.results(name))[signing.TEST_RESULT_FILE].predicate
    assert predicate["result"] == result
    required = {check.id: check.status for check in evidence.checks if check.id in evidence.policy.required}
    assert required
    assert {check_id for check_id, status in required.items() if status is Status.PASS} == set(predicate["passedTests"])
    assert predicate["warnedTests"] == []
    failed = {check_id for check_id, status in required.items() if status in {Status.FAIL, Status.ERROR}}
    assert failed == set(predicate["failedTests"])
    assert bool(failed) is (name != "passing")


@pytest.mark.parametrize("name", ["passing", "failing", "broken_off"])
def test_the_verification_result_lists_what_is_required_where_all_of_it_passed_and_nothing_elsewhere(name: str) -> None:
    evidence = getattr(examples, name)()
    statement = signing.about(signed.results(name))[signing.VERIFICATION_FILE]
    assert statement.predicate_type == "https://in-toto.io/attestation/svr/v0.2"
    assert statement.predicate["verifier"] == {
        "id": f"https://auditor.invalid/verifier/v{evidence.audit.auditor_version}",
        "policies": [{"name": "policy", "digest": {"sha256": evidence.policy.digest}}],
    }
    required = [f"AUDITOR_CHECK_{each}" for each in evidence.policy.required]
    assert statement.predicate["properties"] == ([signing.POLICY_MET, *required] if name == "passing" else [])
    assert datetime.fromisoformat(statement.predicate["timeCreated"]) == evidence.audit.finished_at


def test_without_a_model_the_results_alone_are_signed() -> None:
    assert examples.broken_off().case.model is None
    statement = signing.about(signed.results("broken_off"))[signing.STATEMENT_FILE]
    assert [subject.name for subject in statement.subjects] == list(signed.results())


def test_a_model_is_found_under_the_tidy_form_of_its_path_and_never_guessed() -> None:
    document = json.loads(signed.results()["evidence.json"])
    document["case"]["model"] = "./somewhere/../" + document["case"]["model"]
    files = signed.results() | {"evidence.json": rfc8785.dumps(document)}
    assert signing.about(files)[signing.STATEMENT_FILE].subjects[-1].name == examples.passing().case.model
    document["case"]["model"] = "another.safetensors"
    with pytest.raises(SignatureError, match=r"no digest of the model another\.safetensors"):
        signing.about(signed.results() | {"evidence.json": rfc8785.dumps(document)})


def test_files_that_a_statement_does_not_cover_are_named() -> None:
    files = signed.results()
    statement = signing.about(files)[signing.STATEMENT_FILE]
    assert signing.mismatches(statement, files) == ()
    assert signing.mismatches(statement, {"evidence.json": files["evidence.json"]}) == ()
    assert signing.mismatches(statement, files | {"report.pdf": b"%PDF-2"}) == ("report.pdf",)
    assert signing.mismatches(statement, {"letter.pdf": b"", "evidence.json": b""}) == ("letter.pdf", "evidence.json")


def test_two_pairs_are_two_keys() -> None:
    assert signing.generate(None).key_id != signing.generate(None).key_id
