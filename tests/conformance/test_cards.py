"""Every check says what it is, and every check can be rendered in every status, in every format and in a letter."""

from __future__ import annotations

import dataclasses
import html
import io

import pytest
from rich.console import Console

import report_examples as examples
from auditor.base.domain import Status, Verdict
from auditor.pages import junit, markdown, render, sarif, terminal
from auditor.pages.letters import extract
from auditor.pages.letters import page as letter_page
from auditor.pages.remedies import remedies
from auditor.pages.words.rendered_evidence import Told, tell
from auditor.pages.words.texts import text
from auditor.verdict.checks import definitions, with_role
from auditor.verdict.checks.card import Card, Role

CARDS = [each.card for each in definitions().values()]
ABOUT_ALL_REQUESTS = {"log.consistency", "log.deadlines", "data.erased", "places.erased"}
"""Checks that no letter tells: what they found may be about somebody else's request."""
EVERY = [(status, value) for status in Status for value in (0.25, None)]


def in_status(status: Status, value: float | None) -> Told:
    """An audit all of whose checks came out that way, without details, with titles and sentences of the catalogue."""
    base = examples.failing()
    one = examples.check("", "", status, value, None if value is None else 0.5, "A reason.")
    checks = tuple(dataclasses.replace(one, id=check_id) for check_id in definitions())
    return tell(examples.changed(base, checks=checks, verdict=Verdict.FAIL).evidence)


def test_there_is_a_card_for_every_check_of_the_contract() -> None:
    assert tuple(definitions()) == tuple(card.id for card in CARDS)


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
def test_a_card_is_complete(card: Card) -> None:
    for said in (card.title, card.unit):
        assert said
        assert not said.endswith((".", "?"))
    assert card.question.endswith("?")
    assert card.failure.endswith(".")
    assert card.remedy.endswith(".")
    assert not card.open_question.endswith((".", "?"))
    assert card.unsteady == "" or not card.unsteady.endswith(".")
    assert set(card.needs) <= set(definitions()) - {card.id}
    assert card.target is None or card.direction == "interval holds"


def test_no_two_checks_have_the_same_title_or_question() -> None:
    for texts in ([card.title for card in CARDS], [card.question for card in CARDS]):
        assert len(texts) == len(set(texts))


def test_a_letter_has_words_for_every_check_but_those_about_all_requests() -> None:
    assert {card.id for card in CARDS if card.letter is None} == ABOUT_ALL_REQUESTS
    for card in CARDS:
        if card.letter is not None:
            assert card.letter.question.endswith("?")
            assert card.letter.found.endswith(".") is (Role.USEFULNESS not in card.roles)
            assert not card.letter.open_question.endswith((".", "?"))
            assert set(card.letter.answered_by) <= set(definitions()) - {card.id}


@pytest.mark.parametrize(("status", "value"), EVERY)
def test_every_check_is_rendered_in_every_status_in_every_format(status: Status, value: float | None) -> None:
    told = in_status(status, value)
    out = io.StringIO()
    terminal.details(told, Console(file=out, width=200))
    written = [render.html(told), junit.xml(told), sarif.log(told), markdown.summary(told), out.getvalue()]
    ran = value is not None or status is not Status.SKIPPED
    for check in told.checks:
        where = written if check.id in told.policy.required else written[:3] if status is not Status.PASS else written[:2]
        assert all(check.id in text for text in where), check.id
        assert not ran or check.title in written[0]
        assert not ran or check.card.unit in html.unescape(written[0])
    asked = {check_id for step in remedies(told) for check_id in step.checks}
    assert status in {Status.PASS, Status.SKIPPED} or asked >= set(told.policy.required)


@pytest.mark.parametrize(("status", "value"), EVERY)
def test_every_check_is_told_in_a_letter_in_every_status(status: Status, value: float | None) -> None:
    told = in_status(status, value)
    found = extract(told.evidence, told.requests[0].request_id)
    about = set(definitions()) - ABOUT_ALL_REQUESTS - set(with_role(Role.USEFULNESS))
    wrong = status in {Status.FAIL, Status.ERROR}
    assert set(found.model.failed) == (about if wrong else set())
    assert (found.model.forgot == "failed") is wrong
    page = letter_page.page(found)
    row = next(each for each in page.rows if each.label == text("letter-row-forgot"))
    words = [card.letter for card in CARDS if card.id in about and card.letter is not None]
    said = {*page.found, *row.sentences} & {each.found for each in words}
    assert said == ({each.found for each in words} if status is Status.FAIL else set()), "what failed is said, once"
    assert len(set(page.found)) == len(page.found)
    left = {*found.model.open, *found.model.unsettled, *found.model.broke_off}
    assert set(page.unsettled) == {each.letter.open_question for each in CARDS if each.id in left and each.letter is not None}
    assert not set(page.unsettled) & set(page.topics)
