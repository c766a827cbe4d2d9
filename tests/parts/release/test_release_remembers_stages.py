"""Both stages of `release.remembers` as an audit runs them: what calls for the second, what it takes, keeps, shows and costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_release_remembers_models import Neighbours, Shirks, SkipsOne, observe, written

from auditor import case as cases
from auditor.audit.auditing import Options, Outcome, audit, onward
from auditor.base.domain import Status
from auditor.case import Case
from auditor.parts.release.judging.release_remembers import SECOND_MODELS
from auditor.recheck.derivations import derive_again
from auditor.sandbox import Learn
from auditor.sandbox.jobs import Job

ONLY = ("release.remembers",)
SHIRKS = '''
import numpy as np


class Own:
    """Answers by the records that lie near, its own labels noisy with the seed, and forgets nothing."""

    def learn(self, data, seed):
        return data.features, data.labels, 0.02 * np.random.default_rng(seed).normal(size=2)

    def unlearn(self, model, data, forget, seed):
        return model

    def predict(self, model, features):
        rows, labels, noise = model
        near = np.exp(-10 * ((features[:, None] - rows[None]) ** 2).sum(axis=-1)) + 1e-6
        shares = np.stack([(near * (labels == each)).sum(axis=1) for each in (0, 1)], axis=1)
        scores = np.log(shares + 1e-3) + noise
        return np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
'''


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return written(tmp_path_factory.mktemp("small"))


def learned(jobs: list[Job]) -> list[int]:
    return [step.seed for job in jobs for step in job.steps if isinstance(step, Learn)]


def test_a_second_stage_trains_199_further_models_with_seeds_that_none_had(small: Case) -> None:
    asked: list[Job] = []
    observed = observe(small, Shirks, asked)
    assert observed.second is not None
    assert len(observed.second.retrained) == SECOND_MODELS
    further = [job for job in asked if job.part_of == "shadow models of the second stage"]
    first = [job for job in asked if job not in further]
    assert len(set(learned(further))) == SECOND_MODELS
    assert set(learned(further)).isdisjoint(learned(first))
    gone = {f"rec-{each:04d}" for each in range(12)}
    assert all(not gone & set(job.tables["train"].ids.tolist()) for job in further)
    # As many learn in one process as in the first stage.
    assert max(len(learned([job])) for job in further) == max(len(learned([job])) for job in first)


def test_a_second_pool_has_scores_of_its_own(small: Case) -> None:
    """They are those of an audit that had trained these models first: nothing of the first pool enters."""
    observed = observe(small, SkipsOne)
    second = observed.second
    assert second is not None
    centre = np.array([second.release, *second.retrained], dtype=np.float64).mean(axis=0)
    assert np.abs(centre).max() <= 1.0
    assert second.release != observed.release
    assert (len(second.holding), len(second.held_out)) == (5, 5)


def test_no_second_stage_follows_what_the_first_clears(small: Case) -> None:
    asked: list[Job] = []
    observed = observe(small, Neighbours, asked)
    assert (observed.second, observed.no_second) == (None, None)
    assert len(learned(asked)) == 39 + 10 + 1


def test_a_second_stage_without_time_is_left_out_and_says_what_it_takes(small: Case) -> None:
    asked: list[Job] = []
    observed = observe(small, Shirks, asked, most_s=0.0)
    assert observed.second is None
    assert observed.no_second is not None
    assert (observed.no_second.why, observed.no_second.most) == ("budget", 0.0)
    assert len(learned(asked)) == 39 + 10 + 1


def test_counts_go_on_where_the_same_work_is_done_again() -> None:
    heard: list[tuple[str, int, int]] = []
    on_step = onward(lambda *step: heard.append(step))
    for name, done, total in (("a", 0, 73), ("a", 10, 73), ("b", 0, 2), ("a", 73, 73), ("a", 0, 73), ("a", 5, 73), ("a", 0, 4)):
        on_step(name, done, total)
    assert [step for step in heard if step[0] == "a"] == [
        *(("a", 0, 73), ("a", 10, 73), ("a", 73, 73)),
        *(("a", 73, 146), ("a", 78, 146), ("a", 146, 150)),
    ]


def audited(folder: Path, runs: Path | None, steps: dict[str, list[int]], **options: Any) -> Outcome:
    """Audit the case of a procedure that forgets nothing, and list what was counted under each name."""

    def on_step(name: str, done: int, total: int) -> None:
        assert done <= total
        steps.setdefault(name, []).append(done)

    return audit(cases.read(folder), Options(only=ONLY, runs=runs, on_step=on_step, workers=2, **options))


def release_of(outcome: Outcome) -> Any:
    return next(each for each in outcome.evidence.checks if each.id == "release.remembers")


@pytest.mark.slow
def test_an_audit_runs_both_stages_keeps_them_and_goes_on(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "procedure.py").write_text(SHIRKS, encoding="utf-8")
    steps: dict[str, list[int]] = {}
    left_open = audited(tmp_path, tmp_path / "runs", steps, second_stage_s=0.0)
    assert release_of(left_open).status is Status.INCONCLUSIVE
    assert "shadow models of the second stage" not in steps
    found = audited(tmp_path, tmp_path / "runs", steps)
    assert "retrained models" in found.taken, "the first stage is there already"
    check = release_of(found)
    assert (check.status, check.value, check.threshold) == (Status.FAIL, 1 / 200, 0.01)
    assert all(done == sorted(done) for name, done in steps.items() if name == "shadow models of the second stage")
    again = audited(tmp_path, tmp_path / "runs", {})
    assert len(again.taken) > len(found.taken)
    assert release_of(again).observed == check.observed
    assert derive_again(found.evidence).to_bytes() == found.evidence.to_bytes()
    levels = {each.test: each.level for each in found.evidence.levels.tests} if found.evidence.levels else {}
    assert levels["remembers"] == 0.01
