"""Cut a text as programs cut texts into chunks: so many characters, words, sentences or paragraphs, or what fits, one by one.

One rule and its two numbers say where every chunk of every text begins and ends. So chunks that follow one rule say nothing
beyond their texts but what the numbers do; a chunk that begins or ends elsewhere follows none.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

Span: TypeAlias = tuple[int, int]
"""Where a chunk begins and ends in its text."""

_WORD: Final = re.compile(r"\S+")
_SENTENCE: Final = re.compile(r"[^\s](?:.*?[.!?]+(?=\s|$)|.*$)", re.MULTILINE)
_PARAGRAPH: Final = re.compile(r"\S.*?(?=\s*(?:\n[ \t]*\n|\Z))", re.DOTALL)
_SEPARATORS: Final = ("\n\n", "\n", " ", "")
"""Where a text is parted first, and what is still too long after that."""
_MOST_TRIED: Final = 400
"""Pairs of numbers that are tried for one rule."""
_STEPS_TRIED: Final = 4
_PLACES_TRIED: Final = 2
_FIRST_EXAMPLES: Final = 2
_EXAMPLES: Final = 12
"""Texts on which numbers are tried before they are on all."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A rule with its numbers."""

    kind: str
    size: int
    """Units of a chunk, or characters that it may have."""
    shared: int = 0
    """Of these, the ones that the next chunk begins with again, or may."""
    closed: bool = True
    """Whether no chunk follows one that ends where the text does."""
    stripped: bool = False
    """Whether a chunk has no white space at its ends."""

    def spans(self, text: str) -> tuple[Span, ...]:
        """Where the chunks of a text begin and end."""
        return _spans(self, text)


@lru_cache(maxsize=4096)
def _spans(cut: Cut, text: str) -> tuple[Span, ...]:
    if cut.kind == "characters":
        return tuple(_of_characters(cut, text))
    if cut.kind == "what fits":
        return tuple(_fitting(text, (0, len(text)), _SEPARATORS, cut.size, cut.shared))
    units, found = _UNITS[cut.kind](text), list[Span]()
    step = max(1, cut.size - cut.shared)
    for at in range(0, len(units), step):
        last = min(at + cut.size, len(units)) - 1
        span = units[at][0], units[last][1]
        if (span := _without_space(text, *span) if cut.stripped else span)[0] < span[1]:
            found.append(span)
        if cut.closed and last + 1 >= len(units):
            break
    return tuple(found)


def _of_characters(cut: Cut, text: str) -> Iterator[Span]:
    for start in range(0, len(text), max(1, cut.size - cut.shared)):
        end = min(len(text), start + cut.size)
        if (span := _without_space(text, start, end) if cut.stripped else (start, end))[0] < span[1]:
            yield span
        if cut.closed and end == len(text):
            return


def _all(pattern: re.Pattern[str]) -> Callable[[str], list[Span]]:
    return lambda text: [each.span() for each in pattern.finditer(text)]


_UNITS: Final[Mapping[str, Callable[[str], list[Span]]]] = {
    "characters": lambda text: [(at, at + 1) for at in range(len(text))],
    "words": _all(_WORD),
    "sentences": _all(_SENTENCE),
    "paragraphs": _all(_PARAGRAPH),
}


def _without_space(text: str, start: int, end: int) -> Span:
    held = text[start:end]
    return start + len(held) - len(held.lstrip()), end - len(held) + len(held.rstrip())


def _fitting(text: str, span: Span, separators: Sequence[str], most: int, shared: int) -> Iterator[Span]:
    """Chunks of what fits: parted at the first separator that is there, and what is too long at the next ones.

    A separator belongs to the part behind it. Parts go together as long as they fit; of the last ones as many as are shared begin
    the next chunk again.
    """
    start, end = span
    number = next((at for at, each in enumerate(separators) if each in text[start:end]), len(separators) - 1)
    finer = separators[number + 1 :]
    small = list[Span]()
    for part in _parts(text, start, end, separators[number]):
        if part[1] - part[0] < most:
            small.append(part)
            continue
        yield from _packed(text, small, most, shared)
        small = []
        if finer:
            yield from _fitting(text, part, finer, most, shared)
        else:
            yield part
    yield from _packed(text, small, most, shared)


def _parts(text: str, start: int, end: int, separator: str) -> Iterator[Span]:
    if not separator:
        yield from ((at, at + 1) for at in range(start, end))
        return
    begin, at = start, text.find(separator, start, end)
    while at >= 0:
        if at > begin:
            yield begin, at
        begin, at = at, text.find(separator, at + len(separator), end)
    if begin < end:
        yield begin, end


def _packed(text: str, parts: Sequence[Span], most: int, shared: int) -> Iterator[Span]:
    first = 0
    for number, (start, end) in enumerate(parts):
        if number > first and end - parts[first][0] > most:
            if (span := _without_space(text, parts[first][0], start))[0] < span[1]:
                yield span
            while first < number and (start - parts[first][0] > shared or end - parts[first][0] > most):
                first += 1
    if first < len(parts) and (span := _without_space(text, parts[first][0], parts[-1][1]))[0] < span[1]:
        yield span


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a text that a line holds."""

    text: str
    """All of the text."""
    spans: tuple[Span, ...]
    """Where the piece may be in it."""
    turn: int
    """Which of the text's pieces it is, from zero."""

    def follows(self, cut: Cut) -> bool:
        """Whether it is the chunk that a rule gives."""
        spans = cut.spans(self.text)
        return self.turn < len(spans) and spans[self.turn] in self.spans


def rule_of(chunks: Sequence[Chunk]) -> tuple[Cut, int] | None:
    """Find the rule that most chunks follow, and how many do; None where hardly one does."""
    best: tuple[Cut, int] | None = None
    examples, few = (_of_few(chunks, number) for number in (_EXAMPLES, _FIRST_EXAMPLES))
    for kind in (*_UNITS, "what fits"):
        chosen = _best(_tried(kind, examples), few, examples)
        if chosen is None:
            continue
        count = _following(chosen, chunks)
        if best is None or count > best[1]:
            best = chosen, count
        if count == len(chunks):
            break
    return best


def _best(cuts: Iterator[Cut], few: Sequence[Chunk], examples: Sequence[Chunk]) -> Cut | None:
    """The rule that most examples follow, if half of them do; the first one that all of them follow."""
    best, most = None, len(examples) // 2
    for each in cuts:
        if 2 * _following(each, few) < len(few):
            continue
        if (count := _following(each, examples)) > most:
            best, most = each, count
        if count == len(examples):
            break
    return best


def _following(cut: Cut, chunks: Sequence[Chunk]) -> int:
    return sum(each.follows(cut) for each in chunks)


def _of_few(chunks: Sequence[Chunk], texts: int) -> list[Chunk]:
    """The chunks of a few texts, those with the most pieces first: they show the numbers of a rule."""
    pieces = Counter(each.text for each in chunks)
    few = {text for text, _ in pieces.most_common(texts)}
    return [each for each in chunks if each.text in few]


def _tried(kind: str, chunks: Sequence[Chunk]) -> Iterator[Cut]:
    """Rules of one kind with the numbers that the pieces suggest."""
    if kind == "what fits":
        yield from _tried_fits(chunks)
        return
    sizes, steps = Counter[int](), Counter[int]()
    units = {each.text: _UNITS[kind](each.text) for each in chunks}
    begins = {text: [begin for begin, _ in own] for text, own in units.items()}
    for each in chunks:
        for start, end in each.spans[:_PLACES_TRIED]:
            first, last = bisect_right(begins[each.text], start) - 1, bisect_left(begins[each.text], end)
            first += first < 0 or units[each.text][first][1] <= start
            if first < last:
                sizes[last - first] += 1
                if each.turn:
                    steps.update({first // each.turn, -(-first // each.turn)})
    # Most pieces are whole, and only the last of a text is shorter.
    for size in {max(sizes, default=0), *(size for size, _ in sizes.most_common(2))} - {0}:
        for step in [size, *(step for step, _ in steps.most_common(_STEPS_TRIED) if 0 < step < size)]:
            for closed in (True, False):
                yield from (Cut(kind, size, size - step, closed, stripped) for stripped in (False, True))


def _tried_fits(chunks: Sequence[Chunk]) -> Iterator[Cut]:
    """Numbers for chunks of what fits: at least the longest piece, and a little more; what they share likewise."""
    first = {(each.text, each.turn): each.spans[0] for each in chunks if each.spans}
    longest = max((end - start for start, end in first.values()), default=0)
    shares = [
        end - first[text, turn + 1][0]
        for (text, turn), (_, end) in first.items()
        if (text, turn + 1) in first and end > first[text, turn + 1][0]
    ]
    word = max((len(each) for chunk in chunks for each in chunk.text.split()), default=0) + 2
    most = [longest, *(each for each in range(longest + 1, longest + word) if _is_round(each))]
    shared = [0] if not shares else [max(shares), *(each for each in range(max(shares), max(shares) + word) if _is_round(each))]
    # Characters that the longest piece lacks and what one shares too little are less than a word.
    pairs = [(size, own) for size in most for own in shared if own < size]
    pairs.sort(key=lambda pair: (not (_is_round(pair[0]) and _is_round(pair[1])), pair))
    yield from (Cut("what fits", size, own) for size, own in pairs[:_MOST_TRIED])


def _is_round(number: int) -> bool:
    return number % 5 == 0 or number % 8 == 0
