"""A finished report taken apart as its reader sees it: pages by their anchors, each as headings, paragraphs, rows and pairs."""

from __future__ import annotations

import functools
import pickle
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Final

import golden_reports
from auditor.pages import letter, markdown, render
from auditor.pages.letters import extract
from auditor.pages.words.rendered_evidence import Told
from cases import once

ANNEX: Final = "annex"
MOST_LETTERS: Final = 3
"""Letters of a case that are read: its first requests."""
_WHOLE: Final = {"h1", "h2", "h3", "p", "li", "dt", "dd", "td", "th", "summary", "figcaption", "caption"}
_APART: Final = {"style", "script", "title", "svg"}
"""What holds no sentence of its own: a drawing says nothing that the page does not."""


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph, an item, a row of a table or a term with what is said of it."""

    kind: str
    cells: tuple[str, ...]
    style: str = ""
    """The class of the element, or else of the part of the page that it stands in: what colours it."""

    @property
    def text(self) -> str:
        """Its cells as one line."""
        return " | ".join(self.cells)


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a report, or a whole letter."""

    title: str
    blocks: tuple[Block, ...]

    @property
    def text(self) -> str:
        """Everything that it says, line by line."""
        return "\n".join(each.text for each in self.blocks)

    def of(self, kind: str) -> Iterator[Block]:
        """Give its blocks of a kind: h1, h2, h3, p, li, row or pair."""
        return (each for each in self.blocks if each.kind == kind)

    def row(self, name: str) -> Block | None:
        """Find the row or pair that has a cell of this name."""
        return next((each for each in self.blocks if len(each.cells) > 1 and name in each.cells), None)

    def below(self, heading: str) -> str:
        """Give what stands between a heading and the next one."""
        lines, inside = [], False
        for each in self.blocks:
            if each.kind.startswith("h"):
                inside = each.text == heading
            elif inside:
                lines.append(each.text)
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Finished:
    """What lies on somebody's desk after an audit."""

    told: Told
    pages: dict[str, Page]
    """By their anchors: decision, found, todo, people, promise, attacks, outside, signoff, annex."""
    markdown: str
    letters: tuple[Page, ...]

    @property
    def cover(self) -> Page:
        """The first page."""
        return self.pages["decision"]

    @property
    def main(self) -> Iterator[tuple[str, Page]]:
        """The pages before the annex."""
        return ((name, page) for name, page in self.pages.items() if name != ANNEX)


class _Reader(HTMLParser):
    """Collects blocks, and begins a page at each heading of the first order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pages: dict[str, list[Block]] = {}
        self.titles: dict[str, str] = {}
        self._blocks: list[Block] = []
        self._before: list[Block] = []
        self._last: list[Block] = self._blocks
        self._words: list[str] = []
        self._cells: list[str] = []
        self._style = ""
        self._apart = 0
        self._parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in _APART:
            self._apart += 1
        elif tag == "section":
            self._close("p")
            self._before = self._blocks = []
        elif tag in _WHOLE:
            self._close("p")
            self._style = given.get("class") or (self._parts[-1] if self._parts else "")
        elif tag == "div":
            self._parts.append(given.get("class") or "")
        elif tag == "br":
            self._words.append(" ")
        if tag == "h1":
            name = given.get("id") or f"letter-{len(self.pages)}"
            self.titles[name] = given.get("data-label") or ""
            self._blocks = self.pages.setdefault(name, [])
            self._blocks += self._before  # what stands above its title
            self._before, self._last = [], self._blocks

    def handle_endtag(self, tag: str) -> None:
        if tag in _APART:
            self._apart -= 1
        elif tag == "div":
            self._parts.pop()
        elif tag in {"td", "th", "dt"}:
            self._cells.append(self._said())
        elif tag == "dd":
            self._cells.append(self._said())
            self._add("pair", tuple(self._cells))
            self._cells = []
        elif tag == "tr":
            self._add("row", tuple(self._cells))
            self._cells = []
        elif tag == "section":
            self._close("p")
            self._last += self._before  # a section without a title goes on with the page before it
            self._before, self._blocks = [], self._last
        elif tag in _WHOLE:
            self._close(tag)

    def handle_data(self, data: str) -> None:
        if not self._apart:
            self._words.append(data)

    def _said(self) -> str:
        said = re.sub(r"\s+", " ", "".join(self._words).replace("\u200b", "")).strip()
        self._words = []
        return said

    def _close(self, kind: str) -> None:
        if not self._cells and (said := self._said()):
            self._add(kind, (said,))

    def _add(self, kind: str, cells: tuple[str, ...]) -> None:
        if any(cells):
            self._blocks.append(Block(kind, cells, self._style))


def read(html: str) -> dict[str, Page]:
    """Take a page of HTML apart."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    found = {}
    for name, blocks in reader.pages.items():
        first = next((each.text for each in blocks if each.kind == "h1"), "")
        found[name] = Page(reader.titles[name] or first, tuple(blocks))
    return found


@functools.cache
def finished(name: str) -> Finished:
    """Take apart the report of a golden evidence, its summary and its first letters, which a run of the tests renders once."""
    found: Finished = pickle.loads(once(f"{name}.finished.pickle", lambda: pickle.dumps(_finished(name))))
    return found


def _finished(name: str) -> Finished:
    told = golden_reports.told(name)
    pages = read(render.html(told))
    return Finished(told, pages, markdown.summary(told), tuple(_letters(told)))


def _letters(told: Told) -> Iterator[Page]:
    for request in told.requests[:MOST_LETTERS]:
        own = extract(told.evidence, request.request_id, draft=True)
        (page,) = _joined(read(letter.html(own, date=told.audit.finished_at, signed_by=None)))
        yield page


def _joined(pages: dict[str, Page]) -> tuple[Page, ...]:
    """A letter is one page to its reader, however many sheets it has."""
    return (Page("letter", tuple(block for page in pages.values() for block in page.blocks)),)


def squeezed(said: str) -> str:
    """Leave out all space, which a layout engine puts where lines break."""
    return re.sub(r"[\s\u00ad\u200b\u00a0-]+", "", said)
