"""How often `release.remembers` rejects honest releases, and how often it tells one that was left as it was.

Models are logistic regressions, trained many at a time and scored by the code that audits use. The small runs below are part of
every test run; the large ones are `slow`, and benchmarks/release-remembers.md has what they gave.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from auditor.base.domain import Status
from auditor.maths.statistics import pool
from auditor.parts.release.judging.release_remembers import ACCUSES, LEVEL, Derived, judge
from auditor.parts.release.judging.release_remembers.telling import rank, table_of
from auditor.parts.release.observing.release_remembers.scores import Asked, Models, grouped, tables
from auditor.verdict.checks.finding import Finding
from counted_releases import CONTEXT, EARLIER, LOUD, QUIET, STEADY, count
from pools import MODELS, Release, Setting, observe, second_stage

TEN = Setting(forgotten=10, requests=5)
THIRTY = Setting(records=120, forgotten=30, requests=12)


def found(setting: Setting, release: Release, *, seed: int) -> Finding:
    return judge(CONTEXT, observe(setting, release, seed=seed), EARLIER)


def statuses(setting: Setting, release: Release, seeds: range) -> list[Finding]:
    return [found(setting, release, seed=seed) for seed in seeds]


@pytest.mark.parametrize("setting", [TEN, THIRTY], ids=["ten records", "thirty records"])
def test_honest_releases_fail_at_the_level_at_most(setting: Setting) -> None:
    """The second stage is called for at one in twenty, and accuses at one in a hundred."""
    counts = count(setting, "retrained", range(40))
    assert counts.accused <= binom.ppf(0.999, 40, ACCUSES)
    assert counts.accused + counts.left_open <= binom.ppf(0.999, 40, LEVEL)


def second_ranks(setting: Setting, audits: range) -> list[float]:
    """p of second stages that follow whatever the first ones showed: the level has to hold without them."""
    found = (second_stage(setting, "retrained", seed=seed).second for seed in audits)
    return [rank(table_of(second)) for second in found if second is not None]


def test_a_second_stage_keeps_its_level_by_itself() -> None:
    ranks = second_ranks(QUIET, range(60))
    assert len(ranks) == 60
    assert sum(p <= ACCUSES for p in ranks) <= binom.ppf(0.999, 60, ACCUSES)
    assert sum(p <= LEVEL for p in ranks) <= binom.ppf(0.999, 60, LEVEL)


@pytest.mark.slow
@pytest.mark.parametrize("setting", [QUIET, LOUD, THIRTY], ids=["little noise", "much noise", "thirty records"])
def test_over_1000_second_stages_the_level_holds(setting: Setting) -> None:
    ranks = second_ranks(setting, range(1000))
    assert sum(p <= ACCUSES for p in ranks) <= binom.ppf(0.999, 1000, ACCUSES)
    assert sum(p <= LEVEL for p in ranks) <= binom.ppf(0.999, 1000, LEVEL)


@pytest.mark.slow
@pytest.mark.parametrize("setting", [QUIET, LOUD, THIRTY], ids=["little noise", "much noise", "thirty records"])
def test_over_1000_honest_audits_one_in_a_hundred_is_accused_at_most(setting: Setting) -> None:
    assert count(setting, "retrained", range(1000)).accused <= binom.ppf(0.999, 1000, ACCUSES)


@pytest.mark.parametrize("setting", [QUIET, STEADY], ids=["with chance", "without"])
def test_a_release_of_another_library_is_accused_no_more_often(setting: Setting) -> None:
    """Where sums end otherwise in the sixth digit, the margin covers it."""
    assert count(setting, "another library", range(30)) == count(setting, "retrained", range(30))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("release", "most"), [("best of five", 0.02), ("spread x 1.3", 0.05)], ids=["best of five", "a larger spread"]
)
def test_honest_releases_that_are_drawn_otherwise_are_accused_as_often_as_documented(release: Release, most: float) -> None:
    """What benchmarks/release-remembers.md names, with room for chance."""
    for setting in (QUIET, LOUD):
        assert count(setting, release, range(400)).accused <= binom.ppf(0.999, 400, most)


@pytest.mark.parametrize("setting", [TEN, THIRTY], ids=["ten records", "thirty records"])
def test_honest_releases_of_learners_without_chance_never_fail(setting: Setting) -> None:
    own = Setting(records=setting.records, forgotten=setting.forgotten, requests=setting.requests, noise=0.0)
    for finding in statuses(own, "retrained", range(8)):
        assert finding.status is not Status.FAIL
        assert isinstance(finding.derived, Derived)
        assert finding.derived.rule == "share"


@pytest.mark.slow
@pytest.mark.parametrize("setting", [TEN, THIRTY], ids=["ten records", "thirty records"])
def test_over_400_honest_audits_of_learners_without_chance_none_fails(setting: Setting) -> None:
    own = Setting(records=setting.records, forgotten=setting.forgotten, requests=setting.requests, noise=0.0)
    assert count(own, "retrained", range(400)).accused == 0


def test_a_model_left_as_it_was_is_told() -> None:
    setting = Setting(forgotten=10, requests=5, noise=0.03, flipped=0.5)
    every = statuses(setting, "as it was", range(10))
    assert sum(each.status is Status.FAIL for each in every) >= 8
    assert not any(each.status is Status.PASS for each in every)


def test_one_request_in_five_that_is_kept_is_told() -> None:
    """But where its records show less than those of the others do on them."""
    setting = Setting(forgotten=10, requests=5, noise=0.0, flipped=0.5)
    every = statuses(setting, "one request kept", range(10))
    assert sum(each.status is Status.FAIL for each in every) >= 8


def test_exchanging_models_of_the_pool_exchanges_their_largest_scores() -> None:
    """All that centres, scales and calibrates a score treats the release and the retrained models alike."""
    rng = np.random.default_rng(0)
    models = Models(MODELS, 5)
    total = 1 + MODELS + 5
    requests = tuple((f"R-{each}", np.array([each, each + 12])) for each in range(12))
    codes, others = rng.integers(0, 3, 24), rng.integers(0, 3, 30)

    def outputs(records: int) -> np.ndarray:
        return rng.dirichlet(np.ones(3), size=(total, records))

    blocks = {"records": outputs(24), "moved-0.1": outputs(24)}
    unseen = outputs(30)

    def largest(order: np.ndarray) -> np.ndarray:
        asked = {name: Asked(array[order], codes) for name, array in blocks.items()}
        columns = [
            grouped(scores, requests, models)
            for _, scores in tables(asked, Asked(unseen[order], others), models)  # type: ignore[arg-type]
        ]
        table = np.concatenate(columns, axis=1)
        own, rest = pool.largest(table[0], table[1 : 1 + MODELS], table[1 + MODELS :])
        return np.concatenate([[own], rest])

    same = np.arange(total)
    mixed = np.concatenate([rng.permutation(1 + MODELS), same[1 + MODELS :]])
    assert largest(mixed) == pytest.approx(largest(same)[mixed[: 1 + MODELS]], rel=1e-6)
