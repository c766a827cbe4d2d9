"""System calls by number, through ctypes, and prctl: what the barriers are made with. Standard library only: it starts fast."""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Mapping
from contextlib import suppress

_LIBRARY = ctypes.CDLL(None, use_errno=True)
_LIBRARY.syscall.restype = ctypes.c_long

PR_SET_PDEATHSIG = 1
PR_GET_SECCOMP = 21
PR_CAPBSET_DROP = 24
PR_SET_SECUREBITS = 28
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_GET_NO_NEW_PRIVS = 39
PR_CAP_AMBIENT = 47

_PR_CAP_AMBIENT_CLEAR_ALL = 4
_CAPABILITY_VERSION_3 = 0x20080522
_CAPABILITIES = 64
_SECURE_NOROOT_AND_NO_SETUID_FIXUP_LOCKED = 0b1111


def call(number: int, *arguments: object) -> int:
    """Make a system call.

    Args:
        number: Its number.
        arguments: Integers, which are passed as longs, or ctypes objects.

    Raises:
        OSError: With the kernel's errno.
    """
    wide = (ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments)
    result = int(_LIBRARY.syscall(ctypes.c_long(number), *wide))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def prctl(option: int, *arguments: int) -> int:
    """`prctl(option, ...)`; arguments left out are 0, as newer options demand.

    Raises:
        OSError: With the kernel's errno.
    """
    padded = (*arguments, 0, 0, 0, 0)[:4]
    result = int(_LIBRARY.prctl(ctypes.c_int(option), *(ctypes.c_ulong(argument) for argument in padded)))
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def give_up_privileges(numbers: Mapping[str, int]) -> None:
    """Give up every capability for good, root's included, and the way back through set-user-ID programs.

    Root without capabilities is the owner of root's files and nothing more, which is what the other barriers are made for.

    Args:
        numbers: System calls by name.

    Raises:
        OSError: If the kernel refuses.
    """
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    # Both are one more lock on the way back for uid 0; an ordinary user may not do them, and has no such way.
    with suppress(PermissionError):
        for capability in range(_CAPABILITIES):
            if not _drops(capability):
                break
        prctl(PR_SET_SECUREBITS, _SECURE_NOROOT_AND_NO_SETUID_FIXUP_LOCKED)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    call(numbers["capset"], ctypes.byref(header), ctypes.byref(nothing))


def _drops(capability: int) -> bool:
    """Take a capability out of the bounding set; False where the kernel knows none of that number."""
    try:
        prctl(PR_CAPBSET_DROP, capability)
    except OSError as error:
        if error.errno == errno.EINVAL:
            return False
        raise
    return True
