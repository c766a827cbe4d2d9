"""Chains on worst-case neighbours: what they are, what they refute, and when they are not run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from auditor.base.records import Dataset
from auditor.case import Case, read
from auditor.learning.noisy_gd.chains import Machine, Records
from auditor.learning.noisy_gd.descent import Descent
from auditor.learning.noisy_gd.fields import LinearLoss, MeanGradient
from auditor.pages.words import sentence
from auditor.parts.data_deletion.judging import chains
from auditor.parts.data_deletion.observing import chain_counts
from auditor.parts.data_deletion.observing import chain_counts as worlds
from auditor.parts.data_deletion.observing.chain_counts import observe
from auditor.parts.data_deletion.settings import NoisyGd
from auditor.parts.swap.judging.epsilon_consistency.contributors import Chains
from auditor.parts.swap.judging.epsilon_consistency.rows import Compared
from cases import SAMPLES
from judging import context_of_case

SMALL = {"learn_steps": 40, "unlearn_steps": 12, "sigma2": 0.01, "l2": 0.05}


def case_of(*, claim: dict[str, Any] | None = None, **procedure: Any) -> Case:
    """Forty records in two dimensions, learned from by noisy gradient descent."""
    case = read(SAMPLES / "breast-cancer-noisy-gd-adaptive")
    rng = np.random.default_rng(1)
    labels = np.repeat([0, 1], 20)
    features = rng.normal(size=(40, 2)) + np.where(labels[:, None], 1.0, -1.0)
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    train = Dataset(features, labels, np.array([f"r{number}" for number in range(40)]))
    own = NoisyGd.model_validate({"use": "noisy-gd", "loss": "logistic", **SMALL, **procedure})
    claims = case.settings.claims
    stated = claims.data_deletion
    assert stated is not None
    changed = None if claim is None else stated.model_copy(update=claim)
    settings = case.settings.model_copy(update={"procedure": own, "claims": claims.model_copy(update={"data_deletion": changed})})
    return replace(case, train=train, settings=settings)


def setup_of(case: Case, loss: LinearLoss) -> worlds.Setup:
    return worlds.Setup(
        loss, Records(case.train.features, case.train.labels.astype(np.int64)), Descent(0.05, 0.01, 1 / 0.6), 40, 12
    )


def judge(case: Case, *, seed: int, quick: bool) -> tuple[Chains, Compared]:
    simulated, procedure = observe(case, seed=seed, quick=quick), case.settings.procedure.descent
    assert simulated is not None
    assert procedure is not None
    return chains.judge(context_of_case(case, quick=quick), procedure, simulated)


@pytest.mark.parametrize("loss", [LinearLoss("logistic", 2), LinearLoss("softmax", 2)])
def test_neighbours_differ_in_one_place_and_are_of_norm_one(loss: LinearLoss) -> None:
    setup = setup_of(case_of(), loss)
    found = worlds.neighbours(setup)
    assert np.linalg.norm(found.features, axis=1) == pytest.approx([1.0, 1.0])
    assert found.target != found.other
    assert found.direction.shape == (setup.size,)
    # Two gradients of which each has norm 1 at most (logistic) or √2 (softmax), pointing apart.
    assert np.linalg.norm(found.direction) > 1.0


def test_the_gradients_of_the_neighbours_are_those_of_the_loss() -> None:
    """The direction is the difference of two mean gradients over one record each."""
    for loss in (LinearLoss("logistic", 2), LinearLoss("softmax", 2)):
        setup = setup_of(case_of(), loss)
        found, at = worlds.neighbours(setup), worlds._optimum(setup)
        first, second = (MeanGradient(loss, found.features[[each]], found.labels[[each]])(at)[0] for each in (0, 1))
        assert found.direction == pytest.approx(second - first)


def test_a_certificate_is_not_refuted_by_its_own_chains() -> None:
    ran, found = judge(case_of(), seed=0, quick=False)
    assert (ran.count, ran.fitted) == (chain_counts.MOST_CHAINS, chain_counts.MOST_CHAINS // 2)
    assert [row.rule for row in found.rows] == ["noisy-gd-convex", "adaptive"]
    assert all(row.compared and not row.refuted for row in found.rows)
    assert found.rows[0].claim is None


def test_a_claim_far_below_the_truth_is_refuted() -> None:
    """Without a step after the deletion the models still hold the record, whatever is claimed."""
    case = case_of(claim={"q": 2.0, "epsilon": 1e-4, "adaptive": 0}, unlearn_steps=0)
    claim, *_ = judge(case, seed=0, quick=False)[1].rows
    assert claim.source == "claim"
    assert claim.refuted
    assert {each.method for each in claim.lower} == {"two-records"}


def test_only_claims_about_requests_that_depend_on_models_meet_theorem_4_5() -> None:
    case = case_of(claim={"q": 2.0, "epsilon": 1e-4, "adaptive": 1}, unlearn_steps=2, sigma2=1e-4)
    rows = judge(case, seed=0, quick=False)[1].rows
    methods = [{each.method: each.epsilon for each in row.lower} for row in rows]
    assert set(methods[0]) == {"two-records", "reencoding", "membership-tests"}
    assert set(methods[1]) == {"two-records", "two-sample"}
    assert set(methods[2]) == {"two-records", "two-sample", "reencoding", "membership-tests"}
    # Played out, the requester of the theorem's proof shows more than the theorem says of its two tests.
    assert methods[0]["reencoding"] > methods[0]["membership-tests"] > 0
    # The certificates speak of the same chains, and stand.
    assert [row.refuted for row in rows] == [True, False, False]


def test_too_large_a_case_is_named_and_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain_counts, "MOST_OPERATIONS", 1e6)
    ran, found = judge(case_of(claim={"q": 2.0, "epsilon": 0.1, "adaptive": 1}), seed=0, quick=False)
    assert (ran.count, ran.fitted) == (0, 0)
    assert ran.reason is not None
    assert [row.why for row in found.rows] == [ran.reason] * 3
    assert sentence(ran.reason).startswith("not run: too large. 400 chains of 40 and 12 steps on 40 records take")
    assert [row.compared for row in found.rows] == [False] * 3
    # What is certified stands alongside all the same.
    assert {each.kind for each in found.certificates} == {"noisy-gd-convex", "adaptive"}


def test_a_quick_run_takes_few_chains() -> None:
    assert judge(case_of(), seed=0, quick=True)[0].count == chain_counts.QUICK_CHAINS


def test_the_same_seed_gives_the_same_counts() -> None:
    first, again, other = (observe(case_of(), seed=seed, quick=True) for seed in (3, 3, 4))
    assert first == again
    assert first != other


def test_other_procedures_have_no_chains() -> None:
    assert observe(read(SAMPLES / "median-adaptive"), seed=0, quick=False) is None


def test_the_requester_writes_what_it_saw_into_another_record() -> None:
    """With little noise its test names the world, and the record that it edits keeps it there after the deletion."""
    case = case_of()
    setup = replace(setup_of(case, LinearLoss("logistic", 2)), descent=Descent(0.05, 1e-7, 1 / 0.6), unlearn_steps=80)
    found = worlds.neighbours(setup)
    ran = worlds.simulate(setup, found, chains=40, rng=np.random.default_rng(1), machine=Machine())
    middle = np.concatenate(ran.learned).mean(axis=0) @ found.direction

    def test(models: np.ndarray) -> np.ndarray:
        return models @ found.direction > middle

    assert test(ran.learned[0]).all()
    assert not test(ran.learned[1]).any()
    played = worlds.reencoded(setup, found, ran.learned, test, rng=np.random.default_rng(2), machine=Machine())
    assert (played[0] @ found.direction).min() > (played[1] @ found.direction).max()
    # Deleted without such a request, the worlds lie within each other.
    assert (ran.unlearned[0] @ found.direction).min() < (ran.unlearned[1] @ found.direction).max()
