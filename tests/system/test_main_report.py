"""The main report in print: six pages at most for every sample, large enough to read, nothing cut, and easy to read."""

from __future__ import annotations

import dataclasses
import io
import itertools
import re
import statistics

import pytest
from pypdf import PdfReader

import golden_reports
from auditor.base.domain import Strength, Verdict
from auditor.pages import render
from auditor.pages.main import decision
from auditor.pages.words.rendered_evidence import tell
from auditor.settings.documents import RunBy
from finished_pages import read
from readability import ease, prose

PARTS = (
    *("Decision", "What we found", "What to do", "People and deadlines"),
    *("The promise in plain numbers", "What attacks found", "Outside the model", "Crosswalk and sign-off"),
)
OF_PROGRAM = (*PARTS[:3], "Outside the program", PARTS[7])
"""A report on a whole controller has no pages on people, promises and attacks on a model."""
OF_PLACES = (*PARTS[:4], "The places, and what lies beyond them", PARTS[7])
"""One on places alone has people, too."""
FEWEST_LINES = 10
FEWEST_BELOW = 3
"""Lines that stand below a heading on its sheet."""
MOST_PAGES = {True: 6, False: 3}
"""Of a report on a model, and of one on a whole controller: the decision, and the parts after it."""
MOST_OF_PLACES = 4
"""Of a report on places alone, which has people and deadlines as well."""
SMALLEST_POINTS = 7.95
"""Eight, less the rounding of the engine."""
EASIEST = 60
sample = pytest.mark.parametrize("name", golden_reports.SAMPLES)


def texts(name: str) -> list[str]:
    """The text of each page of the main part."""
    return [text for text in golden_reports.texts(name) if not golden_reports.is_annex(text)]


def main_page(name: str) -> str:
    """The main part on the screen."""
    return render.html(golden_reports.told(name), whole=False)


@sample
def test_the_parts_follow_one_another_on_few_pages_that_are_numbered_named_and_unsigned(name) -> None:
    found = texts(name)
    evidence = golden_reports.told(name).evidence
    learns = evidence.learns
    # What was made from the model, and receipts, take their room where they are declared.
    most = MOST_OF_PLACES if evidence.places_alone else MOST_PAGES[learns]
    assert len(found) <= most + bool(evidence.lineage or evidence.receipts)
    lines = [line.strip() for text in found[1:] for line in text.splitlines()]
    heads = [lines.index(part) for part in (PARTS if learns else OF_PLACES if evidence.places_alone else OF_PROGRAM)[1:]]
    assert heads == sorted(heads)
    assert PARTS[0].upper() in found[0]
    assert not {*PARTS[1:]} & {line.strip() for line in found[0].splitlines()}, "the decision has a sheet of its own"
    for number, text in enumerate(found, start=1):
        assert "UNSIGNED · evidence" in text
        assert text.split()[-2:] == ["page", str(number)]
        assert number == 1 or golden_reports.told(name).text("main-title") in text


@sample
def test_no_page_is_nearly_empty_nothing_is_cut_and_no_number_is_broken(name) -> None:
    for text in texts(name):
        lines = [line for line in text.splitlines() if line.strip() and "UNSIGNED · evidence" not in line]
        assert len(lines) >= FEWEST_LINES
        assert not [line for line in lines if "…" in line.replace("[…]", "")]
        for line, following in itertools.pairwise(lines):
            # A sentence may end with a year, and a figure begin below it.
            broken = re.search(r"\d[.,]$", line) and not re.search(r" \d{4}\.$", line)
            assert not broken or not re.match(r"\d", following), (line, following)
            assert not re.match(r"×\s*10", following), (line, following)


@sample
def test_a_heading_stands_above_what_it_is_about(name) -> None:
    """Of two lines of text and a figure the engine would leave the lines on the sheet before."""
    headings = {each.text for page in read(main_page(name)).values() for each in page.blocks if each.kind in {"h1", "h2"}}
    for sheet in texts(name)[1:]:
        lines = [line.strip() for line in sheet.splitlines() if line.strip() and "UNSIGNED · evidence" not in line]
        assert not headings & set(lines[-FEWEST_BELOW:]), lines[-FEWEST_BELOW:]
        if "What attacks found" in lines and "right guesses out of 100" in "".join(texts(name)):
            assert "right guesses out of 100" in sheet, "the figure is on the sheet of its heading"


@sample
def test_every_letter_is_large_enough_to_read(name) -> None:
    assert golden_reports.smallest(name, annex=False) >= SMALLEST_POINTS


@sample
def test_what_must_be_said_is_said_once(name) -> None:
    whole = " ".join(" ".join(texts(name)).split())
    for sentence in (
        "This is not a finding of anonymity, not legal advice.",
        "Thresholds are as declared; when they were chosen cannot be told from here.",
        "Audit run by",
    ):
        assert whole.count(sentence) == 1 + (sentence == "Audit run by")  # the sign-off has a line for who ran it
    for banned in ("compliant", " anonymous", "proves", "guaranteed", "See deletion."):
        assert banned not in whole


def test_the_first_page_says_what_was_decided_examined_and_promised() -> None:
    told = golden_reports.told("digits-newton")
    first = " ".join(texts("digits-newton")[0].split())
    assert decision.headline(told) in first
    assert decision.recommendation(told).said in first
    assert "54.1of 100" in first
    passed = told.evidence.model_copy(update={"verdict": Verdict.PASS, "strength": Strength.C})
    said = decision.headline(dataclasses.replace(told, evidence=passed))
    assert said == "Policy met, grade C, model file examined, rests on 7 unchecked statements."


def test_the_main_part_is_easy_to_read() -> None:
    eases = [ease(prose(main_page(param.values[0]))) for param in golden_reports.SAMPLES]
    assert statistics.median(eases) >= EASIEST


@pytest.mark.parametrize(
    "value",
    [
        "W" * 1000,
        pytest.param("監督機関" * 250, marks=pytest.mark.slow),
        pytest.param("Example Authority " * 55, marks=pytest.mark.slow),
    ],
    ids=["capitals", "han", "words"],
)
def test_no_name_is_long_enough_to_push_the_decision_from_its_page(value) -> None:
    told = golden_reports.told("digits-newton")
    by = RunBy.model_construct(name=value, role=value, organisation=value, relation="third-party")
    names = dict.fromkeys(("name", "release", "controller", "contact", "dpo", "authority", "purpose"), value)
    case = told.evidence.case.model_copy(update={**names, "run_by": by})
    printed = render.pdf(tell(told.evidence.model_copy(update={"case": case})), whole=False)
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(printed)).pages]
    assert len(pages) <= MOST_PAGES[True]
    assert "Advice of the data protection officer" not in pages[1]
