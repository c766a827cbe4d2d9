"""Keeps compiled templates for the user: a command that fills one page compiles thirty, which takes longer than filling them.

They are code: what is loaded bears a seal that only the key of the user makes, and its own template, Python and Jinja are in it.
Where there is no home, no key, or no room, templates are compiled as ever.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import importlib.util
from typing import Final

from jinja2 import BytecodeCache
from jinja2 import __version__ as jinja
from jinja2.bccache import Bucket

from auditor import __version__
from auditor.base import plain_files, resources
from auditor.base.user_key import key_of_user, make_own

_FOLDER: Final = "templates"
"""In what is kept for the user."""
_SEAL: Final = hashlib.sha256().digest_size
_MOST: Final = 1 << 20
"""Bytes of one file; the largest template has a tenth."""


class CompiledTemplates(BytecodeCache):
    """One sealed file for each template, by its name."""

    def __init__(self) -> None:
        self._key: bytes | None = None
        with contextlib.suppress(OSError):
            key = key_of_user()
            self._folder = resources.state() / _FOLDER
            make_own(self._folder)
            self._key = key

    def get_cache_key(self, name: str, filename: str | None = None) -> str:  # noqa: ARG002 - wherever templates lie
        """Name the file of a template."""
        return hashlib.sha256(name.encode()).hexdigest()[:32]

    def get_source_checksum(self, source: str) -> str:
        """Say what its code follows from."""
        parts = (importlib.util.MAGIC_NUMBER.hex(), jinja, __version__, source)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load what is kept of a template, if it is this user's and of this very source."""
        if self._key is None:
            return
        with contextlib.suppress(OSError):
            with plain_files.opened(self._folder / bucket.key) as file:
                content = file.read(_MOST)
            seal, code = content[:_SEAL], content[_SEAL:]
            if hmac.compare_digest(seal, self._seal(self._key, bucket, code)):
                bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template that was compiled."""
        if self._key is None:
            return
        code = bucket.bytecode_to_string()
        with contextlib.suppress(OSError):
            plain_files.put(self._folder / bucket.key, self._seal(self._key, bucket, code) + code, through=self._folder.parent)

    @staticmethod
    def _seal(key: bytes, bucket: Bucket, code: bytes) -> bytes:
        said = b"\0".join((b"template", bucket.key.encode(), bucket.checksum.encode(), code))
        return hmac.digest(key, said, hashlib.sha256)
