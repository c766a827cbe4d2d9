"""`auditor plan` as a person and as a script use it."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from auditor.audit.planning import unlike
from auditor.cli import run
from auditor.learning.sums import MECHANISMS
from auditor.maths.certificates import derive
from auditor.parts.networks.planning import continual
from cases import SAMPLES
from small_cases import write_log

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


RAW = """[case]
name = "people"
[data]
train = "train.csv"
task = "classification"
[procedure]
use = "certified-removal"
l2 = 1e-2
sigma = 1.0
epsilon = 1.0
delta = 1e-4
row_norms = "scale"
seed = "278189252447704765151761555871619860438"
[deletions]
log = "deletions.jsonl"
"""


@pytest.mark.parametrize("promise", [[*GOAL, *SMALL], ["--data-deletion", "--epsilon", "1", "--quick", "--jobs", "1"]])
def test_columns_that_drown_others_are_named_with_the_way_out(
    tmp_path: Path, promise: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    """Age and a flag say who, and an income in full leaves nothing of them: no accuracy is of use until it is standardised."""
    rng = np.random.default_rng(4)
    flags, age, income = rng.integers(0, 2, (200, 3)), rng.uniform(20, 70, 200), rng.uniform(2e4, 2e5, 200)
    labels = (age + 20 * flags[:, 0] > 55).astype(int)
    rows = (
        f"r{at},{income[at]:.0f},{age[at]:.0f},{flags[at, 0]},{flags[at, 1]},{flags[at, 2]},{labels[at]}" for at in range(200)
    )
    (tmp_path / "train.csv").write_text("\n".join(["id,income,age,member,home,car,label", *rows]) + "\n", encoding="utf-8")
    (tmp_path / "audit.toml").write_text(RAW, encoding="utf-8")
    write_log(tmp_path, [["r0"]])
    assert run(["plan", str(tmp_path), *promise, "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    sizes = said["column_sizes"]
    assert list(sizes)[:2] == ["income", "age"]
    assert set(sizes) == {"income", "age", "member", "home", "car"}
    assert sizes["income"] == pytest.approx(math.sqrt(np.mean(np.round(income) ** 2)), rel=5e-3)
    assert f"income ({sizes['income']:g})" in said["sentence"]
    assert "standardise them, then plan again" in said["sentence"]
    assert "fixed without these records" in said["sentence"]


@pytest.mark.parametrize(
    ("sizes", "named"),
    [
        ((), None),
        ((("a", 9.9), ("b", 1.0)), None),
        ((("a", 10.0), ("b", 1.0)), "a (10), where the middle one has 1 and the smallest 1."),
        ((("a", 5e4), ("b", 40.0), ("c", 0.5)), "a (50000), where the middle one has 40 and the smallest 0.5."),
        ((*((str(at), 100.0) for at in range(5)), *(("x", 1.0),) * 6), "0 (100), 1 (100), 2 (100) and 2 more, where"),
    ],
)
def test_columns_of_unlike_size_are_those_ten_times_as_large_as_the_middle_one(
    sizes: tuple[tuple[str, float], ...], named: str | None
) -> None:
    said = unlike(sizes)
    assert bool(said) is (named is not None)
    assert (named or "") in said


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


STREAM = ["--continual", "--epsilon", "1", "--delta", "1e-6", "--horizon", "1000", "--parameters", "650"]


def test_a_stream_is_planned_without_a_case_by_the_rules_that_audits_use(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", *STREAM, "--records", "3", "--norm", "2", "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert (said["schema"], said["declared"]) == ("auditor.continual-plan/1", None)
    assert [row["factorisation"] for row in said["settings"]] == ["tree", "square-root"]
    for row in said["settings"]:
        inputs = {"noise_multiplier": row["noise_multiplier"], "horizon": 1000, "records": 3, "delta": 1e-6}
        by_rule = derive(f"ftrl-{row['factorisation']}", inputs | {"features": 650, "norm": 2.0})
        assert by_rule.epsilon is not None
        assert row["meets"]
        assert 1 - 1e-4 <= row["epsilon"] == by_rule.epsilon <= 1
        assert (row["release_sigma"], row["excess_loss"]) == (by_rule.outputs["release_sigma"], by_rule.outputs["excess_loss"])
        assert row["kept_bytes"] == 8 * 650 * {"tree": 10, "square-root": 1000}[row["factorisation"]]
    assert said["recommended"] == said["settings"][1]
    assert run(["plan", *STREAM]) == 0
    table = capfd.readouterr().out
    assert "▶   square-root" in table
    assert "Adversary: sees every release, and once all that is kept." in table
    assert run(["plan", *STREAM, "--quiet"]) == 0
    assert "at most 54.8 of 100 guesses are right" in capfd.readouterr().out


def test_the_sums_of_a_plan_are_those_that_are_kept() -> None:
    for factorisation, mechanism in MECHANISMS.items():
        sums = mechanism(noise=1.0, horizon=21, tape=np.random.default_rng(0), size=5)
        for _ in range(20):
            sums.tick()
            held = sums.held()
            kept = sum(np.size(each) for key in ("open", "released") for each in _listed(held[key]))
            found = continual.row(continual.Target(1.0, 1e-6, 21, 1, 5, 1.0), factorisation).kept_numbers
            assert kept == found


def _listed(sums: Any) -> list[Any]:
    return list(sums.values()) if isinstance(sums, dict) else sums


def test_of_a_case_of_a_stream_a_plan_says_what_its_numbers_give_and_what_to_change(capfd: pytest.CaptureFixture[str]) -> None:
    case = str(SAMPLES / "breast-cancer-stream")
    assert run(["plan", case, "--continual", "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["target"] | {"norm": 1.0} == {
        "epsilon": 1.0, "delta": 1e-5, "horizon": 30, "records": 1, "parameters": 64, "norm": 1.0, "right_guesses": None,
    }  # fmt: skip
    assert said["declared"]["epsilon"] == pytest.approx(0.9027, abs=1e-4)
    assert (said["declared"]["meets"], said["declared"]["changes"]) == (True, [])
    assert run(["plan", case, "--continual", "--epsilon", "0.6", "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert not said["declared"]["meets"]
    tree, root, fewer = said["declared"]["changes"]
    for each, sums in ((tree, "tree"), (root, "square-root")):
        noise = float(each.split()[2])
        assert sums in each
        assert (
            0.6 - 1e-4 <= (derive(f"ftrl-{sums}", {"noise_multiplier": noise, "horizon": 30, "delta": 1e-5}).epsilon or 9) <= 0.6
        )
    steps = int(fewer.rsplit(" ", 1)[1])
    given = {"noise_multiplier": 6.0, "delta": 1e-5}
    within, beyond = (derive("ftrl-square-root", given | {"horizon": each}).epsilon or 9 for each in (steps, steps + 1))
    assert within <= 0.6 < beyond
    assert run(["plan", case, "--continual", "--horizon", "31", "--json"]) == 0
    assert not json.loads(capfd.readouterr().out)["declared"]["meets"], "it is made for fewer releases"


def test_what_a_stream_without_a_case_needs_stands_in_help_and_page(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", "--help"]) == 0
    helped = " ".join(re.sub(r"[│\s]+", " ", capfd.readouterr().out).split())
    assert "Numbers of the model; needed without a case" in helped
    page = (Path(__file__).parents[2] / "docs" / "planning.md").read_text(encoding="utf-8")
    (usage,) = (line for line in page.splitlines() if line.startswith("    auditor plan") and "--continual" in line)
    for option in STREAM[1::2]:
        assert f" {option} " in usage, "no bracket says that it may be left out"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([*STREAM[:-2]], "missing option --parameters"),
        (["--continual"], "missing option --epsilon, --delta, --horizon, --parameters"),
        ([*STREAM, "--out", "plan"], "--out: not with --continual"),
        ([*STREAM, "--deletions", "3", "--quick"], "--deletions, --quick: not with --continual"),
        ([*STREAM, "--data-deletion"], "--data-deletion: not with --continual"),
        ([*STREAM, "--right-guesses", "55"], "--right-guesses: not with --epsilon"),
        ([*STREAM, "--records", "0"], "--records: expected 1 to as many records as there are releases, found 0"),
        ([*STREAM, "--records", "1001"], "--records: expected 1 to as many records as there are releases, found 1001"),
        ([*STREAM, "--horizon", "0"], "--horizon: expected 1 to 2^53 releases"),
        ([*STREAM, "--parameters", "0"], "--parameters: expected 1 to 10^12 numbers"),
        ([*STREAM, "--norm", "0"], "--norm: expected a number above 0"),
        ([*STREAM, "--delta", "1"], "--delta: expected a number above 0 and below 1"),
        ([*STREAM, "--epsilon", "-1"], "--epsilon: expected a number above 0"),
        ([*GOAL, CASE, "--horizon", "3"], "--horizon: not without --continual"),
        (GOAL, "missing argument CASE"),
        (["--data-deletion", "--epsilon", "1"], "missing argument CASE"),
    ],
)
def test_a_plan_of_a_stream_refuses_what_it_does_not_use(
    arguments: list[str], words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["plan", *arguments]) == 2
    assert words in capfd.readouterr().err


def test_a_stream_that_is_too_long_or_too_large_says_why(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", *STREAM, "--horizon", "100000000", "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["recommended"]["factorisation"] == "tree"
    assert said["settings"][1]["epsilon"] is None
    assert run(["plan", *STREAM, "--parameters", "1000000", "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["recommended"]["factorisation"] == "tree"
    assert "holds 268" in said["settings"][1]["reason"]


def test_a_target_of_a_stream_in_right_guesses_is_met(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", "--continual", "--right-guesses", "55", *STREAM[3:], "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert [row["right_guesses"] for row in said["settings"]] == [55, 55]


@pytest.mark.parametrize("arguments", [GOAL, ["--data-deletion", "--epsilon", "1"], STREAM])
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


def test_text_is_not_planned_as_if_it_were_numbers(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", str(SAMPLES / "loans-lightgbm"), *GOAL]) == 2
    said = capfd.readouterr().err
    assert said.count("expected numbers (plans are of linear models: encode it first), found t") == 6
    assert "standardise" not in said
