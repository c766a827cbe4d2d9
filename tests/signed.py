"""Keys and statements that several tests of signatures use."""

from __future__ import annotations

import base64
import functools
import json
from typing import Any

import rfc8785
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import report_examples as examples
from auditor.recheck import signing

PRIVATE = bytes(range(32))
"""The seed of a private key that everybody knows."""
KEY = Ed25519PrivateKey.from_private_bytes(PRIVATE)
PUBLIC = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
_SUBJECTS = (signing.Subject("evidence.json", "ab" * 32), signing.Subject("report.pdf", "cd" * 32))
STATEMENT = signing.Statement(_SUBJECTS, "https://example.invalid/v1", {"a": [1]})


@functools.cache
def signer() -> signing.Signer:
    """The signer of `KEY`."""
    return signing.Signer(KEY)


@functools.cache
def results(name: str = "passing") -> dict[str, bytes]:
    """Results of an audit by file name; both reports are stand-ins."""
    evidence = getattr(examples, name)().evidence.to_bytes()
    return {"evidence.json": evidence, "report.pdf": b"%PDF-", "report.html": b"<!doctype html>"}


def pae(payload: bytes, payload_type: str = signing.PAYLOAD_TYPE) -> bytes:
    """What DSSE signs, written out from its protocol: lengths in bytes and in decimal, one space between."""
    return b" ".join([b"DSSEv1", str(len(payload_type)).encode(), payload_type.encode(), str(len(payload)).encode(), payload])


def enveloped(payload: bytes, payload_type: str = signing.PAYLOAD_TYPE, key: Ed25519PrivateKey = KEY, **more: Any) -> bytes:
    """An envelope put together by hand, rightly signed whatever the payload; `more` are further keys of it."""
    signature = {"keyid": signing.key_id(PUBLIC), "sig": base64.b64encode(key.sign(pae(payload, payload_type))).decode()}
    document = {"payload": base64.b64encode(payload).decode(), "payloadType": payload_type, "signatures": [signature]}
    return rfc8785.dumps(document | more)


def changed(envelope: bytes, **values: Any) -> bytes:
    """An envelope with some keys given another value, in canonical form."""
    return rfc8785.dumps(json.loads(envelope) | values)
