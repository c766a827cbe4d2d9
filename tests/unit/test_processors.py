"""Processors are those that a process may use: affinity counts, and control groups of either version."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from auditor.audit.auditing import every_core
from auditor.base import processors
from auditor.base.records import Dataset
from auditor.sandbox import Learn, ProcedureSpec, Worker

Groups = Callable[..., Path]
UNIFIED, CPU, MEMORY = "cgroup2 cgroup2 rw", "cgroup cgroup rw,cpu,cpuacct", "cgroup cgroup rw,memory"


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Groups:
    """A function that puts a process with eight processors into groups, and gives the folder that hierarchies are mounted in."""
    monkeypatch.setattr(processors, "_PROC", tmp_path / "proc")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: set(range(8)))
    own, mounted = tmp_path / "proc" / "self", tmp_path / "cgroup"
    own.mkdir(parents=True)

    def put(membership: str, mounts: dict[str, tuple[str, str]], files: dict[str, str] | None = None) -> Path:
        (own / "cgroup").write_text(membership)
        lines = [
            f"3{number} 30 0:2{number} {root} {mounted / point} rw,nosuid shared:9 - {kind}\n"
            for number, (point, (root, kind)) in enumerate(mounts.items())
        ]
        (own / "mountinfo").write_text(f"29 1 8:1 / / rw - ext4 /dev/root rw\n{''.join(lines)}")
        for name, content in (files or {}).items():
            (mounted / name).parent.mkdir(parents=True, exist_ok=True)
            (mounted / name).write_text(content)
        return mounted

    return put


def test_without_control_groups_affinity_counts(groups: Groups) -> None:
    assert processors.count() == 8
    groups("", {})
    assert processors.count() == 8


@pytest.mark.parametrize(
    ("own", "above", "expected"),
    [
        ("max 100000", "max 100000", 8),
        ("200000 100000", "max 100000", 2),
        ("max 100000", "300000 100000", 3),
        ("400000 100000", "150000 50000", 3),
        ("150000 100000", "max 100000", 2),  # a part of a processor counts as one
        ("5000 100000", "max 100000", 1),
        ("1600000 100000", "max 100000", 8),  # no more than it may run on
        ("max", "nonsense 1", 8),
        ("100000 0", "max 100000", 8),
    ],
)
def test_quotas_of_version_2_count_with_those_of_the_groups_above(groups: Groups, own: str, above: str, expected: int) -> None:
    groups("0::/user/job\n", {"": ("/", UNIFIED)}, {"user/cpu.max": above, "user/job/cpu.max": own})
    assert processors.count() == expected


@pytest.mark.parametrize(
    ("quota", "above", "expected"), [("-1", "-1", 8), ("250000", "-1", 3), ("-1", "100000", 1), ("400000", "200000", 2)]
)
def test_quotas_of_version_1_count_as_well(groups: Groups, quota: str, above: str, expected: int) -> None:
    groups(
        "5:memory:/job\n4:cpu,cpuacct:/user/job\n1:name=systemd:/job\n",
        {"memory": ("/", MEMORY), "cpu": ("/", CPU)},
        {
            "cpu/user/job/cpu.cfs_quota_us": quota,
            "cpu/user/job/cpu.cfs_period_us": "100000",
            "cpu/user/cpu.cfs_quota_us": above,
            "cpu/user/cpu.cfs_period_us": "100000",
            # Of a hierarchy that does not limit processors nothing is read.
            "memory/job/cpu.cfs_quota_us": "100000",
            "memory/job/cpu.cfs_period_us": "100000",
        },
    )
    assert processors.count() == expected


def test_both_versions_side_by_side(groups: Groups) -> None:
    groups(
        "4:cpu:/job\n0::/job\n",
        {"cpu": ("/", CPU), "unified": ("/", UNIFIED)},
        {
            "cpu/job/cpu.cfs_quota_us": "400000",
            "cpu/job/cpu.cfs_period_us": "100000",
            "unified/job/cpu.max": "300000 100000",
        },
    )
    assert processors.count() == 3


@pytest.mark.parametrize("kind", [UNIFIED, CPU])
def test_a_container_sees_its_own_group_at_the_top(groups: Groups, kind: str) -> None:
    membership = "0::/docker/abc\n" if kind == UNIFIED else "4:cpu,cpuacct:/docker/abc\n"
    files = {"cpu.max": "200000 100000", "cpu.cfs_quota_us": "200000", "cpu.cfs_period_us": "100000"}
    groups(membership, {"": ("/docker/abc", kind)}, files)
    assert processors.count() == 2


def test_a_group_outside_what_is_mounted_is_that_at_the_top(groups: Groups) -> None:
    for membership in ("0::/../other\n", "0::/docker/abcd\n"):
        mounted = groups(membership, {"": ("/docker/abc", UNIFIED)}, {"cpu.max": "200000 100000"})
        (mounted.parent / "other").mkdir(exist_ok=True)
        (mounted.parent / "other" / "cpu.max").write_text("100000 100000")
        assert processors.count() == 2


@pytest.mark.parametrize("content", ["", "nonsense\n", "0::\n", "\xff:\n"])
def test_files_that_say_something_else_limit_nothing(groups: Groups, content: str) -> None:
    groups(content, {"": ("/", UNIFIED)})
    assert processors.count() == 8


def test_an_audit_runs_as_many_jobs_as_it_has_processors(groups: Groups) -> None:
    groups("0::/job\n", {"": ("/", UNIFIED)}, {"job/cpu.max": "300000 100000"})
    assert every_core() == 3


def test_a_process_that_may_run_on_one_processor_counts_one() -> None:
    program = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
    program += "from auditor.base import processors; print(processors.count())"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "1\n"


CODE = """\
import resource
from auditor.base import processors

class Counting:
    def learn(self, data, seed): return 0
    def unlearn(self, model, data, forget, seed): return 0
    def predict(self, model, features): return None
    def facts(self, model):
        return {"processors": processors.count(), "seconds": resource.getrlimit(resource.RLIMIT_CPU)[0]}
"""


def test_a_worker_goes_by_the_auditors_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "procedure.py").write_text(CODE)
    table = Dataset(np.zeros((2, 1)), np.array([0, 1]), np.array(["a", "b"]))
    monkeypatch.setattr(processors, "count", lambda: 97)
    with Worker(ProcedureSpec(None, f"{tmp_path}/procedure.py:Counting"), {"train": table}) as worker:
        facts = worker.run(Learn("model", np.arange(2), 1)).facts
    assert facts["processors"] == 97
    assert 97 * 600 < facts["seconds"] < 97 * 600 + 120
