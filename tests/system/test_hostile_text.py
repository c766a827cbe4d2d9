"""Hostile text in every string of the evidence: no rendering runs it, follows it, fetches it, or is moved out of shape by it."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import io
import json
import re
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
import weasyprint  # noqa: F401 - before anything is watched: it looks for its libraries when it is first imported
from pypdf import PdfReader
from rich.console import Console

import report_examples as examples
from auditor.cli import run
from auditor.document.evidence import Evidence
from auditor.document.evidence_files import parse
from auditor.pages import cyclonedx, junit, letter, markdown, oscal, render, sarif, terminal
from auditor.pages.letters import extract
from auditor.verdict.guarantees import CERTIFIED_REMOVAL
from hostile_text import HOSTILE, INVISIBLE, PAYLOADS, Skeleton, harmless, spoiled, without_drawings

EXAMPLES = ("passing", "failing", "broken_off")
ACTIVE = re.compile(rb"/(URI|Launch|JavaScript|JS|GoToR|GoToE|SubmitForm|ImportData|OpenAction|AA|RichMedia)\b")
_WATCH: list[list[str]] = []


def _audit(event, arguments):
    if _WATCH and event in {
        "open",
        "socket.connect",
        "socket.getaddrinfo",
        "socket.__new__",
        "urllib.Request",
        "subprocess.Popen",
    }:
        _WATCH[-1].append(f"{event} {arguments[0]!r}")


sys.addaudithook(_audit)


@contextlib.contextmanager
def watched():
    """What is opened and connected to meanwhile: nothing that a payload names, and no socket at all."""
    seen: list[str] = []
    _WATCH.append(seen)
    try:
        yield
    finally:
        _WATCH.pop()
    for event in seen:
        assert event.startswith("open "), event
        assert not re.search(r"passwd|hostname|example\.org", event), event


@functools.cache
def wild(name, text=HOSTILE):
    return spoiled(getattr(examples, name)(), text)


@functools.cache
def tame(form, name):
    """An export of the same document with a harmless text in the place of a hostile one."""
    return form(wild(name, " and more"))


def lettered(told):
    """The letter for the first request of a spoiled document, which a guarantee covers."""
    first = dataclasses.replace(told.requests[0], status="executed", guarantees=(CERTIFIED_REMOVAL,))
    evidence = told.evidence.model_copy(update={"requests": (first, *told.requests[1:])})
    return letter.pdf(extract(evidence, first.request_id))


def visible(text):
    return not INVISIBLE & set(text)


def sound(pdf, attachment, most_pages):
    """A PDF without anything active, with its document attached, of few pages; its text."""
    reader = PdfReader(io.BytesIO(pdf))
    assert set(reader.attachments) - {"requests.csv", "certificates.json", "removal.budget.series.csv"} == {attachment}
    assert len(reader.attachments[attachment]) == 1
    assert len(reader.pages) <= most_pages
    for number in range(1, reader.trailer["/Size"]):
        found = reader.get_object(number)
        if isinstance(found, dict):
            assert not ACTIVE.search(" ".join(map(str, found)).encode()), found
    text = "\n".join(page.extract_text() for page in reader.pages)
    if "\x00" in text:  # where a glyph is in none of the fonts, pypdf reads the codes around it as bytes
        return text.replace("\x00", "")
    assert visible(text.replace("\n", ""))
    return text


# HTML


@pytest.mark.parametrize("text", PAYLOADS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_html(name, text):
    with watched():
        page = Skeleton(render.html(wild(name, text)))
    plain = Skeleton(render.html(wild(name, harmless(text))))
    assert without_drawings(page.tags) == without_drawings(plain.tags)
    assert set(page.tags) <= set(plain.tags)
    assert visible("".join(page.text))
    assert all(value.startswith("#") for _, attribute, value in page.values if attribute in {"href", "src"})
    assert not [attribute for _, attribute, _ in page.values if attribute.startswith("on")]


# PDF: the report and the letter


@pytest.mark.slow
@pytest.mark.parametrize("name", ["broken_off", "failing"])
def test_pdf(name):
    with watched():
        pdf = render.pdf(wild(name))
    text = sound(pdf, "evidence.json", 200)
    assert "<script>alert(1)</script>" in " ".join(text.split())
    assert PdfReader(io.BytesIO(pdf)).attachments["evidence.json"] == [wild(name).evidence.to_bytes()]


@pytest.mark.parametrize("text", [*PAYLOADS, HOSTILE])
def test_letter(text):
    with watched():
        pdf = lettered(wild("passing", text))
    said = sound(pdf, "letter.json", 2)
    assert "supervisory authority" in " ".join(said.split())


@pytest.mark.parametrize("signed_by", [HOSTILE, "x" * 10_000])
def test_letter_signed_by_a_hostile_name(signed_by):
    found = extract(examples.passing().evidence, "REQ-2026-0001")
    with watched():
        sound(letter.pdf(found, signed_by=signed_by), "letter.json", 2)


# JUnit, SARIF, JSON


def _shape(element):
    return (element.tag, sorted(element.keys()), [_shape(child) for child in element])


@pytest.mark.parametrize("text", PAYLOADS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_junit(name, text):
    with watched():
        written = junit.xml(wild(name, text))
    assert _shape(ET.fromstring(written)) == _shape(ET.fromstring(tame(junit.xml, name)))
    assert visible(written)
    assert "<!" not in written


def _keys(value):
    match value:
        case dict():
            return {name: _keys(inner) for name, inner in value.items()}
        case list():
            return [_keys(inner) for inner in value]
        case _:
            return type(value).__name__


@pytest.mark.parametrize("form", [cyclonedx.bom, oscal.results])
@pytest.mark.parametrize("text", PAYLOADS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_declarations(name, text, form):
    with watched():
        written = form(wild(name, text))
    assert _keys(json.loads(written)) == _keys(json.loads(tame(form, name)))
    assert visible(written.replace("\n", ""))


@pytest.mark.parametrize("text", PAYLOADS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_sarif(name, text):
    with watched():
        written = sarif.log(wild(name, text))
    document = json.loads(written)
    assert _keys(document) == _keys(json.loads(tame(sarif.log, name)))
    assert visible(written)
    assert {
        place["physicalLocation"]["artifactLocation"]["uri"]
        for run_ in document["runs"]
        for result in run_["results"]
        for place in result["locations"]
    } == {"evidence.json"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_json(name):
    with watched():
        written = render.json_bytes(wild(name).evidence)
    assert Evidence.model_validate_json(written) == wild(name).evidence
    assert parse(written, "x") == wild(name).evidence
    assert not set(range(32)) & set(written)


# Markdown


class _Tags(HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.tags = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)


@pytest.mark.parametrize("text", PAYLOADS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_markdown(name, text):
    with watched():
        written = markdown.summary(wild(name, text))
    harmlessly = tame(markdown.summary, name)
    assert _Tags(written).tags == []
    lines, plain = written.splitlines(), harmlessly.splitlines()
    assert [line[:1] for line in lines] == [line[:1] for line in plain]
    assert [_bare(line).count("|") for line in lines] == [_bare(line).count("|") for line in plain]
    bare = _bare(re.sub(r"^(## |### |Next to this summary: .*$)", "", written, flags=re.MULTILINE))
    assert written.count("\n### ") == harmlessly.count("\n### ")
    assert not re.search(r"[\[\]*_#~{}$]", bare), bare
    assert bare.count("`") == 2
    assert not re.search(r"://|@\w|#\w|www\.|<|javascript:alert\(1\)\)(?!\s)", bare)
    assert not (INVISIBLE - {"\u200b"}) & set(written)


def _bare(text):
    """The text without what is escaped."""
    return re.sub(r"\\[\\`*_{}\[\]#|~$.)+=-]|&[a-z]+;", "", text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1. x", "1\\. x"),
        ("- x", "\\- x"),
        ("a|b`c`", "a\\|b\\`c\\`"),
        ("a\n\n# b", "a  \\# b"),
        ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
        ("a\\|b", "a\\\\\\|b"),
    ],
)
def test_markdown_escapes(text, shown):
    written = markdown.summary(examples.changed(examples.passing(), sentence=text))
    assert shown in written.splitlines()


# Terminal


def printed(evidence):
    out = io.StringIO()
    terminal.details(evidence, Console(file=out, width=100, color_system=None, force_terminal=True))
    return out.getvalue()


@pytest.mark.parametrize("text", PAYLOADS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_terminal(name, text):
    with watched():
        said = printed(wild(name, text))
    assert visible(said.replace("\n", ""))
    assert len(said.splitlines()) <= 2 * len(tame(printed, name).splitlines()) + 40


# Names of ten megabytes


def _huge(kind):
    unit = {"plain": "x", "words": "ab ", "marks": "é\u0301", "hidden": "\u202e"}[kind]
    return unit * (10_000_000 // len(unit))


SLOWER = [pytest.param(kind, marks=pytest.mark.slow) for kind in ("words", "marks", "hidden")]


@pytest.mark.parametrize("kind", ["plain", *SLOWER])
def test_a_name_of_ten_megabytes_is_folded_everywhere(kind):
    name = _huge(kind)
    base = examples.broken_off()
    first, *others = base.checks
    evidence = examples.changed(
        base,
        case=base.case.model_copy(update={"name": f"A{name}"}),
        sentence=f"Inconclusive: {name}.",
        checks=(dataclasses.replace(first, basis=name), *others),
    )
    out = io.StringIO()
    terminal.details(evidence, Console(file=out, width=100))
    forms = (render.html, junit.xml, sarif.log, markdown.summary, cyclonedx.bom, oscal.results)
    for text in (*(form(evidence) for form in forms), out.getvalue()):
        assert len(text) < 400_000
        assert "characters, in full in the evidence)" in " ".join(text.split()).replace("\\", "")
    one = dataclasses.replace(base.requests[0], request_id=f"R{name}")
    found = extract(examples.changed(evidence, requests=(one, *base.requests[1:])).evidence, one.request_id, draft=True)
    assert len(letter.file_name(found.request.request_id)) < 70
    sound(letter.pdf(found), "letter.json", 2)


def test_the_commands_write_hostile_evidence_whole(tmp_path, capfd):
    path = tmp_path / "evidence.json"
    path.write_bytes(wild("failing").evidence.to_bytes())
    request_id = wild("failing").requests[3].request_id
    for form in ("html", "junit", "sarif", "md", "json", "cyclonedx", "oscal"):
        assert run(["report", str(path), "--format", form, "-o", str(tmp_path / form)]) == 0
    assert run(["certificate", str(path), "--request", request_id, "-o", str(tmp_path / "letter.pdf")]) == 0
    assert run(["certificate", str(path), "--request", request_id[:-40]]) == 2
    out, err = capfd.readouterr()
    assert visible((out + err).replace("\n", ""))
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(
        ["cyclonedx", "evidence.json", "html", "json", "junit", "letter.pdf", "md", "oscal", "sarif"]
    )
