"""Broken twins of a sound controller, as somebody might hand them in: a fault each that its state shows, and right answers."""

import json
import random


class Plain:
    """Sound: one value a channel, in order of the channels' names."""

    def initialize(self, seed):
        self.kept = {}

    def activate(self, channel, operation, argument):
        if operation == "set":
            self.set(channel, argument)
        elif operation == "delete":
            self.delete(channel)
        return self.get(channel)

    def set(self, channel, argument):
        self.kept[channel] = argument

    def delete(self, channel):
        self.kept.pop(channel, None)

    def get(self, channel):
        return self.kept.get(channel)

    def state(self):
        return json.dumps(sorted(self.kept.items())).encode()


class InsertionOrder(Plain):
    """A dictionary as Python keeps it: who came first shows."""

    def state(self):
        return json.dumps(list(self.kept.items())).encode()


class FreedSlots(Plain):
    """A list of slots of fixed size; one that is freed keeps its bytes until somebody else needs it."""

    def initialize(self, seed):
        self.slots, self.used = [], {}

    def set(self, channel, argument):
        if channel not in self.used:
            taken = set(self.used.values())
            place = next((place for place in range(len(self.slots)) if place not in taken), len(self.slots))
            self.slots[place : place + 1] = [None]
            self.used[channel] = place
        self.slots[self.used[channel]] = [channel, argument]

    def delete(self, channel):
        self.used.pop(channel, None)

    def get(self, channel):
        return self.slots[self.used[channel]][1] if channel in self.used else None

    def state(self):
        return json.dumps([self.slots, sorted(self.used)]).encode()


class LoggedDirectory(Plain):
    """A directory that writes down whom it has deleted."""

    def initialize(self, seed):
        super().initialize(seed)
        self.log = []

    def delete(self, channel):
        if channel in self.kept:
            self.log.append(f"deleted {channel}")
        super().delete(channel)

    def state(self):
        return super().state() + "\n".join(self.log).encode()


class OnceAddressed(Plain):
    """Example 3.3 of Cohen et al. (2023): it writes everything down once somebody sets as the name that it drew."""

    def initialize(self, seed):
        super().initialize(seed)
        self.name, self.log = f"{random.Random(seed).getrandbits(128):032x}", None
        return self.name

    def activate(self, channel, operation, argument):
        if self.log is not None:
            self.log.append([channel, operation, argument])
        elif channel == self.name and operation == "set":
            self.log = []
        return super().activate(channel, operation, argument)

    def state(self):
        return json.dumps([self.name, self.log, sorted(self.kept.items())]).encode()


class EmptyAccount(Plain):
    """A deletion empties an account and leaves its name."""

    def delete(self, channel):
        if channel in self.kept:
            self.kept[channel] = None


class CountedDeletions(Plain):
    """The number of deletions is kept, and of whom is not."""

    def initialize(self, seed):
        super().initialize(seed)
        self.deleted = 0

    def delete(self, channel):
        self.deleted += channel in self.kept
        super().delete(channel)

    def state(self):
        return super().state() + str(self.deleted).encode()


class EvenOrOdd(CountedDeletions):
    """One bit of it."""

    def state(self):
        return Plain.state(self) + str(self.deleted % 2).encode()


class NumberedPosts(Plain):
    """A board whose posts have numbers: a gap tells that a post is gone."""

    def initialize(self, seed):
        super().initialize(seed)
        self.next = 0

    def set(self, channel, argument):
        self.kept[channel], self.next = [self.next, argument], self.next + 1

    def get(self, channel):
        return self.kept[channel][1] if channel in self.kept else None


class NamesInAFilter(Plain):
    """A Bloom filter of names, from which nothing can be taken out."""

    def initialize(self, seed):
        super().initialize(seed)
        self.filter = 0

    def set(self, channel, argument):
        super().set(channel, argument)
        self.filter |= 1 << random.Random(channel).randrange(256)

    def state(self):
        return super().state() + self.filter.to_bytes(32, "big")


class NightlyBackup(Plain):
    """Every tenth operation all that is there is copied, and the copy stays until the next."""

    def initialize(self, seed):
        super().initialize(seed)
        self.operations, self.backup = 0, b""

    def activate(self, channel, operation, argument):
        said = super().activate(channel, operation, argument)
        self.operations += 1
        if self.operations % 10 == 0:
            self.backup = Plain.state(self)
        return said

    def state(self):
        return super().state() + self.backup


class Masked(Plain):
    """Tombstones under a mask that the seed gives: what is deleted cannot be read, and the length tells of it all the same."""

    def initialize(self, seed):
        super().initialize(seed)
        self.chance, self.deleted = random.Random(seed), []

    def delete(self, channel):
        if channel in self.kept:
            self.deleted.append(channel)
        super().delete(channel)

    def state(self):
        plain = json.dumps([sorted(self.kept.items()), self.deleted]).encode()
        return bytes(one ^ other for one, other in zip(plain, self.chance.randbytes(len(plain)), strict=True))
