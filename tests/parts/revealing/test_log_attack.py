"""The attack on the log's own releases: whom it asks about, whom it picks out, and what it may say of anybody."""

from __future__ import annotations

import json

import numpy as np
import pytest
from pydantic import ValidationError

from auditor import case as cases
from auditor.audit.replay import Replaying, forgotten_of
from auditor.parts.revealing.judging.log_attack import LogAttack, Named, result, speaks_against
from auditor.parts.revealing.observing import log_attack
from auditor.parts.revealing.observing.log_attack import Answered
from auditor.sandbox import Level, PredictRows, Unlearn
from small_cases import problem, write

SEED = 7


@pytest.fixture
def small(tmp_path):
    return cases.read(write(tmp_path, *problem()))


def attacked_steps(case, **given):
    job = Replaying(case, seed=SEED, level=Level.NONE, **given).jobs[0]
    return [type(step) for step in job.steps if isinstance(step, PredictRows | Unlearn)]


def answers(case, *, rise):
    """What models answer that predict every record well, but for the deleted ones after their batch."""
    labels = case.train.labels
    found = []
    for batch, asked in zip(forgotten_of(case), log_attack.draw(case, forgotten_of(case), seed=SEED), strict=True):
        right = np.full(len(asked.rows), 0.9)
        before, after = right.copy(), right.copy()
        after[np.isin(asked.rows, batch)] -= rise
        found.append(Answered(asked, *(_of_two(labels[asked.rows], each) for each in (before, after))))
    return found


def _of_two(labels, right):
    table = np.stack([1 - right, right], axis=1)
    return np.where(labels[:, None] == 1, table, table[:, ::-1])


def test_models_before_and_after_each_batch_are_asked_where_somebody_sees_both_and_only_there(small):
    assert attacked_steps(small) == [Unlearn, Unlearn]
    rows = [each.rows for each in log_attack.draw(small, forgotten_of(small), seed=SEED)]
    assert attacked_steps(small, around=rows) == [PredictRows, Unlearn, PredictRows] * 2


def test_decoys_stay_to_the_end_and_have_the_class_of_the_record(small):
    gone = np.concatenate(forgotten_of(small))
    for batch, asked in zip(forgotten_of(small), log_attack.draw(small, forgotten_of(small), seed=SEED), strict=True):
        assert {line.record for line in asked.lines} == set(batch.tolist())
        assert asked.rows.tolist() == sorted(set(asked.rows.tolist())), "their order tells nothing"
        for line in asked.lines:
            alike = np.flatnonzero(small.train.labels == small.train.labels[line.record])
            assert len(line.decoys) == min(19, len(np.setdiff1d(alike, gone)))
            assert not np.isin([*line.decoys, line.opponent], gone).any()
            assert set(small.train.labels[[*line.decoys, line.opponent]].tolist()) == {small.train.labels[line.record]}
            assert {line.record, line.opponent, *line.decoys.tolist()} <= set(asked.rows.tolist())


def test_records_that_lose_most_are_picked_out_and_their_requests_named(small):
    seen = log_attack.observe(small, answers(small, rise=0.5), seed=SEED)
    assert (seen.records, seen.first, seen.tied, seen.games, seen.ahead) == (3, 3, 0, 2, 2)
    assert seen.picked == Named(request_ids=("R-0", "R-1"))
    assert seen.not_tried == Named()
    found = result(seen, confidence=0.95)
    assert found.share == 1
    assert found.by_guessing == pytest.approx(seen.expected / 3)


def test_where_nothing_moves_all_is_a_tie_and_nobody_is_picked_out(small):
    seen = log_attack.observe(small, answers(small, rise=0.0), seed=SEED)
    assert (seen.first, seen.tied, seen.ahead, seen.ties) == (0, 3, 0, 2)
    assert seen.picked == Named()


def test_records_that_lose_least_are_not_picked_out(small):
    seen = log_attack.observe(small, answers(small, rise=-0.05), seed=SEED)
    assert (seen.first, seen.tied, seen.ahead, seen.ties) == (0, 0, 0, 0)


def test_a_record_whose_class_has_nobody_left_is_not_attacked(tmp_path):
    features, labels = problem()
    labels[:2] = 2
    case = cases.read(write(tmp_path, features, labels, deleted=[["rec-0000"], ["rec-0001", "rec-0005"]]))
    first, second = log_attack.draw(case, forgotten_of(case), seed=SEED)
    assert first is None
    assert [line.record for line in second.lines] == [5]
    rows = case.train.labels[second.rows]
    even = np.full((len(rows), 3), 1 / 3)
    seen = log_attack.observe(case, [Answered(second, even, even)], seed=SEED)
    assert seen.not_tried == Named(request_ids=("R-0",))
    assert log_attack.observe(case, [], seed=SEED) is None


def test_a_regression_is_attacked_by_squared_errors(tmp_path):
    features, labels = problem()
    folder = write(tmp_path, features, labels + 0.5, procedure='loss = "least-squares"')
    text = (folder / "audit.toml").read_text(encoding="utf-8")
    (folder / "audit.toml").write_text(text.replace('"classification"', '"regression"'), encoding="utf-8")
    case = cases.read(folder)
    found = []
    for batch, asked in zip(forgotten_of(case), log_attack.draw(case, forgotten_of(case), seed=SEED), strict=True):
        before = case.train.labels[asked.rows] + 0.1
        found.append(Answered(asked, before, np.where(np.isin(asked.rows, batch), before + 1, before)))
    assert log_attack.observe(case, found, seed=SEED).first == 3


def test_silence_of_the_log_is_no_word_that_somebody_sees_both(tmp_path, small):
    assert not log_attack.seen_by_somebody(small)
    rows = [json.loads(line) for line in (tmp_path / "deletions.jsonl").read_text(encoding="utf-8").splitlines()]
    rows[0]["seen_releases"] = 1
    (tmp_path / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert log_attack.seen_by_somebody(cases.read(tmp_path))


def test_what_the_log_shows_speaks_against_a_limit_only_where_it_is_above_it_for_certain():
    given = {"records": 40, "decoys": 19, "first": 30, "tied": 0, "tied_won": 0, "expected": 2.0, "picked": {}, "not_tried": {}}
    for ahead, against in ((40, True), (24, False)):
        found = LogAttack(**given, games=40, ahead=ahead, ties=0, ties_won=0)
        assert speaks_against(found, 0.6) is against
        assert not speaks_against(found, None)


@pytest.mark.parametrize("wrong", [{"first": 41}, {"tied": 11}, {"ahead": 41}, {"ties_won": 1}, {"expected": 30.0}])
def test_counts_that_cannot_be_are_refused(wrong):
    given = {"records": 40, "decoys": 19, "first": 30, "tied": 0, "tied_won": 0, "expected": 2.0, "picked": {}, "not_tried": {}}
    given |= {"games": 40, "ahead": 24, "ties": 0, "ties_won": 0}
    with pytest.raises(ValidationError):
        LogAttack(**(given | wrong))


def test_people_of_one_ticket_are_told_apart():
    named = Named(request_ids=("R", "R"), subjects=("p", "q"))
    assert named.holds("R", "p")
    assert not named.holds("R", "z")
    assert Named(request_ids=("R",)).holds("R", "anybody")
    with pytest.raises(ValidationError):
        Named(request_ids=("R", "S"), subjects=("p",))
