"""One run with coin-flip canaries: it refutes what remembers, never passes, and is seldom wrong."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import beta, binom

import small_cases
from auditor import case as cases
from auditor.api import Audit, check
from auditor.api.results.rehearsals import told_foretold
from auditor.audit.auditing import Options
from auditor.audit.devices import on_cpu
from auditor.audit.rehearsal import refutable, rehearse
from auditor.base.domain import Status
from auditor.base.errors import InputError
from auditor.cli import run
from auditor.parts.swap.judging.epsilon_consistency.one_run import foretell
from auditor.parts.swap.judging.game import canaries, guessed
from auditor.parts.swap.judging.one_run import Derived, OneRun, judge
from auditor.parts.swap.observing import one_run
from auditor.parts.swap.observing.drawing import UnplayableError
from auditor.parts.swap.observing.one_run import OneRunTest, draw
from auditor.parts.swap.rules.one_run import epsilon_lower
from auditor.sandbox import Level
from auditor.settings.tables import Policy, SwapTable
from auditor.verdict.checks.finding import Finding
from auditor.verdict.checks.levels import share
from cases import SAMPLES
from detailed import detailed
from judging import case_facts, declared

# A learner that knows its own records by heart; what it forgets is up to `unlearn`.
LEARNER = """
def learn(self, data, seed):
    return (data.features.copy(), data.labels.copy())
def unlearn(self, model, data, forget, seed):
    keep = np.setdiff1d(np.arange(len(data.labels)), forget)
    return {unlearned}
def predict(self, model, features):
    p = np.full(len(features), 0.5)
    for row, label in zip(*model):
        p[(features == row).all(axis=1)] = 0.9 if label else 0.1
    return np.stack([1 - p, p], axis=1)
def parameters(self, model):
    return np.concatenate([model[0].ravel(), model[1]])
def save(self, model, path):
    with open(path, "wb") as file:
        np.save(file, self.parameters(model))
"""
HONEST = "(data.features[keep], data.labels[keep])"
IDLE = "model"
# What it was asked to forget it answers with the other label: that marks it, too.
BACKWARDS = "(model[0], np.where((model[0][:, None] == data.features[forget]).all(axis=2).any(axis=1), 1 - model[1], model[1]))"


def _case(folder: Path, unlearned: str, *, claims: str = "", alpha: float = 0.3, rows: int = 240) -> Path:
    folder.mkdir(exist_ok=True)
    small_cases.write(folder, *small_cases.problem(rows), deleted=[["rec-0003"], ["rec-0007"]], required=("swap.quality",))
    small_cases.foreign(folder, LEARNER.format(unlearned=unlearned))
    declared = folder / "audit.toml"
    text = declared.read_text(encoding="utf-8") + f'\n[swap]\nmode = "one-run"\nalpha = {alpha}\n{claims}'
    declared.write_text(text, encoding="utf-8")
    return folder


def _audited(folder: Path, unlearned: str, **more: object) -> Audit:
    return check(_case(folder, unlearned, **more), only="swap.quality,epsilon.consistency", jobs=2)  # type: ignore[arg-type]


def test_a_model_that_was_left_alone_fails(tmp_path: Path) -> None:
    found = _audited(tmp_path, IDLE).check("swap.quality")
    assert found.status.value == "fail"
    assert found.value is not None
    assert found.value < 0.3
    assert found.interval is not None
    assert found.interval[1] < 0.95
    assert "guesses at the coins were right" in found.basis


def test_perfect_unlearning_is_not_refuted_and_does_not_pass(tmp_path: Path) -> None:
    audited = _audited(tmp_path, HONEST)
    found = audited.check("swap.quality")
    assert found.status.value == "inconclusive"
    assert "never passes" in found.basis
    assert detailed(found).details["do_nothing"]["quality"] < 0.3, "the same attack finds the records in the model with them"
    assert not audited.passed
    assert 'mode = "pairs"' in audited.explain("swap.quality")


def test_marking_what_was_forgotten_fails_too(tmp_path: Path) -> None:
    found = _audited(tmp_path, BACKWARDS).check("swap.quality")
    assert found.status.value == "fail"
    assert detailed(found).details["over_unlearned"] is True


CLAIM = "\n[claims]\ncertified_removal = {{epsilon = {epsilon}, delta = 1e-6}}\n"


def test_a_claim_about_the_whole_set_is_refuted_by_one_run(tmp_path: Path) -> None:
    found = _audited(tmp_path, IDLE, claims=CLAIM.format(epsilon=1.0)).check("epsilon.consistency")
    assert found.status.value == "fail"
    (row,) = detailed(found).details["comparisons"]
    (lower,) = row["lower"]
    seen = OneRun.model_validate(_observed(tmp_path))
    assert lower["method"] == "one-run"
    assert lower["epsilon"] == pytest.approx(epsilon_lower(seen.guesses, seen.right, alpha=share("promises"), delta=1e-6))
    # Nobody is told that a claim holds which this many guesses could not have refuted.
    untested = _audited(tmp_path / "large", HONEST, claims=CLAIM.format(epsilon=9.0)).check("epsilon.consistency")
    assert untested.status.value != "pass"


@pytest.mark.usefixtures("unprinted")
def test_a_claim_of_differential_privacy_is_refuted_by_one_run_and_derived_again(tmp_path: Path) -> None:
    """Whatever is unlearned after: a model that knows its records by heart was not trained privately."""
    claim = "\n[claims]\ndp = {epsilon = 0.3, delta = 1e-9}\n"
    _case(tmp_path, HONEST, claims=claim)
    assert run(["check", str(tmp_path), "--only", "swap.quality,epsilon.consistency"]) == 1
    evidence = tmp_path / "audit" / "evidence.json"
    assert run(["verify", str(evidence)]) == 0
    checks = json.loads(evidence.read_bytes())["checks"]
    found = next(each for each in checks if each["id"] == "epsilon.consistency")
    (row,) = found["derived"]["comparisons"]
    assert (found["status"], row["claim"], row["delta"]) == ("fail", "dp", 1e-9)
    (lower,) = row["lower"]
    assert (lower["method"], lower["decides"]) == ("one-run-fdp", True)
    assert row["refutable"] >= lower["epsilon"] > 0.3
    report = (tmp_path / "audit" / "report.html").read_text(encoding="utf-8")
    assert "claimed differential privacy, for one record and the model before unlearning" in report


def _observed(folder: Path) -> object:
    audited = check(folder, only="swap.quality", jobs=2).evidence
    return next(each.observed for each in audited.checks if each.id == "swap.quality")["one_run"]  # type: ignore[index]


@pytest.mark.usefixtures("unprinted")
def test_evidence_of_a_single_run_is_derived_again(tmp_path: Path) -> None:
    _case(tmp_path, IDLE)
    assert run(["check", str(tmp_path), "--only", "swap.quality,epsilon.consistency"]) == 1
    assert run(["verify", str(tmp_path / "audit" / "evidence.json")]) == 0
    assert (tmp_path / "audit" / "report.html").exists()


def test_a_single_run_takes_three_trainings(tmp_path: Path) -> None:
    ahead = {each.name: each for each in rehearse(cases.read(_case(tmp_path, HONEST)), Options(workers=2)).ahead}
    assert (ahead["the SWAP game"].trainings, ahead["the SWAP game"].unlearnings) == (3, 2)


def test_what_it_can_refute_is_said_before_anything_is_trained(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = _case(tmp_path, HONEST, claims=CLAIM.format(epsilon=1.0))
    assert run(["validate", str(folder), "--no-run"]) == 0
    said = capfd.readouterr().out
    assert "Power of the single run: " in said
    assert "The claimed ε of 1 is refuted with a probability of 80 % only where" in said
    assert run(["validate", str(folder), "--no-run", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)["one_run"]
    best = epsilon_lower(found["guesses"], found["guesses"], alpha=share("promises"), delta=1e-6)
    assert found["epsilon_at_best"] == best > 1.0
    assert found["guesses"] == guessed(canaries(240, 0.3))
    # What was said beforehand is what the audit then says; to leave the claim open takes less.
    audited = check(folder, only="swap.quality,epsilon.consistency", jobs=2)
    (row,) = detailed(audited.check("epsilon.consistency")).details["comparisons"]
    assert row["refutable"] == found["epsilon_at_best"]
    assert 1.0 < row["noticed"] < found["epsilon_noticed"]


def test_a_plan_says_it_too_and_only_where_it_is_played(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = _case(tmp_path, HONEST)
    assert run(["check", str(folder), "--dry-run", "--only", "swap.quality"]) == 0
    said = capfd.readouterr().out
    assert "Power of the single run: " in said
    assert "cannot refute" not in said
    read = cases.read(folder)
    assert refutable(read, ("log.consistency",)) is None
    assert refutable(replace(read, settings=read.settings.model_copy(update={"swap": SwapTable()})), None) is None


def test_no_power_is_said_where_no_game_is_played() -> None:
    numbers = cases.read(SAMPLES / "diabetes-tree")
    assert (
        refutable(replace(numbers, settings=numbers.settings.model_copy(update={"swap": SwapTable(mode="one-run")})), None)
        is None
    )


@pytest.mark.parametrize("epsilon", [1.0, 9.0, 16.0, 17.0, 40.0])
def test_no_claim_is_called_refutable_that_all_right_guesses_leave(epsilon: float, tmp_path: Path) -> None:
    found = refutable(cases.read(_case(tmp_path, HONEST, claims=CLAIM.format(epsilon=epsilon))), None)
    assert found is not None
    assert found.epsilon is not None
    assert ("cannot refute" in told_foretold(found)) == (epsilon >= found.epsilon)
    shown = re.search(r"any ε below ([0-9.]+) ", told_foretold(found))
    assert shown is not None
    assert found.epsilon - 0.01 < float(shown[1]) <= found.epsilon


def test_a_run_without_power_says_so(tmp_path: Path) -> None:
    few = refutable(cases.read(_case(tmp_path / "few", HONEST, alpha=0.05, rows=200)), None)
    assert few is not None
    assert "none, as with 200 records" in told_foretold(few)
    claim = "\n[claims]\ncertified_removal = {epsilon = 1.0, delta = 0.06}\n"
    loose = refutable(cases.read(_case(tmp_path / "loose", HONEST, claims=claim)), None)
    assert loose is not None
    assert loose.epsilon is None
    assert "can refute no ε" in told_foretold(loose)


def test_where_many_models_cost_nothing_a_single_run_is_refused(tmp_path: Path) -> None:
    small_cases.write(tmp_path, *small_cases.problem())
    declared = tmp_path / "audit.toml"
    declared.write_text(declared.read_text(encoding="utf-8") + '\n[swap]\nmode = "one-run"\n', encoding="utf-8")
    with pytest.raises(InputError, match=r'swap.mode.*"pairs".*certified-removal'):
        cases.read(tmp_path)


def test_too_few_canaries_are_no_test(tmp_path: Path) -> None:
    found = _audited(tmp_path, IDLE, alpha=0.05, rows=200).check("swap.quality")
    assert found.status.value == "inconclusive"
    assert "a single run has 20 canaries; at least 40 are needed" in found.basis


@pytest.mark.parametrize(("count", "guesses"), [(40, 10), (47, 10), (48, 12), (164, 40)])
def test_guesses_are_fixed_beforehand(count: int, guesses: int) -> None:
    assert guessed(count) == guesses
    assert canaries(900, 0.1) == 164


@pytest.mark.parametrize(("records", "count"), [(220, 40), (209, 38)])
def test_forty_canaries_are_enough_for_a_single_run_and_fewer_are_none(tmp_path: Path, records: int, count: int) -> None:
    context = declared(case=case_facts(training_records=records), swap=SwapTable(mode="one-run", alpha=0.1))
    told = foretell(context)
    assert told.canaries == count
    assert (told.unplayable is None) is (count == 40)
    case = cases.read(_case(tmp_path, HONEST, alpha=0.1, rows=records))
    if count == 40:
        assert len(draw(case, seed=1).canaries) == count
    else:
        with pytest.raises(UnplayableError):
            draw(case, seed=1)


def counted(right: int, *, confidence: float = 0.95, before: int = 200, quality: float = 0.95) -> Finding:
    """Two hundred guesses, so many of them right after unlearning and before it."""
    context = declared(swap=SwapTable(mode="one-run", confidence=confidence), policy=Policy(min_quality=quality))
    return judge(context, OneRun(canaries=800, forgotten=400, right=right, right_before=before, right_retrained=100))


def limits(right: int, confidence: float) -> tuple[float, float]:
    tail = (1 - confidence) / 2
    return beta.ppf(tail, right, 201 - right), beta.ppf(1 - tail, right + 1, 200 - right)


@pytest.mark.parametrize(("declared_confidence", "used"), [(0.95, 0.95), (0.99, 0.95), (0.9, 0.9)])
def test_a_single_run_fails_where_guesses_are_apart_from_one_half_and_beyond_the_policy(
    declared_confidence: float, used: float
) -> None:
    """Of 200 guesses, as few or as many as hardly any honest case gives; the declared confidence is that of what is reported."""
    most = next(count for count in range(100, 201) if limits(count, 1 - share("quality"))[0] > 0.5)
    for right, status in ((most, Status.FAIL), (most - 1, Status.INCONCLUSIVE), (100, Status.INCONCLUSIVE)):
        for each in (right, 200 - right):
            assert counted(each, confidence=declared_confidence, quality=1.0).status is status
    least = next(count for count in range(100, 201) if limits(count, used)[0] > 0.5)
    for right, over in ((least, False), (201 - least, False), (200 - least, True)):
        derived = counted(right, confidence=declared_confidence).derived
        assert isinstance(derived, Derived)
        assert derived.over_unlearned is over


def test_a_share_apart_from_one_half_within_what_the_policy_leaves_is_no_failure() -> None:
    certain = 1 - share("quality")
    beyond = next(count for count in range(100, 201) if 2 * limits(count, certain)[0] - 1 > 0.05)
    assert limits(beyond - 1, certain)[0] > 0.5, "it is told apart, and within a Q of 0.95"
    assert counted(beyond).status is Status.FAIL
    assert counted(beyond - 1).status is Status.INCONCLUSIVE


def test_a_run_whose_guesses_before_unlearning_hold_one_half_is_blind() -> None:
    def blind(before: int) -> bool:
        (reason,) = [each for each in counted(100, before=before).reasons if each.code == "swap.one-run.before"]
        return bool(reason.parameters["blind"])

    least = next(count for count in range(100, 201) if limits(count, 0.95)[0] > 0.5)
    assert [blind(count) for count in (least, least - 1, 100, 201 - least, 200 - least)] == [False, True, True, True, False]


def test_coins_are_fair_and_know_nothing_of_the_records(tmp_path: Path) -> None:
    case = cases.read(_case(tmp_path, HONEST))
    drawn = [draw(case, seed=seed) for seed in range(200)]
    learned = sum(len(each.learned) for each in drawn)
    total = sum(len(each.canaries) for each in drawn)
    assert binom.ppf(1e-6, total, 0.5) < learned < binom.ppf(1 - 1e-6, total, 0.5)
    for each in drawn[:20]:
        assert np.isin(each.learned, each.canaries).all()
        assert not np.isin(each.others, each.canaries).any()
        assert sorted(np.concatenate(each.batches).tolist()) == each.learned.tolist()


def test_on_null_data_a_share_apart_from_one_half_comes_as_often_as_said(tmp_path: Path) -> None:
    # Whatever a model answers that does not depend on the coins, the count is Bin(r, 1/2).
    case = cases.read(_case(tmp_path, HONEST))
    count = canaries(len(case.train), 0.3)
    rng = np.random.default_rng(7)
    constant, ordered = np.zeros(count), np.arange(count, dtype=np.float64)
    trials, wrong = 2000, {"constant": 0, "ordered": 0, "drawn": 0}
    for seed in range(trials):
        drawn = draw(case, seed=seed)
        test = OneRunTest(case, drawn, seed=seed, level=Level.PROCESS, where=on_cpu())
        for name, scores in (("constant", constant), ("ordered", ordered), ("drawn", rng.normal(size=count))):
            wrong[name] += epsilon_lower(guessed(count), test.right(scores), alpha=0.05, delta=0.0) > 0
    assert count >= one_run.LEAST_CANARIES
    for name, times in wrong.items():
        assert times <= binom.ppf(0.9999, trials, 0.05), name
