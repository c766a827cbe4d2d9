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
from collections.abc import Callable, Hashable, Iterator, Sequence
from math import ceil, lgamma, log, log2
from pathlib import PurePosixPath
from typing import Final, NamedTuple, TypeVar

from auditor.parts.places.observing.plain_words import natural, size_of
from auditor.parts.store.observing.unpacking import unpacked

_OF_TIME: Final = 31
"""Bits of a time to the second."""
_OF_LEVEL: Final = 4
_OF_FLUSH: Final = 1
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
        found = next(
            (
                each
                for each in (
                    _gzip(name, content),
                    _other(name, content),
                    _tar(content),
                    _zip(content) if content.startswith(b"PK") else None,
                )
                if each
            ),
            None,
        )
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
    if not any(content[start:-8] in _deflated(held, level) for level in _LEVELS):
        return None
    expected = _stem(name).encode()
    named = 1 if noted in {b"", expected} else 8 * len(noted)
    return Packed({_stem(name): held}, _OF_LEVEL + _OF_LEVEL + _OF_FLUSH + named + (_OF_TIME if any(content[4:8]) else 1))


_HEADER: Final = 10
_NAMED: Final = 8
_LEVELS: Final = (9, 6, 1, 2, 3, 4, 5, 7, 8)


def _deflated(content: bytes, level: int) -> tuple[bytes, bytes]:
    """Compress as zlib does, and as pandas does, which flushes before the end as well."""
    packing = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    body, flushing = packing.compress(content), packing.copy()
    return body + packing.flush(), body + flushing.flush(zlib.Z_SYNC_FLUSH) + flushing.flush()


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
        noted = archive.pax_headers
    plain = all((each.isreg() or each.isdir()) and not (each.pax_headers or each.linkname or each.devmajor or each.devminor)
                for each in listed)  # fmt: skip
    if noted or not plain or len(held) < len(listed) or len(listed) > _MOST_MEMBERS:
        return None
    if not any(_tar_again(listed, held, form) == content for form in _FORMATS):
        return None
    files = [each.name for each in listed if each.isreg()]
    folders = [each.name for each in listed if each.isdir()]
    if not {str(above) for name in files for above in PurePosixPath(name).parents} >= {
        str(PurePosixPath(each)) for each in folders
    }:
        return None
    owners = [(each.uid, each.gid, each.uname, each.gname) for each in listed]
    bits = 2 + _in_order([each.name for each in listed]) + len(folders)
    bits += _choices([each.mtime for each in listed], lambda time: _OF_TIME if time else 1)
    bits += _choices([each.mode for each in listed], lambda mode: 3 if mode in _USUAL_RIGHTS else 12)
    bits += _choices(owners, lambda owner: size_of(owner[0]) + size_of(owner[1]) + sum(
        8 * len(name.encode()) for name in owner[2:] if name != "root"))  # fmt: skip
    return Packed({name: held[name] for name in files}, bits)


_T = TypeVar("_T", bound=Hashable)


def _choices(of_each: Sequence[_T], cost: Callable[[_T], int]) -> int:
    """Bits of what an archive notes of its members: of each thing that is noted, and of which of them each member has."""
    different = dict.fromkeys(of_each)
    return sum(map(cost, different)) + ceil(len(of_each) * log2(max(1, len(different))))


def _in_order(names: Sequence[str]) -> int:
    """Bits of the order of an archive's members."""
    usual = list(names) in (sorted(names), sorted(names, key=lambda name: [natural(each) for each in PurePosixPath(name).parts]))
    return 2 if usual else ceil(lgamma(len(names) + 1) / log(2))


def _tar_again(listed: list[tarfile.TarInfo], held: dict[str, bytes], form: int) -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=form) as archive:
        for each in listed:
            archive.addfile(each, io.BytesIO(held[each.name]) if each.isreg() else None)
    return written.getvalue()


def _zip(content: bytes) -> Packed | None:
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
    names = [each.filename for each in listed]
    if any(name.endswith("/") and not any(other.startswith(name) for other in names if other != name) for name in names):
        return None
    bits = _OF_LEVEL + _in_order(names) + sum(name.endswith("/") for name in names)
    bits += _choices([each.date_time for each in listed], lambda time: _OF_TIME if time != _FIRST_TIME else 1)
    bits += _choices([(each.external_attr, each.create_system) for each in listed], lambda right: 4 if right in _RIGHTS else 40)
    bits += _choices([each.compress_type for each in listed], lambda _: 2)
    return Packed({name: own for name, own in held.items() if not name.endswith("/")}, bits)


_FIRST_TIME: Final = (1980, 1, 1, 0, 0, 0)
_ROOM: Final = 1 << 28
_RIGHTS: Final = frozenset(((kind | right) << 16, 3) for kind in (0, 0o100000) for right in _USUAL_RIGHTS)


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
