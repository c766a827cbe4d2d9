"""Where the auditor's own control group lies, and why it may be none to divide; what the kernel does is tested in system/."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from auditor.sandbox import Limits, control_groups
from auditor.sandbox.control_groups import Group, NoGroupError

UNIFIED = "25 1 0:21 {root} {point} rw,nosuid - cgroup2 cgroup2 rw\n"


def machine(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, group: str = "0::/a/b", root: str = "/", mounted: bool = True
) -> Path:
    """A tree of files that looks like a kernel's; the folder where the unified hierarchy is mounted."""
    (folder / "self").mkdir()
    point = folder / "cgroups"
    (folder / "self" / "cgroup").write_text(f"4:memory:/elsewhere\n{group}\n", encoding="utf-8")
    lines = UNIFIED.format(root=root, point=point) if mounted else ""
    (folder / "self" / "mountinfo").write_text(f"24 1 0:20 / /proc rw - proc proc rw\n{lines}", encoding="utf-8")
    monkeypatch.setattr(control_groups, "_PROC", folder)
    control_groups._home.cache_clear()
    return point


def own(point: Path, inner: str, *, controllers: str = "cpu memory pids", processes: str = "", passed_on: str = "") -> Path:
    group = point / inner
    group.mkdir(parents=True)
    for name, content in (("controllers", controllers), ("procs", processes or str(os.getpid())), ("subtree_control", passed_on)):
        (group / f"cgroup.{name}").write_text(f"{content}\n", encoding="ascii")
    return group


def reason() -> str:
    try:
        return str(control_groups.home())
    except NoGroupError as error:
        assert control_groups.make(Limits(), 2**20) is None
        return str(error)
    finally:
        control_groups._home.cache_clear()


@pytest.mark.parametrize(
    ("setting", "words"),
    [({"group": "3:cpu:/a"}, "in no control group of version 2"), ({"mounted": False}, "not mounted here")],
)
def test_no_unified_hierarchy(setting: dict[str, str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(tmp_path, monkeypatch, **setting)  # type: ignore[arg-type]
    assert words in reason()


@pytest.mark.parametrize("inner", ["../b", ".."])
def test_a_group_outside_of_what_is_mounted_is_not_ours(inner: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(tmp_path, monkeypatch, group=f"0::/{inner}")
    assert "not mounted here" in reason()


def test_memory_is_limited_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own(machine(tmp_path, monkeypatch), "a/b", controllers="hugetlb")
    assert "no controller of memory" in reason()


@pytest.mark.parametrize("others", ["{own}\n1", "0", "1"])
def test_other_processes_are_not_ours_to_move(others: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    group = own(machine(tmp_path, monkeypatch), "a/b", processes=others.format(own=os.getpid()))
    assert "holds other processes as well" in reason()
    assert {path.name for path in group.iterdir()} == {"cgroup.controllers", "cgroup.procs", "cgroup.subtree_control"}


def test_a_container_mounts_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own(machine(tmp_path, monkeypatch, group="0::/docker/of/it", root="/docker/of"), "it", controllers="")
    assert str(tmp_path / "cgroups" / "it") in reason()


def test_a_group_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(tmp_path, monkeypatch)
    assert "No such file" in reason()


@pytest.mark.parametrize(("events", "found"), [("low 0\noom 3\noom_kill 1\n", True), ("oom 3\noom_kill 0\n", False), ("", False)])
def test_what_the_kernel_ended_is_known_from_its_events(events: str, *, found: bool, tmp_path: Path) -> None:
    assert not Group(tmp_path / "gone").ran_out_of_memory()
    (tmp_path / "memory.events").write_text(events, encoding="ascii")
    assert Group(tmp_path).ran_out_of_memory() is found
    assert Group(tmp_path / "gone").processes() == set()
    assert Group(tmp_path / "gone").remove()
