"""Signed statements: whether one by the given key covers the files as they are."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from typing import Any

from auditor import signing
from auditor.errors import InputError, SignatureError
from auditor.evidence import digest, parse_json


def recheck_signature(envelopes: Mapping[str, bytes], files: Mapping[str, bytes], public_key: bytes) -> Iterator[tuple[str, str]]:
    """Verify first, then hold the digests of what was signed against the files.

    Args:
        envelopes: The statements that lie next to the files, by name.
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
            yield from ((name, message) for message in _excerpt(statement, files["evidence.json"]))


def recheck_letter_signature(
    name: str, content: bytes, envelope: bytes, evidence_sha256: str, public_key: bytes
) -> Iterator[tuple[str, str]]:
    """The statement about one letter: of its own type, over this file alone, naming the evidence that the letter names.

    Args:
        name: The letter's file name.
        content: The PDF.
        envelope: What lies next to it.
        evidence_sha256: The digest of the evidence as the letter has it.
        public_key: PEM.

    Yields:
        The place and the message of everything that does not hold.

    Raises:
        InputError: If the key is none.
    """
    place = signing.letter_envelope(name)
    try:
        statement = signing.verify(envelope, public_key)
    except SignatureError as error:
        yield place, str(error)
        return
    if statement.predicate_type != signing.LETTER_TYPE:
        yield place, f"it is of the type {statement.predicate_type}, expected {signing.LETTER_TYPE}"
    if signing.mismatches(statement, {name: content}) or len(statement.subjects) != 1:
        yield name, f"{place} does not sign this file, and this file alone, as it is: it was changed, or exchanged"
    if statement.predicate.get("evidence_sha256") != evidence_sha256:
        yield place, "it names the digest of other evidence than the letter does"


def _excerpt(statement: signing.Statement, content: bytes) -> Iterator[str]:
    """The signed summary and model against the evidence: tools that read the statement alone must read the same."""
    try:
        evidence = parse_json(content, "evidence.json")
    except InputError:
        return
    if not isinstance(evidence, dict):
        return
    for name in ("schema", "verdict"):
        if statement.predicate.get(name) != evidence.get(name):
            yield f"its {name} is {statement.predicate.get(name)}, the evidence has {evidence.get(name)}"
    yield from _model(statement, evidence.get("case"))


def _model(statement: signing.Statement, case: Any) -> Iterator[str]:
    """The model that was signed is the model that was audited, by path and digest."""
    declared = case.get("model") if isinstance(case, dict) else None
    if not isinstance(declared, str):
        return
    path = posixpath.normpath(declared)
    signed = {subject.name: subject.sha256 for subject in statement.subjects}.get(path)
    listed = case.get("inputs")
    read = [each.get("sha256") for each in listed if isinstance(each, dict) and each.get("path") == path] if listed else []
    if signed is None or read != [signed]:
        yield f"it signs {signed or 'no digest'} for the model {path}, the evidence has {', '.join(map(str, read)) or 'none'}"
