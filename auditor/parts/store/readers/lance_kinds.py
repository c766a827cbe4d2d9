"""What a column of Lance is of, and what was read of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.base.domain import Message
from auditor.parts.store.observing import spare_bits
from auditor.parts.store.readers.contents import UnknownFormError
from auditor.parts.store.readers.protobuf import Taken

_NUMBERS: Final[Mapping[str, str]] = {
    **{f"{sign}int{bits}": f"<{sign or 'i'}{bits // 8}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "halffloat": "<f2",
    "float": "<f4",
    "double": "<f8",
    "bool": "?",
}
_TEXTS: Final[Mapping[str, int]] = {"string": 32, "large_string": 64}
"""Texts, and the bits of the offsets that they are found by."""
_VECTOR: Final = re.compile(r"fixed_size_list:float:([1-9]\d{0,4})", re.ASCII)
_TOP: Final = (1 << 64) - 1
"""The parent of a column that is in no other, as a number without a sign."""
_OF_TEXTS, _OF_OTHERS = 2, 1


def not_known(name: str) -> UnknownFormError:
    """Say that a coding or a kind of column is not known here, by its name."""
    return UnknownFormError(Message("data.erased.open.coding", {"name": name}))


@dataclass(frozen=True, slots=True)
class Kind:
    """What each row of a column has."""

    name: str
    offsets: int = 0
    """Bits of the offsets of texts; 0 of other columns."""
    dtype: str = ""
    """Of numbers; empty where every row has none."""
    items: int = 0
    """Numbers of a vector; 0 of other columns."""

    @property
    def bits(self) -> int:
        """Bits of a number."""
        return 1 if self.dtype == "?" else 8 * np.dtype(self.dtype).itemsize

    @classmethod
    def of(cls, name: str) -> Kind:
        """Know a kind by the name that Lance has for it.

        Raises:
            UnknownFormError: If it is another one.
        """
        if name in _TEXTS:
            return cls(name, offsets=_TEXTS[name])
        if name in _NUMBERS:
            return cls(name, dtype=_NUMBERS[name])
        if name == "null":
            return cls(name)
        vector = _VECTOR.fullmatch(name)
        if vector is None:
            raise not_known(name)
        return cls(name, dtype="<f4", items=int(vector[1]))


@dataclass(frozen=True, slots=True)
class Field:
    """A column, as a schema lists it."""

    name: str
    number: int
    kind: str
    nullable: bool
    unexplained: int
    """Bytes of what else is said of it."""

    @classmethod
    def read(cls, content: bytes) -> Field:
        """Read one.

        Raises:
            UnknownFormError: If it is part of another column, or says what is not known.
        """
        taken = Taken(content)
        name, number, parent = _text(taken.content(2)), taken.whole(3), taken.whole(4)
        kind, nullable, packing = _text(taken.content(5)), taken.whole(6), taken.whole(7)
        more = sum(map(len, taken.many(10)))
        taken.done()
        if parent != _TOP:
            raise not_known("struct")
        usual = 0 if kind == "null" else _OF_TEXTS if kind in _TEXTS else _OF_OTHERS
        return cls(name, number, kind, bool(nullable), more + (nullable > 1) + 4 * (packing != usual))


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise UnknownFormError from error


def text_of(content: bytes) -> str:
    """Read a name.

    Raises:
        UnknownFormError: If it is no text.
    """
    return _text(content)


@dataclass(slots=True, eq=False)
class Cells:
    """What the rows of a column have."""

    kind: Kind
    valid: npt.NDArray[np.bool_]
    """Shape (n,): which rows have anything."""
    numbers: npt.NDArray[Any] | None = None
    """Shape (n,), or (n, d) of vectors."""
    texts: Sequence[bytes] | None = None
    left: tuple[str, ...] = ()
    """Values that no row has, and that are there all the same."""
    unexplained: int = 0
    bits: int = 0
    """Bits of choices that nothing here determines."""

    def __len__(self) -> int:
        return len(self.valid)

    def words(self, which: npt.NDArray[np.bool_]) -> list[str | None]:
        """The chosen rows as text; None where a row has nothing."""
        at = np.flatnonzero(which)
        if self.texts is not None:
            known: dict[bytes, str] = {}
            return [
                known.setdefault(text, spelled(text)) if there else None
                for text, there in ((self.texts[each], self.valid[each]) for each in at.tolist())
            ]
        if self.numbers is None:
            return [None] * len(at)
        values = self.numbers[at].tolist()
        return [repr(each) if there else None for each, there in zip(values, self.valid[at].tolist(), strict=True)]

    def beyond_words(self) -> tuple[int, int]:
        """What text does not tell: bytes of NaN that are not the usual one; bits of which cells are empty and which missing."""
        if self.texts is not None:
            empty = np.array([not text for text in self.texts], dtype=bool)
            marked = self.valid[empty]
            return 0, 0 if marked.all() or not marked.any() else spare_bits.of_places(marked)
        if self.numbers is None or self.numbers.dtype.kind != "f" or self.kind.items:
            return 0, 0
        whole = f"<u{self.numbers.itemsize}"
        usual = np.array([np.nan], dtype=self.numbers.dtype).view(whole)
        odd = np.isnan(self.numbers) & (np.ascontiguousarray(self.numbers).view(whole) != usual)
        return self.numbers.itemsize * int(np.count_nonzero(odd)), 0

    def vectors(self, which: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
        """The chosen rows of vectors, NaN where a row has none.

        Raises:
            UnknownFormError: If they are no vectors.
        """
        if self.numbers is None:
            raise UnknownFormError
        found = self.numbers[which].astype(np.float32)
        found[~self.valid[which]] = np.nan
        return found


def spelled(text: bytes) -> str:
    """Bytes as text."""
    return text.decode("utf-8", "surrogateescape")


def joined(parts: Sequence[Cells]) -> Cells:
    """Put pages behind one another."""
    first = parts[0]
    if len(parts) == 1:
        return first
    return Cells(
        first.kind,
        np.concatenate([each.valid for each in parts]),
        None if first.numbers is None else np.concatenate([each.numbers for each in parts if each.numbers is not None]),
        None if first.texts is None else [text for each in parts for text in each.texts or ()],
        tuple(text for each in parts for text in each.left),
        sum(each.unexplained for each in parts),
        sum(each.bits for each in parts),
    )
