"""Controllers for tests of the games, sound and broken, and a player that runs them in this process."""

from __future__ import annotations

import json
import random
from typing import Any

from auditor.base.histories import ANY_WORD, DELETE, Vocabulary
from auditor.base.parts import named
from auditor.settings.controller import controllers

BROUGHT = {use: named(entry.build) for use, entry in controllers().items()}
"""The classes of controllers that the auditor brings, by name."""
VOCABULARIES = {use: entry.vocabulary for use, entry in controllers().items()}
DICTIONARY = Vocabulary({"set": (ANY_WORD,), "get": ()}, frozenset({"set", "get"}))


class Dictionary:
    """Sound: the state is the sorted contents."""

    def initialize(self, seed: int) -> str | None:
        self.kept: dict[str, Any] = {}
        return None

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == "set":
            self.kept[channel] = argument
        elif operation == DELETE:
            self.kept.pop(channel, None)
        return self.kept.get(channel)

    def state(self) -> bytes:
        return json.dumps(sorted(self.kept.items())).encode()


class InOrderOfInsertion(Dictionary):
    """Broken: who came first shows."""

    def state(self) -> bytes:
        return json.dumps(list(self.kept.items())).encode()


class InOrderAmongAlike(Dictionary):
    """Broken: who came first shows among people who said what begins alike."""

    def state(self) -> bytes:
        return json.dumps(sorted(self.kept.values(), key=lambda said: str(said).split(" ")[0])).encode()


class Tombstones(Dictionary):
    """Broken: a deleted name stays, marked."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == DELETE and channel in self.kept:
            self.kept[channel] = "\u271d"
            return None
        return super().activate(channel, operation, argument)


class AtTheSecondDeletion(Dictionary):
    """Broken: only who is deleted twice is kept."""

    def initialize(self, seed: int) -> str | None:
        self.times: dict[str, int] = {}
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == DELETE:
            self.times[channel] = self.times.get(channel, 0) + (channel in self.kept)
            if self.times[channel] == 2:
                self.kept["twice"] = channel
        return super().activate(channel, operation, argument)


class LongArguments(Dictionary):
    """Broken: what is long goes to a heap that nobody sweeps."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == "set" and argument is not None and len(argument) > 1_000:
            self.kept["heap"] = len(argument)
        return super().activate(channel, operation, argument)


class NeverShrinks(Dictionary):
    """Broken: a table that grew past fifty entries keeps its size."""

    def initialize(self, seed: int) -> str | None:
        self.size = 0
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        said = super().activate(channel, operation, argument)
        self.size = max(self.size, 64 if len(self.kept) > 50 else 0)
        return said

    def state(self) -> bytes:
        return super().state() + bytes(self.size)


class OnlyIfAddressed(Dictionary):
    """Example 3.3: it writes operations down once somebody speaks as the name that it drew and returned."""

    def initialize(self, seed: int) -> str | None:
        self.name = f"{random.Random(seed).getrandbits(64):016x}"
        self.log: list[str] | None = None
        super().initialize(seed)
        return self.name

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if self.log is None and channel == self.name and operation == "set":
            self.log = []
        elif self.log is not None:
            self.log.append(f"{channel} {operation}")

    def state(self) -> bytes:
        return json.dumps([self.name, self.log]).encode()


class Xor:
    """Example 2.4: a random start, to which every word is added bit by bit; deletion does nothing."""

    def initialize(self, seed: int) -> str | None:
        self.held = random.Random(seed).getrandbits(128)
        return None

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == "add" and argument is not None:
            self.held ^= random.Random(argument).getrandbits(128)
        return None

    def state(self) -> bytes:
        return self.held.to_bytes(16, "big")


XOR = Vocabulary({"add": (ANY_WORD,)}, frozenset({"add"}))


class Salted(Dictionary):
    """Sound under one tape: the order goes by a salt that the tape gives, and the salt is kept."""

    def initialize(self, seed: int) -> str | None:
        self.salt = random.Random(seed).getrandbits(64)
        return super().initialize(seed)

    def state(self) -> bytes:
        rows = sorted(self.kept.items(), key=lambda row: random.Random(f"{self.salt} {row[0]}").random())
        return json.dumps([self.salt, rows]).encode()


class ByTheClock(Dictionary):
    """Not deterministic under its tape."""

    def state(self) -> bytes:
        return random.SystemRandom().randbytes(8) + super().state()


_EVERYBODY: list[str] = []


class Remembers(Dictionary):
    """Broken: a list of the module outlives every controller."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == DELETE:
            _EVERYBODY.append(channel)
        return super().activate(channel, operation, argument)

    def state(self) -> bytes:
        return super().state() + str(len(_EVERYBODY)).encode()
