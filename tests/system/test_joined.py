"""Workers that are forked outside and join the namespaces that bubblewrap made: as apart as executed ones."""

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sandboxed import FAULTY, LEARN, ROWS, TRAIN, alive

from auditor.audit import doctor
from auditor.base.errors import ProcedureError
from auditor.sandbox import (
    Level,
    Limits,
    Parameters,
    Predict,
    ProcedureSpec,
    Unlearn,
    Worker,
    bubblewrap,
    examination,
    forked,
    joining,
    namespaces,
    preloading,
)
from auditor.sandbox.examination import Probe, broken, probe
from auditor.sandbox.executed import Executed
from auditor.sandbox.kernel import own
from levels import EXECUTED, needing

pytestmark = [pytest.mark.levels, needing(Level.NAMESPACED)]
PROCEDURES = Path(__file__).with_name("joining_procedures.py")
SOURCE = Path(__file__).parents[2]
BOTH = pytest.mark.parametrize("level", [Level.NAMESPACED, EXECUTED])
KINDS = ("user", "mnt", "pid", "net", "ipc", "uts")
SKLEARN = ProcedureSpec(
    "sklearn",
    None,
    {"estimator": "sklearn.linear_model.LogisticRegression", "params": {}, "unlearn_by": "retrain", "classes": [0, 1]},
)


def behind(spec="Good", level=Level.NAMESPACED, **settings):
    if isinstance(spec, str):
        spec = ProcedureSpec(None, f"{FAULTY}:{spec}", settings)
    return Worker(spec, {"train": TRAIN}, level=level)


def returning(name, **settings):
    return ProcedureSpec(None, f"{PROCEDURES}:{name}", settings)


def joined(worker):
    """The process of a worker that joined, the outer half of which is known, and the inner half that it started."""
    assert type(worker._launched._process) is forked.Joined, forked.not_joined()
    outer = worker._launched.pid
    (inner,) = Path(f"/proc/{outer}/task/{outer}/children").read_text().split()
    return outer, int(inner)


def launcher(worker):
    return worker._launched._process._around._bubblewrap.pid


def await_end(*numbers):
    deadline = time.monotonic() + 20
    while any(map(alive, numbers)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def status(pid):
    return dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":\t" in line)


def of(pid):
    return {kind: str(Path(f"/proc/{pid}/ns/{kind}").readlink()) for kind in KINDS}


def test_both_halves_have_no_privilege_and_the_inner_one_a_filter():
    with behind() as worker:
        worker.run(LEARN)
        outer, inner = joined(worker)
        for each in (outer, inner):
            found = status(each)
            assert [int(found[f"Cap{kind}"], 16) for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")] == [0] * 5
            assert found["NoNewPrivs"] == "1"
        assert status(inner)["Seccomp"] == "2"
        assert list(Path(f"/proc/{outer}/fd").iterdir()) == []
        # All that is known of the worker's processes is found by the group that the auditor ends.
        assert {os.getpgid(inner), os.getsid(inner)} == {outer}


def test_each_has_namespaces_of_its_own_and_they_are_those_that_bubblewrap_made():
    with behind() as first, behind() as second:
        seen = []
        for worker in (first, second):
            worker.run(LEARN)
            _, inner = joined(worker)
            (init,) = Path(f"/proc/{launcher(worker)}/task/{launcher(worker)}/children").read_text().split()
            (waiting,) = Path(f"/proc/{init}/task/{init}/children").read_text().split()
            assert of(inner) == of(waiting)
            assert {*of(inner).values()}.isdisjoint(of(os.getpid()).values())
            seen.append(of(inner).values())
            assert Path(f"/proc/{inner}/uid_map").read_text() == Path(f"/proc/{waiting}/uid_map").read_text()
        assert {*seen[0]}.isdisjoint(seen[1])


def test_what_it_sees_is_what_an_executed_one_sees():
    found = []
    for _ in range(2):
        with behind(returning("Telling")) as worker:
            found.append(worker.run(LEARN).facts)
        forked.refuse_joining("the other half of the test")
    joined_one, executed = found
    assert joined_one["host"] == executed["host"] == "sandbox sandbox sandbox"
    for name in ("user", "mapping", "root"):
        assert joined_one[name] == executed[name]
    # Bubblewrap's first process, and the worker; and the program that waits, where the worker is not what bubblewrap started.
    assert (len(joined_one["processes"].split()), len(executed["processes"].split())) == (3, 2)
    assert (joined_one["parent"], executed["parent"]) == (0, 1)


@pytest.mark.attempt("what workers inherit and leave")
@BOTH
def test_no_way_leads_back(level, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("a secret outside")
    attempts = [
        *("folder_that_is_open", "own_links", "mapped_again", "write_to_the_interpreter", "other_processes", "trace"),
        *("reach_the_outer_half", "capabilities", "use_capabilities", "join_others", "write_to_the_root"),
    ]
    # The outer half has the number next to that of a worker before it, or one near to it: none of them is anything inside.
    with behind(level=level) as other:
        settings = {"attempts": attempts, "secret": str(secret), "outer": other._launched.pid}
        before = status(other._launched.pid)
        with behind(returning("Returning", **settings), level) as worker:
            found = worker.run(LEARN).facts
        assert {name: status(other._launched.pid)[name] for name in ("Cpus_allowed", "State")} == {
            name: before[name] for name in ("Cpus_allowed", "State")
        }
        assert other.run(LEARN).supported
    assert set(found) == set(attempts)
    assert {name: text for name, text in found.items() if text != "ok []"} == {}
    if namespaces._Root.made is not None:
        files = [path for path in namespaces._Root.made[1].rglob("*") if path.name in {"made", "written", "link"}]
        assert files == []


def test_the_attempts_succeed_where_there_are_no_walls(tmp_path):
    """What the test above withstands is no straw man."""
    secret = tmp_path / "secret"
    secret.write_text("a secret outside")
    waiting = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        attempts = ["own_links", "other_processes", "reach_the_outer_half"]
        settings = {"attempts": attempts, "secret": str(secret), "outer": waiting.pid, "only": waiting.pid}
        with behind(returning("Returning", **settings), Level.PROCESS) as worker:
            found = worker.run(LEARN).facts
    finally:
        waiting.kill()
        waiting.wait()
    assert "a secret outside" in found["own_links"]
    assert "environ" in found["other_processes"]
    assert found["reach_the_outer_half"].startswith("ok [None")


@BOTH
def test_memory_in_files_of_the_namespaces_counts(level):
    spec, limits = returning("Holding"), Limits(memory_mb=150, timeout_s=60.0)
    held = pytest.raises(ProcedureError, match="held more than 150 MiB of memory")
    with Worker(spec, {"train": TRAIN}, level=level, limits=limits) as worker, held:
        worker.run(LEARN)


@pytest.mark.attempt("what workers inherit and leave")
def test_one_that_ends_what_is_around_it_ends_itself():
    with behind(returning("Ending")) as worker:
        outer, inner = joined(worker)
        around = launcher(worker)
        with pytest.raises(ProcedureError, match="killed by SIGKILL"):
            worker.run(LEARN)
    await_end(outer, inner, around)


@pytest.mark.parametrize("which", ["outer", "inner", "bubblewrap", "waiting"])
def test_the_end_of_any_part_is_the_end_of_the_worker(which):
    with behind() as worker:
        worker.run(LEARN)
        outer, inner = joined(worker)
        around = launcher(worker)
        (init,) = Path(f"/proc/{around}/task/{around}/children").read_text().split()
        (waiting,) = Path(f"/proc/{init}/task/{init}/children").read_text().split()
        os.kill({"outer": outer, "inner": inner, "bubblewrap": around, "waiting": int(waiting)}[which], signal.SIGKILL)
        await_end(outer, inner)
        with pytest.raises(ProcedureError, match="killed by SIGKILL"):
            worker.run(Predict("model", "train", 2))
    await_end(around, int(init), int(waiting))


def test_a_template_that_is_killed_takes_its_workers_with_it():
    with behind() as worker:
        worker.run(LEARN)
        outer, inner = joined(worker)
        os.kill(worker._launched._process._forked.parent, signal.SIGKILL)
        await_end(outer, inner)
        with pytest.raises(ProcedureError, match="killed by SIGKILL"):
            worker.run(Predict("model", "train", 2))
    with behind() as another:
        assert another.run(LEARN).supported
        joined(another)


def test_an_auditor_that_is_killed_leaves_no_process():
    program = (
        "import sys, time; sys.path[:0] = sys.argv[1:3]\n"
        "from test_joined import *\n"
        "with behind() as worker:\n"
        "    worker.run(LEARN)\n"
        "    print(*joined(worker), launcher(worker), worker._launched._process._forked.parent, flush=True)\n"
        "    time.sleep(60)\n"
    )
    command = [sys.executable, "-c", program, str(Path(__file__).parent), str(SOURCE / "tests")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as auditor:
        numbers = [int(number) for number in auditor.stdout.readline().split()]
        assert len(numbers) == 4
        assert all(map(alive, numbers))
        auditor.kill()
    await_end(*numbers)


def test_answers_are_those_of_an_executed_worker():
    answers = []
    for _ in range(2):
        with behind(SKLEARN) as worker:
            worker.run(LEARN)
            worker.run(Unlearn("model", "less", ROWS, ROWS[:2], 3))
            answers.append(worker.run(Parameters("less")).array)
        forked.refuse_joining("the other half of the test")
    np.testing.assert_array_equal(*answers)


@pytest.mark.slow
@pytest.mark.parametrize("level", [Level.CONFINED, Level.NAMESPACED, EXECUTED])
def test_files_are_made_where_a_worker_may_make_them(level, monkeypatch):
    """The compiler of PyTorch asks for the folder when it is loaded; everything else is tried by the tests that are not slow."""
    real = preloading.modules
    monkeypatch.setattr(preloading, "modules", lambda *given, **named: (*real(*given, **named), "torch._dynamo"))
    with behind(returning("Writing"), level) as worker:
        found = worker.run(LEARN).facts
        assert (type(worker._launched._process) is Executed) == (forked.not_joined() is not None)
    assert found["folder"] == found["home"]


@BOTH
def test_every_promise_is_kept(level):
    assert broken(level, probe(level)) == ""


# Where joining cannot be had


def test_what_cannot_join_is_executed_within(monkeypatch):
    monkeypatch.setattr(namespaces, "FIRST", "no-such-program")
    with behind() as worker:
        assert worker.run(LEARN).supported
        assert type(worker._launched._process) is Executed
    assert "no-such-program" in forked.not_joined()


def test_what_does_not_load_beforehand_is_executed_within(monkeypatch):
    monkeypatch.setattr(preloading, "modules", lambda *_, **__: ("auditor.sandbox.child", "no_such_library"))
    for _ in range(2):
        with behind() as worker:
            assert worker.run(LEARN).supported
            assert type(worker._launched._process) is Executed
        assert forked.not_joined() == "the process that workers are forked from did not load"


def test_what_has_no_place_for_a_root_is_executed_within(monkeypatch, tmp_path):
    monkeypatch.setattr(namespaces, "temporary_folder", lambda: tmp_path / "none")
    monkeypatch.setattr(namespaces._Root, "made", None)
    with behind() as worker:
        assert worker.run(LEARN).supported
        assert type(worker._launched._process) is Executed
    assert forked.not_joined().endswith("No such file or directory")


def test_the_machines_examination_says_where_workers_do_not_join():
    assert "loads its libraries" not in doctor._sandbox()
    forked.refuse_joining("so it was asked")
    assert doctor._sandbox().endswith("; each worker loads its libraries itself (so it was asked)")


def test_a_worker_that_is_elsewhere_than_it_was_told_is_executed(monkeypatch):
    """It finds out by itself, before it is told anything of a case."""
    real = namespaces.Namespaces._opened
    monkeypatch.setattr(namespaces.Namespaces, "_opened", lambda *given: (real(*given)[0], f"{given[1]}:[1]"))
    with behind() as worker:
        assert worker.run(LEARN).supported
        assert type(worker._launched._process) is Executed
    assert forked.not_joined() == "a worker could not join: it is in another namespace of the kind user"


def test_a_level_stands_where_executed_workers_keep_what_joined_ones_do_not(monkeypatch):
    real = examination.probe

    def weak(level):
        leaking = forked.not_joined() is None
        return tuple(
            Probe(each.name, each.held and not (leaking and each.name == "secret file"), each.found) for each in real(level)
        )

    monkeypatch.setattr(examination, "probe", weak)
    assert examination._examine().level is Level.NAMESPACED
    assert forked.not_joined().startswith("containment failed: secret file")


def test_what_is_not_to_be_had_at_all_is_not_blamed_on_joining(monkeypatch):
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: None)
    report = examination._examine()
    assert report.level is Level.CONFINED
    assert dict(report.refused)[Level.NAMESPACED] == "bubblewrap (the program bwrap) is not installed"
    assert forked.not_joined() is None


HOLDING = """
import ctypes, mmap, os, sys
from auditor.sandbox import joining, kernel
kernel.give_up_privileges(kernel.own().numbers)
for number in range(3, 64):
    try: os.close(number)
    except OSError: pass
{holding}
print(joining._too_much({{0, 1, 2}}))
"""


@pytest.mark.parametrize(
    ("holding", "expected"),
    [
        ("", "None"),
        ("shared = mmap.mmap(-1, 4096)", "a library shares memory that it may write to"),
        ("private = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)", "None"),
        ("os.open('/', os.O_RDONLY)", "something else is open"),
        ("os.dup2(os.open('/', os.O_PATH), 0); os.close(3)", "something else is open"),
        ("os.pipe()", "something else is open"),
        ("kernel.prctl(4, 0)", "the auditor could not look into it"),
    ],
)
def test_what_a_library_left_is_found_out(holding, expected):
    program = HOLDING.format(holding=holding)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=SOURCE)
    if holding.startswith("kernel") and os.getuid():
        assert done.returncode != 0 or done.stdout.strip() == expected  # its own files are closed to it
    else:
        assert done.stdout.strip() == expected, done.stderr


def test_a_process_with_a_capability_does_not_pass():
    if not int(status(os.getpid())["CapEff"], 16):
        pytest.skip("not tested here: capabilities (needs root)")
    assert joining._too_much(set(range(4096))) == "it has a capability"


# The machine that they come from


@pytest.mark.attempt("what workers inherit and leave")
def test_the_machines_own_name_is_not_in_a_worker(tmp_path):
    """Libraries ask for it when they are loaded, and some keep it."""
    token = secrets.token_hex(8)
    program = (
        "import sys, ctypes, socket; sys.path[:0] = sys.argv[1:3]\n"
        "ctypes.CDLL(None).unshare(0x04000000) == 0 or sys.exit(77)\n"
        f"socket.sethostname({token!r} + '-host')\n"
        "from test_joined import *\n"
        "from test_inherited import looked\n"
        "from auditor.sandbox import preloading\n"
        "real = preloading.modules\n"
        "preloading.modules = lambda *given, **named: (*real(*given, **named), 'pandas', 'sklearn.linear_model')\n"
        f"print(looked(Level.NAMESPACED, {token!r})['secrets'], forked.not_joined(), socket.gethostname())\n"
    )
    command = [sys.executable, "-c", program, str(Path(__file__).parent), str(SOURCE / "tests")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        pytest.skip("not tested here: a name of the machine's own (needs root)")
    assert done.stdout == f"secrets 0 None {token}-host\n", done.stderr


def test_an_ordinary_user_joins_too(tmp_path):
    """For whom bubblewrap makes two user namespaces, one within the other."""
    python = shutil.which("python3", path="/usr/bin")
    setpriv = shutil.which("setpriv")
    packages = Path(np.__file__).parents[1]
    reachable = all(path.stat().st_mode & 0o005 == 0o005 for path in (packages, *packages.parents))
    if os.getuid() or python is None or setpriv is None or own() is None or not reachable:
        pytest.skip("not tested here: another user (needs root, setpriv, and libraries that everybody may read)")
    version = subprocess.run(
        [python, "-c", "import sys; print(*sys.version_info[:2])"], capture_output=True, text=True, check=True
    )
    if version.stdout.split() != [str(number) for number in sys.version_info[:2]]:
        pytest.skip("not tested here: another user (needs the system's Python to be of this version)")
    home = Path("/tmp", f"auditor-test-{secrets.token_hex(8)}")  # pytest's own folders are closed to other users
    try:
        subprocess.run([python, "-m", "venv", "--without-pip", str(home / "environment")], check=True)
        (folder,) = (home / "environment" / "lib").glob("python3*/site-packages")
        (folder / "those.pth").write_text(f"{SOURCE}\n{packages}\n")
        shutil.copytree(Path(__file__).parent, home / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(SOURCE / "tests" / "levels.py", home / "tests")
        (home / "scratch").mkdir()
        os.chown(home / "scratch", 12345, 12345)
        program = (
            "import sys; sys.path.insert(0, sys.argv[1])\n"
            "from test_joined import *\n"
            "with behind(returning('Telling')) as worker:\n"
            "    found = worker.run(LEARN).facts\n"
            "    outer, inner = joined(worker)\n"
            "    names = worker._launched._process._around.names\n"
            "    bounding = int(status(inner)['CapBnd'], 16)\n"
            "print(json.dumps([found['mapping'], names, bounding, broken(Level.NAMESPACED, probe(Level.NAMESPACED))]))\n"
        )
        command = [setpriv, "--reuid=12345", "--regid=12345", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"]
        command += [str(home / "environment" / "bin" / "python"), "-B", "-c", program, str(home / "tests")]
        variables = {"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(home / "scratch")}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=variables, cwd=home)
        assert done.returncode == 0, done.stderr
        mapping, names, bounding, promises = json.loads(done.stdout)
    finally:
        shutil.rmtree(home)
    assert mapping.split() == ["12345"] * 4
    assert [name.partition(":")[0] for name in names].count("user") == 2
    assert (bounding, promises) == (0, "")
