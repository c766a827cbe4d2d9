"""The page on sources of statements: current, and with a source for whatever a reply or a letter says of one request."""

from __future__ import annotations

from tests import replies_page

SAID_TO_ALL = (
    "Draft reply. A program wrote it",
    "[by hand: name and address of the person]",
    "Dear [by hand: name],",
    "How we know who you are",
    "If you do not agree",
    "Yours sincerely,",
    "This letter does not say that nobody can recognise you in the model",
    "It says nothing about any other request.",
    "Anyone can check it with the program “auditor verify”",
)


def test_the_page_is_current() -> None:
    assert replies_page.PAGE.read_text(encoding="utf-8") == replies_page.page(), "run: make reference"


def test_whatever_is_said_of_one_request_has_a_source() -> None:
    for said in (replies_page.statements_of_reply, replies_page.statements_of_letter):
        found = replies_page.sources(said)
        assert [each for each, rests in found.items() if not rests and not each.startswith(SAID_TO_ALL)] == []
        assert len(found) > 40


def test_every_source_is_one_of_some_statement() -> None:
    both = (replies_page.statements_of_reply, replies_page.statements_of_letter)
    assert {name for said in both for rests in replies_page.sources(said).values() for name in rests} == set(replies_page.SOURCES)
