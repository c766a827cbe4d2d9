"""The level that is declared is the one that stands, and no wall that is missing goes unnoticed."""

import contextlib
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from sandboxed import FAULTY, LEARN, TRAIN

import levels
from auditor.base import templates
from auditor.base.errors import SandboxError
from auditor.sandbox import Level, ProcedureSpec, Worker, available, bubblewrap, child_plan, examination, examined, kernel
from auditor.sandbox.examination import Probe, ProbeReport, probe, promised
from auditor.sandbox.landlock import version
from auditor.sandbox.walls import NO_WALL

SOURCE = Path(__file__).parents[2]
pytestmark = [pytest.mark.levels, pytest.mark.usefixtures("scratch_parent", "examined_before")]


@pytest.fixture
def examined_before():
    """What stands here is known before a test weakens a wall: the report is kept for the whole process."""
    examined()


def examined_under(refused, *, path=os.environ["PATH"]):
    """What the examination finds in a process where some system calls fail as on a kernel that lacks them."""
    program = f"""
import json, sys
from auditor.sandbox import Level, ProcedureSpec, Worker, examined, kernel, seccomp
own = kernel.own()
rules = [i for name in {refused!r} for i in (
    seccomp.Instruction(0x15, 0, 1, own.numbers[name]), seccomp.Instruction(0x06, 0, 0, 0x50000 | 38))]
kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
if rules:
    seccomp.install(own, [seccomp.Instruction(0x20, 0, 0, 0), *rules, seccomp.Instruction(0x06, 0, 0, 0x7FFF0000)])
report = examined()
print(json.dumps([report.level, [list(pair) for pair in report.refused]]))
"""
    variables = {**os.environ, "PATH": path}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=variables, check=True)
    level, reasons = json.loads(done.stdout)
    return Level(level), {Level(name): reason for name, reason in reasons}


def test_the_report_holds_what_its_level_promises():
    report = examined()
    assert available() is report.level
    held = {item.name for item in report.probes if item.held}
    assert set(promised(report.level)) <= held
    assert all(level > report.level for level, _ in report.refused)
    assert all(reason for _, reason in report.refused)
    assert examined() is report


def test_confined_stands_wherever_the_kernel_offers_its_walls():
    own = kernel.own()
    if own is not None and version(own.numbers) > 0:
        assert available() >= Level.CONFINED
    else:
        assert available() < Level.CONFINED


def test_the_level_that_stands_runs_procedures():
    with Worker(ProcedureSpec(None, f"{FAULTY}:Good"), {"train": TRAIN}, level=available()) as running:
        assert running.run(LEARN).supported


def test_without_bubblewrap_the_next_level_stands(tmp_path_factory):
    found, reasons = examined_under([], path=str(tmp_path_factory.mktemp("empty")))
    assert found == min(available(), Level.CONFINED)
    assert "not installed" in reasons[Level.NAMESPACED]


def test_without_landlock_files_are_not_held_to_be_safe():
    found, reasons = examined_under(["landlock_create_ruleset"])
    assert found == min(available(), Level.NO_NETWORK)
    assert "no Landlock" in reasons[Level.CONFINED]


@pytest.mark.parametrize("call", ["landlock_add_rule", "landlock_restrict_self"])
def test_a_landlock_that_fails_halfway_is_none(call):
    assert examined_under([call])[0] == min(available(), Level.NO_NETWORK)


def test_without_seccomp_there_is_a_process_and_no_more():
    found, reasons = examined_under(["seccomp"])
    assert found is Level.PROCESS
    assert set(reasons) == {Level.NAMESPACED, Level.CONFINED, Level.NO_NETWORK}


def test_levels_promise_more_and_more():
    levels = [Level.PROCESS, Level.NO_NETWORK, Level.CONFINED, Level.NAMESPACED]
    for weaker, stronger in itertools.pairwise(levels):
        assert set(promised(weaker)) < set(promised(stronger))
    assert {item.name for item in probe(Level.PROCESS)} == set(promised(Level.NAMESPACED))
    assert promised(Level.NONE) == ()


@pytest.mark.parametrize("name", promised(Level.CONFINED))
def test_a_wall_that_gives_way_lowers_the_level(monkeypatch, name):
    def leaky(level):
        return tuple(Probe(each, each != name or level < Level.CONFINED, "tried") for each in promised(Level.NAMESPACED))

    monkeypatch.setattr(examination, "probe", leaky)
    monkeypatch.setattr(examination._Examined, "reports", {})
    report = examined()
    assert isinstance(report, ProbeReport)
    assert report.level is Level.NO_NETWORK
    assert [level for level, _ in report.refused] == [Level.NAMESPACED, Level.CONFINED]
    assert all(f"containment failed: {name}: tried" == reason for _, reason in report.refused)


def test_a_probe_that_is_not_made_counts_as_failed(monkeypatch):
    monkeypatch.setattr(examination, "probe", lambda level: (Probe("limits", held=True, found="read back"),))
    monkeypatch.setattr(examination._Examined, "reports", {})
    assert examined().level is Level.PROCESS
    monkeypatch.setattr(examination, "probe", lambda level: ())
    monkeypatch.setattr(examination._Examined, "reports", {})
    with pytest.raises(SandboxError, match="no procedure can be run"):
        examined()


def test_a_level_can_be_lowered_and_never_raised():
    before = examined()
    with examination.at_most(Level.CONFINED):
        lowered = examined()
        assert lowered.level is min(before.level, Level.CONFINED)
        assert (Level.NAMESPACED, "not tried") in lowered.refused
        assert set(promised(lowered.level)) <= {item.name for item in lowered.probes if item.held}
        with examination.at_most(Level.NAMESPACED):
            assert examined() is lowered
        with examination.at_most(Level.PROCESS):
            assert available() is Level.PROCESS
        assert examined() is lowered
    assert examined() is before


def test_tests_of_levels_run_at_the_strongest(request):
    assert available() is levels.here().level
    assert request.node.get_closest_marker("levels")


def test_a_lowered_level_is_tried_as_well(monkeypatch):
    def leaky(level):
        return tuple(Probe(each, each != "secret file" or level < Level.CONFINED, "tried") for each in promised(Level.NAMESPACED))

    monkeypatch.setattr(examination, "probe", leaky)
    monkeypatch.setattr(examination._Examined, "reports", {})
    with examination.at_most(Level.CONFINED):
        assert available() is Level.NO_NETWORK


WITHOUT_BUBBLEWRAP = "not tested here: level namespaced (needs bubblewrap)"


def test_without_bubblewrap_its_level_is_said_to_be_untested(monkeypatch, scratch_parent):
    levels.require(Level.CONFINED)
    monkeypatch.setenv("PATH", str(scratch_parent))
    monkeypatch.setattr(levels, "here", examination._examine)
    assert levels.untested() == WITHOUT_BUBBLEWRAP


@pytest.mark.slow  # the test above says the same of the line
def test_a_run_ends_with_what_could_not_be_tested(scratch_parent):
    levels.require(Level.CONFINED)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/unit/test_suggestions.py"]
    environment = {**os.environ, "PATH": str(scratch_parent)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=SOURCE, check=True)
    assert done.stdout.splitlines()[-2] == WITHOUT_BUBBLEWRAP


ABSENT = "bubblewrap (the program bwrap) is not installed"


@pytest.mark.parametrize(
    ("refused", "line"),
    [
        ({}, None),
        ({Level.NAMESPACED: ABSENT}, "level namespaced (needs bubblewrap)"),
        ({Level.NAMESPACED: "bwrap: No permissions"}, "level namespaced (needs user namespaces: bwrap: No permissions)"),
        (
            {
                Level.NAMESPACED: "bubblewrap (the program bwrap) is not installed",
                Level.CONFINED: "the kernel offers no Landlock",
            },
            "level namespaced (needs bubblewrap), level confined (needs Landlock: Linux 5.13 or later)",
        ),
        (
            {Level.NAMESPACED: "the kernel offers no Landlock", Level.CONFINED: "the kernel offers no Landlock"},
            "level namespaced (needs Landlock: Linux 5.13 or later), level confined (needs Landlock: Linux 5.13 or later)",
        ),
    ],
)
def test_what_a_level_needs(monkeypatch, refused, line):
    report = ProbeReport(Level.NO_NETWORK, (), tuple(refused.items()))
    monkeypatch.setattr(levels, "here", lambda: report)
    assert levels.untested() == (None if line is None else f"not tested here: {line}")
    for level in (Level.NO_NETWORK, Level.CONFINED, Level.NAMESPACED):
        with pytest.raises(pytest.skip.Exception, match=r"not tested here") if level in refused else contextlib.nullcontext():
            levels.require(level)


def test_probes_get_through_where_there_is_no_wall():
    found = {item.name: item.held for item in probe(Level.PROCESS)}
    through = ("tcp", "udp", "netlink", "abstract socket", "abstract datagram", "socket with a path", "secret file")
    assert [name for name in through if found[name]] == []
    assert not found["write outside"]
    assert not found["change outside"]
    assert not found["own namespaces"]
    assert found["limits"]


def test_a_deep_temporary_folder_changes_nothing(monkeypatch, scratch_parent):
    deep = scratch_parent / ("d" * 100) / ("e" * 100)
    deep.mkdir(parents=True)
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(deep))
        found = {item.name: item for item in probe(Level.PROCESS)}
        assert found["socket with a path"] == Probe("socket with a path", held=False, found="it arrived")
        assert set(promised(available())) <= {item.name for item in probe(available()) if item.held}
        assert list(deep.iterdir()) == []
    shutil.rmtree(scratch_parent / ("d" * 100))


def test_a_wall_that_cannot_be_tried_does_not_count(monkeypatch):
    monkeypatch.setattr(examination, "_bound", lambda *_: None)
    found = {item.name: item for item in probe(available())}
    for name in ("tcp", "udp", "abstract socket", "abstract datagram", "socket with a path"):
        assert not found[name].held
        assert "could not be tried" in found[name].found


def test_a_worker_without_its_walls_does_not_start(monkeypatch):
    """The witness can be read: whatever the examination said, this sandbox is not the one that was examined."""
    real = child_plan.openings

    def too_wide(*, inputs, **rest):
        inputs = list(inputs)
        return real(inputs=[*inputs, inputs[0].parent], **rest)

    monkeypatch.setattr(child_plan, "openings", too_wide)
    for level in (Level.CONFINED, Level.NAMESPACED):
        if available() >= level:
            with (
                pytest.raises(SandboxError, match=f"level {level} could not be had: .*exit status {NO_WALL}.*a file outside"),
                Worker(ProcedureSpec(None, f"{FAULTY}:Good"), {"train": TRAIN}, level=level),
            ):
                pytest.fail("it started")


def test_a_bubblewrap_that_fails_is_named(monkeypatch):
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: "/bin/false")
    with (
        pytest.raises(SandboxError, match="level namespaced could not be had"),
        Worker(ProcedureSpec(None, f"{FAULTY}:Good"), {"train": TRAIN}, level=Level.NAMESPACED),
    ):
        pytest.fail("it started")
    with pytest.raises(SandboxError, match="without a word"):
        probe(Level.NAMESPACED)


def test_the_examination_is_quick_and_leaves_nothing(scratch_parent):
    templates.close()  # what workers are forked from is kept for the next ones, and no part of what is left behind
    before = len(list(Path("/proc/self/fd").iterdir()))
    begin = time.monotonic()
    probe(available())
    assert time.monotonic() - begin < 5
    templates.close()
    assert list(scratch_parent.iterdir()) == []
    assert len(list(Path("/proc/self/fd").iterdir())) == before
