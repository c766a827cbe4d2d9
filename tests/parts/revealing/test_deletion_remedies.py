"""Remedies that need models of their own: the next scheduled retraining, and training with noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from auditor import case as cases
from auditor.maths.certificates import gaussian
from auditor.maths.certificates.losses import constants, theorem_rate
from auditor.maths.certificates.noisy_gd_gaussian import TradeoffInputs, mu
from auditor.parts.revealing.judging.inference.observed import Observed
from auditor.parts.revealing.observing.deleting import inference, remedies
from auditor.parts.revealing.observing.deleting.asking import play
from auditor.parts.revealing.observing.deleting.drawing import Answers, about, draw
from auditor.settings.tables import InferenceTable, Policy
from deletion_games import how
from judging import context_of_case
from small_cases import problem, write


@pytest.fixture
def small(tmp_path):
    return cases.read(write(tmp_path, *problem(80)))


def drawn(case, games=4):
    return draw(case.train, name="test", games=games, seed=1, classes=True, hardest=np.arange(len(case.train))).games


def test_records_that_arrive_are_none_that_anybody_is_asked_about(small):
    for game in drawn(small):
        alone, arriving = remedies.standard(game, arrivals=True), remedies.arriving(game)
        assert len(arriving) == len(game.outside) // 2 > 0
        assert not np.isin(arriving, alone.outside).any()
        assert sorted([*arriving, *alone.outside]) == sorted(game.outside)
        assert len(alone.deleted) == len(alone.kept) == len(alone.unlearn_seeds) == 1


def test_the_next_retraining_learns_what_is_left_and_what_arrived_and_nothing_else(small, monkeypatch):
    asked = []

    def played(_case, questions, _how, *, name):
        asked.extend(questions)
        return [Answers(np.zeros((len(each.rows), 2)), ()) for each in questions]

    monkeypatch.setattr(remedies, "play", played)
    games = drawn(small)
    before = [Answers(np.ones((4, 2)), ()) for _ in games]
    found = remedies.waiting(small, games, how(), population=1, before=before)
    for game, each, answers in zip(games, asked, found, strict=True):
        left = set(game.trained.tolist()) - {int(game.deleted[0][0])}
        assert set(each.game.trained.tolist()) == left | set(remedies.arriving(game).tolist())
        assert each.game.deleted == ()
        assert each.game.learn_seed != game.learn_seed, "a fresh seed"
        assert answers.before.all()
        assert not answers.after[0].any()


def test_the_answers_of_the_standard_deletion_are_those_of_its_own_rows(small):
    (game,) = drawn(small, 1)
    whole = play(small, [about(small.train.features, game, population=3)], how())[0]
    alone = remedies.standard(game)
    part = play(small, [about(small.train.features, alone, population=3)], how())[0]
    cut = remedies.answers_of_standard(game, whole, population=3)
    assert cut.before.shape == part.before.shape
    assert np.allclose(cut.before, part.before)
    assert np.allclose(cut.after[0], part.after[0])


def test_private_training_has_the_noise_that_its_promise_takes(small):
    found = remedies.private_case(small)
    declared = found.case.settings.procedure
    assert (found.epsilon, found.delta) == (remedies.EPSILON, remedies.DELTA)
    known = constants(declared.loss)
    rate = theorem_rate(known.smoothness, l2=declared.l2)
    records = int(0.9 * len(small.train)) - 1
    apart = mu(
        TradeoffInputs(
            lipschitz=known.lipschitz,
            l2=declared.l2,
            smoothness=known.smoothness,
            sigma2=declared.sigma2,
            n=records,
            rate=rate,
            steps=0,
        )
    )
    assert gaussian.epsilon(found.delta, apart) == pytest.approx(found.epsilon)
    assert np.linalg.norm(found.case.train.features, axis=1).max() <= 1 + 1e-12
    assert found.case.train.ids.tolist() == small.train.ids.tolist()


def test_private_training_keeps_to_the_epsilon_of_the_policy_and_has_none_for_a_regression(small):
    policy = Policy(max_epsilon=0.5, max_delta=1e-3)
    stricter = replace(small, settings=small.settings.model_copy(update={"policy": policy}))
    found = remedies.private_case(stricter)
    assert (found.epsilon, found.delta) == (0.5, 1e-3)
    data = small.settings.data.model_copy(update={"task": "regression"})
    assert remedies.private_case(replace(small, settings=small.settings.model_copy(update={"data": data}))) is None
    descent = remedies.private_case(small).case
    assert remedies.private_case(descent) is None, "what is noisy descent already is no remedy for itself"


def observed(case, **policy) -> dict[str, Observed]:
    settings = case.settings.model_copy(update={"policy": Policy(**policy), "inference": InferenceTable(games=30)})
    playing = replace(case, settings=settings)
    return inference.observe(playing, context_of_case(playing), how())


def test_remedies_are_played_where_the_limit_is_not_kept_for_certain_and_only_there(small):
    found = observed(small, before_and_after=True)
    for each in found.values():
        variants = {one.variant for one in each.tallies}
        assert {"waiting", "private"} <= variants
        assert {one.games for one in each.tallies if one.variant in {"two", "waiting", "private"}} == {30}
        assert each.private.records == 30 * min(len(small.train) - 72, 51)
    kept = observed(small, max_inference=1.0)
    assert not any(one.variant in {"waiting", "private"} for each in kept.values() for one in each.tallies)


def test_nothing_is_played_where_nobody_asks(small):
    found = observed(small)
    assert found == {"inference.example": Observed(unplayable="not-asked")}
