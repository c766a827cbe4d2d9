"""Find people's texts quoted in what a place says: runs of words that one person's text has and no other person who stays has.

Text is cut into units: lines, and of longer ones windows that overlap. A unit of which half, or in which nearly the whole text,
is one person's is a copy. Of retained people only what is not their own is compared: a unit that names one by id, or is a copy
of their text, is theirs. A run that a deleted person shares with a retained one says nothing about
either, and a copy that lies in rows of two or more retained people may be a form that they share, and is a quotation at most.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from auditor.parts.places.judging.quoted import COPIED, FEWEST, SHARE, WORDS, Quoted
from auditor.parts.places.observing.normal_forms import normal, readings
from auditor.parts.places.observing.stretches import Stretches
from auditor.parts.places.observing.texts import Text
from auditor.parts.store.observing.record_forms import tells

Hashes: TypeAlias = npt.NDArray[np.uint64]
_TOKENS: Final = re.compile(r"[^\W_]+")
_IDS: Final = re.compile(r"[\w.@+\-]+")
_MOST_WORDS: Final = 5_000_000
"""Words of all texts together that are compared."""
_WINDOW: Final = 200
"""Words of a unit; two that follow one another share `WORDS - 1`."""
_NEARLY: Final = 0.9
"""Of the runs of a text, the part that a copy of the whole has at least."""
_SHARED: Final = 2
"""Retained people in whose rows a copy lies, from which on it may be a form that they share."""
_WIDE: Final = 100
"""Characters from which on a line is no line of wrapped text, but a row."""
_COMPARED: Final = 2_000
"""Retained people who are compared."""
_MIXED: Final = np.uint64(0x9E3779B97F4A7C15)


class _Runs(NamedTuple):
    """Runs of words, in ascending order, one entry for each person who has it."""

    hashes: Hashes
    owners: npt.NDArray[np.int32]

    @classmethod
    def put_together(cls, texts: Sequence[tuple[int, Hashes]]) -> _Runs:
        """Put the runs of people's texts together: several of one person may have the same."""
        runs = np.concatenate([np.zeros(0, np.uint64), *(own for _, own in texts)])
        owners = np.repeat([person for person, _ in texts], [len(own) for _, own in texts]).astype(np.int32)
        order = np.lexsort((owners, runs))
        runs, owners = runs[order], owners[order]
        new = np.ones(len(runs), dtype=bool)
        new[1:] = (runs[1:] != runs[:-1]) | (owners[1:] != owners[:-1])
        return cls(runs[new], owners[new])


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """What distinguishes people's texts."""

    people: tuple[str, ...]
    """Deleted people, then retained ones."""
    deleted: int
    """How many of them are deleted."""
    words: Mapping[str, int]
    runs: Hashes
    """In ascending order, one entry for each person who has it."""
    owners: npt.NDArray[np.int32]
    sizes: npt.NDArray[np.int64]
    """Runs of each person."""
    left_out: bool = False
    stretches: Stretches | None = None
    """What deleted people's texts have, with what people who stay have too; None where nobody's are compared."""

    @classmethod
    def of(cls, cells: Iterable[tuple[str, str]], gone: frozenset[str], doubtful: Iterable[tuple[str, str]] = ()) -> Texts:
        """Take the texts of a table apart.

        Args:
            cells: Texts, each with its record.
            gone: Deleted records.
            doubtful: Texts of columns that explain nothing: what people who stay have there takes nothing from what deleted
                people have in other columns.
        """
        long, more = (
            [(text, record) for text, record in some if text.count(" ") >= WORDS + FEWEST - 2] for some in (cells, doubtful)
        )
        people = sorted({record for _, record in (*long, *more)}, key=lambda each: (each not in gone, each))
        if sum(text.count(" ") + 1 for text, _ in (*long, *more)) > _MOST_WORDS:
            return cls((), 0, {}, np.zeros(0, np.uint64), np.zeros(0, np.int32), np.zeros(0, np.int64), left_out=True)
        at = {each: number for number, each in enumerate(people)}
        words: dict[str, int] = {}
        deleted = sum(each in gone for each in people)
        known, further = ([(at[record], runs_in(next(readings(text)), words)) for text, record in some] for some in (long, more))
        stretches = Stretches.of(*_Runs.put_together([*known, *further]), deleted)
        kept = np.concatenate([np.zeros(0, np.uint64), *(own for person, own in further if person >= deleted)])
        alone = [(person, own[~np.isin(own, kept)]) for person, own in further if person < deleted]
        runs, owner = _Runs.put_together([*known, *alone])
        # A run tells a deleted person if no retained one has it, and a retained one if no other has.
        _, inverse = np.unique(runs, return_inverse=True)
        of_retained = np.bincount(inverse, weights=owner >= deleted) if len(runs) else np.zeros(0)
        tell = of_retained[inverse] == (owner >= deleted) if len(runs) else np.zeros(0, dtype=bool)
        sizes = np.bincount(owner[tell], minlength=len(people)).astype(np.int64)
        return cls(tuple(people), deleted, words, runs[tell], owner[tell], sizes, stretches=stretches)

    def is_quoted_in(self, text: str) -> bool:
        """Whether some of a deleted person's text is in one: to advise by, since it may be there by chance."""
        if not self.deleted:
            return False
        return bool(self._quoted(next(readings(text))))

    def compared(self) -> list[int]:
        """Choose retained people whose texts are as long as those of deleted ones: half as long to twice as long."""
        tested = self.sizes[: self.deleted][self.sizes[: self.deleted] >= FEWEST]
        if not tested.size:
            return []
        low, high = max(FEWEST, int(tested.min()) // 2), 2 * int(tested.max())
        fit = [each for each in range(self.deleted, len(self.people)) if low <= self.sizes[each] <= high]
        return [fit[int(each)] for each in np.unique(np.linspace(0, len(fit) - 1, min(_COMPARED, len(fit))).astype(int))]

    def quotations_in(self, texts: Iterable[Text]) -> Quotations:
        """Find the quotations of one file."""
        found = Quotations()
        if not self.deleted or self.stretches is None:
            return found
        met_here = np.zeros(self.stretches.count, dtype=bool)
        ids = {normal(record): at for at, record in enumerate(self.people) if tells(record)}
        for read, there in _as_read(texts).items():
            runs = self._runs_of(read)
            places, which = self.stretches.met(runs)
            met_here[which] = True
            found.faint |= self.stretches.alone_in(places, which) - found.faint
            if not self._met(runs):
                continue
            for unit in _units(read, ids):
                runs = self._runs_of(unit)
                met, count = self._met(runs), len(runs)
                words = (each.strip(".") for each in _IDS.findall(unit)) if met else ()
                named = {ids[each] for each in words if each in ids}
                for person, own in met.items():
                    share = max(2 * len(own) / count, len(own) / (_NEARLY * self.sizes[person]))
                    copy = len(own) >= COPIED and share >= 1
                    if person < self.deleted or not (copy or person in named):
                        found.note(
                            person, own, {each for each in named if self.deleted <= each != person}, copy=copy, there=there
                        )
        found.shared = {each for each in found.copied if len(found.rows[each]) >= _SHARED}
        found.copied -= found.shared
        few = self.sizes[: self.deleted] < FEWEST
        found.faint |= set(np.flatnonzero(few & (self.stretches.times(met_here, self.deleted) >= FEWEST)).tolist())
        return found

    def quoted_in(self, text: str) -> set[str]:
        """Name deleted people of whose texts a text has a quotation, in any way in which it may be read."""
        return set[str]().union(*map(self._quoted, readings(text)))

    def _quoted(self, read: str) -> set[str]:
        met = self._met(self._runs_of(read))
        return {self.people[person] for person, own in met.items() if person < self.deleted and len(own) >= FEWEST}

    def _runs_of(self, text: str) -> Hashes:
        return _runs(np.array([self.words.get(each, 0) for each in _TOKENS.findall(text)], dtype=np.uint64))

    def _met(self, runs: Hashes) -> dict[int, set[int]]:
        """Give whose runs, that tell them, are among some, and which."""
        places = np.searchsorted(self.runs, runs)
        there = places < len(self.runs)
        there[there] = self.runs[places[there]] == runs[there]
        met: defaultdict[int, set[int]] = defaultdict(set)
        for place in np.unique(places[there]).tolist():
            last = int(np.searchsorted(self.runs, self.runs[place], side="right"))
            for at in range(place, last):
                met[int(self.owners[at])].add(at)
        return met


def _as_read(texts: Iterable[Text]) -> dict[str, bool]:
    """Every way in which texts may be read, each with whether it is there as it stands."""
    ways: dict[str, bool] = {}
    for text in texts:
        for read in readings(text.text):
            ways[read] = text.there or ways.get(read, False)
    return ways


def _of_each() -> defaultdict[int, set[int]]:
    return defaultdict(set)


@dataclass(slots=True)
class Quotations:
    """What is quoted in one file, or in several, of what is not known to be a person's own."""

    in_rows: defaultdict[int, set[int]] = field(default_factory=_of_each)
    """Runs of each person in what names somebody else who stays."""
    loose: defaultdict[int, set[int]] = field(default_factory=_of_each)
    """Runs of each person in what names nobody who stays."""
    copied: set[int] = field(default_factory=set)
    """Deleted people whose text is copied."""
    shared: set[int] = field(default_factory=set)
    """Deleted people whose text is copied in rows of several retained people, who may have it too."""

    there: set[int] = field(default_factory=set)
    """Of all these, those who are in no deleted row."""

    faint: set[int] = field(default_factory=set)
    """Deleted people of whose texts something was met, if only what people who stay have too: words in a row that none of these
    has as a whole, or anything of a text that hardly differs from theirs."""

    rows: defaultdict[int, set[int]] = field(default_factory=_of_each)
    """Of deleted people whose text is copied in one file, the retained people in whose rows it is."""

    def note(self, person: int, runs: set[int], others: set[int], *, copy: bool, there: bool) -> None:
        """Note what of a person's text is in a unit, and who else who stays is named there."""
        (self.in_rows if others else self.loose)[person] |= runs
        if copy:
            self.copied.add(person)
            self.rows[person] |= others
        if there:
            self.there.add(person)

    def told(self) -> dict[str, Any]:
        """Give it as JSON."""
        return {
            "in_rows": [[person, sorted(those)] for person, those in sorted(self.in_rows.items())],
            "loose": [[person, sorted(those)] for person, those in sorted(self.loose.items())],
            "copied": sorted(self.copied),
            "shared": sorted(self.shared),
            "there": sorted(self.there),
            "faint": sorted(self.faint),
        }

    def add(self, told: Mapping[str, Any]) -> None:
        """Take in what a further file has."""
        for runs, name in ((self.in_rows, "in_rows"), (self.loose, "loose")):
            for person, those in told[name]:
                runs[int(person)] |= set(map(int, those))
        self.copied |= set(map(int, told["copied"]))
        self.shared |= set(map(int, told["shared"]))
        self.there |= set(map(int, told["there"]))
        self.faint |= set(map(int, told["faint"]))

    def of_deleted(self, texts: Texts) -> set[str]:
        """Name deleted people of whose texts so many runs were met as a quotation has at least."""
        met = (self.in_rows.keys() | self.loose.keys()) & set(range(texts.deleted))
        return {texts.people[each] for each in met if len(self.in_rows.get(each, set()) | self.loose.get(each, set())) >= FEWEST}

    def quoted(self, texts: Texts) -> set[str]:
        """Name deleted people whose texts are quoted, and not copied."""
        return {texts.people[each] for each in self._tested(texts) if self._of(each, texts)}

    def said_of_others(self, texts: Texts) -> set[str]:
        """Name deleted people whose texts are copied where others may have them too."""
        return {texts.people[each] for each in self.shared - self.copied}

    def untold(self, texts: Texts) -> set[str]:
        """Name deleted people of whose texts something was met that may be theirs, and cannot be distinguished from others'."""
        return {texts.people[each] for each in self.faint}

    def _tested(self, texts: Texts) -> list[int]:
        settled = self.copied | self.shared
        return [each for each in range(texts.deleted) if texts.sizes[each] >= FEWEST and each not in settled]

    def _of(self, person: int, texts: Texts) -> float:
        return self._share(person, texts, self.in_rows, self.loose)

    def seen(self, texts: Texts, tests: int) -> tuple[Quoted | None, set[str], set[str]]:
        """Count them, and give the records that are found, and those of them that are there now.

        There is no count where nobody deleted has a text that can be quoted.

        Args:
            texts: People's texts.
            tests: Places over which the level is split.
        """
        if not texts.left_out and not (texts.sizes[: texts.deleted] >= FEWEST).any():
            return None, set(), set()
        tested, others = self._tested(texts), texts.compared()
        shares = {each: self._of(each, texts) for each in (*tested, *others)}
        quoted = [each for each in tested if shares[each]]
        of_others = [each for each in others if shares[each]]
        counted = Quoted(
            deleted=len(tested),
            quoted=len(quoted),
            loose=sum(each in self.loose for each in quoted),
            copied=len(self.copied),
            shared=len(self.shared - self.copied),
            others=len(others),
            others_quoted=len(of_others),
            others_in_rows=sum(self._share(each, texts, self.in_rows) > 0 for each in of_others),
            left_out=texts.left_out,
        )
        more = max((shares[each] for each in of_others), default=0.0)
        found = {each for each in quoted if shares[each] > more} if counted.shown(tests) else set()
        named = {texts.people[each] for each in found | self.copied}
        return counted.model_copy(update={"found": len(found)}), named, {texts.people[each] for each in self.there} & named

    def _share(self, person: int, texts: Texts, *met: Mapping[int, set[int]]) -> float:
        """The part of a person's runs that is quoted; 0 where that is too little to be a quotation."""
        own = len(set().union(*(each.get(person, ()) for each in met)))
        size = int(texts.sizes[person])
        return own / size if own >= max(FEWEST, SHARE * size) else 0.0


def runs_in(read: str, words: dict[str, int]) -> Hashes:
    """The different runs of a text in normal form, in ascending order; words that are new get a number."""
    return np.unique(_runs(np.array([words.setdefault(each, len(words) + 1) for each in _TOKENS.findall(read)], dtype=np.uint64)))


def _runs(codes: Hashes) -> Hashes:
    """Hash the runs of known words, shape (n - WORDS + 1,) or less; a run with an unknown word is 0."""
    count = len(codes) - WORDS + 1
    if count < 1:
        return np.zeros(0, dtype=np.uint64)
    mixed = np.zeros(count, dtype=np.uint64)
    known = np.ones(count, dtype=bool)
    with np.errstate(over="ignore"):
        for step in range(WORDS):
            part = codes[step : step + count]
            known &= part > 0
            mixed = (mixed ^ (part * _MIXED)) * np.uint64(0xBF58476D1CE4E5B9)
            mixed ^= mixed >> np.uint64(29)
    mixed[~known] = 0
    return mixed


def _units(text: str, ids: Mapping[str, int]) -> Iterator[str]:
    """Cut a text in normal form into units that each may be somebody's: rows, and paragraphs of other lines."""
    waiting: list[str] = []
    for line in [*text.splitlines(keepends=True), "\n"]:
        row = len(line) > _WIDE or line.startswith(("{", "[")) or any(each.strip(".") in ids for each in _IDS.findall(line))
        if row or line.isspace():
            if waiting:
                yield from _windows("".join(waiting))
            waiting = []
            if row:
                yield from _windows(line)
        else:
            waiting.append(line)


def _windows(unit: str) -> Iterator[str]:
    ends = [each.span() for each in _TOKENS.finditer(unit)]
    if len(ends) <= _WINDOW:
        yield unit
        return
    step = _WINDOW - WORDS + 1
    for first in range(0, len(ends) - WORDS + 1, step):
        last = min(first + _WINDOW, len(ends)) - 1
        yield unit[ends[first][0] : ends[last][1]]
