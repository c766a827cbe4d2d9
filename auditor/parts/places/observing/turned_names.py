"""Ways in which people write a name but as first and last: "Last, First", "First M. Last", "Ms Last", "F. Last", "firstlast".

A pair of words across a comma is also what two names of a list have, "Anna Brown, Rose Miller": where both are names of people
who stay, it is nobody else's.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from auditor.parts.places.observing.normal_forms import WORDS, words_of_name

_WORD: Final = r"[^\W\d_]+(?:['’\-][^\W\d_]+)*"
_NAME: Final = re.compile(rf"{_WORD}(?:\s+{_WORD}){{1,2}}")
_SPACE: Final = r"(?:[^\S\n]+\n?[^\S\n]*|\n[^\S\n]*)"
"""White space, but no end of a paragraph, with which pieces that lay apart are put together."""
_TURNED: Final = re.compile(rf"{_SPACE}?,{_SPACE}?|{_SPACE}")
_BLANK: Final = re.compile(_SPACE)
_WITHIN: Final = re.compile(rf"[.\-]?{_SPACE}|-")
"""Between the words of one name."""
_INITIAL: Final = re.compile(rf"\.?{_SPACE}?|[_\-]")
_ENDS: Final = re.compile(r"[^\S\n]*(?:[.,;:)\]]|$)", re.MULTILINE)
"""Behind an initial that follows a name: a word of one letter has none of these."""
_MOST_WORDS: Final = 3
"""Words of a text of somebody who stays whose initials are theirs: of more it is a note."""
_LEAST: Final = 4
"""Letters of a word that is looked for behind a title."""
_CALLED: Final = """
    mr mrs ms miss mx dr prof herr herrn frau hr fr monsieur madame mme mlle señor señora senor senora sr sra signor signora sig
    mevrouw meneer mw dhr pan pani
"""
_TITLES: Final = frozenset(_CALLED.split())
_BETWEEN: Final = "and or und oder y e et ou en of the with to for from by in at mit von an"
_LINKS: Final = frozenset(_BETWEEN.split())
"""Words that link two people, or two things."""


def initials_of(words: Collection[str]) -> Iterator[tuple[str, str]]:
    """Give each word of a name with the initial of each other; a letter by itself is an initial and no word."""
    yield from ((one[0], other) for one in words for other in words if one != other and min(len(one), len(other)) > 1)


@dataclass(frozen=True)
class TurnedNames:
    """Names that are looked for in these ways, each as the log or the table writes it."""

    ends: Mapping[tuple[str, str], frozenset[str]]
    """By first and last word."""
    titled: Mapping[str, frozenset[str]]
    """By each word that nobody who stays is called."""
    initials: Mapping[tuple[str, str], frozenset[str]]
    """By the first letter and the last word, where nobody who stays is called so."""
    joined: Mapping[str, frozenset[str]]
    """By the words as one, as names of users are: first and last, or an initial in the place of the first."""
    others: frozenset[str]
    """Words of names of people who stay, in normal form."""
    taken: frozenset[tuple[str, str]] = frozenset()
    """Initials and words of names that people who stay have."""

    @classmethod
    def of(
        cls, names: Iterable[str], others: Iterable[str] | None, taken: frozenset[tuple[str, str]] = frozenset()
    ) -> TurnedNames:
        """Prepare what is looked for.

        Args:
            names: Of deleted people; what cannot be a name is left out.
            others: Short texts of people who stay, in normal form; None where nobody is known, and then no title is looked for.
            taken: Initials and words of names of people who stay, as their columns of names say.
        """
        known = frozenset(" ".join(WORDS.findall(each)) for each in others or ())
        # "Ms Last" is what others call somebody.
        called = map(str.split, known)
        words = {word for parts in called if _TITLES.isdisjoint(parts) for word in parts}
        taken = taken.union(*(initials_of(parts) for parts in map(str.split, known) if len(parts) <= _MOST_WORDS))
        ends, initials = defaultdict[tuple[str, str], set[str]](set), defaultdict[tuple[str, str], set[str]](set)
        titled, joined = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
        for each in names:
            for parts in words_of_name(each) if _NAME.fullmatch(each.strip()) else ():
                first, last = parts[0], parts[-1]
                ends[first, last].add(each)
                own = {word for word in parts if others is not None and len(word) >= _LEAST and word not in words}
                for word in own:
                    titled[word].add(each)
                as_one = {first + last, last + first}
                if others is not None and first != last and (first[0], last) not in taken:
                    initials[first[0], last].add(each)
                    as_one |= {first[0] + last, last + first[0]} if len(last) > _LEAST else set()
                for one in as_one - words:
                    if len(one) > _LEAST:
                        joined[one].add(each)
        return cls(
            {pair: frozenset(those) for pair, those in ends.items()},
            {word: frozenset(those) for word, those in titled.items()},
            {pair: frozenset(those) for pair, those in initials.items()},
            {word: frozenset(those) for word, those in joined.items()},
            known,
            taken,
        )

    @cached_property
    def words(self) -> frozenset[str]:
        """Words of which a text has one where a name is met."""
        return frozenset(each for pair in self.ends for each in pair).union(self.titled, self.joined)

    @property
    def lengths(self) -> list[int]:
        """Characters of a word behind an initial, and of words as one."""
        return [*(2 + len(each) for each in self.titled), *map(len, self.joined)]

    def met_in(self, words: Sequence[str], gaps: Sequence[str], places: Iterable[int]) -> Iterator[str]:
        """Give the names that a text has in one of these ways.

        Args:
            words: Of the text, in normal form.
            gaps: What is before each of them, and behind the last.
            places: Where words are that may be of these names.
        """
        for at in places:
            yield from self._met_at(words, gaps, at)
            # An initial that follows.
            if at + 1 < len(words) and len(words[at + 1]) == 1 and words[at + 1] not in self.words:
                yield from self._met_at(words, gaps, at + 1)

    def _met_at(self, words: Sequence[str], gaps: Sequence[str], at: int) -> Iterator[str]:
        word = words[at]
        yield from self.joined.get(word, ())
        if not at:
            return
        before, gap = words[at - 1], gaps[at]
        if word in self.titled and before in _TITLES and _WITHIN.fullmatch(gap):
            yield from self.titled[word]
        if (those := self.initials.get((before, word))) and _INITIAL.fullmatch(gap) and not self._is_middle(words, gaps, at):
            yield from those
        # Last, F.
        if len(word) == 1 and (those := self.initials.get((word, before))) and _TURNED.fullmatch(gap):
            # Where a word follows, the text does not end here.
            rest = gaps[at + 1] + "".join(words[at + 1 : at + 2])
            yield from those if _ENDS.match(rest) else ()
        # Last, First.
        if (those := self.ends.get((word, before))) and _TURNED.fullmatch(gap) and not self._listed(words, gaps, at):
            yield from those
        # First Middle Last.
        if at > 1 and (those := self.ends.get((words[at - 2], word))) and before not in _LINKS and _WITHIN.fullmatch(gap):
            other = not _WITHIN.fullmatch(gaps[at - 1]) or f"{words[at - 2]} {before} {word}" in self.others
            yield from () if other else those

    def _is_middle(self, words: Sequence[str], gaps: Sequence[str], at: int) -> bool:
        """Whether the letter before is between the names of somebody who stays."""
        return at > 1 and _BLANK.fullmatch(gaps[at - 1]) is not None and (words[at - 2][0], words[at]) in self.taken

    def _listed(self, words: Sequence[str], gaps: Sequence[str], at: int) -> bool:
        """Whether the word before belongs to one name of somebody who stays, and this one to the next."""
        if at < 2 or at + 1 >= len(words) or not (_BLANK.fullmatch(gaps[at - 1]) and _BLANK.fullmatch(gaps[at + 1])):
            return False
        return {f"{words[at - 2]} {words[at - 1]}", f"{words[at]} {words[at + 1]}"} <= self.others
