"""Look for ids, names and numbers in text as people write them: in another spelling, or by their digits alone.

What gives a record away by itself (an id, an address, a number of nine digits or more) is found; a name or a date is met, for
others may have it too. A number is compared by its digits, without the zeros and signs that it is dialled with, and of one that
leaves out its country the rest has to be nine digits. Digits are everywhere: where so many of them could hold one of the numbers
by chance, it is only met; so is one that somebody who stays has in any spelling, as a household's, and a number with letters,
as a tax office writes it, with other spaces or none.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Final

from auditor.parts.places.observing.codes import SHORTEST_DIGEST, digests_met
from auditor.parts.places.observing.normal_forms import WORDS, normal, readings, readings_in_two_letters, transliterated
from auditor.parts.places.observing.texts import Text
from auditor.parts.places.observing.turned_names import TurnedNames
from auditor.parts.store.observing.known_digests import KnownDigests
from auditor.parts.store.observing.record_forms import tells

DIGITS: Final = 9
"""Digits that a number has at least, to be looked for by its digits alone."""
_LONGEST: Final = 18
_SIGNS: Final = 3
"""Signs that may part two words of a name, or the digits of a number."""
_FEW: Final = 32
"""Words that are looked for one by one before a text is taken apart."""
_COUNTRY: Final = 3
"""Digits of a country that a number may be written without."""
CHANCE: Final = 1e-3
"""Numbers that may be met by chance in one file, for those that are found to count as found."""
_IN_NUMBERS: Final = " \t().-/+"
"""Signs that do."""
_PIECES: Final = re.compile(r"(\d+)")
_PARTS: Final = re.compile(r"([^\W\d_]+|\d+)")
_LETTERED, _MOST_LETTERED, _OF_DIGITS = 6, 32, 4
"""Letters and digits that a number with both has, at least and at most, and digits among them."""
_HYPHENS: Final = ("-", "_")
"""With which a word goes on."""
_TWO_LETTERS: Final = re.compile("[aou]e")
_TRUNK: Final = "(0)"
_ACCOUNT: Final = re.compile(r"[a-z]{2}\d{2}[a-z0-9]{11,30}")
_IN_TEXT: Final = re.compile(r"(?<![a-z0-9])[a-z]{2}\d{2}(?:[ \-]?[a-z0-9]){11,40}")
_DATE: Final = re.compile(r"(?:(\d{4})[-./](\d{1,2})[-./](\d{1,2})|(\d{1,2})[-./](\d{1,2})[-./](\d{4}))")


@dataclass(frozen=True, slots=True)
class _Form:
    """Words that follow one another."""

    words: tuple[str, ...]
    tight: tuple[bool, ...]
    """Of each gap, whether no white space may be in it."""
    written: str


@dataclass(slots=True)
class Met:
    """What a text has."""

    found: set[str] = field(default_factory=set)
    """Of what was looked for, what gives a record away."""
    named: set[str] = field(default_factory=set)
    """What others may have too."""
    there: set[str] = field(default_factory=set)
    """Of what is found, what is in no deleted row."""


@dataclass(frozen=True)
class Spellings:
    """Ids, names and numbers that are looked for in another spelling."""

    sure: frozenset[str]
    """Those that give a record away, as the log or the table writes them."""
    forms: Mapping[str, tuple[_Form, ...]]
    """By their first word."""
    digits: Mapping[str, tuple[tuple[str, str], ...]]
    """Numbers by their last digits: all their digits, and how they are written."""
    accounts: Mapping[str, str]
    """Numbers of accounts without spaces, and how they are written."""
    turned: TurnedNames
    taken: frozenset[str] = frozenset()
    """Digits of numbers that people who stay have."""
    lettered: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Numbers with letters without any signs, and how each is written."""
    digests: KnownDigests = field(default_factory=KnownDigests.of)
    """All of them by their digests."""
    in_two_letters: Spellings | None = None
    """Names of the log with two letters that a text may write as an umlaut, if there are any."""

    @classmethod
    def of(
        cls,
        sure: Iterable[str],
        names: Iterable[str],
        *,
        taken: frozenset[str] = frozenset(),
        lettered: Iterable[str] = (),
        digested: Iterable[str] = (),
        straight: Collection[str] = (),
        in_two_letters: Iterable[str] = (),
        others_in_two_letters: frozenset[str] | None = None,
        others: frozenset[str] | None = None,
        initials: frozenset[tuple[str, str]] = frozenset(),
    ) -> Spellings:
        """Prepare what is looked for.

        Args:
            sure: What gives a record away.
            names: What others may have too.
            taken: Digits of numbers that people who stay have: these are met at most.
            lettered: What of all these may be a number with letters, to be met whatever parts it.
            digested: Those of them that are looked for by their digests, too.
            straight: Those of the names that are met as they are written alone.
            in_two_letters: Those of the names that are met where a text has an umlaut for two letters of theirs.
            others_in_two_letters: As `others`, those in which there are umlauts with two letters for each.
            others: Short texts of people who stay, in normal form; None where nobody is known.
            initials: Initials and words of names of people who stay, as their columns of names say.
        """
        sure, names = frozenset(sure), frozenset(names)
        forms: defaultdict[str, set[_Form]] = defaultdict(set)
        digits: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
        accounts: dict[str, str] = {}
        for each in sorted({*sure, *names}):
            if (number := number_of(each)) is not None:
                digits[number[-DIGITS:]].add((number, each))
            if is_account(each):
                accounts[_compact(each)] = each
            for spelt in {each, *_dates(each), *(() if each in sure else (transliterated(each),))}:
                form = _form(spelt, each)
                if form is not None:
                    forms[form.words[0]].add(form)
        as_one: defaultdict[str, set[str]] = defaultdict(set)
        for each in filter(_is_lettered, lettered):
            as_one[_squeezed(each)].add(each)
        umlauts = [each for each in in_two_letters if each not in sure and _TWO_LETTERS.search(each.casefold())]
        return cls(
            sure,
            {word: tuple(sorted(those, key=lambda form: form.words)) for word, those in forms.items()},
            {end: tuple(sorted(those)) for end, those in digits.items()},
            accounts,
            TurnedNames.of(names.difference(sure, straight), others, initials),
            taken,
            {form: frozenset(those) for form, those in as_one.items()},
            KnownDigests.of((form, each) for each in digested for form in _digested(each)),
            cls.of((), umlauts, others=others_in_two_letters) if umlauts else None,
        )

    @cached_property
    def shortest(self) -> int:
        """Characters in normal form that the shortest of them is written with; none is written in less."""
        forms = [sum(map(len, form.words)) + len(form.words) - 1 for those in self.forms.values() for form in those]
        return min(
            [
                *forms,
                *self.turned.lengths,
                *map(len, self.accounts),
                *map(len, self.lettered),
                *((DIGITS,) if self.digits else ()),
                *((SHORTEST_DIGEST,) if len(self.digests) else ()),
            ],
            default=sys.maxsize,
        )

    @cached_property
    def _begin(self) -> frozenset[str]:
        """Words of which a text has one where anything is met."""
        return self.turned.words.union(self.forms)

    def met_in(self, text: str) -> Met:
        """Look for them in every way in which a text may be read."""
        met = Met()
        every = list(dict.fromkeys(readings(text)))
        for read in every:
            self._add(met, self.by_words(read))
            if self.accounts:
                self._add(met, self._by_account(read))
            if self.lettered:
                met.named.update(self._by_letters_and_digits(read))
        if self.in_two_letters is not None:
            for read in readings_in_two_letters(text):
                met.named.update(self.in_two_letters.by_words(read))
        numbers, doubtful = self._by_digits(every[0])
        self._add(met, numbers)
        digests, cut = digests_met(self.digests, text)
        self._add(met, filter(self.tells_alone, digests))
        met.named |= doubtful | digests | cut
        met.named -= met.found
        return met

    def met_in_all(self, texts: Iterable[Text]) -> Met:
        """Look for them in several texts."""
        met = Met()
        for text in texts:
            one = self.met_in(text.text)
            met.found |= one.found
            met.named |= one.named
            met.there |= one.found if text.there else set()
        met.named -= met.found
        return met

    def tells_alone(self, written: str) -> bool:
        """Whether one of them is nobody's who stays, in any spelling."""
        return written in self.sure and number_of(written) not in self.taken

    def _add(self, met: Met, written: Iterable[str]) -> None:
        for each in written:
            (met.found if each in self.sure else met.named).add(each)

    def by_words(self, text: str) -> Iterator[str]:
        """Give those that are written as words, as a text in normal form has them."""
        # Most texts have no word to begin with, and are read no further.
        if len(self._begin) <= _FEW and all(word not in text for word in self._begin):
            return
        pieces = WORDS.split(text)
        gaps, words = pieces[::2], pieces[1::2]
        places = [at for at, word in enumerate(words) if word in self._begin]
        yield from self.turned.met_in(words, gaps, places)
        for at in places:
            # Many names begin with one word, and few with the same two.
            for form in (*self._by_two.get((words[at],), ()), *self._by_two.get(tuple(words[at : at + 2]), ())):
                last = at + len(form.words)
                if form.words != tuple(words[at:last]) or gaps[at].endswith(_HYPHENS) or gaps[last].startswith(_HYPHENS):
                    continue
                if all(_parts(gap, tight=tight) for gap, tight in zip(gaps[at + 1 : last], form.tight, strict=True)):
                    yield form.written

    @cached_property
    def _by_two(self) -> Mapping[tuple[str, ...], list[_Form]]:
        """What is looked for, by its first two words, or its only one."""
        found = defaultdict[tuple[str, ...], list[_Form]](list)
        for those in self.forms.values():
            for form in those:
                found[form.words[:2]].append(form)
        return found

    def _by_account(self, text: str) -> Iterator[str]:
        for run in _IN_TEXT.finditer(text):
            compact = _compact(run[0])
            yield from (written for form, written in self.accounts.items() if compact.startswith(form))

    def _by_letters_and_digits(self, text: str) -> Iterator[str]:
        pieces = _PARTS.split(text)
        gaps, parts = pieces[::2], pieces[1::2]
        for first in [at for at, part in enumerate(parts) if part in self._heads]:
            # A part next to one of another kind, with nothing between, is within a word.
            if gaps[first].endswith(_HYPHENS) or (first and not gaps[first]):
                continue
            run = ""
            for at in range(first, len(parts)):
                if (run and len(gaps[at]) > 1) or len(run) + len(parts[at]) > self._longest:
                    break
                run += parts[at]
                after = gaps[at + 1]
                if run in self.lettered and not after.startswith(_HYPHENS) and (after or at + 1 == len(parts)):
                    yield from self.lettered[run]

    @cached_property
    def _heads(self) -> frozenset[str]:
        """What the first letters or digits of a number with both may be, wherever a sign parts them."""
        firsts = (head[0] for form in self.lettered if (head := _PARTS.match(form)))
        return frozenset(head[:size] for head in firsts for size in range(1, len(head) + 1))

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.lettered))

    def _by_digits(self, text: str) -> tuple[set[str], set[str]]:
        """Numbers that a text has, and those of them that it may have by chance: the more numbers, the more digits it takes."""
        shared: dict[str, int] = {}
        of_others = set[str]()
        tried = 0
        for number in _numbers_in(text.replace(_TRUNK, " ")) if self.digits else ():
            tried += 1
            for whole, written in self.digits.get(number[-DIGITS:], ()):
                one, other = sorted((number, whole), key=len)
                if other.endswith(one) and len(other) - len(one) <= _COUNTRY:
                    shared[written] = max(len(one), shared.get(written, 0))
                    of_others |= {written} if whole in self.taken else set()
        forms = sum(map(len, self.digits.values()))
        doubtful = {written for written, length in shared.items() if tried * forms > CHANCE * 10.0**length}
        doubtful |= of_others
        return set(shared) - doubtful, doubtful


def _parts(gap: str, *, tight: bool) -> bool:
    """Whether what is between two words may be there: white space however long, or a few signs; no end of a paragraph."""
    blank = any(map(str.isspace, gap))
    if tight:
        return not blank and len(gap) <= _SIGNS
    return (gap.isspace() or len(gap) <= _SIGNS) and "\n\n" not in gap


def number_of(written: str) -> str | None:
    """Give the digits of a telephone number, or of another of so many digits; None of anything else, and of a date."""
    plain = normal(written).strip().replace(_TRUNK, "")
    if not re.fullmatch(r"[+\d\s().\-/]+", plain) or _DATE.match(plain):
        return None
    digits = "".join(_PIECES.findall(plain)).lstrip("0")
    return digits if DIGITS <= len(digits) <= _LONGEST else None


def _digested(written: str) -> Iterable[str]:
    """In which spellings it may have been digested: as it stands and without spaces, in either case; a number by its digits."""
    forms = {each for text in (written, "".join(written.split())) for each in (text, text.lower(), text.upper())}
    number = number_of(written)
    return forms if number is None else forms | {number, f"+{number}", f"00{number}"}


def _is_lettered(written: str) -> bool:
    """Whether it may be a number that has letters as well, as those of passports and cars have; no address of mail."""
    form = _squeezed(written)
    digits = sum(map(str.isdecimal, form))
    return "@" not in written and _LETTERED <= len(form) <= _MOST_LETTERED and _OF_DIGITS <= digits < len(form)


def _squeezed(written: str) -> str:
    return "".join(_PARTS.findall(normal(written)))


def is_account(written: str) -> bool:
    """Whether it is the number of an account, as an IBAN is."""
    return _ACCOUNT.fullmatch(_compact(written)) is not None


def _compact(written: str) -> str:
    return re.sub(r"[\s\-]", "", normal(written))


def _numbers_in(text: str) -> Iterator[str]:
    """Give digits that follow one another, as numbers of a length that is looked for, whatever signs or spaces part them."""
    pieces = _PIECES.split(text)
    for first in range(1, len(pieces), 2):
        together, after = pieces[first], first + 1
        while True:
            number = together.lstrip("0")
            if len(number) > _LONGEST:
                break
            if len(number) >= DIGITS:
                yield number
            gap = pieces[after]
            if after == len(pieces) - 1 or len(gap) > _SIGNS or gap.strip(_IN_NUMBERS):
                break
            together, after = together + pieces[after + 1], after + 2


def _form(spelt: str, written: str) -> _Form | None:
    plain = normal(spelt)
    tokens = list(WORDS.finditer(plain))
    if not tokens or (len(tokens) == 1 and not tells(tokens[0][0])):
        return None
    gaps = [plain[one.end() : other.start()] for one, other in pairwise(tokens)]
    tight = tuple(not any(map(str.isspace, gap)) and written_as_one(spelt) for gap in gaps)
    return _Form(tuple(each[0] for each in tokens), tight, written)


def written_as_one(spelt: str) -> bool:
    """Whether its signs belong to it, as those of an address or an id: a name may be written with others."""
    return any(each.isdigit() or each == "@" for each in spelt)


def _dates(written: str) -> Iterator[str]:
    """Give a date in the orders in which dates are written."""
    found = _DATE.fullmatch(written.strip())
    if found is None:
        return
    year = found[1] or found[6]
    one, other = (found[2], found[3]) if found[1] else (found[4], found[5])
    for first, second in {(one, other), (other, one)}:
        for form in ("{:02}", "{}"):
            parts = form.format(int(first)), form.format(int(second))
            yield f"{year}-{parts[0]}-{parts[1]}"
            yield f"{parts[0]}.{parts[1]}.{year}"
