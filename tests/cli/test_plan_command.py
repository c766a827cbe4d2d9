"""`auditor plan` as a person and as a script use it."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from auditor.cli import run
from cases import SAMPLES

CASE = str(SAMPLES / "digits-newton")
GOAL = ["--deletions", "10", "--epsilon", "1", "--delta", "1e-4"]
IN_GUESSES = ["--deletions", "10", "--delta", "1e-4"]
SMALL = ["--l2", "1e-2", "--sigma", "0.3,1", "--quick", "--jobs", "1"]


def test_json_table_and_files_tell_the_same(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", CASE, *GOAL, *SMALL, "--json", "--out", str(tmp_path / "plan")]) == 0
    printed, narrated = capfd.readouterr()
    said = json.loads(printed)
    assert said == json.loads((tmp_path / "plan" / "plan.json").read_text(encoding="utf-8"))
    assert said["schema"] == "auditor.plan/1"
    assert all(name in narrated for name in ("plan.json", "plan.svg", "plan.pdf"))
    drawing = ET.fromstring((tmp_path / "plan" / "plan.svg").read_text(encoding="utf-8"))
    words = "".join(drawing.itertext())
    assert "Best accuracy that serves 10 deletions" in words
    assert "λ = 0.01" in words
    assert (tmp_path / "plan" / "plan.pdf").read_bytes().startswith(b"%PDF-")
    assert run(["plan", CASE, *GOAL, *SMALL]) == 0
    table = capfd.readouterr().out
    assert table.rstrip().endswith(said["sentence"])
    assert "▶" in table
    assert run(["plan", CASE, *GOAL, *SMALL, "--quiet"]) == 0
    assert capfd.readouterr().out.rstrip() == said["sentence"]


def test_a_target_in_right_guesses_is_met_by_what_the_curve_says(capfd: pytest.CaptureFixture[str]) -> None:
    """55 of 100 take ε = 0.778 at δ = 1e-4 by Gaussian noise; by that ε and δ alone they would be 68.6."""
    assert run(["plan", CASE, *IN_GUESSES, "--right-guesses", "55", *SMALL, "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["target"]["epsilon"] == pytest.approx(0.778, abs=1e-3)
    assert said["target"]["right_guesses"] == 55
    serving = [row for key in ("loss_perturbation", "output_noise", "differential_privacy") for row in said[key] if row["serves"]]
    assert serving
    assert all(row["right_guesses"] <= 55 for row in serving)


def test_data_deletion_is_planned_as_table_json_and_files(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    promise = ["--data-deletion", "--epsilon", "0.1", "--order", "4", "--seen", "2", "--l2", "0.05,0.1", "--quick", "--jobs", "1"]
    assert run(["plan", CASE, *promise, "--json", "--out", str(tmp_path / "plan")]) == 0
    printed, narrated = capfd.readouterr()
    said = json.loads(printed)
    assert said == json.loads((tmp_path / "plan" / "plan.json").read_text(encoding="utf-8"))
    assert said["schema"] == "auditor.deletion-plan/1"
    assert said["promise"] == {"epsilon": 0.1, "order": 4.0, "seen": 2, "deletions": 1}
    assert all(name in narrated for name in ("plan.json", "plan.svg", "plan.pdf"))
    words = "".join(ET.fromstring((tmp_path / "plan" / "plan.svg").read_text(encoding="utf-8")).itertext())
    assert "Settings that keep ε = 0.1" in words
    assert "λ = 0.05" in words
    assert (tmp_path / "plan" / "plan.pdf").read_bytes().startswith(b"%PDF-")
    assert run(["plan", CASE, *promise]) == 0
    table = capfd.readouterr().out
    assert table.rstrip().endswith(said["sentence"])
    assert "By this ε alone, anyone who sees" in table
    assert "of 100 times. Guessing is right 50 times." in table
    assert all(50 <= row["right_guesses"] <= 100 for row in said["settings"] if row["epsilon"] is not None)
    assert run(["plan", CASE, *promise, "--quiet"]) == 0
    assert capfd.readouterr().out.rstrip() == said["sentence"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--data-deletion"], "missing option --epsilon"),
        (["--data-deletion", "--epsilon", "1", "--right-guesses", "55"], "--right-guesses: not with --data-deletion"),
        ([*GOAL, "--right-guesses", "55"], "--right-guesses: not with --epsilon"),
        ([*IN_GUESSES, "--right-guesses", "50"], "--right-guesses: expected a number above 50 and below 100"),
        ([*IN_GUESSES, "--right-guesses", "50.001"], "--right-guesses: 50.001 of 100 takes a δ below"),
        (["--data-deletion", "--epsilon", "1", "--delta", "0.1"], "--delta: not with --data-deletion"),
        (["--data-deletion", "--epsilon", "1", "--sigma", "1"], "--sigma: not with --data-deletion"),
        (["--data-deletion", "--epsilon", "-1"], "--epsilon: expected a number above 0"),
        (["--data-deletion", "--epsilon", "1", "--epsilon-dp", "0"], "--epsilon-dp: expected numbers above 0"),
        (["--data-deletion", "--epsilon", "1", "--epsilon-dp", "x"], "--epsilon-dp: expected numbers above 0"),
        ([*GOAL, "--seen", "1"], "--seen: not without --data-deletion"),
        ([*GOAL, "--order", "3", "--epsilon-dp", "1"], "--order, --epsilon-dp: not without --data-deletion"),
        (["--epsilon", "1"], "missing option --deletions, --delta"),
    ],
)
def test_options_of_the_other_plan_are_bad_usage(arguments: list[str], words: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", CASE, *arguments]) == 2
    assert words in capfd.readouterr().err


@pytest.mark.parametrize("arguments", [GOAL, ["--data-deletion", "--epsilon", "1"]])
def test_of_a_whole_controller_nothing_is_planned(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", str(SAMPLES / "dictionary-controller"), *arguments]) == 2
    assert "nothing to plan: this case is a whole controller" in capfd.readouterr().err


def test_a_plan_that_nothing_serves_is_a_plan_all_the_same(capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["--deletions", "40", "--epsilon", "0.01", "--delta", "1e-9", "--l2", "1e-4", "--sigma", "0.001", "--quick"]
    assert run(["plan", CASE, *arguments, "--jobs", "1", "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["recommended_by_method"]["loss_perturbation"] is None
    assert said["beyond"] is None
    assert "nor does a σ of up to 64 times the largest" in said["sentence"]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--deletions", "0", "--epsilon", "1", "--delta", "1e-4"],
        ["--deletions", "300", "--epsilon", "1", "--delta", "1e-4"],
        ["--deletions", "5", "--epsilon", "0", "--delta", "1e-4"],
        ["--deletions", "5", "--epsilon", "nan", "--delta", "1e-4"],
        ["--deletions", "5", "--epsilon", "1", "--delta", "1"],
        [*GOAL, "--l2", "small"],
        [*GOAL, "--sigma", "0"],
    ],
)
def test_bad_usage_is_2_and_writes_nothing(arguments: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", CASE, *arguments, "--out", str(tmp_path / "plan")]) == 2
    assert capfd.readouterr().err.startswith("auditor: ")
    assert not (tmp_path / "plan").exists()


def test_a_case_that_is_not_there_is_bad_input(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", str(tmp_path), *GOAL]) == 2
    assert "audit.toml" in capfd.readouterr().err
