"""The page of every item of the papers: whole, current, and each row names what exists; what the code cites has a row."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from auditor.base import samples
from auditor.maths.certificates import rules
from auditor.verdict.checks import definitions
from auditor.verdict.theorems import theorems
from tests import papers_page
from tests.papers_page import DOCS, ROOT, STATES, Paper, Row, slug

EVERY = papers_page.papers()
ROWS = [(paper, row) for paper in EVERY.values() for row in paper.rows]
NUMBERED = {
    "certified-removal": {"Algorithm": 2, "Corollary": 2, "Equation": 1, "Figure": 5, "Table": 1, "Theorem": 5},
    "deletion-as-control": {
        "Algorithm": 5,
        "Claim": 5,
        "Corollary": 3,
        "Definition": 22,
        "Example": 2,
        "Figure": 8,
        "Lemma": 7,
        "Proposition": 4,
        "Remark": 3,
        "Theorem": 8,
    },
    "deletion-inference": {
        "Algorithm": 6,
        "Appendix": 1,
        "Definition": 4,
        "Figure": 5,
        "Lemma": 2,
        "Remark": 1,
        "Table": 7,
        "Theorem": 2,
    },
    "forget-unlearning": {"Algorithm": 2, "Definition": 21, "Equation": 1, "Lemma": 1, "Remark": 4, "Table": 1, "Theorem": 13},
    "swap-test": {
        "Algorithm": 1,
        "Corollary": 1,
        "Definition": 4,
        "Figure": 2,
        "Proposition": 1,
        "Remark": 3,
        "Table": 4,
        "Theorem": 4,
    },
}
"""Counted in the papers: every number of each kind, and the equations and the appendix that the code takes attacks from."""
FOUND = frozenset({"shown", "supported", "refuted", "not shown", "not made", "does not apply"})
CONFIDENTIAL = ("Deletion-as-confidentiality", "Private cloud storage")
_ITEMS = frozenset(name for counts in NUMBERED.values() for name in counts) - {"Equation", "Appendix"}
_KINDS = {name: name for name in sorted(_ITEMS)} | {"Corollaries": "Corollary"}
_NUMBER = r"(?:[A-H]\.)?\d+(?:\.\d+)?"
_LABELS = rf"(?:{'|'.join(_KINDS)})s?\s{_NUMBER}(?:\([iv\d]+\))?(?:(?:,| and| to|, and)\s{_NUMBER}(?!\.?\d))*"
_CITED = re.compile(rf"(?P<chain>\b{_LABELS}(?:(?:, | and |, and )\b{_LABELS})*)")
_ELSEWHERE = re.compile(r"(?:\b\d{4}, |\btheir )$")
"""What stands before the citation of a work that is named with its year."""


def test_the_page_is_current() -> None:
    assert papers_page.PAGE.read_text(encoding="utf-8") == papers_page.page(), "run: make reference"


@pytest.mark.parametrize("name", NUMBERED)
def test_every_numbered_item_of_a_paper_has_a_row(name: str) -> None:
    labels = {row.label for row in EVERY[name].rows}
    assert Counter(label.split()[0] for label in labels) == NUMBERED[name]
    titles = [row.title for row in EVERY[name].rows]
    assert len(titles) == len(set(titles))
    assert EVERY.keys() == NUMBERED.keys()


def test_a_row_of_a_part_comes_with_rows_of_the_rest() -> None:
    for paper in EVERY.values():
        counted = Counter(row.label for row in paper.rows)
        assert {row.title: counted[row.label] > 1 for row in paper.rows} == {row.title: bool(row.part) for row in paper.rows}


def exists(kind: str, name: str) -> bool:
    """Whether the code base has the object that a row names."""
    match kind:
        case "theorem":
            return name in theorems()
        case "rule":
            return name in rules()
        case "check":
            return name in definitions()
        case "sample":
            return name in samples.names()
        case "page":
            path, _, anchor = name.partition("#")
            return (DOCS / path).is_file() and (not anchor or anchor in anchors(DOCS / path))
        case "benchmark":
            return name.startswith("benchmarks.") and find_spec(name) is not None
        case "test":
            return name.startswith("tests/") and (ROOT / name).is_file()
    return False


def anchors(page: Path) -> set[str]:
    return {slug(title) for title in re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)}


@pytest.mark.parametrize(("paper", "row"), ROWS, ids=[f"{paper.id}: {row.title}" for paper, row in ROWS])
def test_a_row_names_what_exists_and_what_its_state_needs(paper: Paper, row: Row) -> None:
    assert [place for place in row.at if not exists(*place)] == []
    needed = STATES[row.state].needs
    assert needed is None or needed in {kind for kind, _ in row.at}
    assert row.says.endswith(".")
    assert "|" not in row.says


@pytest.mark.parametrize(("paper", "row"), ROWS, ids=[f"{paper.id}: {row.title}" for paper, row in ROWS])
def test_a_test_that_a_row_names_says_what_it_is_of(paper: Paper, row: Row) -> None:
    meant = {row.label, *(label for label, _ in cited(row.says))}
    for name in (name for kind, name in row.at if kind == "test"):
        assert meant & {label for label, _ in cited((ROOT / name).read_text(encoding="utf-8"))}, name


@pytest.mark.parametrize("kind", ["theorem", "rule", "check", "sample", "page", "benchmark", "test", "poem"])
def test_what_is_not_there_is_not_found(kind: str) -> None:
    assert not exists(kind, {"page": "cases.md#nothing-of-this-name", "benchmark": "benchmarks.paper.none"}.get(kind, "none"))


def test_the_sample_of_a_route_has_a_guarantee_by_it() -> None:
    for _, row in ROWS:
        routes = [name for kind, name in row.at if kind == "theorem"]
        for sample in (name for kind, name in row.at if kind == "sample" and row.state == "route"):
            kept = json.loads((ROOT / f"tests/golden/{samples_version()}/{sample}.json").read_bytes())
            known = {each["id"]: each for each in kept["guarantees"]}
            held = {each for each, status in samples.read(sample).guarantees.items() if status in {"shown", "supported"}}
            by = {step["rule"] for name in held for step in known[name]["derivation"] if holds(step)}
            assert any(each.startswith(tuple(routes)) for each in by), (row.title, sample, by)


def holds(step: dict[str, Any]) -> bool:
    """Whether every premise of a derivation is known."""
    return not {each["how"] for each in step["premises"]} & {"unknown", "refuted"}


def samples_version() -> str:
    return max(path.name for path in (ROOT / "tests/golden").iterdir() if path.is_dir() and path.name[0].isdigit())


def cited(text: str) -> Iterator[tuple[str, str | None]]:
    """Every label that a text cites, with the paper that it names just before, or None where it names none.

    What is cited of other works, with a year, is left out.
    """
    plain = re.sub(r"[\s#]+", " ", text.replace('" "', "").replace("'", ""))
    for found in _CITED.finditer(plain):
        before = plain[: found.start("chain")][-80:]
        named = [paper.id for paper in EVERY.values() for name in paper.cited_as if before.rstrip(", (").endswith(name)]
        if named or not _ELSEWHERE.search(before):
            for label in labels(found["chain"]):
                yield label, named[0] if named else None


def labels(chain: str) -> Iterator[str]:
    kind = ""
    for word, number in re.findall(rf"([A-Z][a-z]+)|({_NUMBER})(?![\w.]*\))", chain):
        kind = _KINDS.get(word, _KINDS.get(word.removesuffix("s"), kind)) if word else kind
        if number:
            yield f"{kind} {number}"


def test_citations_are_read_with_the_paper_that_they_name() -> None:
    assert list(cited("x (Cohen et al. 2023, Algorithm 4, Theorem 5.9). As Theorems 4.4 and 4.5 say;")) == [
        ("Algorithm 4", "deletion-as-control"),
        ("Theorem 5.9", "deletion-as-control"),
        ("Theorem 4.4", None),
        ("Theorem 4.5", None),
    ]
    assert list(cited("Balle and Wang 2018,\n    Theorem 8; by Guo et al. 2020, Corollaries 1 and 2.")) == [
        ("Corollary 1", "certified-removal"),
        ("Corollary 2", "certified-removal"),
    ]


@pytest.mark.parametrize("root", ["auditor", "benchmarks", "sample_models"])
def test_whatever_the_code_cites_has_a_row(root: str) -> None:
    known = {paper.id: {row.label for row in paper.rows} for paper in EVERY.values()}
    every = frozenset(label for those in known.values() for label in those)
    missing = {
        f"{path.relative_to(ROOT)}: {label}" + (f" of {paper}" if paper else "")
        for path in sorted((ROOT / root).rglob("*"))
        if path.suffix in {".py", ".ftl", ".md"}
        for label, paper in cited(path.read_text(encoding="utf-8"))
        if label not in (known[paper] if paper else every)
    }
    assert sorted(missing) == []


def test_what_a_theorem_or_rule_cites_is_not_said_to_be_missing() -> None:
    """Whoever adds a route for an item changes its row: a page that still says *not made* fails here."""
    sources = [*(each.citation for each in theorems().values()), *(each.theorem for each in rules().values())]
    there = {(paper.id, row.label) for paper, row in ROWS if not STATES[row.state].open}
    named = {(paper, label) for each in sources for label, paper in cited(each) if paper}
    assert len(named) > 25
    assert sorted(named - there) == []


def test_every_cell_of_figure_1_has_its_state() -> None:
    cells = list(papers_page.figure_1())
    assert len({(definition, program) for definition, program, _, _ in cells}) == len(cells) == 16
    for definition, program, said, told in cells:
        assert f"| {definition} | {program} | {said} | {told} |" in papers_page.page()
        assert said.replace("*", "").split(",")[0] in FOUND


def test_the_cell_that_the_paper_marks_as_satisfied_has_a_reason_of_its_own() -> None:
    rows = {line.split(" | ")[1]: line for line in papers_page.page().split("\n") if "Figure 1, Simulatable deletion of" in line}
    assert len(rows) == 4
    asked = {cell for cell, line in rows.items() if "asks nothing of this program" not in line}
    assert asked == {"Figure 1, Simulatable deletion of private cloud storage"}
    (confidential,) = (said for definition, program, said, _ in papers_page.figure_1() if (definition, program) == CONFIDENTIAL)
    assert confidential.startswith("**supported**"), "the reason says that the program has it"


def test_what_is_taken_up_of_other_papers_exists() -> None:
    beyond = papers_page.page().partition("## Beyond the five")[2]
    assert "2403.17105" in beyond
    assert exists("rule", "noisy-gd-batches")
    assert exists("sample", "breast-cancer-mini-batches")
    assert exists("page", "data-deletion.md#mini-batches")
