"""Equal addresses mean the same answers may be expected; whatever they may depend on gives another one."""

from __future__ import annotations

import copy
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.base import processors
from auditor.base.errors import ProcedureError
from auditor.sandbox import Drop, Learn, Level, Limits, Parameters, ProcedureSpec, Unlearn
from auditor.sandbox.jobs import Job
from auditor.sandbox.runs import circumstances
from auditor.sandbox.runs.circumstances import Describer
from kept_runs import ROWS, SEED, job, opened, steps, table

WALLED = {"level": Level.CONFINED}


def spec(**settings: Any) -> ProcedureSpec:
    return ProcedureSpec("certified-removal", None, {"l2": 0.1, "sigma": 1.0} | settings)


CHANGES = {
    "name": {"name": "self-check"},
    "another setting": {"spec": spec(l2=0.2)},
    "a setting's type": {"spec": spec(sigma=1)},
    "one more setting": {"spec": spec(extra=None)},
    "another procedure": {"spec": ProcedureSpec("sklearn", None, {"l2": 0.1, "sigma": 1.0})},
    "a feature's sign of zero": {
        "tables": {"train": table(features=np.where(np.arange(8.0) == 0, -0.0, np.arange(8.0)).reshape(4, 2))}
    },
    "the features' shape": {"tables": {"train": table(features=np.arange(8.0).reshape(4, 2, 1))}},
    "the labels' type": {"tables": {"train": table(labels=np.array([0, 1, 0, 1], dtype=np.int32))}},
    "an identifier": {"tables": {"train": table(ids=np.array(list("abce")))}},
    "one more table": {"tables": {"train": table(), "holdout": table()}},
    "the seed": {"steps": steps(SEED + 1)},
    "the order of steps": {"steps": (*steps()[:3], steps()[4], steps()[3])},
    "one step less": {"steps": steps()[:4]},
    "a kind of step": {"steps": (*steps()[:4], Drop("b"))},
    "a step's model": {"steps": (*steps()[:2], Parameters("a"), *steps()[3:])},
    "the rows": {"steps": (Learn("a", ROWS[::-1].copy(), SEED), *steps()[1:])},
    "what is forgotten": {"steps": (steps()[0], Unlearn("a", "b", ROWS, ROWS[2:3], SEED + 1), *steps()[2:])},
    "the time limit": {"limits": Limits(timeout_s=1.0)},
    "the memory limit": {"limits": Limits(memory_mb=100)},
    "the level": WALLED,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_whatever_changes_changes_the_address(tmp_path: Path, change: dict[str, Any]) -> None:
    runs = opened(tmp_path / ".runs")
    assert runs.address(job(**change), 0) != runs.address(job(), 0)
    assert set(change) <= {item.name for item in fields(Job)}


def test_equal_jobs_have_one_address_and_it_is_the_same_in_the_next_audit(tmp_path: Path) -> None:
    first = opened(tmp_path / ".runs").address(job(), 0)
    other = opened(tmp_path / ".runs").address(job(steps=copy.deepcopy(steps())), 0)
    assert first == other
    assert first is not None
    assert len(first) == 64


def test_a_job_that_is_asked_twice_has_two_addresses(tmp_path: Path) -> None:
    runs = opened(tmp_path / ".runs")
    assert runs.address(job(), 0) != runs.address(job(), 1)


def test_another_folder_has_other_addresses(tmp_path: Path) -> None:
    assert opened(tmp_path / "a").address(job(), 0) != opened(tmp_path / "b").address(job(), 0)


@pytest.mark.parametrize("part", ["software", "machine"])
def test_other_software_or_another_machine_has_another_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    runs = opened(tmp_path / ".runs")
    before = runs.address(job(), 0)
    monkeypatch.setattr(circumstances, part, lambda: ["another"])
    assert runs.address(job(), 0) != before


def test_another_number_of_processors_has_another_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Networks are stacked by it, and their last bits follow."""
    runs = opened(tmp_path / ".runs")
    before = runs.address(job(), 0)
    number = processors.count()
    monkeypatch.setattr(processors, "count", lambda: number + 1)
    assert runs.address(job(), 0) != before


def test_software_names_what_computes() -> None:
    found = circumstances.software()
    listed = " ".join(found["distributions"]).lower().replace("-", "_")
    assert all(f"{name}_" in listed for name in ("numpy", "scipy", "scikit_learn", "torch"))
    assert len(found["source"]) == 64
    assert all(circumstances.machine())


def controller(folder: Path, use: str | None = None) -> Job:
    (folder / "case").mkdir()
    (folder / "case" / "procedure.py").write_text("import helper\n", encoding="utf-8")
    (folder / "case" / "helper.py").write_text("x = 1\n", encoding="utf-8")
    (folder / "case" / "train.npz").write_bytes(b"data")
    return job(spec=ProcedureSpec(use, f"{folder / 'case' / 'procedure.py'}:P"), **WALLED)


@pytest.mark.parametrize("use", [None, "torch"])
@pytest.mark.parametrize(
    ("name", "changes"), [("procedure.py", True), ("helper.py", True), ("new.py", True), ("train.npz", False)]
)
def test_the_controller_s_code_counts_with_every_file_that_it_can_import(
    tmp_path: Path, name: str, changes: bool, use: str | None
) -> None:
    run, runs = controller(tmp_path, use), opened(tmp_path / ".runs")
    before = runs.address(run, 0)
    with (tmp_path / "case" / name).open("a", encoding="utf-8") as file:
        file.write("# a word more\n")
    assert runs.address(run, 0) == before, "what was read is what runs"
    again = job(spec=ProcedureSpec(use, run.spec.entry), **WALLED)
    assert (runs.address(again, 0) != before) is changes


@pytest.mark.parametrize("use", [None, "torch"])
def test_the_controller_s_code_is_not_kept_where_it_can_read_anything(tmp_path: Path, use: str | None) -> None:
    runs = opened(tmp_path / ".runs")
    run = controller(tmp_path, use)
    for level in (Level.PROCESS, Level.NO_NETWORK):
        assert runs.address(job(spec=run.spec, level=level), 0) is None
    assert not (tmp_path / ".runs").exists()


def test_code_that_cannot_be_read_is_the_procedure_s_error(tmp_path: Path) -> None:
    with pytest.raises(ProcedureError, match="expected a Python file as entry"):
        opened(tmp_path / ".runs").address(job(spec=ProcedureSpec(None, f"{tmp_path}/none.py:P"), **WALLED), 0)


def test_what_cannot_cross_cannot_be_addressed(tmp_path: Path) -> None:
    for wrong in (table(labels=np.array([0, "a", None, 2], dtype=object)), bytearray(b"bytes")):
        with pytest.raises(TypeError):
            opened(tmp_path / ".runs").address(job(tables={"train": wrong}), 0)
    with pytest.raises(TypeError, match="may not hold a function"):
        opened(tmp_path / ".runs").address(job(spec=spec(f=job)), 0)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES, VALUES)
def test_descriptions_are_equal_where_and_only_where_values_are(first: Any, second: Any) -> None:
    describer = Describer()
    assert (describer.to_bytes(first) == describer.to_bytes(second)) == (repr_of(first) == repr_of(second))
    assert describer.to_bytes(first) == Describer().to_bytes(copy.deepcopy(first))


def repr_of(value: Any) -> str:
    """Equal for equal values of equal types, whatever the order of keys."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{key!r}:{repr_of(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(repr_of, value)) + "]"
    return repr(value)


def test_a_field_that_is_added_counts_by_itself() -> None:
    @dataclass(frozen=True)
    class Thing:
        device: str

    assert Describer().to_bytes(Thing("cpu")) != Describer().to_bytes(Thing("cuda"))
