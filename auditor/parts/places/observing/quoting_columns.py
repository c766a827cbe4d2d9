"""Columns of a table in which rows of people who stay quote a deleted person's text.

What a row of somebody who stays says explains a place, so a prompt with a deleted person's note as its example would pass as soon
as a column of the table holds that prompt. Texts are compared by runs of words, as in `quotations`. Two things are a quotation:

* in another column, runs of the text that nobody who stays has in the column it is from, nearly all of it, or a whole sentence
  that nobody who stays has;
* in its own column, the whole text within a longer one.

How often people who stay are quoted alike says what chance does: a column is named where a quotation is long, and longer than any
of theirs, or where deleted people are quoted more often than they are (Fisher's exact test).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import Column, Kind
from auditor.base.records import Dataset
from auditor.maths.statistics.exact import larger_share_p
from auditor.parts.places.judging.quoted import COPIED, FEWEST, SHARE, WORDS
from auditor.parts.places.observing.borrowed import LEVEL, Borrowed
from auditor.parts.places.observing.normal_forms import normal
from auditor.parts.places.observing.own_values import sentences
from auditor.parts.places.observing.quotations import Hashes, runs_in
from auditor.parts.places.observing.said_by_cells import divided

_WHOLE: Final = 0.9
"""Of the runs of a text, the part that a copy of the whole has at least."""
_COMPARED: Final = 500
"""People who stay who are compared."""


def of_table(records: Dataset, gone: frozenset[str]) -> Borrowed:
    """Find such columns.

    Args:
        records: Everybody who is in the table.
        gone: Ids of deleted people, in it or not.
    """
    left = divided(records, records.ids.tolist(), gone)
    if left is None:
        return Borrowed()
    words: dict[str, int] = {}
    columns = [
        _Texts(each, records.features[:, at], left, words)
        for at, each in enumerate(records.table or ())
        if each.kind is Kind.TEXT and any(text.count(" ") >= WORDS + FEWEST - 2 for text in each.words)
    ]
    asked = [(source, those, _some(source.rows(~left))) for source in columns if (those := source.rows(left))]
    names, people = set[str](), set[str]()
    for source, rows, others in asked:
        for column in columns:
            met = source.quoted_in(column, rows)
            if not met:
                continue
            theirs = source.quoted_in(column, others)
            p = larger_share_p(len(met), len(rows), len(theirs), len(others))
            long = max(met.values()) >= max(COPIED, max(theirs.values(), default=0) + 1)
            if long or p <= LEVEL / (len(asked) * len(columns)):
                names.add(column.name)
                people.update(str(records.ids[row]) for row in met)
    return Borrowed(frozenset(names), frozenset(people))


def _some(rows: Sequence[int]) -> list[int]:
    """Choose rows at even distances, where there are many."""
    return [rows[int(at)] for at in np.unique(np.linspace(0, len(rows) - 1, min(_COMPARED, len(rows))).astype(int))]


class _Texts:
    """The texts of one column: whose each is, and its runs of words."""

    def __init__(
        self, column: Column, codes: npt.NDArray[np.float64], left: npt.NDArray[np.bool_], words: dict[str, int]
    ) -> None:
        self.name = column.name
        self._codes, self._left = codes, left
        self._said, self._words = column.words, words
        there = (codes >= 0) & (codes < len(column.words))
        self._texts: Mapping[int, Hashes] = {
            int(code): runs_in(normal(column.words[int(code)]), words) for code in np.unique(codes[there]).tolist()
        }
        self._kept = Counter(codes[there & ~left].astype(int).tolist())
        """How many people who stay have each text."""

    def rows(self, which: npt.NDArray[np.bool_]) -> list[int]:
        """Rows, of some, with a text long enough to be copied."""
        return [int(at) for at in np.flatnonzero(which) if len(self._texts.get(int(self._codes[at]), ())) >= COPIED]

    def quoted_in(self, column: _Texts, rows: Sequence[int]) -> dict[int, int]:
        """Of some rows, those whose text other people who stay have in a column, with the runs of the longest quotation."""
        found = {row: self._in_own(row) if column is self else self._in_other(row, column) for row in rows}
        return {row: runs for row, runs in found.items() if runs}

    def _in_own(self, row: int) -> int:
        """Runs of the whole text in a longer one of this column."""
        code = int(self._codes[row])
        own = self._texts[code]
        return max(
            (
                runs
                for text, runs in self._index.in_texts(own).items()
                if text != code and runs >= _WHOLE * len(own) and len(self._texts[text]) >= len(own) + FEWEST and self._kept[text]
            ),
            default=0,
        )

    def _in_other(self, row: int, column: _Texts) -> int:
        """Runs of the text in another column: those that tell it from other people's, or nearly all of it."""
        own = self._texts[int(self._codes[row])]
        telling = own[self._index.people(own, self._kept) == (0 if self._left[row] else 1)]
        tells, whole = column._index.in_texts(telling), column._index.in_texts(own)
        least = max(FEWEST, SHARE * len(own))
        quoted = {text: runs for text, runs in tells.items() if runs >= least}
        quoted |= {text: runs for text, runs in whole.items() if runs >= _WHOLE * len(own)}
        for sentence in self._sentences(int(self._codes[row])) if whole else ():
            quoted |= {text: runs for text, runs in column._index.in_texts(sentence).items() if runs == len(sentence)}
        if not quoted:
            return 0
        # Who has the text too may say so in another column.
        alike = [text for text, runs in self._index.in_texts(own).items() if runs >= _WHOLE * len(own)]
        others = ~self._left & ~np.isin(self._codes, alike)
        others[row] = False
        held = set(column._codes[others].tolist())
        return max((runs for text, runs in quoted.items() if text in held), default=0)

    def _sentences(self, code: int) -> Iterator[Hashes]:
        """The runs of each long sentence of a text that one person alone has of those who stay, or nobody."""
        text, most = self._said[code], min(1, self._kept[code])
        for start, end in sentences(text):
            runs = runs_in(normal(text[start:end]), self._words)
            if len(runs) >= COPIED:
                held = [each for each, count in self._index.in_texts(runs).items() if count == len(runs)]
                if sum(self._kept[each] for each in held) <= most:
                    yield runs

    @cached_property
    def _index(self) -> _Index:
        codes = np.repeat(list(self._texts), list(map(len, self._texts.values()))).astype(np.int64)
        runs = np.concatenate([np.zeros(0, np.uint64), *self._texts.values()])
        order = np.argsort(runs, kind="stable")
        return _Index(runs[order], codes[order])


@dataclass(frozen=True, slots=True)
class _Index:
    """In which texts each run is, in ascending order of runs."""

    runs: Hashes
    texts: npt.NDArray[np.int64]

    def in_texts(self, wanted: Hashes) -> Counter[int]:
        """How many of some runs each text has."""
        return Counter(self.texts[self._places(wanted)[0]].tolist())

    def people(self, wanted: Hashes, kept: Mapping[int, int]) -> npt.NDArray[np.int64]:
        """How many people who stay have each of some runs."""
        places, of = self._places(wanted)
        counts = np.array([kept[text] for text in self.texts[places].tolist()], dtype=np.int64)
        return np.bincount(of, weights=counts, minlength=len(wanted)).astype(np.int64)

    def _places(self, wanted: Hashes) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Places of the entries of some runs, and which of them each is of."""
        first, last = (np.searchsorted(self.runs, wanted, side=side) for side in ("left", "right"))
        sizes = last - first
        of = np.repeat(np.arange(len(wanted)), sizes)
        return np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes) + np.repeat(first, sizes), of
