"""What the auditor of this user wrote into folders of others, noted so that it is known again there.

One file in the user's own folder has a line for each: HMAC-SHA-256 with the user's key, which says nothing to those who lack it.
A case comes from the audited party, so nothing that lies in it can say who wrote it.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Iterable

from auditor.base.user_key import drawn_before, key_file, key_of_user

_FILE = "written"


def note(things: Iterable[bytes]) -> None:
    """Note that this user's auditor wrote some things.

    Raises:
        OSError: If nothing can be noted.
    """
    key = key_of_user()
    lines = b"".join(_line(key, each) + b"\n" for each in things)
    descriptor = os.open(
        key_file().with_name(_FILE), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
    )
    with os.fdopen(descriptor, "ab", buffering=0) as file:
        file.write(lines)  # at once: two who note do not mix their lines


class Noted:
    """What has been noted up to now."""

    def __init__(self) -> None:
        """Read it; without a key or a note, nothing has been."""
        self._key = b""
        self._lines: frozenset[bytes] = frozenset()
        try:
            self._key = drawn_before(key_file())
            self._lines = frozenset(key_file().with_name(_FILE).read_bytes().splitlines())
        except OSError:
            return

    def __contains__(self, thing: bytes) -> bool:
        """Whether this user's auditor wrote it."""
        return _line(self._key, thing) in self._lines


def _line(key: bytes, thing: bytes) -> bytes:
    return hmac.new(key, b"written\0" + thing, hashlib.sha256).hexdigest().encode()
