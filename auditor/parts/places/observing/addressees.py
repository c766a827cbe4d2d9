"""Take addresses of people who stay out of the headers of a message that say to whom else it went.

A message is one person's, and whom it went to as well is a choice among everybody: its bits are counted, address by address.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log2
from typing import Final, NamedTuple, Self

_OF_HEADERS: Final = 8
"""Bits of which headers stand where, with how many addresses each, of messages that have the same ones there."""
_ADDRESS: Final = re.compile(r"[^\s,;:<>\"'()@]+@[^\s,;:<>\"'()@]+")
_TO_OTHERS: Final = re.compile(r"(?:Cc|Bcc|To|Reply-To|Sender):(?: |\Z)")


class Addressed(NamedTuple):
    """A message without the headers that say whom it went to as well."""

    rest: str
    headers: tuple[tuple[str, int, int], ...]
    """How each of these begins, the line on which it stood, and how many addresses it has."""
    whose: tuple[int, ...]
    """Whose addresses they have."""


@dataclass(frozen=True, slots=True)
class Addressees:
    """Addresses, each with whose it is among those who stay, as a number."""

    owner: dict[str, int]

    @classmethod
    def of(cls, kept: Iterable[Iterable[str]], gone: Iterable[str]) -> Self:
        """Collect the values that are an address of one person who stays, and that no deleted person has."""
        found: dict[str, int] = {}
        for number, values in enumerate(kept):
            for each in values:
                if _ADDRESS.fullmatch(each):
                    found[each] = number if found.get(each, number) == number else -1
        theirs = "\0".join(gone).casefold()
        return cls({each: number for each, number in found.items() if number >= 0 and each.casefold() not in theirs})

    def left_out(self, message: str, owner: int) -> Addressed:
        """Leave out headers of nothing but addresses of people who stay and whose the message is not, each once, or of none."""
        head, blank, body = message.partition("\n\n")
        rest, headers, others = list[str](), list[tuple[str, int, int]](), list[int]()
        for at, line in enumerate(head.split("\n")):
            begin = _TO_OTHERS.match(line)
            written = "" if begin is None else line[begin.end() :]
            whose = [self.owner.get(each, -1) for each in written.split(", ")] if written else []
            if begin is None or min(whose, default=0) < 0 or owner in whose or len(set(whose)) < len(whose):
                rest.append(line)
                continue
            headers.append((begin[0], at, len(whose)))
            others += whose
        return Addressed("\n".join(rest) + blank + body, tuple(headers), tuple(others))

    def bits(self, messages: Sequence[Addressed]) -> float:
        """Bits of whom messages went to as well: which headers stand where, in which messages, and whose addresses they have."""
        headers = Counter(each.headers for each in messages)
        which = sum(count * log2(headers.total() / count) for count in headers.values())
        others = Counter(other for each in messages for other in each.whose)
        # Each by itself, or one of those that are there at all.
        of_one = log2(len(self.owner) or 1)
        whose = min(others.total() * of_one, len(others) * of_one + others.total() * log2(len(others) or 1))
        return _OF_HEADERS * len(headers.keys() - {()}) + which + whose
