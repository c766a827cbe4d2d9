"""Signed statements: whether one by the given key covers the files as they are."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from typing import Any, Final

from auditor import __version__
from auditor.base.errors import InputError, SignatureError
from auditor.document.evidence import digest
from auditor.document.evidence_files import parse_json
from auditor.recheck import signing
from auditor.recheck.outcome import differences, shown
from auditor.recheck.signing import envelopes as enveloped


def recheck_signature(
    envelopes: Mapping[str, bytes], files: Mapping[str, bytes], evidence: bytes | None, public_key: bytes
) -> Iterator[tuple[str, str]]:
    """Verify first, then hold the digests of what was signed against the files.

    Args:
        envelopes: The statements that lie next to the files, by name.
        files: Results by the names under which they are signed.
        evidence: The evidence among them, as a file or inside the report; None where none can be read.
        public_key: PEM.

    Yields:
        The place and the message of everything that does not hold.

    Raises:
        InputError: If the key is not one.
    """
    if signing.STATEMENT_FILE not in envelopes:
        yield signing.STATEMENT_FILE, "a key was given, and there is no statement to check with it"
    for name, envelope in envelopes.items():
        try:
            statement = enveloped.verify(envelope, public_key)
        except SignatureError as error:
            yield name, str(error)
            continue
        expected = signing.OF_AUDIT[name]
        if statement.predicate_type != expected:
            yield name, f"it is of the type {statement.predicate_type}, expected {expected}"
        signed = {subject.name: subject.sha256 for subject in statement.subjects}
        for file in signing.mismatches(statement, files):
            found = digest(files[file])
            if file in signed:
                yield file, f"{name} signs {signed[file]}, this file is {found}: it was changed, or the signature is another's"
            else:
                yield file, f"{name} does not name it"
        if evidence is not None and statement.predicate_type == expected:
            yield from ((name, message) for message in _excerpt(statement, name, evidence))


def recheck_letter_signature(
    name: str, content: bytes, envelope: bytes, evidence_sha256: str, version: str, public_key: bytes
) -> Iterator[tuple[str, str]]:
    """The statement about one letter: of its own type, over this file alone, naming the evidence that the letter names.

    Args:
        name: The letter's file name.
        content: The PDF.
        envelope: What lies next to it.
        evidence_sha256: The digest of the evidence as the letter has it.
        version: The version that wrote the letter; another than this one may say more.
        public_key: PEM.

    Yields:
        The place and the message of everything that does not hold.

    Raises:
        InputError: If the key is not one.
    """
    place = signing.letter_envelope(name)
    try:
        statement = enveloped.verify(envelope, public_key)
    except SignatureError as error:
        yield place, str(error)
        return
    if statement.predicate_type != signing.LETTER_TYPE:
        yield place, f"it is of the type {statement.predicate_type}, expected {signing.LETTER_TYPE}"
    if signing.mismatches(statement, {name: content}) or len(statement.subjects) != 1:
        yield name, f"{place} does not sign this file, and this file alone, as it is: it was changed, or exchanged"
    if statement.predicate.get("evidence_sha256") != evidence_sha256:
        yield place, "it names the digest of other evidence than the letter does"
    more = sorted(statement.predicate.keys() - {"evidence_sha256"})
    if more and version == __version__:
        yield place, f"it says {', '.join(map(shown, more[:5]))}, which no letter's statement says"


def recheck_form(envelopes: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Whether files that are called signed statements have the form of one, no matter who signed them.

    Yields:
        The name and the message of each that has not: it is no reason to call results unsigned.
    """
    for name, envelope in envelopes.items():
        try:
            enveloped.claimed_key(envelope)
        except SignatureError as error:
            yield name, f"it is named as a signed statement but is not one: {error}"


def recheck_claim(envelope: bytes, files: Mapping[str, bytes], *, alone: bool) -> Iterator[tuple[str, str]]:
    """Hold the digests that a statement names against the files, where nobody gave a key to check who signed it.

    Args:
        envelope: The statement, of the form of one.
        files: What it may be about, by the names under which they are signed.
        alone: Whether it has to be about each of them.

    Yields:
        The place and the message of each file that it contradicts.
    """
    try:
        statement = enveloped.claimed(envelope)
    except SignatureError as error:
        yield "", str(error)
        return
    named = {subject.name for subject in statement.subjects}
    for file in signing.mismatches(statement, files):
        if file in named:
            said = "the statement next to it signs another digest, no matter by which key"
            yield file, f"this file is {digest(files[file])}, and {said}"
        elif alone:
            yield file, "the statement next to it signs another file, no matter by which key"


def claimed_key(envelopes: Mapping[str, bytes], name: str) -> str | None:
    """The key that a statement names, unchecked; None where there is no such statement."""
    try:
        return enveloped.claimed_key(envelopes[name]) if name in envelopes else None
    except SignatureError:
        return None


def _excerpt(statement: signing.Statement, name: str, content: bytes) -> Iterator[str]:
    """The signed summary and model against the evidence: tools that read the statement alone must read the same."""
    try:
        evidence = parse_json(content, "evidence.json")
        expected = signing.about({"evidence.json": content})[name]
    except (InputError, SignatureError, LookupError, TypeError, ValueError):
        return
    for path, found, given in _leaves(statement.predicate, expected.predicate, name, evidence["audit"]["auditor_version"]):
        yield f"its {path} is {shown(found)}, the evidence has {shown(given)}"
    yield from _model(statement, evidence.get("case"))


_NEEDED: Final = {
    signing.STATEMENT_FILE: ("schema", "verdict"),
    signing.TEST_RESULT_FILE: ("result",),
    signing.VERIFICATION_FILE: ("properties",),
}
"""Keys that a statement of any version has."""


def _leaves(found: Mapping[str, Any], expected: Mapping[str, Any], name: str, version: str) -> Iterator[tuple[str, Any, Any]]:
    """What differs; of another version, which may say more or less, among the keys that both have or every statement needs."""
    if version == __version__:
        yield from differences(found, expected)
        return
    needed = _NEEDED[name]
    both = [key for key in expected if key in found or key in needed]
    yield from differences({key: found.get(key) for key in both}, {key: expected[key] for key in both})


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
