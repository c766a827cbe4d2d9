"""Bring text to one normal form, in each way in which it may be read, so that another spelling hides nobody.

A name may be decomposed or in capitals, broken at the end of a line, or written with another space; an address may be encoded for
a URL, a mail or a page. Each way of reading is tried by itself: text that only looks encoded is read as it stands as well.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final
from urllib.parse import unquote_to_bytes

_MOST: Final = 12
"""Readings of one text: what is encoded more often than that, or in more ways at once, is read no further."""
_ROUNDS: Final = 2
"""How often one text may be encoded over: an address within a URL within a URL."""
_BROKEN: Final = re.compile(r"[-=](?<=\w[-=])[ \t]*\r?\n[ \t>]*(?=\w)")
_SOFT: Final = re.compile(r"\u00ad[ \t]*(?:\r?\n[ \t]*)?")
_LONG: Final = 1 << 16
"""Characters of a text whose paragraphs are read by themselves."""
_HYPHENS: Final = dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d", "-")
_UNSEEN: Final = re.compile(r"[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufe00-\ufe0f]")
_NO_MARK: Final = {
    **dict.fromkeys("øØ", "o"), **dict.fromkeys("łŁ", "l"), **dict.fromkeys("đĐðÐ", "d"),
    **dict.fromkeys("ıİ", "i"), **dict.fromkeys("æÆ", "ae"), **dict.fromkeys("œŒ", "oe"),
}  # fmt: skip
"""Letters that no accent is taken from."""
_REPLACEMENTS: Final = {**_HYPHENS, **_NO_MARK}
_REPLACED: Final = re.compile(f"[{''.join(_REPLACEMENTS)}]")
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_UMLAUTS: Final = dict(zip("äöüÄÖÜ", ("ae", "oe", "ue") * 2, strict=True))
_UMLAUT: Final = re.compile("[äöüÄÖÜ]")
WITH_UMLAUT: Final = re.compile("[äöüÄÖÜ\u0308]")
"""An umlaut, in one sign or with its mark behind."""

WORDS: Final = re.compile(r"([^\W_]+)")
"""A word of a text in normal form: letters and digits that nothing parts. In a group, so that a text can be split at words."""
_PERCENT: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_PRINTABLE: Final = re.compile(r"(?:=[0-9A-F]{2})+")
_SOFT_LINE: Final = re.compile(r"=[ \t]*\r?\n")
_ESCAPES: Final = re.compile(r"(?:\\u[0-9A-Fa-f]{4})+")
_SHORT_ESCAPES: Final = re.compile(r"\\([nrtbf/\"])")
_ENTITY: Final = re.compile(r"&(?:#\w{1,8}|\w{2,31});")


def normal(text: str) -> str:
    """Write a text without what spellings differ in: form, case, accents, kinds of white space and hyphens, soft hyphens."""
    text = _UNSEEN.sub("", _SOFT.sub("", text))
    if text.isascii():
        return text.lower()
    written = _REPLACED.sub(lambda found: _REPLACEMENTS[found[0]], unicodedata.normalize("NFKC", text))
    return _NOT_ASCII.sub(lambda found: _without_mark(found[0]), unicodedata.normalize("NFKD", written.casefold()))


@cache
def _without_mark(sign: str) -> str:
    """A sign, but for a mark that is written with a letter. An expression with all marks would be forty times as slow."""
    return "" if unicodedata.combining(sign) else sign


def transliterated(text: str) -> str:
    """Write umlauts as two letters, as addresses and tickets do."""
    return _UMLAUT.sub(lambda found: _UMLAUTS[found[0]], unicodedata.normalize("NFC", text))


def words_of(text: str) -> list[str]:
    """Cut a name, or a text that may have one, into words in normal form."""
    return WORDS.findall(normal(text))


def words_of_name(name: str) -> list[list[str]]:
    """Cut a name into words in each way in which it is spelt, umlauts as two letters too; without those that are equal."""
    ways = [words_of(name), words_of(transliterated(name))]
    return ways[:1] if ways[0] == ways[1] else ways


def readings(text: str) -> Iterator[str]:
    """Give a text in normal form, in every way in which it may be read; the first is as it stands.

    Lines that end in a hyphen are read both ways: `Zeid-` before `ler` is one word, `Krämer-` before `Voss` are two.
    """
    paragraphs: dict[str, str] = {}
    for each in _decoded(text):
        yield _by_paragraphs(each, paragraphs)
        joined = _BROKEN.sub("", each)
        if joined != each:
            yield _by_paragraphs(joined, paragraphs)


def readings_in_two_letters(text: str) -> Iterator[str]:
    """Give those of them in which there are umlauts, with two letters for each."""
    for each in _decoded(text):
        if WITH_UMLAUT.search(each):
            both = transliterated(each)
            yield from map(normal, {both, _BROKEN.sub("", both)})


def _decoded(text: str) -> list[str]:
    """A text as it stands, and decoded in each way in which it may be encoded."""
    known = {text: None}
    for _ in range(_ROUNDS):
        for decode in _DECODINGS:
            for each in list(known):
                if len(known) < _MOST:
                    known.setdefault(decode(each))
    return list(known)


def _by_paragraphs(text: str, known: dict[str, str]) -> str:
    """Write a text in normal form, each of its paragraphs once: most are the same however it is read."""
    if len(text) < _LONG:
        return normal(text)
    # A soft hyphen may join two of them.
    parts = _SOFT.sub("", text).split("\n\n")
    for each in parts:
        if each not in known:
            known[each] = normal(each)
    return "\n\n".join([known[each] for each in parts])


def _of_percent(text: str) -> str:
    # Most texts have no such sign, and a look for it takes no time.
    if "%" not in text:
        return text
    return _PERCENT.sub(lambda run: unquote_to_bytes(run[0]).decode("utf-8", "replace"), text)


def _of_quoted_printable(text: str) -> str:
    if "=" not in text:
        return text
    joined = _SOFT_LINE.sub("", text)
    return _PRINTABLE.sub(lambda run: bytes.fromhex(run[0].replace("=", "")).decode("utf-8", "replace"), joined)


def _of_json(text: str) -> str:
    if "\\" not in text:
        return text
    units = _ESCAPES.sub(
        lambda run: bytes.fromhex(run[0].replace("\\u", "")).decode("utf-16-be", "replace"), text.replace("\\\\", "\ue001")
    )
    return _SHORT_ESCAPES.sub(lambda found: found[1] if found[1] in '/"' else "\n", units).replace("\ue001", "\\")


def _of_entities(text: str) -> str:
    return html.unescape(text) if _ENTITY.search(text) else text


_DECODINGS: Final[tuple[Callable[[str], str], ...]] = (_of_json, _of_entities, _of_quoted_printable, _of_percent)
