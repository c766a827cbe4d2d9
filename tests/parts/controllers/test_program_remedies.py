"""What to do about whole programs: each reason that leaves one open names what to change."""

from __future__ import annotations

import dataclasses

import pytest

import golden_reports
from auditor.base.domain import Status
from auditor.pages.remedies.advice import Subject
from auditor.pages.words.texts import text
from auditor.parts.controllers.telling.remedies import REMEDIES
from auditor.parts.store.telling.remedies import erased


def advised(code: str, status: Status = Status.INCONCLUSIVE) -> list[str]:
    told = golden_reports.told("batch-count")
    check = dataclasses.replace(told.check("control.game"), status=status)
    return [each.action for each in REMEDIES["control.game"](Subject(told, check, {code: {}}))]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("games.quick", "remedy-quick"),
        ("games.not-searched", "remedy-program-not-searched"),
        ("games.fresh-open", "remedy-program-same-seed"),
        ("games.chance-open", "remedy-program-seeded"),
        ("privacy.continual.foreign", "remedy-program-counter"),
    ],
)
def test_an_open_program_is_told_what_to_change(code: str, message: str) -> None:
    assert advised(code) == [text(message)]


def test_too_few_games_are_asked_for_by_their_number() -> None:
    (said,) = advised("games.few")
    controller = golden_reports.told("batch-count").evidence.controller
    assert controller is not None
    assert f"games = {4 * controller.games} under [controller]" in said


def test_a_failure_is_left_to_the_card_but_for_a_seed_that_is_too_short() -> None:
    assert advised("games.different", Status.FAIL) == []
    assert advised("privacy.continual.short-seed", Status.FAIL) == [text("remedy-program-short-seed")]


@pytest.mark.parametrize(
    ("name", "said"), [("sqlite-plain", "Set secure_delete = true"), ("tombstone-dictionary", "controller.cells[…][1]")]
)
def test_what_a_program_keeps_goes_by_its_own_setting_or_in_the_places_that_were_read(name: str, said: str) -> None:
    told = golden_reports.told(name)
    raw = next(each for each in told.evidence.checks if each.id == "data.erased")
    given = {each.code: dict(each.parameters) for each in raw.reasons}
    actions = [each.action for each in erased(Subject(told, told.check("data.erased"), given))]
    assert len(actions) == 1
    assert said in actions[0]


@pytest.mark.parametrize(
    ("code", "given", "message"),
    [
        ("games.learner.different", {"named": [{"going": "alone", "kinds": ["answers", "files"]}]}, "remedy-learner-different"),
        ("games.learner.different", {"named": [{"going": "alone", "kinds": ["answers-before"]}]}, "remedy-learner-watched"),
        ("games.chance-open", {}, "remedy-learner-seeded"),
        ("games.learner.seen", {"games": 2}, "remedy-learner-seen"),
        ("games.learner.unseen-model", {}, "remedy-learner-unseen-model"),
        ("games.learner.moving", {"numbers": 1}, "remedy-learner-moving"),
        ("games.learner.elsewhere", {"games": 1}, "remedy-learner-elsewhere"),
        ("games.quick", {}, "remedy-quick"),
    ],
)
def test_a_learner_is_told_what_to_change_of_itself(code: str, given: dict[str, object], message: str) -> None:
    assert told_of_learner(code, given) == [text(message)]


def test_a_learner_is_told_what_to_attest() -> None:
    (said,) = told_of_learner("games.learner.not-attested", {"word": "seen-releases"})
    assert said == text("remedy-learner-not-attested", word="seen-releases")


def told_of_learner(code: str, given: dict[str, object]) -> list[str]:
    told = golden_reports.told("iris-never-there")
    about = Subject(told, told.check("confidentiality.game"), {"games.learner.played": {}, code: given})
    return [each.action for each in REMEDIES["confidentiality.game"](about)]
