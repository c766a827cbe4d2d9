"""The filter of system calls, run on a machine written here: what it answers on either architecture, whatever this one is."""

import errno
import socket

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from auditor.sandbox.kernel import ARCHITECTURES, NEWEST, own
from auditor.sandbox.seccomp import program

ALLOW, KILL, REFUSE, UNKNOWN, DONE = 0x7FFF0000, 0x80000000, 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS, 0x50000
X32 = 0x40000000
BY_NAME = {architecture.name: architecture for architecture in ARCHITECTURES}
VARIANTS = [(name, own_namespaces, handled) for name in BY_NAME for own_namespaces in (False, True) for handled in (False, True)]


def answer(code, audit, number, *arguments):
    """What a filter returns for a call: the classic BPF machine, as far as the filter uses it."""
    words = {0: number, 4: audit}
    for place, value in enumerate((*arguments, 0, 0, 0, 0, 0, 0)[:6]):
        words[16 + 8 * place], words[20 + 8 * place] = value & 0xFFFFFFFF, (value >> 32) & 0xFFFFFFFF
    accumulator = at = 0
    while True:
        operation, if_true, if_false, constant = code[at]
        at += 1
        match operation:
            case 0x20:
                accumulator = words[constant]
            case 0x54:
                accumulator &= constant
            case 0x06:
                return constant
            case 0x15 | 0x25 | 0x45:
                holds = {0x15: accumulator == constant, 0x25: accumulator > constant, 0x45: bool(accumulator & constant)}[
                    operation
                ]
                at += if_true if holds else if_false


class Filter:
    def __init__(self, name, own_namespaces=False, handled=True):
        self.architecture = BY_NAME[name]
        self.code = program(self.architecture, own_namespaces=own_namespaces, truncation_handled=handled)

    def __call__(self, call, *arguments):
        return answer(self.code, self.architecture.audit, self.architecture.numbers[call], *arguments)


@pytest.mark.parametrize(("name", "own_namespaces", "handled"), VARIANTS)
def test_every_path_ends_in_an_answer(name, own_namespaces, handled):
    code = Filter(name, own_namespaces, handled).code
    assert len(code) <= 4096
    for place, (operation, if_true, if_false, constant) in enumerate(code):
        assert 0 <= constant < 2**32
        assert 0 <= if_true <= 255
        assert 0 <= if_false <= 255
        if operation in {0x15, 0x25, 0x45}:
            assert place + 1 + max(if_true, if_false) < len(code)
    assert code[-1].code == 0x06


@pytest.mark.parametrize("name", BY_NAME)
@given(number=st.integers(0, 2**32 - 1), audit=st.integers(0, 2**32 - 1))
@example(number=41, audit=0x40000003)  # i386
def test_calls_of_another_architecture_end_the_process(name, number, audit):
    tested = Filter(name)
    if audit != tested.architecture.audit:
        assert answer(tested.code, audit, number) == KILL


@pytest.mark.parametrize(("name", "own_namespaces", "handled"), VARIANTS)
@given(number=st.integers(NEWEST + 1, 2**32 - 1), arguments=st.lists(st.integers(0, 2**64 - 1), max_size=6))
@example(number=X32 | 41, arguments=[2, 1, 0])
@example(number=NEWEST + 1, arguments=[])
def test_later_calls_and_those_of_x32_are_unknown(name, own_namespaces, handled, number, arguments):
    tested = Filter(name, own_namespaces, handled)
    assert answer(tested.code, tested.architecture.audit, number, *arguments) == UNKNOWN


@pytest.mark.parametrize(("name", "own_namespaces", "handled"), VARIANTS)
@given(upper=st.integers(0, 2**32 - 1), family=st.integers(0, 2**32 - 1), kind=st.integers(0, 2**32 - 1))
@example(upper=1, family=socket.AF_INET, kind=1)
@example(upper=0, family=socket.AF_NETLINK, kind=3)
@example(upper=0, family=socket.AF_UNIX, kind=2)
def test_no_socket_leads_out(name, own_namespaces, handled, upper, family, kind):
    # The kernel takes an int: what stands above it must not matter.
    tested = Filter(name, own_namespaces, handled)
    wide = upper << 32 | family
    if own_namespaces:
        expected = ALLOW if family == socket.AF_UNIX else REFUSE
        assert tested("socket", wide, kind) == tested("socketpair", wide, kind) == expected
        return
    assert tested("socket", wide, kind) == REFUSE
    stream = family == socket.AF_UNIX and kind & 0xF in {socket.SOCK_STREAM, socket.SOCK_SEQPACKET}
    assert tested("socketpair", wide, kind) == (ALLOW if stream else REFUSE)
    for call in ("connect", "bind", "listen", "accept", "accept4"):
        assert tested(call, 3) == REFUSE


@pytest.mark.parametrize(("name", "own_namespaces", "handled"), VARIANTS)
def test_what_is_refused_everywhere(name, own_namespaces, handled):
    tested = Filter(name, own_namespaces, handled)
    refused = """
        ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd unshare setns mount umount2 pivot_root chroot move_mount fsopen
        io_uring_setup io_uring_enter io_uring_register bpf perf_event_open userfaultfd keyctl add_key request_key
        open_by_handle_at init_module finit_module delete_module kexec_load kexec_file_load reboot swapon personality
        settimeofday clock_settime sethostname shmget shmat semget msgget mq_open fanotify_init
    """
    assert {tested(call, 1, 1, 1) for call in refused.split()} == {REFUSE}
    assert tested("clone3") == UNKNOWN
    assert tested("setsid") == tested("setpgid", 0, 0) == DONE
    assert tested("read", 0, 0, 1) == ALLOW


@pytest.mark.parametrize("name", BY_NAME)
@given(flags=st.integers(0, 2**64 - 1))
@example(flags=0x3D0F00)  # a thread of the C library
@example(flags=0x01200011)  # fork
@example(flags=0x10000011)  # a user namespace
def test_processes_and_threads_but_no_namespaces(name, flags):
    namespaces_or_parent = 0x7E028000
    assert Filter(name)("clone", flags) == (REFUSE if flags & namespaces_or_parent else ALLOW)


@pytest.mark.parametrize("name", BY_NAME)
def test_threads_and_forks_of_the_c_library_are_made(name):
    assert Filter(name)("clone", 0x3D0F00) == Filter(name)("clone", 0x01200011) == Filter(name)("clone", 0x4111) == ALLOW


@pytest.mark.parametrize("name", BY_NAME)
@given(process=st.integers(0, 2**32 - 1))
def test_limits_of_others_are_theirs(name, process):
    assert Filter(name)("prlimit64", process) == (REFUSE if process else ALLOW)


@pytest.mark.parametrize("name", BY_NAME)
@given(option=st.integers(0, 2**32 - 1))
@example(option=4)  # PR_SET_DUMPABLE
def test_what_a_process_holds_stays_to_be_seen(name, option):
    tested = Filter(name)
    assert tested("memfd_create", 0, 0) == tested("memfd_secret", 0) == UNKNOWN
    assert tested("prctl", option, 0) == (DONE if option == 4 else ALLOW)
    code = program(tested.architecture, own_namespaces=False, truncation_handled=True, cuda=True)
    assert answer(code, tested.architecture.audit, tested.architecture.numbers["memfd_create"], 0, 0) == ALLOW


@pytest.mark.parametrize("name", BY_NAME)
@given(family=st.integers(0, 50), kind=st.integers(0, 6), flags=st.sampled_from([0, socket.SOCK_CLOEXEC, socket.SOCK_NONBLOCK]))
@example(family=socket.AF_UNIX, kind=socket.SOCK_SEQPACKET, flags=socket.SOCK_CLOEXEC)
def test_the_driver_of_a_gpu_gets_a_socket_that_nobody_reaches(name, family, kind, flags):
    """It is neither named nor connected, and its kind takes no address with what is sent."""
    architecture = Filter(name).architecture
    code = program(architecture, own_namespaces=False, truncation_handled=True, cuda=True)

    def tested(call, *arguments):
        return answer(code, architecture.audit, architecture.numbers[call], *arguments)

    reached = family == socket.AF_UNIX and kind == socket.SOCK_SEQPACKET
    assert tested("socket", family, kind | flags) == (ALLOW if reached else REFUSE)
    assert tested("bind", 3) == tested("listen", 3) == DONE
    assert tested("connect", 3) == tested("accept", 3) == tested("accept4", 3) == REFUSE


@pytest.mark.parametrize("name", BY_NAME)
def test_locks_on_files_tell_nobody_anything(name):
    """Commands of fcntl from linux/fcntl.h and asm-generic/fcntl.h."""
    tested = Filter(name)
    assert {tested("fcntl", 3, command) for command in (6, 7, 37, 38)} == {DONE}
    assert {tested("fcntl", 3, command) for command in (5, 36, 1024, 1025, 1026)} == {REFUSE}
    assert {tested("fcntl", 3, command) for command in (0, 1, 2, 3, 4, 1030, 1031)} == {ALLOW}
    assert tested("flock", 3, 2) == DONE


@pytest.mark.parametrize("name", BY_NAME)
def test_terminals_and_attributes(name):
    for command, expected in ((0x5412, REFUSE), (0x541C, REFUSE), (0x40086602, REFUSE), (0x5401, ALLOW), (0x5411, ALLOW)):
        assert Filter(name)("ioctl", 1, command) == Filter(name)("ioctl", 1, 1 << 32 | command) == expected


@pytest.mark.parametrize(("name", "own_namespaces", "handled"), VARIANTS)
def test_metadata_beyond_landlock(name, own_namespaces, handled):
    tested = Filter(name, own_namespaces, handled)
    calls = {"chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchownat", "utimensat", "setxattr", "fremovexattr"}
    assert {tested(call) for call in calls & tested.architecture.numbers.keys()} == {DONE}


@pytest.mark.parametrize("name", BY_NAME)
@given(flags=st.integers(0, 2**32 - 1))
@example(flags=0o1000)
@example(flags=0o1003)
@example(flags=0o1001)
def test_opening_cuts_no_file_off_where_landlock_would_not_see_it(name, flags):
    old, new = Filter(name, handled=False), Filter(name)
    unseen = bool(flags & 0o1000) and flags & 3 not in {1, 2}
    for call, place in (("open", 1), ("openat", 2)):
        if call in old.architecture.numbers:
            arguments = [0] * place + [flags]
            assert old(call, *arguments) == (REFUSE if unseen else ALLOW)
            assert new(call, *arguments) == ALLOW
    assert (old("truncate"), old("openat2")) == (REFUSE, UNKNOWN)
    assert (new("truncate"), new("openat2")) == (ALLOW, ALLOW)


def test_this_machine_is_known_by_its_name():
    assert own() is None or own() in ARCHITECTURES
    assert len(set(BY_NAME["x86_64"].numbers.values())) == len(BY_NAME["x86_64"].numbers)
    assert len(set(BY_NAME["aarch64"].numbers.values())) == len(BY_NAME["aarch64"].numbers)
