"""Count what the words around people's values could carry: words that many texts have say little, others as many bits as letters.

A form of lines has words that nobody's values explain. The names of fields, methods, months and the like are usual in files, and
what many people's texts have is nobody's own: of these so many may be there, for more could say something by their order. Every
other letter counts as one of a random word, and a digit as one of a random number; where that is shorter, an ordinary word counts
as a choice from a list, and a word that was there before as a choice from those.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import ceil, log2
from typing import Final

from auditor.parts.places.observing import ordinary_words
from auditor.parts.places.observing.own_values import Owners
from auditor.parts.store.observing.spare_bits import bits_of

KNOWN: Final = 16
"""Known words around values that are free once for all places of a case: more would say something by their order."""
LETTERS: Final = 24
"""Letters of other words in names of files and folders that are free, once for all places too."""
_NAMED: Final = 32
"""Letters of one of them."""
_OF_KNOWN: Final = 10
_OF_LETTER: Final = 5
_OF_MARK: Final = 5
_IN_LINES: Final = """
    . , : ; - _ / = ? & # @ | ' " ! + * ( ) [ ] { } < > {" "} ": ":" "," ," ]" ": ," =" :// -- **
    "}, ,_ ._ :_ ;_ _-_ _=_ _( )_ _[ ]_ #_ ##_ -_ *_ ":_ ":_" ",_" ,_" ":_[ ":_[" "]} "],_" "_ _" ?". ." ?" !" "? "! _|_
    _-_-_ _-_-_" ._" .,_" >_ ';_ ;_" ". "." )" ..
    ":_[{" "},_{" "}]} ":[{" "},{" "}]}]
"""
_USUAL_MARKS: Final = frozenset(
    {" ", "\t", "_", "\n", *(each.replace("_", " ") if len(each) > 1 else each for each in _IN_LINES.split())}
)
"""Signs that usually part words and values."""
DIGITS: Final = 4
"""Digits of a number in a form of lines, at most."""
_YEARS: Final = range(1990, 2054)
_PARTS: Final = re.compile(r"(?:\\n|[\W_](?<!\0))+|[^\W\d_]+|\d+|\0")
_BREAK: Final = re.compile(r"\n{1,2}|(?:\\n){1,2}")
"""The end of a line, and a blank line, as they are and as JSON writes them."""
_OF_BREAK: Final = 2
"""Bits of one with usual signs in front of it or behind."""
_IN_FILES: Final = """
    a about account action address after agent all amount an and answer answers any api archive are array as assistant at author
    authorization base64 be been body bool boolean by cache category changed channel chat chunk chunks city class client code
    column comment complaint completion config content context cookie count country created csv customer customers data database
    date day debug default delete deleted description dir directory doc docs document documents domain duration each email
    embedding encoding end entry error event events export false fatal field file files first float folder for format from get
    gmt group had has have head header headers host hour how html http https id ids if in index info input insert int integer is
    it item items json jsonl key kind label lang language last level limit line lines list locale log logs mail max md message
    messages meta metadata method mime min minute mode model month name names new next no none not note notes null number object
    of off offset old on one op open options or order orders other output page parent parquet part patch path people person phone
    plain post price printable process prompt prompts put query question quoted re read readme received record records ref reply
    request requests response result results role row rows run schema score search second session settings size sort source span
    start started state status str string subject summary support system table tag tags tenant text that the their there these
    they this thread ticket tickets time timestamp title to token tokens total trace transfer true two txt type unit unknown
    update updated upsert url user users utc utf value values vector version was web were what when where which who why with
    word wrote year yes you your zip
    ein eine der die das und ist kunde kunden zeile je pro von mit ohne
    letter letters mails mailer daemon message notes inbox mbox eml outbox summaries chats backup backups gz
    tar zip bz2 xz tgz tsv rows avatars
    images dialogue dialogues documents questions events system assistant english german de en fr es it nl url web
    crm faq helpdesk
    t z mon tue wed thu fri sat sun jan feb mar apr may jun jul aug sep oct nov dec
"""
"""Words of files and of what is written about them."""
USUAL: Final = frozenset(_IN_FILES.split())
"""The same, by themselves."""


@dataclass(slots=True)
class Around:
    """What stands around people's values in a place."""

    owners: Owners
    names: bool = False
    """Whether it is what files and folders are called."""
    known: int = 0
    letters: int = 0
    """Of other words in names."""
    letters_once: int = 0
    """Of these, with each word once."""
    again: int = 0
    """Bits of which words of names are there again."""
    bits: int = 0
    """Of all that is not known words."""
    gone: bool = False
    """Whether a word is there that deleted people have and nobody who stays."""
    _seen: set[str] = field(default_factory=set)
    _said: set[str] = field(default_factory=set)
    """Other words than known ones, as they were written."""

    def add(self, text: str) -> int:
        """Count what stands around values in one form of lines, and give its bits; the same words, once more, say nothing.

        Numbers are counted elsewhere; here each is one sign, as values are.
        """
        if text in self._seen:
            return 0
        self._seen.add(text)
        bits = 0
        for part in _PARTS.findall(text):
            if part.isdigit():
                bits += of_number(part)
            elif part.isalpha():
                bits += self._of_word(part)
            elif part != "\0":
                bits += _of_marks(part)
        self.bits += bits
        return bits

    def _of_word(self, word: str) -> int:
        small = word.casefold()
        gone = small in self.owners.gone
        self.gone |= gone
        usual = word in {word.lower(), word.upper(), word.capitalize()} and not gone
        if usual and (small in USUAL or small in self.owners.words):
            self.known += 1
            return 0
        if usual and self.names and word.isascii() and len(word) <= _NAMED:
            self.letters += len(word)
            if word in self._said:
                self.again += self._of_said()
            else:
                self.letters_once += len(word)
                self._said.add(word)
            return 0
        bits = (_OF_LETTER + (not usual)) * len(word) if word.isascii() else 2 * _OF_LETTER * len(word)
        if usual and small in ordinary_words.WORDS:
            bits = min(bits, ordinary_words.BITS)
        if word in self._said:
            bits = min(bits, self._of_said())
        self._said.add(word)
        return bits

    def _of_said(self) -> int:
        """Bits of which of the words so far it is, and that it is one of them."""
        return ceil(log2(len(self._said))) + 2

    @property
    def in_all(self) -> int:
        """Bits of everything."""
        more = min(_of_letters(self.letters), _of_letters(self.letters_once) + self.again)
        return self.bits + more + _OF_KNOWN * max(0, self.known - KNOWN)


def _of_letters(letters: int) -> int:
    return 0 if letters <= LETTERS else _OF_LETTER * letters


def _of_marks(marks: str) -> int:
    """Bits of signs between words: none of usual ones, few where a line ends among these once."""
    around = _BREAK.split(marks)
    if marks in _USUAL_MARKS or around == ["", ""]:
        return 0
    if len(around) == 2 and not {*around} - _USUAL_MARKS - {""}:
        return _OF_BREAK + _OF_MARK * all(around)
    return _OF_MARK * len(marks) if marks.isascii() else 8 * len(marks.encode("utf-8", "surrogatepass"))


def natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts names by the numbers in them."""
    return [(int(each), "") if each.isdecimal() and len(each) <= _LONGEST else (-1, each) for each in re.split(r"(\d+)", name)]


_LONGEST: Final = 9


def size_of(number: int) -> int:
    """Bits of a whole number in Elias' delta code without a sign, which is said elsewhere; 1 for 0."""
    return bits_of(number) - (number != 0)


def of_number(digits: str) -> int:
    """Bits of a number that is the same wherever it stands; of a long one, more than a place may have."""
    if len(digits) > DIGITS or not digits.isascii():
        return 8 * len(digits) + 64
    if len(digits) == DIGITS and int(digits) in _YEARS:
        return ceil(log2(len(_YEARS)))
    return min(size_of(int(digits)) + len(digits) - len(str(int(digits))), ceil(len(digits) * log2(10)))
