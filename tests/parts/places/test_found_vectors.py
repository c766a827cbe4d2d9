"""Whose vector was found leaves nobody else untold, and carries nothing of anybody else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.base.domain import Message, Verdict
from auditor.base.records import Dataset
from auditor.parts.places.observing import row_order
from auditor.parts.store.judging.accounting import SPARE_EACH, Kept, Spare
from auditor.parts.store.observing import vector_stores
from auditor.parts.store.observing.limited_reading import account_rows
from auditor.parts.store.observing.people import People
from auditor.parts.store.readers.contents import Contents, Lies, Rows
from auditor.verdict.request_status import Data, chains
from tests.parts.places.test_vector_places import audited, case, put, vectors

__all__ = ["case"]
LEFT, GONE = "v-04", "v-25"
COUNT, WIDTH = 60, 4
VALUES = np.random.default_rng(3).normal(size=(COUNT, WIDTH)).astype(np.float32)
IDS = [f"C-{at:04d}" for at in range(COUNT)]
A, B, C = 7, 20, 41
DELETED = (A, B, C)
PEOPLE = People(
    train=Dataset(VALUES.astype(np.float64), np.zeros(COUNT, dtype=np.int64), np.array(IDS)),
    retained=~np.isin(np.arange(COUNT), DELETED),
    gone=frozenset(IDS[at] for at in DELETED),
    columns={"id": "id"},
    features=(),
    labels=None,
    places={each: at for at, each in enumerate(IDS)},
)
STAY = [at for at in range(COUNT) if at not in DELETED]
NOWHERE = Message("places.erased.place", {"name": "here"})


def kept(rows: np.ndarray[Any, Any], ids: list[str] | None, lies: Lies = Lies.LIVE, **more: Any) -> Kept:
    held = Rows(where="x", lies=lies, count=len(rows), ids=None if ids is None else tuple(ids), vectors=rows, **more)
    size = 10_000
    found = vector_stores.rows(Contents(form="x", rows=(held,), bytes=size, files=("x",)), PEOPLE)
    counted = account_rows(found, size, PEOPLE, NOWHERE)
    bits = sum(each.bits for each in row_order.orders(found, PEOPLE))
    return counted.model_copy(update={"spare": (*counted.spare, Spare(name="order of rows", bits=bits))})


def taken(at: list[int], *, named: bool) -> tuple[np.ndarray[Any, Any], list[str] | None]:
    return VALUES[at].copy(), [IDS[each] for each in at] if named else None


@pytest.mark.parametrize("named", [True, False])
def test_a_deleted_persons_own_vector_is_theirs_alone(named: bool) -> None:
    assert kept(*taken(STAY, named=named)).unexplained == 0
    for at in (sorted([*STAY, A]), [*STAY, A]):
        found = kept(*taken(at, named=named))
        assert (found.found_rows, found.found_bytes) == (1, found.unexplained)
        assert found.found_bytes == 4 * WIDTH
        assert found.spare_bits <= SPARE_EACH
    unit = VALUES / np.linalg.norm(VALUES.astype(np.float64), axis=1, keepdims=True).astype(np.float32)
    at = sorted([*STAY, A])
    found = kept(unit[at], [IDS[each] for each in at] if named else None)
    assert (found.found_rows, found.found_bytes) == (1, found.unexplained), "as all others are kept"


def _other_bit(rows: np.ndarray[Any, Any]) -> None:
    rows[-1].view(np.uint32)[0] ^= 1


def _anothers_value(rows: np.ndarray[Any, Any]) -> None:
    rows[-1][0] = VALUES[B][0]


def _anothers_vector(rows: np.ndarray[Any, Any]) -> None:
    rows[-1] = VALUES[B]


def _in_a_form_of_its_own(rows: np.ndarray[Any, Any]) -> None:
    rows[-1] /= np.linalg.norm(rows[-1])


@pytest.mark.attempt("deleted people's vectors")
@pytest.mark.parametrize("change", [_other_bit, _anothers_value, _anothers_vector, _in_a_form_of_its_own])
def test_a_row_under_a_deleted_persons_name_that_could_carry_more_is_not_theirs(
    change: Callable[[np.ndarray[Any, Any]], None],
) -> None:
    rows, ids = taken([*STAY, A], named=True)
    change(rows)
    found = kept(rows, ids)
    assert found.unexplained > 0
    assert found.found_rows == 0


@pytest.mark.attempt("deleted people's vectors")
@pytest.mark.parametrize("change", [_other_bit, _anothers_value, _in_a_form_of_its_own])
def test_no_more_is_a_row_without_a_name(change: Callable[[np.ndarray[Any, Any]], None]) -> None:
    rows, _ = taken([*STAY, A], named=False)
    change(rows)
    found = kept(rows, None)
    assert found.unexplained > 0
    assert found.found_rows == 0


@pytest.mark.attempt("deleted people's vectors")
@pytest.mark.parametrize("named", [True, False])
def test_a_second_row_of_one_person_and_one_that_is_only_marked_leave_the_rest_open(named: bool) -> None:
    twice = kept(*taken([*STAY, A, A], named=named))
    assert twice.unexplained > twice.found_bytes
    marked = kept(*taken([*STAY, A], named=named), lies=Lies.MARKED)
    assert marked.unexplained > marked.found_bytes


@pytest.mark.attempt("deleted people's vectors")
def test_a_field_that_is_not_the_persons_own_leaves_the_rest_open() -> None:
    rows, ids = taken([*STAY, A], named=True)
    fields = tuple({"note": "said"} for _ in rows)
    assert kept(rows, ids, fields=fields).found_rows == 0


@pytest.mark.attempt("deleted people's vectors")
@pytest.mark.parametrize("named", [True, False])
def test_which_of_many_have_a_row_and_where_it_stands_counts(named: bool) -> None:
    draw = np.random.default_rng(5)
    people = replace(PEOPLE, retained=np.arange(COUNT) >= 40, gone=frozenset(IDS[:40]))
    at = [*draw.permutation(40)[:20].tolist(), *range(40, COUNT)]
    rows, ids = taken(draw.permutation(at).tolist(), named=named)
    held = Rows(where="x", lies=Lies.LIVE, count=len(rows), ids=None if ids is None else tuple(ids), vectors=rows)
    found = vector_stores.rows(Contents(form="x", rows=(held,), bytes=9999, files=("x",)), people)
    assert account_rows(found, 9999, people, NOWHERE).found_rows == 20
    assert sum(each.bits for each in row_order.orders(found, people)) > SPARE_EACH


def npz(case: Path, rows: list[int], change: Callable[[np.ndarray[Any, Any]], None] | None = None) -> None:
    values = vectors()[rows]
    if change is not None:
        change(values)
    np.savez(case / "here" / "now.npz", ids=np.array([f"v-{at:02d}" for at in rows]), features=values)


@pytest.mark.parametrize("name", ["hnswlib.bin", "flat.faiss", "now.npz"])
def test_the_others_are_told_that_they_were_not_found_again(case: Path, name: str) -> None:
    put(case, name) if name != "now.npz" else npz(case, list(range(24)))
    found = audited(case, [LEFT, GONE])
    assert found.verdict is Verdict.FAIL
    assert [each.data for each in chains(found.evidence)] == [Data.FOUND, Data.NOT_FOUND]


@pytest.mark.attempt("deleted people's vectors")
def test_anothers_value_in_a_row_of_an_array_leaves_that_person_open_or_found(case: Path) -> None:
    def theirs(values: np.ndarray[Any, Any]) -> None:
        values[4][1] = vectors()[25][1]

    npz(case, list(range(24)), theirs)
    found = audited(case, [LEFT, GONE])
    assert [each.data for each in chains(found.evidence)] == [Data.FOUND, Data.OPEN]

    def whole(values: np.ndarray[Any, Any]) -> None:
        values[4] = vectors()[25]

    npz(case, list(range(24)), whole)
    assert [each.data for each in chains(audited(case, [LEFT, GONE]).evidence)] == [Data.FOUND, Data.FOUND]
