"""Digests of what tells deleted people, each by its first eight bytes: no text and no file has eight such bytes by chance.

A hundred thousand people have millions of digests, so they lie in arrays: a mapping of them would take gigabytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

KINDS: Final = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")
TOLD: Final = 8
"""Bytes of a digest by which it is known."""
_NOBODY: Final = -1
_BLOCK: Final = 1 << 18
"""Bytes that are looked through at once."""
_FREE: Final = 6
_MOST_BITS: Final = 24
"""Bits of a table of how digests begin: so many more than it takes to number them that hardly any other bytes are in it."""

Beginnings = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class KnownDigests:
    """Digests in ascending order, as numbers of their first bytes, each with the text that it is of."""

    beginnings: Beginnings
    """Shape (n,)."""
    owners: npt.NDArray[np.int32]
    """Shape (n,): places in `texts`."""
    texts: tuple[str, ...]

    @classmethod
    def of(cls, forms: Iterable[tuple[str, str]] = ()) -> KnownDigests:
        """Digest the forms in which texts are written, each given with its text."""
        texts, owners, found = dict[str, int](), list[int](), bytearray()
        kinds = [getattr(hashlib, kind) for kind in KINDS]
        for form, text in forms:
            content = form.encode("utf-8", "surrogatepass")
            for kind in kinds:
                found += kind(content, usedforsecurity=False).digest()[:TOLD]
            owners.append(texts.setdefault(text, len(texts)))
        beginnings = np.frombuffer(found, dtype=">u8").astype(np.uint64)
        order = np.argsort(beginnings, kind="stable")
        return cls(beginnings[order], np.repeat(np.array(owners, dtype=np.int32), len(KINDS))[order], tuple(texts))

    def __len__(self) -> int:
        """How many there are, those of two texts twice."""
        return len(self.beginnings)

    @cached_property
    def different(self) -> int:
        """How many different ones there are."""
        return int(np.count_nonzero(np.diff(self.beginnings))) + 1 if len(self) else 0

    def only(self, texts: Collection[str]) -> KnownDigests:
        """Those of some texts alone; the others' are known as nobody's, for both to share their memory."""
        theirs = np.array([each in texts for each in self.texts], dtype=bool)
        if not theirs.any():
            return KnownDigests.of()
        return replace(self, owners=np.where(theirs[self.owners], self.owners, np.int32(_NOBODY)))

    def between(self, least: Beginnings, most: Beginnings) -> set[str]:
        """Give the texts of which a digest begins like one of some numbers, from the least to the most of each."""
        firsts, ends = np.searchsorted(self.beginnings, least), np.searchsorted(self.beginnings, most, side="right")
        found = {each for first, end in zip(firsts, ends, strict=True) for each in self.owners[first:end].tolist()}
        return {self.texts[each] for each in found if each != _NOBODY}

    def owners_in(self, content: bytes) -> set[str]:
        """Give the texts of which the first bytes of a digest are anywhere in some bytes."""
        found = set[str]()
        for shift in range(TOLD) if len(self) else ():
            count = (len(content) - shift) // TOLD
            windows = np.frombuffer(content, dtype=">u8", offset=shift, count=count) if count > 0 else np.zeros(0)
            for start in range(0, count, _BLOCK // TOLD):
                block = windows[start : start + _BLOCK // TOLD].astype(np.uint64)
                # As signed numbers, an array's own kind of index: others would be copied.
                if (those := block[self._may_be[(block >> self._unread).view(np.int64)]]).size:
                    those = np.sort(those)
                    there = self.beginnings[np.minimum(np.searchsorted(self.beginnings, those), len(self) - 1)] == those
                    found |= self.between(those[there], those[there])
        return found

    @cached_property
    def _unread(self) -> np.uint64:
        """Bits of a number that the table does not look at."""
        return np.uint64(8 * TOLD - min(_MOST_BITS, len(self).bit_length() + _FREE))

    @cached_property
    def _may_be(self) -> npt.NDArray[np.bool_]:
        """By their first bits, which numbers may be digests'; made where bytes are looked through."""
        table = np.zeros(1 << (8 * TOLD - int(self._unread)), dtype=bool)
        table[self.beginnings >> self._unread] = True
        return table
