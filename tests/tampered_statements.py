"""Ways to tamper with the statements of a signed folder, and with one file that is sent on alone; and the list of all ways."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import signed
from auditor.recheck import signing
from forged_pages import held
from signed_folders import (
    EVIDENCE,
    LETTERS,
    MODEL,
    PAGE,
    REPORT,
    changed,
    changed_letter,
    earlier,
    evidence,
    letter_of,
    results,
    sign,
    statements,
)
from tampered_folders import (
    ANOTHER_DIGEST,
    ANOTHER_FILE,
    LETTER,
    LETTER_CHANGES,
    OF_FILES,
    OF_RESULTS,
    OTHER_OWN,
    OWN,
    STATEMENT,
    TEST_RESULT,
    UNCHECKED,
    Attempt,
    Tamper,
    carrying,
    copied,
    each,
    edited,
    exchanged,
    failed_no_more,
    gone,
    write,
)

STATEMENTS, HOLDER, ALONE = "its statements", "statements by the key's holder", "a file of it sent on alone"
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(bytes(reversed(range(32))))


# Statements, without the key.
def envelope(**values: Any) -> Callable[[bytes], bytes]:
    """A statement with some keys of its envelope changed, in canonical form."""
    return lambda content: signed.changed(content, **values)


def entry(content: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(content)["signatures"][0]
    return found


def reshaped(name: str, said: str, change: Callable[[bytes], bytes]) -> Attempt:
    return Attempt(STATEMENTS, f"{STATEMENT}: {name}", edited(STATEMENT, change), said)


def replayed(name: str) -> Tamper:
    """A statement of an earlier audit, which the same key signed."""
    files = {EVIDENCE: earlier().to_bytes(), REPORT: b"%PDF-", PAGE: b""}
    return lambda folder: (folder / name).write_bytes(statements(files)[name])


def by_another(folder: Path) -> None:
    """Everything signed by another key."""
    sign(folder, OTHER_KEY)


def rendered_by_another(folder: Path) -> None:
    """The whole folder as another key's holder would send it: pages name that key, and only the public key tells."""
    for name, content in results(evidence(), OTHER_KEY).items():
        (folder / name).write_bytes(content)


def under_our_name(content: bytes) -> bytes:
    """A statement that another key signed and that names ours."""
    payload = base64.b64decode(json.loads(content)["payload"])
    return signed.enveloped(payload, key=OTHER_KEY)


def passing_payload(content: bytes) -> bytes:
    """The signed bytes changed, the signature left."""
    payload = base64.b64decode(json.loads(content)["payload"]).replace(b'"fail"', b'"pass"')
    return signed.changed(content, payload=base64.b64encode(payload).decode())


MALFORMED: dict[str, bytes] = {
    "nothing": b"",
    "an empty object": b"{}",
    "a list": b"[]",
    "no JSON": b"signed",
    "no signature": rfc8785.dumps({"payload": "", "payloadType": signing.PAYLOAD_TYPE, "signatures": []}),
    "another payload": signed.enveloped(b"{}", "text/plain"),
    "a statement without its envelope": signed.STATEMENT.to_bytes(),
    "too long": b" " * (signing.MAX_BYTES + 1),
}
OF_STATEMENTS = [
    Attempt(
        STATEMENTS,
        "no statement",
        gone(STATEMENT),
        "there is no statement to check with it",
        "its pages name a key that signs them",
    ),
    Attempt(
        STATEMENTS,
        "no statement at all",
        gone(STATEMENT, TEST_RESULT),
        "there is no statement to check with it",
        "its pages name a key that signs them",
    ),
    Attempt(
        STATEMENTS, "no test result", gone(TEST_RESULT), f"signed and not here: {TEST_RESULT}", UNCHECKED, passes=True, told=True
    ),
    Attempt(
        STATEMENTS,
        "no statement of a letter",
        gone(OWN),
        f"signature of {LETTER}: no statement signs it",
        "its pages name a key that signs them",
    ),
    Attempt(
        STATEMENTS,
        "the test result in its place",
        copied(TEST_RESULT, STATEMENT),
        f"expected {signing.AUDIT_TYPE}",
        UNCHECKED,
        passes=True,
    ),
    Attempt(
        STATEMENTS,
        "the statement in the place of a letter's",
        copied(STATEMENT, OWN),
        f"expected {signing.LETTER_TYPE}",
        ANOTHER_FILE,
    ),
    Attempt(
        STATEMENTS,
        "a letter's in the place of the statement",
        copied(OWN, STATEMENT),
        f"expected {signing.AUDIT_TYPE}",
        UNCHECKED,
        passes=True,
    ),
    Attempt(
        STATEMENTS,
        "letters' statements exchanged",
        exchanged(OWN, OTHER_OWN),
        f"{OWN} does not sign this file",
        ANOTHER_FILE,
    ),
    *(
        Attempt(
            STATEMENTS,
            f"{name} of an earlier audit",
            lambda folder, name=name: replayed(name)(folder),
            f"{name} signs",
            ANOTHER_DIGEST,
        )
        for name in (STATEMENT, TEST_RESULT)
    ),
    Attempt(STATEMENTS, "another key", by_another, "holds no signature by this key", "the evidence gives", slow=True),
    Attempt(
        STATEMENTS,
        "another key, and pages that name it",
        rendered_by_another,
        "holds no signature by this key",
        UNCHECKED,
        passes=True,
        slow=True,
    ),
    Attempt(
        STATEMENTS,
        "another key under the name of ours",
        edited(STATEMENT, under_our_name),
        "the signature does not fit",
        UNCHECKED,
        passes=True,
    ),
    Attempt(
        STATEMENTS,
        "another verdict in what was signed",
        edited(STATEMENT, passing_payload),
        "the signature does not fit",
        UNCHECKED,
        passes=True,
    ),
    Attempt(
        STATEMENTS,
        "a statement by another key that signs nothing here",
        write("letter-z.dsse.json", lambda: signing.sign(signed.STATEMENT, signing.Signer(OTHER_KEY))),
        "signature of letter-z.dsse.json: the envelope holds no signature by this key",
        UNCHECKED,
        passes=True,
    ),
    reshaped(
        "two signatures",
        "the envelope does not hold exactly one signature",
        lambda content: signed.changed(content, signatures=[entry(content)] * 2),
    ),
    reshaped(
        "a signature without its key",
        "no DSSE envelope",
        lambda content: signed.changed(content, signatures=[{"sig": entry(content)["sig"]}]),
    ),
    reshaped("a remark", "no DSSE envelope", envelope(note="certified")),
    reshaped("a newline at its end", "the envelope is not in canonical form", lambda content: content + b"\n"),
    reshaped("other spacing", "the envelope is not in canonical form", lambda content: json.dumps(json.loads(content)).encode()),
    reshaped("another payload type", "the envelope is of another payload type", envelope(payloadType="application/json")),
    *(
        Attempt(STATEMENTS, f"{STATEMENT}: {what}", write(STATEMENT, content), f"{STATEMENT}: ")
        for what, content in MALFORMED.items()
    ),
    Attempt(STATEMENTS, f"{TEST_RESULT}: an empty object", write(TEST_RESULT, b"{}"), f"{TEST_RESULT}: "),
    *(
        Attempt(STATEMENTS, f"letter-z.dsse.json: {what}", write("letter-z.dsse.json", MALFORMED[what]), "letter-z.dsse.json: ")
        for what in ("too long", "no JSON")
    ),
]


# Statements that the holder of the key signed, and that do not say what the evidence says.
def restated(name: str, change: Callable[[dict[str, Any]], object]) -> Tamper:
    """A statement that says something else, rightly signed."""

    def state(content: bytes) -> bytes:
        document = json.loads(base64.b64decode(json.loads(content)["payload"]))
        change(document)
        return signed.enveloped(rfc8785.dumps(document))

    return edited(name, state)


def says(name: str, said: str, **values: Any) -> Attempt:
    """A summary that says something else than the evidence."""
    what = f"{name} says {json.dumps(values)}"
    return Attempt(
        HOLDER, what, restated(name, lambda document: document["predicate"].update(values)), said, UNCHECKED, passes=True
    )


def names(what: str, name: str, said: str, change: Callable[[list[dict[str, Any]]], object]) -> Attempt:
    """Other subjects than the files that lie there."""
    seen = said.startswith("the statement names")  # no statement that anybody could sign
    tamper = restated(name, lambda document: change(document["subject"]))
    return Attempt(HOLDER, what, tamper, said, None if seen else UNCHECKED, passes=not seen)


def subject(name: str, sha256: str = "0" * 64) -> dict[str, Any]:
    return {"name": name, "digest": {"sha256": sha256}}


def without(name: str) -> Callable[[list[dict[str, Any]]], None]:
    def leave_out(subjects: list[dict[str, Any]]) -> None:
        subjects[:] = [each for each in subjects if each["name"] != name]

    return leave_out


def renamed(name: str, to: str) -> Callable[[list[dict[str, Any]]], None]:
    def rename(subjects: list[dict[str, Any]]) -> None:
        next(each for each in subjects if each["name"] == name)["name"] = to

    return rename


OF_HOLDER = [
    says(STATEMENT, 'its verdict is "pass", the evidence has "fail"', verdict="pass"),
    says(STATEMENT, 'its strength is "A", the evidence has nothing', strength="A"),
    says(STATEMENT, "its examined", examined={"model": True}),
    says(STATEMENT, 'its note is "certified", the evidence has "(missing)"', note="certified"),
    says(TEST_RESULT, 'its result is "PASSED", the evidence has "FAILED"', result="PASSED"),
    says(TEST_RESULT, "its failedTests is", failedTests=[]),
    says(OWN, 'it says "note", which no letter\'s statement says', note="certified"),
    says(OWN, "it names the digest of other evidence than the letter does", evidence_sha256="0" * 64),
    Attempt(
        HOLDER,
        "a statement of another type",
        restated(STATEMENT, lambda document: document.update(predicateType="https://example.invalid/v1")),
        f"expected {signing.AUDIT_TYPE}",
        UNCHECKED,
        passes=True,
    ),
    Attempt(
        HOLDER,
        "a statement that is no statement",
        restated(STATEMENT, lambda document: document.update(_type="https://example.invalid/v1")),
        "no in-toto Statement v1",
        "no in-toto Statement v1",
    ),
    names("no evidence among its subjects", STATEMENT, f"{STATEMENT} does not name it", without(EVIDENCE)),
    names("no report among its subjects", STATEMENT, f"{STATEMENT} does not name it", without(REPORT)),
    names("the report by a path", STATEMENT, f"{STATEMENT} does not name it", renamed(REPORT, f"./{REPORT}")),
    names(
        "evidence twice", STATEMENT, "the statement names one subject twice", lambda subjects: subjects.append(subject(EVIDENCE))
    ),
    names("no subject", STATEMENT, "the statement names no subject", list.clear),
    names("no model among its subjects", STATEMENT, f"for the model {MODEL}", without(MODEL)),
    names(
        "another model",
        STATEMENT,
        f"for the model {MODEL}",
        lambda subjects: (without(MODEL)(subjects), subjects.append(subject(MODEL))),
    ),
    names("a letter and another file", OWN, "this file alone", lambda subjects: subjects.append(subject(REPORT))),
    Attempt(
        HOLDER,
        "evidence that does not follow, signed",
        each(write(EVIDENCE, lambda: changed(lambda value: value.update(verdict="pass"))), sign),
        "verdict",
    ),
    Attempt(
        HOLDER,
        "a changed letter, signed",
        each(write(LETTER, lambda: letter_of(changed_letter(LETTERS[LETTER], failed_no_more))), sign),
        f"{LETTER} and {EVIDENCE}: model.failed is",
    ),
]


# One file that is sent on alone, with its statement or without.
def alone(what: str, file: str, change: Tamper, said: str, without_key: str | None = None, **more: Any) -> Attempt:
    return Attempt(ALONE, what, change, said, without_key, alone=file, **more)


def letter_says(change: Callable[[Any], object]) -> Tamper:
    """Other words in what a letter carries, its pages left, and no evidence."""

    def say(pdf: bytes) -> bytes:
        value = json.loads(held(pdf, "letter.json"))
        change(value)
        return carrying(pdf, "letter.json", rfc8785.dumps(value))

    return each(edited(LETTER, say), gone(EVIDENCE))


OF_ALONE = [
    alone(
        "a letter that promises more than its limit",
        LETTER,
        letter_says(LETTER_CHANGES["its standing"][0]),
        "forgot is supported, and no promise goes with it",
    ),
    alone(
        "a letter whose dates make it late",
        LETTER,
        letter_says(lambda value: value["request"].update(answered_on="2027-01-01")),
        "late is false, its dates make it true",
    ),
    alone(
        "a letter without its sender",
        LETTER,
        letter_says(lambda value: value["sender"].update(authority=None)),
        "it is no draft, and lacks",
    ),
    alone(
        "a letter of other evidence",
        LETTER,
        each(edited(LETTER, lambda pdf: carrying(pdf, "letter.json", held(pdf, "letter.json") + b" ")), gone(EVIDENCE)),
        "canonical form",
    ),
    alone("a letter without its statement", LETTER, gone(OWN), "no statement signs it", "its pages name a key that signs them"),
    alone(
        "a letter with another's statement",
        LETTER,
        copied(OTHER_OWN, OWN),
        "does not sign this file",
        ANOTHER_FILE,
    ),
    alone(
        "evidence that does not follow",
        EVIDENCE,
        write(EVIDENCE, lambda: changed(lambda value: value.update(verdict="pass"))),
        "verdict",
    ),
    alone(
        "a time that follows from nothing",
        EVIDENCE,
        write(EVIDENCE, lambda: changed(lambda value: value["audit"].update(finished_at="2027-01-01T00:00:00Z"))),
        f"signature of {EVIDENCE}: {STATEMENT} signs",
        ANOTHER_DIGEST,
    ),
    alone(
        "evidence without its statement",
        EVIDENCE,
        gone(STATEMENT, TEST_RESULT),
        "there is no statement to check with it",
        f"signature is present ({OWN}",
        passes=True,
    ),
    alone(
        "a report with another key's statement",
        REPORT,
        edited(STATEMENT, under_our_name),
        "the signature does not fit",
        UNCHECKED,
        passes=True,
    ),
    alone("a page without its evidence", PAGE, gone(EVIDENCE), f"{EVIDENCE} next to it", unreadable=True),
    alone(
        "evidence cut in the middle", EVIDENCE, edited(EVIDENCE, lambda content: content[:9999]), f"{EVIDENCE}: ", unreadable=True
    ),
]

FOLDERS: list[Attempt] = [*OF_FILES, *OF_RESULTS, *OF_STATEMENTS, *OF_HOLDER, *OF_ALONE]
