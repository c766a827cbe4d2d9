"""A hash table with open addressing whose deletions are lazy: a freed cell is marked, and keeps what was in it."""

import json
import zlib

CELLS = 1024
FREE, TAKEN, TOMBSTONE = 0, 1, 2


class TombstoneDictionary:
    """One value a channel."""

    def initialize(self, seed):
        """Begin with empty cells."""
        self.cells = {}

    def activate(self, channel, operation, argument):
        """Set, get or delete one value."""
        place = self._place(channel)
        if operation == "set":
            self.cells[place] = [TAKEN, channel, argument]
        elif operation == "delete" and self._holds(place, channel):
            self.cells[place][0] = TOMBSTONE
        elif operation == "get" and self._holds(place, channel):
            return self.cells[place][2]
        return None

    def state(self):
        """The cells, as they lie."""
        return json.dumps([[place, *self.cells[place]] for place in sorted(self.cells)]).encode()

    def _holds(self, place, channel):
        return place in self.cells and self.cells[place][:2] == [TAKEN, channel]

    def _place(self, channel):
        """The channel's own cell, or the first that is not taken: one after the other from its hash on."""
        start = zlib.crc32(channel.encode())
        for step in range(CELLS):
            place = (start + step) % CELLS
            if place not in self.cells or self._holds(place, channel) or self.cells[place][0] == TOMBSTONE:
                return place
        raise RuntimeError("the table is full")
