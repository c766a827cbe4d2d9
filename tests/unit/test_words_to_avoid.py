"""Printed texts, docstrings, docs and samples' pages are in the field's own terms: no word that was settled otherwise."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
AVOIDED = {
    r"\bmend(s|ed|ing)?\b": "fix",
    r"\banew\b|\bafresh\b": "again, from scratch",
    r"\b(bounded?|so|limits?|bounds?|estimates?) from (above|below)\b": "upper, lower bound",
    r"\b(upper|lower) end\b": "confidence limit",
    r"\blook(s|ed) at\b": "checks, examines",
    r"\bbesides?\b": "next to, alongside, in addition",
    r"\bspeaks? of\b": "covers",
    r"(?<!there )\b(is|are) none\b": "absent, is not one",
    r"\brecords (kept|forgotten|never seen)\b": "retain set, forget set, test set",
    r"\b(do|does|doing) nothing\b": "no-unlearning baseline",
    r"\breference models?\b": "shadow models",
    r"\btwins?\b": "counterfactual runs",
    r"\bways out\b|(?<![-_])\bwalls?\b(?![-_ ]?clock)": "escape attempts, containment",
    r"\bholds? together\b": "free of contradictions",
    r"\bby heart\b": "memorised",
    r"\bprocess a side\b": "one process per side",
    r"\bstands? (in|under|beside|there|at|next|before|between|open|otherwise|together|with)\b(?! for)": "is, holds",
    r"\bwhoever\b": "anyone who",
    r"\b(?<!-)(she|hers?|herself|his|himself)\b": "the person, they",
    r"\bis told\b|\btold (anew|from)\b|\btells? of\b": "reported, notified, reveals",
}
"""What stands for each in the design of this project."""
AVOIDED_ON_PAGES = {
    r"(?<!statement )(?<!statements )\bof ours\b": "built-in",
    r"\bheld against\b": "compared with",
    r"\bwhat came of\b|\bcomes to no\b": "outcome, result",
}
"""The same for what people read who read no code: printed texts, docs and samples' pages."""
ALLOWED = (r"cannot be told from here",)
"""Phrases in which one of them says what it says anywhere."""
CODE = re.compile(r"`[^`]*`|\]\([^)]*\)|https?://\S+|\{[^{}]*\}|[\w/]+\.py\b")
SOUGHT = (
    "membership inference",
    "confidence interval",
    "false positive rate",
    "threat model",
    "retain set",
    "shadow model",
    "differential privacy",
)


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """The texts of a module that may be printed: no docstrings, and none without a space."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs and " " in node.value.strip():
            yield node.lineno, node.value


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a module's docstrings, attributes' included; `None` is code wherever it comes."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for number, line in enumerate(node.value.value.split("\n"), start=node.value.lineno):
                yield number, re.sub(r"\bNone\b", "`None`", line)


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a page; of a catalogue of texts what stands behind the id."""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        named = path.suffix == ".ftl" and " = " in line
        yield number, line.partition(" = ")[2] if named else line


@functools.cache
def texts() -> tuple[tuple[str, str], ...]:
    """Everything that people read, with where it is."""
    pages = [
        *ROOT.glob("auditor/**/words/en/**/*.ftl"),
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("docs/how-to/*.md"),
        *ROOT.glob("sample_models/*/README.md"),
        ROOT / "README.md",
        ROOT / "templates/case/audit.toml",
    ]
    code = sorted((ROOT / "auditor").rglob("*.py"))
    found = [(path, *each) for path in code for each in strings(path)]
    # The digest of a controller's code is in evidence that is verified for ever: not a word of it changes.
    open_to_change = [path for path in code if ROOT / "auditor/parts/controllers/learning" not in path.parents]
    found += [(path, *each) for path in open_to_change for each in docstrings(path)]
    found += [(path, *each) for path in sorted(pages) for each in lines(path)]
    return tuple((f"{path.relative_to(ROOT)}:{line}", said) for path, line, said in found)


def plain(said: str) -> str:
    """Without code, links, parameters and phrases that are allowed."""
    for each in ALLOWED:
        said = re.sub(each, "", said)
    return CODE.sub("", said)


@pytest.mark.parametrize(("avoided", "better"), AVOIDED.items(), ids=AVOIDED.values())
def test_no_text_has_a_word_that_was_settled_otherwise(avoided: str, better: str) -> None:
    pattern = re.compile(avoided, re.IGNORECASE)
    found = [f"{where}: {hit[0]} ({said.strip()[:90]})" for where, said in texts() if (hit := pattern.search(plain(said)))]
    assert found == [], f"use: {better}"


@pytest.mark.parametrize(("avoided", "better"), AVOIDED_ON_PAGES.items(), ids=AVOIDED_ON_PAGES.values())
def test_no_page_has_a_word_that_was_settled_otherwise(avoided: str, better: str) -> None:
    pattern, pages = re.compile(avoided, re.IGNORECASE), [each for each in texts() if ".py:" not in each[0]]
    found = [f"{where}: {hit[0]} ({said.strip()[:90]})" for where, said in pages if (hit := pattern.search(plain(said)))]
    assert found == [], f"use: {better}"


@pytest.mark.parametrize("term", SOUGHT)
def test_terms_that_a_reader_searches_for_occur_in_texts_and_docs(term: str) -> None:
    where = [place for place, said in texts() if term in said.lower()]
    assert any(each.startswith("auditor/") for each in where)
    assert any(each.startswith(("docs/", "README")) for each in where)
