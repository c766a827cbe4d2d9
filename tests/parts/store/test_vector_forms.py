"""A file keeps vectors in one form and numbers them in one way; rows in another, and gaps, could hold another record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pytest
import torch

from auditor.base.domain import Message
from auditor.base.records import Dataset
from auditor.parts.store.judging.accounting import Kept, with_room
from auditor.parts.store.observing import vector_stores
from auditor.parts.store.observing.limited_reading import account_rows
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.vector_forms import OneForm
from auditor.parts.store.readers.contents import Contents, Lies, Rows

Vectors = npt.NDArray[np.float32]
COUNT, GONE = 403, 3
DRAW: Final = np.random.default_rng(9)
LEFT: Final = np.arange(GONE, COUNT)


def people(width: int = 24) -> People:
    values = DRAW.normal(size=(COUNT, width)).astype(np.float32)
    ids = [f"C-{at:04d}" for at in range(COUNT)]
    return People(
        train=Dataset(values.astype(np.float64), np.zeros(COUNT, dtype=np.int64), np.array(ids)),
        retained=np.arange(COUNT) >= GONE,
        gone=frozenset(ids[:GONE]),
        columns={"id": "id"},
        features=(),
        labels=None,
        places={each: at for at, each in enumerate(ids)},
    )


def own(who: People) -> Vectors:
    return who.train.features[LEFT].astype(np.float32)


def kept(vectors: Vectors, who: People, *, named: bool, labels: npt.NDArray[np.int64] | None = None) -> Kept:
    ids = tuple(who.train.ids[LEFT].tolist()) if named else None if labels is None else tuple(map(str, labels.tolist()))
    held = Rows(where="x", lies=Lies.LIVE, count=len(vectors), ids=ids, vectors=vectors)
    found = vector_stores.rows(Contents(form="x", rows=(held,), bytes=99999, files=("x",)), who)
    return account_rows(found, 99999, who, Message("places.erased.place", {"name": "here"}))


def lengths(values: Vectors) -> Vectors:
    return np.linalg.norm(values, axis=1, keepdims=True)


def by_processors(values: Vectors) -> Vectors:
    """As faiss gave it on one with lanes of sixteen."""
    sums = np.zeros((len(values), 16))
    for at in range(0, values.shape[1] // 16 * 16, 16):
        sums = (values[:, at : at + 16].astype(np.float64) ** 2 + sums).astype(np.float32)
    while sums.shape[1] > 1:
        sums = sums[:, : sums.shape[1] // 2] + sums[:, sums.shape[1] // 2 :]
    found = sums[:, 0]
    for at in range(values.shape[1] // 16 * 16, values.shape[1]):
        found = (values[:, at].astype(np.float64) ** 2 + found).astype(np.float32)
    return np.asarray(values * (np.float32(1) / np.sqrt(found))[:, None])


ONE: Final[dict[str, Callable[[Vectors], Any]]] = {
    "as they are": lambda values: values,
    "numpy": lambda values: values / lengths(values),
    "numpy, by its inverse": lambda values: values * (1 / lengths(values)),
    "numpy, each row": lambda values: np.array([row / np.linalg.norm(row) for row in values]),
    "torch": lambda values: torch.nn.functional.normalize(torch.from_numpy(values)).numpy(),
    "lanes": by_processors,
}


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("width", [3, 24, 100])
@pytest.mark.parametrize("name", ONE)
def test_rows_in_the_form_of_one_library_say_nothing(name: str, width: int, named: bool) -> None:
    who = people(width)
    found = kept(ONE[name](own(who)).astype(np.float32), who, named=named)
    assert (found.unexplained, found.changed, found.spare_bits) == (0, 0, 0)


def _next(values: Vectors) -> Vectors:
    up = (lengths(values).view(np.int32) + 1).view(np.float32)
    return values / up


@pytest.mark.attempt("deleted people's vectors")
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("other", [_next, ONE["as they are"], ONE["numpy, by its inverse"]])
def test_a_record_in_the_form_of_rows_is_left_open(other: Callable[[Vectors], Vectors], named: bool) -> None:
    who = people()
    values = own(who)
    bits = np.unpackbits(np.frombuffer(who.train.features[:GONE].tobytes(), np.uint8))[: len(values)].astype(bool)
    secret = np.where(bits[:, None], other(values), ONE["numpy"](values)).astype(np.float32)
    assert with_room((kept(secret, who, named=named),))


def test_a_few_rows_in_another_form_are_counted_and_no_more() -> None:
    """As of people who were added since by another program."""
    who = people()
    vectors = ONE["numpy"](own(who))
    vectors[-2:] = own(who)[-2:]
    found = kept(vectors, who, named=True)
    assert (found.unexplained, found.changed) == (0, 0)
    assert 16 < found.spare_bits < 64


@pytest.mark.attempt("deleted people's vectors")
def test_the_form_of_each_table_of_a_file_is_counted_where_it_is_another_than_before() -> None:
    values = DRAW.normal(size=(8, 24)).astype(np.float32)
    for turns, least in (((0, 0, 0, 0), 0), ((0, 1, 0, 1), 24)):
        form, said = OneForm(), 0
        for turn in turns:
            same, bits = form.compare((values / lengths(values)) if turn else values, values)
            assert same.all()
            said += bits
        assert said == least


LABELS: Final[dict[str, npt.NDArray[np.int64]]] = {
    "of rows": np.arange(len(LEFT)),
    "from 1": np.arange(len(LEFT)) + 1,
    "of everybody": LEFT,
    "of everybody, from 1": LEFT + 1,
    "as threads add rows": DRAW.permutation(LEFT),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_that_number_rows_or_people_say_nothing(name: str) -> None:
    who = people()
    found = kept(own(who), who, named=False, labels=LABELS[name])
    assert (found.unexplained, found.spare_bits) == (0, 0)


def test_so_do_labels_of_everybody_where_a_store_has_a_part_of_those_who_stay() -> None:
    who = people()
    some = np.sort(DRAW.permutation(len(LEFT))[:50])
    found = kept(own(who)[some], who, named=False, labels=LEFT[some])
    assert (found.unexplained, found.spare_bits) == (0, 0)


@pytest.mark.attempt("deleted people's vectors")
@pytest.mark.parametrize("step", [1, 50])
def test_a_record_in_gaps_between_labels_is_left_open(step: int) -> None:
    who = people()
    labels = np.cumsum(DRAW.integers(1, step + 2, len(LEFT)))
    assert with_room((kept(own(who), who, named=False, labels=labels),))


def test_rows_that_are_still_in_a_log_are_in_a_form_of_their_own_and_others_are_counted() -> None:
    who = people()
    logged = own(who)
    logged[:-38] = logged[:-38] / lengths(logged[:-38])
    _, in_log = OneForm().compare(logged, own(who))
    assert 0 < in_log <= 40
    hidden = own(who)
    some = DRAW.permutation(len(hidden))[:38]
    hidden[some] = hidden[some] / lengths(hidden[some])
    _, found = OneForm().compare(hidden, own(who))
    assert found > 100
