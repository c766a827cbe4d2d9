"""How often `release.remembers` rejects honest releases, and how often it tells one that was left as it was.

Models are logistic regressions, trained many at a time and scored by the code that audits use. The small runs below are part of
every test run; the large ones are `slow`, and docs/release-remembers.md tells what they gave.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from auditor.base.domain import Status
from auditor.maths.statistics import pool
from auditor.parts.release.judging.release_remembers import Derived, judge
from auditor.parts.release.observing.release_remembers.scores import Asked, Models, grouped, tables
from auditor.settings.learning import Foreign
from auditor.verdict.checks.finding import Finding
from judging import declared, log_facts
from pools import MODELS, Setting, observe

LEVEL = 0.05
CONTEXT = declared(procedure=Foreign(entry="procedure.py:Own"), log=log_facts(batches=1))
EARLIER = {"release.exact": Finding(Status.SKIPPED)}
TEN = Setting(forgotten=10, requests=5)
THIRTY = Setting(records=120, forgotten=30, requests=12)
STEADY = {"noise": 0.0}


def found(setting: Setting, release: str, *, seed: int) -> Finding:
    return judge(CONTEXT, observe(setting, release, seed=seed), EARLIER)  # type: ignore[arg-type]


def statuses(setting: Setting, release: str, seeds: range) -> list[Finding]:
    return [found(setting, release, seed=seed) for seed in seeds]


def rejected(setting: Setting, audits: range) -> int:
    """Honest audits that fail, whether those that hold the records are told or not."""
    return sum(each.status is Status.FAIL for each in statuses(setting, "retrained", audits))


@pytest.mark.parametrize("setting", [TEN, THIRTY], ids=["ten records", "thirty records"])
def test_honest_releases_fail_at_the_level_at_most(setting: Setting) -> None:
    assert rejected(setting, range(40)) <= binom.ppf(0.999, 40, LEVEL)


@pytest.mark.slow
@pytest.mark.parametrize("setting", [TEN, THIRTY], ids=["ten records", "thirty records"])
@pytest.mark.parametrize("noise", [0.03, 0.3])
def test_over_400_honest_audits_the_level_holds(setting: Setting, noise: float) -> None:
    own = Setting(records=setting.records, forgotten=setting.forgotten, requests=setting.requests, noise=noise)
    assert rejected(own, range(400)) <= binom.ppf(0.999, 400, LEVEL)


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
    assert rejected(own, range(400)) == 0


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
