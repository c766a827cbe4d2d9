"""What a reader meets first: what decides, what was claimed, what saw something; the rest where everything is asked for."""

from __future__ import annotations

import dataclasses
import io
import re

import pytest
from rich.console import Console

import golden_reports
import rechecks
from auditor.base.domain import Status
from auditor.cli import run
from auditor.pages import markdown, plain, terminal
from auditor.pages.words.informative_findings import noticed
from auditor.pages.words.rendered_evidence import Told

NAMES = sorted(path.stem for path in rechecks.LATEST.glob("*.json"))


def out_of_view(told: Told) -> set[str]:
    return {check.id for check in told.checks} - {check.id for check in plain.checks_in_view(told)}


def printed(told: Told, *, everything: bool) -> str:
    console = Console(file=io.StringIO(), width=200, force_terminal=False)
    terminal.details(told, console, everything=everything)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_decides_failed_stayed_open_or_was_noticed_is_out_of_view(name: str) -> None:
    told = golden_reports.told(name)
    hidden = out_of_view(told)
    assert not hidden & {*told.policy.required, *(each.check_id for each in noticed(told.evidence))}
    assert {check.status for check in told.checks if check.id in hidden} <= {Status.PASS, Status.SKIPPED}


@pytest.mark.parametrize("status", [Status.FAIL, Status.ERROR, Status.INCONCLUSIVE])
def test_a_check_comes_into_view_as_soon_as_it_is_no_pass(status: Status) -> None:
    told = golden_reports.told("digits-newton")
    for hidden in out_of_view(told):
        checks = tuple(dataclasses.replace(each, status=status) if each.id == hidden else each for each in told.checks)
        assert hidden not in out_of_view(dataclasses.replace(told, checks=checks))


def test_a_claim_brings_what_examines_it_into_view() -> None:
    told = golden_reports.told("digits-newton")
    assert "certified_removal" in told.policy.claims
    assert {"removal.residual", "removal.budget", "epsilon.consistency"} <= {each.id for each in plain.checks_in_view(told)}


@pytest.mark.parametrize("name", ["digits-newton", "sqlite-plain"])
def test_the_others_are_printed_where_everything_is_asked_for(name: str) -> None:
    told = golden_reports.told(name)
    hidden = out_of_view(told)
    assert hidden
    brief, whole = printed(told, everything=False), printed(told, everything=True)
    assert f"{len(hidden)} other checks" in brief
    assert not [each for each in hidden if f"\n{each}: " in brief]
    # Several with one reason are named before it.
    assert not [each for each in hidden if not re.search(rf"[\n ]{re.escape(each)}(?:,| and|:)\s", whole)]


def test_the_summary_lists_every_check_where_everything_is_asked_for() -> None:
    told = golden_reports.told("breast-cancer-dp")
    brief, whole = markdown.summary(told), markdown.summary(told, everything=True)
    rows = [f"\n| {each.id.replace('_', chr(92) + '_')} |" for each in told.checks]
    assert [each for each in rows if each not in whole] == []
    assert [each for each in rows if each not in brief]


def test_the_main_part_alone_has_no_list_to_be_made_longer(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["report", str(rechecks.LATEST / "digits-newton.json"), "--for", "officer", "--all"]) == 2
    assert "report --all" in capfd.readouterr().err
