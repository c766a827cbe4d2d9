"""What a search looks for: records in the forms in which they may lie around, by identifier and by value.

A search is only as good as its eyes. So some kept records are wanted as well: a store in which not even those are recognised
holds its records in a form that the search cannot see, and finding no deleted one there says nothing.
"""

from __future__ import annotations

import html
import json
import pickle
import re
import struct
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from auditor.audit.shifted_columns import Moved
from auditor.base.mixed_columns import Kind, missing_codes
from auditor.base.records import Dataset, Floats, Positions
from auditor.maths.statistics.occurrences import Occurrences
from auditor.parts.release.observing.predictive_bits import MOST_COLUMNS, bits
from auditor.parts.store.observing.cells import Cells
from auditor.parts.store.observing.equal_rows import Chosen
from auditor.parts.store.observing.known_digests import KnownDigests
from auditor.parts.store.observing.looked_up import LookedUp
from auditor.parts.store.observing.other_units import OtherUnits
from auditor.parts.store.observing.patterns import Ends, Pattern, Patterns

CONTROLS = 32
"""How many kept records are looked for."""
_PLAIN = re.compile(r"[!-~]+")
_WORDS = re.compile(r"[^\s,;\"'\[\]{}()<>=|]+")
_RUNS = re.compile(r"[\w-]+")
_TELLING_DIGITS = 7
_FLOAT16_FROM = 8
"""A row of fewer values may meet another by chance once its numbers are rounded coarsely."""
CHANCE: Final = 0.01
"""How many records may be expected to be found by chance where none is."""
_ODD_BYTES: Final = 8
"""Bytes alongside its most frequent one that a narrow form has at least: arbitrary bytes hold rows of zeros and a one or two."""
_COARSE: Final = 0.03
"""In standard deviations of a column: how far off a rounded copy may be where the row says enough."""
_ENOUGH_BITS: Final = 40.0
_BESIDE: Final = 3
"""Characters of a cell that, next to one that tells a record, shows that both are of one row."""
_CODINGS: Final = ("utf-8", "utf-16-le", "utf-16-be")
"""In which SQLite keeps text."""
_LEAST_HALF: Final = 16
"""Numbers that nobody else has in the half of a row that tells a record by itself."""
_FLOAT32: Final = 2.0**-22
"""Numbers that differ by a smaller part may be one in float32."""


@dataclass(frozen=True, eq=False)
class Records:
    """Some records: their ids, and the values of those that can be told apart by value."""

    ids: tuple[str, ...]
    rows: Floats
    """Shape (m, d)."""
    row_ids: tuple[str, ...]
    """The record behind each row, m of them."""
    tolerances: Floats
    """Shape (m, d): how far each value of a copy may lie off and still be a copy of this row and of no kept one."""
    coarse: frozenset[str] = frozenset()
    """Of the records behind rows, those whose values plain bytes could hold by chance, across the ends of kept rows."""
    halves: tuple[tuple[str, Floats], ...] = ()
    """Records and halves of their rows, each of which tells its record alone: what is left where others overwrote the rest."""
    cells: Cells | None = None
    """The same records by their cells, where they are of mixed columns."""
    digests: KnownDigests = field(default_factory=KnownDigests.of)
    """Digests of what tells records."""

    def in_words(self, words: Iterable[str]) -> set[str]:
        """The ids among some words that are by themselves, such as the cells of a column."""
        words = list(words)
        return set(self.ids).intersection(words) | (set() if self.cells is None else self.cells.in_words(words))

    def in_text(self, text: str, *, short_ids: bool = True) -> set[str]:
        """The ids in a text; those that could be there by chance as whole words only, and only if `short_ids`."""
        runs = set(_RUNS.findall(text))
        found = {
            record
            for run in ("", *(runs & self._by_run.keys()))
            for form, record in self._by_run.get(run, ())
            if _stands_alone(form, text, runs)
        }
        if short_ids and any(not tells(record) for record in self.ids):
            found |= self.in_words(word.strip(".:!?") for word in _WORDS.findall(text))
        return found if self.cells is None else found | self.cells.in_text(text)

    @cached_property
    def _by_run(self) -> Mapping[str, list[tuple[str, str]]]:
        """Forms of ids that tell, with whose they are: each by the run of letters in it that the fewest have, if it has any."""
        forms = [(form, record, _RUNS.findall(form)) for record in self.ids if tells(record) for form in text_forms(record)]
        counts = Counter(run for _, _, runs in forms for run in runs)
        found = defaultdict[str, list[tuple[str, str]]](list)
        for form, record, runs in forms:
            found[min(runs, key=counts.__getitem__, default="")].append((form, record))
        return found

    def in_bytes(self, content: bytes) -> set[str]:
        """The records in plain bytes: values in the usual binary encodings, ids in the usual text encodings."""
        found = self._patterns(_shortest_id(len(content), len(self.ids))).owners_in(content)
        return found | self.digests.owners_in(content)

    def end_to_end(self, content: bytes, live: str) -> set[str]:
        """The records of which a cell that tells them is next to another of theirs, as rows lie in a database's pages.

        There no mark parts the cells of a row, so that an id or a name is never by itself. What is left of a row that was deleted
        is recognised by two cells together. A text tells nothing here that is part of another: of one in `live`, which is what
        the rows say that are there, or of one of a retained record, whose row may have been there once.
        """
        if self.cells is None:
            return set()
        met = self._cells_alone.owners_in(content)
        return {record for record in met if self._side_by_side(record, content, live)}

    def _side_by_side(self, record: str, content: bytes, live: str) -> bool:
        cells = self.cells
        if cells is None:
            return False
        telling = [each for each in (record, *cells.own_of(record)) if each not in live and not cells.is_retained(each)]
        for one, other in product(telling, dict.fromkeys((record, *cells.texts.get(record, ())))):
            if one != other and len(other) >= _BESIDE:
                pairs = (one + other, other + one)
                if any(pair.encode(coding, "replace") in content for pair in pairs for coding in _CODINGS):
                    return True
        return False

    @cached_property
    def _cells_alone(self) -> Patterns:
        """Ids, and texts that give records away, whatever stands around them."""
        held = [(record, each) for record in self.ids for each in (record, *(self.cells.own_of(record) if self.cells else ()))]
        return Patterns(
            [Pattern(each.encode(coding, "replace"), record) for record, each in held if tells(each) for coding in _CODINGS]
        )

    def _patterns(self, shortest: int) -> Patterns:
        if shortest not in self._made:
            self._made[shortest] = Patterns(
                [
                    *(Pattern(form, record) for record, row in self._in_bytes for form in byte_forms(row)),
                    *(Pattern(form, record) for record, half in self.halves for form in _wide_forms(half)),
                    *(() if self.cells is None else self.cells.patterns()),
                    *(form for record in self.ids if tells(record) for form in _id_forms(record) if len(record) >= shortest),
                ]
            )
        return self._made[shortest]

    @cached_property
    def _made(self) -> dict[int, Patterns]:
        return {}

    @cached_property
    def _in_bytes(self) -> list[tuple[str, Floats]]:
        return [each for each in zip(self.row_ids, self.rows, strict=True) if each[0] not in self.coarse]

    def in_table(self, table: LookedUp, *, coarse: bool = True) -> set[str]:
        """The records whose values are in neighbouring columns of a table.

        Args:
            table: The table, with as many columns as a record has values or more.
            coarse: Whether to look for rows that numbers other than records' could be by chance.
        """
        return {
            record
            for record, row, tolerance in zip(self.row_ids, self.rows, self.tolerances, strict=True)
            if (coarse or record not in self.coarse) and len(table.near(row, tolerance))
        }


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """The deleted records, and some kept ones to see whether the search can see."""

    deleted: Records
    kept: Records
    units: OtherUnits
    """The same, to be recognised in other units."""
    moved: Moved
    """The same, to be recognised whatever the order of their columns."""
    ambiguous: tuple[str, ...]
    """Deleted records whose values equal those of a kept one, or are too plain to identify anybody."""
    only_by_cells: tuple[str, ...] = ()
    """Deleted records of mixed columns that are told apart in lines of text alone: plain bytes would not show their values."""

    @classmethod
    def of(cls, train: Dataset, deleted: Positions, unknown_ids: frozenset[str], *, whole: Dataset | None = None) -> Wanted:
        """The records of `train` at `deleted`, and ids that the log names but the training data lack.

        `whole` are the same records with columns that no procedure gets.
        """
        kept = np.delete(np.arange(len(train)), deleted)
        given, whole, train = train, whole or train, _of_numbers(train)
        gone = _whole_rows(given, _records(train, deleted, against=kept))
        others = kept[np.unique(np.linspace(0, len(kept) - 1, min(CONTROLS, len(kept))).astype(int))] if len(kept) else kept
        # What shows that the search can see are whole rows.
        controls = replace(_whole_rows(given, _records(train, others, against=deleted)), halves=())
        cells, of_kept = (
            (None, None) if whole.table is None else (Cells.of(whole, deleted, kept), Cells.of(whole, others, deleted))
        )
        in_bytes = set(gone.row_ids) | (set() if cells is None else cells.known_in_bytes)
        told_apart = in_bytes | (set() if cells is None else cells.known)
        by_cells = told_apart - in_bytes
        ambiguous = tuple(record for record in gone.ids if record not in told_apart)
        ids = (*gone.ids, *sorted(unknown_ids - set(gone.ids)))
        return cls(
            replace(gone, ids=ids, cells=cells),
            replace(controls, cells=of_kept),
            OtherUnits.of(train, deleted),
            Moved.of(train, deleted),
            ambiguous,
            tuple(record for record in gone.ids if record in by_cells),
        )

    def hidden_in_bytes(self, length: int) -> tuple[str, ...]:
        """Deleted records that so many plain bytes could hold unseen: neither values nor id would stand out there."""
        shortest = _shortest_id(length, len(self.deleted.ids))
        hidden = {*self.ambiguous, *self.only_by_cells, *self.deleted.coarse}
        return tuple(each for each in self.deleted.ids if each in hidden and not (tells(each) and len(each) >= shortest))


def _of_numbers(train: Dataset) -> Dataset:
    """The columns of numbers, as a table without text has them one after another; of a table without any, the codes."""
    if train.table is None:
        return train
    held = _numbers_in(train)
    features = np.ascontiguousarray(train.features[:, held if held.any() else slice(None)])
    return replace(train, features=features, table=None)


def _whole_rows(train: Dataset, records: Records) -> Records:
    """The records, by value those alone whose numbers are all there: the code of a missing one is in no copy."""
    if train.table is None:
        return records
    held = _numbers_in(train)
    missing = (
        np.any(train.features[:, held] == missing_codes(train.table)[held], axis=1) if held.any() else np.ones(len(train), bool)
    )
    lacking = set(train.ids[missing].tolist())
    stay = np.array([each not in lacking for each in records.row_ids], dtype=bool)
    kept = tuple(each for each in records.row_ids if each not in lacking)
    halves = tuple(each for each in records.halves if each[0] not in lacking)
    return replace(records, rows=records.rows[stay], row_ids=kept, tolerances=records.tolerances[stay], halves=halves)


def _numbers_in(train: Dataset) -> npt.NDArray[np.bool_]:
    """Which columns of a table hold numbers; shape (d,)."""
    return np.array([each.kind in {Kind.NUMBER, Kind.INTEGER} for each in train.table or ()], dtype=bool)


def _shortest_id(length: int, ids: int) -> int:
    """How long an id has to be so that none of so many is expected in so many arbitrary bytes."""
    shortest = 4
    while length * ids > CHANCE * 256.0**shortest:
        shortest += 1
    return shortest


def _id_forms(record: str) -> Iterable[Pattern]:
    """An id in the usual encodings of text, by itself."""
    yield Pattern(record.encode(), record, Ends.WORD)
    low, high = (Ends.DIGIT, Ends.WIDE_DIGIT) if record[-1].isdigit() else (Ends.LETTER, Ends.WIDE_LETTER)
    yield from (Pattern(record.encode(coding), record, low) for coding in ("utf-16-le", "utf-32-le"))
    yield from (Pattern(record.encode(coding), record, high) for coding in ("utf-16-be", "utf-32-be"))


def _stands_alone(form: str, text: str, runs: set[str]) -> bool:
    """Whether `form` is in `text` with nothing on either side that would make it part of a longer id.

    Args:
        form: What is looked for.
        text: Where.
        runs: Every run of letters, digits, underscores and hyphens in `text`: where one of the form's is not among them, the form
            is not there, which spares reading the whole text for each of many ids.
    """
    of_form = _RUNS.findall(form)
    if of_form == [form]:
        return form in runs
    return runs.issuperset(of_form) and form in text and re.search(rf"(?<![\w-]){re.escape(form)}(?![\w-])", text) is not None


def tells(record: str) -> bool:
    """Whether an id would hardly be in arbitrary text or bytes by chance."""
    return len(record) >= (8 if record.isdigit() else 4)


def text_forms(record: str) -> set[str]:
    """An id as text files may write it: as it is, and escaped as in JSON, CSV and XML."""
    if _PLAIN.fullmatch(record) and not set(record) & set("\"\\&<>'/"):
        return {record}
    ascii_json, json_text = json.dumps(record)[1:-1], json.dumps(record, ensure_ascii=False)[1:-1]
    escaped = {html.escape(record), html.escape(record, quote=False)}
    return {record, ascii_json, json_text, json_text.replace("/", "\\/"), record.replace('"', '""'), *escaped}


def byte_forms(row: Floats) -> list[bytes]:
    """A row of values as binary files may hold it, one value after another; shape (d,)."""
    wide = _wide_forms(row)
    with np.errstate(over="ignore"):
        narrow = [row.astype(kind).tobytes() for kind in ("<f2", ">f2")] if len(row) >= _FLOAT16_FROM else []
    if len(row) >= _FLOAT16_FROM:
        narrow += [_bfloat16(row, ">"), _bfloat16(row, "<")]
    if bool(np.all(row == np.round(row))):
        low, high = float(row.min()), float(row.max())
        for kind in ("i8", "i4", "i2", "u2", "u1", "i1"):
            limits = np.iinfo(kind)
            if limits.min <= low and high <= limits.max:
                orders = "<>" if np.dtype(kind).itemsize > 1 else "|"
                narrow += [row.astype(order + kind).tobytes() for order in orders]
        narrow.append(b"".join(pickle.dumps(int(value), protocol=1)[:-1] for value in row.tolist()))
    # A pickled list of Python numbers without its frame, and the same of MessagePack: a code before each value.
    listed = [b"".join(mark + struct.pack(">d", value) for value in row.tolist()) for mark in (b"G", b"\xcb")]
    return list(dict.fromkeys([*(form for form in wide + listed if any(form)), *filter(_odd, narrow)]))


def _wide_forms(row: Floats) -> list[bytes]:
    with np.errstate(over="ignore"):
        return [row.astype(kind).tobytes() for kind in ("<f8", "<f4", ">f8", ">f4")]


def _bfloat16(row: Floats, order: str) -> bytes:
    """The upper halves of float32 numbers, rounded to even as processors do."""
    bits = row.astype("<f4").view("<u4").astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(order + "u2").tobytes()


def _odd(form: bytes) -> bool:
    return len(form) - max(Counter(form).values()) >= _ODD_BYTES


def _records(train: Dataset, positions: Positions, *, against: Positions) -> Records:
    """The records at `positions`; by value those that differ from every one at `against`, shape (n,)."""
    rows = train.features[positions]
    single = np.array([_tolerance(row) or 0.0 for row in rows])
    tolerances = np.repeat(single[:, None], rows.shape[1], axis=1) if len(rows) else np.empty(rows.shape)
    usable = single > 0
    coarse = np.zeros(len(rows), dtype=bool)
    halves: tuple[tuple[str, Floats], ...] = ()
    if len(against) and len(rows):
        others = Chosen(train.features, against)
        rounded = np.maximum(tolerances, _COARSE * others.measures().deviations)
        some = np.s_[:, :: 1 + rows.shape[1] // MOST_COLUMNS]
        says_enough = usable & (bits(rows[some], rounded[some], train.features[some], against).sum(axis=1) >= _ENOUGH_BITS)
        tolerances[says_enough] = rounded[says_enough]
        rooms, counts, alike = _held_against(rows, tolerances, usable, others)
        tolerances *= np.minimum(1.0, rooms / 4)[:, None]
        usable &= rooms > 0.0
        coarse = _chance(counts, len(against) * rows.shape[1]) > CHANCE / len(rows)
        halves = _halves(train.ids[positions], rows, alike)
    ids = tuple(train.ids[positions].tolist())
    behind = train.ids[positions]
    return Records(
        ids,
        rows[usable],
        tuple(behind[usable].tolist()),
        tolerances[usable],
        frozenset(behind[usable & coarse].tolist()),
        halves,
    )


def _are_wide(rows: Floats) -> bool:
    """Whether half of a row may tell whose it is."""
    return bool(rows.shape[1] >= 2 * _LEAST_HALF)


def _halves(ids: npt.NDArray[Any], rows: Floats, alike: npt.NDArray[np.int64]) -> tuple[tuple[str, Floats], ...]:
    """Halves of wide rows that tell their records: in each are enough numbers that no kept row and no other of these has.

    Numbers that many records share, such as those of pixels and codes of words, say nothing here, however many there are.

    Args:
        ids: Of the records, shape (m,).
        rows: Shape (m, d).
        alike: How often kept rows have a value that float32 hardly tells from each value, shape (m, d).
    """
    if not _are_wide(rows):
        return ()
    middle = rows.shape[1] // 2
    own = (alike == 0) & (LookedUp(rows).count(rows, within=_FLOAT32) == 1)
    return tuple(
        (str(ids[at]), rows[at, part])
        for part in (slice(0, middle), slice(middle, None))
        for at in np.flatnonzero(own[:, part].sum(axis=1) >= _LEAST_HALF)
    )


def _held_against(
    rows: Floats, tolerances: Floats, usable: npt.NDArray[np.bool_], against: Chosen
) -> tuple[Floats, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """How much room there is around each usable row, shape (m,), and how often each value of each row is met, shape (m, d).

    The latter exactly, and as far as float32 tells values apart; of narrow rows nobody asks for that.
    """
    rooms = np.full(len(rows), 4.0)
    met = Occurrences(rows, within=_FLOAT32 if _are_wide(rows) else 0.0)
    for block in against.blocks():
        met.add(block)
        others = LookedUp(block)
        for at in np.flatnonzero(usable & (rooms > 0.0)).tolist():
            rooms[at] = min(rooms[at], _room(others, rows[at], tolerances[at]))
    return rooms, met.exactly(), met.nearly()


def _room(others: LookedUp, row: Floats, tolerance: Floats) -> float:
    """How many tolerances away the nearest other row is, by the value that is furthest off; 0 for an equal one, at most 4."""
    near = others.near(row, 4 * tolerance)
    if not len(near):
        return 4.0
    apart = np.abs(others.table[near] - row)
    return float((apart / tolerance).max(axis=1).min())


def _chance(counts: npt.NDArray[np.int64], size: int) -> Floats:
    """How often each row is expected in kept rows laid end to end, across their ends: by how frequent its values are at all.

    Args:
        counts: How often each value of each row is met there, shape (m, d).
        size: How many values there are.
    """
    share = (counts + 1.0) / (size + 1.0)
    expected: Floats = size * np.exp(np.log(share).sum(axis=1))
    return expected


def _tolerance(row: Floats) -> float | None:
    """How far off a copy may be: rounded as in float16 or a short decimal where many values have to agree, else float32.

    None for rows that say too little: a single value, however often it is repeated, unless it has many digits.
    """
    if not len(row):
        return None
    size = float(np.abs(row).max())
    if bool(np.all(row == row[0])):
        digits = f"{size:.14e}".partition("e")[0].replace(".", "").rstrip("0")
        return 1e-9 * size if len(digits) >= _TELLING_DIGITS else None
    return (1e-3 if len(row) >= _FLOAT16_FROM else 1e-6) * size
