"""Rows derived from deleted records: how many are seen, and how seldom honest logs are left open, whoever is deleted."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris
from test_data_erased import observed

from auditor.base.deletion_log.requests import Request
from auditor.base.domain import Effect, Status
from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.pages.words import basis
from auditor.parts.store.judging.accounting import Concerned
from auditor.parts.store.judging.data_erased import CHECK, Derived, judge
from auditor.parts.store.judging.derived_rows import LEVEL, LEVEL_EACH, SHARES, DerivedRows, Step, ViewOfRows
from auditor.parts.store.observing import derived_rows as module
from auditor.parts.store.observing import points
from auditor.parts.store.observing.derived_rows import Table, compared, declared_rows, derived_rows
from benchmarks import derived_rows as simulated
from benchmarks.near_copies import dataset
from judging import attesting, case_facts, declared

AT = datetime(2026, 1, 1, tzinfo=UTC)


def asked_for(train: Dataset, deleted: np.ndarray) -> list[Request]:
    return [Request(row, f"Q{row}", (str(train.ids[row]),), AT) for row in deleted.tolist()]


def opened(found: DerivedRows | None) -> list[str]:
    assert found is not None
    return [view.view for view, _ in found.counting]


# Each share is a test of its own at LEVEL_EACH: that one of 80 draws is open happens once in four times 80 × LEVEL, two never.
@pytest.mark.parametrize("way", [name for name in simulated.WAYS if name != "whole people"])
@pytest.mark.parametrize("name", ["iris", "digits"])
def test_honest_logs_stay_closed_whoever_is_deleted(name: str, way: str) -> None:
    train = dataset({"iris": load_iris, "digits": load_digits}[name]().data[:900])
    table, points = Table.of(train), simulated.points_of(train)
    assert table is not None
    seen = 0
    for draw in range(80):
        gone = np.sort(simulated.WAYS[way](train, points, 20, np.random.default_rng(draw)))
        found = compared(table, train, gone, (), seed=draw)
        seen += bool(found is not None and found.counting)
    assert seen <= 1


def test_all_rows_of_a_person_leave_nothing_near() -> None:
    train = simulated.several_a_person(1_000)
    table = Table.of(train)
    assert table is not None
    for draw in range(20):
        who = simulated.WAYS["whole people"](train, train.features, 40, np.random.default_rng(draw))
        assert opened(compared(table, train, np.sort(who), ())) == []


def test_rows_that_are_closer_where_people_ask_for_deletion_are_compared_with_those_next_to_them() -> None:
    """A crowd in which every other row has a twin of others: drawn at random among all rows, its twins look derived."""
    rng = np.random.default_rng(0)
    crowd = rng.normal(size=(300, 6)) * 0.3
    twins = crowd + 0.01 * rng.normal(size=crowd.shape)
    train = dataset(np.concatenate([crowd, twins, 8.0 + rng.normal(size=(4_000, 6))]))
    deleted = np.sort(rng.choice(300, 30, replace=False))
    found = derived_rows(train, deleted, ())
    assert found is not None
    assert opened(found) == []
    given = found.views[0]
    assert min(step.p_of_drawn(30, given.retained_looked_at) for step in given.steps) <= LEVEL_EACH


@pytest.mark.parametrize(
    ("kind", "count", "view"), [("noise of 2 %", 5, "given"), ("noise of 10 %", 20, "given"), ("SMOTE", 20, "given")]
)
def test_derived_rows_are_seen_and_the_requests_are_named(kind: str, count: int, view: str) -> None:
    train = dataset(load_digits().data)
    rng = np.random.default_rng(1)
    gone = np.sort(rng.choice(len(train), 20, replace=False))
    whole = dataset(np.concatenate([train.features, simulated.MADE[kind](train, gone, count, rng)]))
    found = derived_rows(whole, gone, asked_for(whole, gone))
    assert found is not None
    assert view in opened(found)
    for each, step in found.counting:
        assert len(each.request_ids) >= step.found >= 4
        assert set(each.request_ids) <= {f"Q{row}" for row in gone}
    assert all(not each.request_ids for each in found.views if each.counted(found.deleted) is None)


def test_mirrored_pictures_are_seen_in_the_mirror_and_columns_in_any_order_where_they_are_sorted() -> None:
    train = dataset(load_digits().data[:900])
    rng = np.random.default_rng(2)
    gone = np.sort(rng.choice(len(train), 20, replace=False))
    mirrored = dataset(np.concatenate([train.features, simulated.mirrored(train, gone, 20, rng)]))
    assert "mirrored" in opened(derived_rows(mirrored, gone, ()))
    exchanged = dataset(np.concatenate([train.features, train.features[gone][:, rng.permutation(64)]]))
    assert opened(derived_rows(exchanged, gone, ())) == ["sorted"]


def test_copies_neither_count_nor_hide_a_derived_row() -> None:
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(400, 6))
    gone = np.arange(20)
    equal = derived_rows(dataset(np.concatenate([rows, rows[:20]])), gone, ())
    assert opened(equal) == []
    both = derived_rows(dataset(np.concatenate([rows, rows[:20], rows[:20] + 0.01])), gone, ())
    assert "given" in opened(both)


def test_a_cluster_whose_rows_share_one_neighbour_counts_once() -> None:
    rng = np.random.default_rng(4)
    rows = np.concatenate([rng.normal(size=(300, 4)), 50 + 1e-3 * rng.normal(size=(30, 4)), [[50.0] * 4]])
    found = derived_rows(dataset(rows), np.arange(300, 330), ())
    assert found is not None
    assert all(step.found <= 1 for step in found.views[0].steps)


def test_words_stay_and_numbers_alone_are_reversed_or_sorted() -> None:
    rng = np.random.default_rng(5)
    columns = (Column("a", Kind.NUMBER, -99.0), Column("w", Kind.TEXT, -1.0, ("x", "y", "z")), Column("b", Kind.NUMBER, -99.0))
    rows = np.stack([rng.normal(size=300), rng.integers(0, 3, 300), rng.normal(size=300)], axis=1)
    table = Table.of(dataset(rows, columns))
    assert table is not None
    assert [each.name for each in table.views] == ["given", "mirrored", "sorted"]
    one = Table.of(dataset(rows[:, :2], columns[:2]))
    assert one is not None
    assert [each.name for each in one.views] == ["given"]


def test_where_nothing_is_deleted_or_little_is_left_nothing_is_said() -> None:
    rows = dataset(np.random.default_rng(6).normal(size=(70, 3)))
    assert derived_rows(rows, np.empty(0, dtype=np.int64), ()) is None
    assert derived_rows(rows, np.arange(20), ()) is None
    assert derived_rows(dataset(np.zeros((500, 3))), np.arange(5), ()) is None


def test_declared_rows_are_left_out_and_lead_back_through_any_number_of_rows() -> None:
    rng = np.random.default_rng(7)
    rows = rng.normal(size=(300, 5))
    whole = dataset(np.concatenate([rows, rows[:20] + 0.01, rows[:20] + 0.02]))
    ids = whole.ids.tolist()
    cells = [""] * 300 + ids[:20] + ids[300:320]
    made, parents = declared_rows(whole.ids, cells, np.arange(20))
    assert np.flatnonzero(made).tolist() == list(range(300, 340))
    assert parents == frozenset(ids[:20])
    found = derived_rows(whole, np.arange(20), (), apart=made)
    assert found is not None
    assert (found.declared, found.apart, opened(found)) == (40, 0, [])
    # Rows that are deleted with their records hold nothing, and those of two records lead back to both.
    assert declared_rows(whole.ids, cells, np.r_[np.arange(20), np.arange(300, 340)])[1] == frozenset()
    assert declared_rows(whole.ids, [*cells[:-1], "r0; r7"], np.array([7]))[1] == {"r7"}


def test_what_is_declared_stays_said_where_nothing_is_left_to_be_compared() -> None:
    whole = dataset(np.random.default_rng(8).normal(size=(300, 5)))
    declared = np.zeros(300, dtype=bool)
    declared[:20] = declared[100:120] = True
    found = derived_rows(whole, np.arange(20), (), apart=declared)
    assert found is not None
    assert (found.deleted, found.declared, found.apart, found.views) == (0, 40, 20, ())
    assert not found.able
    assert derived_rows(whole, np.empty(0, dtype=np.int64), (), apart=np.zeros(300, dtype=bool)) is None


def test_chains_of_declared_rows_take_no_longer_than_their_rows() -> None:
    ids = np.array([f"r{row}" for row in range(50_000)])
    _, parents = declared_rows(ids, ["", *ids[:-1].tolist()], np.array([0, 7]))
    assert parents == {"r0", "r7"}


@pytest.mark.parametrize("far", [1e8, 1e12, 1e160, 1e200, 1e300])
def test_a_row_that_is_far_off_hides_no_derived_ones(far: float) -> None:
    rng = np.random.default_rng(9)
    rows = rng.normal(size=(3_000, 6))
    made = rows[:100] + 0.02 * rng.normal(size=(100, 6))
    outlier = np.full((1, 6), far)
    whole = dataset(np.concatenate([rows, made, outlier]))
    assert "given" in opened(derived_rows(whole, np.arange(100), asked_for(whole, np.arange(100))))


def view(found: int, *, retained: int = 20, neighbours: int = 4, names: tuple[str, ...] = ("R-1",), **more: Any) -> ViewOfRows:
    steps = (Step(found=found, retained=retained, neighbours=neighbours),) * len(SHARES)
    sizes = {"retained_looked_at": 5_000, "neighbours_looked_at": 400, **more}
    return ViewOfRows(view="given", request_ids=names, steps=steps, **sizes)


@pytest.mark.parametrize(
    ("found", "changes", "status"),
    [
        (6, {}, Status.INCONCLUSIVE),
        (6, {"retained": 1_250}, Status.PASS),
        (6, {"neighbours": 100}, Status.PASS),
        (6, {"neighbours": 0, "neighbours_looked_at": 0}, Status.PASS),
        (1, {}, Status.PASS),
    ],
)
def test_both_groups_have_to_reject_and_it_only_leaves_open(found: int, changes: dict[str, Any], status: Status) -> None:
    seen = observed(derived_rows=DerivedRows(deleted=20, views=(view(found, **changes),)))
    finding = judge(declared(), seen, {})
    assert isinstance(finding.derived, Derived)
    assert (finding.status, bool(finding.derived.derived)) == (status, status is not Status.PASS)
    by_word = judge(declared(claims=attesting("copies-are-others")), seen, {})
    assert by_word.status is Status.PASS


def test_what_looks_derived_concerns_the_requests_that_are_named_unless_not_all_rows_were_measured() -> None:
    gone = declared(case=case_facts(training_records=100, records_left=80))
    seen = observed(deleted=20, derived_rows=DerivedRows(deleted=20, views=(view(6),)))
    finding = judge(gone, seen, {})
    assert isinstance(finding.derived, Derived)
    assert (finding.derived.copied, finding.derived.any_request) == (Concerned(request_ids=("R-1",)), False)
    assert "6 of 20 deleted training records have a retained one improbably near" in basis(finding.reasons)
    for few in (DerivedRows(deleted=19, views=(view(6),)), DerivedRows(deleted=20, views=(view(6, names=()),))):
        other = judge(gone, observed(deleted=20, derived_rows=few), {}).derived
        assert isinstance(other, Derived)
        assert other.any_request


@pytest.mark.parametrize(("deleted", "looked_at", "spent"), [(20, 5_000, [LEVEL]), (1, 5_000, []), (5, 30, [LEVEL]), (3, 20, [])])
def test_it_declares_its_level_where_a_test_could_reject(deleted: int, looked_at: int, spent: list[float]) -> None:
    shown = view(0, retained=0, neighbours=0, retained_looked_at=looked_at, neighbours_looked_at=0, names=())
    seen = observed(derived_rows=DerivedRows(deleted=deleted, views=(shown,)))
    levels = CHECK.levels(declared(), seen, judge(declared(), seen, {}))
    assert [(each.test, each.effect, each.level) for each in levels] == [
        ("derived-rows", Effect.LEAVES_OPEN, each) for each in spent
    ]


def test_the_benchmark_runs_at_a_tiny_size(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulated.opened(dataset(load_iris().data), simulated.noise(0.02), 20, 2) == 1.0
    assert simulated.main(["--rows", "400", "--draws", "1", "--derived", "1", "--only", "speed"]) == 0
    assert "Adult, six columns" in capsys.readouterr().out


@pytest.mark.parametrize("seed", range(4))
def test_a_large_table_is_measured_a_few_points_at_a_time_with_the_same_counts(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(700, 9))
    rows[600:620] = rows[:20] + rng.normal(scale=1e-3, size=(20, 9))
    rows[620:640] = rows[20:40]
    train, gone = dataset(rows), np.arange(0, 40, 2)
    once = derived_rows(train, gone, ())
    monkeypatch.setattr(module, "_POINTS", 64)
    monkeypatch.setattr(module, "_ASKED", 7)
    monkeypatch.setattr(points, "_HELD", 0)
    assert derived_rows(train, gone, ()) == once
    assert once is not None
    assert any(view.counted(20) is not None for view in once.views)
