"""The filter of system calls: no socket that leads out, no way around the other barriers, no leaving the process group.

A filter is a program for the kernel's classic BPF machine (Linux `Documentation/userspace-api/seccomp_filter.rst`): it looks
at the number of the call, the architecture and six arguments, never at memory. It is a list of what is refused; calls that
are newer than the list are answered as unknown, so that a later kernel opens no way out.

Three answers are given to what is not let through: EPERM; ENOSYS, where libraries know what to do without the call; and
"done" without doing it, for calls whose failure would break honest code and whose effect would reach beyond the barriers. These
are changes of mode, owner and times, which neither Landlock nor a mount namespace holds back on every file that the user owns
(root owns `/dev/null`); leaving the process group, by which every process of a worker is found and ended at once; and locks on
files, which two processes that may read the same file could write notes to one another with.
"""

from __future__ import annotations

import ctypes
import errno
import socket
from collections.abc import Iterable
from typing import NamedTuple

from auditor.sandbox.kernel import NEWEST, Architecture, call

_SET_MODE_FILTER, _ALL_THREADS = 1, 1

_ALLOW, _KILL_PROCESS, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_REFUSE, _UNKNOWN, _AS_IF_DONE = _ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS, _ERRNO

# Operations of the machine: load a word at an offset, compare, mask, return (linux/bpf_common.h).
_LOAD, _EQUAL, _GREATER, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x54, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data

_REFUSED = """
    ptrace process_vm_readv process_vm_writev kcmp process_madvise process_mrelease pidfd_getfd
    unshare setns mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr statmount
    listmount swapon swapoff quotactl quotactl_fd acct sysfs ustat nfsservctl
    io_uring_setup io_uring_enter io_uring_register bpf perf_event_open userfaultfd lookup_dcookie
    keyctl add_key request_key open_by_handle_at name_to_handle_at fanotify_init fanotify_mark inotify_add_watch
    init_module finit_module delete_module create_module kexec_load kexec_file_load reboot
    settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname syslog vhangup _sysctl
    personality iopl ioperm modify_ldt uselib move_pages migrate_pages
    shmget shmat shmctl semget semop semctl semtimedop msgget msgsnd msgrcv msgctl mq_open mq_unlink
"""
"""Refused at every level. The last line is System V and POSIX message passing, which outlives a process and needs no file."""

_OF_SOCKETS = ("socket", "connect", "bind", "listen", "accept", "accept4")
_OF_METADATA = """
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
"""
_OF_SESSIONS = ("setsid", "setpgid")

# CLONE_NEW* for mount, cgroup, UTS, IPC, user, process and network namespaces, and CLONE_PARENT.
_CLONE_FLAGS = 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000 | 0x00008000
# TIOCSTI and TIOCLINUX type into a terminal; FS_IOC_SETFLAGS, FS_IOC32_SETFLAGS and FS_IOC_FSSETXATTR change attributes.
_IOCTLS = (0x5412, 0x541C, 0x40086602, 0x40046602, 0x401C5820)
_SOCKET_TYPE_MASK = 0xF
_PR_SET_DUMPABLE = 4
# F_SETLK, F_SETLKW and what they are for open files; F_GETLK for both, F_SETLEASE, F_GETLEASE and F_NOTIFY.
_LOCKING, _LOOKING_AT_LOCKS = (6, 7, 37, 38), (5, 36, 1024, 1025, 1026)
_O_TRUNC, _O_ACCMODE = 0o1000, 0o3


class Instruction(NamedTuple):
    """One instruction: operation, how far to jump where it holds and where it does not, and its constant."""

    code: int
    if_true: int
    if_false: int
    constant: int


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def program(
    architecture: Architecture, *, own_namespaces: bool, truncation_handled: bool, cuda: bool = False
) -> list[Instruction]:
    """The filter.

    Args:
        architecture: Whose numbers to use; calls of any other kill the process, and those of x32 are unknown.
        own_namespaces: Whether the process has network and mount namespaces of its own. Then UNIX sockets reach nobody and
            may be used. Otherwise only connected pairs of stream sockets are made: a datagram pair could be addressed to a
            socket of another process.
        truncation_handled: Whether Landlock handles truncation. Otherwise opening a file so that it is cut off
            is refused unless it is opened for writing too, which Landlock does handle.
        cuda: Whether NVIDIA's driver is to start, which makes files in memory and a socket that other processes of the same user
            could ask for memory of the GPU. Without namespaces of its own the process gets a UNIX socket that nobody can reach:
            it is never bound, although the driver sees it bound. Otherwise neither can be made: memory that no process maps is
            found through descriptors, which can be on their way in a socket.

    Returns:
        At most 4,096 instructions; every path ends in an answer.
    """
    code = [
        Instruction(_LOAD, 0, 0, _ARCHITECTURE),
        Instruction(_EQUAL, 1, 0, architecture.audit),
        _answer(_KILL_PROCESS),
        Instruction(_LOAD, 0, 0, _NUMBER),
        # Unsigned, so that it covers x32 as well, whose numbers have bit 30 set.
        Instruction(_GREATER, 0, 1, NEWEST),
        _answer(_UNKNOWN),
    ]
    rules = {name: [_answer(_REFUSE)] for name in _REFUSED.split()}
    rules |= {name: [_answer(_AS_IF_DONE)] for name in (*_OF_SESSIONS, *_OF_METADATA.split())}
    rules["clone3"] = [_answer(_UNKNOWN)]  # its flags are in memory; libraries then use clone
    rules["clone"] = [_argument(0), Instruction(_ANY_BIT, 0, 1, _CLONE_FLAGS), _answer(_REFUSE), _answer(_ALLOW)]
    if not cuda:
        rules["memfd_create"] = rules["memfd_secret"] = [_answer(_UNKNOWN)]
    # A process that lets nobody look into it could hide what it holds.
    rules["prctl"] = [_argument(0), *_done_for((_PR_SET_DUMPABLE,)), _answer(_ALLOW)]
    rules["prlimit64"] = [_argument(0), *_only(0)]  # a process number: the limits of others are theirs
    rules["flock"] = [_answer(_AS_IF_DONE)]
    rules["fcntl"] = [_argument(1), *_done_for(_LOCKING), *_none_of(_LOOKING_AT_LOCKS)]
    rules["ioctl"] = [_argument(1), *_none_of(_IOCTLS)]
    if own_namespaces:
        rules["socket"] = rules["socketpair"] = [_argument(0), *_only(socket.AF_UNIX)]
    else:
        rules |= {name: [_answer(_REFUSE)] for name in _OF_SOCKETS}
        types = (socket.SOCK_STREAM, socket.SOCK_SEQPACKET)
        rules["socketpair"] = [
            _argument(0),
            Instruction(_EQUAL, 1, 0, socket.AF_UNIX),
            _answer(_REFUSE),
            _argument(1),
            Instruction(_AND, 0, 0, _SOCKET_TYPE_MASK),
            *_only(*types),
        ]
        if cuda:
            # A connection needs `connect`, which stays refused, and a name needs `bind`, which does nothing: a name that is taken
            # would be a note for another worker.
            rules["socket"] = [
                _argument(0),
                Instruction(_EQUAL, 1, 0, socket.AF_UNIX),
                _answer(_REFUSE),
                _argument(1),
                Instruction(_AND, 0, 0, _SOCKET_TYPE_MASK),
                *_only(socket.SOCK_SEQPACKET),
            ]
            rules |= {name: [_answer(_AS_IF_DONE)] for name in ("bind", "listen")}
    if not truncation_handled:
        rules |= {"truncate": [_answer(_REFUSE)], "openat2": [_answer(_UNKNOWN)]}
        for name, place in (("open", 1), ("openat", 2)):
            # Both access modes that Landlock takes for no writing: read only, and the odd one of both bits.
            cut = _none_of((_O_TRUNC, _O_TRUNC | _O_ACCMODE))
            rules[name] = [_argument(place), Instruction(_AND, 0, 0, _O_TRUNC | _O_ACCMODE), *cut]
    for name, block in rules.items():
        if name in architecture.numbers:
            code += [Instruction(_EQUAL, 0, len(block), architecture.numbers[name]), *block]
    return [*code, _answer(_ALLOW)]


def install(architecture: Architecture, instructions: Iterable[Instruction]) -> None:
    """Put the filter over this process and all that it starts, for good; needs no privilege once new ones are given up.

    Raises:
        OSError: If the kernel refuses.
    """
    # struct sock_filter: 16 bits of operation, two jumps of 8 bits, 32 bits of constant, in the machine's own byte order. That
    # is little-endian on both architectures: their numbers in `linux/audit.h` have the bit for it, and Linux on a big-endian
    # ARM calls its machine aarch64_be, which is not one of them.
    packed = b"".join(
        item.code.to_bytes(2, "little") + bytes((item.if_true, item.if_false)) + item.constant.to_bytes(4, "little")
        for item in instructions
    )
    memory = ctypes.create_string_buffer(packed, len(packed))
    filter_program = _Program(len(packed) // 8, ctypes.addressof(memory))
    call(architecture.numbers["seccomp"], _SET_MODE_FILTER, _ALL_THREADS, ctypes.byref(filter_program))


def _answer(value: int) -> Instruction:
    return Instruction(_RETURN, 0, 0, value)


def _argument(place: int) -> Instruction:
    """Load the lower half of an argument, which comes first in little-endian order: the kernel itself takes no more of these."""
    return Instruction(_LOAD, 0, 0, _ARGUMENTS + 8 * place)


def _only(*values: int) -> list[Instruction]:
    """Allow where the loaded word is one of the values."""
    tests = [Instruction(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [*tests, _answer(_REFUSE), _answer(_ALLOW)]


def _done_for(values: Iterable[int]) -> list[Instruction]:
    """Answer as done where the loaded word is one of the values, and go on where it is not one."""
    return [each for value in values for each in (Instruction(_EQUAL, 0, 1, value), _answer(_AS_IF_DONE))]


def _none_of(values: tuple[int, ...]) -> list[Instruction]:
    """Allow where the loaded word is not one of the values."""
    tests = [Instruction(_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)]
    return [*tests, _answer(_ALLOW), _answer(_REFUSE)]
