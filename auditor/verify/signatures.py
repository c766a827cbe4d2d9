"""Signed statements: whether one by the given key covers the files as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from auditor import signing
from auditor.errors import InputError, SignatureError
from auditor.evidence import digest, parse_json


def recheck_signature(envelopes: Mapping[str, bytes], files: Mapping[str, bytes], public_key: bytes) -> Iterator[tuple[str, str]]:
    """Verify first, then hold the digests of what was signed against the files.

    Args:
        envelopes: The statements that lie beside the files, by name.
        files: Results by the names under which they are signed.
        public_key: PEM.

    Yields:
        The place and the message of everything that does not hold.

    Raises:
        InputError: If the key is none.
    """
    if signing.STATEMENT_FILE not in envelopes:
        yield signing.STATEMENT_FILE, "a key was given, and there is no statement to check with it"
    for name, envelope in envelopes.items():
        try:
            statement = signing.verify(envelope, public_key)
        except SignatureError as error:
            yield name, str(error)
            continue
        expected = signing.AUDIT_TYPE if name == signing.STATEMENT_FILE else signing.TEST_RESULT_TYPE
        if statement.predicate_type != expected:
            yield name, f"it is of the type {statement.predicate_type}, expected {expected}"
        signed = {subject.name: subject.sha256 for subject in statement.subjects}
        for file in signing.mismatches(statement, files):
            found = digest(files[file])
            if file in signed:
                yield file, f"{name} signs {signed[file]}, this file is {found}: it was changed, or the signature is another's"
            else:
                yield file, f"{name} does not name it"
        if "evidence.json" in files and name == signing.STATEMENT_FILE:
            yield from ((name, message) for message in _excerpt(statement.predicate, files["evidence.json"]))


def _excerpt(predicate: Mapping[str, Any], content: bytes) -> Iterator[str]:
    """The signed summary against the evidence: tools that read the statement alone must read the same."""
    try:
        evidence = parse_json(content, "evidence.json")
    except InputError:
        return
    for name in ("schema", "verdict"):
        if isinstance(evidence, dict) and predicate.get(name) != evidence.get(name):
            yield f"its {name} is {predicate.get(name)}, the evidence has {evidence.get(name)}"
