"""What hand-made observations mean: every status of the SWAP checks, and the words that go with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError
from scipy.stats import beta, t

from auditor.attacks import attacks
from auditor.base.domain import Check, Message, Provenance, Status
from auditor.parts.swap.judging import controls, quality, strong
from auditor.parts.swap.judging.estimates import Identical, PairAcceptances, PairAdvantages
from auditor.settings.learning import Foreign
from auditor.settings.tables import Policy, SwapTable
from auditor.verdict.checks import definitions
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding
from auditor.verdict.guarantees import fact
from judging import case_facts, declared
from swap_games import judged

PAIRS = 20
NAMES = ("loss", "rmia")
"""In the order of the catalogue."""
FORGOTTEN = 5
WOBBLE = 0.05 * np.tile([-1.0, 1.0], PAIRS // 2)
"""Has mean 0 and a sample standard deviation of 0.05 √(20/19)."""
HALF = float(t.ppf(1 - 0.05 / 4, PAIRS - 1)) * 0.05 / np.sqrt(PAIRS - 1)
"""Half of the interval that it gets beside a second attack."""
NOTHING = (0.5, 0.4)
"""The advantages on models left as they were."""


DECLARED = declared(case=case_facts(training_records=120))
"""120 records, so that a split of 60 at alpha = 0.1 forgets 5."""


def allowed(mean: float, idle: float) -> float:
    """What as many failing models as the mean amounts to leave open, by the baseline's advantage."""
    models = 2 * PAIRS
    failing = models * abs(mean) / abs(idle) if abs(mean) < abs(idle) else models
    return 0.0 if idle == 0 else abs(idle) * (1.0 if failing == models else float(beta.ppf(0.975, failing + 1, models - failing)))


def with_policy(context: Context, **keys: Any) -> Context:
    return replace(context, policy=Policy(**keys))


def quickly(context: Context) -> Context:
    return replace(context, audit=context.audit.model_copy(update={"quick": True}))


def found(*means: float, spread: float = 1.0, size: int = PAIRS) -> dict[str, tuple[float, ...]]:
    """Pair advantages about these means, by attack."""
    wobble = WOBBLE if size == PAIRS else np.zeros(size)
    return {name: tuple((mean + spread * wobble).tolist()) for name, mean in zip(NAMES, means, strict=True)}


def observed(*means: float, nothing: tuple[float, ...] = NOTHING, **changes: Any) -> quality.Observed:
    """Two attacks with these mean advantages on the procedure's models; as much accepted as after retraining."""
    half = found(0.5, 0.5, spread=0.0)
    pairs = len(changes["pair_advantages"].procedure["loss"]) if "pair_advantages" in changes else PAIRS
    given: dict[str, Any] = {
        "pair_advantages": PairAdvantages(
            procedure=found(*means), do_nothing=found(*nothing), retrained=found(0.0, 0.0), control=found(0.0, 0.0, spread=0.0)
        ),
        "pair_acceptances": PairAcceptances(procedure=half, retrained=half),
        "undecided": {"loss": 0.3, "rmia": 0.2},
        "forgotten": (FORGOTTEN,) * pairs,
        "batches": 1,
        "areas": {"loss": 0.7, "rmia": 0.6},
        "reference_models": 6,
    }
    return quality.Observed(**(given | changes))


def advantages_of(given: quality.Observed, **kinds: Mapping[str, tuple[float, ...]]) -> quality.Observed:
    return given.model_copy(update={"pair_advantages": given.pair_advantages.model_copy(update=kinds)})


def quality_of(context: Context, given: quality.Observed, deletion: Finding | None = None) -> Check:
    return judged(context, {"swap.quality": given}, deletion=deletion)["swap.quality"]


def strong_of(context: Context, **counts: Any) -> Check:
    given = {"models": 40, "named": 20, "named_do_nothing": 40, "named_retrained": 20}
    return judged(context, {"swap.strong": strong.Observed(**(given | counts))})["swap.strong"]


def controls_of(context: Context, **changes: Any) -> Check:
    given = {"pair_advantages": found(0.0, 0.0, spread=0.0), "identical": True}
    return judged(context, {"swap.controls": controls.Observed(**(given | changes))})["swap.controls"]


@pytest.mark.parametrize(
    ("means", "nothing", "status", "words"),
    [
        ((0.01, -0.02), NOTHING, Status.PASS, "unlearned other records instead, Q is between 0.4"),
        ((0.3, 0.1), NOTHING, Status.INCONCLUSIVE, "20 swap pairs; the attack that found most was loss."),
        ((0.1, -0.3), NOTHING, Status.INCONCLUSIVE, "the attack that found most was rmia."),
        ((0.1, 0.0), NOTHING, Status.INCONCLUSIVE, "on both sides of the threshold"),
        ((0.01, 0.0), (0.02, 0.0), Status.INCONCLUSIVE, "cannot tell good from bad"),
        ((0.01, 0.0), (0.1, 0.0), Status.INCONCLUSIVE, "cannot tell good from bad"),
        ((0.3, 0.0), (0.0, 0.0), Status.INCONCLUSIVE, "20 pairs are too few to fail a procedure"),
    ],
)
def test_every_status(means: tuple[float, float], nothing: tuple[float, float], status: Status, words: str) -> None:
    check = quality_of(with_policy(DECLARED, min_quality=0.9), observed(*means, nothing=nothing))
    assert check.status is status
    assert words in check.basis
    assert check.value == pytest.approx(1 - max(map(abs, means)), abs=1e-12)
    assert check.threshold == 0.9
    assert check.interval is not None
    low, high = check.interval
    outer = max(max(abs(mean) + HALF, allowed(mean, idle)) for mean, idle in zip(means, nothing, strict=True))
    assert low == pytest.approx(1 - outer, abs=1e-11)
    assert high == pytest.approx(min(1.0, 1 - max(abs(mean) for mean in means) + HALF), abs=1e-12)


def test_doing_nothing_never_passes_whatever_the_threshold() -> None:
    nothing = observed(0.12, 0.1, nothing=(0.12, 0.1))
    ends = quality_of(DECLARED, nothing).interval
    assert ends is not None
    for threshold in (*ends, 0.88, *np.linspace(0, 1, 41).tolist()):
        check = quality_of(with_policy(DECLARED, min_quality=threshold), nothing)
        assert check.status is Status.INCONCLUSIVE
        assert ("too few to fail a procedure" in check.basis) is (ends[1] < threshold)


@pytest.mark.parametrize("mean", [0.0, 0.5])
def test_a_quick_run_decides_nothing(mean: float) -> None:
    context = quickly(with_policy(DECLARED, required=("swap.strong",)))
    for check in (quality_of(context, observed(mean, 0.0)), strong_of(context, named=40), controls_of(context)):
        assert check.status is Status.INCONCLUSIVE
        assert check.basis.endswith("run without --quick.")
    informative = strong_of(quickly(DECLARED), named=40)
    assert informative.status is Status.SKIPPED
    assert informative.basis.endswith("Informative: the policy does not require it.")


@pytest.mark.parametrize(("means", "expected"), [((-0.3, 0.1), True), ((0.3, -0.1), False), ((-0.001, 0.0), False)])
def test_forgetting_too_well_is_named(means: tuple[float, float], expected: bool) -> None:
    assert quality_of(DECLARED, observed(*means)).details["over_unlearned"] is expected


def test_details_are_those_of_the_run() -> None:
    given = observed(0.1, -0.2)
    details = quality_of(DECLARED, given).details
    assert (details["pairs"], details["target_records"], details["retained"], details["forgotten"]) == (20, 60, 50, FORGOTTEN)
    assert (details["models"], details["alpha"], details["reference_models"]) == (1, 0.1, 6)
    assert (details["attack"], details["correction"]) == ("rmia", "Bonferroni over 2 attacks")
    assert details["mia_score"] == pytest.approx(0.3, abs=1e-12)
    assert details["plug_in_quality"] == pytest.approx(0.8, abs=1e-12)
    assert details["do_nothing"]["quality"] == pytest.approx(0.5, abs=1e-12)
    assert details["retrained"] == {"quality": 1.0}
    assert details["retrained_fresh"]["quality"] == pytest.approx(1.0, abs=1e-12)
    assert details["sign_flip_p"] == pytest.approx(1 / 20_001)
    assert (details["ic_score"], details["ic_why"]) == (None, "no two classes have enough records")
    assert not details["weighted"]
    rows: list[Mapping[str, Any]] = details["attacks"]
    assert [(row["name"], row["title"], row["source"]) for row in rows] == [
        (name, attacks()[name].title, attacks()[name].source) for name in NAMES
    ]
    assert [row["advantage"] for row in rows] == pytest.approx([0.1, -0.2], abs=1e-12)
    assert [row["do_nothing"]["advantage"] for row in rows] == pytest.approx([0.5, 0.4], abs=1e-12)
    assert [row["auc"] for row in rows] == [0.7, 0.6]
    assert tuple(details["pair_advantages"]["procedure"]["rmia"]) == given.pair_advantages.procedure["rmia"]


def test_scores_shown_alongside_are_those_that_were_observed() -> None:
    details = quality_of(DECLARED, observed(0.0, 0.0, ic_score=0.25, ic_score_retrained=0.75, weighted=True)).details
    assert (details["ic_score"], details["ic_score_retrained"], details["ic_why"]) == (0.25, 0.75, None)
    assert details["weighted"]


def test_the_order_of_the_attacks_in_a_document_means_nothing() -> None:
    """RFC 8785 sorts keys; where two attacks found equally much, the catalogue's order names the one."""
    given = observed(0.2, 0.2)
    turned = advantages_of(given, procedure=dict(reversed(given.pair_advantages.procedure.items())))
    again = quality.Observed.model_validate_json(json.dumps(turned.model_dump(mode="json"), sort_keys=True))
    checks = [quality_of(DECLARED, each) for each in (given, turned, again)]
    assert checks[0] == checks[1] == checks[2]
    assert checks[0].details["attack"] == "loss"


def test_a_weaker_test_than_the_default_is_named() -> None:
    basis = quality_of(replace(DECLARED, swap=SwapTable(confidence=0.5)), observed(0.0, 0.0)).basis
    assert "The case chose a weaker test than the default: without confidence, correctness," in basis
    assert basis.count("with a confidence of 50 %") == 1
    assert "with a confidence of" not in quality_of(DECLARED, observed(0.0, 0.0)).basis
    every = {name: found(0.0, 0.0)["loss"] for name in attacks()}
    half = dict.fromkeys(attacks(), (0.5,) * PAIRS)
    whole = quality.Observed(
        pair_advantages=PairAdvantages(procedure=every, do_nothing=every, retrained=every, control=every),
        pair_acceptances=PairAcceptances(procedure=half, retrained=half),
        undecided=dict.fromkeys(attacks(), 0.3),
        forgotten=(FORGOTTEN,) * PAIRS,
        areas=dict.fromkeys(attacks(), 0.5),
    )
    assert "weaker" not in quality_of(DECLARED, whole).basis


def test_records_that_still_look_trained_on_leave_it_open() -> None:
    more = PairAcceptances(procedure=found(0.7, 0.5), retrained=found(0.5, 0.5, spread=0.0))
    check = quality_of(with_policy(DECLARED, min_quality=0.9), observed(0.0, 0.0, pair_acceptances=more))
    assert check.status is Status.INCONCLUSIVE
    assert "loss takes forgotten and unseen records for trained-on ones more often than after retraining, by 20.0" in check.basis
    assert check.details["excess"]["attack"] == "loss"
    assert check.details["excess"]["acceptance"] == pytest.approx(0.2, abs=1e-12)
    assert check.details["attacks"][1]["excess"]["acceptance"] == pytest.approx(0.0, abs=1e-12)


def test_one_attack_is_enough_to_look_trained_on_whatever_another_is_surer_of() -> None:
    """More of the first is accepted for certain, and within what the threshold leaves; of the second there may be more."""
    sure, wide = found(0.07, 0.0, spread=0.5), found(0.0, 0.075, spread=1.2)
    both = {name: tuple(0.5 + each for each in (sure if name == NAMES[0] else wide)[name]) for name in NAMES}
    more = PairAcceptances(procedure=both, retrained=found(0.5, 0.5, spread=0.0))
    check = quality_of(with_policy(DECLARED, min_quality=0.9), observed(0.0, 0.0, pair_acceptances=more))
    assert check.details["excess"]["attack"] == NAMES[0]
    assert check.status is Status.INCONCLUSIVE
    assert f"{NAMES[1]} takes forgotten and unseen records for trained-on ones" in check.basis


@pytest.mark.parametrize("given", [observed(0.3, 0.0), quality.Observed(unplayable="no-split")])
def test_where_no_release_depends_on_the_deleted_records_likeness_is_another_question(given: quality.Observed) -> None:
    shown = fact("release-independent", Provenance.MEASURED, Message("premise.release-independent.same"))
    independent = Finding(Status.PASS, 0.0, facts=(shown,))
    plain, beside = quality_of(DECLARED, given), quality_of(DECLARED, given, independent)
    assert beside.basis.startswith(f"{plain.basis} This compares with retraining, which data deletion does not ask for:")
    assert (beside.status, beside.value) == (plain.status, plain.value)
    for other in (Finding(Status.PASS, 0.1), Finding(Status.PASS, 0.0), Finding(Status.INCONCLUSIVE, facts=(shown,))):
        assert quality_of(DECLARED, given, other) == plain


def test_equal_pairs_are_no_certainty_unless_the_models_are_identical() -> None:
    still = advantages_of(observed(0.0, 0.0), procedure=found(0.0, 0.0, spread=0.0))
    interval = quality_of(DECLARED, still).interval
    floor = 0.5 * (1 - 0.025 ** (1 / (2 * PAIRS)))
    assert floor > -np.log(0.05 / 2) / (PAIRS * 2 * FORGOTTEN)
    assert interval == pytest.approx((1 - floor, 1.0), abs=1e-11)
    # A procedure that fails now and then shows equal models too, as long as it does not.
    check = quality_of(DECLARED, still.model_copy(update={"identical": Identical(procedure=True)}))
    assert check.interval == interval
    assert check.details["missed_share"] == pytest.approx(2 * floor, abs=1e-11)
    assert "Even if up to 8.8 % of models were not unlearned at all" in check.basis
    assert check.status is Status.PASS


def few(*means: float, pairs: int, nothing: tuple[float, ...] = NOTHING) -> quality.Observed:
    """So few pairs, whose models differ little."""
    half = dict.fromkeys(NAMES, (0.5,) * pairs)

    def kind(given: tuple[float, ...]) -> dict[str, tuple[float, ...]]:
        return {name: tuple(mean + 0.001 * (-1) ** k for k in range(pairs)) for name, mean in zip(NAMES, given, strict=True)}

    zero = dict.fromkeys(NAMES, (0.0,) * pairs)
    return observed(
        0.0,
        0.0,
        pair_advantages=PairAdvantages(procedure=kind(means), do_nothing=kind(nothing), retrained=zero, control=zero),
        pair_acceptances=PairAcceptances(procedure=half, retrained=half),
    )


@pytest.mark.parametrize(("pairs", "status"), [(6, Status.INCONCLUSIVE), (42, Status.INCONCLUSIVE), (43, Status.FAIL)])
def test_pairs_fail_only_where_no_law_of_an_honest_procedure_gives_such_pairs_but_by_hardly_any_chance(
    pairs: int, status: Status
) -> None:
    check = quality_of(DECLARED, few(0.4, -0.3, pairs=pairs))
    assert check.interval is not None
    assert check.interval[1] < 0.7
    assert check.status is status
    assert ("About 43 such pairs would suffice." in check.basis) is (status is Status.INCONCLUSIVE)


@pytest.mark.parametrize(("pairs", "status"), [(7, Status.INCONCLUSIVE), (8, Status.PASS)])
def test_a_pass_takes_pairs_whose_signs_could_have_shown_that_both_sets_look_trained_on(pairs: int, status: Status) -> None:
    check = quality_of(with_policy(DECLARED, min_quality=0.8), few(0.0, 0.0, pairs=pairs))
    assert check.status is status
    assert (f"{pairs} pairs are too few for a pass" in check.basis) is (status is not Status.PASS)


FOREIGN = replace(DECLARED, procedure=Foreign(entry="procedure.py:Own", seed=0))
EXACT = {"release.exact": Finding(Status.PASS)}


@pytest.mark.parametrize(
    ("context", "pairs", "earlier", "status"),
    [
        (DECLARED, 19, {}, Status.PASS),
        (FOREIGN, 19, {}, Status.INCONCLUSIVE),
        (FOREIGN, 19, EXACT, Status.PASS),
        (FOREIGN, 20, {}, Status.PASS),
    ],
)
def test_the_controllers_own_code_passes_by_twenty_pairs(
    context: Context, pairs: int, earlier: dict[str, Finding], status: Status
) -> None:
    declared = replace(context, swap=SwapTable(pairs=pairs), policy=Policy(min_quality=0.9))
    given = few(0.0, 0.0, pairs=pairs)
    finding = quality.judge(declared, given, {"deletion.renyi": Finding(Status.SKIPPED), **earlier})
    assert finding.status is status
    assert (("swap.quality.few-pairs") in {each.code for each in finding.reasons}) is (status is not Status.PASS)


def test_pairs_of_the_controllers_own_code_fail_by_the_same_rule() -> None:
    """Twenty pairs are what a pass takes; a failure asks for nothing of the kind."""
    for pairs, status in ((19, Status.FAIL), (16, Status.INCONCLUSIVE)):
        context = replace(FOREIGN, swap=SwapTable(pairs=pairs), policy=Policy(min_quality=0.99))
        finding = quality.judge(context, few(0.99, 0.99, pairs=pairs), {"deletion.renyi": Finding(Status.SKIPPED)})
        assert finding.status is status
        assert "swap.quality.few-pairs" not in {each.code for each in finding.reasons}


def test_a_blind_attack_is_no_evidence() -> None:
    """The attack that would see the baseline accepts everybody after unlearning: the other one sees nothing in either."""
    given = observed(0.0, 0.0, nothing=(0.5, 0.0))
    context = with_policy(DECLARED, min_quality=0.9)
    assert quality_of(context, given).status is Status.PASS
    blind = quality_of(context, given.model_copy(update={"undecided": {"loss": 0.0099, "rmia": 0.3}}))
    assert blind.status is Status.INCONCLUSIVE
    sees = quality_of(context, given.model_copy(update={"undecided": {"loss": 0.01, "rmia": 0.3}}))
    assert [row["blind"] for row in sees.details["attacks"]] == [False, False], "one in a hundred is not too few"
    assert "The attack loss is blind here: within each class" in blind.basis
    assert [row["blind"] for row in blind.details["attacks"]] == [True, False]
    assert blind.details["do_nothing"]["quality"] == 1.0


def test_what_a_blind_attack_finds_counts_all_the_same() -> None:
    """Of 236 records, 18 of them forgotten, an attack accepts two of these and nothing else: fewer than one in a hundred."""
    context = with_policy(DECLARED, min_quality=0.95)
    given = observed(0.12, 0.0, nothing=(0.5, 0.5)).model_copy(update={"undecided": {"loss": 0.0092, "rmia": 0.3}})
    found = quality_of(context, given)
    assert found.value == pytest.approx(0.88, abs=1e-12)
    assert found.status is not Status.PASS
    assert found.details["attack"] == "loss"


@pytest.mark.parametrize("mean", [0.0, 0.3])
def test_where_every_attack_is_blind_nothing_is_decided(mean: float) -> None:
    given = observed(mean, 0.0).model_copy(update={"undecided": {"loss": 0.0, "rmia": 0.009}})
    check = quality_of(with_policy(DECLARED, min_quality=0.9), given)
    assert check.status is Status.INCONCLUSIVE
    assert "such attacks would find nothing whatever the models remember" in check.basis


def test_controls_need_models_that_are_equal_bit_for_bit() -> None:
    check = controls_of(DECLARED)
    assert (check.status, check.value, check.threshold) == (Status.PASS, 1.0, 1.0)
    assert "equal bit for bit" in check.basis
    assert (check.details["deterministic"], check.details["pairs"]) == (True, PAIRS)
    # Even where every attack cancels by chance.
    check = controls_of(DECLARED, identical=False)
    assert check.status is Status.INCONCLUSIVE
    assert not check.details["deterministic"]
    assert "not deterministic" in check.basis


def test_controls_that_find_something_in_equal_models_fail() -> None:
    check = controls_of(DECLARED, pair_advantages=found(0.0, -0.1))
    assert check.status is Status.FAIL
    assert check.value == pytest.approx(0.9, abs=1e-12)
    both = advantages_of(observed(0.0, 0.0), control=found(0.0, -0.1))
    assert quality_of(DECLARED, both).details["retrained"]["quality"] == check.value


@pytest.mark.parametrize(
    ("right", "status"),
    [
        (20, Status.PASS),
        (28, Status.PASS),
        (29, Status.INCONCLUSIVE),
        (33, Status.INCONCLUSIVE),
        (34, Status.FAIL),
        (12, Status.PASS),
        (11, Status.INCONCLUSIVE),
        (7, Status.INCONCLUSIVE),
        (6, Status.FAIL),
    ],
)
def test_naming_sides_is_held_against_one_half(right: int, status: Status) -> None:
    """40 models: P[Bin(40, 1/2) >= 29] = 0.0032 against 0.005 on each side, P[>= 34] = 4.2e-6 against 2e-5."""
    check = strong_of(with_policy(DECLARED, required=("swap.strong",)), named=right, ties=2)
    assert check.status is status
    assert (check.value, check.threshold) == (right / 40, 0.5)
    assert (check.details["ties"], check.details["advantage"]) == (2, right / 20 - 1)
    assert (check.details["do_nothing"]["share"], check.details["retrained"]["share"]) == (1.0, 0.5)


@pytest.mark.parametrize(
    ("counts", "status", "words"),
    [
        ({"named": 21}, Status.PASS, ""),
        ({"named": 22}, Status.INCONCLUSIVE, "must be at most 0.7"),
        ({"named_do_nothing": 34}, Status.PASS, ""),
        ({"named_do_nothing": 33}, Status.INCONCLUSIVE, "lower limit of the no-unlearning baseline (0.672)"),
        ({"models": 39, "named_do_nothing": 39}, Status.INCONCLUSIVE, "39 models of 20 pairs are too few"),
        ({"named": 29}, Status.INCONCLUSIVE, "too far for a pass, and not far enough to fail"),
        ({"named": 34}, Status.FAIL, ""),
    ],
)
def test_the_controllers_own_code_passes_by_narrow_limits(counts: dict[str, int], status: Status, words: str) -> None:
    context = with_policy(FOREIGN, required=("swap.strong",))
    check = strong_of(context, **counts)
    assert check.status is status
    assert words in check.basis
    few_pairs = strong_of(replace(context, swap=SwapTable(pairs=10, models=2)), **counts)
    assert few_pairs.status is (Status.FAIL if status is Status.FAIL else Status.INCONCLUSIVE)
    of_ours = strong_of(with_policy(DECLARED, required=("swap.strong",)), **counts)
    doubted = counts.get("named", 20) == 29
    assert of_ours.status is (status if status is Status.FAIL or doubted else Status.PASS)


def test_four_models_of_four_named_right_are_no_pass_for_doing_nothing() -> None:
    check = strong_of(with_policy(DECLARED, required=("swap.strong",)), models=4, named=4, named_do_nothing=4, named_retrained=2)
    assert (check.status, check.value) == (Status.INCONCLUSIVE, 1.0)
    assert "cannot tell good from bad" in check.basis


def test_naming_sides_informs_where_it_is_not_required() -> None:
    check = strong_of(DECLARED, named=40)
    assert (check.status, check.value) == (Status.SKIPPED, 1.0)
    assert "does not require it" in check.basis


def test_one_pair_alone_shows_nothing() -> None:
    one, half = found(0.4, 0.0, size=1), found(0.5, 0.5, size=1)
    single = observed(
        0.0,
        0.0,
        pair_advantages=PairAdvantages(procedure=one, do_nothing=one, retrained=one, control=found(0.0, 0.0, size=1)),
        pair_acceptances=PairAcceptances(procedure=half, retrained=half),
    )
    check = quality_of(DECLARED, single)
    assert (check.status, check.interval) == (Status.INCONCLUSIVE, (0.0, 1.0))
    assert check.details["smallest_advantage"] is None


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        ("few-to-forget", "with 120 records and alpha = 0.01 a split has 1 records to forget; at least 5 are needed."),
        ("no-split", "in 1000 draws no split was found whose training sets hold every class"),
    ],
)
def test_where_there_is_no_game_nothing_is_shown(cause: Any, words: str) -> None:
    context = replace(DECLARED, swap=SwapTable(alpha=0.01))
    found = judged(
        context,
        {
            "swap.quality": quality.Observed(unplayable=cause),
            "swap.strong": strong.Observed(unplayable=cause),
            "swap.controls": controls.Observed(unplayable=cause),
        },
    )
    for check_id, status, lead in (
        ("swap.quality", Status.INCONCLUSIVE, "Not shown: "),
        ("swap.strong", Status.SKIPPED, "Not played: "),
        ("swap.controls", Status.INCONCLUSIVE, "Not shown: "),
    ):
        check = found[check_id]
        assert (check.status, check.value, check.threshold, check.details) == (status, None, None, {})
        assert check.basis.startswith(f"{lead}{words}")


def test_more_confidence_than_the_default_does_not_turn_a_failing_whole_set_adversary_into_a_pass() -> None:
    required = with_policy(DECLARED, required=("swap.strong",))
    for context in (required, replace(required, swap=SwapTable(confidence=0.999999))):
        assert strong_of(context, named=34, named_do_nothing=40).status is Status.FAIL


@pytest.mark.parametrize("check_id", ["swap.quality", "swap.strong", "swap.controls"])
def test_a_regression_is_not_played(check_id: str) -> None:
    applies, open_ = definitions()[check_id].applies, {"release.exact": Finding(Status.INCONCLUSIVE)}
    assert applies(DECLARED, open_) is None
    regression = replace(DECLARED, case=DECLARED.case.model_copy(update={"task": "regression"}))
    reason = applies(regression, open_)
    assert reason is not None
    assert reason.code == "swap.regression"


@pytest.mark.parametrize("check_id", ["swap.quality", "swap.strong", "swap.controls"])
def test_no_game_is_needed_where_the_release_is_exact_unless_the_policy_lists_it(check_id: str) -> None:
    applies, exact = definitions()[check_id].applies, {"release.exact": Finding(Status.PASS)}
    reason = applies(DECLARED, exact)
    assert reason is not None
    assert reason.code == "swap.release-exact"
    assert applies(replace(DECLARED, policy=Policy(required=(check_id,))), exact) is None
    for status in (Status.FAIL, Status.INCONCLUSIVE, Status.SKIPPED):
        assert applies(DECLARED, {"release.exact": Finding(status)}) is None


def test_observations_that_contradict_one_another_are_refused() -> None:
    given = observed(0.0, 0.0).model_dump()
    short = found(0.0, 0.0, size=3)
    for change in (
        {"areas": {"loss": 0.5}},
        {"pair_advantages": given["pair_advantages"] | {"control": short}},
        {"pair_advantages": given["pair_advantages"] | {"retrained": {"loss": given["pair_advantages"]["retrained"]["loss"]}}},
        {"pair_acceptances": given["pair_acceptances"] | {"procedure": found(1.0, 0.0)}},
        {"pair_advantages": given["pair_advantages"] | {"procedure": found(-1.0, 0.0)}},
    ):
        with pytest.raises(ValidationError):
            quality.Observed.model_validate(given | change)
    for counts in ({}, {"models": 4, "named": 5}, {"models": 4, "named_do_nothing": 5}, {"models": 4, "named": -1}):
        with pytest.raises(ValidationError):
            strong.Observed(**counts)


def test_an_attack_that_nobody_knows_is_refused() -> None:
    unknown = {"gossip": (0.0,) * PAIRS}
    for given in (unknown, {}):
        with pytest.raises(ValueError, match="attacks of this version are needed"):
            controls_of(DECLARED, pair_advantages=given)


def test_floats_are_plain() -> None:
    """Evidence is JSON: no number of NumPy's own may be left."""

    def walk(value: object) -> None:
        if isinstance(value, Mapping):
            for item in value.values():
                walk(item)
        elif isinstance(value, list | tuple):
            for item in value:
                walk(item)
        else:
            assert type(value) in {str, int, float, bool, type(None)}, type(value)

    for check in (quality_of(DECLARED, observed(0.0, 0.1)), strong_of(DECLARED), controls_of(DECLARED)):
        walk(check.details)
        walk((check.value, check.interval))
