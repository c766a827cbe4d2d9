"""Counted reconstruction games, judged on observations by hand."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.base.domain import Status
from auditor.maths.statistics import clopper_pearson
from auditor.pages.words import basis
from auditor.parts.revealing.judging.reconstruction import instance, label, sentence
from auditor.parts.revealing.judging.reconstruction.observed import (
    ClassGames,
    Distance,
    InstanceObserved,
    LabelObserved,
    Picture,
    SentenceObserved,
    Tally,
    Wins,
)
from auditor.parts.revealing.judging.reconstruction.routes import LeastSquares, least_squares
from auditor.settings.learning import Foreign, Ngram, Sklearn
from auditor.settings.tables import Claims, Policy
from auditor.verdict.checks import definitions
from auditor.verdict.checks.finding import Finding
from auditor.verdict.checks.levels import share
from judging import audit_facts, case_facts, declared

TREE = Sklearn(estimator="sklearn.tree.DecisionTreeClassifier")
NEAREST = Sklearn(estimator="sklearn.neighbors.KNeighborsClassifier", params={"n_neighbors": 1})
LINEAR = Sklearn(estimator="sklearn.linear_model.LinearRegression")
REGRESSION = case_facts(task="regression", classes=0)
LIMIT = Policy(max_reconstruction=0.2)


def tally(attack: str, wins: int, *, games: int = 1000, ties: int = 0, ties_won: int = 0, of_two: int | None = None) -> Tally:
    second = Wins(games=games, wins=wins if of_two is None else of_two, ties=ties, ties_won=ties_won)
    return Tally(attack=attack, games=games, wins=wins, ties=ties, ties_won=ties_won, of_two=second)


def classes(first: Tally, second: Tally, **more: Any) -> LabelObserved:
    return LabelObserved(games=first.games, trained=90, decoys=2, tallies=(first, second), **more)


def judged(observed: LabelObserved, policy: Policy = LIMIT, **more: Any) -> Finding:
    return label.judge(declared(**{"procedure": TREE, "policy": policy, **more}), observed, {})


def test_every_attack_stays_at_or_under_the_limit_for_a_pass() -> None:
    found = judged(classes(tally("range", 100), tally("records", 120)))
    assert (found.status, found.value, found.threshold) == (Status.PASS, 0.1, 0.2)
    level = clopper_pearson(100, 1000, confidence=0.975)
    assert found.interval == level
    assert judged(classes(tally("range", 100), tally("records", 195))).status is Status.INCONCLUSIVE
    assert judged(classes(tally("range", 100), tally("records", 300))).status is Status.FAIL
    assert judged(classes(tally("range", 300), tally("records", 100))).status is Status.FAIL


def test_the_limit_itself_is_allowed() -> None:
    seen = classes(tally("range", 100), tally("records", 100))
    high = clopper_pearson(100, 1000, confidence=0.975).high
    assert judged(seen, Policy(max_reconstruction=high)).status is Status.PASS
    assert judged(seen, Policy(max_reconstruction=high * (1 - 1e-12))).status is Status.INCONCLUSIVE
    low = clopper_pearson(100, 1000, confidence=0.975).low
    assert judged(seen, Policy(max_reconstruction=low)).status is Status.INCONCLUSIVE
    assert judged(seen, Policy(max_reconstruction=low * (1 - 1e-12))).status is Status.INCONCLUSIVE
    # What fails has a level of its own, which both attacks share.
    certain = clopper_pearson(100, 1000, confidence=1 - share("reconstruction-label")).low
    assert judged(seen, Policy(max_reconstruction=certain)).status is Status.INCONCLUSIVE
    assert judged(seen, Policy(max_reconstruction=certain * (1 - 1e-9))).status is Status.FAIL


def test_without_a_limit_the_games_inform() -> None:
    found = judged(classes(tally("range", 900), tally("records", 950)), Policy(before_and_after=True))
    assert (found.status, found.value, found.threshold) == (Status.SKIPPED, 0.9, None)
    assert "max_reconstruction" in basis(found.reasons)


def test_a_quick_run_decides_nothing() -> None:
    seen = classes(tally("range", 900), tally("records", 950))
    assert judged(seen, audit=audit_facts(quick=True)).status is Status.INCONCLUSIVE


def test_code_of_the_controllers_own_passes_only_on_its_word() -> None:
    seen = classes(tally("range", 100), tally("records", 100))
    own = Foreign(entry="procedure.py:Own")
    assert judged(seen, procedure=own).status is Status.INCONCLUSIVE
    word = Claims.model_validate({"attested": ["procedure-honest"], "attested_by": "A", "attested_at": "2026-01-01"})
    assert judged(seen, procedure=own, claims=word).status is Status.PASS
    assert judged(classes(tally("range", 300), tally("records", 300)), procedure=own).status is Status.FAIL


def test_an_attack_that_did_not_play_decides_nothing() -> None:
    seen = LabelObserved(games=1000, trained=90, decoys=2, tallies=(tally("range", 0),))
    assert judged(seen).status is Status.INCONCLUSIVE


def test_games_that_cannot_be_played_leave_a_limit_open() -> None:
    none = LabelObserved(unplayable="few-records")
    assert judged(none).status is Status.INCONCLUSIVE
    assert judged(none, Policy(before_and_after=True)).status is Status.SKIPPED
    with pytest.raises(ValueError, match="there is a cause"):
        LabelObserved()


def test_ties_count_as_a_fair_draw_has_them() -> None:
    found = judged(classes(tally("range", 0, ties=1000, ties_won=340), tally("records", 0, ties=1000, ties_won=330)))
    assert found.value == 0.34
    assert "Every game was a tie" in basis(found.reasons)


def test_reconstruction_refutes_weak_compliance_by_one_decoy() -> None:
    found = judged(classes(tally("range", 400, of_two=900), tally("records", 10)))
    assert isinstance(found.derived, label.Derived)
    assert found.derived.epsilon_lower == 2 * clopper_pearson(900, 1000, confidence=0.975).low - 1
    assert judged(classes(tally("range", 400), tally("records", 10))).derived.epsilon_lower == 0.0  # type: ignore[union-attr]


def test_the_rate_of_table_5_weighs_classes_as_they_are() -> None:
    by_class = (ClassGames(share=0.9, games=500, right=500), ClassGames(share=0.1, games=500, right=0))
    found = judged(classes(tally("range", 500), tally("records", 0), classes=by_class))
    assert isinstance(found.derived, label.Derived)
    assert found.derived.success_rate == pytest.approx(0.9)


def test_of_a_regression_the_share_of_the_error_that_is_left_is_told() -> None:
    seen = LabelObserved(
        games=1000,
        trained=90,
        decoys=9,
        tallies=(tally("leverage", 990), tally("constant", 400)),
        factor=30.0,
        shadow_games=50,
        distances=(Distance(attack="leverage", mean=0.5), Distance(attack="constant", mean=2.0)),
        nearer_model=5.0,
        without=Wins(games=1000, wins=120, ties=0, ties_won=0),
    )
    found = label.judge(declared(procedure=LINEAR, case=REGRESSION, policy=LIMIT), seen, {})
    assert isinstance(found.derived, label.Derived)
    assert (found.status, found.derived.left, found.derived.without) == (Status.FAIL, 0.1, 0.12)
    other = Sklearn(estimator="sklearn.tree.DecisionTreeRegressor")
    assert label.judge(declared(procedure=other, case=REGRESSION, policy=LIMIT), seen, {}).status is Status.INCONCLUSIVE


@pytest.mark.parametrize(
    ("estimator", "params", "found"),
    [
        ("sklearn.linear_model.LinearRegression", {}, LeastSquares(0.0, True)),
        ("sklearn.linear_model.LinearRegression", {"fit_intercept": False}, LeastSquares(0.0, False)),
        ("sklearn.linear_model.LinearRegression", {"positive": True}, None),
        ("sklearn.linear_model.Ridge", {}, LeastSquares(1.0, True)),
        ("sklearn.linear_model.Ridge", {"alpha": 3}, LeastSquares(3.0, True)),
        ("sklearn.linear_model.Ridge", {"alpha": [1.0, 2.0]}, None),
        ("sklearn.linear_model.Lasso", {}, None),
    ],
)
def test_least_squares_is_told_from_other_models(estimator: str, params: dict[str, Any], found: LeastSquares | None) -> None:
    assert least_squares(Sklearn(estimator=estimator, params=params)) == found


PICTURE = Picture(width=2, deleted=(0.0, 0.5, 1.0, 0.25), rebuilt=(0.0, 1.0, 1.0, 0.0))


def test_a_picture_is_told_only_where_the_policy_shows_it() -> None:
    seen = InstanceObserved(
        games=1000, trained=90, decoys=9, tallies=(tally("region", 100),), probes=40, alike=0.9, blank=300, picture=PICTURE
    )
    for shows in (True, False):
        policy = Policy(max_reconstruction=0.2, show_reconstructions=shows)
        found = instance.judge(declared(procedure=NEAREST, policy=policy), seen, {})
        assert isinstance(found.derived, instance.Derived)
        assert found.status is Status.PASS
        assert found.derived.picture == (PICTURE if shows else None)
    with pytest.raises(ValueError, match="as many rows as columns"):
        Picture(width=3, deleted=(0.0,), rebuilt=(0.0,))


def test_sentences_have_the_two_measures_of_table_7() -> None:
    seen = SentenceObserved(
        games=1000, trained=90, decoys=9, tallies=(tally("runs", 999),), order=3, words=40, whole=970, f1=0.999
    )
    found = sentence.judge(declared(procedure=Ngram(), policy=LIMIT), seen, {})
    assert isinstance(found.derived, sentence.Derived)
    assert (found.status, found.derived.success_rate, found.derived.f1) == (Status.FAIL, 0.97, 0.999)
    alone = seen.model_copy(update={"order": 1})
    told = sentence.judge(declared(procedure=Ngram(), policy=LIMIT), alone, {})
    assert isinstance(told.derived, sentence.Derived)
    assert told.derived.success_rate is None
    assert "say nothing of their order" in basis(told.reasons)


@pytest.mark.parametrize(
    ("check_id", "given", "code"),
    [
        ("reconstruction.label", {"procedure": TREE}, "deleting.not-asked"),
        ("reconstruction.label", {"procedure": Ngram()}, "reconstruction.label.none"),
        ("reconstruction.instance", {"procedure": TREE}, "reconstruction.instance.other-procedure"),
        ("reconstruction.instance", {"procedure": Ngram()}, "reconstruction.instance.sentences"),
        ("reconstruction.instance", {"procedure": LINEAR}, "reconstruction.instance.other-procedure"),
        ("reconstruction.instance", {"procedure": LINEAR, "case": REGRESSION}, "deleting.not-asked"),
        ("reconstruction.instance", {"procedure": NEAREST, "policy": LIMIT}, None),
        ("reconstruction.sentence", {"procedure": TREE, "policy": LIMIT}, "reconstruction.sentence.no-text"),
        ("reconstruction.sentence", {"procedure": Ngram()}, "deleting.not-asked"),
        ("reconstruction.sentence", {"procedure": Ngram(), "policy": LIMIT}, None),
    ],
)
def test_games_are_for_models_that_have_what_is_rebuilt(check_id: str, given: dict[str, Any], code: str | None) -> None:
    found = definitions()[check_id].applies(declared(**given), {})
    assert (None if found is None else found.code) == code
    assert definitions()[check_id].wanted(declared(**given)) == (code is None)


def test_it_is_told_how_often_the_model_classes_the_guess_as_the_deleted_record() -> None:
    def judged_with(**more: int) -> Finding:
        seen = InstanceObserved(games=1000, trained=90, decoys=9, tallies=(tally("region", 700),), probes=500, **more)
        return instance.judge(declared(procedure=NEAREST, policy=LIMIT), seen, {})

    found = judged_with(named=750, without_named=730)
    assert isinstance(found.derived, instance.Derived)
    assert (found.derived.named, found.derived.without_named) == (0.75, 0.73)
    assert "the class of the deleted record in 75.0 % of games, and what the class has in common in 73.0 %" in basis(
        found.reasons
    )
    assert "named" not in judged_with().derived.model_dump()
    with pytest.raises(ValueError, match="no more guesses"):
        judged_with(named=1001)
