"""Ed25519 key pairs in PEM files: made, written once, read with care.

Messages name the file and what is wrong with it; they hold nothing that was read from a private key or typed as a passphrase.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)
from securesystemslib.signer import CryptoSigner, SSlibKey

from auditor.base.domain import Problem
from auditor.base.errors import InputError, UsageError
from auditor.base.writing import unwritten

Signer: TypeAlias = CryptoSigner
"""A private key that can sign; its `public_key.keyid` is what `key_id` gives for its public key."""
LONGEST_PASSPHRASE: Final = 1023
"""Bytes; what the library that encrypts private keys takes."""
_LARGEST_FILE: Final = 64 * 1024
_PUBLIC_SUFFIX: Final = ".pub"
_BEGINS, _PRIVATE = b"-----BEGIN ", b"PRIVATE KEY"


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A key pair as it is written to files."""

    private_pem: bytes = field(repr=False)
    """PKCS#8 (RFC 5958), encrypted (RFC 8018) where there is a passphrase."""
    public_pem: bytes
    """SubjectPublicKeyInfo (RFC 8410)."""
    key_id: str


def generate(passphrase: str | None) -> KeyPair:
    """Make an Ed25519 key pair.

    Args:
        passphrase: What the private key is encrypted with; None leaves it unencrypted.

    Raises:
        UsageError: If the passphrase is empty or too long.
    """
    private = Ed25519PrivateKey.generate()
    encryption = NoEncryption() if passphrase is None else BestAvailableEncryption(_encoded(passphrase))
    public_pem = private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    private_pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)
    return KeyPair(private_pem, public_pem, key_id(public_pem))


def write_pair(path: Path, pair: KeyPair) -> tuple[Path, Path]:
    """Write a private key for its owner alone, mode 0600, and the public key alongside it; never over a file that is there.

    Returns:
        Where they lie: the private key at `path`, the public key under the same name with `.pub` at its end.

    Raises:
        UsageError: If either file is there already or cannot be written there; neither is left then.
        StorageError: If the disk is full or broken.
    """
    written: list[Path] = []
    public = path.with_name(path.name + _PUBLIC_SUFFIX)
    try:
        for target, content, mode in ((public, pair.public_pem, 0o644), (path, pair.private_pem, 0o600)):
            descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
            written.append(target)
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(descriptor)
    except BaseException as error:
        for target in written:
            with contextlib.suppress(OSError):
                target.unlink()
        if isinstance(error, FileExistsError):
            raise UsageError(f"{error.filename}: there already; a key is never written over another file") from error
        if isinstance(error, OSError):
            raise unwritten(error, path) from error
        raise
    return path, public


def load_private(path: Path, passphrase: Callable[[], str]) -> Signer:
    """Read a private key that nobody but its owner can read.

    Args:
        path: A PEM file with an Ed25519 private key in PKCS#8.
        passphrase: Asked once, and only where the key is encrypted.

    Raises:
        InputError: If the file is no such key, is a link, belongs to somebody else, can be read by others, or the passphrase
            is not the key's.
    """
    content = _read(path, "a private key", private=True)
    try:
        try:
            private = load_pem_private_key(content, None)
        except TypeError:  # so the library says that it is encrypted
            try:
                private = load_pem_private_key(content, _encoded(passphrase()))
            except ValueError:
                raise _problem(path, "the passphrase of this key", "another passphrase, or a damaged file") from None
    except (ValueError, UnsupportedAlgorithm):
        raise _problem(path, "an Ed25519 private key in PEM (PKCS#8)", "no such key") from None
    if not isinstance(private, Ed25519PrivateKey):
        raise _problem(path, "an Ed25519 private key in PEM (PKCS#8)", "a private key of another kind")
    return CryptoSigner(private)


def read_public(path: Path) -> bytes:
    """Read a public key.

    Returns:
        The PEM file as it is.

    Raises:
        InputError: If the file cannot be read or holds no Ed25519 public key.
    """
    content = _read(path, "a public key", private=False)
    public_key(content, str(path))
    return content


def key_id(public_key_pem: bytes) -> str:
    """The id of a public key: SHA-256, in hexadecimal, over the canonical JSON of its type, scheme and value.

    It is the default id of securesystemslib, so that other in-toto tools arrive at the same.

    Raises:
        InputError: If it is no Ed25519 public key in PEM.
    """
    return public_key(public_key_pem).keyid


def public_key(public_key_pem: bytes, name: str = "public key") -> SSlibKey:
    """A public key as it verifies; `name` is what a Problem calls it.

    Raises:
        InputError: If it is no Ed25519 public key in PEM.
    """
    expected = "an Ed25519 public key in PEM"
    if _PRIVATE in public_key_pem:
        raise InputError([Problem(name, "", expected, "a private key: keep that one to yourself")])
    if public_key_pem.count(_BEGINS) > 1:
        # The library would read the first and say nothing of the others.
        raise InputError([Problem(name, "", expected, "more than one key")])
    try:
        public = load_pem_public_key(public_key_pem)
    except (ValueError, UnsupportedAlgorithm):
        raise InputError([Problem(name, "", expected, "something else")]) from None
    if not isinstance(public, Ed25519PublicKey):
        raise InputError([Problem(name, "", expected, "a public key of another kind")])
    return SSlibKey.from_crypto(public)


def _encoded(passphrase: str) -> bytes:
    """The bytes of a passphrase; those that are no UTF-8, from an environment in another encoding, come back as they were."""
    try:
        content = passphrase.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        # Not chained: the original names a character of the passphrase.
        raise UsageError("the passphrase holds a character that has no encoding") from None
    if not 1 <= len(content) <= LONGEST_PASSPHRASE:
        raise UsageError(f"a passphrase has 1 to {LONGEST_PASSPHRASE} bytes, this one has {len(content)}")
    return content


def _read(path: Path, expected: str, *, private: bool) -> bytes:
    """A small plain file that is no link; for a private key one that is the user's, and closed to everybody else."""
    try:
        with open(path, "rb", opener=_plainly) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise _problem(path, expected, "no plain file")
            if private and status.st_uid != os.geteuid():
                raise _problem(path, "a private key that belongs to the user who signs", f"one of user {status.st_uid}")
            if private and status.st_mode & 0o077:
                found = f"mode {stat.S_IMODE(status.st_mode):04o}; fix it with: chmod 600 {path}"
                raise _problem(path, "a private key that only its owner can read", found)
            content = file.read(_LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        found = "a link" if path.is_symlink() else getattr(error, "strerror", None) or str(error)
        raise _problem(path, expected, found) from error
    if len(content) > _LARGEST_FILE:
        raise _problem(path, expected, f"more than {_LARGEST_FILE} bytes")
    return content


def _plainly(path: str, flags: int) -> int:
    """Open without following a link and without waiting for anyone who holds the other end of a pipe."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _problem(path: Path, expected: str, found: str) -> InputError:
    return InputError([Problem(str(path), "", expected, found)])
