"""Deletion-inference, Lemma 3.3, of an exact learner: least squares in rational numbers, where nothing is rounded.

The loss of the record that went never falls, and rises by at least what those that stay gain together. With a regulariser in the
loss that is no longer so, and which half of the lemma is lost depends on how the regulariser is weighed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression

Vector = tuple[Fraction, ...]


class Record(NamedTuple):
    x: Vector
    y: Fraction


def record(y: int | Fraction, *x: int | Fraction) -> Record:
    return Record(tuple(map(Fraction, x)), Fraction(y))


def loss(weights: Vector, one: Record) -> Fraction:
    return (sum((w * x for w, x in zip(weights, one.x, strict=True)), Fraction(0)) - one.y) ** 2


def least_squares(records: Sequence[Record], penalty: Fraction = Fraction(0)) -> Vector:
    """A minimum of the sum of squares plus penalty |w|^2, by elimination; where there are several, one with free weights at 0."""
    size = len(records[0].x)
    rows = [
        [
            *(sum((each.x[i] * each.x[j] for each in records), penalty if i == j else Fraction(0)) for j in range(size)),
            sum((each.x[i] * each.y for each in records), Fraction(0)),
        ]
        for i in range(size)
    ]
    pivots: list[int] = []
    for column in range(size):
        top = len(pivots)
        pivot = next((row for row in range(top, size) if rows[row][column]), None)
        if pivot is None:
            continue
        rows[top], rows[pivot] = rows[pivot], rows[top]
        rows[top] = [each / rows[top][column] for each in rows[top]]
        for row in range(size):
            if row != top:
                rows[row] = [a - rows[row][column] * b for a, b in zip(rows[row], rows[top], strict=True)]
        pivots.append(column)
    found = dict(zip(pivots, (row[-1] for row in rows), strict=False))
    return tuple(found.get(column, Fraction(0)) for column in range(size))


class Rises(NamedTuple):
    """How far losses rise by a deletion: of the record that went, and on average of those that stay."""

    gone: Fraction
    stay: Fraction


def deleted(records: Sequence[Record], before: Vector, after: Vector) -> Rises:
    gone, *stay = records
    mean = sum((loss(after, each) - loss(before, each) for each in stay), Fraction(0)) / len(stay)
    return Rises(loss(after, gone) - loss(before, gone), mean)


_NUMBERS = st.sampled_from(
    sorted(
        {
            Fraction(number, part)
            for part in range(1, 8)
            for number in range(-6 * part, 6 * part + 1)
            if part == 1 or abs(number) <= 3 * part
        },
        key=abs,
    )
)
"""Whole ones up to 6, and fractions up to 3: one draw each, where a fraction of hypothesis takes several."""


@st.composite
def data(draw: st.DrawFn) -> tuple[Record, ...]:
    size = draw(st.integers(1, 3))
    one = st.builds(Record, st.tuples(*[_NUMBERS] * size), _NUMBERS)
    return tuple(draw(st.lists(one, min_size=2, max_size=7)))


@given(data())
@settings(max_examples=300, deadline=None)
def test_the_loss_of_the_record_that_went_never_falls(records: tuple[Record, ...]) -> None:
    rises = deleted(records, least_squares(records), least_squares(records[1:]))
    assert rises.stay <= 0
    assert rises.gone >= -(len(records) - 1) * rises.stay
    assert rises.gone >= 0


@given(data(), st.lists(st.fractions(-1, 1, max_denominator=20), min_size=3, max_size=3))
@settings(max_examples=200, deadline=None)
def test_the_learner_is_exact(records: tuple[Record, ...], away: list[Fraction]) -> None:
    """No weights have a smaller sum of squares: without that the law says nothing of the learner."""
    found = least_squares(records)
    other = tuple(w + a for w, a in zip(found, away, strict=False))
    assert sum(loss(other, each) for each in records) >= sum(loss(found, each) for each in records)


def test_one_deletion_in_figures() -> None:
    """Worked out by hand: a line through the origin, from slope 12/7 to slope 22/13 without its first record."""
    records = (record(2, 1), record(5, 2), record(4, 3))
    before, after = least_squares(records), least_squares(records[1:])
    assert (before, after) == ((Fraction(12, 7),), (Fraction(22, 13),))
    rises = deleted(records, before, after)
    assert rises == (Fraction(108, 8281), Fraction(-2, 637))


def test_the_learner_of_scikit_learn_obeys_it_but_for_rounding() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        x, y = rng.normal(size=(12, 3)), rng.normal(size=12)
        before = LinearRegression(fit_intercept=False).fit(x, y)
        after = LinearRegression(fit_intercept=False).fit(x[1:], y[1:])
        rises = (after.predict(x) - y) ** 2 - (before.predict(x) - y) ** 2
        assert rises[0] >= -rises[1:].sum() - 1e-9
        assert rises[1:].sum() <= 1e-9


# With a regulariser, by search over small data sets.
def small() -> Iterator[tuple[Record, ...]]:
    values = (Fraction(-1), Fraction(1, 2), Fraction(1), Fraction(2))
    for x1, y1, x2, y2 in product(values, repeat=4):
        yield record(y1, x1), record(y2, x2)


def test_a_regulariser_of_the_mean_loss_may_let_the_loss_of_the_record_that_went_fall() -> None:
    """It weighs n times as much against a sum of n losses, so that a deletion takes some of it away: the fit gets better."""
    weight = Fraction(1, 2)
    found = [
        (rises, records)
        for records in small()
        if (rises := deleted(records, least_squares(records, 2 * weight), least_squares(records[1:], weight))).gone < 0
    ]
    assert found
    records = (record(Fraction(1, 2), Fraction(1, 2)), record(1, 1))
    (rises,) = (each for each, seen in found if seen == records)
    # 5/4 / (5/4 + 1) before, 1 / (1 + 1/2) after: 5/9 and 2/3 of the slope that fits both.
    assert rises.gone == ((Fraction(1, 3)) ** 2 - Fraction(4, 9) ** 2) / 4
    assert rises.stay < 0, "the first part holds here, and the second does not"


def test_a_regulariser_of_the_summed_loss_keeps_the_rise_and_loses_the_gain_of_those_that_stay() -> None:
    weight = Fraction(1, 2)
    rises = [deleted(each, least_squares(each, weight), least_squares(each[1:], weight)) for each in small()]
    assert min(each.gone for each in rises) >= 0
    assert max(each.stay for each in rises) > 0


def test_a_learner_that_stops_early_breaks_it() -> None:
    """One step of descent from 0 is no minimum: the law is one of exact learners."""
    step = Fraction(1, 10)

    def descended(records: Sequence[Record]) -> Vector:
        return (step * sum((each.x[0] * each.y for each in records), Fraction(0)) / len(records),)

    rises = [deleted(each, descended(each), descended(each[1:])) for each in small()]
    assert min(each.gone for each in rises) < 0
