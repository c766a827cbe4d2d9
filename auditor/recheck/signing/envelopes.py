"""DSSE envelopes: a statement's bytes, their type and one signature over both (Dead Simple Signing Envelope 1.0).

The signature is checked first, over the bytes as they are; only bytes that it fits are read as a statement. Without a key a
statement is read as a claim, which may be false and contradicts a file all the same.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any, Final

import rfc8785
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import UnverifiedSignatureError
from securesystemslib.signer import Signature

from auditor.base.errors import SignatureError
from auditor.recheck.signing.keys import Signer, public_key
from auditor.recheck.signing.statements import Statement, read_canonical, read_statement

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
MAX_BYTES: Final = 1024 * 1024
"""The largest envelope that is examined."""


def sign(statement: Statement, signer: Signer) -> bytes:
    """A statement in an envelope, signed: RFC 8785 canonical JSON.

    Raises:
        SignatureError: If the statement has no canonical form or is too large, so that nobody could verify it.
    """
    envelope = Envelope(statement.to_bytes(), PAYLOAD_TYPE, {})
    envelope.sign(signer)
    written = rfc8785.dumps(envelope.to_dict())
    if len(written) > MAX_BYTES:
        raise SignatureError(f"the signed statement has {len(written)} bytes, more than the {MAX_BYTES} that are ever read")
    return written


def verify(envelope: bytes, public_key_pem: bytes) -> Statement:
    """The statement in an envelope, if this key signed it.

    Args:
        envelope: The file as it is.
        public_key_pem: An Ed25519 public key that is trusted for reasons outside the envelope.

    Raises:
        SignatureError: If it is no envelope with exactly one signature, its payload is of another type, the signature is by
            another key or does not fit, or what was signed is no in-toto Statement v1.
        InputError: If the key is no Ed25519 public key in PEM.
    """
    key = public_key(public_key_pem)
    payload, signature = _taken_apart(envelope)
    if signature.keyid != key.keyid:
        # The id is a hint that nobody signed: it can turn a signature away, it cannot vouch for one.
        raise SignatureError(f"the envelope holds no signature by this key ({key.keyid[:16]}…), only one that names another")
    try:
        Envelope(payload, PAYLOAD_TYPE, {signature.keyid: signature}).verify([key], 1)
    except UnverifiedSignatureError as error:
        raise SignatureError("the signature does not fit: content or signature was changed, or another key made it") from error
    return read_statement(payload)


def claimed_key(envelope: bytes) -> str:
    """The id of the key that an envelope names. Nobody has checked it: it shows that a file has the form of an envelope.

    Raises:
        SignatureError: If it is no envelope with exactly one signature over a payload of our type.
    """
    _, signature = _taken_apart(envelope)
    return str(signature.keyid)


def claimed(envelope: bytes) -> Statement:
    """What an envelope says, by any key. Nobody has checked it: it can contradict files, and vouch for none.

    Raises:
        SignatureError: If it is no envelope with exactly one signature over a payload of our type, or what it holds is no in-toto
            Statement v1.
    """
    payload, _ = _taken_apart(envelope)
    return read_statement(payload)


def _taken_apart(envelope: bytes) -> tuple[bytes, Signature]:
    """Payload and signature of an envelope of our payload type."""
    if len(envelope) > MAX_BYTES:
        raise SignatureError(f"an envelope too large to be checked: it has {len(envelope)} bytes, more than {MAX_BYTES}")
    document = read_canonical(envelope, "the envelope")
    if set(document) != {"payload", "payloadType", "signatures"}:
        raise SignatureError("no DSSE envelope: expected payload, payloadType and signatures, and nothing else")
    if document["payloadType"] != PAYLOAD_TYPE:
        raise SignatureError(f"the envelope is of another payload type than {PAYLOAD_TYPE}")
    signatures = document["signatures"]
    if not isinstance(signatures, list) or len(signatures) != 1:
        raise SignatureError("the envelope does not hold exactly one signature")
    (found,) = signatures
    if not isinstance(found, dict) or set(found) != {"keyid", "sig"} or not isinstance(found["keyid"], str):
        raise SignatureError("no DSSE envelope: expected a signature with keyid and sig, and nothing else")
    return _decoded(document["payload"]), Signature(found["keyid"], _decoded(found["sig"]).hex())


def _decoded(text: Any) -> bytes:
    """Bytes from base64, of which only the one spelling of RFC 4648, section 4, is taken."""
    try:
        content = base64.b64decode(text, validate=True) if isinstance(text, str) else None
    except (binascii.Error, ValueError):
        content = None
    if content is None or base64.b64encode(content).decode() != text:
        raise SignatureError("no DSSE envelope: payload and signature must be standard base64")
    return content
