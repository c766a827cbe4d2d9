"""Controllers written to fool the games of history independence: each hides until something particular happens."""

from __future__ import annotations

import base64
import hashlib
import json
import random
from typing import Any

import pytest

from auditor.base.domain import Status
from auditor.base.histories import DELETE, Vocabulary
from auditor.parts.controllers.judging.history.judging import judged
from auditor.parts.controllers.judging.history.observed import Observed
from auditor.parts.controllers.observing.histories.experiment import Sizes, experiment
from benchmarks.in_process import rooms
from played_controllers import DICTIONARY, Dictionary

SMALL = Sizes(ways=3, by_chance=20, searched=20, fresh=100)


class Evasive(Dictionary):
    """Keeps what it should not in `secret`, which its state shows."""

    def initialize(self, seed: int) -> str | None:
        self.secret: list[str] = []
        return super().initialize(seed)

    def state(self) -> bytes:
        return super().state() + "".join(self.secret).encode()


class AfterManyOperations(Evasive):
    """Sound for 300 operations, and then it writes deleted names down."""

    def initialize(self, seed: int) -> str | None:
        self.operations = 0
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        self.operations += 1
        if operation == DELETE and self.operations > 300:
            self.secret.append(channel)
        return super().activate(channel, operation, argument)


class ForAReceipt(Evasive):
    """Gives a receipt for what is set, and remembers whoever deletes after it was handed back in an argument."""

    def initialize(self, seed: int) -> str | None:
        self.receipts: set[str] = set()
        self.presented: set[str] = set()
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        super().activate(channel, operation, argument)
        if operation == "set" and argument in self.receipts:
            self.presented.add(channel)
        if operation == DELETE and channel in self.presented:
            self.secret.append(channel)
        if operation != "set":
            return None
        receipt = hashlib.sha256(f"{channel} {argument}".encode()).hexdigest()
        self.receipts.add(receipt)
        return receipt


class WithinALongText(ForAReceipt):
    """The same, and its receipt is one word of a sentence."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        receipt = super().activate(channel, operation, argument)
        return receipt and f"Stored. Your receipt is {receipt}, keep it."


class WhenATableShrinks(Evasive):
    """Writes down who leaves while its table shrinks from above 64 entries to below 16."""

    def initialize(self, seed: int) -> str | None:
        self.grown = False
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        self.grown = self.grown or len(self.kept) > 64
        if self.grown and operation == DELETE and len(self.kept) < 16:
            self.secret.append(channel)
        return super().activate(channel, operation, argument)


class ByPrefix(Dictionary):
    """Deletes, with a channel, every channel whose name begins like it."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == DELETE:
            self.kept = {name: kept for name, kept in self.kept.items() if not name.startswith(channel)}
        return super().activate(channel, operation, argument)


class CaseBlind(Dictionary):
    """Takes names that differ in capitals alone for one."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        return super().activate(channel.casefold(), operation, argument)


class ByPattern(Dictionary):
    """Deletes by a pattern, as `LIKE` does: an underscore in a name stands for any letter."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == DELETE:
            self.kept = {name: kept for name, kept in self.kept.items() if not _like(name, channel)}
        return super().activate(channel, operation, argument)


def _like(name: str, pattern: str) -> bool:
    return len(name) == len(pattern) and all(b in ("_", a) for a, b in zip(name, pattern, strict=True))


class Spaces(Dictionary):
    """Strips names."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        return super().activate(channel.strip(), operation, argument)


class ForeignLetters(Evasive):
    """Writes down who leaves where the name is not plain ASCII."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == DELETE and not channel.isascii():
            self.secret.append(channel)
        return super().activate(channel, operation, argument)


class OnTheThirdReturn(Evasive):
    """Writes down who leaves for the third time."""

    def initialize(self, seed: int) -> str | None:
        self.times: dict[str, int] = {}
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == DELETE and channel in self.kept:
            self.times[channel] = self.times.get(channel, 0) + 1
            if self.times[channel] == 3:
                self.secret.append(channel)
        return super().activate(channel, operation, argument)


class OfOtherPeople(Evasive):
    """Writes down who leaves after naming somebody who left before."""

    def initialize(self, seed: int) -> str | None:
        self.left: set[str] = set()
        self.naming: set[str] = set()
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if argument in self.left:
            self.naming.add(channel)
        if operation == DELETE:
            self.left.add(channel)
            if channel in self.naming:
                self.secret.append(channel)
        return super().activate(channel, operation, argument)


class Reader(Evasive):
    """Shows who read what somebody wrote who has left since."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == "get" and self.kept:
            self.secret.append("".join(sorted(self.kept)[:1]))
        return super().activate(channel, operation, argument)


class Encrypted(Dictionary):
    """Keeps the log under a key that it draws and keeps: under fresh seeds every state looks like chance, and all is legible."""

    def initialize(self, seed: int) -> str | None:
        self.seed = seed
        self.log: list[str] = []
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        self.log.append(f"{channel} {operation}")
        return super().activate(channel, operation, argument)

    def state(self) -> bytes:
        key = random.Random(self.seed).randbytes(256)
        log = " ".join(self.log).encode()[:256].ljust(256)
        hidden = bytes(a ^ b for a, b in zip(log, key, strict=True))
        return self.seed.to_bytes(8, "big") + hidden + super().state()


class Seldom(Evasive):
    """Writes a deleted name down under one tape of thirty."""

    def initialize(self, seed: int) -> str | None:
        super().initialize(seed)
        self.writes = random.Random(seed).random() < 1 / 30
        return None

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == DELETE and self.writes:
            self.secret.append(channel)
        return super().activate(channel, operation, argument)


class AddressedAndInOrder(Dictionary):
    """Once it is addressed by the name that it drew and returned, who came first shows; deletions are clean."""

    def initialize(self, seed: int) -> str | None:
        super().initialize(seed)
        self.name = f"{random.Random(seed).getrandbits(64):016x}"
        self.addressed = False
        return self.name

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        self.addressed = self.addressed or channel == self.name
        return super().activate(channel, operation, argument)

    def state(self) -> bytes:
        rows = list(self.kept.items()) if self.addressed and self.name in self.kept else sorted(self.kept.items())
        return json.dumps([self.name, rows]).encode()


class InBase64WithASalt(Evasive):
    """Not deterministic, and the deleted name stands encoded after a salt."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == DELETE:
            self.secret.append(base64.b64encode(channel.encode()).decode())
        return super().activate(channel, operation, argument)

    def state(self) -> bytes:
        return random.SystemRandom().randbytes(8) + super().state()


class ForgetsToRunAlike(Dictionary):
    """A counter of the module decides; the first histories come out alike."""

    played = 0

    def initialize(self, seed: int) -> str | None:
        type(self).played += 1
        self.turn = type(self).played
        return super().initialize(seed)

    def state(self) -> bytes:
        return super().state() + (b"late" if self.turn > 100 and self.turn % 7 == 0 else b"")


def finding(make: Any, vocabulary: Vocabulary = DICTIONARY) -> Status:
    found = experiment(vocabulary, rooms(make), seed=11, sizes=SMALL)
    return judged(Observed(tried=found), vocabulary.commuting).status


@pytest.mark.parametrize(
    "make",
    [
        AfterManyOperations,
        ForAReceipt,
        WithinALongText,
        WhenATableShrinks,
        ByPrefix,
        CaseBlind,
        ByPattern,
        Spaces,
        ForeignLetters,
        OnTheThirdReturn,
        OfOtherPeople,
        Reader,
        AddressedAndInOrder,
        InBase64WithASalt,
    ],
)
def test_whoever_hides_is_found(make: Any) -> None:
    assert finding(make) is Status.FAIL


@pytest.mark.parametrize("make", [Encrypted, Seldom, ForgetsToRunAlike])
def test_what_fresh_seeds_hide_is_open_and_never_a_pass(make: Any) -> None:
    assert finding(make) is not Status.PASS


class TidiesWhenLookedAt(Dictionary):
    """Marks as deleted, and overwrites when state() is called; until then others are answered from it."""

    def initialize(self, seed: int) -> str | None:
        self.gone: set[str | None] = set()
        return super().initialize(seed)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == DELETE:
            self.gone.add(self.kept.get(channel))
        said = super().activate(channel, operation, argument)
        return str(argument in self.gone) if operation == "find" else said

    def state(self) -> bytes:
        self.gone.clear()
        return super().state()


class AnswersInOrder(Dictionary):
    """Sorts its state, and names the first of those who said a word, in the order in which they came."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == "find":
            return next((name for name, said in self.kept.items() if said == argument), None)
        return super().activate(channel, operation, argument)


class Sorted(Dictionary):
    """Names the first in the order of the alphabet: nothing shows who came first."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == "find":
            return min((name for name, said in self.kept.items() if said == argument), default=None)
        return super().activate(channel, operation, argument)


@pytest.mark.parametrize("make", [TidiesWhenLookedAt, AnswersInOrder])
def test_whoever_answers_from_more_than_the_state_is_found(make: Any) -> None:
    asks = Vocabulary({"set": ("*",), "get": (), "find": ("*",)}, frozenset({"set", "get", "find"}))
    found = experiment(asks, rooms(make), seed=11, sizes=SMALL)
    said = judged(Observed(tried=found), asks.commuting)
    assert said.status is Status.FAIL
    assert all(each.answers for each in found.counterexamples)
    assert said.reasons[1].code == "state.history_independent.answered"
    assert finding(Sorted, asks) is Status.PASS
