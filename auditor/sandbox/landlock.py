"""Landlock: the barrier around files, and where the kernel offers it around abstract sockets and signals.

A ruleset names the accesses that it handles; a process that it restricts may do those only beneath the folders that a rule
opens, for good, and so may everything that it starts. What Landlock does not handle stays allowed: examining the metadata of
a file whose path is known, changing it as its owner, and sockets that are no TCP. The filter of system calls is for these.

Source: Linux `Documentation/userspace-api/landlock.rst`, versions 1 (Linux 5.13) to 7.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from auditor.sandbox.kernel import call

_VERSION = 1  # LANDLOCK_CREATE_RULESET_VERSION
_PATH_BENEATH = 1  # LANDLOCK_RULE_PATH_BENEATH

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_AND_MAKE = sum(1 << bit for bit in range(4, 13))
_MAKE_DEVICES = (1 << 6) | (1 << 11)
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
_TCP_BIND_AND_CONNECT = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11

TRUNCATION_SINCE, SCOPES_SINCE = 3, 6
"""The versions from which truncation, and abstract sockets and signals, are handled."""

READ = READ_FILE | READ_DIR
READ_AND_EXECUTE = READ | EXECUTE
READ_AND_WRITE = READ | WRITE_FILE | (_REMOVE_AND_MAKE & ~_MAKE_DEVICES) | REFER | TRUNCATE
EVERYTHING = (1 << 16) - 1
"""Whatever can be forbidden; another rule is to forbid it."""
DEVICE = READ_FILE | WRITE_FILE
DRIVEN_DEVICE = DEVICE | IOCTL_DEV
"""A device whose driver is talked to by ioctl, which version 5 and later forbid unless it is allowed."""


class Handled(NamedTuple):
    """What a version of Landlock can forbid, as the fields of `struct landlock_ruleset_attr`."""

    files: int
    network: int
    scopes: int


class _RulesetAttributes(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def version(numbers: Mapping[str, int]) -> int:
    """The version that the kernel offers; 0 where it has no Landlock, or has it switched off."""
    try:
        return call(numbers["landlock_create_ruleset"], ctypes.c_void_p(None), 0, _VERSION)
    except OSError as error:
        if error.errno in {errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM}:
            return 0
        raise


def handled(offered: int) -> Handled:
    """Everything that the barriers forbid under version `offered`; later versions forbid what version 7 does."""
    files = EXECUTE | WRITE_FILE | READ_FILE | READ_DIR | _REMOVE_AND_MAKE
    for since, access in ((2, REFER), (TRUNCATION_SINCE, TRUNCATE), (5, IOCTL_DEV)):
        if offered >= since:
            files |= access
    network = _TCP_BIND_AND_CONNECT if offered >= 4 else 0
    return Handled(files, network, _ABSTRACT_SOCKETS_AND_SIGNALS if offered >= SCOPES_SINCE else 0)


def restrict(numbers: Mapping[str, int], offered: int, opened: Iterable[tuple[str, int]]) -> None:
    """Restrict this thread, and everything that it starts, to the accesses named.

    Args:
        numbers: System calls by name.
        offered: The version that the kernel offers, at least 1.
        opened: Paths and the accesses that are allowed there and beneath. A path that does not exist is left out.

    Raises:
        OSError: If the kernel refuses.
    """
    forbidden = handled(offered)
    attributes = _RulesetAttributes(*forbidden)
    # An older kernel takes a shorter struct; zeros behind it would do too, but only where it knows how to examine them.
    size = 8 * (1 + (offered >= 4) + (offered >= SCOPES_SINCE))
    ruleset = call(numbers["landlock_create_ruleset"], ctypes.byref(attributes), size, 0)
    try:
        for path, access in opened:
            _open(numbers, ruleset, path, access & forbidden.files)
        call(numbers["landlock_restrict_self"], ruleset, 0)
    finally:
        os.close(ruleset)


def _open(numbers: Mapping[str, int], ruleset: int, path: str, access: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return  # what is not there, or out of reach already, needs no rule
    try:
        if not stat.S_ISDIR(os.fstat(parent).st_mode):
            access &= _ON_FILES
        rule = _PathBeneath(access, parent)
        call(numbers["landlock_add_rule"], ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(parent)
