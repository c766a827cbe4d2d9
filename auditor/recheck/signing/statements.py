"""in-toto Statements v1: what somebody says about files that are named by their digests."""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import rfc8785

from auditor.base.domain import Status, Verdict
from auditor.base.errors import SignatureError

STATEMENT_TYPE: Final = "https://in-toto.io/Statement/v1"
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Subject:
    """One file that a statement is about."""

    name: str
    sha256: str
    """Lower-case hexadecimal."""

    def __post_init__(self) -> None:
        """Refuse what is no name or no digest.

        Raises:
            SignatureError: If the name is empty or the digest is no SHA-256.
        """
        if not (isinstance(self.name, str) and self.name):
            raise SignatureError("the statement has a subject without a name")
        if not (isinstance(self.sha256, str) and _SHA256.fullmatch(self.sha256)):
            raise SignatureError(f"the statement's subject {self.name} has no SHA-256 in lower-case hexadecimal")


@dataclass(frozen=True, slots=True)
class Statement:
    """An in-toto Statement v1 (in-toto Attestation Framework, Statement layer)."""

    subjects: tuple[Subject, ...]
    predicate_type: str
    """A URI that says how to read the predicate."""
    predicate: Mapping[str, Any]
    """What is said about the subjects, a JSON object."""

    def __post_init__(self) -> None:
        """Refuse a statement about nothing, or one that says two things of one name.

        Raises:
            SignatureError: If there is no subject, two bear one name, or there is no predicate type.
        """
        names = [subject.name for subject in self.subjects]
        if not names:
            raise SignatureError("the statement names no subject")
        if len(set(names)) < len(names):
            raise SignatureError("the statement names one subject twice")
        if not (isinstance(self.predicate_type, str) and self.predicate_type):
            raise SignatureError("the statement has no predicate type")

    def to_bytes(self) -> bytes:
        """RFC 8785 canonical bytes: what is signed.

        Raises:
            SignatureError: If the predicate holds something that has no canonical form.
        """
        try:
            return rfc8785.dumps(
                {
                    "_type": STATEMENT_TYPE,
                    "subject": [{"name": item.name, "digest": {"sha256": item.sha256}} for item in self.subjects],
                    "predicateType": self.predicate_type,
                    "predicate": dict(self.predicate),
                }
            )
        except ValueError as error:
            raise SignatureError(f"the statement has no canonical form: {error}") from error


def read_statement(payload: bytes) -> Statement:
    """The statement in a payload whose signature was verified before.

    Fields that this version does not know are passed over, as the framework asks of every reader.

    Raises:
        SignatureError: If it is no in-toto Statement v1 in canonical form.
    """
    document = read_canonical(payload, "the signed payload")
    if document.get("_type") != STATEMENT_TYPE:
        raise SignatureError(f"the signed payload is no in-toto Statement v1: its _type is {_quoted(document.get('_type'))}")
    subjects = document.get("subject")
    if not (isinstance(subjects, list) and all(isinstance(item, dict) for item in subjects)):
        raise SignatureError("the signed payload is no in-toto Statement v1: its subject is no list of objects")
    # The framework allows a statement without a predicate, and reads it as an empty one.
    predicate = document.get("predicate", {})
    if not isinstance(predicate, dict):
        raise SignatureError("the signed payload is no in-toto Statement v1: its predicate is no object")
    return Statement(tuple(_subject(item) for item in subjects), document.get("predicateType", ""), predicate)


def read_canonical(data: bytes, what: str) -> dict[str, Any]:
    """The JSON object in bytes that are its one canonical form (RFC 8785); `what` is what messages call it.

    One meaning has one spelling then: a key given twice, bytes behind the end or another way to write a string are all refused.

    Raises:
        SignatureError: If it is anything else.
    """
    try:
        document = json.loads(data.decode())
        canonical = rfc8785.dumps(document)
    except (ValueError, RecursionError) as error:
        raise SignatureError(f"{what} is no JSON object that can be read") from error
    if not isinstance(document, dict):
        raise SignatureError(f"{what} is no JSON object")
    if canonical != data:
        raise SignatureError(f"{what} is not in canonical form (RFC 8785); it may have been edited or reformatted")
    return document


def mismatches(statement: Statement, files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Names of files that the statement does not cover as they are: their digest is another one, or it does not name them.

    Args:
        statement: A verified statement.
        files: Content by name, of those files that are at hand. Subjects that are not among them are not examined.
    """
    signed = {subject.name: subject.sha256 for subject in statement.subjects}
    return tuple(name for name, content in files.items() if signed.get(name) != hashlib.sha256(content).hexdigest())


def _subject(item: Mapping[str, Any]) -> Subject:
    digest = item.get("digest")
    return Subject(item.get("name", ""), digest.get("sha256", "") if isinstance(digest, dict) else "")


def _quoted(value: Any) -> str:
    return json.dumps(value)[:80]


# The statements about one audit: its own, two standard ones for tools that know nothing of unlearning, one for a letter.
# One envelope holds one statement, and a statement has one predicate type: so an audit has three files, over the same subjects.
# A letter goes out alone, to one person, and has another alongside it that names no other file. All are made of the finished
# files.
STATEMENT_FILE: Final = "statement.dsse.json"
TEST_RESULT_FILE: Final = "test-result.dsse.json"
VERIFICATION_FILE: Final = "verification-result.dsse.json"
AUDIT_TYPE: Final = "https://auditor.invalid/attestation/audit/v1"
"""Our own predicate type. Nobody can ever own the name: `.invalid` is reserved (RFC 2606)."""
LETTER_TYPE: Final = "https://auditor.invalid/attestation/letter/v1"
ENVELOPE: Final = ".dsse.json"
"""How the file of a signed statement ends."""
TEST_RESULT_TYPE: Final = "https://in-toto.io/attestation/test-result/v0.1"
VERIFICATION_TYPE: Final = "https://in-toto.io/attestation/svr/v0.2"
VERIFIER: Final = "https://auditor.invalid/verifier"
"""Who verified; the version of the auditor follows."""
POLICY_MET: Final = "AUDITOR_POLICY_MET"
"""The property of a verdict of pass."""
EVIDENCE_FILE: Final = "evidence.json"
OF_AUDIT: Final = {STATEMENT_FILE: AUDIT_TYPE, TEST_RESULT_FILE: TEST_RESULT_TYPE, VERIFICATION_FILE: VERIFICATION_TYPE}
"""The files of the statements about an audit, each with the type of its predicate."""


def about(files: Mapping[str, bytes]) -> dict[str, Statement]:
    """What is signed about an audit, by the name of the file that carries it: the keys of `OF_AUDIT`.

    All have as subjects the files and the model that was audited, by the digest that it had then.

    Args:
        files: The results in their final form by file name, `evidence.json` among them.

    Raises:
        SignatureError: If the evidence names a model but not its digest.
    """
    evidence = json.loads(files[EVIDENCE_FILE])
    subjects = tuple(Subject(name, hashlib.sha256(content).hexdigest()) for name, content in files.items()) + _model(evidence)
    predicates = {STATEMENT_FILE: _excerpt, TEST_RESULT_FILE: _test_result, VERIFICATION_FILE: _verification_result}
    return {name: Statement(subjects, OF_AUDIT[name], predicate(evidence)) for name, predicate in predicates.items()}


def about_letter(name: str, content: bytes, evidence_sha256: str) -> Statement:
    """What is signed about one letter: its file, and the digest of the evidence that it was taken from.

    Args:
        name: The letter's file name.
        content: The PDF in its final form.
        evidence_sha256: Lower-case hexadecimal.
    """
    return Statement((Subject(name, hashlib.sha256(content).hexdigest()),), LETTER_TYPE, {"evidence_sha256": evidence_sha256})


def letter_envelope(name: str) -> str:
    """The file that carries the statement about a letter, by the letter's file name."""
    return name.removesuffix(".pdf") + ENVELOPE


def _model(evidence: Mapping[str, Any]) -> tuple[Subject, ...]:
    """The model file as the audit read it; none where the audit covers the procedure alone."""
    declared = evidence["case"]["model"]
    if declared is None:
        return ()
    path = posixpath.normpath(declared)
    for file in evidence["case"]["inputs"]:
        if file["path"] == path:
            return (Subject(path, file["sha256"]),)
    raise SignatureError(f"the evidence lists no digest of the model {declared}, so nothing can be signed about it")


def _excerpt(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """The result and what it is about, under the names that the evidence gives them; all else is in the evidence itself."""
    return {
        "schema": evidence["schema"],
        "verdict": evidence["verdict"],
        "default_policy_verdict": evidence["default_policy_verdict"],
        "strength": evidence["strength"],
        "examined": evidence["examined"],
        "audit": {key: evidence["audit"][key] for key in ("id", "finished_at", "auditor_version", "quick", "exit_code")},
        "case": {key: evidence["case"][key] for key in ("name", "release", "digest")},
        "policy": {key: evidence["policy"][key] for key in ("required", "digest")},
    }


def _test_result(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """The predicate test-result/v0.1, over the checks that decide the verdict.

    A check that is open is on no list. The format knows tests that passed, passed with a warning, or failed: to name an open one
    among the warned, or to call an inconclusive audit WARNED, would let a gate take it for passed.
    """
    statuses = {check["id"]: check["status"] for check in evidence["checks"]}
    required = evidence["policy"]["required"]
    return {
        "result": "PASSED" if evidence["verdict"] == Verdict.PASS else "FAILED",
        "configuration": [_policy(evidence)],
        "passedTests": [check_id for check_id in required if statuses.get(check_id) == Status.PASS],
        "warnedTests": [],
        "failedTests": [check_id for check_id in required if statuses.get(check_id) in {Status.FAIL, Status.ERROR}],
    }


def _verification_result(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """The predicate svr/v0.2 (Simple Verification Result).

    A property that is not listed was not verified. Single checks are listed only where the whole policy is met: a gate that asks
    for one of them must not open for an audit that failed, or stayed open, elsewhere.
    """
    met = evidence["verdict"] == Verdict.PASS
    return {
        "verifier": {"id": f"{VERIFIER}/v{evidence['audit']['auditor_version']}", "policies": [_policy(evidence)]},
        "timeCreated": evidence["audit"]["finished_at"],
        "properties": [POLICY_MET, *(f"AUDITOR_CHECK_{each}" for each in evidence["policy"]["required"])] if met else [],
    }


def _policy(evidence: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": "policy", "digest": {"sha256": evidence["policy"]["digest"]}}
