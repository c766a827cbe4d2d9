"""The statements about one audit: its own, the standard test result for tools that know nothing of unlearning, one for a letter.

One envelope holds one statement, and a statement has one predicate type: so an audit has two files, over the same subjects. A
letter goes out alone, to one person, and has a third alongside it that names no other file. All are made of the finished files.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
from collections.abc import Mapping
from typing import Any, Final

from auditor.base.domain import Status, Verdict
from auditor.base.errors import SignatureError
from auditor.recheck.signing.statements import Statement, Subject

STATEMENT_FILE: Final = "statement.dsse.json"
TEST_RESULT_FILE: Final = "test-result.dsse.json"
AUDIT_TYPE: Final = "https://auditor.invalid/attestation/audit/v1"
"""Our own predicate type. Nobody can ever own the name: `.invalid` is reserved (RFC 2606)."""
LETTER_TYPE: Final = "https://auditor.invalid/attestation/letter/v1"
ENVELOPE: Final = ".dsse.json"
"""How the file of a signed statement ends."""
TEST_RESULT_TYPE: Final = "https://in-toto.io/attestation/test-result/v0.1"
EVIDENCE_FILE: Final = "evidence.json"
_RESULTS: Final = {Verdict.PASS: "PASSED", Verdict.FAIL: "FAILED", Verdict.INCONCLUSIVE: "WARNED"}


def about(files: Mapping[str, bytes]) -> dict[str, Statement]:
    """What is signed about an audit, by the name of the file that carries it: `STATEMENT_FILE` and `TEST_RESULT_FILE`.

    Both have as subjects the files and the model that was audited, by the digest that it had then.

    Args:
        files: The results in their final form by file name, `evidence.json` among them.

    Raises:
        SignatureError: If the evidence names a model but not its digest.
    """
    evidence = json.loads(files[EVIDENCE_FILE])
    subjects = tuple(Subject(name, hashlib.sha256(content).hexdigest()) for name, content in files.items()) + _model(evidence)
    return {
        STATEMENT_FILE: Statement(subjects, AUDIT_TYPE, _excerpt(evidence)),
        TEST_RESULT_FILE: Statement(subjects, TEST_RESULT_TYPE, _test_result(evidence)),
    }


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
    among the warned would let a reader take it for passed.
    """
    statuses = {check["id"]: check["status"] for check in evidence["checks"]}
    required = evidence["policy"]["required"]
    return {
        "result": _RESULTS[Verdict(evidence["verdict"])],
        "configuration": [{"name": "policy", "digest": {"sha256": evidence["policy"]["digest"]}}],
        "passedTests": [check_id for check_id in required if statuses.get(check_id) == Status.PASS],
        "warnedTests": [],
        "failedTests": [check_id for check_id in required if statuses.get(check_id) in {Status.FAIL, Status.ERROR}],
    }
