"""What a hostile procedure gets done behind walls: nothing that the level promises to withstand.

A test is skipped at a level that does not stand on this machine, and says what the level needs.
"""

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from sandboxed import LEARN, ROWS, TRAIN

from auditor.base.errors import ProcedureError, SandboxError
from auditor.sandbox import Learn, Level, Parameters, Predict, ProcedureSpec, Worker
from auditor.sandbox.examination import examined, probe, promised
from levels import EXECUTED, require

WALLED = [Level.NO_NETWORK, Level.CONFINED, Level.NAMESPACED, EXECUTED]
OPEN = (os.__file__, "/dev/null", "/dev/urandom")
NO_FILES = [Level.CONFINED, Level.NAMESPACED, EXECUTED]
PROCEDURES = Path(__file__).with_name("hostile_procedures.py")
pytestmark = [pytest.mark.levels, pytest.mark.usefixtures("scratch_parent")]


def attempt(level, *attempts, **settings):
    """What came of the attempts: those that worked, with what they say."""
    spec = ProcedureSpec(None, f"{PROCEDURES}:Hostile", {"attempts": attempts, **settings})
    with Worker(spec, {"train": TRAIN}, level=level) as running:
        found = running.run(LEARN).facts
    assert set(found) == set(attempts)
    return {name: text for name, text in found.items() if text.startswith("ok") and text not in {"ok []", "ok None"}}


@pytest.fixture
def case(tmp_path_factory):
    """A case folder, as a controller hands it over: the procedure beside the seed and the data."""
    folder = tmp_path_factory.mktemp("case")
    (folder / "audit.toml").write_text("seed = 424242424242")
    (folder / "train.csv").write_text("id,x\nr1,3\n")
    (folder / "procedure.py").write_text(PROCEDURES.read_text())
    for name in ("audit.toml", "train.csv"):
        (folder / name).chmod(0o600)
        os.utime(folder / name, (10**9, 10**9))
    return folder


def state(folder):
    return sorted((str(path), path.lstat().st_mode, path.lstat().st_mtime_ns, path.read_bytes()) for path in folder.iterdir())


@pytest.mark.parametrize("level", WALLED)
def test_a_level_is_offered_where_every_wall_of_it_holds(level):
    spec = ProcedureSpec(None, f"{PROCEDURES}:Hostile", {"attempts": ()})
    try:
        found = {item.name for item in probe(level) if item.held}
    except SandboxError:
        assert examined().level < level
        with pytest.raises(SandboxError), Worker(spec, {"train": TRAIN}, level=level):
            pytest.fail("it started")
    else:
        assert (set(promised(level)) <= found) == (examined().level >= level)


@pytest.mark.parametrize("level", NO_FILES)
def test_the_case_beside_the_procedure_is_neither_read_nor_changed(level, case):
    require(level)
    before, mode = state(case), case.stat().st_mode
    secret = str(case / "audit.toml")
    spec = ProcedureSpec(
        None,
        f"{case}/procedure.py:Hostile",
        {
            "attempts": ["read", "read_by_another_name", "hard_link", "list_folder", "write_beside", "overwrite", "change_mode"],
            "secret": secret,
        },
    )
    with Worker(spec, {"train": TRAIN}, level=level) as running:
        found = running.run(LEARN).facts
    # Changing the mode may be answered as done: what counts is the file.
    assert [name for name, text in found.items() if text.startswith("ok") and name != "change_mode"] == []
    assert "424242424242" not in str(found)
    assert state(case) == before
    assert case.stat().st_mode == mode


@pytest.mark.parametrize("level", NO_FILES)
def test_nothing_is_read_or_written_elsewhere(level, tmp_path_factory):
    require(level)
    token = f"auditor-test-{secrets.token_hex(8)}"
    before = [Path(path).stat() for path in OPEN]
    settings = {"secret": str(tmp_path_factory.mktemp("elsewhere") / "x"), "token": token}
    done = attempt(
        level, "list_homes", "read_system", "write_everywhere", "tamper_with_scratch", "change_what_is_open", **settings
    )
    places = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/", Path(sys.executable).parent, Path(tempfile.gettempdir()))
    assert [place for place in places if Path(place, token).exists()] == []
    for path, was in zip(OPEN, before, strict=True):
        found = Path(path).stat()
        if found.st_mode != was.st_mode:
            Path(path).chmod(was.st_mode)
        assert (path, found.st_mode, found.st_mtime_ns) == (path, was.st_mode, was.st_mtime_ns)
    if level is Level.NAMESPACED:
        done.pop("write_everywhere", None)  # shared memory of its own
    assert done == {}


@pytest.mark.parametrize("level", WALLED)
def test_no_socket_reaches_anybody(level, tmp_path_factory):
    require(level)
    token, path = secrets.token_hex(8), str(tmp_path_factory.mktemp("s") / "socket")
    with contextlib.ExitStack() as stack:
        waiting = [
            stack.enter_context(socket.socket(family, kind))
            for family, kind in (
                (socket.AF_INET, socket.SOCK_STREAM),
                (socket.AF_INET, socket.SOCK_DGRAM),
                (socket.AF_UNIX, socket.SOCK_STREAM),
                (socket.AF_UNIX, socket.SOCK_DGRAM),
                (socket.AF_UNIX, socket.SOCK_STREAM),
            )
        ]
        addresses = (("127.0.0.1", 0), ("127.0.0.1", 0), f"\0{token}", f"\0{token}-datagram", path)
        for listener, address in zip(waiting, addresses, strict=True):
            listener.bind(address)
            listener.setblocking(False)
        for listener in (waiting[0], waiting[2], waiting[4]):
            listener.listen()
        done = attempt(
            level,
            *("tcp", "mptcp", "udp", "netlink", "vsock", "packet", "abstract", "abstract_by_pair", "abstract_by_channel"),
            *("path_socket", "resolve", "io_uring", "user_namespace", "leave_shared_memory"),
            port=waiting[0].getsockname()[1],
            datagram_port=waiting[1].getsockname()[1],
            token=token,
            path=path,
        )
        assert done == {}
        for listener in waiting:
            with pytest.raises(BlockingIOError):
                listener.accept() if listener.type == socket.SOCK_STREAM else listener.recv(10)


@pytest.mark.parametrize("level", NO_FILES)
def test_another_job_is_neither_forged_nor_disturbed(level):
    require(level)
    with Worker(
        ProcedureSpec(None, f"{PROCEDURES.with_name('faulty_procedures.py')}:Good"), {"train": TRAIN}, level=level
    ) as victim:
        victim.run(LEARN)
        scratch = next(Path(tempfile.gettempdir()).glob("auditor-*"))
        leader = victim._launched.pid
        settings = {"auditor": os.getpid(), "victim_scratch": str(scratch)}
        attempts = ["forge", "trace", "limit"]
        if {item.name: item.held for item in probe(level)}["signal to the auditor"]:
            attempts.append("kill")
        before = sorted(path.name for path in scratch.rglob("*"))
        for each in {max(members(leader)), victim._launched.child_parent() or leader}:
            done = attempt(level, *attempts, victim=each, **settings)
            if level is Level.NAMESPACED:
                # Process numbers name its own processes there.
                done = {name: text for name, text in done.items() if name == "forge"}
            assert done == {}
        assert sorted(path.name for path in scratch.rglob("*")) == before
        answer = victim.run(Predict("model", "train", 2))
        assert answer.array.shape == (6, 2)
        assert victim.run(Learn("again", ROWS, 3)).supported


@pytest.mark.parametrize("level", WALLED)
def test_nothing_outlives_its_job(level):
    require(level)
    token = secrets.token_hex(16)
    spec = ProcedureSpec(None, f"{PROCEDURES}:Hostile", {"attempts": ["outlive"], "token": token})
    with Worker(spec, {"train": TRAIN}, level=level) as running:
        assert running.run(LEARN).facts["outlive"] == "ok left"
        assert with_argument(token)
    assert with_argument(token) == []


@pytest.mark.parametrize("level", WALLED)
def test_nothing_outlives_an_auditor_that_is_killed(level, scratch_parent):
    require(level)
    token = secrets.token_hex(16)
    program = f"""
import sys, time
sys.path.insert(0, {str(PROCEDURES.parent)!r})
from sandboxed import LEARN, TRAIN
from auditor.sandbox import Level, ProcedureSpec, Worker
spec = ProcedureSpec(None, {str(PROCEDURES)!r} + ":Hostile", {{"attempts": ["outlive"], "token": {token!r}}})
with Worker(spec, {{"train": TRAIN}}, level=Level({str(level)!r})) as running:
    print(running.run(LEARN).facts["outlive"], flush=True)
    time.sleep(60)
"""
    variables = {**os.environ, "TMPDIR": str(scratch_parent)}
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=variables) as auditor:
        assert auditor.stdout.readline() == "ok left\n"
        assert with_argument(token)
        auditor.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 30
    while with_argument(token) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert with_argument(token) == []
    for left in scratch_parent.iterdir():  # nobody was there to remove it
        subprocess.run(["rm", "-rf", str(left)], check=True)


@pytest.mark.parametrize("level", [Level.PROCESS, *WALLED])
@pytest.mark.parametrize("kind", ["objects", "writer"])
def test_the_auditor_unpickles_nothing(level, kind, tmp_path_factory):
    require(level)
    marker = tmp_path_factory.mktemp("unpickled") / "marker"
    spec = ProcedureSpec(None, f"{PROCEDURES}:Pickling", {"kind": kind, "marker": str(marker)})
    for step in (Parameters("model"), Predict("model", "train", 2)):
        with Worker(spec, {"train": TRAIN}, level=level) as running:
            running.run(LEARN)
            with pytest.raises(ProcedureError, match=r"expected an array (of dtype|in the \.npy format)"):
                running.run(step)
    assert not marker.exists()


def test_the_attempts_succeed_where_there_are_no_walls(case):
    """What the tests above withstand is no straw man."""
    secret, token = str(case / "audit.toml"), secrets.token_hex(8)
    with contextlib.ExitStack() as stack:
        kinds = ((socket.AF_INET, socket.SOCK_STREAM), (socket.AF_UNIX, socket.SOCK_STREAM), (socket.AF_UNIX, socket.SOCK_DGRAM))
        waiting = [stack.enter_context(socket.socket(*kind)) for kind in kinds]
        for listener, address in zip(waiting, (("127.0.0.1", 0), f"\0{token}", f"\0{token}-datagram"), strict=True):
            listener.bind(address)
        for listener in waiting[:2]:
            listener.listen()
        settings = {"port": waiting[0].getsockname()[1], "datagram_port": 9, "token": token, "secret": secret}
        reading = ("read", "read_by_another_name", "list_folder", "write_beside", "hard_link", "list_homes")
        reaching = ("tcp", "udp", "abstract", "abstract_by_pair", "outlive", "tamper_with_scratch", "change_mode", "overwrite")
        spec = ProcedureSpec(None, f"{PROCEDURES}:Hostile", {"attempts": [*reading, *reaching], **settings})
        with Worker(spec, {"train": TRAIN}) as running:
            found = running.run(LEARN).facts
    assert {name: text for name, text in found.items() if not text.startswith("ok")} == {}
    assert "424242424242" in found["read"]
    for pid in with_argument(token):
        os.kill(pid, signal.SIGKILL)


def processes():
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]


def members(group):
    found = []
    for pid in processes():
        with contextlib.suppress(ProcessLookupError):
            if os.getpgid(pid) == group:
                found.append(pid)
    return found


def with_argument(token):
    """Processes, zombies apart, one of whose arguments is the token."""
    found = []
    for pid in processes():
        with contextlib.suppress(OSError):
            if token.encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
                found.append(pid)
    return found
