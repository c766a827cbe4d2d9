"""Read an index that faiss wrote: flat, scalar and product quantised, inverted lists, HNSW, with ids or without.

An index is a mark of four letters, a header and what its kind has; some hold another index. Kinds, codes and maps that are not
listed here are unknown, and so is everything that an index of a listed kind could hold only if another program wrote it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.parts.store.readers.contents import Contents, Encoder, Lies, Rows, UnknownFormError
from auditor.parts.store.readers.fields import Fields, no_numbers
from auditor.parts.store.readers.hnsw_graph import bits_of_links
from auditor.parts.store.readers.quantisers import Flat, InLists, Product, Quantiser, Scalar, product, scalar

_Bytes: TypeAlias = npt.NDArray[np.uint8]
_Vectors: TypeAlias = npt.NDArray[np.float32]
_Ids: TypeAlias = npt.NDArray[np.int64]
_Read: TypeAlias = Callable[[Fields, int], tuple[Quantiser, tuple[tuple[str, _Vectors], ...], int]]

_FLAT: Final = {b"IxFI": 0, b"IxF2": 1, b"IxFl": None}
"""Flat indexes, with the metric that the mark says."""
_MARKS: Final = (*_FLAT, b"IxMp", b"IxM2", b"IxSQ", b"IxPq", b"IwFl", b"IwSq", b"IwPQ", b"IHNf", b"IHNs", b"IHNp")
_METRICS: Final = frozenset({*range(5), *range(20, 26)})
_WITH_ARGUMENT: Final = 4
_HELD_PLACE: Final = 1 << 20
"""What a header holds twice where older versions had a number."""
_MOST_SETTING: Final = 1 << 16
"""What a setting of a search may be at most: larger ones hold more than a setting does."""
_DEEPEST: Final = 4
_NO_MAP, _ARRAY, _TABLE = 0, 1, 2
_LEAST_LIKELY: Final = 1e-9
_SHORTEST: Final = 37
"""Bytes of a mark and a header."""
_CLOSE: Final = 4e-7
"""How far off exponentials of float32 may be on other machines."""
_NO_LINK: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class _Index:
    """What one index holds."""

    codes: _Bytes
    """Shape (n, bytes of a code), in the order of positions; of flat ones the vectors' own bytes."""
    quantiser: Quantiser
    dimensions: int
    unexplained: int
    ids: _Ids | None = None
    learned: tuple[tuple[str, _Vectors], ...] = ()
    lists: npt.NDArray[np.int64] | None = None
    """Shape (n,): the inverted list of each row."""
    nearest: bool = False
    """Whether each row is in the list whose centroid is nearest to it, as it has to be."""
    links: int = 0
    """Links of a graph."""

    @property
    def count(self) -> int:
        return len(self.codes)

    def vectors(self) -> _Vectors:
        return self.quantiser.decode(self.codes, self.lists)


class FaissFile:
    """Reads one index."""

    form = "faiss index"

    def claims(self, heads: Mapping[str, bytes]) -> tuple[tuple[str, ...], ...]:
        """Claim files with the mark of an index that is known, and those of others, to say that they are not."""
        return tuple((path,) for path, head in heads.items() if _is_index(head))

    def read(self, files: Mapping[str, bytes]) -> Contents:
        """Take an index apart.

        Raises:
            UnknownFormError: If it is of another kind, or damaged.
        """
        ((path, content),) = files.items()
        fields = Fields(content)
        mark = content[:4].decode("ascii")
        index = _index(fields, 0)
        vectors = index.vectors()
        flat = isinstance(index.quantiser, Flat)
        rows = Rows(
            where=path,
            lies=Lies.LIVE,
            count=index.count,
            ids=None if index.ids is None else tuple(map(str, index.ids.tolist())),
            vectors=vectors,
            codes=None if flat else index.quantiser.named(index.codes, index.lists),
            group=index.lists if index.nearest else None,
        )
        learned = [
            Rows(where=f"{path}: {name}", lies=Lies.LEARNED, count=len(table), vectors=table) for name, table in index.learned
        ]
        unexplained = index.unexplained + fields.left + (no_numbers(vectors) if flat else 0)
        unexplained += sum(no_numbers(table) for _, table in index.learned)
        encode: Encoder | None = None if flat else index.quantiser.encode
        elsewhere = index.quantiser.elsewhere if isinstance(index.quantiser, Scalar) else None
        return Contents(
            form=f"{self.form} {mark}",
            rows=tuple(each for each in (rows, *learned) if each.count),
            bytes=len(content),
            unexplained=min(len(content), unexplained),
            encode=encode,
            encode_elsewhere=None if elsewhere is None else elsewhere.encode,
            files=(path,),
            uncounted=bits_of_links(index.links, index.count),
        )


def _is_index(head: bytes) -> bool:
    """Whether a file begins as an index of faiss does, of a kind that is known or not."""
    if (
        len(head) < 33
        or not head[:4].isalnum()
        or head[:2] not in {b"Ix", b"Iw", b"IH", b"IN", b"IR", b"Ir", b"IP", b"IL", b"IB"}
    ):
        return False
    fields = Fields(head, 4)
    _, _, one, two = fields.take("iqqq")
    return head[:4] in _MARKS or (one, two) == (_HELD_PLACE, _HELD_PLACE)


@dataclass(frozen=True, slots=True)
class _Header:
    dimensions: int
    count: int
    metric: int
    unexplained: int


def _header(fields: Fields) -> _Header:
    dimensions, count, one, two, trained, metric = fields.take("iqqqBi")
    if dimensions <= 0 or count < 0 or trained > 1 or metric not in _METRICS:
        raise UnknownFormError
    odd = 8 * (one != _HELD_PLACE) + 8 * (two != _HELD_PLACE)
    if metric > 1:
        (argument,) = fields.take("f")
        odd += 4 * (argument != 0 and metric != _WITH_ARGUMENT)
    return _Header(dimensions, count, metric, odd)


def _index(fields: Fields, depth: int) -> _Index:
    """Read an index.

    Raises:
        UnknownFormError: If it is of another kind, nested too deeply, or damaged.
    """
    mark = bytes(fields.array("u1", 4))
    if depth > _DEEPEST or mark not in _MARKS:
        raise UnknownFormError
    header = _header(fields)
    if mark in _FLAT:
        return _flat(mark, header, fields)
    if mark in {b"IxMp", b"IxM2"}:
        return _with_ids(header, fields, depth)
    if mark in {b"IxSQ", b"IxPq"}:
        return _coded(mark, header, fields)
    if mark.startswith(b"Iw"):
        return _in_lists(mark, header, fields, depth)
    return _graph(mark, header, fields, depth)


def _flat(mark: bytes, header: _Header, fields: Fields) -> _Index:
    metric = _FLAT[mark]
    fits = header.metric > 1 if metric is None else header.metric == metric
    if not fits or fields.whole("Q") != header.count * header.dimensions:
        raise UnknownFormError
    codes = fields.array("u1", header.count, 4 * header.dimensions)
    return _Index(codes, Flat(header.dimensions), header.dimensions, header.unexplained)


def _with_ids(header: _Header, fields: Fields, depth: int) -> _Index:
    inner = _index(fields, depth + 1)
    count = fields.whole("Q")
    if inner.ids is not None or (inner.count, inner.dimensions, count) != (header.count, header.dimensions, header.count):
        raise UnknownFormError
    ids = fields.array("<i8", count).astype(np.int64)
    return replace(inner, ids=ids, unexplained=inner.unexplained + header.unexplained)


def _coded(mark: bytes, header: _Header, fields: Fields) -> _Index:
    odd = header.unexplained
    read: _Read = scalar if mark == b"IxSQ" else product
    quantiser, learned, more = read(fields, header.dimensions)
    if fields.whole("Q") != header.count * quantiser.size:
        raise UnknownFormError
    codes = fields.array("u1", header.count, quantiser.size)
    odd += quantiser.room(codes) if isinstance(quantiser, Product) else 0
    if mark == b"IxPq":
        # Settings of a search: of seven kinds, yes or no, a distance between codes.
        kind, signs, apart = fields.take("iBi")
        odd += 4 * (not 0 <= kind < 7) + (signs > 1) + 4 * (not 0 <= apart <= 8 * quantiser.size + 1)
    return _Index(codes, quantiser, header.dimensions, odd + more, learned=learned)


def _in_lists(mark: bytes, header: _Header, fields: Fields, depth: int) -> _Index:
    lists, searched = fields.take("QQ")
    coarse = _index(fields, depth + 1)
    if coarse.count != lists or coarse.dimensions != header.dimensions or coarse.ids is not None:
        raise UnknownFormError
    odd = header.unexplained + coarse.unexplained + 8 * (not 1 <= searched <= max(lists, _MOST_SETTING))
    kind, by_number, pairs = _direct_map(fields)
    residual = False
    learned: tuple[tuple[str, _Vectors], ...] = ()
    quantiser: Quantiser = Flat(header.dimensions)
    if mark == b"IwSq":
        quantiser, learned, more = scalar(fields, header.dimensions)
        size, flag = fields.take("QB")
    elif mark == b"IwPQ":
        flag, size = fields.take("BQ")
        quantiser, learned, more = product(fields, header.dimensions)
    else:
        more, size, flag = 0, quantiser.size, 0
    if size != quantiser.size or flag > 1:
        raise UnknownFormError
    residual = bool(flag)
    centroids = coarse.vectors()
    codes, ids, which = _inverted(fields, lists, quantiser.size, header.count)
    odd += quantiser.room(codes) if isinstance(quantiser, Product) else 0
    odd += more + _beyond_map(kind, by_number, pairs, ids, which)
    whole = InLists(quantiser, centroids, residual=residual, by_product=header.metric == 0)
    own = quantiser if isinstance(quantiser, Flat) else whole
    means = isinstance(quantiser, Flat) and _are_means(centroids, quantiser.decode(codes, None), which)
    named = (*(() if means else (("centroids", centroids),)), *coarse.learned, *learned)
    nearest = isinstance(quantiser, Flat) and _are_nearest(
        centroids, quantiser.decode(codes, None), which, by_product=header.metric == 0
    )
    return _Index(codes, own, header.dimensions, odd, ids=ids, learned=named, lists=which, nearest=nearest)


def _are_nearest(centroids: _Vectors, vectors: _Vectors, lists: npt.NDArray[np.int64], *, by_product: bool) -> bool:
    """Whether each vector is in the list of the centroid that is nearest to it, but for rounding."""
    with np.errstate(over="ignore", invalid="ignore"):
        centres = centroids.astype(np.float64)
        for at in range(0, len(vectors), _AT_ONCE):
            some, own = vectors[at : at + _AT_ONCE].astype(np.float64), lists[at : at + _AT_ONCE]
            near = some @ centres.T if by_product else 2 * (some @ centres.T) - (centres**2).sum(axis=1)
            best, given = near.max(axis=1), near[np.arange(len(some)), own]
            if not (best - given <= _ROUNDED * (1 + np.abs(near).max(axis=1))).all():
                return False
    return True


_AT_ONCE: Final = 1 << 14
_ROUNDED: Final = 1e-4


def _are_means(centroids: _Vectors, vectors: _Vectors, lists: npt.NDArray[np.int64]) -> bool:
    """Whether each centroid is the mean of its list's vectors, to the last bit as the last step of k-means works it out.

    Args:
        centroids: Shape (k, d).
        vectors: Shape (n, d), one list after another.
        lists: The list of each, shape (n,), in ascending order.
    """
    ends = np.searchsorted(lists, np.arange(len(centroids) + 1))
    with np.errstate(over="ignore", invalid="ignore"):
        for number, centroid in enumerate(centroids):
            own = vectors[ends[number] : ends[number + 1]]
            if not len(own) or not np.isfinite(own).all():
                return False
            # One vector after another in float32, which rounds each time.
            mean = np.add.accumulate(own, axis=0)[-1] * (np.float32(1) / np.float32(len(own)))
            if mean.tobytes() != centroid.astype(np.float32).tobytes():
                return False
    return bool(len(centroids))


def _direct_map(fields: Fields) -> tuple[int, _Ids, _Ids]:
    kind, count = fields.take("BQ")
    by_number = fields.array("<i8", count)
    if kind > _TABLE or (kind != _ARRAY and count):
        raise UnknownFormError
    pairs = fields.array("<i8", fields.whole("Q"), 2) if kind == _TABLE else np.zeros((0, 2), np.int64)
    return kind, by_number, pairs


def _inverted(fields: Fields, lists: int, size: int, total: int) -> tuple[_Bytes, _Ids, npt.NDArray[np.int64]]:
    """Read inverted lists: codes and ids one list after another.

    Returns:
        Codes, ids, and the list of each row.
    """
    mark = bytes(fields.array("u1", 4))
    count, width, form = *fields.take("QQ"), bytes(fields.array("u1", 4))
    if mark != b"ilar" or count != lists or width != size or form not in {b"full", b"sprs"}:
        raise UnknownFormError
    listed = fields.array("<u8", fields.whole("Q"))
    if form == b"full":
        numbers, lengths = np.arange(len(listed)), listed
        fits = len(listed) == lists
    else:
        if len(listed) % 2:
            raise UnknownFormError
        numbers, lengths = listed[::2], listed[1::2]
        # Each list once, in order, and none that is empty: a writer leaves no choice.
        fits = bool(np.all(lengths)) and bool(np.all(numbers[1:] > numbers[:-1])) and bool(np.all(numbers < lists))
    if not fits or bool(np.any(lengths > total)) or int(lengths.sum()) != total:
        raise UnknownFormError
    parts: list[Any] = []
    ids: list[Any] = []
    for length in lengths.tolist():
        if length:
            parts.append(fields.array("u1", length, size))
            ids.append(fields.array("<i8", length))
    which = np.repeat(numbers.astype(np.int64), lengths.astype(np.int64))
    if not parts:
        return np.zeros((0, size), np.uint8), np.zeros(0, np.int64), which
    return np.concatenate(parts), np.concatenate(ids).astype(np.int64), which


def _beyond_map(kind: int, by_number: _Ids, pairs: _Ids, ids: _Ids, lists: npt.NDArray[np.int64]) -> int:
    """Count the bytes of a map from ids to places that do not follow from the lists."""
    if kind == _NO_MAP:
        return 0
    starts = np.searchsorted(lists, lists, side="left")
    places = lists << 32 | (np.arange(len(lists)) - starts)
    expected: dict[int, int] = dict(zip(ids.tolist(), places.tolist(), strict=True))
    if kind == _ARRAY:
        return 8 * int(sum(expected.get(at, -1) != place for at, place in enumerate(by_number.tolist())))
    met = {at for at, place in pairs.tolist() if expected.get(at) == place}
    return 16 * (len(pairs) - len(met))


def _graph(mark: bytes, header: _Header, fields: Fields, depth: int) -> _Index:
    more, links = _links(fields, header.count)
    odd = header.unexplained + more
    inner = _index(fields, depth + 1)
    storage = {b"IHNf": Flat, b"IHNs": Quantiser, b"IHNp": Quantiser}[mark]
    fits = (inner.count, inner.dimensions) == (header.count, header.dimensions)
    if not fits or inner.ids is not None or not isinstance(inner.quantiser, storage):
        raise UnknownFormError
    return replace(inner, unexplained=inner.unexplained + odd, links=links)


def _links(fields: Fields, count: int) -> tuple[int, int]:
    """Read the links of a graph; count what is not a link, and the links: see `hnsw_graph`; here unused places hold -1 alone."""
    likely = fields.array("<f8", fields.whole("Q"))
    room = fields.array("<i4", fields.whole("Q"))
    levels = fields.array("<i4", fields.whole("Q"))
    offsets = fields.array("<u8", fields.whole("Q"))
    links = fields.array("<i4", fields.whole("Q"))
    entry, highest, tried, searched, beam = fields.take("5i")
    if len(levels) != count or len(offsets) != count + 1 or len(room) != len(likely) + 1 or not 2 <= len(room) <= 64:
        raise UnknownFormError
    most = int(room[1]) // 2
    if most < 2 or not np.array_equal(room, np.array([0, *(most * (each + 2) for each in range(len(likely)))])):
        raise UnknownFormError
    if count and not (bool(np.all((levels >= 1) & (levels <= len(likely)))) and 0 <= entry < count):
        raise UnknownFormError
    lengths = room[levels].astype(np.int64)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    if not np.array_equal(offsets, ends.astype(np.uint64)) or int(ends[-1]) != len(links):
        raise UnknownFormError
    odd = int(8 * _unlike(likely, most))
    top = (int(levels.max()) - 1, True) if count else (-1, entry == -1)
    odd += 4 * int(highest != top[0]) + 4 * (not top[1] or (count > 0 and int(levels[entry]) - 1 != highest))
    odd += sum(4 * (not 0 < each < _MOST_SETTING) for each in (tried, searched)) + 4 * (beam != 1)
    starts = offsets[:-1].astype(np.int64)
    for level in range(int(levels.max()) if count else 0):
        owners = np.flatnonzero(levels > level)
        begin, size = int(room[level]), int(room[level + 1] - room[level])
        lists = links[(starts[owners] + begin)[:, None] + np.arange(size)]
        odd += 4 * _no_links(lists, owners, levels > level)
    return int(odd), int(np.count_nonzero(links != _NO_LINK))


def _no_links(lists: npt.NDArray[np.int32], owners: npt.NDArray[np.int64], there: npt.NDArray[np.bool_]) -> int:
    """Count the numbers in lists, shape (n, most), that are no links: each of another row on the level, once, then only -1."""
    used = lists != _NO_LINK
    behind = np.cumsum(~used, axis=1) > 0
    known = np.zeros(lists.shape, dtype=bool)
    inside = (lists >= 0) & (lists < len(there))
    known[inside] = there[lists[inside]]
    known &= (lists != owners[:, None]) & ~behind
    ordered = np.sort(np.where(known, lists, -1 - np.arange(lists.shape[1])), axis=1)
    twice = int(np.count_nonzero(ordered[:, 1:] == ordered[:, :-1]))
    return int(np.count_nonzero(used & ~known)) + twice


def _unlike(likely: npt.NDArray[np.float64], most: int) -> int:
    """Count the probabilities of levels that are not those of a graph of so many links, which are worked out in float32."""
    scale, one, expected = np.float32(1 / math.log(most)), np.float32(1), list[float]()
    while (share := np.exp(np.float32(-len(expected)) / scale) * (one - np.exp(-one / scale))) >= _LEAST_LIKELY:
        expected.append(float(share))
    if len(expected) != len(likely):
        return len(likely)
    with np.errstate(over="ignore", invalid="ignore"):
        exact = likely == likely.astype(np.float32)
    return int(np.count_nonzero(~np.isclose(likely, expected, rtol=_CLOSE, atol=0) | ~exact))
