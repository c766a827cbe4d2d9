"""Extended attributes: what a file system keeps of a file or folder next to what is in it.

Nothing in a file says that it has any, and no table of people explains one. Those by which the file system itself decides who
may read are left out.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
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


def attributes(path: Path) -> Iterator[bytes]:
    """Give each attribute as one text: what it is called and what it holds, of the path itself and not of what it leads to.

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
        if name not in _OF_THE_SYSTEM:
            yield os.fsencode(name) + b"\n" + os.getxattr(path, name, follow_symlinks=False)
