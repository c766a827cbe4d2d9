"""Read lines in the form that most lines of a place have, where they can be read so.

A line taken apart by itself may differ from those like it by chance: a word of the form is in its person's text too, two columns
hold the same, a chunk is too short to be known for one. Read in the form that explains most lines, it says no more than they do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from auditor.parts.places.observing.own_values import MANY, Form, Owners, Read, Slot

_NUMBER: Final = re.compile(r"\d+")
_MOST_FORMS: Final = 8
"""Forms in which lines are tried."""
_MOST_PLAIN: Final = 4
_FEW_WORDS: Final = 3
"""Words of a text that a form may have too."""
_MOST_ENDS: Final = 4
"""Places at which a piece is tried to end."""
_MOST_OPTIONS: Final = 16
"""Places of a value at which a piece is looked for."""


@dataclass(frozen=True, slots=True)
class Common:
    """A form of lines: patterns for what stands around values, and the values' columns."""

    around: tuple[re.Pattern[str], ...]
    columns: tuple[str, ...]

    @classmethod
    def of(cls, read: Read) -> Common:
        """Take the form of a line."""
        patterns = (r"\d+".join(map(re.escape, _NUMBER.split(each))) for each in read.around)
        return cls(tuple(map(re.compile, patterns)), tuple(each.column for each in read.slots))

    def read(self, text: str, owner: int, owners: Owners) -> Read | None:
        """Read a line of a person in this form; None where it has another."""
        begin = self.around[0].match(text)
        if begin is None:
            return None
        around, slots, at = [begin[0]], list[Slot](), begin.end()
        for number, column in enumerate(self.columns):
            last = number == len(self.columns) - 1
            found = self._slot(text, at, owners.forms(owner, column), self.around[number + 1], last=last)
            if found is None:
                return None
            options, close, at = found
            slots.append(Slot(column, options or ((Form(column, "", _ANY), 0, 0),)))
            around.append(close)
        return Read(tuple(around), tuple(slots), owner)

    def _slot(
        self, text: str, at: int, forms: Sequence[Form], behind: re.Pattern[str], *, last: bool
    ) -> tuple[tuple[tuple[Form, int, int], ...], str, int] | None:
        """A value or a piece of it from here on, what comes behind it, and where that ends."""

        def closing(place: int) -> re.Match[str] | None:
            return behind.fullmatch(text, place) if last else behind.match(text, place)

        whole = {each.text for each in forms if text.startswith(each.text, at)} or ({""} if not forms else set())
        for written in sorted(whole, key=len, reverse=True):
            if close := closing(at + len(written)):
                return tuple((each, 0, len(written)) for each in forms if each.text == written), close[0], close.end()
        for close in _ends(text, at, behind, last=last):
            piece = text[at : close.start()]
            options = tuple(option for form in forms for option in _places(form, piece)) if piece else ()
            if options:
                return options, close[0], close.end()
        return None


_ANY: Final = frozenset({"plain"})


def _ends(text: str, at: int, behind: re.Pattern[str], *, last: bool) -> Iterator[re.Match[str]]:
    """Where a piece may end."""
    if last:
        # What is behind the last value has no more digits than the line ends with.
        found = re.compile(f"(?:{behind.pattern})\\Z").search(text, at)
        yield from () if found is None else (found,)
    elif behind.pattern:
        for number, each in enumerate(behind.finditer(text, at)):
            if number == _MOST_ENDS:
                return
            yield each


def _places(form: Form, piece: str) -> Iterator[tuple[Form, int, int]]:
    """Where a piece is in a value: at its end first, for a short one may be there too often."""
    last = len(form.text) - len(piece)
    if form.text.endswith(piece):
        yield form, last, len(form.text)
    start, count = form.text.find(piece), 0
    while 0 <= start < last and count < _MOST_OPTIONS:
        yield form, start, start + len(piece)
        start, count = form.text.find(piece, start + 1), count + 1


def agreed(reads: Sequence[Read], before: Sequence[int], kinds: Sequence[Hashable], owners: Owners) -> list[Read]:
    """Read lines again in the forms that most of them have.

    Args:
        reads: The lines, each by itself.
        before: Whose the line before each is.
        kinds: What lines have in common that may be read in one form.
        owners: Who stays.
    """
    found = list(reads)
    for kind in dict.fromkeys(kinds):
        at = [number for number, each in enumerate(kinds) if each == kind]
        counts = Counter(_form(reads[number]) for number in at if reads[number].slots)
        first = {_form(reads[number]): number for number in reversed(at)}
        # What a form is with few words more comes after it, and counts however few lines have it by themselves.
        plain = [_plainer(reads[number]) for number in at if reads[number].slots]
        if len(first.keys() | set(map(_form, plain))) == 1:
            continue
        known = {_form(each): each for each in plain if each.slots}
        also = Counter(_form(each) for each in plain if each.slots)
        usual = {form: reads[first[form]] for form, count in counts.most_common(_MOST_FORMS) if count >= MANY}
        usual |= {form: known[form] for form, count in also.most_common(_MOST_PLAIN) if count >= MANY}
        tried = list(map(Common.of, usual.values()))
        fits: list[dict[int, Read]] = [{} for _ in tried]
        for number in at:
            for form, fit in zip(tried, fits, strict=True):
                if (read := _again(form, reads[number], before[number], owners)) is not None:
                    fit[number] = read
        # Where a line can be read in two forms, that which explains more lines comes last.
        for fit in sorted(fits, key=lambda fit: (-len(fit), len(next(iter(fit.values())).slots) if fit else 0), reverse=True):
            for number, read in fit.items():
                found[number] = read
    return found


def _plainer(read: Read) -> Read:
    """A line in which few words of a text are words of the form, which they may be as well."""
    around, slots = [read.around[0]], list[Slot]()
    for slot, behind in zip(read.slots, read.around[1:], strict=True):
        if slot.whole or len(slot.text.split()) > _FEW_WORDS:
            slots.append(slot)
            around.append(behind)
        else:
            around[-1] += slot.text + behind
    return Read(tuple(around), tuple(slots), read.owner)


def _again(form: Common, read: Read, before: int, owners: Owners) -> Read | None:
    owner = read.owner if read.owner >= 0 else before
    return None if owner < 0 else form.read(read.text, owner, owners)


def _form(read: Read) -> Hashable:
    return tuple(_NUMBER.sub("\0", each) for each in read.around), tuple(each.column for each in read.slots)
