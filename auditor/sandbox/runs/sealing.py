"""Bytes sealed with a key: neither read nor changed by those who lack it (ChaCha20-Poly1305, RFC 8439)."""

from __future__ import annotations

import hashlib
import hmac
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

_NONCE = 12


class BrokenSealError(Exception):
    """Bytes were not sealed with this key for this purpose, or were changed on the way."""


class Seal:
    """One key, and what is sealed with it."""

    def __init__(self, key: bytes) -> None:
        """Take a key of 32 bytes."""
        self._key = key
        self._cipher = ChaCha20Poly1305(key)

    def close(self, content: bytes, purpose: bytes) -> bytes:
        """Seal content for one purpose, which must be named again to open it."""
        nonce = os.urandom(_NONCE)
        return nonce + self._cipher.encrypt(nonce, content, purpose)

    def open(self, sealed: bytes, purpose: bytes) -> bytes:
        """Give the content back.

        Raises:
            BrokenSealError: If it was sealed with another key or for another purpose, or was changed.
        """
        try:
            return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], purpose)
        except (InvalidTag, ValueError) as error:
            raise BrokenSealError from error

    def name(self, content: bytes) -> str:
        """Name content: equal names mean equal content, and tell nothing about it to those who lack the key."""
        return hmac.new(self._key, b"name\0" + content, hashlib.sha256).hexdigest()
