"""The crosswalk: topics that the report helps with, what people must add, and nothing that it does not show."""

from __future__ import annotations

import pytest

from auditor.pages.main import Light
from auditor.pages.main.crosswalk import Duty, duties
from auditor.pages.words.rendered_evidence import tell
from sample_cases import golden

FOUND_AGAIN, CLEAN, PROGRAM = "digits-cheater", "digits-newton", "sqlite-plain"


def rows(name: str) -> dict[str, Duty]:
    return {each.source: each for each in duties(tell(golden(name)))}


def test_data_found_again_name_the_duties_on_breaches_and_are_not_called_one() -> None:
    breach = rows(FOUND_AGAIN)["GDPR 33, 34"]
    assert breach.light is Light.EMPTY
    assert breach.shows == "Data of 15 requests found again; whether that is a breach is not judged here"
    assert breach.add == "Whether it is one: people must assess it"
    assert "GDPR 33, 34" not in rows(CLEAN)


def test_what_no_check_covers_is_said_to_be_shown_nowhere() -> None:
    every = rows(CLEAN)
    assert {every[source].light for source in ("GDPR 15, 18, 28", "AI Act 12, 19, 26(6)")} == {Light.EMPTY}
    assert every["AI Act 12, 19, 26(6)"].shows == "Not evidenced by this report"
    assert "six months" in every["AI Act 12, 19, 26(6)"].asks
    assert "no backup was read" in every["EDPB report on erasure of 10 Feb 2026"].shows


@pytest.mark.parametrize("name", [FOUND_AGAIN, CLEAN, PROGRAM])
def test_every_row_names_something_that_people_must_add(name: str) -> None:
    assert [each.source for each in duties(tell(golden(name))) if each.add in {"", "Nothing"}] == []


def test_a_report_on_a_program_names_no_duty_towards_people_of_a_log() -> None:
    assert not rows(PROGRAM).keys() & {"GDPR 12", "GDPR 33, 34", "AI Act 12, 19, 26(6)"}
