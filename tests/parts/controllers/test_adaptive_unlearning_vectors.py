"""Proposition 3.12 and group statements to ten digits, worked out with 30 digits elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.base.domain import ClaimStatus, Derivation, Guarantee, Message, Premise, Provenance
from auditor.base.records import Floats
from auditor.base.terms import ControlTerms, NoTerms, Terms, UnlearningTerms
from auditor.maths.certificates import derive
from auditor.maths.tradeoff.promises import removal_budget
from auditor.maths.tradeoff.reading import right_guesses
from auditor.parts.controllers import theorems as control
from auditor.parts.controllers.guarantees import unlearning
from auditor.parts.controllers.rules.adaptive_unlearning import KIND, alpha, gamma
from auditor.verdict import corollaries
from auditor.verdict.grade import guesses
from auditor.verdict.guarantees import CONFIDENTIALITY, CONTROL, UNLEARNING, Pledge
from auditor.verdict.theorems import Theorem

VECTORS = [
    (1.0, 1e-6, 1e-3, 3.0, 0.002003163953414),
    (0.1, 1e-8, 1e-4, 0.3, 0.0002002101666389),
    (0.01, 1e-9, 1e-3, 0.03, 2.201001666664e-6),
    (3.0, 1e-5, 1e-2, 9.0, 0.00202104791393),
]


def beyond(first: Floats, second: Floats, factor: float) -> float:
    """The smallest δ at which two laws are as close as a factor, both ways."""
    return max(float(np.maximum(one - factor * other, 0).sum()) for one, other in ((first, second), (second, first)))


TABLE = st.lists(st.integers(0, 40), min_size=12, max_size=12).filter(any)


@given(
    TABLE,
    st.lists(st.integers(0, 11), max_size=3),
    st.lists(st.sampled_from([0.0, 0.5, 0.9, 1.1, 2.0, 20.0]), min_size=3, max_size=3),
    st.sampled_from([0.02, 0.1, 0.5, 1.5]),
    st.sampled_from([1e-3, 0.01, 0.1, 0.5]),
)
def test_models_are_as_close_as_stated_but_for_so_many_requests(
    weights: list[int], places: list[int], times: list[float], epsilon: float, beta: float
) -> None:
    """Any two laws of requests (rows) and models (columns), one moved where a search likes: Lemma A.3 is to hold for both."""
    real = np.array(weights, dtype=np.float64)
    ideal = real.copy()
    for place, factor in zip(places, times, strict=False):
        ideal[place] *= factor
    if not ideal.any():
        return
    joint = [(each / each.sum()).reshape(4, 3) for each in (real, ideal)]
    delta = min(1.0, beyond(*joint, math.exp(epsilon)) * (1 + 1e-9))
    requests = [each.sum(axis=1) for each in joint]
    far = [
        not all(each[row] for each in requests)
        or beyond(*(each[row] / of[row] for each, of in zip(joint, requests, strict=True)), math.exp(alpha(epsilon))) > beta
        for row in range(4)
    ]
    for each in requests:
        assert each[far].sum() <= gamma(epsilon, delta, beta) + 1e-9


@pytest.mark.parametrize(("epsilon", "delta", "beta", "first", "last"), VECTORS)
def test_alpha_and_gamma(epsilon: float, delta: float, beta: float, first: float, last: float) -> None:
    found = derive(KIND, {"epsilon": epsilon, "delta": delta, "beta": beta})
    assert found.outputs["alpha"] == pytest.approx(first, rel=1e-11)
    assert found.outputs["gamma"] == pytest.approx(last, rel=1e-11)
    assert found.outputs["beta"] == beta
    assert (found.epsilon, found.delta) == (None, None), "neither is an (ε, δ) of anybody"


@pytest.mark.parametrize("epsilon", [0.0, 1e-300, 0.5, 800.0])
@pytest.mark.parametrize("beta", [1e-300, 1e-6, 1.0])
def test_without_a_delta_every_request_is_covered(epsilon: float, beta: float) -> None:
    assert gamma(epsilon, 0.0, beta) == 0.0
    assert alpha(epsilon) >= 3 * epsilon


def test_without_an_epsilon_a_delta_says_nothing_until_a_larger_epsilon_is_taken() -> None:
    assert gamma(0.0, 1e-9, 1e-3) == 1.0
    assert gamma(1e-300, 1e-9, 1e-3) == 1.0
    assert gamma(0.1, 1e-9, 1e-3) < 1e-5
    found = derive(KIND, {"epsilon": 0.0, "delta": 1e-9, "beta": 1e-3})
    assert (found.outputs["alpha"], found.outputs["gamma"]) == (None, None)


@pytest.mark.parametrize("delta", [1e-300, 1e-9, 0.5, 1.0])
def test_gamma_is_rounded_up_and_falls_with_epsilon_and_beta(delta: float) -> None:
    values = [gamma(epsilon, delta, 0.01) for epsilon in (0.01, 0.1, 1.0, 10.0, 800.0)]
    assert values == sorted(values, reverse=True)
    assert gamma(1.0, delta, 0.1) <= gamma(1.0, delta, 0.01)
    assert gamma(800.0, delta, 1.0) >= min(1.0, 4 * delta)
    assert math.isfinite(values[0])


def test_a_negative_epsilon_or_no_beta_is_refused() -> None:
    for wrong in ({"epsilon": -1.0, "delta": 0.0, "beta": 0.1}, {"epsilon": 1.0, "delta": 0.0, "beta": 0.0}):
        assert derive(KIND, wrong).outputs["alpha"] is None


NO_TERMS = NoTerms()


def holding(identity: str, rule: Theorem, pledge: Pledge, terms: Terms = NO_TERMS) -> Guarantee:
    premises = tuple(Premise(name, Provenance.ATTESTED, Message("fact.not-examined")) for name in rule.needs)
    return Guarantee(identity, ClaimStatus.SUPPORTED, pledge.epsilon, pledge.delta, (Derivation(rule.id, premises),), terms=terms)


@pytest.mark.parametrize("rule", [control.PRIVATE, control.COMPILED])
def test_three_people_behind_noise_get_the_vector_of_the_group_row(rule: Theorem) -> None:
    found = corollaries.group(holding(CONTROL, rule, Pledge(1.0, 1e-6), ControlTerms(by_noise=True)), 3)
    assert found is not None
    assert (found.epsilon, found.delta) == (3.0, pytest.approx(1.11073379274e-5, rel=1e-11))


@pytest.mark.parametrize("rule", [control.PRIVATE, control.COMPILED])
def test_three_people_are_promised_what_the_noise_says_of_them_together(rule: Theorem) -> None:
    terms = ControlTerms(by_noise=True, promise=removal_budget(1.0, 1e-6))
    one, alone = holding(CONTROL, rule, Pledge(1.0, 1e-6), terms), ControlTerms(by_noise=True)
    found, stated = corollaries.group(one, 3), corollaries.group(holding(CONTROL, rule, Pledge(1.0, 1e-6), alone), 3)
    assert found is not None
    assert stated is not None
    assert round(100 * (guesses(one) or 0.0), 1) == 54.7
    assert round(100 * right_guesses(corollaries.promise_by(found)), 1) == 63.9
    assert round(100 * right_guesses(corollaries.promise_by(stated)), 1) == 95.3


@pytest.mark.parametrize("rule", [control.HISTORY, control.ADAPTIVE_HISTORY, control.TOUCHSTONE])
def test_history_independence_says_the_same_of_any_number_of_people(rule: Theorem) -> None:
    pledge = Pledge(0.25, 1e-7)
    assert corollaries.group(holding(CONTROL, rule, pledge, ControlTerms(by_noise=False)), 1_000) == pledge


def test_no_other_rule_says_anything_of_groups() -> None:
    for rule in (control.PARALLEL,):
        assert corollaries.group(holding(CONTROL, rule, Pledge(1.0, 1e-6), ControlTerms(by_noise=True)), 2) is None
    assert corollaries.group(holding(CONFIDENTIALITY, control.COUNTED, Pledge(1.0, 1e-6)), 2) is None
    open_one = Guarantee(CONTROL, ClaimStatus.NOT_SHOWN, None, None, (), terms=ControlTerms(by_noise=False))
    assert corollaries.group(open_one, 2) is None


def test_confidentiality_gives_control_of_people_who_delete_when_told_and_control_gives_it_nobody() -> None:
    assert corollaries.when_told(holding(CONFIDENTIALITY, control.COUNTED, Pledge(1.0, 1e-6))) == Pledge(1.0, 1e-6)
    assert corollaries.when_told(holding(CONTROL, control.COMPILED, Pledge(1.0, 1e-6), ControlTerms(by_noise=True))) is None


def test_adaptive_unlearning_has_numbers_of_its_own_and_no_promise() -> None:
    found = holding(UNLEARNING, control.UNLEARNING, Pledge(1.0, 1e-6), UnlearningTerms(epsilon=1.0, delta=1e-6))
    three = unlearning(found, 1e-3)
    assert three is not None
    assert (three.alpha, three.beta, three.gamma) == (3.0, 1e-3, pytest.approx(0.002003163953414, rel=1e-11))
    assert unlearning(found, 1e-6) is None, "γ is 1 there"
