"""Account for every byte of an SQLite database by what lies in its pages: see <https://sqlite.org/fileformat2.html>.

Queries give the values of rows and nothing else. A page has room between its cells, pages that were given back keep what they
held, a row can have more fields than its table has columns, an index other keys than its rows. So each page is taken apart.
Explained are structures, rows of as many fields as there are columns, each value written as SQLite writes it, keys that an index
built from these rows has as well, bytes of zero, what lies at the same place where the database is written again from its rows,
and remnants: whole cells, or their beginnings, that are those of rows which are there, with or without the four bytes that a page
writes over what it gives back. What is left is counted. What numbers of rows and of the header could carry is counted by
`spare_bits`.
"""

from __future__ import annotations

import re
import struct
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final, NamedTuple

_HEADER: Final = 100
_LOCKED: Final = 1 << 30
"""The byte that a database is locked by; its page holds nothing."""
_INDEX_INSIDE, _TABLE_INSIDE, _INDEX_LEAF, _TABLE_LEAF = 2, 5, 10, 13
_DEEPEST: Final = 20
_SIZES: Final = dict(enumerate((0, 1, 2, 3, 4, 6, 8, 8, 0, 0)))
"""Bytes of a value by its type, as far as the type says no length."""
_WHOLE: Final = frozenset({1, 2, 3, 4, 5, 6})
_LARGEST_WHOLE: Final = 1 << 47
"""From here on a column of floats holds whole numbers as floats too."""
_NUMBER: Final = 7
_BYTES: Final = 12
"""The types from which on bytes and text follow in turn, each longer than the one before."""
_NEWER: Final = 4
_CODINGS: Final = {1: "utf-8", 2: "utf-16-le", 3: "utf-16-be"}
_SHORTEST: Final = 4
"""Bytes of a remnant that is recognised."""
_ROOM: Final = 4
"""Bytes that a page writes over the beginning of what it gives back."""
_MOST_LOOSE: Final = 60
"""Bytes of a page in pieces too small to be given back, at most: with more of them a page is put in order."""
_NAMED_BY: Final = 12
"""Bytes by which a cell is recognised whose beginning was written over so."""
_MOST_LEFT: Final = 1 << 24
"""Bytes between cells in which remnants are looked for: a database with more has not been written again for long."""
_LIKE_A_NUMBER: Final = re.compile(rb"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")


_Candidates = defaultdict[bytes, list[tuple[int, int]]]


class DamagedError(ValueError):
    """A file whose pages are not what a database's are."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A table or an index, by the page that it begins with."""

    name: str
    root: int
    fields: int | None
    """Columns that a row holds; None of an index."""
    alias: int | None = None
    """Which of them is the row's own number, and so not held with the others."""
    numeric: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    """Which of them hold every number in one form, and none as text; in rows that have numbers of their own, and in others."""


class _Cell(NamedTuple):
    number: int | None
    """The row's own, in a table that has them."""
    payload: bytes
    held: bytes
    """The cell itself, without the page that it leads to."""


@dataclass(slots=True)
class _Forms:
    """Follows which columns hold numbers, text or bytes, and how many fields rows have: 1, '1' and 1.0 are one value here."""

    changes: list[int] = field(default_factory=list)
    """After how many values each one is of another form than the last of its column."""
    _last: dict[int, int | str] = field(default_factory=dict)
    _since: int = 0

    def note(self, types: list[int], numeric: frozenset[int]) -> None:
        """Read a row."""
        self._is(-1, len(types))
        for place, kind in enumerate(types):
            if kind:
                number = "number" if place in numeric or kind != _NUMBER else "float"
                self._is(place, number if kind < _BYTES else "text" if kind & 1 else "bytes")

    def _is(self, place: int, form: int | str) -> None:
        if self._last.setdefault(place, form) != form:
            self.changes.append(self._since)
            self._last[place], self._since = form, 0
        self._since += 1


@dataclass(slots=True)
class Pages:
    """The pages of one database."""

    content: bytes
    size: int = 0
    usable: int = 0
    count: int = 0
    coding: str = "utf-8"
    newer: bool = True
    """Whether 0 and 1 take no byte in a row, as in every form but the first three."""
    beyond: int = 0
    """Bytes that nothing explains, as far as pages have been read."""
    _owners: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Of each page that was read, what a map of pages says of it: its kind and the page that names it."""
    _left: list[tuple[int, int, bool]] = field(default_factory=list)
    """Where something other than zeros lies between cells: from, to, and whether pointers to cells lay there."""
    _starts: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    """Where the cells of each page with such a place begin."""
    numbers: dict[int, array[int]] = field(default_factory=dict)
    """The numbers of rows of each table that has them, by the page that it begins with."""
    separators: list[int] = field(default_factory=list)
    """What the numbers between pages of rows are off from the last row before them."""
    forms: list[int] = field(default_factory=list)
    """After how many values each one is of another form than the last of its column: see `_Forms`."""
    rooms: list[int] = field(default_factory=list)
    """Of each number of former room that still stands on a page, how many it might be: see `_was_listed`."""
    orders: list[list[int]] = field(default_factory=list)
    """Which cell of a page, or page of a table, lies behind which; nothing where they lie in their own order."""
    _disordered: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By the place of such a page's order, where its pointers to cells are: from, to."""
    _last: int = 0
    """The number of the row that was read last."""
    _leaves: list[int] = field(default_factory=list)
    """The pages with rows, or keys, of the tree that is read now, in the order of these."""
    _again: list[bytes] = field(default_factory=list)
    """The database as it is written from its rows alone: each way of which something was left."""

    def __post_init__(self) -> None:
        """Read the header.

        Raises:
            DamagedError: If it is not one.
        """
        if len(self.content) < 512:
            raise DamagedError("no header")
        (size,) = struct.unpack_from(">H", self.content, 16)
        self.size = 1 << 16 if size == 1 else size
        self.usable = self.size - self.content[20]
        (coding,) = struct.unpack_from(">I", self.content, 56)
        if self.size < 512 or self.size & (self.size - 1) or self.usable < 480 or coding not in _CODINGS:
            raise DamagedError("no header of a database")
        self.coding, self.newer = _CODINGS[coding], self.content[47] == _NEWER
        self.count = len(self.content) // self.size
        self.beyond += len(self.content) - self.count * self.size
        stated, changed, valid = (struct.unpack_from(">I", self.content, at)[0] for at in (28, 24, 92))
        if stated not in {0, self.count} or (stated and changed != valid):
            raise DamagedError("another number of pages")

    def account(self, trees: list[Tree], built: Mapping[str, tuple[Pages, int]], written_again: Callable[[bool], bytes]) -> int:
        """Count the bytes that nothing explains.

        Args:
            trees: Every table and index, and the list of them.
            built: For each index by name, a database in which it was built from the rows, and where it begins there.
            written_again: Writes the database from its rows, where what is given back on the way is overwritten, or not.

        Raises:
            DamagedError: If the pages are not those of a database.
        """
        for tree in trees:
            # Reading its pages adds to what is beyond: what comes of the tree is added to that, and not to what was there before.
            self._leaves.clear()
            of_tree = self._of_index(tree, built.get(tree.name)) if tree.fields is None else self._of_table(tree)
            self.beyond += of_tree
            self._add_order(sorted(range(len(self._leaves)), key=self._leaves.__getitem__))
        self._given_back()
        self._mapped()
        for number in range(1, self.count + 1):
            if number not in self._owners:
                self.beyond += _filled(self._page(number))
        for overwrites in (True, False):
            disordered = {at: where for at, where in self._disordered.items() if self.orders[at]}
            if self._left or disordered:
                # What lies between the cells there follows from the rows, and so it does where the same lies here.
                again = written_again(overwrites)
                self._left = [each for each in self._left if again[each[0] : each[1]] != self.content[each[0] : each[1]]]
                self._again.append(again)
                for at, (begin, end) in disordered.items():
                    if again[begin:end] == self.content[begin:end]:
                        self.orders[at] = []
        self.beyond += self._remnants(trees)
        return self.beyond

    def cells(self, root: int) -> Iterator[_Cell]:
        """Give every row of a table, or key of an index, in order; each page may be read once.

        Raises:
            DamagedError: If they are not as they have to be.
        """
        yield from self._cells(root, (1, 0), 0)

    def _page(self, number: int) -> bytes:
        return self.content[(number - 1) * self.size : number * self.size]

    def _take(self, number: int, owner: tuple[int, int]) -> int:
        """Where a page begins that is read now.

        Raises:
            DamagedError: If there is none, or it was read before.
        """
        if not 1 <= number <= self.count or number in self._owners:
            raise DamagedError("a page that is missing, or has two uses")
        self._owners[number] = owner
        return (number - 1) * self.size

    def _cells(self, number: int, owner: tuple[int, int], depth: int) -> Iterator[_Cell]:
        if depth > _DEEPEST:
            raise DamagedError("nested too deeply")
        content, at = self.content, self._take(number, owner)
        first = at + (_HEADER if number == 1 else 0)
        kind, free, count, begins, loose = struct.unpack_from(">BHHHB", content, first)
        inside = kind in {_INDEX_INSIDE, _TABLE_INSIDE}
        listed = first + (12 if inside else 8)
        end = at + self.usable
        if kind not in {_INDEX_INSIDE, _TABLE_INSIDE, _INDEX_LEAF, _TABLE_LEAF} or listed + 2 * count > end:
            raise DamagedError("a page of no kind, or with more cells than there is room for")
        spans = [(first, listed + 2 * count)]
        self._leaves += [] if inside else [number]
        for place in struct.unpack_from(f">{count}H", content, listed):
            begin = at + place
            if begin + 4 > end:
                raise DamagedError("a cell outside of its page")
            if inside:
                (child,) = struct.unpack_from(">I", content, begin)
                yield from self._cells(child, (5, number), depth + 1)
            cell, stop = self._cell(kind, begin, end, number)
            spans.append((begin, stop))
            if cell is not None:
                yield cell
        self._note_order(listed, [begin for begin, _ in spans[1:]])
        if inside:
            (child,) = struct.unpack_from(">I", content, first + 8)
            yield from self._cells(child, (5, number), depth + 1)
        used = sum(max(_SHORTEST, stop - begin) for begin, stop in spans[1:])
        for begin, room in self._room(at, free, end):
            spans.append((begin, begin + 4))
            used += room
        # What is in no cell and in no such room, three bytes at a time, is counted: SQLite keeps this number right and small.
        if self.usable - (begins or 1 << 16) - used != loose or loose > _MOST_LOOSE:
            self.beyond += 3
        self._between(number, spans, end)

    def _note_order(self, listed: int, begins: list[int]) -> None:
        """Note how cells lie on their page, which SQLite fills from its end."""
        self._disordered[len(self.orders)] = listed, listed + 2 * len(begins)
        self._add_order(sorted(range(len(begins)), key=lambda each: -begins[each]))

    def _add_order(self, order: list[int]) -> None:
        self.orders.append([] if order == sorted(order) else order)

    def _room(self, at: int, free: int, end: int) -> Iterator[tuple[int, int]]:
        """Give the places between the cells of a page that it lists as free: where each begins, and its bytes."""
        while free:
            begin = at + free
            if begin + 4 > end:
                raise DamagedError("room outside of its page")
            following, room = struct.unpack_from(">HH", self.content, begin)
            if (following and following < free + room) or room < _SHORTEST or begin + room > end:
                raise DamagedError("room that comes back to itself")
            yield begin, room
            free = following

    def _between(self, number: int, spans: list[tuple[int, int]], end: int) -> None:
        """Note what lies between the structures and cells of a page, and beyond its usable end."""
        spans.sort()
        last, listed = spans[0]
        for begin, stop in (*spans, (end, end)):
            if begin < last:
                raise DamagedError("cells that overlap")
            if begin > last and self.content.count(0, last, begin) < begin - last:
                self._left.append((last, begin, last == listed))
                self._starts[number] = {each - (number - 1) * self.size for each, _ in spans[1:]}
            last = stop
        self.beyond += _filled(self.content[end : number * self.size])

    def _cell(self, kind: int, at: int, end: int, number: int) -> tuple[_Cell | None, int]:
        """A cell, and where it ends; None for what only leads to others."""
        row: int | None = None
        if kind == _TABLE_INSIDE:
            row, at = self._varint(at + 4)
            # Rows before it have been read by now; the last one's number is what this is where nothing was erased since.
            self.separators.append(_signed(row) - self._last)
            return None, at
        begin = at + (4 if kind == _INDEX_INSIDE else 0)
        length, at = self._varint(begin)
        if kind == _TABLE_LEAF:
            row, at = self._varint(at)
            row = self._last = _signed(row)
        here = self._local(length, table=kind == _TABLE_LEAF)
        stop = at + here
        if stop > end:
            raise DamagedError("a cell beyond the end of its page")
        payload = self.content[at:stop]
        if here < length:
            (following,) = struct.unpack_from(">I", self.content, stop)
            payload += self._further(following, length - here, number)
            stop += 4
        return _Cell(row, payload, self.content[begin:stop]), stop

    def _local(self, length: int, *, table: bool) -> int:
        """How many bytes of a row lie in its cell."""
        most = self.usable - 35 if table else (self.usable - 12) * 64 // 255 - 23
        if length <= most:
            return length
        least = (self.usable - 12) * 32 // 255 - 23
        some = least + (length - least) % (self.usable - 4)
        return some if some <= most else least

    def _further(self, number: int, length: int, owner: int) -> bytes:
        """What of a row lies in pages of its own."""
        if length > len(self.content):
            raise DamagedError("a row that is longer than its file")
        parts, kind = [], 3
        while length:
            at = self._take(number, (kind, owner))
            (following,) = struct.unpack_from(">I", self.content, at)
            here = min(length, self.usable - 4)
            parts.append(self.content[at + 4 : at + 4 + here])
            last, end = at + 4 + here, at + self.usable
            if self.content.count(0, last, end) < end - last:
                self._left.append((last, end, False))
            self.beyond += _filled(self.content[end : at + self.size])
            owner, number, kind, length = number, following, 4, length - here
        if number:
            self.beyond += 4
        return b"".join(parts)

    def _varint(self, at: int) -> tuple[int, int]:
        """A number of up to nine bytes, and where it ends; one that is longer than it has to be is damage."""
        content, value, first = self.content, 0, at
        for _ in range(8):
            byte = content[at]
            at += 1
            value = value << 7 | byte & 127
            if byte < 128:
                if value >> 7 * (at - first - 1) == 0 and at - first > 1:
                    raise DamagedError("a number that is longer than it has to be")
                return value, at
        return value << 8 | content[at], at + 1

    def _of_table(self, tree: Tree) -> int:
        """Bytes of rows that hold more than their columns; notes the numbers of rows."""
        found, numbers, forms = 0, array("q"), _Forms()
        for cell in self.cells(tree.root):
            if not self._is_row(cell.payload, tree, tree.numeric[cell.number is None], forms):
                found += len(cell.payload)
            if cell.number is not None:
                if numbers and cell.number <= numbers[-1]:
                    raise DamagedError("rows out of order")
                numbers.append(cell.number)
        if numbers:
            self.numbers[tree.root] = numbers
        self.forms += forms.changes
        return found

    def _of_index(self, tree: Tree, built: tuple[Pages, int] | None) -> int:
        """Bytes of keys that the same index does not have where it is built from the rows."""
        other: Iterator[_Cell] = iter(()) if built is None else built[0].cells(built[1])
        found = 0
        for own, same in zip_longest(self.cells(tree.root), other):
            if own is not None and (same is None or own.payload != same.payload):
                found += len(own.payload)
        return found

    def _is_row(self, payload: bytes, tree: Tree, numeric: frozenset[int], forms: _Forms) -> bool:
        """Whether a row has no more fields than its table, and each of them nothing that a query does not give."""
        try:
            length, at = _small(payload, 0)
            types = []
            while at < length:
                kind, at = _small(payload, at)
                types.append(kind)
        except IndexError:
            return False
        if at != length or len(types) > (tree.fields or 0):
            return False
        for place, kind in enumerate(types):
            size = (kind - 12) // 2 if kind >= _BYTES else _SIZES.get(kind)
            if size is None or (place == tree.alias and kind):
                return False
            value = payload[at : at + size]
            if not self._is_shown(kind, value) or not self._is_plain(kind, value, numeric=place in numeric):
                return False
            at += size
        forms.note(types, numeric)
        return at == len(payload)

    def _is_shown(self, kind: int, value: bytes) -> bool:
        """Whether a query gives all of a value: not of what is no number, nor of text that is no text."""
        if kind == _NUMBER:
            return value[0] & 127 != 127 or value[1] < 0xF0 or (value[1] == 0xF0 and not any(value[2:]))
        return kind < _BYTES or not kind & 1 or self.coding == "utf-8" or self._is_text(value)

    def _is_plain(self, kind: int, value: bytes, *, numeric: bool) -> bool:
        """Whether a value is written in the one way that SQLite writes it: a query gives it the same in others too."""
        if kind in _WHOLE:
            number = int.from_bytes(value, "big", signed=True)
            short = 0 if number in {0, 1} and self.newer else (number + (number < 0)).bit_length() // 8 + 1
            return _SIZES[kind] == min((each for each in (0, 1, 2, 3, 4, 6, 8) if each >= short), default=8)
        if not numeric:
            return True
        if kind == _NUMBER and len(value) == _SIZES[_NUMBER]:
            (number,) = struct.unpack(">d", value)
            return not (abs(number) < _LARGEST_WHOLE and number == int(number))
        text = value if self.coding == "utf-8" else value.decode(self.coding, "replace").encode()
        return kind < _BYTES or not kind & 1 or not _LIKE_A_NUMBER.fullmatch(text)

    def _is_text(self, text: bytes) -> bool:
        try:
            return len(text) % 2 == 0 and not text.decode(self.coding).startswith("\ufeff")
        except UnicodeDecodeError:
            return False

    def _given_back(self) -> None:
        """Read the list of pages that nothing uses."""
        number, most = struct.unpack_from(">II", self.content, 32)
        while number:
            at = self._take(number, (2, 0))
            following, count = struct.unpack_from(">II", self.content, at)
            if count > self.usable // 4 - 2:
                raise DamagedError("more pages than there is room for")
            self._leave(at + 8 + 4 * count, at + self.size)
            for leaf in struct.unpack_from(f">{count}I", self.content, at + 8):
                begin = self._take(leaf, (2, 0))
                self._leave(begin, begin + self.size)
            most -= 1 + count
            number = following
        if most:
            raise DamagedError("another number of pages that nothing uses")

    def _leave(self, begin: int, end: int) -> None:
        if self.content.count(0, begin, end) < end - begin:
            self._left.append((begin, end, False))

    def _mapped(self) -> None:
        """Compare the maps of pages, where there are any, with the pages; and the page of the lock, which holds nothing."""
        locked = _LOCKED // self.size + 1
        if locked <= self.count:
            at = self._take(locked, (0, 0))
            self.beyond += _filled(self.content[at : at + self.size])
        if not struct.unpack_from(">I", self.content, 52)[0]:
            return
        entries = self.usable // 5
        number = 2
        while number <= self.count:
            place = number + (number == locked)
            if place > self.count:
                return
            at = self._take(place, (0, 0))
            for entry in range(entries):
                kind, parent = struct.unpack_from(">BI", self.content, at + 5 * entry)
                if (kind, parent) != self._owners.get(place + 1 + entry, (0, 0)):
                    self.beyond += 5
            self.beyond += _filled(self.content[at + 5 * entries : at + self.size])
            number += entries + 1

    def _remnants(self, trees: list[Tree]) -> int:
        """Bytes between cells, on pages that were given back and after the end of rows, that are no zeros and no remnant."""
        size = sum(end - begin - self.content.count(0, begin, end) for begin, end, _ in self._left)
        if not size or size > _MOST_LEFT:
            return size
        met, rooms = self._met(trees)
        for at in rooms:
            self.rooms += [len(self._starts[at // self.size + 1]) + 1] * 2
        return sum(self._unmet(begin, end, met, pointers=pointers) for begin, end, pointers in self._left)

    def _met(self, trees: list[Tree]) -> tuple[dict[int, int], set[int]]:
        """Find what is left of cells that are there: its end by its beginning, and where a page wrote over the beginning."""
        tried, listed = self._candidates()
        met, rooms = dict[int, int](), set[int]()
        for tree in trees:
            for _, _, held in Pages(self.content).cells(tree.root):
                for at, stop in tried.get(held[:_SHORTEST], ()):
                    if held.startswith(self.content[at:stop]):
                        met[at] = max(met.get(at, 0), stop)
                for at, end in listed.get(held[_ROOM:_NAMED_BY], ()):
                    stop = min(at + len(held), end)
                    if held.startswith(self.content[at + _ROOM : stop], _ROOM) and stop > met.get(at, 0):
                        met[at] = stop
                        rooms.add(at)
        return met, rooms

    def _candidates(self) -> tuple[_Candidates, _Candidates]:
        """Say where cells may have been, by the bytes that they begin with, and by those behind a beginning that is gone."""
        tried, listed = _Candidates(list), _Candidates(list)
        for begin, end, _ in self._left:
            for at in range(begin, end - _SHORTEST + 1):
                if self.content[at] and (stop := self._like_a_cell(at, end)):
                    tried[self.content[at : at + _SHORTEST]].append((at, stop))
                if at + _NAMED_BY <= end and self._was_listed(at):
                    listed[self.content[at + _ROOM : at + _NAMED_BY]].append((at, end))
        return tried, listed

    def _was_listed(self, at: int) -> bool:
        """Whether four bytes are those that a cell was overwritten with as it was given back.

        They say where the next such place begins, and how long this one is: up to where a cell, or room, begins now.
        """
        number = at // self.size + 1
        begin = (number - 1) * self.size
        starts = self._starts.get(number, set())
        following, room = struct.unpack_from(">HH", self.content, at)
        end = at - begin + room
        return room >= _ROOM and (not following or following in starts) and (end in starts or end == self.usable)

    def _like_a_cell(self, at: int, end: int) -> int:
        """Where a cell would end that began here, or the room that it lies in; 0 where none can."""
        try:
            length, place = self._varint(at)
            if not 2 <= length <= self.usable:
                return 0
            for table in (True, False):
                after = self._varint(place)[1] if table else place
                # The length of what a row says of its fields comes first, and is as long as these are many.
                if 1 < self.content[after] <= length:
                    return min(after + length, end)
        except (DamagedError, IndexError):
            return 0
        return 0

    def _unmet(self, begin: int, end: int, met: Mapping[int, int], *, pointers: bool) -> int:
        at, page = begin, begin - begin % self.size
        found = 0
        if pointers:
            # Where there were more cells once, the list of them went on.
            starts = self._starts[page // self.size + 1] | {each - page for each in met if page <= each < page + self.size}
            while at + 2 <= end and (place := struct.unpack_from(">H", self.content, at)[0]) in starts:
                starts.remove(place)
                at += 2
        while at < end:
            if at in met:
                at = max(at + 1, met[at])
            elif not self.content[at] or any(each[at : at + 1] == self.content[at : at + 1] for each in self._again):
                # Versions of SQLite write over different bytes of what they give back: the others are the same in all of them.
                at += 1
            else:
                found += 1
                at += 1
        return found


def _signed(number: int) -> int:
    """A number of nine bytes as SQLite has it."""
    return number - (1 << 64) if number >> 63 else number


def _filled(content: bytes) -> int:
    """Bytes that are no zeros."""
    return len(content) - content.count(0)


def _small(payload: bytes, at: int) -> tuple[int, int]:
    """A number of what a row says of its fields, and where it ends; -1 for one that is longer than it has to be."""
    value = payload[at]
    if value < 128:
        return value, at + 1
    first, value = at, value & 127
    while True:
        at += 1
        byte = payload[at]
        value = value << 7 | byte & 127
        if byte < 128:
            return (value if payload[first] != 128 else -1), at + 1
        if at - first > 8:
            return -1, at + 1
