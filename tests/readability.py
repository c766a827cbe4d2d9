"""Measure how easily a page reads: Flesch reading ease and the longest sentence, over its English prose alone.

Prose is what stands in whole sentences. Headings, labels, table cells without a sentence, digests and values from outside
(elements of class `digest` or `given`, `code`) say nothing of how we write: such values count as one short word.
Reading ease is 206.835 − 1.015 · (words per sentence) − 84.6 · (syllables per word) (Flesch 1948), with syllables by pyphen.
pyphen finds breaks rather than syllables, and so counts a few too few.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from html.parser import HTMLParser
from typing import Final

import pyphen

BLOCKS: Final = frozenset(
    {"p", "li", "td", "th", "h1", "h2", "h3", "h4", "dd", "dt", "div", "caption", "figcaption", "summary", "br"}
)
OUTSIDE: Final = frozenset({"digest", "given", "mark"})
SILENT: Final = frozenset({"style", "script", "title", "svg", "head"})
VOID: Final = frozenset({"meta", "br", "img", "link", "hr", "input", "col"})
FEWEST: Final = 4
"""Words of the shortest piece that counts as a sentence."""
_ABBREVIATED: Final = re.compile(r"\b(Art|No|e\.g|i\.e|vs|Ltd|Mr|Ms|Dr)\.$")
_WORD: Final = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*")
_TOKEN: Final = re.compile(r"[\w%€]+(?:['’.,/-][\w%]+)*")


class _Prose(HTMLParser):
    """Collect the text of each block."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[str] = [""]
        self._open: list[tuple[str, bool, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS:
            self.blocks.append("")
        if tag in VOID:
            return
        classes = set((dict(attrs).get("class") or "").split())
        outside = tag == "code" or bool(classes & OUTSIDE)
        if outside and not any(each[1] for each in self._open):
            self.blocks[-1] += " it "
        self._open.append((tag, outside, tag in SILENT))

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            name = self._open.pop()[0]
            if name == tag:
                break
        if tag in BLOCKS:
            self.blocks.append("")

    def handle_data(self, data: str) -> None:
        if not any(outside or silent for _, outside, silent in self._open):
            self.blocks[-1] += data


def prose(html: str) -> tuple[str, ...]:
    """Give every sentence of a page."""
    parser = _Prose()
    parser.feed(html)
    return tuple(sentence for block in parser.blocks for sentence in sentences(block))


def sentences(text: str) -> tuple[str, ...]:
    """Split one block into its sentences; what does not end as one is none."""
    found: list[str] = []
    for piece in re.split(r"(?<=[.!?])(?=\s)", " ".join(text.split())):
        if found and _ABBREVIATED.search(found[-1]):
            found[-1] = f"{found[-1]} {piece.strip()}"
        else:
            found.append(piece.strip())
    return tuple(each for each in found if each[-1:] in {".", "!", "?"} and len(_TOKEN.findall(each)) >= FEWEST)


def length(sentence: str) -> int:
    """Count the words of a sentence, numbers included."""
    return len(_TOKEN.findall(sentence))


def longest(given: Iterable[str]) -> str:
    """Give the sentence of most words; the empty string where there is none."""
    return max(given, key=length, default="")


def ease(given: Sequence[str]) -> float:
    """Compute the Flesch reading ease of sentences.

    Raises:
        ZeroDivisionError: If there is no sentence.
    """
    words = [word for sentence in given for word in _WORD.findall(sentence)]
    return 206.835 - 1.015 * len(words) / len(given) - 84.6 * sum(map(syllables, words)) / len(words)


@cache
def syllables(word: str) -> int:
    """Count the syllables of a word by where it may be hyphenated."""
    return max(1, len(_hyphenation().positions(word)) + 1)


@cache
def _hyphenation() -> pyphen.Pyphen:
    # Without limits on what is left of a break: "a-gain" cannot be broken there and has two syllables all the same.
    return pyphen.Pyphen(lang="en_US", left=1, right=1)
