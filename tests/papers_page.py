"""Writes docs/papers.md, what became of each item of the five source papers: `python -m tests.papers_page`.

The items, and where each is found, stand in tests/papers.toml; Figure 1 of deletion-as-control comes from the audits made for it.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.paper import continual_page, publishing, touchstones_page

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGE = DOCS / "papers.md"
TABLE = Path(__file__).with_name("papers.toml")


@dataclass(frozen=True, slots=True)
class State:
    """What can have become of an item."""

    said: str
    means: str
    needs: str | None = None
    """The kind of object without which a row does not say so."""
    open: bool = False
    """Whether something could be made of the item, and has not been."""


STATES: Final = {
    "route": State("route", "a guarantee follows by it, or it is a premise of one; by the name that evidence has", "theorem"),
    "rule": State("rule", "`auditor calc` works it out", "rule"),
    "game": State("game", "an audit plays it", "check"),
    "judged": State("check", "an audit decides about it", "check"),
    "sample": State("sample", "a sample shows it at work", "sample"),
    "measured": State("measured again", "a command measures it again, on bundled data", "benchmark"),
    "tested": State("test", "the test suite shows it, or shows where it is false", "test"),
    "step": State("step", "it serves in proofs of other items"),
    "background": State("background", "a term or a comment that other items build on"),
    "picture": State("picture", "a figure that explains"),
    "no route": State("no route yet", "no guarantee follows by it yet, for the reason that is given", open=True),
    "not made": State("not made", "nothing of it is here, for the reason that is given", open=True),
}
_HEAD: Final = """# The papers, item by item

Definitions, theorems, algorithms, tables and figures of the five papers that this project rests on, a line each.
Written from a list that is checked against the code (`make reference`).
The cells of Figure 1 of *Deletion-as-control* are not counted as items.

| state | means | items |
| --- | --- | --- |
"""
_OPEN: Final = """
## What is missing

| paper | item | state | why |
| --- | --- | --- | --- |
"""
_WHY: Final = {
    "not shown": "No theorem that the auditor knows gives it, and no game refutes it.",
    "not made": "The definition asks nothing of this program: one that deletes nothing passes, so no check asks for it.",
}
"""Why a cell of Figure 1 says less than the paper."""
_RELAXED: Final = (
    "Of this program the definition asks something, but less than deletion-as-confidentiality, which it relaxes and which this "
    "program has: a check of its own would show nothing more."
)
"""The same of the one cell of simulatable deletion that the paper marks as satisfied."""
_FIGURE: Final = """
### Figure 1, cell by cell

Results of audits ([how](paper-deletion-as-control.md)); the last column is the paper's.
Machine unlearning is tested on a learner, `trigram-model`, which is not the program of that column's other rows.

| definition | program | state | the paper |
| --- | --- | --- | --- |
"""
_STREAM: Final = """
### Proposition 5.13 in numbers

By `python -m benchmarks.paper.continual` ([how](continual-accuracy.md)).
**{verdict}**

{summary}"""


_BEYOND: Final = """
## Beyond the five

| paper | state | where | what |
| --- | --- | --- | --- |
| Chien, Wang, Chen and Li, *Certified machine unlearning via noisy stochastic gradient descent* (2024, arXiv 2403.17105) \
| rule | `auditor calc noisy-gd-batches`, [`breast-cancer-mini-batches`](../sample_models/breast-cancer-mini-batches/README.md), \
[data-deletion](data-deletion.md#mini-batches) | Mini-batches, by a bound with a proof of its own: without stationary laws and \
projections. |
"""
"""A paper whose subject is taken up, though none of its items is."""


@dataclass(frozen=True, slots=True)
class Row:
    """An item, or a part of one, and what became of it."""

    label: str
    """Such as `Theorem 3.8`."""
    part: str
    """Which part of it, or nothing."""
    state: str
    says: str
    at: tuple[tuple[str, str], ...] = ()
    """Kind and name of each object where it is found."""

    @property
    def title(self) -> str:
        """The item as the page names it."""
        return f"{self.label} {self.part}".rstrip()


@dataclass(frozen=True, slots=True)
class Paper:
    """One of the papers with its rows."""

    id: str
    title: str
    by: str
    cited_as: tuple[str, ...]
    rows: tuple[Row, ...]


def papers() -> dict[str, Paper]:
    """Read the list.

    Raises:
        ValueError: If a row has a state that is not known, or says nothing.
    """
    found = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {
        name: Paper(name, each["title"], each["by"], tuple(each["cited_as"]), tuple(_rows(each["items"])))
        for name, each in found.items()
    }


def _rows(items: dict[str, dict[str, object]]) -> Iterator[Row]:
    for title, each in items.items():
        label = re.match(r"\w+ [A-Z\d.]+", title)
        if label is None or each["state"] not in STATES or not each["says"] or each.keys() - {"state", "at", "says"}:
            raise ValueError(f"{TABLE.name}: {title!r} is no row")
        at = each.get("at", [])
        assert isinstance(at, list)
        places = tuple((kind, name) for kind, _, name in (place.partition(" ") for place in at))
        yield Row(label[0], title[label.end() :].strip(), str(each["state"]), str(each["says"]), places)


def page() -> str:
    """The page as list and results have it."""
    every = papers()
    rows = [row for paper in every.values() for row in paper.rows]
    items = Counter(row.state for row in rows)
    states = [f"| {state.said} | {state.means} | {items[name]} |\n" for name, state in STATES.items() if items[name]]
    missing = [
        f"| {paper.title} | {row.title} | {STATES[row.state].said} | {row.says} |\n"
        for paper in every.values()
        for row in paper.rows
        if STATES[row.state].open
    ]
    missing += [f"| {every['deletion-as-control'].title} | {cell} | {said} | {why} |\n" for cell, said, why in _weaker()]
    return "".join((_HEAD, *states, _OPEN, *missing, *(line for paper in every.values() for line in _paper(paper)), _BEYOND))


def _paper(paper: Paper) -> Iterator[str]:
    yield f"\n## {paper.title}\n\n{paper.by}.\n\n| item | state | where | what |\n| --- | --- | --- | --- |\n"
    for row in paper.rows:
        places = ", ".join(_place(kind, name) for kind, name in row.at)
        yield f"| {row.title} | {STATES[row.state].said} | {places} | {row.says} |\n"
    if paper.id == "deletion-as-control":
        yield _FIGURE
        for definition, program, said, told in figure_1():
            yield f"| {definition} | {program} | {said} | {told} |\n"
        found = json.loads((DOCS / continual_page.NAME / publishing.RESULTS).read_text(encoding="utf-8"))
        yield _STREAM.format(verdict=continual_page.verdict(found), summary=continual_page.summary(found))


def figure_1() -> Iterator[tuple[str, str, str, str]]:
    kept = DOCS / touchstones_page.NAME / publishing.RESULTS
    for definition, row in touchstones_page.cells(json.loads(kept.read_text(encoding="utf-8"))).items():
        for program, (said, told) in row.items():
            yield definition, program, said, told


def _weaker() -> Iterator[tuple[str, str, str]]:
    """The cells that say less than the figure's."""
    for definition, program, said, told in figure_1():
        if said.strip("*") in _WHY:
            cell = f"Figure 1, {definition} of {program[:1].lower()}{program[1:]}"
            why = _RELAXED if (said, told) == ("not made", "satisfied") else _WHY[said.strip("*")]
            yield cell, said.strip("*"), f"{why} The figure says: {told}."


def _place(kind: str, name: str) -> str:
    match kind:
        case "theorem":
            return f"`{name}`"
        case "rule":
            return f"`auditor calc {name}`"
        case "check":
            return f"[`{name}`](checks.md#{slug(name)})"
        case "sample":
            return f"[`{name}`](../sample_models/{name}/README.md)"
        case "page":
            return f"[{name.partition('#')[0].removesuffix('.md')}]({name})"
        case "benchmark":
            return f"`python -m {name}`"
        case "test":
            return f"[`{name.rpartition('/')[2]}`](../{name})"
    raise ValueError(f"{TABLE.name}: {kind!r} is no kind of place")


def slug(title: str) -> str:
    """The anchor of a heading, as the site makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
