"""Take a packed file apart into what was packed, if packing that again gives the same bytes.

Compression has many ways to write one content, and an archive notes times, owners and rights: what is not written again byte for
byte may hold anything. What is, holds its members, and the bits of what it notes of them.
"""

from __future__ import annotations

import bz2
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from auditor.parts.places.observing.plain_words import size_of
from auditor.parts.store.observing.unpacking import unpacked

_OF_TIME: Final = 31
"""Bits of a time to the second."""
_OF_LEVEL: Final = 4
_OF_LETTER: Final = 5
_FORMATS: Final = (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT)
_USUAL_RIGHTS: Final = frozenset({0o644, 0o664, 0o600, 0o755, 0o775, 0o700, 0o777})
_MOST_MEMBERS: Final = 10_000
_DEPTH: Final = 3


class Packed(NamedTuple):
    """What was packed."""

    members: dict[str, bytes]
    """By the path of each, below the packed file's own."""
    bits: int
    """What the file notes of them could carry."""


def taken_apart(name: str, content: bytes, depth: int = 0) -> Packed | None:
    """Take a file apart, and what is packed in it; None where it is not packed, or not packed again as it is.

    Args:
        name: Its path.
        content: What it holds.
        depth: How deep it lies in another.
    """
    try:
        found = next((each for each in (_gzip(name, content), _other(name, content), _tar(content), _zip(content)) if each), None)
    except (*_BROKEN, RuntimeError, NotImplementedError):
        return None
    if found is None or depth == _DEPTH:
        return found
    members, bits = dict[str, bytes](), found.bits
    for path, held in found.members.items():
        inner = taken_apart(path, held, depth + 1)
        bits += 0 if inner is None else inner.bits
        members |= {path: held} if inner is None else {f"{path}/{each}": own for each, own in inner.members.items()}
    return Packed(members, bits)


_BROKEN: Final = (
    OSError, ValueError, KeyError, EOFError, struct.error, zlib.error, lzma.LZMAError, tarfile.TarError, zipfile.BadZipFile,
)  # fmt: skip


def _stem(name: str) -> str:
    path = PurePosixPath(name).name
    return path[:-4] + ".tar" if path.endswith((".tgz", ".txz")) else path.rpartition(".")[0] or path


def _gzip(name: str, content: bytes) -> Packed | None:
    """One stream of gzip, with a time and the name of what was packed."""
    if content[:3] != b"\x1f\x8b\x08" or len(content) < _HEADER + 8 or content[3] not in {0, _NAMED}:
        return None
    held = unpacked(content)
    if held is None:
        return None
    start, noted = _HEADER, b""
    if content[3] == _NAMED:
        start = content.index(b"\0", _HEADER) + 1
        noted = content[_HEADER : start - 1]
    end = struct.pack("<LL", zlib.crc32(held), len(held) & 0xFFFFFFFF)
    if content[-8:] != end or content[8] not in {0, 2, 4} or content[9] not in {3, 255, 0, 19}:
        return None
    if not any(_deflated(held, level) == content[start:-8] for level in _LEVELS):
        return None
    expected = _stem(name).encode()
    named = 1 if noted in {b"", expected} else 8 * len(noted)
    return Packed({_stem(name): held}, _OF_LEVEL + _OF_LEVEL + named + (_OF_TIME if any(content[4:8]) else 1))


_HEADER: Final = 10
_NAMED: Final = 8
_LEVELS: Final = (9, 6, 1, 2, 3, 4, 5, 7, 8)


def _deflated(content: bytes, level: int) -> bytes:
    packing = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packing.compress(content) + packing.flush()


def _other(name: str, content: bytes) -> Packed | None:
    """One stream of bzip2 or xz."""
    if not content.startswith((b"BZh", b"\xfd7zXZ\0")):
        return None
    held = unpacked(content)
    if held is None:
        return None
    ways = (
        (bz2.compress(held, level) for level in range(9, 0, -1)) if content.startswith(b"BZh")
        else (lzma.compress(held, preset=preset) for preset in (6, 9, 3, 0))
    )  # fmt: skip
    return Packed({_stem(name): held}, _OF_LEVEL) if any(each == content for each in ways) else None


def _tar(content: bytes) -> Packed | None:
    if content[257:262] != b"ustar" or len(content) % tarfile.BLOCKSIZE:
        return None
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
        listed = archive.getmembers()
        held = {each.name: archive.extractfile(each).read() if each.isreg() else b"" for each in listed}  # type: ignore[union-attr]
    plain = all(each.isreg() or each.isdir() for each in listed)
    if not plain or len(held) < len(listed) or len(listed) > _MOST_MEMBERS:
        return None
    if not any(_tar_again(listed, held, form) == content for form in _FORMATS):
        return None
    bits, times, owners = 2, set[float](), set[tuple[int, int, str, str]]()
    for each in listed:
        bits += 3 if each.mode in _USUAL_RIGHTS else 12
        bits += 0 if each.mtime in times else _OF_TIME if each.mtime else 1
        bits += 2
        times.add(each.mtime)
        owner = (each.uid, each.gid, each.uname, each.gname)
        if owner not in owners:
            letters = sum(_OF_LETTER * len(name) for name in owner[2:] if name != "root")
            bits += size_of(each.uid) + size_of(each.gid) + letters + 8 * sum(not name.isascii() for name in owner[2:])
            owners.add(owner)
    return Packed({each.name: held[each.name] for each in listed if each.isreg()}, bits)


def _tar_again(listed: list[tarfile.TarInfo], held: dict[str, bytes], form: int) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=form) as archive:
        for each in listed:
            archive.addfile(each, io.BytesIO(held[each.name]) if each.isreg() else None)
    return written.getvalue()


def _zip(content: bytes) -> Packed | None:
    if not content.startswith(b"PK"):
        return None
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        listed = archive.infolist()
        if archive.comment or len({each.filename for each in listed}) < len(listed) or len(listed) > _MOST_MEMBERS:
            return None
        if sum(each.file_size for each in listed) > 8 * len(content) + _ROOM:
            return None
        held = {each.filename: archive.read(each) for each in listed}
    if any(each.comment or each.flag_bits & 1 for each in listed):
        return None
    if not any(_zip_again(listed, held, level) == content for level in (None, *_LEVELS)):
        return None
    times = {each.date_time for each in listed}
    rights = {(each.external_attr, each.internal_attr, each.create_system) for each in listed}
    bits = _OF_LEVEL + _OF_TIME * len(times - {(1980, 1, 1, 0, 0, 0)}) + 8 * sum(each not in _RIGHTS for each in rights)
    # Which of the times, and of the rights, each member has.
    bits += len(listed) * (len(times).bit_length() + len(rights).bit_length() - 2)
    bits += sum(32 for each in rights if each[0] >> 16 not in {right | kind for right in _USUAL_RIGHTS for kind in (0, 0o100000)})
    return Packed({name: own for name, own in held.items() if not name.endswith("/")}, bits)


_ROOM: Final = 1 << 28
_RIGHTS: Final = frozenset({(0o600 << 16, 0, 3), (0o644 << 16, 0, 3), (0o100644 << 16, 0, 3)})


def _zip_again(listed: list[zipfile.ZipInfo], held: dict[str, bytes], level: int | None) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for each in listed:
            again = zipfile.ZipInfo(each.filename, each.date_time)
            again.compress_type, again.external_attr, again.create_system = (
                each.compress_type, each.external_attr, each.create_system,
            )  # fmt: skip
            archive.writestr(again, held[each.filename], compresslevel=level)
    return written.getvalue()


def members(files: dict[str, bytes]) -> Iterator[tuple[str, dict[str, bytes], int]]:
    """Give of each file what is in it: itself where it is not packed, and the bits of how it is packed."""
    for name, content in files.items():
        found = taken_apart(name, content)
        if found is None:
            yield name, {name: content}, 0
        else:
            yield name, {f"{name}/{path}": own for path, own in found.members.items()}, found.bits
