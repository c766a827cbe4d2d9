"""What a signature covers: every file that is rechecked, everything else that lies in a signed folder, and the model file."""

from __future__ import annotations

import posixpath
import stat
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from auditor.base.errors import SignatureError
from auditor.document import purge_receipt
from auditor.document.evidence import digest
from auditor.recheck import signing
from auditor.recheck.files import EVIDENCE, PAGE, REPORT, Document, Files, digests_of, sha256_of
from auditor.recheck.letters import Letter
from auditor.recheck.signatures import recheck_claim, recheck_letter_signature, recheck_signature
from auditor.recheck.signing import envelopes as enveloped
from auditor.recheck.signing import keys

Judged = list[tuple[str, list[str]]]
_TABLES: Final = (".csv", ".npz", ".parquet")
"""Endings of the tables that a purge cuts."""


@dataclass(frozen=True)
class Covered:
    """Which statement has to cover what."""

    files: Files
    evidence: Document | None
    """The evidence that lies there, as a file or inside the report, where it can be read."""
    letters: Mapping[str, Letter]

    @property
    def of_audit(self) -> dict[str, bytes]:
        """The statements about the audit that are there."""
        return {name: self.files.envelopes[name] for name in signing.OF_AUDIT if name in self.files.envelopes}

    @property
    def signable(self) -> dict[str, bytes]:
        """What these have to cover, by name.

        A letter that is checked alone brings the evidence next to it along only where the audit was signed: its own statement
        holds the digest of that evidence, with which it is compared.
        """
        found = {name: content for name, content in self.files.subjects.items() if name not in self.letters}
        if self.files.beside is None or not (found or self.of_audit):
            return found
        return found | {EVIDENCE: self.files.beside}

    @property
    def inputs(self) -> dict[str, str]:
        """Digests of the audit's inputs, by path."""
        return {} if self.evidence is None else {each.path: each.sha256 for each in self.evidence.evidence.case.inputs}

    @cached_property
    def cut(self) -> dict[str, tuple[str, ...]]:
        """Tables in the folder from which purges of this very audit cut rows since, with the receipts that say so.

        A receipt is signed by nobody: what it says is printed and never taken for a signature. It has to lead from the digest in
        the evidence to the file as it is, and explains no file of another kind, such as code.
        """
        if not self.files.whole or self.evidence is None:
            return {}
        evidence = digest(self.evidence.content)
        found: dict[str, tuple[str, ...]] = {}
        receipts = sorted(purge_receipt.lying_in(self.files.folder).items(), key=lambda each: each[1].begun_at)
        own = [(name, each) for name, each in receipts if evidence in {each.evidence_sha256, *each.other_evidence_sha256}]
        for name in {each for each in self.files.others if each.lower().endswith(_TABLES)} & set(self.inputs):
            now = self.inputs[name]
            names: list[str] = []
            for receipt, said in own:
                for one in said.cut:
                    if posixpath.normpath(one.path) == name and one.sha256_before == now:
                        now = one.sha256_after
                        names.append(receipt)
            path = self.files.folder / name
            if names and stat.S_ISREG(path.lstat().st_mode) and sha256_of(path) == now:
                found[name] = tuple(dict.fromkeys(names))
        return dict(sorted(found.items()))

    @property
    def own(self) -> dict[str, str]:
        """The letters, each with the name of the statement about it."""
        return {name: signing.letter_envelope(name) for name in self.letters}


def recheck_cover(covered: Covered, public_key: Path) -> tuple[Judged, str]:
    """Check that signed statements by one key cover everything.

    Returns:
        What does not hold, by place, and the protection that was found.

    Raises:
        InputError: If the key is not one.
    """
    key = keys.read_public(public_key)
    messages: dict[str, list[str]] = {name: [] for name in (*covered.of_audit, *covered.signable, *covered.own)}
    for place, message in _disagreements(covered, key, public_key):
        messages.setdefault(place, []).append(message)
    judged = [(f"signature of {name}", said) for name, said in messages.items()]
    identity = f"key {keys.key_id(key)[:16]}"
    if covered.files.broken or any(said for _, said in judged):
        return judged, f"a signature that does not hold for {identity}"
    named = ", ".join((*covered.signable, *covered.own))
    return judged, f"signed by {identity}: {named}{_elsewhere(covered, key)}{_cut(covered)}"


def recheck_claims(covered: Covered, *, without: Collection[str]) -> Judged:
    """What statements contradict, where nobody gave a key: by any key, they are about other files.

    Args:
        covered: Which statement is about what.
        without: Those that have not the form of one.
    """
    checked = [(name, envelope, covered.signable, False) for name, envelope in covered.of_audit.items()]
    for letter, statement in covered.own.items():
        if statement in covered.files.envelopes:
            of_letter = {letter: covered.files.subjects[letter]}
            checked.append((statement, covered.files.envelopes[statement], of_letter, True))
    return [
        (f"signature of {place or name}", [message])
        for name, envelope, files, alone in checked
        if name not in without
        for place, message in recheck_claim(envelope, files, alone=alone)
    ]


def _disagreements(covered: Covered, key: bytes, public_key: Path) -> Iterator[tuple[str, str]]:
    """The place and the message of everything that no statement by the key covers, or that one contradicts."""
    files, own = covered.files, covered.own
    # Letters that came alone, each with its own statement, need no other.
    if covered.signable or covered.of_audit:
        content = None if covered.evidence is None else covered.evidence.content
        yield from recheck_signature(covered.of_audit, covered.signable, content, key)
    for name, envelope in own.items():
        if envelope in files.envelopes:
            named, version = covered.letters[name].evidence_sha256, covered.letters[name].extract.audit.auditor_version
            yield from recheck_letter_signature(name, files.subjects[name], files.envelopes[envelope], named, version, key)
        else:
            yield name, f"no statement signs it: there is no {envelope} next to it; certificate --sign writes one"
    if files.whole:
        yield from _strangers(covered, key, public_key)


def _strangers(covered: Covered, key: bytes, public_key: Path) -> Iterator[tuple[str, str]]:
    """What lies in a signed folder and is signed by nothing.

    The audit's own inputs may lie there: signed evidence holds their digests. So may the public key itself, and tables from which
    a purge cut rows since, which the result names as such.
    """
    files = covered.files
    cut = covered.cut
    for name in files.others:
        if name not in cut and not _known(files.folder / name, covered.inputs.get(name), public_key):
            yield name, "no statement covers it, and it lies in a signed folder"
    expected = {*signing.OF_AUDIT, *covered.own.values()}
    for name, envelope in files.envelopes.items():
        if name not in expected:
            try:
                enveloped.verify(envelope, key)
            except SignatureError as error:
                yield name, str(error)


def _known(path: Path, sha256: str | None, public_key: Path) -> bool:
    """Whether something is the public key itself, or an input of the audit as it was read."""
    if not stat.S_ISREG(path.lstat().st_mode):
        return False
    return path.samefile(public_key) or (sha256 is not None and sha256_of(path) == sha256)


def _cut(covered: Covered) -> str:
    """Which inputs are not as they were signed, by receipts that nothing signs, in words."""
    said = ", ".join(f"{name} ({', '.join(receipts)})" for name, receipts in covered.cut.items())
    return f"; not as it was audited, since a purge cut rows from it, by a receipt that nothing signs: {said}" if said else ""


def _elsewhere(covered: Covered, key: bytes) -> str:
    """What the audit's statement signs and is not here, in words."""
    envelope = covered.of_audit.get(signing.STATEMENT_FILE)
    if envelope is None:
        return ""
    names = [each.name for each in enveloped.verify(envelope, key).subjects]
    here = [name for name in names if name in covered.signable]
    files = [name for name in names if name not in here and name not in {EVIDENCE, REPORT, PAGE} and _found(covered, name)]
    missing = [name for name in names if name not in {*here, *files}]
    # No other statement names it, and tools that read nothing else would find none.
    missing += [name for name in signing.OF_AUDIT if name not in covered.of_audit]
    return "".join([f", {', '.join(files)}" if files else "", f"; signed and not here: {', '.join(missing)}" if missing else ""])


def _found(covered: Covered, name: str) -> bool:
    return bool(digests_of(covered.files.folder, name))
