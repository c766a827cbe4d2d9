"""Lower bounds on ε against claims and certificates, from what adversaries found on models made by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import t

from auditor import case as cases
from auditor.case import Case
from auditor.domain import Check, How, Standing, Status
from auditor.guarantees import derive_guarantees, fact
from auditor.observing.findings import Findings
from auditor.observing.swap import examined_claims
from auditor.observing.swap.consistency import judge
from auditor.observing.swap.scoring import Attacked, Guessed, Named, Scored
from swap_games import Memory, adversaries, attacked, certified, play, random_tree, records, small_game, write_case

PAIRS = 20
GAME = small_game(records(120, seed=1), seed=1, pairs=PAIRS, alpha=0.1)
WOBBLE = 0.05 * np.tile([-1.0, 1.0], PAIRS // 2)
ALPHA = 0.05 / 3
DELTA = 1e-5
CLAIM = "[claims]\ncertified_removal = {{ epsilon = {}, delta = 1e-5 }}\n"


def models(*means: float, right: int = 20, of: int = 40, members: int = 5, guesses: int = 10) -> Attacked:
    advantages = np.array(means or (0.0,))[:, None] + WOBBLE
    scored = Scored(advantages, np.full(advantages.shape, 0.5), np.full(len(advantages), 0.5), identical=False)
    return Attacked(scored, Named(right, of, 0), Guessed(guesses, members))


INNOCENT = models()


def case_of(folder: Path, tables: str = "", procedure: str | None = None) -> Case:
    return cases.read(write_case(folder, procedure or random_tree("retrain"), tables=tables))


def judged(
    case: Case, unlearned: Attacked = INNOCENT, *, learned: Attacked = INNOCENT, bound: float | None = None, quick: bool = False
) -> tuple[Check, Findings]:
    found = judge(case, GAME, unlearned=unlearned, learned=learned, null=INNOCENT, residual_bound=bound, quick=quick)
    (check,) = found.checks
    return check, found


def bounds(check: Check, at: int = 0) -> dict[str, float]:
    return {row["method"]: row["epsilon"] for row in check.details["comparisons"][at]["lower"]}


def test_a_leak_refutes_the_claim_by_as_much_as_was_found(tmp_path: Path) -> None:
    check, found = judged(case_of(tmp_path, CLAIM.format(0.1)), models(0.5, -0.1))
    half = float(t.ppf(1 - ALPHA / 4, PAIRS - 1)) * 0.05 / math.sqrt(PAIRS - 1)
    advantage = 0.5 - half
    expected = math.log((1 - 2 * DELTA) / (1 - advantage))
    assert bounds(check)["swap"] == pytest.approx(expected, abs=1e-9)
    assert bounds(check)["swap-paper"] == pytest.approx(math.log((2 + advantage - 4 * DELTA) / (2 - advantage)), abs=1e-9)
    assert bounds(check)["whole-set"] == bounds(check)["one-run"] == 0.0
    assert (check.status, check.threshold) == (Status.FAIL, 0.0)
    assert check.value == pytest.approx(expected - 0.1, abs=1e-9)
    assert check.basis.endswith("A lower bound lies above: what was claimed or certified is refuted.")
    assert [item.how for item in found.facts] == [How.REFUTED]
    assert {row["null"] for row in check.details["comparisons"][0]["lower"]} == {0.0}


def test_a_leak_the_other_way_round_refutes_as_well(tmp_path: Path) -> None:
    case = case_of(tmp_path, CLAIM.format(0.1))
    assert bounds(judged(case, models(0.1, -0.5))[0]) == bounds(judged(case, models(0.5, -0.1))[0])


def test_the_paper_bound_informs_and_decides_nothing(tmp_path: Path) -> None:
    """Theorem 3.6 read backward is the looser one: where it alone lay above, nothing would be refuted."""
    check, _ = judged(case_of(tmp_path, CLAIM.format(0.1)), models(0.5))
    decides = {row["method"]: row["decides"] for row in check.details["comparisons"][0]["lower"]}
    assert decides == {"swap": True, "swap-paper": False, "whole-set": True, "one-run": True}
    assert bounds(check)["swap-paper"] < bounds(check)["swap"]


def test_naming_every_side_refutes_alone(tmp_path: Path) -> None:
    check, _ = judged(case_of(tmp_path, CLAIM.format(1.0)), models(right=40))
    expected = math.log((1 - 2 * DELTA) / (2 - 2 * ALPHA ** (1 / 40)))
    assert bounds(check)["whole-set"] == pytest.approx(expected, abs=1e-9)
    assert check.value == pytest.approx(expected - 1.0, abs=1e-9)
    assert check.status is Status.FAIL
    assert judged(case_of(tmp_path, CLAIM.format(1.0)), models(right=0))[0].status is Status.PASS


def test_joint_guesses_refute_alone(tmp_path: Path) -> None:
    check, _ = judged(case_of(tmp_path, CLAIM.format(1.0)), models(members=60, guesses=70))
    tail = Fraction(sum(math.comb(70, k) for k in range(60, 71)), 2**70)
    expected = math.log(float((Fraction(ALPHA) - Fraction(DELTA)) / tail))
    assert bounds(check)["one-run"] == pytest.approx(expected, abs=1e-9)
    assert check.status is Status.FAIL


def test_no_couple_told_apart_gives_no_bound(tmp_path: Path) -> None:
    check, _ = judged(case_of(tmp_path, CLAIM.format(0.0)), models(guesses=0, members=0))
    assert check.status is Status.PASS
    assert bounds(check)["one-run"] == 0.0
    null = models(guesses=0, members=0)
    found = judge(
        case_of(tmp_path, CLAIM.format(0.0)),
        GAME,
        unlearned=INNOCENT,
        learned=INNOCENT,
        null=null,
        residual_bound=None,
        quick=False,
    )
    assert {row["null"] for row in found.checks[0].details["comparisons"][0]["lower"]} == {0.0}


def test_a_delta_that_leaves_no_error_leaves_the_joint_guesses_out(tmp_path: Path) -> None:
    claim = "[claims]\ncertified_removal = { epsilon = 0.1, delta = 0.02 }\n"
    check, _ = judged(case_of(tmp_path, claim), models(members=70, guesses=70))
    assert "one-run" not in bounds(check)
    assert check.status is Status.PASS


@pytest.mark.parametrize("epsilon", [0.0, 0.5])
def test_what_leaks_nothing_stays_consistent_with_every_claim(tmp_path: Path, epsilon: float) -> None:
    check, found = judged(case_of(tmp_path, CLAIM.format(epsilon)))
    assert (check.status, check.value) == (Status.PASS, -epsilon)
    assert check.basis.endswith("None lies above.")
    assert [(item.name, item.how) for item in found.facts] == [("unrefuted", How.MEASURED)]
    assert {item.kind for item in found.certificates} == {"swap", "one-run"}
    assert examined_claims([check]) == {"certified_removal"}


def test_a_claim_of_0_stands_where_everything_was_trained_anew(tmp_path: Path) -> None:
    data = records(120, seed=1)
    played = play(GAME, Memory(data, remembers=2.0))
    adversary = adversaries(data, GAME, played, seed=1)
    null = attacked(adversary, played.null(), kind="fresh")
    case = case_of(tmp_path, CLAIM.format(0.0))
    for models_, status in ((played.unlearned, Status.PASS), (played.learned, Status.FAIL)):
        own = attacked(adversary, models_, kind="procedure")
        found = judge(case, GAME, unlearned=own, learned=own, null=null, residual_bound=None, quick=False)
        assert found.checks[0].status is status


def test_a_quick_run_refutes_nothing(tmp_path: Path) -> None:
    check, found = judged(case_of(tmp_path, CLAIM.format(0.1)), models(0.5), quick=True)
    assert (check.status, found.facts) == (Status.INCONCLUSIVE, ())
    assert check.basis.endswith("run without --quick.")
    assert check.value is not None
    assert check.value > 0


def test_without_any_epsilon_there_is_nothing_to_compare(tmp_path: Path) -> None:
    check, found = judged(case_of(tmp_path), models(0.5, right=40))
    assert (check.status, check.value, check.details) == (Status.SKIPPED, None, {})
    assert "no ε is claimed or certified" in check.basis
    assert (found.certificates, found.facts) == ((), ())


def test_data_deletion_is_not_compared_and_says_why(tmp_path: Path) -> None:
    claims = "[claims]\ndata_deletion = { q = 2.0, epsilon = 0.1 }\n"
    check, found = judged(case_of(tmp_path, claims), models(0.5, right=40))
    assert check.status is Status.SKIPPED
    assert "one person in Rényi divergence" in check.basis
    (row,) = check.details["comparisons"]
    assert (row["compared"], row["gap"], row["lower"]) == (False, None, [])
    assert found.facts == ()
    assert examined_claims([check]) == frozenset()


def test_differential_privacy_speaks_of_the_group_and_of_the_model_before(tmp_path: Path) -> None:
    case = case_of(tmp_path, "[claims]\ndp = { epsilon = 0.02, delta = 1e-9 }\n")
    check, found = judged(case, models(0.5, right=40), learned=INNOCENT)
    (row,) = check.details["comparisons"]
    assert GAME.forgotten == 5
    assert row["epsilon"] == pytest.approx(0.1, abs=1e-12)
    assert row["delta"] == pytest.approx(1e-9 * math.expm1(0.1) / math.expm1(0.02), rel=1e-9)
    assert check.status is Status.PASS
    assert "one-run" not in bounds(check)
    check, found = judged(case, INNOCENT, learned=models(0.5))
    assert check.status is Status.FAIL
    assert found.facts == ()
    assert examined_claims([check]) == {"dp"}


def test_differential_privacy_that_says_nothing_of_so_many_is_not_compared(tmp_path: Path) -> None:
    check, _ = judged(case_of(tmp_path, "[claims]\ndp = { epsilon = 8.0, delta = 1e-5 }\n"), learned=models(0.5))
    assert check.status is Status.SKIPPED
    assert "for so many people at once the claim says nothing" in check.basis


def test_a_newton_claim_is_not_compared_beyond_what_its_own_bounds_promise(tmp_path: Path) -> None:
    case = case_of(tmp_path, CLAIM.format(1.0), certified("newton"))
    check, found = judged(case, models(0.9), bound=100.0)
    certificate, claim = check.details["comparisons"]
    assert certificate["epsilon"] > 1000
    assert not claim["compared"]
    assert claim["why"].startswith("the claim speaks of the log's removals; the game removes 5 of 55 records at once")
    assert claim["why"].endswith(f"promise ε = {certificate['epsilon']:.4g} only")
    assert claim["lower"] == []
    assert examined_claims([check]) == frozenset()
    assert check.status is Status.PASS
    # Nothing could have refuted so large an ε, so nothing was learned, and the check says so.
    assert certificate["epsilon"] > certificate["refutable"] > 1
    assert "no outcome of this run could have refuted more than" in check.basis
    assert found.facts == ()


def test_a_certificate_answers_for_the_removals_of_the_game(tmp_path: Path) -> None:
    """With a bound of 0.01 at σ = 1 the removals are certified at a small ε: the Gaussian ceiling is held against it."""
    case = case_of(tmp_path, CLAIM.format(1.0), certified("newton"))
    check, found = judged(case, models(0.9), bound=0.01)
    certificate, claim = check.details["comparisons"]
    assert (certificate["source"], claim["source"]) == ("certificate", "claim")
    assert 0 < certificate["epsilon"] < 0.1
    assert certificate["compared"]
    assert claim["compared"]
    assert bounds(check, 0)["swap"] > bounds(check, 1)["swap"] > 1.0
    assert check.status is Status.FAIL
    assert check.value == pytest.approx(bounds(check, 0)["swap"] - certificate["epsilon"], abs=1e-12)
    assert [item.how for item in found.facts] == [How.REFUTED]


@pytest.mark.parametrize(("leak", "standing"), [(0.5, Standing.REFUTED), (0.0, Standing.SHOWN)])
def test_a_refuted_claim_refutes_the_guarantee(tmp_path: Path, leak: float, standing: Standing) -> None:
    """Whatever else is known: every other premise is given here."""
    _, found = judged(case_of(tmp_path, CLAIM.format(0.1)), models(leak))
    premises = ("retrained", "release-reproduced", "log-consistent", "log-complete", "requests-fixed", "preprocessing-clean")
    given: list[Any] = [fact(name, How.COMPUTED, "given") for name in premises]
    (guarantee, *_) = derive_guarantees([*given, *found.facts], epsilon=0.1, delta=DELTA)
    expected = Standing.SUPPORTED if standing is Standing.SHOWN else standing
    assert guarantee.status is expected
    assert (guarantee.epsilon is None) == (expected is Standing.REFUTED)
