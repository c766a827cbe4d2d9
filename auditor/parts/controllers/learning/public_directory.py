"""A public directory with usage statistics (Cohen et al. 2023, Algorithm 5, Corollary 6.5).

A listing is a name, and after a space a number or whatever else; anybody may look it up by the name (Section 1.1). How many have
looked one up, former members included, is reported with noise. The directory is a dictionary in canonical form, the count a
pan-private tree: neither history independence nor confidentiality nor differential privacy holds of the two together, and
deletion-as-control does.
"""

from __future__ import annotations

from typing import Final

from auditor.learning.side_by_side import Heard, Parallel
from auditor.parts.controllers.learning import canonical
from auditor.parts.controllers.learning.compiled import DELTA, EPSILON, HORIZON, TreeCount

_COUNTED: Final = {"get": Heard("add", takes=False), "getCount": Heard("tick", takes=False)}
"""What the count makes of an operation: each channel's first `get` counts, and whose entry was looked up is nothing to it."""


class _Entries:
    """`set` puts the channel's listing, `get` returns those that begin with a name, `delete` forgets one's own."""

    def initialize(self, seed: int) -> None:
        del seed
        self._entries: dict[str, str] = {}

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        match operation:
            case "set":
                self._entries[channel] = argument or ""
            case "get":
                found = sorted(each for each in self._entries.values() if each.split(" ", 1)[0] == argument)
                return "\n".join(found) or None
            case "delete":
                self._entries.pop(channel, None)
        return None

    def state(self) -> bytes:
        return canonical.form(self._entries)


class PublicDirectory(Parallel):
    """`set` and `get` for everybody, `delete` for one's own, `getCount` for the environment alone."""

    def __init__(self, *, epsilon: float = EPSILON, delta: float = DELTA, horizon: int = HORIZON) -> None:
        """Take note of what is promised: (epsilon, delta) for one reader, over `horizon` reports."""
        super().__init__(TreeCount(epsilon=epsilon, delta=delta, horizon=horizon), _Entries(), (_COUNTED, None))

    def tape_of(self, seed: int, number: int) -> int:
        """The tape of one part: neither of ours reads what the other has."""
        return 2 * seed + number

    def state(self) -> bytes:
        """What both keep as one JSON array."""
        return b"[%b,%b]" % tuple(part.state() for part in self._parts)
