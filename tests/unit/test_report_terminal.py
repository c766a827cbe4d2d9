"""The table on the terminal: complete, unspoofable, and ending in the sentence."""

from __future__ import annotations

import dataclasses
import io

import pytest
from rich.console import Console

import report_examples as examples
from auditor.base.errors import ReportError
from auditor.pages import exchange, terminal
from auditor.pages.remedies import Proof, remedies
from tests.remedied import golden


def printed(evidence, width=120, **options):
    out = io.StringIO()
    terminal.details(evidence, Console(file=out, width=width, **options), everything=True)
    return out.getvalue()


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("example", [examples.passing, examples.failing, examples.broken_off])
def test_the_last_line_is_exactly_the_sentence_to_be_quoted(example, width):
    evidence = example()
    assert printed(evidence, width).splitlines()[-1] == evidence.opening


def test_every_check_that_ran_is_listed_with_its_word_and_shape():
    text = printed(examples.failing())
    for words in ("removal.budget", "■ fail", "2.122", "at most 1", "● pass", "○ informative", "17 checks were not run"):
        assert words in text
    table, _, reasons = text.partition("17 checks were not run")
    assert "inference.example" not in table
    unmade = "inference.example, inference.instance and inference.difference: Deletion inference is not part of this version."
    assert unmade in " ".join(reasons.split())


def test_a_cause_that_several_checks_have_is_said_once_with_their_names():
    told = examples.broken_off()
    text = " ".join(printed(told).split())
    cause = "The procedure ended with an error at batch REQ-2026-0003."
    assert [check.id for check in told.checks if check.basis == cause] == ["removal.residual", "removal.budget"]
    reasons, _, _ = text.partition("What to do")
    assert reasons.count(cause) == 1
    assert f"removal.residual and removal.budget: {cause}" in reasons


def test_checks_of_which_the_same_is_expected_next_are_named_together():
    step = next(each for each in remedies(examples.broken_off()) if "removal.residual" in each.checks)
    names = ("release.exact", "swap.strong", "swap.controls")
    proof = (*(Proof(name, "passes") for name in names), Proof("removal.budget", "passes, with a value of at most 1"))
    *_, said, _ = exchange.remedy_lines(dataclasses.replace(step, proof=proof))
    told = "release.exact, swap.strong and swap.controls pass; removal.budget passes, with a value of at most 1"
    assert said == f"Done when the next audit says: {told}."


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_each_check_takes_one_line_whatever_the_width(width):
    evidence = examples.failing()
    lines = printed(evidence, width).splitlines()
    table = lines[: lines.index(next(line for line in lines if "not run" in line))]
    assert sum(line.strip().startswith(f"{check.id} ") for line in table for check in evidence.checks) == 12
    assert not any("…" in line for line in table)
    assert lines.index(next(line for line in lines if "cost.speedup" in line)) == 14


def test_the_table_says_whether_each_check_decides():
    told = golden("digits-newton-overrun")
    rows = {line.split()[0]: line.split() for line in printed(told).splitlines() if line.strip()}
    assert rows["check"] == ["check", "status", "decides", "value", "threshold"]
    assert rows["removal.budget"][3] == "yes"
    assert rows["swap.quality"][3] == "no"


def test_reasons_of_what_is_unmet_are_whole_and_followed_by_what_to_do():
    told = golden("digits-newton-overrun")
    text = " ".join(printed(told, width=5000).split())
    assert " ".join(told.check("release.remembers").basis.split()) in text
    for each in remedies(told):
        assert each.action in text
    assert text.index("What to do") < text.index("FAIL · policy not met")


def test_guarantees_have_a_line_each():
    lines = printed(examples.passing()).splitlines()
    assert "◆ supported: (1, 0.0001)-certified removal" in lines
    assert "○ not shown: Deletion-as-control" in lines


def test_what_attacks_found_stands_before_the_guarantees():
    text = printed(examples.failing(), width=2000)
    lines = text.splitlines()
    (found,) = [at for at, line in enumerate(lines) if line.startswith("In the SWAP test the best of the attacks")]
    assert "of 100 guesses right (between 67 and 71, 95\u00a0% confidence)" in lines[found]
    assert lines[found + 1].startswith("Refuted: claimed (ε, δ)-certified removal")
    assert lines[found + 2].startswith("○ not shown")
    assert "In the SWAP test" not in printed(examples.broken_off())


def test_markup_and_escapes_in_data_are_plain_text():
    evidence = examples.failing()
    checks = tuple(dataclasses.replace(c, basis="[bold red]x[/] \x1b[2J\u202e" + c.basis) for c in evidence.checks)
    text = printed(examples.changed(evidence, checks=checks), color_system=None)
    assert "[bold red]x[/] [2J" in text
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_contradicting_pass_is_not_printed():
    evidence = examples.passing()
    checks = evidence.checks[1:]
    with pytest.raises(ReportError):
        printed(examples.changed(evidence, checks=checks))


def coloured(evidence):
    """The verdict's line as a terminal gets it."""
    lines = printed(evidence, force_terminal=True, color_system="standard", width=200).splitlines()
    return next(line for line in lines if "strength" in line or line.startswith("\x1b[1;3"))


def test_the_verdict_stands_above_the_sentence_with_what_it_is_worth():
    lines = printed(examples.weak(), width=300).splitlines()
    at = next(
        number
        for number, line in enumerate(lines)
        if line.startswith("PASS · policy met · Qualified conclusion (no auditor named) · strength E: no useful promise")
    )
    assert lines[at + 1] == (
        "Examined: model file no, data store yes, procedure yes, backups no. Under the default policy: inconclusive."
    )
    assert lines[-1] == examples.weak().opening
    assert (
        printed(examples.failing(), width=300).splitlines()[-3] == "FAIL · policy not met · Adverse conclusion (no auditor named)"
    )


def test_a_pass_without_a_useful_promise_is_never_green():
    green, yellow = "\x1b[1;32m", "\x1b[1;33m"
    assert coloured(examples.passing()).startswith(f"{green}PASS")
    assert coloured(examples.weak()).startswith(f"{yellow}PASS")
    assert green not in coloured(examples.held_back())
