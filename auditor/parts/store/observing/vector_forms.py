"""Vectors in the forms that stores keep: as they are, or divided by their length, which each library rounds in its own way.

Libraries add squares in their own order, several at once, and with or without rounding each before it is added, so that lengths
end a few bits apart. One program writes a file, and so all its rows are in one form, or in two where the last are still in a log:
which are not is counted in bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.parts.store.observing.spare_bits import of_choice

Vectors: TypeAlias = npt.NDArray[np.float32]
Form: TypeAlias = Callable[[Vectors], Vectors]
_Marks: TypeAlias = npt.NDArray[np.bool_]
_ULPS: Final = range(-4, 5)
_SAMPLE: Final = 64
"""Rows by which a form is chosen."""
_TRIED: Final = 4
"""Forms that fit the sample alike and are compared on all rows."""
_OF_FORM: Final = 8
"""Bits of one of all forms."""


class OneForm:
    """The form in which a file keeps vectors, which its first rows show."""

    def __init__(self) -> None:
        self._usual: Form | None = None

    def compare(self, vectors: Vectors, own: Vectors) -> tuple[_Marks, int]:
        """Which rows are their record's to the last bit in any form, and the bits of which are not in the usual one.

        Args:
            vectors: Shape (n, d).
            own: The records' own, of the same shape.
        """
        if not len(vectors):
            return np.zeros(0, dtype=bool), 0
        form, usual = self._best(vectors, own)
        bits = 0 if self._usual in {None, form} else _OF_FORM
        self._usual = form
        same = usual.copy()
        left = np.flatnonzero(~same)
        for other in forms(own[left], multiplied=True) if left.size else ():
            same[left] |= _equal(vectors[left], other)
        return same, bits + of_choice(~usual[same]) + self._of_others(vectors[same & ~usual], own[same & ~usual])

    def _of_others(self, vectors: Vectors, own: Vectors) -> int:
        """Bits of the forms of rows that are not in the usual one: one for all, as of those in a store's log, or one for each."""
        if not len(vectors):
            return 0
        _, second = self._best(vectors, own)
        return _OF_FORM + min(of_choice(~second) + _OF_FORM * int((~second).sum()), _OF_FORM * (len(vectors) - 1))

    def of_all(self, vectors: Vectors, own: Vectors) -> Form | None:
        """The form that every row has; None where there is none."""
        form, usual = self._best(vectors, own)
        return form if usual.all() else None

    def _best(self, vectors: Vectors, own: Vectors) -> tuple[Form, _Marks]:
        """The form that most rows have, and which do; the usual one where it is as good as any."""
        known = [*([] if self._usual is None else [self._usual]), *_FORMS]
        some = np.unique(np.linspace(0, len(vectors) - 1, _SAMPLE).astype(int))
        counts = [int(np.count_nonzero(_equal(vectors[some], form(own[some])))) for form in known]
        best, found = known[0], np.zeros(len(vectors), dtype=bool)
        for at in [at for at, count in enumerate(counts) if count == max(counts)][:_TRIED]:
            same = _equal(vectors, known[at](own))
            if same.sum() > found.sum():
                best, found = known[at], same
            if found.all():
                break
        return best, found


def forms(own: Vectors, *, multiplied: bool = False) -> Iterator[Vectors]:
    """Give the values of records as stores may keep them: as they are, or divided by their length, rounded in several ways.

    Args:
        own: Shape (n, d).
        multiplied: Give those as well that were multiplied by their length again.
    """
    yield own
    with np.errstate(all="ignore"):
        exact = _exact(own)
        lengths = [
            *(each(own) for each in _IN_ORDER),
            *((exact.view(np.int32) + np.int32(ulp)).view(np.float32) for ulp in sorted(_ULPS, key=abs)),
        ]
    for operation in (_divided, _times_inverse, *((_again, _divided_again) if multiplied else ())):
        for length in lengths:
            yield operation(own, lambda _, length=length: length)


def _equal(vectors: Vectors, others: Vectors) -> _Marks:
    given = np.ascontiguousarray(vectors).view(np.uint32)
    return np.asarray((given == np.ascontiguousarray(others).view(np.uint32)).all(axis=1))


_Length: TypeAlias = Callable[[Vectors], Vectors]
"""From shape (n, d) to (n,)."""


def _exact(own: Vectors) -> Vectors:
    return np.asarray(np.sqrt((own.astype(np.float64) ** 2).sum(axis=1)), dtype=np.float32)


def _summed(own: Vectors) -> Vectors:
    return np.sqrt(np.asarray((own.astype(np.float64) ** 2).sum(axis=1), dtype=np.float32))


def _by_reduce(own: Vectors) -> Vectors:
    return np.asarray(np.sqrt(np.add.reduce(own * own, axis=1)))


def _by_einsum(own: Vectors) -> Vectors:
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", own, own)))


def _by_dot(own: Vectors) -> Vectors:
    return np.asarray(np.sqrt(np.vecdot(own, own)))


def _fused(added: Vectors, part: Vectors) -> Vectors:
    """Add squares that are not rounded before, as processors do in one step."""
    return (part.astype(np.float64) ** 2 + added).astype(np.float32)


def _plain(added: Vectors, part: Vectors) -> Vectors:
    return added + part * part


def _in_order(own: Vectors, block: int) -> Vectors:
    """One square after another, as hnswlib adds: rounded before in whole blocks, and fused behind these."""
    squares = np.zeros(len(own), np.float32)
    whole = own.shape[1] // block * block
    for at, column in enumerate(own.T):
        squares = (_plain if at < whole else _fused)(squares, column)
    return np.sqrt(squares)


def _in_lanes(own: Vectors, lanes: int, add: Callable[[Vectors, Vectors], Vectors], least: int | None) -> Vectors:
    """Several at once, as faiss and torch do, and the rest behind them.

    Args:
        own: Shape (n, d).
        lanes: How many at once.
        add: How a square is added.
        least: Sums of lanes are added by halves, and so many lanes at least take a part of the rest; None where in order.
    """
    sums, at = np.zeros((len(own), lanes), np.float32), 0
    for at in range(lanes, own.shape[1] + 1, lanes):
        sums = add(sums, own[:, at - lanes : at])
    while least is not None and sums.shape[1] > 1:
        half = sums.shape[1] // 2
        sums = sums[:, :half] + sums[:, half:]
        if half >= least and at + half <= own.shape[1]:
            sums, at = add(sums, own[:, at : at + half]), at + half
    squares: Vectors = sums[:, 0]
    for lane in sums.T[1:]:
        squares = squares + lane
    for column in own.T[at:]:
        squares = add(squares, column)
    return np.sqrt(squares)


def _divided(own: Vectors, length: _Length) -> Vectors:
    return _safely(lambda: own / length(own)[:, None])


def _times_inverse(own: Vectors, length: _Length) -> Vectors:
    return _safely(lambda: own * (np.float32(1) / length(own)[:, None]))


def _again(own: Vectors, length: _Length) -> Vectors:
    return _safely(lambda: _times_inverse(own, length) * length(own)[:, None])


def _divided_again(own: Vectors, length: _Length) -> Vectors:
    return _safely(lambda: _divided(own, length) * length(own)[:, None])


def _safely(computed: Callable[[], Vectors]) -> Vectors:
    with np.errstate(all="ignore"):
        return np.ascontiguousarray(computed())


def _as_it_is(own: Vectors) -> Vectors:
    return own


_NEVER: Final = 1
_ALWAYS: Final = 1 << 30
_IN_ORDER: Final[tuple[_Length, ...]] = tuple(partial(_in_order, block=each) for each in (_NEVER, 8, _ALWAYS, 4, 16))
_LENGTHS: Final[tuple[_Length, ...]] = (
    _exact, _summed, _by_reduce, _by_einsum, _by_dot, *_IN_ORDER,
    *(partial(_in_lanes, lanes=lanes, add=add, least=least)
      for lanes in (8, 16, 4, 32) for add in (_plain, _fused) for least in (min(lanes, 8), lanes, None)),
)  # fmt: skip
_FORMS: Final[tuple[Form, ...]] = (
    _as_it_is,
    *(
        partial(operation, length=length)
        for operation in (_divided, _times_inverse, _again, _divided_again)
        for length in _LENGTHS
    ),
)
