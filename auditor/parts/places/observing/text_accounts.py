"""Account for files of text: which of their lines are made, in a few forms, of what is known of people who stay.

All that a place could say beyond these people is counted in bits, and what is too irregular to be counted is unexplained:

- A line is a form and the values that fill it, whole or in pieces. The pieces of one form begin and end where one rule says, at
  a sentence, so many characters or words in, or next to the same words; a piece elsewhere is unexplained.
- A number in a form is the same in all of its lines, or goes on by one rule: with the lines, with the lines of one person, with
  people in the table's order, or in steps that begin again. Any other number is unexplained.
- Words of a form are counted by `plain_words`, and a form that few people have counts for itself, values and all.
- Which lines a person has, and the order of people, are counted as far as they differ from person to person.

So whatever is rare, in a free order, numeric or long and unbroken stays open, and what passes has less room than two values of a
record need. A sentence put in other words matches nothing and stays open as well.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby, pairwise, zip_longest
from math import ceil, log2
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from auditor.parts.places.judging.unexplained import Why
from auditor.parts.places.observing.addressees import Addressed
from auditor.parts.places.observing.alone import Alone, words_in
from auditor.parts.places.observing.common_forms import agreed
from auditor.parts.places.observing.cuts import Chunk, rule_of
from auditor.parts.places.observing.messages import MESSAGE
from auditor.parts.places.observing.notations import WITH_COMMA
from auditor.parts.places.observing.own_values import MANY, ON_ONE_LINE, Form, Owners, Read, Slot, sentences, words_of
from auditor.parts.places.observing.plain_words import DIGITS, Around, natural, of_number, size_of
from auditor.parts.places.observing.row_order import Order, are_left_out, of_waiting
from auditor.parts.places.observing.text_units import USUAL, Units, in_other_code, units
from auditor.parts.store.judging.accounting import SPARE_EACH
from auditor.parts.store.observing import spare_bits

_NUMBER: Final = re.compile(r"\d+")
_NEAR: Final = 3
"""Characters by which a piece may begin or end before or after a sentence does."""
_OF_SLOT: Final = 8
"""Bits of which value it is and how it is written, in a form that few people have."""
_OF_STYLE: Final = 2
"""Bits of a way in which files are written, beyond their lines."""
_RARE: Final = 48
"""Bits of a form that few people have, up to which it is counted and not left unexplained."""
_NAME: Final = "name"
_NAMES: Final = ""
"""Stands for a file of the names of files."""
_MANY_SHAPES: Final = 16
"""Bits of which form each line of a file has, from which on that is named."""
_MOST_LEFT: Final = 3
"""Places in files that are named."""

_Rule: TypeAlias = tuple[Hashable, ...]
_FormOfLines: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], str]
"""What stands around values, the columns of these, and how lines are encoded."""
_Shape: TypeAlias = tuple[tuple[_FormOfLines, int], ...]


class Left(NamedTuple):
    """Where something is that nothing explains."""

    file: str
    line: int
    bytes: int
    why: Why
    bits: int = 0
    more: int = 0
    """Further lines of this kind, which are not named."""


@dataclass(slots=True)
class Explained:
    """What an account of the texts of a place came to."""

    unexplained: dict[str, int]
    """Bytes of each file."""
    names: int = 0
    """Bytes of what files and folders are called."""
    bits: int = 0
    people: int = 0
    """People of whom a line is explained."""
    missing: frozenset[int] = frozenset()
    """Who waits for their erasure, as numbers of owners, and seems to have been left out."""
    there: frozenset[int] = frozenset()
    """Who waits for it and has a line."""
    left: list[Left] = field(default_factory=list)


class _Chunk(NamedTuple):
    start: int
    end: int
    of: int
    """Chunks that the text has."""


@dataclass(slots=True, eq=False)
class _Line:
    file: str
    number: int
    size: int
    text: str
    read: Read
    within: str
    at: int = 0
    """Its place among the lines of its form, in its file."""
    turn: int = 0
    """Its place among lines of its form of one person that follow one another."""
    why: Why | None = None
    chunk: _Chunk | None = None
    """Which chunk of a text it holds, where its form has one."""

    @property
    def form(self) -> _FormOfLines:
        around = tuple(_NUMBER.sub("\0", each) for each in self.read.around)
        return (around, tuple(each.column for each in self.read.slots), self.within)

    @property
    def numbers(self) -> list[str]:
        return [each for part in self.read.around for each in _NUMBER.findall(part)]


@dataclass(slots=True)
class Before:
    """What texts of other places had around values, which is free once for all places, and in which forms."""

    lines: Around
    names: Around
    """In what files and folders are called."""
    alone: Alone
    """Values of deleted people, which are free nowhere."""
    forms: set[Hashable] = field(default_factory=set)
    said: set[str] = field(default_factory=set)
    """Words around values, and in names, of all places so far."""
    quotes: Callable[[str], bool] = lambda _text: False
    """Whether a deleted person's text is quoted in some text: to advise by."""

    def names_with(self, words: set[str]) -> Mapping[frozenset[str], frozenset[str]]:
        """Add words that are free, and give deleted people's names that are made of them and of those of before."""
        self.said |= words
        return {pair: those for pair, those in self.alone.called_across(self.said).items() if not pair.isdisjoint(words)}

    @classmethod
    def any_place(cls, owners: Owners, alone: Alone) -> Before:
        """Begin with the first place."""
        return cls(Around(owners), Around(owners, names=True), alone)

    def around(self, within: str) -> Around:
        """What this has around values in lines that are encoded in some way, or in names."""
        return self.names if within.startswith(_NAME) else self.lines

    @property
    def bits(self) -> int:
        """Bits of all places so far."""
        return self.lines.in_all + self.names.in_all


def account(
    files: Mapping[str, bytes], owners: Owners, names: Sequence[str], before: Before, without: Mapping[str, frozenset[int]]
) -> Explained:
    """Account for the files of a place together, and for what files and folders are called.

    Args:
        files: What each holds, by its path below the place.
        owners: Who stays.
        names: Paths below the place; the last part of each is accounted for.
        before: What other places had, to which this one is added.
        without: Places of the units of each file, from zero, that are left out: they are deleted people's own.
    """
    found = Explained(dict.fromkeys(files, 0))
    lines: dict[str, list[_Line]] = {}
    read, addressed = list[Units](), list[Addressed]()
    for name, content in files.items():
        taken = units(content) if owners.values or not content else None
        if taken is None:
            found.unexplained[name] = len(content)
            found.left.append(Left(name, 0, len(content), "encoding" if in_other_code(content) else "file"))
            continue
        read.append(taken)
        lines[name] = _lines(name, taken.units, owners, without.get(name, frozenset()), addressed)
    found.bits += ceil(owners.addressees.bits(addressed) - 1e-9)
    if names:
        called = ((PurePosixPath(each).name, each) for each in _sorted(names, owners))
        lines[_NAMES] = [
            _Line(path, 0, len(name.encode("utf-8", "surrogateescape")), name, owners.read(name), f"{_NAME} {path.count('/')}")
            for name, path in called
        ]
    _read_again([line for each in lines.values() for line in each], owners)
    found.bits -= before.bits
    forms: defaultdict[_FormOfLines, list[_Line]] = defaultdict(list)
    for each in lines.values():
        _placed(each)
        for line in each:
            forms[line.form].append(line)
    wording = list[Left]()
    for of_form in forms.values():
        so_far = before.bits
        found.bits += (own := _of_form(of_form, owners, before.around(of_form[0].within), before.alone))
        why: Why = "words" if before.quotes(_fixed(of_form, _by_place(of_form))) else "wording"
        wording.append(Left(of_form[0].file, of_form[0].number, 0, why, own + before.bits - so_far))
    _leave_names(forms.values(), before)
    found.bits += before.bits
    found.bits += _of_styles(read)
    kinds = _kinds(lines, owners)
    columns = len({column for own in owners.values for column, _ in own})
    blocks = [[block for name in names for block in _blocks(lines[name])] for names in kinds]
    found.bits += _shapes(blocks, before.forms, columns)
    shapes = [Left(names[0], 0, 0, "shapes", ceil(_of_which(each))) for names, each in zip(kinds, blocks, strict=True)]
    orders = [_of_order([lines[name] for name in names], owners) for names in kinds]
    found.bits += sum(each.bits for each in orders)
    found.missing = frozenset().union(*(each.missing for each in orders))
    found.there = frozenset().union(*(each.there for each in orders))
    found.bits += sum(ceil(_which(Counter(bool(lines[name]) for name in names)) - 1e-9) for names in kinds)
    found.people = len({line.read.owner for each in lines.values() for line in each if not line.why} - {-1})
    whys = _leave_open(found, lines, owners, before.alone)
    if found.bits > SPARE_EACH:
        # Which form each line has is named where it is much.
        wording += [each for each in shapes if each.file != _NAMES and each.bits > _MANY_SHAPES]
        found.left += sorted((each for each in wording if each.bits), key=lambda each: -each.bits)
    del found.left[_MOST_LEFT:]
    found.left = _counted(found.left, whys)
    return found


def _leave_open(found: Explained, lines: Mapping[str, Sequence[_Line]], owners: Owners, alone: Alone) -> Counter[Why]:
    """Count what of lines and names is left, name the first of it, deleted people's words before all else; give its kinds."""
    whys = Counter[Why]()
    for name, each in lines.items():
        left = [line for line in each if line.why]
        size = sum(line.size for line in left)
        if name == _NAMES:
            found.names = size
        else:
            found.unexplained[name] += size
        told: list[tuple[_Line, Why]] = [
            (line, "name" if name == _NAMES else _to_advise(line, owners, alone)) for line in left[:_MOST_TOLD]
        ]
        whys.update([*(why for _, why in told), *(line.why or "line" for line in left[_MOST_TOLD:])])
        told.sort(key=lambda each: each[1] != "words")
        found.left += [Left(line.file, line.number, line.size, why) for line, why in told[:_MOST_LEFT]]
    found.left.sort(key=lambda each: each.why != "words")
    return whys


def _counted(left: list[Left], whys: Counter[Why]) -> list[Left]:
    """Say with the last that is named of each kind how many more there are."""
    named = Counter(each.why for each in left if not each.bits)
    last = {each.why: at for at, each in enumerate(left)}
    more = {why: whys[why] - count for why, count in named.items() if whys[why] > count}
    return [each._replace(more=more.get(each.why, 0) * (last[each.why] == at)) for at, each in enumerate(left)]


def _to_advise(line: _Line, owners: Owners, alone: Alone) -> Why:
    """What is best said of an open line: before all else that it has something of a deleted person's, whatever else is wrong."""
    if line.why == "words" or alone.has_any(line.text, "\0".join(line.read.around)):
        return "words"
    if line.number == 1 and line.read.owner < 0 and line.file.lower().endswith(_OF_COLUMNS):
        return "header"
    if _LIST.search(line.text):
        return "vectors"
    own = owners.values[line.read.owner] if line.read.owner >= 0 else []
    if any(not any(each[0] in value for _, value in own) for each in _TIME.finditer(line.text)):
        return "time"
    return line.why or "line"


_OF_COLUMNS: Final = (".csv", ".tsv")
_LIST: Final = re.compile(r"\[\s*(?:-?\d[\d.eE+-]*\s*,\s*){7,}-?\d[\d.eE+-]*\s*\]")
"""Numbers in brackets: eight of them, or more."""
_TIME: Final = re.compile(r"(?<!\d)[0-2]?\d:[0-5]\d(?::[0-5]\d)?(?!\d)")
_MOST_TOLD: Final = 1000
"""Lines of a file that are read for something of a deleted person's, to say what is best done about them."""


def _of_styles(files: Sequence[Units]) -> int:
    """Bits of the ways in which files are written, beyond their lines, and of which of these each is."""
    styles = Counter(each.style for each in files if each.also is None)
    # What is the same in both styles says nothing of which: it counts with most of those that do.
    styles.update([max((each.style, each.also), key=styles.__getitem__) for each in files if each.also is not None])
    return ceil(_OF_STYLE * len(styles.keys() - {USUAL}) + _which(styles) - 1e-9)


def _lines(
    name: str,
    taken: Iterable[tuple[str, int, int, str]],
    owners: Owners,
    without: frozenset[int],
    addressed: list[Addressed],
) -> list[_Line]:
    """The lines of a file; whom messages went to as well is added to `addressed`."""
    found, before = list[_Line](), -1
    for place, (text, size, number, within) in enumerate(taken):
        if place in without:
            continue
        read = owners.read(text, before)
        if within.startswith(MESSAGE):
            addressed.append(owners.addressees.left_out(text, read.owner))
            read = owners.read(addressed[-1].rest, before) if addressed[-1].headers else read
        before = read.owner if read.owner >= 0 else before
        found.append(_Line(name, number, size, text, read, within))
    return found


def _read_again(lines: Sequence[_Line], owners: Owners) -> None:
    """Read lines in the forms that most of them have."""
    before, last, file = list[int](), -1, None
    for line in lines:
        last = -1 if line.file != file else last
        before.append(last)
        last, file = (line.read.owner if line.read.owner >= 0 else last), line.file
    for line, read in zip(
        lines, agreed([each.read for each in lines], before, [each.within for each in lines], owners), strict=True
    ):
        line.read = read


def _placed(lines: Sequence[_Line]) -> None:
    """Count the lines of each form, and those of one person that follow one another."""
    counts: Counter[Hashable] = Counter()
    before: _Line | None = None
    for line in lines:
        line.at = counts[line.form]
        counts[line.form] += 1
        same = before is not None and before.form == line.form and before.read.owner == line.read.owner >= 0
        line.turn = before.turn + 1 if same and before is not None else 0
        before = line


# Forms: words around values, pieces, numbers.
def _of_form(lines: list[_Line], owners: Owners, around: Around, alone: Alone) -> int:
    """Explain the lines of one form, or say why not; its bits, but for those of its words where many people have it."""
    slots = lines[0].read.slots
    text = "\0".join(_NUMBER.sub("\0", each) for each in lines[0].read.around)
    people = {line.read.owner for line in lines} - {-1}
    many = len(people) >= MANY
    bits = 0 if many else sum(map(_of_slot, slots))
    for at in range(len(slots)):
        bits += _pieces(lines, at, owners) if many else 0
    # Taken out of the lines once: a sheet on one line has thousands of them.
    numbers = _by_place(lines)
    for written in numbers:
        bits += _numbers(lines, written, owners)
    probe = Around(owners, names=around.names)
    words = probe.add(text)
    fixed = _fixed(lines, numbers)
    if probe.gone or alone.met_in(fixed):
        _leave(lines, "words")
        return 0
    if not many and bits + words > _RARE:
        _leave(lines, "line")
        return 0
    if alone.written_in(fixed) or alone.counted_in(_ends(lines[0], numbers)):
        _leave(lines, "words")
        return 0
    if not many:
        # Half of a name may be somebody's value, and the other half stand next to it.
        _leave((line for line in lines if alone.called_across(words_in(line.text))), "words")
    around.add(text)
    return bits


def _by_place(lines: Sequence[_Line]) -> list[tuple[str, ...]]:
    """The numbers of lines of one form: at each place, that of each line."""
    return list(zip(*(line.numbers for line in lines), strict=True))


def _fixed(lines: Sequence[_Line], numbers: Iterable[Sequence[str]]) -> str:
    """What stands around values in all lines of a form, numbers that are the same in all of them among it."""
    same = iter([len(set(each)) == 1 for each in numbers])
    return _APART.join(_NUMBER.sub(lambda number: number[0] if next(same) else _APART, each) for each in lines[0].read.around)


def _ends(first: _Line, numbers: Iterable[Sequence[str]]) -> Iterator[int]:
    """Where numbers of a form begin and end that go on by a rule, and what they count from."""
    for written in numbers:
        if len(set(written)) > 1 and max(map(len, written)) <= _LONGEST:
            values = list(map(int, written))
            yield from (values[-1], min(values), max(values))
            yield from (values[0] - each for each in (0, first.at, first.turn, first.read.owner))


def _leave_names(forms: Iterable[Sequence[_Line]], before: Before) -> None:
    """Leave lines whose words make a deleted person's name together, one here and one there."""
    said = [(lines, words_in(_fixed(lines, _by_place(lines)))) for lines in forms if not lines[0].why]
    met = frozenset[str]().union(*before.names_with(set[str]().union(*(words for _, words in said))))
    for lines, words in said:
        if words & met:
            # What is somebody else's name as well is no word to be taken out.
            _leave(lines, "words" if words & met - before.alone.shared else "line")


_APART: Final = "\0\0"
"""In place of a value: what is before it and behind does not belong together."""


def _of_slot(slot: Slot) -> int:
    """Bits of a value in a form that few people have, and of where a piece of it begins and ends."""
    return _OF_SLOT if slot.whole else _OF_SLOT + 2 * len(slot.options[0][0].text).bit_length()


def _leave(lines: Iterable[_Line], why: Why) -> None:
    for line in lines:
        line.why = line.why or why


def _pieces(lines: Sequence[_Line], at: int, owners: Owners) -> int:
    """Find the rule by which values of one form are cut; leave lines that follow another, and give the bits of the rule."""
    slots = [line.read.slots[at] for line in lines]
    ways = Counter(
        way for each in slots for way in {way for form, start, end in each.options if _all(form, start, end) for way in form.ways}
    )
    if fitting := {way for way, count in ways.items() if count == len(lines)}:
        return _OF_COMMA if fitting <= WITH_COMMA else 0
    rule = _by_edges(lines, slots)
    if rule.left and (cut := _by_cut(lines, at, owners)) is not None and len(cut.left) < len(rule.left):
        rule = cut
    _leave(rule.left, "piece")
    return rule.bits


class _Cutting(NamedTuple):
    """A rule by which pieces are cut: its bits, and lines that follow another."""

    bits: int
    left: list[_Line]


def _by_edges(lines: Sequence[_Line], slots: Sequence[Slot]) -> _Cutting:
    """The rule by which most pieces begin, and that by which they end."""
    options = [each.options for each in slots]
    bits, left = 0, dict[_Line, None]()
    for first in (True, False):
        rules = [
            {
                (way, *rule): None
                for form, start, end in those
                for rule in _rules(form, start if first else end, line.turn, first=first)
                for way in form.ways
            }
            for line, those in zip(lines, options, strict=True)
        ]
        counted = Counter(rule for each in rules for rule in each)
        chosen = min(counted, key=lambda rule: (-counted[rule], _of_rule(rule), str(rule)))
        bits += _of_rule(chosen)
        left |= {line: None for line, each in zip(lines, rules, strict=True) if chosen not in each}
        # Where a piece is in its value twice, it has to begin and end by the rules at one of these places.
        options = [
            tuple(
                each for each in those
                if any((way, *rule) == chosen for rule in _rules(each[0], each[1], line.turn, first=True) for way in each[0].ways)
            ) or those
            for line, those in zip(lines, options, strict=True)
        ] if first else options  # fmt: skip
    return _Cutting(bits, list(left))


def _by_cut(lines: Sequence[_Line], at: int, owners: Owners) -> _Cutting | None:
    """The rule by which texts are cut into chunks, one after another."""
    column = lines[0].read.slots[at].column
    ways = Counter(way for line in lines for way in {way for form, _, _ in line.read.slots[at].options for way in form.ways})
    way = min(ways, key=lambda each: (-ways[each], each != "plain", each))
    if (write := owners.ways(column).get(way.removeprefix(ON_ONE_LINE))) is None:
        return None
    chunks = [_chunk(line, at, way, write, owners) for line in lines]
    if (found := rule_of([each for each in chunks if each is not None])) is None:
        return None
    cut, left = found[0], []
    for line, chunk in zip(lines, chunks, strict=True):
        if chunk is None or not chunk.follows(cut):
            left.append(line)
            continue
        spans = cut.spans(chunk.text)
        line.chunk = _Chunk(*spans[line.turn], len(spans))
    return _Cutting(_OF_CUT + size_of(cut.size) + size_of(cut.shared), left)


_OF_COMMA: Final = 3
"""Bits of a column whose numbers have a decimal comma, which of these ways among them."""
_OF_CUT: Final = 8
"""Bits of a rule by which texts are cut, and of how they are written."""


def _chunk(line: _Line, at: int, way: str, write: Callable[[str], str], owners: Owners) -> Chunk | None:
    """The piece that a line holds of a text, by the places at which it is there before that is written in some way."""
    slot = line.read.slots[at]
    text = owners.own(line.read.owner, slot.column)
    spans = [(start, end) for form, start, end in slot.options if way in form.ways]
    if text is None or not spans:
        return None
    if way.startswith(ON_ONE_LINE):
        text = " ".join(text.split())
    if write(text) != text:
        places = {place: number for number, place in enumerate(accumulate((len(write(each)) for each in text), initial=0))}
        spans = [(places[start], places[end]) for start, end in spans if start in places and end in places]
    return Chunk(text, tuple(spans), line.turn)


def _all(form: Form, start: int, end: int) -> bool:
    return start == 0 and end == len(form.text)


def _rules(form: Form, place: int, turn: int, *, first: bool) -> Iterator[_Rule]:
    """The rules by which a piece may begin, or end, at a place of a value."""
    text, size = form.text, len(form.text)
    yield ("from the left", place)
    yield ("from the right", size - place)
    bounds = sentences(text)
    for number, (begin, end) in enumerate(bounds):
        edge = begin if first else end
        off = place - edge
        last = number == len(bounds) - 1 and not first
        if abs(off) > _NEAR:
            continue
        # What ends with the value may keep the sign that closes it where no other piece does.
        kept = range(-_NEAR, _NEAR + 1) if last and place == size else () if last else (off,)
        for rule, counted in (("sentence", number), ("sentence of the turn", number - turn)):
            yield (rule, counted, off)
            yield from ((rule, counted, each, "but the last") for each in kept)
    near = words_of(text[:place])[-2:] if first else words_of(text[place:])[:2]
    if len(near) == 2 and near[0].isalpha() and near[1].isalpha():
        yield ("next to", *near)


def _of_rule(rule: _Rule) -> int:
    numbers = [each for each in rule[2:] if isinstance(each, int)]
    return _OF_WORDS * (rule[1] == "next to") + sum(size_of(each) for each in numbers if each)


_OF_WORDS: Final = 16
"""Bits of the two words next to which pieces begin or end."""


def _numbers(lines: Sequence[_Line], written: Sequence[str], owners: Owners) -> int:
    """Find the rule by which a number of one form goes on; leave the lines where there is none, and give its bits."""
    if len(set(written)) == 1:
        if len(written[0]) > DIGITS:
            _leave(lines, "number")
            return 0
        return of_number(written[0])
    values = [int(each) if len(each) <= _LONGEST else -1 for each in written]
    width = min(map(len, written))
    padded = width if any(each[0] == "0" and len(each) > 1 for each in written) else 1
    if min(values) < 0 or any(str(value).zfill(padded) != each for value, each in zip(values, written, strict=True)):
        _leave(lines, "number")
        return 0
    bits = _by_rule(lines, written, values, owners)
    if bits is None:
        _leave(lines, "number")
        return 0
    return bits + size_of(padded - 1)


def _by_rule(lines: Sequence[_Line], written: Sequence[str], values: Sequence[int], owners: Owners) -> int | None:
    """Bits of the rule by which numbers go on; None where there is none."""
    whose = [line.read.owner for line in lines]
    for counted in ([line.turn for line in lines], [line.at for line in lines], whose, list(range(len(lines)))):
        off = {value - count for value, count in zip(values, counted, strict=True)}
        if len(off) == 1:
            return size_of(off.pop()) + 2
    chunks = [line.chunk for line in lines if line.chunk is not None]
    if len(chunks) == len(lines):
        # Where a chunk begins or ends in its text, how long it is, and how many there are.
        for each in ([each.start for each in chunks], [each.end for each in chunks], [each.end - each.start for each in chunks],
                     [each.of for each in chunks]):  # fmt: skip
            if list(values) == each:
                return 4
    if min(whose) < 0:
        return None
    for column, _ in owners.values[whose[0]]:
        if all(owners.own(owner, column) == each for owner, each in zip(whose, written, strict=True)):
            return 2
    return _in_steps(whose, values)


_LONGEST: Final = 9
"""Digits of a number that goes on by a rule."""


def _in_steps(owners: Sequence[int], values: Sequence[int]) -> int | None:
    """Bits of a number that grows by a step from person to person, and begins again at its least; None where it does not."""
    known = dict(zip(owners, values, strict=True))
    if any(known[owner] != value for owner, value in zip(owners, values, strict=True)) or len(known) < MANY:
        return None
    least, most = min(values), max(values)
    order = sorted(known)
    steps = Counter(known[after] - known[before] for before, after in pairwise(order) if after == before + 1)
    if not steps:
        return None
    step = steps.most_common(1)[0][0]
    turns = {step - each for each in steps if each != step} or {most - least + 1}
    if len(turns) != 1 or (span := turns.pop()) < most - least + 1:
        return None
    begin = known[order[0]] - least - step * order[0]
    if any((begin + step * owner) % span != known[owner] - least for owner in order):
        return None
    return sum(map(size_of, (least, step - 1, span, begin % span))) + (step < 1)


# Which lines follow one another, and whose.
def _blocks(lines: Sequence[_Line]) -> Iterator[_Shape]:
    """What forms the lines of one person have that follow one another, with those of nobody that come after."""
    owned: list[list[_Line]] = [[]]
    for line in lines:
        owner = line.read.owner
        mine = next((each.read.owner for each in owned[-1] if each.read.owner >= 0), -1)
        if owner >= 0 and owner != mine:
            owned.append([])
        owned[-1].append(line)
    for block in owned:
        if block:
            yield tuple(_shape(block))


def _shape(block: Sequence[_Line]) -> Iterator[tuple[_FormOfLines, int]]:
    """Forms that follow one another, each with how often it does; 0 where that is as often as it takes."""
    for form, run in groupby(block, key=lambda line: line.form):
        of_form = list(run)
        yield (form, 0 if of_form[0].read.slots and _covers(of_form) else len(of_form))


def _covers(lines: Sequence[_Line]) -> bool:
    """Whether lines of one form hold a value from its first sentence or chunk to its last: then there are as many as it takes.

    A text may say a sentence twice. Its lines still are its first sentence, its second and so on to the last: the value says what
    each line is and how many there are, whichever other place one of them could be from as well, so nothing is free.
    """
    if all(line.chunk is not None and line.chunk.of == len(lines) for line in lines):
        return [line.turn for line in lines] == list(range(len(lines)))
    return any(
        all((at, len(lines)) in _sentences_of(slot) for at, slot in enumerate(slots))
        for slots in zip(*(line.read.slots for line in lines), strict=True)
    )


def _sentences_of(slot: Slot) -> set[tuple[int, int]]:
    """Which sentence of its value a piece may be, and of how many; a whole value is one."""
    if slot.whole:
        return {(0, 1)}
    return {
        (at, len(bounds))
        for form, start, end in slot.options
        for bounds in (sentences(form.text),)
        for at, (begin, close) in enumerate(bounds)
        if abs(start - begin) <= _NEAR and abs(end - close) <= _NEAR
    }


def _shapes(kinds: Iterable[Sequence[_Shape]], seen: set[Hashable], columns: int) -> int:
    """Bits of which shape each block has, and of the shapes, each a row of forms that are new or were there before.

    A few forms may have any values. Which ones further forms have, and in what order, is counted: of many files each could have
    others.
    """
    bits = 0.0
    for blocks in kinds:
        counts = Counter(blocks)
        # The last one may end before what comes between two.
        usual, last = counts.most_common(1)[0][0] if counts else (), blocks[-1] if blocks else ()
        if last != usual and last == usual[: len(last)] and counts[last] == 1:
            counts = counts - Counter([last]) + Counter([usual])
            bits += 1 + size_of(len(usual) - len(last))
        for shape in counts:
            for form, times in shape:
                bits += size_of(max(0, times - 1))
                if form in seen:
                    bits += log2(len(seen))
                elif len(seen) >= _FREE:
                    bits += len(form[1]) * log2(1 + columns)
                seen.add(form)
        bits += _of_which(blocks, counts)
    return ceil(bits - 1e-9)


def _of_which(blocks: Sequence[_Shape], counts: Counter[_Shape] | None = None) -> float:
    """Bits of which shape each block has; the first may differ from the others, as the head of a table does."""
    counts = Counter(blocks) if counts is None else counts
    return min(_which(counts), 1 + _which(counts - Counter(blocks[:1])))


_FREE: Final = 8
"""Forms of lines whose choice of values is free, once for all places."""


def _which(counts: Counter[Any]) -> float:
    """Bits of which of some things each of several is."""
    return sum(count * log2(counts.total() / count) for count in counts.values())


def _kinds(names: Iterable[str], owners: Owners) -> list[list[str]]:
    """Files that are called alike, but for numbers and what is known of people, in their order."""
    found: defaultdict[Hashable, list[str]] = defaultdict(list)
    for name in _sorted(names, owners):
        parts = [owners.read(each) for each in PurePosixPath(name).parts]
        found[tuple((_without_numbers(each), tuple(slot.column for slot in each.slots)) for each in parts)].append(name)
    return list(found.values())


def _sorted(names: Iterable[str], owners: Owners) -> list[str]:
    """Paths in an order that says nothing: of people as in the table, of numbers as these go on."""
    return sorted(names, key=lambda name: [(owners.read(each).owner, natural(each)) for each in PurePosixPath(name).parts])


def _without_numbers(read: Read) -> tuple[str, ...]:
    return tuple(_NUMBER.sub("", each) for each in read.around)


def _of_order(files: Sequence[Sequence[_Line]], owners: Owners) -> Order:
    """Count which people there are and in what order, with those left out who wait for their erasure, where that is less."""
    whose = [[owner for owner, _ in groupby(line.read.owner for line in lines if line.read.owner >= 0)] for lines in files]
    met = frozenset(owner for each in whose for owner in each)
    missing, there = owners.waiting - met, owners.waiting & met
    bits = _of_ranks(whose, owners, range(len(owners.values)))
    if not missing or not met:
        return Order(bits, there=there)
    others = [owner for owner in range(len(owners.values)) if owner not in missing]
    without = of_waiting(np.array([each in missing for each in sorted(owners.waiting)])) + _of_ranks(whose, owners, others)
    if bits <= without:
        return Order(bits, there=there)
    return Order(without, missing if are_left_out(len(met), len(others)) else frozenset(), there)


def _of_ranks(whose: Sequence[Sequence[int]], owners: Owners, among: Sequence[int]) -> int:
    """Bits of an order among some people, file by file, one file after another, or dealt out to files in turn."""
    apart = sum(_order(each, owners, among) for each in whose)
    behind = [owner for each in whose for owner in each]
    dealt = [owner for each in zip_longest(*whose, fillvalue=-1) for owner in each if owner >= 0]
    return min(apart, *(_order(each, owners, among) + 2 + _of_sizes(list(map(len, whose))) for each in (behind, dealt)))


def _of_sizes(sizes: Sequence[int]) -> int:
    """Bits of how many people each of some files has: the same number, up to one, and what is left over in the last."""
    if max(sizes) - min(sizes) <= 1 and sizes == sorted(sizes, reverse=True):
        return 0
    if len(set(sizes[:-1])) == 1 and sizes[-1] <= sizes[0]:
        return size_of(sizes[0])
    return sum(map(size_of, sizes))


def _order(whose: Sequence[int], owners: Owners, among: Sequence[int]) -> int:
    """Bits of an order: by the table, or by one of its columns."""
    if not whose:
        return 0
    place = {owner: at for at, owner in enumerate(among)}
    found = _steps([place[owner] for owner in whose], len(among))
    for number, (column, _) in enumerate(owners.values[0]):
        if found > _FEW:
            ranked = sorted(among, key=lambda owner: (owners.own(owner, column) or "", owner))
            place = {owner: at for at, owner in enumerate(ranked)}
            found = min(found, 2 + number + _steps([place[owner] for owner in whose], len(among)))
    return found


_FEW: Final = 16
"""Bits of an order for which no other is tried."""


def _steps(places: Sequence[int], everybody: int) -> int:
    steps = np.diff(np.array(places, dtype=np.int64))
    usual = Counter(steps.tolist()).most_common(1)[0][0] if len(steps) else 1
    more = (everybody - 1 - places[-1]) // usual if usual > 0 else everybody
    # Nobody is left out in front, between or behind, and nothing is said.
    return sum(map(size_of, (places[0], usual - 1, more))) - 3 + (usual < 1) + spare_bits.of_separators(steps - usual) - 1
