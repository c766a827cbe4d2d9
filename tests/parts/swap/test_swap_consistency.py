"""Lower bounds on ε against claims and certificates, from what adversaries found on models made by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import t

from auditor import __version__
from auditor import case as cases
from auditor.attacks import WHOLE_SET
from auditor.base.domain import Check, ClaimStatus, Message, Provenance, Status
from auditor.base.promises import Approximate, Gaussian, Promise, Pure
from auditor.maths.certificates.privacy import group_delta, group_epsilon
from auditor.maths.tradeoff.promises import SubsampledGaussian
from auditor.maths.tradeoff.reading import epsilon_at, swap_ceiling
from auditor.pages.words import numbers, sentence
from auditor.parts.networks.settings import Torch
from auditor.parts.removal.settings import CertifiedRemoval
from auditor.parts.swap.judging.epsilon_consistency import CHECK, Observed, ceilings, examined_claims
from auditor.parts.swap.judging.epsilon_consistency.contributors import contributors
from auditor.parts.swap.judging.quality import Observed as Unplayed
from auditor.parts.swap.observing import outcome, scoring
from auditor.parts.swap.rules.swap import sharp_advantage_bound
from auditor.settings.tables import Claims, Policy, SwapTable
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding
from auditor.verdict.checks.levels import share
from auditor.verdict.guarantees import derive_guarantees, fact
from judging import audit_facts, case_facts, declared, judged_check
from swap_games import Memory, adversaries, play, random_tree, records, results, small_game, write_case
from swap_observed import INNOCENT, PAIRS, RECORDS, Models, as_earlier, game, models

REFUTES, OPENS = share("promises") / 2, share("promises-open") / 4
"""Of each of two exact tests; attacks on single records, which refute nothing with twenty pairs, leave open with two parts."""
DELTA = 1e-5
NEWTON = CertifiedRemoval(l2=1e-2, sigma=1.0, epsilon=1.0, delta=1e-4, unlearn="newton")


def claiming(**claims: Any) -> Context:
    """A hundred and twenty records, of which a game forgets 5 of 55."""
    return declared(case=case_facts(training_records=RECORDS), claims=Claims.model_validate(claims))


def removing(epsilon: float, delta: float = DELTA, **changes: Any) -> Context:
    context = claiming(certified_removal={"epsilon": epsilon, "delta": delta})
    return replace(context, **changes)


def judged(context: Context, *given: Models, **more: Any) -> tuple[Check, Finding]:
    return judged_check(CHECK, context, *game(*given, **more))


def bounds(check: Check, at: int = 0) -> dict[str, float]:
    return {row["method"]: row["epsilon"] for row in check.details["comparisons"][at]["lower"]}


def test_a_leak_that_few_pairs_show_leaves_the_claim_open_and_says_how_many_decide() -> None:
    check, found = judged(removing(0.1), models(0.5, -0.1))
    half = float(t.ppf(1 - 2 * OPENS / 4, PAIRS - 1)) * 0.05 / math.sqrt(PAIRS - 1)
    advantage = 0.5 - half
    expected = math.log((1 - 2 * DELTA) / (1 - advantage))
    assert bounds(check)["swap"] == pytest.approx(expected, abs=1e-9)
    assert bounds(check)["swap-paper"] == pytest.approx(math.log((2 + advantage - 4 * DELTA) / (2 - advantage)), abs=1e-9)
    assert bounds(check)["whole-set"] == bounds(check)["one-run"] == 0.0
    assert (check.status, check.threshold, check.value) == (Status.INCONCLUSIVE, 0.0, -0.1)
    (row,) = check.details["comparisons"]
    assert row["lower"][0]["suspected"] == bounds(check)["swap"]
    assert row["enough"] == 100
    assert (
        "the best attack on single records shows ε of at least 0.6098. If more of them come out the same, 100 pairs"
        in check.basis
    )
    assert found.facts == ()
    assert examined_claims(found) == frozenset()
    assert {lower["null"] for lower in row["lower"]} == {0.0}


def test_as_many_pairs_as_were_said_to_decide_refute() -> None:
    context = removing(0.1, swap=SwapTable(pairs=100))
    check, found = judged(context, models(0.5, -0.1), times=5)
    lower = check.details["comparisons"][0]["lower"][0]
    assert (lower["method"], lower["decides"]) == ("swap", True)
    assert lower["confidence"] == pytest.approx(1 - share("promises") / 3)
    assert lower["suspected"] > lower["epsilon"] > 0.1
    assert check.status is Status.FAIL
    assert check.value == pytest.approx(lower["epsilon"] - 0.1, abs=1e-12)
    assert check.basis.endswith("A lower bound lies above: what was claimed or certified is refuted.")
    assert [item.how for item in found.facts] == [Provenance.REFUTED]


def test_what_exact_tests_show_without_enough_confidence_leaves_open() -> None:
    """Of 40 sides 31 named right: once in 3,000 runs of what leaks nothing, oftener than a refutation may be wrong."""
    check, found = judged(removing(0.02), models(right=31))
    assert check.status is Status.INCONCLUSIVE
    (row,) = check.details["comparisons"]
    whole_set = row["lower"][2]
    assert (whole_set["method"], whole_set["decides"]) == ("whole-set", True)
    assert whole_set["epsilon"] < 0.02 < whole_set["suspected"]
    assert PAIRS < row["enough"] < 100
    assert found.facts == ()


def test_a_leak_the_other_way_round_refutes_as_well() -> None:
    context = removing(0.1)
    assert bounds(judged(context, models(0.1, -0.5))[0]) == bounds(judged(context, models(0.5, -0.1))[0])


def test_the_paper_bound_informs_and_decides_nothing() -> None:
    """Theorem 3.6 read backward is the looser one: where it alone lay above, nothing would be refuted."""
    check, _ = judged(removing(0.1), models(0.5))
    decides = {row["method"]: row["decides"] for row in check.details["comparisons"][0]["lower"]}
    assert decides == {"swap": False, "swap-paper": False, "whole-set": True, "one-run": True}
    assert bounds(check)["swap-paper"] < bounds(check)["swap"]


def test_naming_every_side_refutes_alone() -> None:
    check, _ = judged(removing(0.5), models(right=40))
    expected = math.log((1 - 2 * DELTA) / (2 - 2 * REFUTES ** (1 / 40)))
    assert bounds(check)["whole-set"] == pytest.approx(expected, abs=1e-9)
    assert check.value == pytest.approx(expected - 0.5, abs=1e-9)
    assert check.status is Status.FAIL
    assert judged(removing(1.0), models(right=0))[0].status is Status.PASS


def test_joint_guesses_refute_alone() -> None:
    check, _ = judged(removing(1.0), models(members=60, guesses=70))
    tail = Fraction(sum(math.comb(70, k) for k in range(60, 71)), 2**70)
    expected = math.log(float((Fraction(REFUTES) - Fraction(DELTA)) / tail))
    assert bounds(check)["one-run"] == pytest.approx(expected, abs=1e-9)
    assert check.status is Status.FAIL


def test_no_couple_told_apart_gives_no_bound() -> None:
    check, _ = judged(removing(0.0), models(guesses=0, members=0))
    assert check.status is Status.SKIPPED
    assert bounds(check)["one-run"] == 0.0
    check, _ = judged(removing(0.0), retrained=models(guesses=0, members=0))
    assert {row["null"] for row in check.details["comparisons"][0]["lower"]} == {0.0}


def test_a_delta_that_leaves_no_error_to_refute_with_lets_joint_guesses_leave_open() -> None:
    check, _ = judged(removing(0.1, delta=1e-3), models(members=70, guesses=70))
    lower = check.details["comparisons"][0]["lower"][3]
    assert (lower["method"], lower["decides"], lower["epsilon"]) == ("one-run", False, lower["suspected"])
    assert lower["suspected"] > 40
    assert check.status is Status.INCONCLUSIVE


def test_a_delta_that_leaves_no_error_at_all_leaves_the_joint_guesses_out() -> None:
    check, _ = judged(removing(0.1, delta=0.02), models(members=70, guesses=70))
    assert "one-run" not in bounds(check)
    # A δ so large promises nothing, whatever no attack refutes.
    assert (check.status, check.value) == (Status.INCONCLUSIVE, -0.1)
    assert "is not below 1/n" in check.basis


def test_what_leaks_nothing_stays_consistent_with_a_claim_near_which_something_would_have_been_noticed() -> None:
    check, found = judged(removing(0.5))
    assert (check.status, check.value) == (Status.PASS, -0.5)
    assert "would have been refuted or left open with 80 % probability" in check.basis
    assert [(item.name, item.how) for item in found.facts] == [("unrefuted", Provenance.MEASURED)]
    assert {item.kind for item in found.certificates} == {"swap", "one-run"}
    assert examined_claims(found) == {"certified_removal"}


def test_a_claim_of_0_stands_where_everything_was_trained_anew(tmp_path: Path) -> None:
    data = records(RECORDS, seed=1)
    drawn = small_game(data, seed=1, pairs=PAIRS, alpha=0.1)
    played = play(drawn, Memory(data, remembers=2.0))
    adversary = adversaries(data, drawn, played, seed=1)
    case = cases.read(write_case(tmp_path, random_tree("retrain")))
    # Near a claim of 0 there is nothing that could be noticed: it is refuted, or it was not tested.
    for unlearned, status in ((played.unlearned, Status.SKIPPED), (played.learned, Status.FAIL)):
        found = results(adversary, replace(played, unlearned=unlearned))
        by_id = scoring.observe(case, drawn, found)
        observed = Observed(swap=outcome.observe(case, found, None), games=None, simulated=None)
        earlier = {name: Finding(Status.SKIPPED, observed=each) for name, each in by_id.items()}
        assert judged_check(CHECK, removing(0.0), observed, earlier)[0].status is status


def test_a_quick_run_refutes_nothing() -> None:
    check, found = judged(removing(0.1, audit=audit_facts(quick=True)), models(0.5, right=40))
    assert (check.status, found.facts) == (Status.INCONCLUSIVE, ())
    assert check.basis.endswith("run without --quick.")
    assert check.value is not None
    assert check.value > 0


def test_without_any_epsilon_there_is_nothing_to_compare() -> None:
    check, found = judged(claiming(), models(0.5, right=40))
    assert (check.status, check.value, check.details) == (Status.SKIPPED, None, {})
    assert check.basis.endswith("against: no ε is claimed or certified.")
    assert (found.certificates, found.facts) == ((), ())


def test_data_deletion_is_not_compared_and_says_why() -> None:
    check, found = judged(claiming(data_deletion={"q": 2.0, "epsilon": 0.1}), models(0.5, right=40))
    assert check.status is Status.SKIPPED
    assert "one person in Rényi divergence" in check.basis
    (row,) = check.details["comparisons"]
    assert (row["compared"], row["gap"], row["lower"]) == (False, None, [])
    assert found.facts == ()
    assert examined_claims(found) == frozenset()


def test_differential_privacy_speaks_of_the_group_and_of_the_model_before() -> None:
    context = claiming(dp={"epsilon": 0.02, "delta": 1e-9})
    check, found = judged(context, models(0.5, right=40), do_nothing=INNOCENT)
    (row,) = check.details["comparisons"]
    assert row["epsilon"] == pytest.approx(0.1, abs=1e-12)
    assert row["delta"] == pytest.approx(1e-9 * math.expm1(0.1) / math.expm1(0.02), rel=1e-9)
    assert check.status is Status.PASS
    assert "one-run" not in bounds(check)
    check, found = judged(context, INNOCENT, do_nothing=models(0.5))
    assert check.status is Status.INCONCLUSIVE
    check, found = judged(context, INNOCENT, do_nothing=models(0.5, right=40))
    assert check.status is Status.FAIL
    assert found.facts == ()
    assert examined_claims(found) == {"dp"}


def test_differential_privacy_that_says_nothing_of_so_many_is_not_compared() -> None:
    check, _ = judged(claiming(dp={"epsilon": 8.0, "delta": 1e-5}), do_nothing=models(0.5))
    assert check.status is Status.SKIPPED
    assert "for so many people at once the claim says nothing" in check.basis


def training(noise_multiplier: float) -> Context:
    """Eight steps on 32 of 55 records each, at a δ of 1e-5."""
    private = {"noise_multiplier": noise_multiplier, "max_grad_norm": 1.0, "delta": DELTA}
    network = {"model": "mlp", "params": {"hidden": [8]}, "epochs": 4, "batch": 32, "rate": 0.5, "dp": private}
    return replace(claiming(), procedure=Torch.model_validate({**network, "seed": "265730418829614037752918430066192847351"}))


def test_noise_in_training_is_held_against_at_the_distribution_of_all_that_the_game_forgets() -> None:
    """An advantage that five times ε allows, and the distribution of five records does not, refutes the noise."""
    check, found = judged(training(60.0), INNOCENT, do_nothing=models(0.5, right=40))
    (row,) = check.details["comparisons"]
    (one,) = (each for each in found.certificates if each.kind == "dp-sgd")
    names = ("noise_multiplier", "sample_rate", "steps")
    promise = SubsampledGaussian(**{name: one.inputs[name] for name in names}, group=5)
    assert row["delta"] == DELTA
    assert row["epsilon"] == epsilon_at(promise, DELTA)
    together = group_epsilon(one.epsilon or 0.0, 5), group_delta(one.epsilon or 0.0, DELTA, 5)
    assert swap_ceiling(promise) < sharp_advantage_bound(*together) / 2
    assert check.status is Status.FAIL
    assert ("dp-per-subject", Provenance.REFUTED) in {(each.name, each.how) for each in found.facts}
    # Nothing of a distribution but the ε of its promise stands in evidence.
    assert {each.kind for each in found.certificates} == {"dp-sgd", "swap"}


@pytest.mark.parametrize("noise_multiplier", [12.0, 20.0, 40.0, 60.0])
def test_noise_in_training_is_refuted_exactly_beyond_its_ceiling(noise_multiplier: float) -> None:
    """And the ε that an advantage shows rises with it, and never exceeds what less noise gives."""
    context = training(noise_multiplier)
    noise = context.procedure.noise_of_training(55)
    assert noise is not None
    promise = SubsampledGaussian(noise_multiplier=noise.multiplier, sample_rate=noise.sample_rate, steps=noise.steps, group=5)
    ceiling, epsilon = swap_ceiling(promise), epsilon_at(promise, DELTA)
    advantages = [0.0, ceiling / 2, ceiling, math.nextafter(ceiling, 1), ceiling * 1.05, ceiling * 1.3, 1.0]
    found = [ceilings.shown(promise, min(1.0, each), DELTA, epsilon=epsilon) for each in advantages]
    assert [each > epsilon for each in found] == [False] * 3 + [True] * 4
    assert found == sorted(found)
    halved = replace(promise, noise_multiplier=promise.noise_multiplier / 2)
    at = swap_ceiling(halved)
    assert ceilings.shown(promise, at, DELTA, epsilon=epsilon) <= max(epsilon_at(halved, DELTA), sharp(at))


@pytest.mark.parametrize("advantage", [0.0, 1e-9, 0.2, 0.5, 0.999, 1.0])
@pytest.mark.parametrize("promise", [Gaussian(mu=1.0), Approximate(epsilon=1.0, delta=DELTA), Pure(epsilon=1.0)])
def test_what_an_advantage_shows_is_what_its_certificate_says(promise: Promise, advantage: float) -> None:
    """The number is worked out without the certificate that the evidence holds: both must be one."""
    outputs = ceilings.of_advantage(advantage, DELTA).outputs
    number = "gaussian_epsilon_lower" if isinstance(promise, Gaussian) else "epsilon_lower"
    assert ceilings.shown(promise, advantage, DELTA, epsilon=1.0) == outputs[number]


def sharp(advantage: float) -> float:
    """The ε that any mechanism exceeds that shows so much."""
    return math.log((1 - 2 * DELTA) / (1 - advantage))


def test_noise_in_training_that_says_nothing_of_so_many_is_not_compared() -> None:
    check, _ = judged(training(0.5), do_nothing=models(0.5))
    assert check.status is Status.SKIPPED
    (row,) = check.details["comparisons"]
    assert (row["compared"], row["epsilon"]) == (False, None)
    assert "for so many people at once the noise says nothing" in check.basis


def test_the_ceiling_of_certified_removal_is_that_of_its_gaussian_shift() -> None:
    _, found = judged(removing(1.0, procedure=NEWTON), INNOCENT, bound=0.01)
    ceiling = next(each for each in found.certificates if each.kind == "tradeoff")
    spent = next(each for each in found.certificates if each.kind == "removal-budget")
    mu = ceiling.inputs["mu"]
    assert mu == spent.inputs["beta"] / spent.inputs["sigma"]
    assert ceiling.outputs["swap_ceiling"] == pytest.approx(math.erf(mu / math.sqrt(2)), rel=1e-12)
    assert ceiling.outputs["swap_ceiling"] < sharp_advantage_bound(spent.outputs["epsilon_spent"], NEWTON.delta or 0.0)
    # Of the claim no more is known than ε and δ.
    (claimed,) = (each for each in found.certificates if each.kind == "swap" and "epsilon" in each.inputs)
    assert (claimed.inputs["epsilon"], claimed.inputs["delta"]) == (1.0, DELTA)


def test_a_newton_claim_is_not_compared_beyond_what_its_own_bounds_promise() -> None:
    check, found = judged(removing(1.0, procedure=NEWTON), models(0.9), bound=100.0)
    certificate, claim = check.details["comparisons"]
    assert certificate["epsilon"] > 1000
    assert not claim["compared"]
    assert claim["why"].startswith("the claim is about the log's removals; the game removes 5 of 55 records at once")
    assert claim["why"].endswith(f"promise ε = {numbers.number(certificate['epsilon'])} only")
    assert claim["lower"] == []
    assert examined_claims(found) == frozenset()
    assert check.status is Status.SKIPPED
    assert "Not tested: nothing of this run could be compared with the claim certified_removal (ε = 1)" in check.basis
    # Nothing could have refuted so large an ε either.
    assert certificate["epsilon"] > certificate["refutable"] > 1
    assert certificate["noticed"] is None
    assert found.facts == ()


def test_a_claim_near_which_nothing_would_have_been_noticed_is_not_tested() -> None:
    """What would have been noticed beside a claim of 0.01 is far from it, and near a claim of as much."""
    small, found = judged(removing(0.01), models())
    (row,) = small.details["comparisons"]
    assert (small.status, small.value) == (Status.SKIPPED, -0.01)
    assert row["noticed"] > 0.02
    assert "Not tested: the claim certified_removal (ε = 0.01). This run would have noticed, with 80 % probability" in small.basis
    assert (found.facts, examined_claims(found)) == ((), frozenset())
    near, _ = judged(removing(row["noticed"]), models())
    (again,) = near.details["comparisons"]
    assert near.status is Status.PASS
    assert row["noticed"] < again["noticed"] < 2 * row["noticed"]


def test_where_the_policy_lists_the_check_a_claim_that_was_not_tested_leaves_it_open() -> None:
    listed = removing(0.01, policy=Policy(required=("epsilon.consistency",)))
    assert judged(listed, models())[0].status is Status.INCONCLUSIVE
    assert judged(listed, models(right=40))[0].status is Status.FAIL


def test_a_claim_that_promises_nothing_stays_open_though_it_was_not_tested() -> None:
    check, _ = judged(removing(9.0), INNOCENT)
    assert check.status is Status.INCONCLUSIVE
    assert "It promises nothing" in check.basis


def test_of_two_claims_both_have_to_be_tested() -> None:
    both = claiming(certified_removal={"epsilon": 0.5, "delta": DELTA}, data_deletion={"q": 2.0, "epsilon": 0.1})
    check, _ = judged(both)
    assert check.status is Status.SKIPPED
    assert "could be compared with the claim data_deletion (ε = 0.1): it is about one person" in check.basis
    assert "the claim certified_removal (ε = 0.5) would have been refuted or left open with 80 % probability" in check.basis


def test_a_certificate_answers_for_the_removals_of_the_game() -> None:
    """With a bound of 0.01 at σ = 1 the removals are certified at a small ε: the Gaussian ceiling is held against it."""
    check, found = judged(removing(1.0, procedure=NEWTON), models(0.9, right=40), bound=0.01)
    certificate, claim = check.details["comparisons"]
    assert (certificate["source"], claim["source"]) == ("certificate", "claim")
    assert 0 < certificate["epsilon"] < 0.1
    assert certificate["compared"]
    assert claim["compared"]
    assert bounds(check, 0)["swap"] > bounds(check, 1)["swap"] > 1.0
    assert check.status is Status.FAIL
    assert bounds(check, 0)["whole-set"] > bounds(check, 1)["whole-set"] > 0.9
    assert check.value == pytest.approx(bounds(check, 0)["whole-set"] - certificate["epsilon"], abs=1e-12)
    assert [item.how for item in found.facts] == [Provenance.REFUTED]


@pytest.mark.parametrize(("leak", "standing"), [(0.5, ClaimStatus.REFUTED), (0.0, ClaimStatus.SHOWN)])
def test_a_refuted_claim_refutes_the_guarantee(leak: float, standing: ClaimStatus) -> None:
    """Whatever else is known: every other premise is given here."""
    _, found = judged(removing(0.1), models(right=40 if leak else 20))
    premises = ("retrained", "release-reproduced", "log-consistent", "log-complete", "requests-fixed", "preprocessing-clean")
    given = [fact(name, Provenance.COMPUTED, Message("fact.not-examined")) for name in premises]
    (guarantee, *_) = derive_guarantees([*given, *found.facts], epsilon=0.1, delta=DELTA)
    expected = ClaimStatus.SUPPORTED if standing is ClaimStatus.SHOWN else standing
    assert guarantee.status is expected
    assert (guarantee.epsilon is None) == (expected is ClaimStatus.REFUTED)


def test_the_adversary_is_called_as_it_calls_itself() -> None:
    assert f"({WHOLE_SET.title})" in sentence(Message("epsilon.consistency.method.whole-set"))


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"task": "regression"}, "The SWAP test is for classifiers, and this case has no classes."),
        ({"training_records": 60}, "No attack gave a lower bound on ε: with 60 records and alpha = 0.1 a split has 3 records to"),
    ],
)
def test_without_a_game_it_says_why(facts: dict[str, Any], words: str) -> None:
    observed, none = Observed(swap=None, games=None, simulated=None), Unplayed(unplayable="few-to-forget")
    check, found = judged_check(CHECK, declared(case=case_facts(**facts)), observed, as_earlier(none, None))
    assert (check.status, check.details) == (Status.SKIPPED, {})
    assert check.basis.startswith(words)
    assert (found.certificates, found.facts) == ((), ())


def test_a_game_that_was_played_has_to_be_observed() -> None:
    observed, _ = game()
    with pytest.raises(TypeError, match="played and not observed"):
        judged_check(CHECK, claiming(), observed, as_earlier(None, None))


def test_what_others_bring_is_found_wherever_it_is_judged() -> None:
    found = contributors(__version__)
    assert [each.name for each in found] == ["tradeoff", "requester", "chains"]
    assert contributors("0.2.0") == found
    assert len({each.place for each in found}) == len(found)
