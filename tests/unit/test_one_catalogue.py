"""Every printed word comes from the catalogue: in another language nothing English is left but what a case brings and names."""

from __future__ import annotations

import ast
import dataclasses
import html
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fluent.syntax import FluentParser, FluentSerializer
from fluent.syntax import ast as ftl
from fluent.syntax.visitor import Visitor
from rich.console import Console

from auditor.base.parts import parts
from auditor.document.evidence_files import read
from auditor.pages import junit, markdown, notebook, render, terminal
from auditor.pages.letters import extract
from auditor.pages.letters import page as letter_page
from auditor.pages.words import catalogue
from auditor.pages.words.rendered_evidence import tell
from auditor.recheck import comparison
from auditor.verdict.checks import definitions
from auditor.verdict.theorems import theorems
from sample_cases import GOLDEN

ROOT = Path(__file__).parents[2]
TEXTS = sorted((ROOT / "auditor").glob("**/words/en/**/*.ftl"))
ROOMS = ("pages", "recheck/comparison", *(f"parts/{part.name}/telling" for part in parts()))
TEMPLATES = sorted((ROOT / "templates").rglob("*.j2"))
CODE = [*(ROOT / "auditor").rglob("*.py"), *TEMPLATES]

OUR_NAMES = {
    "auditor",
    "check",
    "verify",
    "report",
    "json",
    "evidence",
    "statement",
    "dsse",
    "Audit",
    "case",
    "verdict",
    "exit_code",
    "UNSIGNED",
    "SHA",
    "UTC",
    "csv",
    "html",
    "pdf",
}
"""Names of commands, options, files and marks that are the same in every language."""


def prose_of_template(source: str) -> list[str]:
    """The words of a template that no expression prints; code that is shown as such is not prose."""
    left = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<(style|script|pre)\b.*?</\1>|<[^>]*>|&\w+;", " ", source, flags=re.DOTALL)
    return [word for word in re.findall(r"[A-Za-z]{3,}", left) if word not in OUR_NAMES]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_holds_a_word(path: Path) -> None:
    assert not prose_of_template(path.read_text(encoding="utf-8"))


def prose_of_module(source: str) -> Iterator[str]:
    """The strings of a module that read as a sentence; docstrings and what is raised are for developers and error messages."""
    tree = ast.parse(source)
    apart: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            apart.add(node.value)
        if isinstance(node, ast.Raise) or (
            isinstance(node, ast.Call) and getattr(node.func, "id", "").endswith(("Error", "Problem"))
        ):
            apart |= set(ast.walk(node))
        if isinstance(node, ast.JoinedStr):
            apart |= set(node.values)
    for node in ast.walk(tree):
        if node in apart:
            continue
        match node:
            case ast.Constant(value=str(said)):
                yield said
            case ast.JoinedStr(values=values):
                yield "".join(each.value if isinstance(each, ast.Constant) else "{}" for each in values)


SENTENCE = re.compile(r"[A-Za-z]{2,}(?:[,;:]? [A-Za-z{}]+){3,}")


@pytest.mark.parametrize("room", ROOMS)
def test_no_module_holds_a_sentence(room: str) -> None:
    found = {
        f"{path.name}: {said}"
        for path in sorted((ROOT / "auditor" / room).rglob("*.py"))
        for said in prose_of_module(path.read_text(encoding="utf-8"))
        if SENTENCE.search(said)
    }
    assert not {each for each in found if not each.startswith(ALLOWED)}


ALLOWED = (
    "chart.py: Report Sans",  # the names of fonts
    "pages.py: the folder for temporary files",  # an error message
    "__init__.py: the name of the controller",  # what a letter lacks: error messages
    "__init__.py: where the person can write",
    "__init__.py: name and address of the",
    "__init__.py: no such request",
    "__init__.py: none of the subject",
    "__init__.py: which person of request",
    "__init__.py: {} rows with that id",
)


def test_every_message_is_printed_by_something() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in CODE)
    named = set(re.findall(r"[\"']([a-z][\w-]*)[\"']", code))
    made = [
        re.compile(re.sub(r"\\\{.*?\\\}", ".*", re.escape(each)))
        for each in re.findall(r"\b(?:text|of|say|either|t)\(\s*f\"([^\"]+)\"", code)
    ]
    begun = tuple(re.findall(r"Named\(\s*\"([a-z-]+-)\"", code)) + tuple(re.findall(r"\bt\(\"([a-z-]+-)\" ~", code))
    idle = {
        name
        for name in catalogue.sources(catalogue.ENGLISH)
        if name not in named and not name.startswith(("reason-", *begun)) and not any(each.fullmatch(name) for each in made)
    }
    assert not idle


class Foreign(Visitor):
    """Puts a letter of another script in the place of every letter of a message."""

    def visit_TextElement(self, node: ftl.TextElement) -> None:  # noqa: N802 - as the visitor calls it
        node.value = re.sub(r"[A-Za-z]", "ж", node.value)

    def visit_StringLiteral(self, node: ftl.StringLiteral) -> None:  # noqa: N802
        """Formats and spaces stay."""


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Every text in a language that has no Latin letter."""
    folder = tmp_path_factory.mktemp("catalogue")
    (folder / "xx").mkdir()
    for path in TEXTS:
        resource = FluentParser(with_spans=False).parse(path.read_text(encoding="utf-8"))
        Foreign().visit(resource)
        written = FluentSerializer().serialize(resource)
        (folder / "xx" / "-".join(path.relative_to(ROOT).parts)).write_text(written, encoding="utf-8")
    catalogue.sources(catalogue.ENGLISH)  # read, and kept, from where it is
    before = catalogue.__file__
    catalogue.__file__ = str(folder / "catalogue.py")
    try:
        with catalogue.speaking("xx"):
            yield
    finally:
        catalogue.__file__ = before


def brought(name: str) -> set[str]:
    """The words that an evidence document brings, and those of the rooms whose texts are not in the catalogue yet."""
    held = (GOLDEN / f"{name}.json").read_text(encoding="utf-8")
    cards = " ".join(str(each.card) for each in definitions().values())
    cited = " ".join(str(each.citation) for each in theorems().values())
    return words_of(f"{json.loads(held)} {cards} {cited}") | OUR_NAMES


def words_of(text: str) -> set[str]:
    """The words of three Latin letters or more; digests are none."""
    return set(re.findall(r"[A-Za-z]{3,}", re.sub(r"\b[0-9a-f]{8,}\b", " ", text)))


def text_of(page: str) -> str:
    """What a page shows, without styles, scripts and tags."""
    return html.unescape(re.sub(r"<(style|script|pre)\b.*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL))


def strings(held: Any) -> Iterator[str]:
    """Every string of a letter but the names of its styles."""
    match held:
        case str():
            yield held
        case dict():
            for name, inner in held.items():
                yield from strings(inner) if name not in {"tone", "mark"} else ()
        case list() | tuple():
            for inner in held:
                yield from strings(inner)


def printed(name: str) -> dict[str, str]:
    """What is printed of one golden evidence document, by where."""
    told = tell(read(GOLDEN / f"{name}.json"))
    out = io.StringIO()
    terminal.details(told, Console(file=out, width=200))
    letters = [dataclasses.asdict(letter_page.page(extract(told.evidence, each.request_id))) for each in told.requests[:4]]
    return {
        "report": text_of(render.html(told)),
        "notebook": text_of(notebook.html(told)) + notebook.lines(told),
        "markdown": markdown.summary(told),
        "terminal": out.getvalue(),
        "junit": text_of(junit.xml(told)),
        "letters": " ".join(strings(letters)),
    }


@pytest.mark.parametrize("name", ["digits-newton", "breast-cancer-noisy-gd-adaptive", "digits-cheater"])
@pytest.mark.usefixtures("foreign")
def test_nothing_english_is_left_in_another_language(name: str) -> None:
    # A declared name begins a sentence with a capital.
    known = {form for word in brought(name) for form in (word, word.capitalize())}
    assert not {place: sorted(left) for place, text in printed(name).items() if (left := words_of(text) - known)}


@pytest.mark.usefixtures("foreign")
def test_a_comparison_is_told_in_another_language() -> None:
    old, new = (read(GOLDEN / f"{name}.json") for name in ("digits-newton", "digits-newton-overrun"))
    found = comparison.compare(old, new)
    said = " ".join([found.sentence, *found.notes, *(each.reason for each in found.changes)])
    assert "ж" in found.sentence
    assert not words_of(said) - brought("digits-newton") - brought("digits-newton-overrun")
