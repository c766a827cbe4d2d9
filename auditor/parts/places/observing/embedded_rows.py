"""Look for deleted people's vectors in what vector stores keep, and count whose vectors lie there; in the limited process."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.base import npy
from auditor.base.records import Dataset
from auditor.parts.places.judging.embedding import LEVEL, MOST_MISSED, Form, Vectors, chance
from auditor.parts.release.observing import file_formats
from auditor.parts.store.observing.people import People
from auditor.parts.store.observing.record_forms import Wanted
from auditor.parts.store.observing.vector_stores import CLOSE, are_named, are_near, met, narrow
from auditor.parts.store.readers.contents import Contents, Lies, Rows

_Vectors = npt.NDArray[np.float32]
_TIMES: Final = 5
"""Pairs of a record and a row for each dimension from which a linear map is learned."""
_HELD_OUT: Final = 5
"""One pair in so many is held out."""
_FITS: Final = 1e-5
"""Of the largest value: how far off a vector that was held out may be."""
_MOST_COMPARED: Final = 1 << 30
"""Pairs of a row and a record of which rounding may have made two."""
_AT_ONCE: Final = 1 << 22
_EIGHT_BITS: Final = 255
_OFF_BY: Final = 1
"""By how much a whole number may be off: ways of rounding differ."""


@dataclass(frozen=True, slots=True, eq=False)
class Met:
    """What of the vectors of files was met."""

    seen: tuple[Vectors, ...] = ()
    found: frozenset[str] = frozenset()
    """Deleted records whose vector or code is there, and nobody else's."""
    doubtful: frozenset[str] = frozenset()
    """Deleted records whose code is there and may be another's by chance."""

    @property
    def retained(self) -> int:
        """People who stay whose vectors were met, of the array that has most."""
        return max((each.retained for each in self.seen), default=0)


def meet(stores: Iterable[Contents], arrays: Iterable[npt.NDArray[Any]], people: People, by: Learned | None = None) -> Met:
    """Compare everybody's vectors with every array that readers gave.

    Args:
        stores: What readers of vector stores gave.
        arrays: Other arrays, shape (rows, columns).
        people: Everybody, with vectors.
        by: The map that gave these; None where the case's function did.
    """
    if people.embedded is None:
        return Met()
    pieces = [*_of_stores(stores, people), *_of_arrays(arrays, people)]
    found, doubtful, seen = set[str](), set[str](), list[Vectors]()
    for form in dict.fromkeys(each.form for each in pieces):
        alike = [each for each in pieces if each.form == form]
        counted = _counted(form, alike, people, by)
        gone = set().union(*(each.alone for each in alike))
        sure = form == "values" or chance(counted) <= LEVEL
        (found if sure else doubtful).update(str(people.train.ids[at]) for at in gone)
        seen.append(counted)
    return Met(tuple(seen), frozenset(found), frozenset(doubtful - found))


def meet_coded(arrays: Iterable[npt.NDArray[Any]], people: People) -> Met:
    """Compare arrays of whole numbers with everybody's numbers as they would be in eight bits, or as signs.

    Args:
        arrays: Shape (rows, columns); others are left out, for a search by value sees them.
        people: Everybody; nobody is met where the table has more than numbers.
    """
    whole = [each for each in arrays if each.ndim == 2 and each.dtype.kind in "iub" and each.dtype.itemsize == 1]
    if people.train.table is not None or not len(people.train.features) or not whole:
        return Met()
    return meet((), whole, replace(people, embedded=narrow(people.train.features)))


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """One array in one form."""

    form: Form
    rows: int
    retained: frozenset[int]
    deleted: frozenset[int]
    alone: frozenset[int]
    """Of the deleted, those whose code nobody has who stays."""
    shared: frozenset[int]
    named: int = 0
    own: int = 0
    permuted: int = 0


def _counted(form: Form, pieces: list[_Piece], people: People, by: Learned | None) -> Vectors:
    return Vectors(
        form=form,
        by="function" if by is None else "map",
        taught=0 if by is None else by.taught,
        held_out=0 if by is None else by.held_out,
        missed=0 if by is None else by.missed,
        rows=sum(each.rows for each in pieces),
        retained=len(frozenset().union(*(each.retained for each in pieces))),
        deleted=len(frozenset().union(*(each.deleted for each in pieces))),
        named=sum(each.named for each in pieces),
        own=sum(each.own for each in pieces),
        permuted=sum(each.permuted for each in pieces),
        shared=len(frozenset().union(*(each.shared for each in pieces))),
        of_retained=int(people.retained.sum()),
        of_deleted=int(np.count_nonzero(~people.retained)),
    )


def _of_stores(stores: Iterable[Contents], people: People) -> Iterator[_Piece]:
    for store in stores:
        for held in store.rows:
            if held.lies is Lies.LEARNED or held.vectors is None or people.embedded is None:
                continue
            if held.vectors.shape[1] != people.embedded.shape[1]:
                continue
            if held.codes is not None and store.encode is not None:
                yield _of_codes("codes", np.ascontiguousarray(held.codes), store.encode(people.embedded), people)
            else:
                yield _named(_of_values(held.vectors, people), held, people)


def _of_values(vectors: _Vectors, people: People) -> _Piece:
    values = people.embedded
    if values is None:
        raise LookupError("no vectors")
    kept = _nearest(vectors, values, np.flatnonzero(people.retained))
    rest = np.flatnonzero(kept < 0)
    gone = _nearest(vectors[rest], values, np.flatnonzero(~people.retained))
    found = frozenset(gone[gone >= 0].tolist())
    return _Piece("values", len(vectors), frozenset(kept[kept >= 0].tolist()), found, found, _shared(values, people))


def _nearest(vectors: _Vectors, values: _Vectors, which: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Find the record, of those at `which`, whose vector each row is to the last bit, or but for rounding; -1 for none."""
    found = met(vectors, values, which)
    rest = np.flatnonzero(found < 0)
    if not len(which) or len(rest) * len(which) > _MOST_COMPARED:
        return found
    forms = values[which].astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        forms = np.nan_to_num(forms / np.linalg.norm(forms, axis=1, keepdims=True))
        step = max(1, _AT_ONCE // len(which))
        for at in range(0, len(rest), step):
            some = rest[at : at + step]
            best = which[np.argmax(vectors[some].astype(np.float64) @ forms.T, axis=1)]
            near = are_near(vectors[some], narrow(values[best]), CLOSE)
            found[some[near]] = best[near]
    return found


def _named(piece: _Piece, held: Rows, people: People) -> _Piece:
    """Count the rows under somebody's id that hold that person's vector, and those that hold the next one's."""
    if held.vectors is None or people.embedded is None or not held.ids or not are_named(held, people, ()):
        return piece
    places = np.array([-1 if own is None else people.places.get(own, -1) for own in held.ids], dtype=np.int64)
    at = np.flatnonzero((places >= 0) & people.retained[places])
    own, vectors = narrow(people.embedded[places[at]]), held.vectors[at]
    other = np.roll(own, 1, axis=0)
    counts = [int(np.count_nonzero(are_near(vectors, each, CLOSE))) if len(at) > 1 else 0 for each in (own, other)]
    return replace(piece, named=len(at), own=counts[0], permuted=counts[1])


def _of_codes(form: Form, codes: npt.NDArray[np.uint8], of_people: npt.NDArray[np.uint8], people: People) -> _Piece:
    there = {row.tobytes() for row in codes}
    everybody = [row.tobytes() for row in np.ascontiguousarray(of_people)]
    kept = {each for at, each in enumerate(everybody) if people.retained[at]}
    here = [at for at, each in enumerate(everybody) if each in there]
    gone = frozenset(at for at in here if not people.retained[at])
    return _Piece(
        form,
        len(codes),
        frozenset(here) - gone,
        gone,
        frozenset(at for at in gone if everybody[at] not in kept),
        _shared(of_people, people),
    )


def _shared(of_people: npt.NDArray[Any], people: People) -> frozenset[int]:
    """People who stay whose code, or vector, another has who stays."""
    kept = np.flatnonzero(people.retained).tolist()
    own = {at: np.ascontiguousarray(of_people[at]).tobytes() for at in kept}
    times = Counter(own.values())
    return frozenset(at for at in kept if times[own[at]] > 1)


def _of_arrays(arrays: Iterable[npt.NDArray[Any]], people: People) -> Iterator[_Piece]:
    """Arrays that are no store's: vectors, whole numbers of eight bits in their place, or the signs of their values."""
    values = people.embedded
    if values is None:
        return
    for array in arrays:
        if array.ndim != 2 or not len(array):
            continue
        if array.shape[1] == values.shape[1]:
            if array.dtype.kind == "f":
                with np.errstate(over="ignore", invalid="ignore"):
                    yield _of_values(array.astype(np.float32), people)
            elif array.dtype.kind in "iub":
                yield from _of_whole_numbers(array, values, people)
        elif array.shape[1] == -(-values.shape[1] // 8) and array.dtype.itemsize == 1:
            for order in ("big", "little"):
                signs = np.packbits(values > 0, axis=1, bitorder=order)
                yield _of_codes("signs", np.ascontiguousarray(array).view(np.uint8), signs, people)


def _of_whole_numbers(array: npt.NDArray[Any], values: _Vectors, people: People) -> Iterator[_Piece]:
    held = array.astype(np.int64)
    if np.unique(held).size <= 2:
        yield _of_codes("signs", _as_signs(held), (values > 0).astype(np.uint8), people)
        return
    least = int(held.min())
    for codes in _eight_bits(values, people):
        # Signed or not: by how much the least of them is moved is a matter of the type.
        for moved in {0, 128} if least < 0 else {0}:
            yield _near_codes(held + moved, codes, people)


def _as_signs(held: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
    return np.ascontiguousarray((held > 0).astype(np.uint8))


def _eight_bits(values: _Vectors, people: People) -> Iterator[npt.NDArray[np.int64]]:
    """Code values in eight bits, by the range of a dimension or of all, of everybody or who stays, or by each vector's own.

    A range is from the least to the largest value, or as far on either side of zero.
    """
    for which in (people.retained, np.ones(len(values), dtype=bool)):
        for axis in (0, None):
            low, high = values[which].min(axis=axis), values[which].max(axis=axis)
            width = np.where(high > low, high - low, 1)
            yield np.clip(np.rint((values - low) / width * _EIGHT_BITS), 0, _EIGHT_BITS).astype(np.int64)
            reach = np.maximum(np.abs(low), np.abs(high))
            half = _EIGHT_BITS // 2
            yield np.clip(np.rint(values / np.where(reach > 0, reach, 1) * half), -half, half).astype(np.int64)
    largest = np.abs(values).max(axis=1, keepdims=True)
    yield np.rint(values / np.where(largest > 0, largest, 1) * (_EIGHT_BITS // 2)).astype(np.int64)


def _near_codes(held: npt.NDArray[np.int64], codes: npt.NDArray[np.int64], people: People) -> _Piece:
    """Compare whole numbers that may be off by one each: by their sums first, which are then off by no more than there are."""
    sums, order = held.sum(axis=1), np.argsort(held.sum(axis=1), kind="stable")
    ordered, reach = sums[order], _OFF_BY * held.shape[1]
    rows: dict[int, set[int]] = {}
    for at, code in enumerate(codes):
        first, last = np.searchsorted(ordered, [code.sum() - reach, code.sum() + reach + 1])
        some = order[first:last]
        same = some[(np.abs(held[some] - code) <= _OFF_BY).all(axis=1)]
        if same.size:
            rows[at] = set(same.tolist())
    retained = frozenset(at for at in rows if people.retained[at])
    theirs = set().union(*(rows[at] for at in retained))
    gone = frozenset(rows) - retained
    times = Counter(row for at in retained for row in rows[at])
    shared = frozenset(at for at in retained if any(times[row] > 1 for row in rows[at]))
    return _Piece("eight-bit", len(held), retained, gone, frozenset(at for at in gone if not rows[at] <= theirs), shared)


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """A linear map from records to the vectors under their ids."""

    vectors: _Vectors
    """Shape (n, d): what it gives of everybody."""
    taught: int
    held_out: int
    missed: int


def learned(store: Contents, people: People) -> Learned | None:
    """Learn the linear map from records to the vectors under their ids, where people who stay give enough pairs.

    It counts where it gives the vectors of nearly all who were held out: every fifth pair, which taught it nothing.

    Returns:
        The map; None where there is none, or none is needed.
    """
    if people.embedded is not None or people.train.table is not None or not len(people.train.features):
        return None
    values = people.train.features
    for held in store.rows:
        if held.vectors is None or held.codes is not None or held.lies is Lies.LEARNED or not held.ids:
            continue
        places = np.array([-1 if own is None else people.places.get(own, -1) for own in held.ids], dtype=np.int64)
        at = np.flatnonzero((places >= 0) & people.retained[places])
        if len(at) < _TIMES * values.shape[1] or _are_values(held.vectors[at], values[places[at]]):
            continue
        found = _mapped(values, places[at], held.vectors[at])
        if found is not None:
            return found
    return None


def _are_values(vectors: _Vectors, values: npt.NDArray[np.float64]) -> bool:
    return vectors.shape == values.shape and bool(are_near(vectors, narrow(values), CLOSE).mean() > 1 / 2)


def _mapped(values: npt.NDArray[np.float64], places: npt.NDArray[np.int64], vectors: _Vectors) -> Learned | None:
    """Learn the map by least squares; None where it misses too many of those held out, or sends many to one vector."""
    if not np.isfinite(vectors).all():
        return None
    held_out = np.arange(len(places)) % _HELD_OUT == 0
    whole = np.column_stack([values, np.ones(len(values))])
    scale = np.abs(whole).max(axis=0)
    whole /= np.where(scale > 0, scale, 1)
    found, _, rank, _ = np.linalg.lstsq(whole[places[~held_out]], vectors[~held_out].astype(np.float64), rcond=None)
    if rank < np.linalg.matrix_rank(whole):
        return None
    mapped = narrow(whole @ found)
    missed = int(np.count_nonzero(~are_near(vectors[held_out], mapped[places[held_out]], _FITS)))
    tells = len(np.unique(mapped, axis=0)) * 2 > len(mapped)
    if missed > MOST_MISSED * held_out.sum() or not tells:
        return None
    return Learned(mapped, int(np.count_nonzero(~held_out)), int(held_out.sum()), missed)


def of_array(name: str, content: bytes, people: People) -> Contents | None:
    """Take a NumPy file of float32 vectors for a store whose rows have no ids; None for any other."""
    if people.embedded is None or not name.lower().endswith(".npy"):
        return None
    try:
        array = npy.read_array(content)
    except npy.NotNpyError:
        return None
    if array.ndim != 2 or array.dtype.str != "<f4" or array.shape[1] != people.embedded.shape[1]:
        return None
    vectors = np.ascontiguousarray(array)
    written = io.BytesIO()
    np.lib.format.write_array(written, array, version=(1, 0), allow_pickle=False)
    beyond = 0 if written.getvalue() == content else max(1, len(content) - array.nbytes)
    rows = Rows(where=name, lies=Lies.LIVE, count=len(vectors), vectors=vectors)
    return Contents(form="NumPy array", rows=(rows,), bytes=len(content), unexplained=beyond, files=(name,))


def other_arrays(name: str, content: bytes) -> list[npt.NDArray[Any]]:
    """Give the arrays of a NumPy file that may keep vectors in another form."""
    if not name.lower().endswith((".npy", ".npz")):
        return []
    try:
        return list(file_formats.numpy_arrays(content, zipped=name.lower().endswith(".npz")).arrays)
    except file_formats.UnreadableError:
        return []


def wanted(people: People, ids: npt.NDArray[np.str_]) -> Wanted | None:
    """Give deleted people's vectors as records to be looked for; None where nobody knows them."""
    if people.embedded is None:
        return None
    vectors = Dataset(people.embedded.astype(np.float64), np.zeros(len(ids), dtype=np.int64), ids)
    return Wanted.of(vectors, np.flatnonzero(~people.retained), frozenset())
