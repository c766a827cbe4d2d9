"""What people read of a case of places alone says nothing that is true of models alone, but that none was examined."""

from __future__ import annotations

import html
import io
import re
from datetime import UTC, datetime

import pypdfium2
import pytest
from rich.console import Console

from auditor.api import check
from auditor.cli import run
from auditor.pages import letter, letters, markdown, render, terminal
from auditor.pages.reference import TERMS, meaning
from auditor.pages.words import conclusion
from auditor.pages.words.rendered_evidence import Told, tell
from cases import unprinted

WHY = "Deleted people may be in what could not be read or explained."
DAY = datetime(2026, 11, 1, tzinfo=UTC)
OF_MODELS = re.compile(r"\b(procedure|unlearn\w*|models?|train(ed|ing)|SWAP|shadow|releases?|forg[eo]t\w*)\b", re.IGNORECASE)
"""Words that only a report on a model has a use for."""
PREMISE = re.compile(
    r"places only, no model|no model was (examined|trained|checked)|searched places, and no model|no model, no backup|"
    r"(whether a|a|no) model( was|s)?( that was)? trained on these data|models? (and data )?made from (these|the same) data|"
    r"examined no model|no-model-trained|model file no|^The model ○|^○ A model\b|^A model that|"
    r"Models trained on these data|[Pp]rocedures?, backups",
    re.IGNORECASE,
)
"""How it is said that no model was examined, what somebody would have to say of one, and where data may have gone."""

PEOPLE = [("C-1001", "Ada", "17.25"), ("C-1002", "Ben", "23.5"), ("C-1003", "Cem", "31.75"), ("C-1004", "Dua", "44.5")]
KEPT = PEOPLE[1:]
PLACES = {
    "pass": {"crm.csv": KEPT},
    "fail": {"crm.csv": PEOPLE, "more.csv": [*KEPT, ("", "x" * 50, "")]},
    "inconclusive": {"crm.csv": KEPT, "more.csv": [*KEPT, ("", "x" * 50, "")], "other.bin": []},
}
"""What is in the places, by the verdict of a search."""


def rows(people: list[tuple[str, str, str]]) -> str:
    return "".join(",".join(row) + "\n" for row in [("customer", "name", "balance"), *people])


@pytest.fixture(scope="module", params=PLACES)
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """What a scan says, with everything that a letter needs."""
    folder, held = tmp_path_factory.mktemp(request.param), PLACES[request.param]
    for name, people in held.items():
        (folder / name).write_text(rows(people) if people else "\x00\x01", encoding="utf-8")
    (folder / "people.csv").write_text(rows(PEOPLE), encoding="utf-8")
    log = "record_ids,request_id,received_at,executed_at\n"
    log += "".join(f"C-100{at},R-{at},2026-10-0{at}T09:00:00Z,2026-10-1{at}T09:00:00Z\n" for at in (1, 5))
    (folder / "log.csv").write_text(log, encoding="utf-8")
    places = [str(folder / name) for name in held]
    said = ["--log", str(folder / "log.csv"), "--data", str(folder / "people.csv"), "--out", str(folder / "case")]
    with unprinted():
        ended = run(["scan", *places, *said, "--quiet"])
    assert ended == {"pass": 0, "fail": 1, "inconclusive": 3}[request.param]
    text = (folder / "case" / "audit.toml").read_text(encoding="utf-8")
    named = '[case]\ncontroller = "Example"\ncontact = "privacy@shop.example"\nauthority = "An authority"\n'
    (folder / "case" / "audit.toml").write_text(text.replace("[case]\n", named), encoding="utf-8")
    found = tell(check(folder / "case").evidence)
    assert found.verdict.value == request.param
    return found


def printed(page: str) -> str:
    """The text of a page of HTML, a line for each block."""
    page = re.sub(r"(?s)<(style|script)\b.*?</\1>", "", page)
    page = re.sub(r"</?(p|tr|li|h\d|div|dt|dd|table|section)\b[^>]*>", "\n", page)
    return html.unescape(re.sub(r"<[^>]+>", " ", page))


def of_models(page: str) -> list[str]:
    """The lines that say what is true of models alone."""
    lines = (" ".join(line.split()) for line in page.splitlines())
    return [line for line in lines if OF_MODELS.search(PREMISE.sub("", line))]


def test_a_report_on_places_says_nothing_of_models_but_that_none_was_examined(told: Told) -> None:
    report = printed(render.html(told))
    assert re.search(r"no model was examined", report)
    assert of_models(report) == []


def test_open_places_are_named_among_what_was_not_examined(told: Told) -> None:
    gaps = [f"{each.name}. {each.why}" for each in conclusion.not_examined(told.evidence)]
    named = {"fail": "Part of the places: more.csv.", "inconclusive": "Part of the places: more.csv and other.bin."}
    said = named.get(told.verdict.value)
    assert [each for each in gaps if each.startswith("Part of")] == ([f"{said} {WHY}"] if said else [])


def test_the_main_part_has_four_pages(told: Told) -> None:
    pages = pypdfium2.PdfDocument(render.pdf(told, whole=False))
    assert len(pages) <= 4


def test_what_pipelines_and_terminals_print_says_no_more(told: Told) -> None:
    console = Console(file=io.StringIO(), width=10_000)
    terminal.summary(told, console, behind="auditor explain")
    terminal.details(told, console)
    assert of_models(console.file.getvalue()) == []
    assert of_models(markdown.summary(told)) == []


def test_a_letter_about_places_says_no_more(told: Told) -> None:
    for request in told.requests:
        assert of_models(printed(letter.html(letters.extract(told.evidence, request.request_id), date=DAY, signed_by=None))) == []


def test_the_glossary_has_the_terms_of_the_report_and_no_other(told: Told) -> None:
    report = render.html(told)
    text, _, glossary = report.partition('id="glossary"')
    listed = [meaning(term)[0] for term in TERMS if re.search(rf"<dt[^>]*>\s*{re.escape(meaning(term)[0])}\s*<", glossary)]
    assert listed
    assert not [term for term in listed if not re.search(rf"\b{re.escape(term)}", printed(text), re.IGNORECASE)]
