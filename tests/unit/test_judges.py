"""Judges are pure, complete, and have a sentence for every reason they give."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import auditor
from auditor.base.domain import Message, Status
from auditor.pages import words
from auditor.verdict import judgement
from auditor.verdict.checks import definitions, listed_in
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.definition import Definition
from auditor.verdict.checks.finding import Earlier, Finding, Nothing, Values
from judging import audit_facts, declared

CONTRACT = [
    "log.consistency",
    "log.deadlines",
    "data.erased",
    "places.erased",
    "model.reproduced",
    "release.exact",
    "release.remembers",
    "swap.quality",
    "answers.membership",
    "answers.inference",
    "swap.strong",
    "swap.controls",
    "epsilon.consistency",
    "training.privacy",
    "privacy.continual",
    "removal.residual",
    "removal.budget",
    "removal.output-noise",
    "deletion.renyi",
    "deletion.adaptive",
    "inference.example",
    "inference.instance",
    "inference.difference",
    "reconstruction.label",
    "reconstruction.instance",
    "reconstruction.sentence",
    "state.stateless",
    "state.history_independent",
    "control.game",
    "confidentiality.game",
    "utility.accuracy",
    "cost.speedup",
]
"""Every check, in the order of the report."""
ROOT = Path(auditor.__file__).parent
_PART = re.compile(r"[a-z]\.|\.[a-z]")
"""A part of a code within a string that is put together."""
SOURCES = [file for file in sorted(ROOT.rglob("*.py")) if file.parent.name != "words"]


def named(file: Path) -> Iterator[str]:
    """The message ids of all reasons that a file makes; what is worked out is a pattern."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Name("Message"), args=[ast.Constant(str(code)), *_]):
                yield re.escape(code)
            case ast.Call(func=ast.Name("Message"), args=[ast.Name(name), *_]) if name.isupper():
                module = ".".join(("auditor", *file.relative_to(ROOT).with_suffix("").parts))
                yield re.escape(getattr(importlib.import_module(module), name))


def strings(file: Path) -> Iterator[str]:
    """Every string in a file, and as a pattern every one that is put together."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Constant(str(value)):
                yield re.escape(value)
            case ast.JoinedStr(values) if any(
                isinstance(each, ast.Constant) and _PART.search(str(each.value)) for each in values
            ):
                yield "".join(re.escape(str(each.value)) if isinstance(each, ast.Constant) else r"[\w.-]+" for each in values)


def as_ids(pattern: str) -> str:
    """A pattern of codes as one of what they are in ids of messages."""
    return pattern.replace(r"\.", r"\-")


def test_the_checks_are_those_of_the_contract_in_its_order() -> None:
    assert list(definitions()) == CONTRACT


def test_every_reason_that_is_named_has_a_sentence() -> None:
    codes = words.sentences()
    reasons = {code for file in SOURCES for code in named(file)}
    assert len(reasons) > 200
    assert not {pattern for pattern in reasons if not any(re.fullmatch(as_ids(pattern), code) for code in codes)}


def test_every_sentence_says_a_reason_that_is_named() -> None:
    exact = {as_ids(each) for file in SOURCES for each in strings(file)}
    joined = [re.compile(each) for each in exact if "+" in each]
    assert not {
        code for code in words.sentences() if re.escape(code) not in exact and not any(each.fullmatch(code) for each in joined)
    }


@pytest.mark.parametrize("definition", definitions().values(), ids=list(definitions()))
def test_every_card_is_complete(definition: Definition[Any]) -> None:
    card = definition.card
    for text in (card.title, card.question, card.unit, card.failure, card.remedy):
        assert text
        assert text == text.strip()
    assert card.question.endswith("?")
    assert not card.title.endswith(".")
    assert set(card.needs) <= set(definitions()) - {card.id}


def needed(check_id: str, known: Mapping[str, Definition[Any]]) -> set[str]:
    """Everything that has to be judged before a check."""
    direct = known[check_id].card.needs
    return set(direct).union(*(needed(each, known) for each in direct))


@pytest.mark.parametrize("check_id", definitions())
def test_what_a_check_needs_is_there_and_never_needs_it_back(check_id: str) -> None:
    known = definitions()
    assert len(set(known[check_id].card.needs)) == len(known[check_id].card.needs)
    assert check_id not in needed(check_id, known) <= known.keys()


def test_every_judge_is_called_once_after_what_it_needs_and_handed_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    handed: dict[str, set[str]] = {}

    def recording(definition: Definition[Any]) -> Definition[Any]:
        def judge(_context: Context, _observed: Values, earlier: Earlier) -> Finding:
            assert definition.card.id not in handed
            assert earlier.keys() <= handed.keys()
            handed[definition.card.id] = set(earlier)
            return Finding(Status.PASS)

        return Definition(definition.card, Nothing, judge, derived=())

    replaced = {check_id: recording(each) for check_id, each in definitions().items()}
    monkeypatch.setattr(judgement, "definitions", lambda _version: replaced)
    found = judgement.judge_all(declared(), {})
    assert found.keys() == definitions().keys()
    rerun = {
        check_id: set(each.card.needs)
        for check_id, each in definitions().items()
        if not (each.card.of_answers or each.card.of_places)
    }
    assert handed == rerun


def test_what_was_observed_for_no_check_and_what_was_not_for_one_that_ran_is_refused() -> None:
    with pytest.raises(LookupError):
        judgement.judge_all(declared(), {})
    listed = set(listed_in(reruns=True, places=False))
    broken = judgement.judge_all(declared(audit=audit_facts(failure="it broke")), {})
    assert {each.status for name, each in broken.items() if definitions()[name].runs and name in listed} == {Status.ERROR}
    left_out = judgement.judge_all(declared(audit=audit_facts(only=("log.deadlines",))), {})
    assert {name for name, each in left_out.items() if each.status is not Status.SKIPPED} == {"log.deadlines"}
    assert all(each.reasons == (Message("left-out"),) for name, each in left_out.items() if name in listed - {"log.deadlines"})


def test_a_sentence_takes_the_parameters_of_its_reason() -> None:
    assert (
        words.sentence(Message("log.deadlines.days", {"days": 30}))
        == "Deadline: 30 calendar days from receipt, as the policy says."
    )
    with pytest.raises(KeyError):
        words.sentence(Message("log.deadlines.days"))
    with pytest.raises(KeyError):
        words.sentence(Message("no such sentence"))


def test_a_reason_among_the_parameters_is_said_first() -> None:
    inner = Message("log.deadlines.days", {"days": 30})
    said = "Deadline: 30 calendar days from receipt, as the policy says."
    assert words.sentence(Message("failed", {"message": inner})) == said
    stored = {"code": inner.code, "parameters": dict(inner.parameters)}
    assert words.said({"why": stored, "rows": [inner, 1]}) == {"why": said, "rows": [said, 1]}
