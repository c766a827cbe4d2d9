"""Extended attributes: what a file system keeps of a file or folder next to what is in it.

Nothing in a file says that it has any, and no table of people explains one. Those by which the file system itself decides who
may read need no explanation. They are searched all the same, and so are the numbers in them and those of owners and groups, for
a list of numbers may be one of people.
"""

from __future__ import annotations

import errno
import os
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_OF_THE_SYSTEM: Final = frozenset(
    {
        *(
            f"security.{each}"
            for each in ("selinux", "apparmor", "capability", "ima", "evm", "SMACK64", "SMACK64EXEC", "SMACK64MMAP")
        ),
        *(f"system.{each}" for each in ("posix_acl_access", "posix_acl_default", "nfs4_acl")),
    }
)
"""By name: root may write others that begin alike."""
_NONE: Final = frozenset({errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.ENOENT})
"""The file system has no attributes, or the file is gone, which is seen where its place is listed again."""


_DIGITS: Final = re.compile(rb"\d+")
_NUMBER: Final = struct.Struct("<I")
_LONGEST: Final = 18
"""Digits of a number, at most."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute."""

    content: bytes
    """What it is called and what it holds."""
    of_system: bool
    numbers: tuple[int, ...] = ()
    """Those in one of the file system's own, as text or in four bytes each."""


def owners(path: Path) -> tuple[int, int]:
    """The numbers of the owner and the group of a path itself.

    Raises:
        OSError: If they cannot be read.
    """
    found = path.lstat()
    return found.st_uid, found.st_gid


def attributes(path: Path) -> Iterator[Attribute]:
    """Give each attribute, of the path itself and not of what it leads to.

    Raises:
        OSError: If there are some that cannot be read.
    """
    if not hasattr(os, "listxattr"):
        return
    try:
        names = os.listxattr(path, follow_symlinks=False)
    except OSError as error:
        if error.errno in _NONE:
            return
        raise
    for name in sorted(names):
        held = os.getxattr(path, name, follow_symlinks=False)
        of_system = name in _OF_THE_SYSTEM
        yield Attribute(os.fsencode(name) + b"\n" + held, of_system, tuple(_numbers(held)) if of_system else ())


def _numbers(held: bytes) -> Iterator[int]:
    yield from (int(each) for each in _DIGITS.findall(held) if len(each) <= _LONGEST)
    yield from (number for (number,) in _NUMBER.iter_unpack(held[: len(held) // _NUMBER.size * _NUMBER.size]))
