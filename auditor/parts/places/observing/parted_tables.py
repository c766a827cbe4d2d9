"""Count the order of rows of a table that lies in several files as that of one table, where each goes on where another ended.

By themselves, the rows of a part are a choice among everybody's, and say where they begin and how many they are. Of a part that
goes on where one before it ended, the first is known, and so is the number where it is that of the last, or all who are left.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil, log2
from typing import Final, TypeAlias

from auditor.parts.places.observing.row_order import Order, Run
from auditor.parts.store.observing.spare_bits import bits_of

_Layout: TypeAlias = tuple[str, ...]
_OF_WAY: Final = 2
"""Bits of in which order, or with how many rows, a part goes on otherwise than the one before; all of one row more or fewer."""


@dataclass(slots=True)
class _Table:
    """The parts so far of a table of some columns."""

    ends: list[set[int]]
    """In each order, the places after parts where no other has gone on yet."""
    order: int = 0
    rows: int = 0
    usual: int = 0
    """How many parts in turn went on as was to be expected."""

    def bits(self, order: Order) -> int:
        """Bits of a part, which goes on where another ended, or is counted by itself."""
        goes_on = [(self._going_on(number, run), number) for number, run in enumerate(order.runs) if run is not None]
        least, number = min(
            ((bits, number) for bits, number in goes_on if bits is not None), default=(order.bits + 1, self.order)
        )
        if not least:
            self.usual += 1
            return 0
        exception = bits_of(self.usual) - 1 + min(least, order.bits)
        self.usual = 0
        if least <= order.bits:
            self.order = number
        return exception

    def _going_on(self, number: int, run: Run) -> int | None:
        """Bits of a part of one order that goes on where another ended; None of one that does not."""
        if run.first not in self.ends[number]:
            return None
        more = run.end - run.first - self.rows
        of_rows = 0 if not more or run.end == run.everybody else _OF_WAY + (bits_of(more) if abs(more) > 1 else 0)
        return ceil(log2(len(self.ends[number]))) + of_rows + (0 if number == self.order else _OF_WAY) + run.of_labels

    def note(self, runs: Sequence[Run | None]) -> None:
        """Remember where a part ends."""
        for ends, run in zip(self.ends, runs, strict=True):
            if run is not None:
                ends.discard(run.first)
                ends.add(run.end)
                self.rows = run.end - run.first


@dataclass(slots=True)
class PartedTables:
    """The parts of tables of a scan so far."""

    _tables: dict[_Layout, _Table] = field(default_factory=dict)
    _of_files: dict[Hashable, int] = field(default_factory=dict)

    def add(self, file: Hashable, tables: Iterable[tuple[_Layout, Order]]) -> int:
        """Count the bits of the orders of a file's tables; a file that is asked about again has those of the first time.

        Args:
            file: By what it is known.
            tables: The known columns of each of its tables, and what the order of its rows came to by itself.
        """
        if file not in self._of_files:
            self._of_files[file] = sum(self._of(*each) for each in tables)
        return self._of_files[file]

    def _of(self, layout: _Layout, order: Order) -> int:
        if not order.runs:
            return order.bits
        table = self._tables.get(layout)
        if table is None:
            table = self._tables[layout] = _Table([set() for _ in order.runs])
            found = order.bits
        else:
            found = table.bits(order)
        table.note(order.runs)
        return found
