"""The glossary of the docs: current, in the words of reports, and short."""

from __future__ import annotations

import re

from auditor.pages import reference
from tests import glossary_page


def test_the_page_is_current() -> None:
    assert glossary_page.PAGE.read_text(encoding="utf-8") == glossary_page.page(), "run: make reference"


def test_terms_of_reports_have_the_words_of_reports() -> None:
    reported = dict(map(reference.meaning, reference.TERMS))
    assert {term: glossary_page.terms()[term] for term in reported} == reported
    assert set(reported) & set(glossary_page.FIELD) == set()


def test_every_term_of_the_field_is_one_or_two_sentences() -> None:
    assert {term for term, said in glossary_page.FIELD.items() if len(re.findall(r"\.(?: |$)", said)) not in {1, 2}} == set()
