"""Likelihood ratios and RMIA's fractions by hand."""

from __future__ import annotations

from dataclasses import replace

import mpmath
import numpy as np
import pytest
from mpmath import mpf
from scipy.special import expit
from scipy.stats import t

from attack_examples import halves, one_game, shadow_of, with_probabilities, world
from auditor.attacks import WHOLE_SET, Outputs, References, Shadow, attacks
from auditor.attacks.lira import LEAST_DEVIATION, Fitted, Spread, spread
from auditor.attacks.moderated import Prior, prior_of
from auditor.attacks.rmia import Fitted as FittedRmia
from auditor.attacks.rmia import _slope
from auditor.attacks.thresholds import Thresholds

ZEROS = np.zeros(1, dtype=np.int64)


def certain_of_class_0(logits: object) -> np.ndarray:
    """Two classes; the logit of class 0 as given, whatever its shape."""
    values = np.asarray(logits, dtype=np.float64)
    return np.stack([expit(values), expit(-values)], axis=-1)


def one_record(inside: list[float], outside: list[float]) -> References:
    """Logits under models that saw the record and under those that did not."""
    trained_on = np.tile([[True], [False]], (len(inside), 1))
    return References(certain_of_class_0(np.c_[inside, outside].reshape(-1, 1)), trained_on)


def seen(logit: float, references: References) -> Outputs:
    return Outputs(certain_of_class_0([logit]), references, certain_of_class_0([0.0]), ZEROS, references)


def test_a_likelihood_ratio_by_hand() -> None:
    """Means 2 and 0, variances 2 of a model and 1 of a mean of two, 3 together: log ratio of the logit 2 is (2²/3 − 0)/2."""
    references = one_record([1.0, 3.0], [-1.0, 1.0])
    fitted = spread(Shadow(ZEROS, references))
    # One record has nothing to differ from.
    assert fitted == Spread(Prior(pytest.approx(2.0, rel=1e-12), np.inf), Prior(pytest.approx(2.0, rel=1e-12), np.inf))
    for attack in (attacks()["lira-online"].score, WHOLE_SET.log_likelihood_ratios):
        assert attack(fitted, seen(2.0, references), ZEROS) == pytest.approx([2 / 3], rel=1e-12)
        assert attack(fitted, seen(1.0, references), ZEROS) == pytest.approx([0.0], abs=1e-12)
        assert attack(fitted, seen(-3.0, references), ZEROS) == pytest.approx([-8 / 3], rel=1e-12)


def test_with_unequal_variances_it_is_the_ratio_of_two_normal_densities() -> None:
    references = one_record([1.0, 4.0, 7.0], [0.5, 0.0, 1.0])
    state = WHOLE_SET.fit(Shadow(ZEROS, references), rng=np.random.default_rng(0))
    with mpmath.workdps(40):
        # Means 4 and 1/2, standard deviations 3 and 1/2, each √(4/3) times as large for the means of three, logit 5/4.
        more = mpmath.sqrt(mpf(4) / 3)
        expected = mpmath.log(
            mpmath.npdf(mpf(5) / 4, 4, 3 * more) / mpmath.npdf(mpf(5) / 4, mpf(1) / 2, more / 2),
        )
    found = WHOLE_SET.log_likelihood_ratios(state, seen(1.25, references), ZEROS)
    assert found == pytest.approx([float(expected)], rel=1e-11)


@pytest.mark.parametrize("pairs", [2, 6, 40])
def test_records_have_deviations_of_their_own_as_far_as_their_models_bear_them_out(pairs: int) -> None:
    """Student's density with a variance between a record's own and the prior's, by as many degrees of freedom as both have."""
    rng = np.random.default_rng(3)
    trained_on = halves(rng, 2 * pairs, 5)
    scales = np.array([0.5, 1.0, 1.5, 2.0, 4.0])
    logits = scales * rng.normal(size=trained_on.shape) + 2 * trained_on
    labels = np.zeros(5, dtype=np.int64)
    references = References(certain_of_class_0(logits), trained_on)
    fitted = spread(Shadow(labels, references))
    target = np.array([0.1, 1.2, -0.3, 2.0, 1.0])
    outputs = Outputs(certain_of_class_0(target), references, certain_of_class_0([0.0]), ZEROS, references)
    found = WHOLE_SET.log_likelihood_ratios(fitted, outputs, labels)
    densities = {}
    for kind, prior in ((True, fitted.inside), (False, fitted.outside)):
        values = [logits[trained_on[:, record] == kind, record] for record in range(5)]
        own = np.array([each.var(ddof=1) for each in values])
        again = prior_of(own, pairs - 1, least=LEAST_DEVIATION**2)
        assert (prior.scale, prior.weight) == pytest.approx((again.scale, again.weight), rel=1e-6)
        share = (pairs - 1) / (prior.weight + pairs - 1)
        variances = share * own + (1 - share) * prior.scale
        means = np.array([each.mean() for each in values])
        deviations = np.sqrt(variances * (1 + 1 / pairs))
        densities[kind] = t.logpdf(target, prior.weight + pairs - 1, means, deviations)
    assert found == pytest.approx(densities[True] - densities[False], rel=1e-8)


def test_outputs_that_never_vary_give_zero() -> None:
    shadow, outputs, labels, _ = one_game(1)
    shadow, outputs = with_probabilities(shadow, outputs, np.array([[0.0, 0.0, 1.0]]))
    state = WHOLE_SET.fit(shadow, rng=np.random.default_rng(0))
    assert state == Spread(Prior(0.0, np.inf), Prior(0.0, np.inf))
    assert WHOLE_SET.log_likelihood_ratios(state, outputs, labels).tolist() == [0.0] * len(labels)


def test_a_deviation_has_a_floor() -> None:
    """In and out each constant, 2 apart: finite, as far as the floor allows."""
    references = one_record([1.0, 1.0], [-1.0, -1.0])
    state = WHOLE_SET.fit(Shadow(ZEROS, references), rng=np.random.default_rng(0))
    found = WHOLE_SET.log_likelihood_ratios(state, seen(1.0, references), ZEROS)
    assert found == pytest.approx([2 / LEAST_DEVIATION**2], rel=1e-9)


def test_the_offline_attack_looks_at_models_without_the_record_alone() -> None:
    attack = attacks()["lira-offline"]
    state = Fitted(Spread(Prior(81.0, np.inf), Prior(4.0, np.inf)), Thresholds(np.array([0.25, 0.25])))
    for inside in ([50.0, -3.0], [1.0, 1.0]):
        found = attack.score(state, seen(4.0, one_record(inside, [1.0, 2.0])), ZEROS)
        assert found == pytest.approx([(4.0 - 1.5) / (2.0 * 1.5**0.5) - 0.25], rel=1e-12)


def test_the_offline_threshold_parts_the_turns() -> None:
    """Every record: inside 4, outside 0 on average with variance 2; heights are 3/2 or more against at most 1."""
    rng = np.random.default_rng(0)
    trained_on = halves(rng, 4, 30)
    signs = np.array([1.0, 1.0, -1.0, -1.0])[:, None]
    shadow = Shadow(np.zeros(30, dtype=np.int64), References(certain_of_class_0(np.where(trained_on, 4.0, signs)), trained_on))
    state = attacks()["lira-offline"].fit(shadow, rng=rng)
    assert state.spread.outside == Prior(pytest.approx(2.0, rel=1e-9), np.inf)
    # A turn leaves one model, whose mean is as uncertain as it is itself: members stand at (4 ∓ 1)/2, the others at ±2/2.
    assert state.thresholds.of_class == pytest.approx([1.25] * 2, rel=1e-9)


def test_rmia_counts_the_population_that_a_record_exceeds() -> None:
    """a = 1/2, Pr_out = 0.6: Pr = (1.5·0.6 + 0.5)/2 = 0.7. The population's is (1.5·0.4 + 0.5)/2 = 0.55."""

    def references(outside: float, records: int) -> References:
        true = np.tile([[0.99], [outside]], (2, records))
        return References(np.stack([true, 1 - true], axis=-1), np.tile([[True], [False]], (2, records)))

    population = np.array([0.11, 0.22, 0.55, 0.88, 0.99])  # ratios 0.2, 0.4, 1, 1.6, 1.8
    outputs = Outputs(
        np.array([[0.07, 0.93], [0.35, 0.65], [0.7, 0.3], [0.98, 0.02]]),  # ratios 0.1, 0.5, 1, 1.4
        references(0.6, 4),
        np.stack([population, 1 - population], axis=-1),
        np.zeros(5, dtype=np.int64),
        references(0.4, 5),
    )
    state = FittedRmia(0.5, Thresholds(np.array([0.3, 0.3])))
    found = attacks()["rmia"].score(state, outputs, np.zeros(4, dtype=np.int64))
    # The third record ties with the third of the population up to rounding, which does not count.
    assert found == pytest.approx([0 - 0.3, 0.4 - 0.3, 0.4 - 0.3, 0.6 - 0.3], abs=1e-12)


def test_ratios_that_tie_up_to_rounding_do_not_exceed_each_other() -> None:
    """Each p is a third of its Pr, or 0: nobody exceeds a population of his like."""
    usual = np.arange(1, 30) / 30
    true = np.tile(usual, (4, 1))
    references = References(np.stack([true, 1 - true], axis=-1), np.tile([[True], [False]], (2, len(usual))))
    labels = np.zeros(len(usual), dtype=np.int64)
    for share in (1 / 3, 0.0):
        seen_here = np.stack([share * usual, 1 - share * usual], axis=-1)
        outputs = Outputs(seen_here, references, seen_here, labels, references)
        found = attacks()["rmia"].score(FittedRmia(1.0, Thresholds(np.array([0.5, 0.5]))), outputs, labels)
        assert found.tolist() == [-0.5] * len(usual)


def test_the_slope_by_hand() -> None:
    """In-means .9 and .8, out-means .8 and .4: a = (.1·.2 + .2·.6)/(.2² + .6²) = .14/.4."""
    trained_on = np.tile([[True, True], [False, False]], (2, 1))
    true = np.array([[1.0, 0.7], [0.9, 0.2], [0.8, 0.9], [0.7, 0.6]])
    references = References(np.stack([true, 1 - true], axis=-1), trained_on)
    assert _slope(references, np.zeros(2, dtype=np.int64)) == pytest.approx(0.35, rel=1e-12)


def test_a_slope_is_at_most_one_and_is_one_where_nothing_moves() -> None:
    trained_on = np.tile([[True], [False]], (2, 1))
    certain = References(np.tile([1.0, 0.0], (4, 1, 1)), trained_on)
    assert _slope(certain, ZEROS) == 1.0
    # Worse on what was seen than on what was not: 1 − 0.2 = a (1 − 0.6) would need a = 2.
    worse = References(np.tile([[[0.2, 0.8]], [[0.6, 0.4]]], (2, 1, 1)), trained_on)
    assert _slope(worse, ZEROS) == 1.0


def test_rmia_needs_a_population() -> None:
    shadow, outputs, labels, _ = one_game(2)
    attack = attacks()["rmia"]
    state = attack.fit(shadow, rng=np.random.default_rng(0))
    nobody = outputs.population_references
    empty = Outputs(
        outputs.probabilities,
        outputs.references,
        outputs.population_probabilities[:0],
        outputs.population_labels[:0],
        References(nobody.probabilities[:, :0], nobody.trained_on[:, :0]),
    )
    with pytest.raises(ValueError, match="a population of at least one record"):
        attack.score(state, empty, labels)


@pytest.mark.parametrize("name", ["lira-online", "lira-offline", "rmia"])
def test_attacks_that_lean_on_references_need_two_pairs(name: str) -> None:
    rng = np.random.default_rng(4)
    with pytest.raises(ValueError, match="at least 2 complementary pairs"):
        attacks()[name].fit(shadow_of(world(rng), rng, pairs=1), rng=rng)


def test_references_that_many_models_meet_give_what_fresh_ones_give() -> None:
    """What was worked out for one model, one labelling and one spread is not taken for another."""
    shadow, outputs, labels, _ = one_game(11)
    spreads = (spread(shadow), Spread(Prior(0.5, 3.0), Prior(2.0, np.inf)), Spread(Prior(0.5, np.inf), Prior(2.0, 4.0)))
    other = (labels + 1) % outputs.probabilities.shape[-1]
    for attack in (attacks()["lira-online"].score, WHOLE_SET.log_likelihood_ratios):
        for state in (*spreads, *spreads):
            for asked in (labels, other):
                fresh = replace(outputs, references=References(outputs.references.probabilities, outputs.references.trained_on))
                assert np.array_equal(attack(state, outputs, asked), attack(state, fresh, asked))
