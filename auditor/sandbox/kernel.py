"""System calls by number, through ctypes, and prctl: what the barriers are made with. Standard library only: it starts fast."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

# The numbers of the system calls that the barriers know, for x86-64 and AArch64.
# Source: the kernel's `arch/x86/entry/syscalls/syscall_64.tbl` and `include/uapi/asm-generic/unistd.h`. From 424 on both
# architectures number alike; a dash stands where one of them has no such call.
NEWEST = 462
"""mseal, Linux 6.10: the newest call that these barriers were written against. Later ones are answered as unknown."""

_TABLE = """
    read 0 63                  open 2 -                   ioctl 16 29                shmget 29 194
    shmat 30 196               shmctl 31 195              socket 41 198              connect 42 203
    accept 43 202              bind 49 200                listen 50 201              socketpair 53 199
    clone 56 220               semget 64 190              semop 65 193               semctl 66 191
    msgget 68 186              msgsnd 69 189              msgrcv 70 188              msgctl 71 187
    truncate 76 45             creat 85 -                 chmod 90 -                 fchmod 91 52
    chown 92 -                 fchown 93 55               lchown 94 -                ptrace 101 117
    syslog 103 116             setpgid 109 154            setsid 112 157             utime 132 -
    uselib 134 -               personality 135 92         ustat 136 -                sysfs 139 -
    vhangup 153 58             modify_ldt 154 -           pivot_root 155 41          _sysctl 156 -
    adjtimex 159 171           chroot 161 51              acct 163 89                settimeofday 164 170
    mount 165 40               umount2 166 39             swapon 167 224             swapoff 168 225
    reboot 169 142             sethostname 170 161        setdomainname 171 162      iopl 172 -
    ioperm 173 -               create_module 174 -        init_module 175 105        delete_module 176 106
    quotactl 179 60            nfsservctl 180 42          setxattr 188 5             lsetxattr 189 6
    fsetxattr 190 7            removexattr 197 14         lremovexattr 198 15        fremovexattr 199 16
    lookup_dcookie 212 18      semtimedop 220 192         clock_settime 227 112      utimes 235 -
    mq_open 240 180            mq_unlink 241 181          kexec_load 246 104         add_key 248 217
    request_key 249 218        keyctl 250 219             inotify_add_watch 254 27   migrate_pages 256 238
    openat 257 56              fchownat 260 54            futimesat 261 -            fchmodat 268 53
    unshare 272 97             move_pages 279 239         utimensat 280 88           accept4 288 242
    perf_event_open 298 241    fanotify_init 300 262      fanotify_mark 301 263      prlimit64 302 261
    name_to_handle_at 303 264  open_by_handle_at 304 265  clock_adjtime 305 266      setns 308 268
    process_vm_readv 310 270   process_vm_writev 311 271  kcmp 312 272               finit_module 313 273
    seccomp 317 277            kexec_file_load 320 294    bpf 321 280                userfaultfd 323 282
    io_uring_setup 425 425     io_uring_enter 426 426     io_uring_register 427 427  open_tree 428 428
    move_mount 429 429         fsopen 430 430             fsconfig 431 431           fsmount 432 432
    fspick 433 433             clone3 435 435             openat2 437 437            pidfd_getfd 438 438
    process_madvise 440 440    mount_setattr 442 442      quotactl_fd 443 443        landlock_create_ruleset 444 444
    landlock_add_rule 445 445  landlock_restrict_self 446 446                        process_mrelease 448 448
    fcntl 72 25                flock 73 32                prctl 157 167              memfd_create 319 279
    memfd_secret 447 447       close_range 436 436
    fchmodat2 452 452          statmount 457 457          listmount 458 458          capset 126 91
"""


class Architecture(NamedTuple):
    """One kind of processor as the kernel's filters see it."""

    name: str
    audit: int
    """AUDIT_ARCH_*, from `linux/audit.h`: what `seccomp_data.arch` holds."""
    numbers: Mapping[str, int]
    """System calls by name; one that it lacks is not there."""


def _column(place: int) -> dict[str, int]:
    words = _TABLE.split()
    rows = zip(words[0::3], words[place::3], strict=True)
    return {name: int(number) for name, number in rows if number != "-"}


ARCHITECTURES = (Architecture("x86_64", 0xC000003E, _column(1)), Architecture("aarch64", 0xC00000B7, _column(2)))


def own() -> Architecture | None:
    """The architecture of this process; None where it is neither of the two, or this is a 32-bit process."""
    machine = platform.machine()
    known = (architecture for architecture in ARCHITECTURES if architecture.name == machine)
    return next(known, None) if struct.calcsize("P") == 8 else None


_LIBRARY = ctypes.CDLL(None, use_errno=True)
_LIBRARY.syscall.restype = ctypes.c_long

PR_SET_PDEATHSIG = 1
PR_GET_DUMPABLE = 3
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
