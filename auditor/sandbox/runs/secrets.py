"""The secret that addresses and seals rest on: a key of the user, kept outside every case, and a salt of the audit's folder.

A case folder comes from the audited party and may come with an audit folder in it. Whatever runs lie there are taken only
if they bear a seal made with this user's key, which the audited party does not have. The salt ties what is kept to one folder,
and makes all of it worthless once the salt is gone.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from pathlib import Path

from auditor.base.user_key import drawn_before, drawn_once, key_file, key_of_user, make_own
from auditor.base.writing import make_folder

# Bytes sealed with a key: neither read nor changed by those who lack it (ChaCha20-Poly1305, RFC 8439).
_NONCE = 12


class BrokenSealError(Exception):
    """Bytes were not sealed with this key for this purpose, or were changed on the way."""


class Seal:
    """One key, and what is sealed with it."""

    def __init__(self, key: bytes) -> None:
        """Take a key of 32 bytes."""
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # noqa: PLC0415 - many a command seals nothing

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
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - as above

        try:
            return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], purpose)
        except (InvalidTag, ValueError) as error:
            raise BrokenSealError from error

    def name(self, content: bytes) -> str:
        """Name content: equal names mean equal content, and tell nothing about it to those who lack the key."""
        return hmac.new(self._key, b"name\0" + content, hashlib.sha256).hexdigest()


SALT = "salt"


def secret_of(folder: Path) -> bytes:
    """The secret of one folder of runs, 32 bytes; key and salt are drawn where they are missing.

    Args:
        folder: The folder of the runs; it is made, for its owner alone, where it is missing.

    Raises:
        OSError: If the key, the salt or a folder cannot be had, or belongs to somebody else, or others may read it.
    """
    make_folder(folder.parent)
    key = key_of_user()
    make_own(folder)
    return _of(key, drawn_once(folder / SALT))


def secret_before(folder: Path) -> bytes | None:
    """The secret of a folder in which runs were kept by this user; None where key or salt are missing. Nothing is drawn."""
    try:
        return _of(drawn_before(key_file()), drawn_before(folder / SALT))
    except OSError:
        return None


def _of(key: bytes, salt: bytes) -> bytes:
    return hmac.new(key, salt, hashlib.sha256).digest()
