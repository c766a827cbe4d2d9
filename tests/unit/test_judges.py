"""Judges are pure, complete, and have a sentence for every reason they give."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import auditor
from auditor import words
from auditor.checks import definitions
from auditor.domain import Reason

CODE = re.compile(r'Reason\(\s*"([^"]+)"')


def sources() -> list[Path]:
    """Every file that may name a reason."""
    folder = Path(auditor.__file__).parent
    return [
        file for room in ("checks", "settings", "observing", "judgement.py") for file in folder.joinpath(room).rglob("*.py")
    ] + [folder / "judgement.py"]


def test_every_reason_that_is_named_has_a_sentence() -> None:
    named = {code for file in sources() for code in CODE.findall(file.read_text())}
    assert named
    assert not named - words.sentences().keys()


@pytest.mark.parametrize("definition", definitions().values(), ids=list(definitions()))
def test_every_card_is_complete(definition) -> None:
    card = definition.card
    for text in (card.title, card.question, card.unit, card.failure, card.remedy):
        assert text
        assert text == text.strip()
    assert card.question.endswith("?")
    assert not card.title.endswith(".")
    assert set(card.needs) <= set(definitions()) - {card.id}


def test_a_sentence_takes_the_parameters_of_its_reason() -> None:
    assert (
        words.sentence(Reason("log.deadlines.days", {"days": 30}))
        == "Deadline: 30 calendar days from receipt, as the policy says."
    )
    with pytest.raises(KeyError):
        words.sentence(Reason("log.deadlines.days"))
    with pytest.raises(KeyError):
        words.sentence(Reason("no such sentence"))


def test_a_reason_among_the_parameters_is_said_first() -> None:
    inner = Reason("log.deadlines.days", {"days": 30})
    said = "Deadline: 30 calendar days from receipt, as the policy says."
    assert words.sentence(Reason("failed", {"message": inner})) == said
    stored = {"code": inner.code, "parameters": dict(inner.parameters)}
    assert words.said({"why": stored, "rows": [inner, 1]}) == {"why": said, "rows": [said, 1]}
