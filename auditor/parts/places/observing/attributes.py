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

_OF_THE_SYSTEM: Final = ("security.", "system.")
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
        if not name.startswith(_OF_THE_SYSTEM):
            yield os.fsencode(name) + b"\n" + os.getxattr(path, name, follow_symlinks=False)
