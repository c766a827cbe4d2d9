"""Sealed bytes between the auditor and its workers, which neither a scheduler nor a log of the cluster can read.

Each worker process draws a pair of X25519 keys and says the public one. The auditor draws one key for the audit and sends it to
each worker under a key that both derive (X25519, HKDF-SHA-256, ChaCha20-Poly1305; RFC 7748, RFC 5869, RFC 8439). This hides
jobs from those who see what passes. It hides nothing from those who run the cluster: code of theirs can read a worker's memory.
"""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from auditor.sandbox.runs.sealing import BrokenSealError, Seal

__all__ = ["BrokenSealError", "Letterbox", "Seal", "put"]

_PUBLIC = 32


class Letterbox:
    """A pair of keys: anybody can put a key in, its owner alone can take it out."""

    def __init__(self) -> None:
        """Draw the pair."""
        self._private = X25519PrivateKey.generate()
        self.public: bytes = self._private.public_key().public_bytes_raw()

    def take(self, sealed: bytes) -> bytes:
        """Take out what was put in for this public key.

        Raises:
            BrokenSealError: If it is for another.
        """
        try:
            shared = self._private.exchange(X25519PublicKey.from_public_bytes(sealed[:_PUBLIC]))
        except ValueError as error:
            raise BrokenSealError from error
        return _between(shared, sealed[:_PUBLIC], self.public).open(sealed[_PUBLIC:], b"key")


def put(content: bytes, public: bytes) -> bytes:
    """Seal content for the owner of a public key.

    Raises:
        BrokenSealError: If it is no public key.
    """
    own = X25519PrivateKey.generate()
    try:
        shared = own.exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError as error:
        raise BrokenSealError from error
    ours = own.public_key().public_bytes_raw()
    return ours + _between(shared, ours, public).close(content, b"key")


def _between(shared: bytes, sender: bytes, receiver: bytes) -> Seal:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"auditor.cluster/1" + sender + receiver)
    return Seal(derived.derive(shared))
