"""An audit takes up what an earlier one had finished, and comes to the same evidence but for times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import small_cases
from auditor import case as cases
from auditor.audit.auditing import Options, Outcome, audit
from auditor.base.errors import ProcedureError
from auditor.sandbox import Learn, Level, Parameters, ProcedureSpec, jobs
from cases import timeless
from kept_runs import opened, table
from levels import require

pytestmark = pytest.mark.usefixtures("own_temporary_files")
BUILT_IN = {"l2": 0.1, "sigma": 1.0, "tolerance": 1e-8}

OWN = """
class P:
    def learn(self, data, seed):
        return [1]
    def unlearn(self, model, data, forget, seed):
        return model
    def predict(self, model, features):
        return 0
"""


@pytest.fixture
def own_temporary_files(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Scratch folders in a place of their own, which must be empty again when the test is over."""
    folder = tmp_path_factory.mktemp("scratch")
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield
    assert list(folder.iterdir()) == []


@pytest.fixture
def case(tmp_path: Path) -> Path:
    (tmp_path / "case").mkdir()
    return small_cases.write(tmp_path / "case", *small_cases.problem())


def audited(case: Path, runs: Path | None, **options: Any) -> Outcome:
    return audit(cases.read(case), Options(runs=runs, **options))


class Interrupted:
    """Presses Ctrl-C once a run has finished and the next has begun."""

    def __init__(self, run: str) -> None:
        self.run = run

    def __call__(self, name: str, done: int, total: int) -> None:
        if name != self.run:
            raise KeyboardInterrupt


def test_an_interrupted_audit_takes_up_what_was_finished(case: Path, tmp_path: Path) -> None:
    undisturbed = audited(case, None).evidence
    runs = tmp_path / "audit" / ".runs"
    with pytest.raises(KeyboardInterrupt):
        audited(case, runs, on_step=Interrupted("replay"))
    assert len(list(runs.glob("*.run"))) == 1
    steps: list[tuple[str, int, int]] = []
    resumed = audited(case, runs, on_step=lambda *step: steps.append(step))
    assert resumed.taken == ("replay",)
    assert [step for step in steps if step[0] == "replay"] == [("replay", steps[0][2], steps[0][2])]
    assert len([step for step in steps if step[0] == "clean room for batch 2 of 2"]) > 1
    assert timeless(resumed.evidence) == timeless(undisturbed)


def test_a_second_audit_runs_nothing_and_reports_the_times_that_were_measured(case: Path, tmp_path: Path) -> None:
    first = audited(case, tmp_path / ".runs")
    assert first.taken == ()
    second = audited(case, tmp_path / ".runs", seed=0, workers=2)
    assert second.taken == ("clean room for batch 2 of 2", "replay")
    assert second.evidence.check("cost.speedup") == first.evidence.check("cost.speedup")
    assert timeless(second.evidence) == timeless(first.evidence)


def test_fresh_runs_everything(case: Path, tmp_path: Path) -> None:
    audited(case, tmp_path / ".runs")
    again = audited(case, tmp_path / ".runs", fresh=True)
    assert again.taken == ()
    assert audited(case, tmp_path / ".runs").evidence.check("cost.speedup") == again.evidence.check("cost.speedup")


def test_another_seed_log_or_record_is_run_and_a_policy_is_not_part_of_a_run(case: Path, tmp_path: Path) -> None:
    audited(case, tmp_path / ".runs")
    text = (case / "audit.toml").read_text(encoding="utf-8")
    (case / "audit.toml").write_text(text + "\n[claims]\n", encoding="utf-8")
    assert len(audited(case, tmp_path / ".runs").taken) == 2
    (case / "audit.toml").write_text(text.replace(str(small_cases.SECRET), str(small_cases.SECRET + 1)), encoding="utf-8")
    assert audited(case, tmp_path / ".runs").taken == ()
    (case / "audit.toml").write_text(text, encoding="utf-8")
    small_cases.write_log(case, [["rec-0000"], ["rec-0001"]])
    assert audited(case, tmp_path / ".runs").taken == ()
    with np.load(case / "train.npz") as file:
        arrays = dict(file)
    arrays["features"][-1, 0] += 1e-12
    np.savez(case / "train.npz", **arrays)
    assert audited(case, tmp_path / ".runs").taken == ()


def test_a_damaged_entry_is_run_again_and_the_user_is_told(case: Path, tmp_path: Path) -> None:
    first = audited(case, tmp_path / ".runs")
    largest = max((tmp_path / ".runs").glob("*.run"), key=lambda path: path.stat().st_size)
    largest.write_bytes(largest.read_bytes()[:-100])
    notices: list[str] = []
    again = audited(case, tmp_path / ".runs", on_notice=notices.append)
    assert again.taken == ("clean room for batch 2 of 2",)
    assert len(notices) == 1
    assert "replay is run again" in notices[0]
    assert timeless(again.evidence) == timeless(first.evidence)
    assert len(audited(case, tmp_path / ".runs").taken) == 2


def test_a_failure_is_not_kept_and_what_finished_before_it_is(tmp_path: Path) -> None:
    spec = ProcedureSpec("certified-removal", None, BUILT_IN)
    learn = Learn("a", np.arange(4), 7)
    fine = jobs.Job("fine", spec, {"train": table()}, (learn, Parameters("a")))
    bad = jobs.Job("bad", ProcedureSpec("certified-removal", None, BUILT_IN | {"unknown": 1}), {"train": table()}, (learn,))
    with pytest.raises(ProcedureError):
        jobs.run([fine, bad], workers=1, on_step=quiet, kept=opened(tmp_path / ".runs"))
    assert len(list((tmp_path / ".runs").glob("*.run"))) == 1
    kept = opened(tmp_path / ".runs")
    with pytest.raises(ProcedureError):
        jobs.run([fine, bad], workers=1, on_step=quiet, kept=kept)
    assert kept.taken == ("fine",)


def test_equal_jobs_are_each_run(tmp_path: Path) -> None:
    spec = ProcedureSpec("certified-removal", None, BUILT_IN)
    twin = jobs.Job("twin", spec, {"train": table()}, (Learn("a", np.arange(4), 7), Parameters("a")))
    first = opened(tmp_path / ".runs")
    jobs.run([twin, twin], workers=1, on_step=quiet, kept=first)
    assert first.taken == ()
    second = opened(tmp_path / ".runs")
    jobs.run([twin, twin, twin], workers=2, on_step=quiet, kept=second)
    assert second.taken == ("twin", "twin")


@pytest.mark.parametrize("level", [Level.PROCESS, Level.CONFINED])
def test_the_controller_s_own_code_is_kept_from_confined_on(tmp_path: Path, level: Level) -> None:
    require(level)
    (tmp_path / "case").mkdir()
    (tmp_path / "case" / "procedure.py").write_text(OWN, encoding="utf-8")
    spec = ProcedureSpec(None, f"{tmp_path / 'case' / 'procedure.py'}:P")
    job = jobs.Job("own", spec, {"train": table()}, (Learn("a", np.arange(4), 7),), level=level)
    taken = []
    for _ in range(2):
        kept = opened(tmp_path / ".runs")
        jobs.run([job], workers=1, on_step=quiet, kept=kept)
        taken.append(kept.taken)
    assert taken == [(), ("own",) if level >= Level.CONFINED else ()]


def quiet(name: str, done: int, total: int) -> None:
    """Progress that nobody looks at."""


def test_without_a_folder_nothing_is_kept(case: Path, tmp_path: Path) -> None:
    assert audited(case, None).taken == ()
    assert [path.name for path in tmp_path.iterdir()] == ["case"]
    assert not (case / "audit").exists()
