"""What shows less of a deleted record, measured: the same reconstruction games under each remedy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_reconstruction_games import LINEAR, NEAREST, nearest_neighbour, small, unmoved
from test_reconstructions_told import GAMES, labels, tally, told_with

from auditor import case as cases
from auditor.base.domain import Status
from auditor.case import Case
from auditor.pages import render
from auditor.pages.remedies import of_check
from auditor.pages.remedies import remedies as todo
from auditor.pages.words import basis
from auditor.pages.words.rendered_evidence import tell
from auditor.parts.revealing.judging.reconstruction import instance, judging, label, sentence
from auditor.parts.revealing.judging.reconstruction.observed import (
    DECOYS,
    InstanceObserved,
    LabelObserved,
    Played,
    Tally,
    Under,
    Wins,
)
from auditor.parts.revealing.observing.deleting.remedies import arriving
from auditor.parts.revealing.observing.reconstructing import instances, observe, remedies
from auditor.parts.revealing.observing.reconstructing.drawing import draw
from auditor.parts.revealing.telling import deletion_games
from auditor.settings.learning import Sklearn
from auditor.settings.tables import InferenceTable, Policy
from auditor.verdict.checks.remedies import PrivateTraining
from deletion_games import how
from judging import context_of_case, declared
from swap_games import records
from text_cases import write

LIMIT = "max_reconstruction = 0.2\n"
BATCHES = {"several-2", "several-5", "several-10"}


def seen(case: Case, games: int = 30) -> dict[str, Played]:
    playing = replace(case, settings=case.settings.model_copy(update={"inference": InferenceTable(games=games)}))
    return dict(observe(playing, context_of_case(playing), how()))


def under(found: Played) -> dict[str, tuple[Tally, ...]]:
    return {each.remedy: each.tallies for each in found.under}


def test_whoever_goes_along_is_no_candidate_and_a_record_of_every_class_stays() -> None:
    data, rng = records(60, seed=2, classes=3), np.random.default_rng(1)
    codes = data.labels.astype(np.int64)
    for each in draw(data, name="test", games=20, seed=1, classes=True, each_class=True):
        together = remedies.in_batches(each, codes, rng)
        assert [len(gone) for gone in together.game.deleted] == [2, 5, 10]
        for gone in together.game.deleted:
            assert gone[0] == each.deleted == together.deleted
            assert not np.isin(gone[1:], each.candidates).any()
            assert set(codes[np.setdiff1d(np.setdiff1d(each.game.trained, gone), each.candidates)].tolist()) == {0, 1, 2}
        assert len(together.game.unlearn_seeds) == 3


def test_a_nearest_neighbour_is_played_under_every_remedy_where_the_limit_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instances, "MOST_PROBES", 100)
    case = small(tmp_path, NEAREST, policy=LIMIT, holdout=300)
    found = seen(case, games=20)
    for each in (found[label.CARD.id], found[instance.CARD.id]):
        assert set(under(each)) == {"labels", "rounded", *BATCHES, "waiting", "private"}
        assert {one.games for tallies in under(each).values() for one in tallies} == {20}
        assert each.private is not None
        assert (each.private.epsilon, each.private.delta) == (1.0, 1e-5)
        assert each.private.records > 0
    # One neighbour answers with a class alone, so that fewer answers show as much.
    record = under(found[instance.CARD.id])
    first = found[instance.CARD.id].tallies[0]
    assert {(each.wins, each.ties) for each in (*record["labels"], *record["rounded"])} == {(first.wins, first.ties)}
    assert record["several-10"][0].right < first.right


def test_the_target_of_least_squares_is_hidden_by_batches_and_not_by_rounding(tmp_path: Path) -> None:
    found = seen(small(tmp_path, LINEAR, task="regression", policy=LIMIT))
    told = found[label.CARD.id]
    assert set(under(told)) == {"rounded", *BATCHES, "waiting"}
    assert told.private is None, "private training of ours is for classes"
    leverage = {
        remedy: next(each.right for each in tallies if each.attack == label.LEVERAGE) for remedy, tallies in under(told).items()
    }
    assert told.tallies[0].attack == label.LEVERAGE
    assert told.tallies[0].right == 30
    assert leverage["several-10"] < leverage["rounded"] <= 30


def test_sentences_are_rebuilt_from_rounded_answers_and_less_well_from_batches(tmp_path: Path) -> None:
    case = cases.read(write(tmp_path))
    limited = replace(case, settings=case.settings.model_copy(update={"policy": Policy(max_reconstruction=0.05)}))
    found = seen(limited)[sentence.CARD.id]
    assert {"rounded", "several-2", "waiting"} <= set(under(found))
    assert [each.attack for each in under(found)["rounded"]] == [sentence.RUNS, sentence.CLEARLY]
    assert {one.games for tallies in under(found).values() for one in tallies} == {30}
    assert under(found)["several-2"][0].right < found.tallies[0].right


def test_nothing_is_measured_where_the_limit_is_kept_or_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("labels", "instances"):
        monkeypatch.setattr(f"auditor.parts.revealing.observing.reconstructing.{module}.play", unmoved)
    for policy in ("before_and_after = true\n", "max_reconstruction = 1.0\n"):
        for each in seen(small(tmp_path, NEAREST, policy=policy), games=5).values():
            assert each.under == ()
            assert {"under", "private"}.isdisjoint(each.model_dump())


def test_records_that_arrive_with_the_next_retraining_are_not_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def played(case, questions, *args, name, **more):
        if name.endswith("next retraining"):
            asked.extend(questions)
        return nearest_neighbour(case, questions) if all(each.game.deleted for each in questions) else unmoved(case, questions)

    monkeypatch.setattr(instances, "play", played)
    monkeypatch.setattr("auditor.parts.revealing.observing.reconstructing.labels.play", played)
    case = small(tmp_path, NEAREST, policy="max_reconstruction = 0.001\n")
    (drawn,) = draw(case.train, name=instance.CARD.id, games=1, seed=how().seed, classes=True)
    monkeypatch.setattr(remedies._Again, "in_batches", lambda _self: iter(()))
    monkeypatch.setattr(remedies._Again, "private", lambda _self, _own: (None, None))
    instances.observe(case, how(), games=1, holds=lambda _tallies: False)
    new = case.train.features[arriving(drawn.game)]
    first, then = asked[-2:]
    assert np.array_equal(first.rows, then.rows)
    assert not any((row == first.rows).all(axis=1).any() for row in new)
    assert set(then.game.trained.tolist()) == set(drawn.game.trained.tolist()) - {drawn.deleted} | set(
        arriving(drawn.game).tolist()
    )


def remedied(*, right: int) -> tuple[Under, ...]:
    return (
        Under(remedy="labels", tallies=(tally("range", 400), tally("records", 100))),
        Under(remedy="several-5", tallies=(tally("range", right), tally("records", 100))),
    )


def judged(observed: LabelObserved):
    nearest = Sklearn(estimator="sklearn.neighbors.KNeighborsClassifier", params={"n_neighbors": 1})
    return label.judge(declared(procedure=nearest, policy=Policy(max_reconstruction=0.2)), observed, {})


def test_every_attack_has_a_say_on_whether_a_remedy_is_enough() -> None:
    found = judged(labels(500, under=remedied(right=100)))
    assert found.status is Status.FAIL
    assert [(each.remedy, each.enough, each.attack) for each in found.derived.remedies] == [
        ("labels", False, "range"),
        ("several-5", True, "range"),
    ]
    assert "deleting 5 records at a time would keep every attack within the limit" in basis(found.reasons)
    assert "None of the remedies measured" in basis(judged(labels(500, under=remedied(right=190))).reasons)
    assert "remedies" not in judged(labels(500)).derived.model_dump()


def test_remedies_are_measured_once_with_all_attacks_and_no_more_games() -> None:
    good = remedied(right=100)
    cost = PrivateTraining(epsilon=1.0, delta=1e-5, right=1, own_right=2, records=3)
    one = Wins(games=GAMES + 1, wins=0, ties=0, ties_won=0)
    more = Tally(attack="range", of_two=one, **one.model_dump())
    for given in (
        {"under": (good[0], good[0])},
        {"under": (Under(remedy="labels", tallies=(tally("range", 1),)),)},
        {"under": (Under(remedy="labels", tallies=(more, tally("records", 1))),)},
        {"under": good, "private": cost},
    ):
        with pytest.raises(ValueError, match=r"remed|attack|games"):
            labels(500, **given)
    assert InstanceObserved(unplayable="few-records").under == ()
    assert DECOYS == 9
    assert judging.holds(declared(policy=Policy()), (tally("range", 999),))


def test_people_read_which_remedy_is_enough() -> None:
    told = tell(told_with(labels(500, under=remedied(right=100)), max_reconstruction=0.2))
    said = " ".join(deletion_games.sentences(told))
    assert "in more than 20 of 100 games" in said
    assert "5 records deleted at a time" in said
    none = tell(told_with(labels(500, under=remedied(right=190)), max_reconstruction=0.2))
    assert "no remedy that was measured" in " ".join(deletion_games.sentences(none))


def test_whoever_has_to_act_is_told_the_remedy_that_is_enough() -> None:
    told = tell(told_with(labels(500, under=remedied(right=100)), max_reconstruction=0.2))
    (step,) = of_check(todo(told), label.CARD.id)
    assert "Apply a remedy measured as sufficient: 5 records deleted at a time" in step.action
    (nothing,) = of_check(todo(tell(told_with(labels(500, under=remedied(right=190)), max_reconstruction=0.2))), label.CARD.id)
    assert "None of the milder remedies" in nothing.action
    page = render.html(told)
    assert "The same guesses, if less were shown" in page
    assert page.count("5 records deleted at a time") >= 3, "on the page on attacks, in the annex, and in what to do"
