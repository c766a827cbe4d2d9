"""Histories of whole controllers: 10,000 operations with their comparisons, and the counterexample of each broken one.

What is timed is the whole experiment in this process: drawing, playing both sides, comparing, shortening, and playing the
shortest again. The sandbox adds a process for each side and a round trip for each batch of histories.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from auditor.base.domain import Status
from auditor.base.histories import ANY_WORD, DELETE, Vocabulary
from auditor.parts.controllers.judging.history.judging import judged
from auditor.parts.controllers.judging.history.observed import Observed
from auditor.parts.controllers.observing.histories import experiment as histories
from auditor.parts.controllers.observing.histories.experiment import experiment
from benchmarks.in_process import rooms
from benchmarks.measuring import Figure, Times, times

VOCABULARY: Final = Vocabulary({"set": (ANY_WORD,), "get": ()}, frozenset({"set", "get"}))


class Sorted:
    """A dictionary in canonical form."""

    def initialize(self, seed: int) -> str | None:
        """Begin empty."""
        self.tape = seed
        self.kept: dict[str, Any] = {}
        return None

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        """Set, get, delete."""
        if operation == "set":
            self.kept[channel] = argument
        elif operation == DELETE:
            self.delete(channel)
        return self.kept.get(channel)

    def delete(self, channel: str) -> None:
        """Forget a channel."""
        self.kept.pop(channel, None)

    def state(self) -> bytes:
        """The contents in order."""
        return json.dumps(sorted(self.kept.items())).encode()


class ByInsertion(Sorted):
    """In the order of insertion."""

    def state(self) -> bytes:
        """The contents as they came."""
        return json.dumps(list(self.kept.items())).encode()


class Tombstones(Sorted):
    """A deleted entry is marked."""

    def delete(self, channel: str) -> None:
        """Mark it."""
        if channel in self.kept:
            self.kept[channel] = None


class FreedSlots(Sorted):
    """Freed slots keep their bytes until they are used again."""

    def initialize(self, seed: int) -> str | None:
        """Begin empty."""
        self.slots: list[list[Any]] = []
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        """Set into the first free slot."""
        mine = next((slot for slot in self.slots if slot[0] and slot[1] == channel), None)
        if operation == "set":
            slot = mine or next((slot for slot in self.slots if not slot[0]), None)
            if slot is None:
                slot = [True, "", ""]
                self.slots.append(slot)
            slot[:] = [True, channel, argument]
        elif operation == DELETE and mine is not None:
            mine[0] = False
        return None

    def state(self) -> bytes:
        """Every slot, freed ones too."""
        return json.dumps(self.slots).encode()


class Logged(Sorted):
    """Writes down who was deleted."""

    def initialize(self, seed: int) -> str | None:
        """Begin empty."""
        self.log: list[str] = []
        return super().initialize(seed)

    def delete(self, channel: str) -> None:
        """Forget, and write it down."""
        self.log.append(channel)
        super().delete(channel)

    def state(self) -> bytes:
        """The contents and the log."""
        return super().state() + json.dumps(self.log).encode()


class Addressed(Sorted):
    """Example 3.3: it writes down what comes after somebody speaks as the name that it returned."""

    def initialize(self, seed: int) -> str | None:
        """Draw the name and return it."""
        super().initialize(seed)
        self.name = f"{random.Random(seed).getrandbits(64):016x}"
        self.log: list[str] | None = None
        return self.name

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        """Write down, once addressed."""
        if self.log is not None:
            self.log.append(f"{channel} {operation} {argument}")
        elif channel == self.name and operation != DELETE:
            self.log = []
        return None

    def state(self) -> bytes:
        """The name and what was written down."""
        return json.dumps([self.name, self.log]).encode()


class Unsecured(Sorted):
    """A table of SQLite that leaves deleted bytes in the file."""

    def initialize(self, seed: int) -> str | None:
        """Make the table."""
        self.tape = seed
        self.file = sqlite3.connect(":memory:", isolation_level=None)
        self.file.execute("PRAGMA secure_delete = OFF")
        self.file.execute("CREATE TABLE kept (channel TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID")
        return None

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        """Set, get, delete."""
        if operation == "set":
            self.file.execute("INSERT OR REPLACE INTO kept VALUES (?, ?)", (channel, argument))
        elif operation == DELETE:
            self.file.execute("DELETE FROM kept WHERE channel = ?", (channel,))
        return None

    def state(self) -> bytes:
        """The bytes of the file."""
        return self.file.serialize()


BROKEN: Final = {
    "entries in order of insertion": ByInsertion,
    "tombstones": Tombstones,
    "freed slots": FreedSlots,
    "a log of deleted names": Logged,
    "Example 3.3": Addressed,
    "SQLite without secure_delete": Unsecured,
}


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is played."""

    sound: histories.Sizes
    """Against the dictionary in canonical form."""
    broken: histories.Sizes
    """Against each that is not."""
    repeats: int


USUAL = Sizes(histories.USUAL, histories.Sizes(ways=3, by_chance=20, searched=20, fresh=400), repeats=3)
TINY = Sizes(
    histories.Sizes(ways=1, by_chance=2, searched=2, fresh=4), histories.Sizes(ways=3, by_chance=20, searched=20, fresh=400), 1
)


def measure(sizes: Sizes) -> Iterator[Figure]:
    """Time them.

    Raises:
        AssertionError: If a judge passes a broken dictionary, or, of usual sizes, does not pass the sound one.
    """
    tried = []
    taken = times(lambda: tried.append(experiment(VOCABULARY, rooms(Sorted), seed=0, sizes=sizes.sound)), repeats=sizes.repeats)
    if sizes == USUAL and judged(Observed(tried=tried[0]), VOCABULARY.commuting).status is not Status.PASS:
        raise AssertionError("a sound dictionary does not pass")
    share = 10_000 / tried[0].operations
    scaled = (tuple(share * each for each in those) for those in (taken.wall, taken.processor))
    yield Times(*scaled).figure("operations")
    each = [_counterexample(name, make, sizes) for name, make in BROKEN.items()]
    yield Times(tuple(one.wall[0] for one in each), tuple(one.processor[0] for one in each)).figure("counterexamples")


def _counterexample(name: str, make: type[Sorted], sizes: Sizes) -> Times:
    found = []
    taken = times(lambda: found.append(experiment(VOCABULARY, rooms(make), seed=0, sizes=sizes.broken)), repeats=1, warm_up=0)
    if judged(Observed(tried=found[0]), VOCABULARY.commuting).status is not Status.FAIL:
        raise AssertionError(f"{name}: no counterexample was found")
    return taken
