"""Where finished runs lie: a folder of this machine, or any place that fsspec reaches, such as an object store.

A folder belongs to the user alone. A place elsewhere may be read and written by others: what lies there is encrypted with a key
made of the user's own and of the place's address, so that others see names and sizes, and what they change is found out.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from auditor.base import extras, plain_files
from auditor.base.errors import UsageError
from auditor.base.user_key import key_of_user
from auditor.sandbox.runs.secrets import BrokenSealError, Seal, secret_of


class Place(Protocol):
    """Files by name; used by several threads, and by several processes."""

    def secret(self) -> bytes:
        """The secret that addresses and seals rest on, 32 bytes.

        Raises:
            OSError: If it cannot be had.
        """

    def read(self, name: str) -> bytes:
        """The content of a file.

        Raises:
            OSError: If it cannot be read; FileNotFoundError where there is none.
        """

    def write(self, name: str, content: bytes) -> None:
        """Put a file in place, whole or not at all.

        Raises:
            OSError: If that fails.
        """

    def remove(self, name: str) -> None:
        """Remove a file.

        Raises:
            OSError: If it cannot be removed; FileNotFoundError where there is none.
        """

    def named(self, name: str) -> str:
        """What to call a file in messages."""


def place_of(where: Path | str) -> Place:
    """A folder, or the place of an address with a scheme.

    Raises:
        UsageError: If fsspec or what it needs for the scheme is not installed, or there is no such scheme.
    """
    return Elsewhere(where) if isinstance(where, str) and "://" in where else Folder(Path(where))


class Folder:
    """A folder of this machine."""

    def __init__(self, path: Path) -> None:
        """Take note of it; it is made when it is first needed."""
        self._path = path

    def secret(self) -> bytes:
        """The secret of the folder; key and salt are drawn where they are missing."""
        return secret_of(self._path)

    def read(self, name: str) -> bytes:
        """The content of a plain file; no link is followed."""
        with plain_files.opened(self._path / name) as file:
            return file.read()

    def write(self, name: str, content: bytes) -> None:
        """Put a file in place. It is not forced to the disk: one that a power cut damages is found out by its seal."""
        plain_files.put(self._path / name, content)

    def remove(self, name: str) -> None:
        """Remove a file."""
        (self._path / name).unlink()

    def named(self, name: str) -> str:
        """Its path."""
        return str(self._path / name)


class Elsewhere:
    """A place that fsspec reaches."""

    def __init__(self, address: str) -> None:
        """Find what reaches it; nothing is read or written yet.

        Raises:
            UsageError: If nothing does.
        """
        if "fsspec" in extras.missing("dask"):
            raise UsageError(f"--runs {address}: needs fsspec, which is not installed: {extras.command('dask')}")
        self._address = address.rstrip("/")
        try:
            _require_scheme(address)
            self._files, self._path = import_module("fsspec.core").url_to_fs(self._address)
        except (ImportError, ValueError, OSError) as error:
            raise UsageError(f"--runs {address}: expected an address that fsspec can reach: {error}") from error

    def secret(self) -> bytes:
        """The secret of the address; it needs no salt, for nobody else can have put anything there that is taken."""
        return hmac.new(key_of_user(), b"place\0" + self._address.encode(), hashlib.sha256).digest()

    def read(self, name: str) -> bytes:
        """The content of a file, decrypted; where it cannot be, what lies there."""
        sealed = self._done(lambda: self._files.cat_file(f"{self._path}/{name}"))
        try:
            return self._seal().open(sealed, name.encode())
        except BrokenSealError:
            return b""

    def write(self, name: str, content: bytes) -> None:
        """Put a file in place, encrypted. One that is cut short is removed, or else found out when it is read."""
        place = f"{self._path}/{name}"
        self._done(lambda: self._files.makedirs(self._path, exist_ok=True))
        try:
            self._done(lambda: self._files.pipe_file(place, self._seal().close(content, name.encode())))
        except OSError:
            with suppress(Exception):
                self._files.rm_file(place)
            raise

    def remove(self, name: str) -> None:
        """Remove a file."""
        self._done(lambda: self._files.rm_file(f"{self._path}/{name}"))

    def named(self, name: str) -> str:
        """Its address."""
        return f"{self._address}/{name}"

    def cleared(self, names: re.Pattern[str]) -> list[tuple[str, int]]:
        """Remove the files of these names; each with its size.

        Raises:
            OSError: If they cannot be listed or removed.
        """
        ours = self.listed(names)
        for name, _ in ours:
            self.remove(name)
        return ours

    def listed(self, names: re.Pattern[str]) -> list[tuple[str, int]]:
        """List the files of these names; each with its size.

        Raises:
            OSError: If they cannot be listed.
        """
        try:
            listed = self._done(lambda: self._files.ls(self._path, detail=True))
        except FileNotFoundError:
            return []
        found = [(str(each["name"]).rpartition("/")[2], int(each.get("size") or 0)) for each in listed]
        return [(name, size) for name, size in found if names.fullmatch(name)]

    def _seal(self) -> Seal:
        return Seal(hmac.new(self.secret(), b"files", hashlib.sha256).digest())

    def _done(self, ask: Any) -> Any:
        """What a file system gives; its own kinds of errors as one that messages can be made of."""
        try:
            return ask()
        except OSError:
            raise
        except Exception as error:
            raise OSError(0, f"{type(error).__name__}: {error}", self._address) from error


def _require_scheme(address: str) -> None:
    if address.startswith("://"):
        raise ValueError("a scheme comes before ://")
