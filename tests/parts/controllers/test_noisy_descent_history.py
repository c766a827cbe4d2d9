"""Adaptive history independence with an ε above 0, by noisy steps: the rule, the program, and twins of it that must fail."""

from __future__ import annotations

import math
from datetime import date
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from auditor.base.domain import ClaimStatus, Fact, Guarantee, Message, Provenance, Status
from auditor.base.promises import Gaussian
from auditor.base.terms import UnlearningTerms
from auditor.document.context import ControllerFacts
from auditor.maths.certificates import derive, gaussian
from auditor.parts.controllers.cards import NOISY
from auditor.parts.controllers.guarantees import unlearning
from auditor.parts.controllers.judging.control import judging as control_judging
from auditor.parts.controllers.judging.history import independence
from auditor.parts.controllers.judging.history.independence import CHECK, pledged
from auditor.parts.controllers.judging.history.judging import judged
from auditor.parts.controllers.judging.history.observed import Law, Observed, Played, Tried
from auditor.parts.controllers.judging.made_for import Goal
from auditor.parts.controllers.learning.noisy_descent_model import NoisyDescentModel
from auditor.parts.controllers.observing.games.executions import Kind
from auditor.parts.controllers.observing.games.experiment import experiment as play_games
from auditor.parts.controllers.observing.histories.experiment import Sizes, experiment
from auditor.parts.controllers.rules.noisy_descent_history import KIND, descent, gap, shift, steps_for
from auditor.settings.controller import NothingLearned, controllers
from auditor.settings.tables import Claims, Policy
from auditor.verdict.checks import attested
from auditor.verdict.checks.finding import Finding
from auditor.verdict.corollaries import group
from auditor.verdict.guarantees import CONTROL, UNLEARNING, derive_guarantees, fact
from benchmarks.in_process import rooms
from judging import declared

USE = "noisy-descent-model"
VOCABULARY = controllers()[USE].vocabulary
SIZES = Sizes(ways=1, by_chance=8, searched=5, fresh=200)
FEWER = SIZES._replace(fresh=100)
"""What is told apart of twins, all runs of one side against none of the other, takes no more."""
MADE_FOR = Goal(1.0, 1e-6)
VECTORS = [
    (0.1, 0.35, 4.0, 5.0, 0.1, 12),
    (0.05, 0.3, 5.0, 10.0, 0.2, 30),
    (1.0, 1.25, 0.5, 0.5, 1.0, 1),
    (1e-3, 0.251, 7.9, 500.0, 0.01, 2_000),
    (0.5, 4.0, 0.49, 2.0, 0.05, 300),
]
"""lambda, beta, eta, R, s, K; the last contracts by eta beta - 1."""


# The rule, worked out elsewhere: the least sum of squares of moves a_k that close the distance, by its multiplier, in 60 digits.
def by_moves(strong: float, smooth: float, step: float, radius: float, noise: float, steps: int) -> mpmath.mpf:
    with mpmath.workdps(60):
        contraction = max(1 - mpmath.mpf(step) * mpmath.mpf(strong), mpmath.mpf(step) * mpmath.mpf(smooth) - 1)
        weights = [contraction ** (steps - 1 - each) for each in range(steps)]
        multiplier = contraction**steps * 2 * mpmath.mpf(radius) / mpmath.fsum(each**2 for each in weights)
        left = 2 * mpmath.mpf(radius)
        moves = []
        for each in weights:
            moves.append(multiplier * each)
            left = contraction * left - moves[-1]
        assert abs(left) < mpmath.mpf(10) ** -40
        return mpmath.sqrt(mpmath.fsum(each**2 for each in moves)) / mpmath.mpf(noise)


@pytest.mark.parametrize("inputs", VECTORS)
def test_the_shift_to_ten_digits_rounded_up(inputs: tuple[float, float, float, float, float, int]) -> None:
    strong, smooth, step, radius, noise, steps = inputs
    exact = by_moves(*inputs)
    found = shift(gap(strong, smooth, step), radius, noise, steps)
    assert exact <= found <= exact * (1 + mpmath.mpf(10) ** -10)


def test_calc_gives_the_epsilon_of_the_exact_gaussian_trade_off() -> None:
    inputs = dict(zip(("strong_convexity", "smoothness", "step", "radius", "noise", "steps"), VECTORS[0], strict=True))
    found = derive(KIND, {**inputs, "delta": 1e-6})
    mu = by_moves(*VECTORS[0])
    with mpmath.workdps(40):

        def excess(epsilon: Any) -> Any:
            first, second = mpmath.ncdf(mu / 2 - epsilon / mu), mpmath.ncdf(-mu / 2 - epsilon / mu)
            return first - mpmath.exp(epsilon) * second - mpmath.mpf(1e-6)

        epsilon = mpmath.findroot(excess, 0.7)
    assert found.epsilon is not None
    assert epsilon * (1 - mpmath.mpf(10) ** -15) <= found.epsilon <= epsilon * (1 + mpmath.mpf(10) ** -10)
    assert found.delta == 1e-6


@pytest.mark.parametrize(
    "wrong",
    [
        {"strong_convexity": 0.0},
        {"smoothness": 0.09},
        {"step": 0.0},
        {"step": 6.0},
        {"radius": 0.0},
        {"noise": 0.0},
        {"steps": 0},
        {"delta": 0.0},
    ],
    ids=str,
)
def test_no_number_follows_where_a_condition_fails(wrong: dict[str, float]) -> None:
    inputs = dict(zip(("strong_convexity", "smoothness", "step", "radius", "noise", "steps"), VECTORS[0], strict=True))
    assert derive(KIND, {**inputs, "delta": 1e-6, **wrong}).epsilon is None


@given(
    strong=st.floats(0.01, 1),
    more=st.floats(0, 3),
    share=st.floats(0.05, 0.99),
    noise=st.floats(0.01, 2),
    steps=st.integers(1, 40),
    eigenvalue=st.floats(0, 1),
)
@example(strong=0.75, more=0.0, share=0.5, noise=1.0, steps=1, eigenvalue=0.0)
@settings(max_examples=200, deadline=None)
def test_two_quadratic_descents_are_never_farther_apart(
    strong: float, more: float, share: float, noise: float, steps: int, eigenvalue: float
) -> None:
    """Steps on a quadratic are affine, so that both laws are Gaussian; opposite starts at the ends of the ball."""
    smooth = strong + more
    step, radius = 2 * share / smooth, 1.0
    curvature = strong + eigenvalue * more
    factor = Fraction(1) - Fraction(step) * Fraction(curvature)
    moved = abs(factor) ** steps * 2
    variance = sum(factor ** (2 * each) for each in range(steps)) * Fraction(noise) ** 2
    bound = Fraction(shift(gap(strong, smooth, step), radius, noise, steps))
    assert moved**2 <= bound**2 * variance
    worst = max(abs(1 - Fraction(step) * Fraction(each)) for each in (strong, smooth))
    # A factor that is rounding alone, as of 1 - 1, has no digits to compare.
    if worst == abs(factor) > Fraction(1, 10**6):
        assert moved**2 >= bound**2 * variance * (1 - Fraction(1, 10**9)), "nothing smaller holds"


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 1.0, 2.0])
@pytest.mark.parametrize(("regularisation", "noise", "steps"), [(0.1, 0.5, 4), (0.1, 1.0, 3), (0.25, 0.3, 3), (0.05, 0.5, 12)])
def test_logistic_descent_on_a_line_is_within_the_bound(regularisation: float, noise: float, steps: int, epsilon: float) -> None:
    """The laws after each step are computed on a grid: projection, a loss that is no quadratic, records of both labels."""
    smooth = regularisation + 0.25
    step, radius = 2 / (smooth + regularisation), 1 / (2 * regularisation)
    grid = np.linspace(-radius - 8 * noise, radius + 8 * noise, 1_601)
    width = grid[1] - grid[0]
    signed = np.array([1.0, 1.0, -0.3])
    within = np.clip(grid, -radius, radius)

    def moved(weights: Any) -> Any:
        return weights - step * (regularisation * weights - (signed / (1 + np.exp(np.outer(weights, signed)))).mean(axis=1))

    kernel = np.exp(-((grid[None, :] - moved(within)[:, None]) ** 2) / (2 * noise**2))
    kernel /= kernel.sum(axis=1, keepdims=True)
    one, other = (kernel[np.abs(grid - start).argmin()] for start in (-radius, radius))
    for _ in range(steps - 1):
        one, other = one @ kernel, other @ kernel
    assert width < noise / 20
    mu = shift(gap(regularisation, smooth, step), radius, noise, steps)
    most = gaussian.delta(epsilon, mu)
    for left, right in ((one, other), (other, one)):
        assert np.maximum(left - math.exp(epsilon) * right, 0).sum() <= most + 1e-9
    fewer = shift(gap(regularisation, smooth, step), radius, noise, steps + 1)
    assert fewer < mu


@given(
    regularisation=st.floats(1e-3, 10),
    noise=st.floats(0.01, 10),
    epsilon=st.floats(0.01, 10),
    delta=st.floats(1e-12, 0.1),
)
@settings(max_examples=100, deadline=None)
def test_the_steps_are_the_fewest_that_keep_a_promise(regularisation: float, noise: float, epsilon: float, delta: float) -> None:
    made = descent(regularisation, noise, epsilon=epsilon, delta=delta)
    assert gaussian.delta(epsilon, made.mu) <= delta * (1 + 1e-9)
    assert made.step * made.smoothness < 2
    if made.steps > 1:
        assert made._replace(steps=made.steps - 1).mu > gaussian.mu(epsilon, delta)


def test_a_promise_that_a_million_steps_do_not_keep_is_refused() -> None:
    assert steps_for(Fraction(1, 10**9), 1.0, 0.01, epsilon=0.1, delta=1e-6) is None
    with pytest.raises(ValueError, match="a million steps"):
        descent(1e-9, 0.01, epsilon=0.1, delta=1e-6)


# The program, and twins that are broken in one place each.
class _Small(NoisyDescentModel):
    """With fewer steps for the same promise."""

    def __init__(self, **params: Any) -> None:
        super().__init__(regularisation=0.5, **params)


class _WithoutNoise(_Small):
    def __init__(self) -> None:
        super().__init__()
        self._descent = self._descent._replace(noise=0.0)


class _OneStep(_Small):
    """Takes one step where four are asked for, with little noise."""

    def __init__(self) -> None:
        super().__init__(noise=0.02)
        self._descent = self._descent._replace(steps=1)


class _SettlesAtUpdatesAlone(_Small):
    """Leaves a reading as it is: the state is what was returned."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == "read":
            return ",".join(map(repr, self._weights.tolist()))
        return super().activate(channel, operation, argument)


class _SettlesBeforeDeleting(_Small):
    """Takes its steps on the data that are about to go."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == "delete":
            self._settle()
            self._records.pop(channel, None)
            return None
        return super().activate(channel, operation, argument)


class _KeepsTheLast(_Small):
    """Keeps the weights before the steps, as a checkpoint."""

    def initialize(self, seed: int) -> None:
        self._before: list[float] = []
        super().initialize(seed)

    def _settle(self) -> None:
        self._before = self._weights.tolist()
        super()._settle()

    def held(self) -> dict[str, Any]:
        return {**super().held(), "before": self._before}


class _InOrder(_Small):
    """Keeps records in the order in which they came."""

    def state(self) -> bytes:
        return repr(self.held()).encode()


def examined(make: Any, sizes: Sizes = SIZES) -> tuple[Status, Tried]:
    tried = experiment(VOCABULARY, rooms(make), seed=3, sizes=sizes, by_numbers=True)
    return judged(Observed(tried=tried), VOCABULARY.commuting, within=MADE_FOR).status, tried


def test_the_program_passes_for_what_it_is_made_for_and_for_code_of_a_case_it_stays_open() -> None:
    status, tried = examined(_Small)
    assert status is Status.PASS
    assert tried.counterexamples, "under one tape the noise falls on other steps"
    assert not tried.ignores_tape
    assert judged(Observed(tried=tried), VOCABULARY.commuting).status is Status.INCONCLUSIVE


@pytest.mark.parametrize(
    "broken",
    [_WithoutNoise, _OneStep, _SettlesAtUpdatesAlone, _SettlesBeforeDeleting, _KeepsTheLast, _InOrder],
    ids=lambda each: each.__name__,
)
def test_a_broken_twin_fails(broken: Any) -> None:
    status, _ = examined(broken, FEWER)
    assert status is Status.FAIL


def test_games_with_and_without_one_person_tell_the_program_apart_no_further_than_its_promise() -> None:
    """Theorem 3.8; what is told apart of a twin refutes the premise as well."""
    for make, sizes, status in ((_Small, SIZES, Status.PASS), (_SettlesBeforeDeleting, FEWER, Status.FAIL)):
        games = play_games(Kind.CONTROL, VOCABULARY, rooms(make), seed=5, sizes=sizes._replace(by_chance=10), by_numbers=True)
        found = control_judging.judged(context(), control_judging.Observed(tried=games), kind="control.game")
        assert found.status is status
        refuted = {each.name for each in found.facts if each.how is Provenance.REFUTED}
        assert (NOISY in refuted) == (status is Status.FAIL)
        # A claim of less than it is made for passes nothing.
        less = Claims.model_validate({"dp": {"epsilon": 0.5, "delta": 1e-6}})
        claimed = control_judging.judged(context(claims=less), control_judging.Observed(tried=games), kind="control.game")
        assert claimed.status is not Status.PASS


def test_a_model_that_is_read_has_no_confidentiality_and_that_refutes_no_history_independence() -> None:
    games = play_games(Kind.CONFIDENTIALITY, VOCABULARY, rooms(_Small), seed=5, sizes=FEWER, by_numbers=True)
    found = control_judging.judged(context(), control_judging.Observed(tried=games), kind="confidentiality.game")
    assert found.status is Status.FAIL
    assert NOISY not in {each.name for each in found.facts}


WORDS = ("controller-is-implementation", "seed-secret")


def whole(**params: Any) -> ControllerFacts:
    given = {"epsilon": 1.0, "delta": 1e-6, **params}
    commuting = tuple(sorted(VOCABULARY.commuting))
    return ControllerFacts(use=USE, entry=None, params=given, operations={}, commuting=commuting, games=20, digest="0" * 64)


def context(**changes: Any) -> Any:
    claims = Claims(attested=WORDS, attested_by="A controller", attested_at=date(2026, 1, 31))
    return declared(**{"controller": whole(), "procedure": NothingLearned(seed="1"), "claims": claims, **changes})


def played(left: int = 100, right: int = 100) -> Observed:
    law = Law(adversary="by-chance", adapts=False, event="a number in answers or state", runs=200, left=left, right=right)
    seen = (Played(adversary="by-chance", histories=300, different=0),)
    return Observed(
        tried=Tried(
            histories=600,
            operations=7_000,
            deterministic=True,
            ignores_tape=False,
            searched=True,
            played=seen,
            counterexamples=(),
            laws=(law,),
        )
    )


def guarantees(facts: tuple[Fact, ...], *words: str) -> dict[str, Guarantee]:
    said = tuple(fact(each, Provenance.ATTESTED, Message("fact.attested")) for each in words)
    pledge = pledged(facts, whole())
    return {each.id: each for each in derive_guarantees((*facts, *said), epsilon=None, delta=None, fresh=pledge)}


def test_control_and_unlearning_follow_with_the_epsilon_of_the_steps() -> None:
    found = CHECK.judge(context(), played(), {})
    assert found.status is Status.PASS
    (certificate,) = found.certificates
    assert certificate.kind == KIND
    assert certificate.epsilon is not None
    assert certificate.epsilon <= 1.0
    promised = guarantees(found.facts, *WORDS)
    control, unlearned = promised[CONTROL], promised[UNLEARNING]
    assert (control.status, control.epsilon, control.delta) == (ClaimStatus.SUPPORTED, 1.0, 1e-6)
    assert control.terms.promise == Gaussian(mu=certificate.outputs["mu"])
    several = group(control, 1_000)
    assert several is not None
    assert (several.epsilon, several.delta) == (1.0, 1e-6), "histories without all of them are histories too"
    assert isinstance(unlearned.terms, UnlearningTerms)
    assert (unlearned.status, unlearned.terms.epsilon, unlearned.terms.delta) == (ClaimStatus.SUPPORTED, 1.0, 1e-6)
    numbers = unlearning(unlearned, 1e-3)
    assert numbers is not None
    assert (numbers.alpha, numbers.beta) == (3.0, 1e-3)
    assert numbers.gamma == pytest.approx(0.002003163953414, rel=1e-12)


def test_no_word_makes_an_epsilon_of_0_of_what_noise_hides() -> None:
    claims = Claims(attested=(*WORDS, "strongly-history-independent"), attested_by="A controller", attested_at=date(2026, 1, 31))
    stated = context(claims=claims)
    found = CHECK.judge(stated, played(), {})
    words = attested.facts(stated, Finding(Status.SKIPPED))
    known = {each.name for each in found.facts}
    assert "strongly-history-independent" in {each.name for each in words} & known
    facts = (*found.facts, *(each for each in words if each.name not in known))
    control = next(
        each
        for each in derive_guarantees(facts, epsilon=None, delta=None, fresh=pledged(found.facts, whole()))
        if each.id == CONTROL
    )
    assert (control.status, control.epsilon) == (ClaimStatus.SUPPORTED, 1.0)


@pytest.mark.parametrize("missing", [*WORDS, NOISY, "logical-deletion"])
def test_without_a_premise_no_control_follows(missing: str) -> None:
    facts = tuple(each for each in CHECK.judge(context(), played(), {}).facts if each.name != missing)
    found = guarantees(facts, *(each for each in WORDS if each != missing))[CONTROL]
    assert (found.status, found.epsilon) == (ClaimStatus.NOT_SHOWN, None)


def test_what_fresh_tapes_tell_apart_beyond_the_promise_fails_and_takes_both_guarantees() -> None:
    within, beyond = played(130, 70), played(200, 40)
    assert CHECK.judge(context(), within, {}).status is Status.PASS
    found = CHECK.judge(context(), beyond, {})
    assert found.status is Status.FAIL
    promised = guarantees(found.facts, *WORDS)
    assert promised[CONTROL].status in {ClaimStatus.NOT_SHOWN, ClaimStatus.REFUTED}
    assert UNLEARNING not in promised
    assert pledged(found.facts, whole()) is None


def test_a_policy_that_allows_less_than_the_noise_gives_is_not_met() -> None:
    for policy in (Policy(max_epsilon=0.9), Policy(max_delta=1e-7)):
        assert CHECK.judge(context(policy=policy), played(), {}).status is Status.INCONCLUSIVE
        assert CHECK.judge(context(policy=policy), played(200, 40), {}).status is Status.FAIL
    assert CHECK.judge(context(policy=Policy(max_epsilon=1.0, max_delta=1e-6)), played(), {}).status is Status.PASS


def test_next_to_a_learner_and_for_code_of_a_case_nothing_follows() -> None:
    assert CHECK.judge(declared(controller=whole()), played(), {}).facts == ()
    foreign = whole().model_copy(update={"use": None, "entry": "own.py:Mine"})
    assert independence.of_controller(foreign, attested=WORDS) == ()
    assert CHECK.judge(context(controller=foreign), played(), {}).certificates == ()
