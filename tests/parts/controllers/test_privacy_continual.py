"""`privacy.continual`: an honest counter passes, every broken twin fails by name, and nothing is promised without a word."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from auditor.base.domain import Provenance, Status
from auditor.document.context import ControllerFacts
from auditor.learning.sums import TreeSums
from auditor.parts.controllers.judging import privacy_continual
from auditor.parts.controllers.judging.history.observed import Event, Law
from auditor.parts.controllers.judging.privacy_continual import Derived, Drawn, Observed
from auditor.parts.controllers.learning import compiled, tape
from auditor.parts.controllers.observing import continual
from auditor.parts.controllers.observing.continual import observe
from auditor.parts.controllers.observing.histories.playing import Play, Player
from auditor.parts.controllers.rules import tree_counter
from auditor.settings.controller import NothingLearned
from auditor.settings.learning import Sklearn
from auditor.settings.tables import Claims, Policy, PrivacyClaim
from auditor.verdict.checks import attested
from auditor.verdict.checks.finding import Finding
from auditor.verdict.checks.levels import share
from auditor.verdict.guarantees import derive_guarantees
from benchmarks.in_process import rooms
from judging import declared
from played_controllers import BROUGHT

PROMISED = {"epsilon": 1.0, "delta": 1e-6, "horizon": 15}
NOISE = tree_counter.node_noise(1.0, 1e-6, 15)


def whole(use: str | None = "tree-counter", **changes: Any) -> ControllerFacts:
    usual: dict[str, Any] = {"use": use, "entry": None, "params": PROMISED, "operations": {"add": (), "tick": ()}}
    facts = {"commuting": ("add",), "environment": ("tick",), "games": 20, "digest": "0" * 64}
    return ControllerFacts(**(usual | facts | changes))


def attesting(*names: str) -> Claims:
    return Claims.model_construct(**(Claims().model_dump() | {"attested": names, "attested_by": "K. E.", "dp": None}))


def judged(observed: Observed, *, controller: ControllerFacts | None = None, **changes: Any) -> Finding:
    context = declared(controller=controller or whole(), claims=attesting("seed-secret"), **changes)
    return privacy_continual.judge(context, observed, {})


@contextmanager
def player(make: Any) -> Iterator[Player]:
    with rooms(make)() as (one, _other):
        yield one


def seen(make: Any, use: str = "tree-counter", *, seed: int = 1) -> Observed:
    with player(make) as one:
        return observe(one, use, PROMISED, seed=seed, quick=False)


def honest(use: str) -> Any:
    return lambda: BROUGHT[use](**PROMISED)


@pytest.mark.parametrize("use", privacy_continual.COUNTERS)
def test_an_honest_counter_passes_and_promises_what_is_declared(use: str) -> None:
    finding = judged(seen(honest(use), use), controller=whole(use))
    assert finding.status is Status.PASS
    assert isinstance(finding.derived, Derived)
    assert finding.derived.broken == ()
    assert finding.value == pytest.approx(1.0, rel=1e-6)
    assert finding.value <= 1.0
    assert finding.interval is not None
    assert finding.interval.low <= finding.value <= finding.interval.high


class Twin(compiled.TreeCount):
    """A counter that is handed in as ours and is broken."""

    def __init__(self) -> None:
        super().__init__(**PROMISED)


class LittleNoise(Twin):
    def _mechanism(self, part: np.random.Generator) -> Any:
        return TreeSums(noise=tree_counter.node_noise(2.0, 1e-6, 15), horizon=15, tape=part)


class NoReleaseNoise(TreeSums):
    def tick(self) -> float:
        drawn, self._noise = self._noise, lambda: 0.0
        try:
            return super().tick()
        finally:
            self._noise = drawn


class OneDraw(Twin):
    def _mechanism(self, part: np.random.Generator) -> Any:
        return NoReleaseNoise(noise=NOISE, horizon=15, tape=part)


class SameDraw(TreeSums):
    """What hides a sum in the state is added to it once more at release."""

    def __init__(self, **given: Any) -> None:
        self._first: dict[int, float] = {}
        super().__init__(**given)
        self._first = dict(self._open)

    def tick(self) -> float:
        ended = ((self._clock + 1) & -(self._clock + 1)).bit_length() - 1
        again, self._noise = self._noise, lambda: self._first.get(ended, 0.0)
        try:
            return super().tick()
        finally:
            self._noise = again


class SecondUse(Twin):
    def _mechanism(self, part: np.random.Generator) -> Any:
        return SameDraw(noise=NOISE, horizon=15, tape=part)


class ShortSeed(Twin):
    def initialize(self, seed: int) -> None:
        super().initialize(seed % 2**16)


class LowBits(Twin):
    def initialize(self, seed: int) -> None:
        super().initialize(seed % 2**32)


class CountedAgain(Twin):
    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        self._spoke.discard(channel)
        return super().activate(channel, operation, argument)


class AnswersBetween(Twin):
    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        return super().activate(channel, operation, argument) or f"{len(self._spoke)} have come"


class CountsTwice(Twin):
    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == "add" and channel not in self._spoke:
            self._sums.add(1.0)
        return super().activate(channel, operation, argument)


class Forgets(Twin):
    """Reports follow the departures: noise is fitted to what is there."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        answer = super().activate(channel, operation, argument)
        return repr(float(answer) - 0.5 * ("b" not in self._spoke)) if operation == "tick" and self._spoke else answer


@pytest.mark.parametrize(
    ("twin", "names"),
    [
        (LittleNoise, {"state-noise", "release-noise"}),
        (OneDraw, {"release-noise"}),
        (SecondUse, {"one-draw"}),
        (ShortSeed, {"short-seed"}),
        (LowBits, {"short-seed"}),
        (CountedAgain, {"counted-again"}),
        (AnswersBetween, {"between-reports"}),
        (CountsTwice, {"sensitivity", "data-dependent"}),
        (Forgets, {"data-dependent"}),
    ],
)
def test_every_broken_twin_fails_by_name(twin: type[Twin], names: set[str]) -> None:
    finding = judged(seen(twin))
    assert finding.status is Status.FAIL
    assert isinstance(finding.derived, Derived)
    assert names <= set(finding.derived.broken)
    assert {reason.code for reason in finding.reasons} >= {f"privacy.continual.{name}" for name in names}
    assert finding.facts[0].how is Provenance.REFUTED


def test_a_claim_is_examined_where_an_epsilon_is_found() -> None:
    assert privacy_continual.examined_claims(judged(seen(honest("tree-counter")))) == {"dp"}
    assert privacy_continual.examined_claims(judged(Observed())) == set()


def test_a_policy_below_the_promise_fails_and_above_it_decides_nothing_more() -> None:
    observed = seen(honest("tree-counter"))
    assert judged(observed, policy=Policy(max_epsilon=0.5)).status is Status.FAIL
    assert judged(observed, policy=Policy(max_epsilon=2.0)).threshold == 1.0
    stricter = judged(observed, policy=Policy(max_delta=1e-9))
    assert stricter.status is Status.FAIL  # the same noise has a larger ε there
    assert stricter.value is not None
    assert stricter.value > 1.0


def test_a_promise_that_promises_nothing_is_open() -> None:
    for epsilon, status in ((20.0, Status.PASS), (40.0, Status.INCONCLUSIVE)):
        # (20, 1e-6) alone says nothing; the noise that keeps to it leaves 94.4 right guesses.
        large = whole(params={**PROMISED, "epsilon": epsilon})
        with player(lambda: BROUGHT["tree-counter"](**{**PROMISED, "epsilon": epsilon})) as one:  # noqa: B023 - built at once
            observed = observe(one, "tree-counter", PROMISED, seed=1, quick=False)
        assert judged(observed, controller=large).status is status


def test_a_quick_run_fails_a_broken_counter_and_passes_none() -> None:
    quick = declared().audit.model_copy(update={"quick": True})
    assert judged(seen(honest("tree-counter")), audit=quick).status is Status.INCONCLUSIVE
    assert judged(seen(OneDraw), audit=quick).status is Status.FAIL


def test_nothing_seen_and_code_of_the_case_are_open() -> None:
    assert judged(Observed()).status is Status.INCONCLUSIVE
    foreign = whole(None, entry="counter.py:Counter", params={})
    claims = Claims.model_construct(
        **(Claims().model_dump() | {"attested": ("seed-secret",), "dp": PrivacyClaim(epsilon=1.0, delta=1e-6)})
    )
    context = declared(controller=foreign, claims=claims)
    assert privacy_continual.applies(context, {}) is None
    assert privacy_continual.judge(context, Observed(), {}).status is Status.INCONCLUSIVE


@pytest.mark.parametrize(
    ("controller", "code"),
    [(None, "no-controller"), (whole("dictionary", params={}), "no-counter")],
)
def test_it_does_not_apply_to_anything_else(controller: ControllerFacts | None, code: str) -> None:
    reason = privacy_continual.applies(declared(controller=controller), {})
    assert reason is not None
    assert reason.code == f"privacy.continual.{code}"


def derived(use: str, *, secret: bool, alone: bool = True) -> dict[str, tuple[str, float | None]]:
    procedure = NothingLearned(seed="1") if alone else Sklearn(estimator="sklearn.tree.DecisionTreeClassifier", seed="1")
    context = declared(controller=whole(use), procedure=procedure, claims=attesting(*(("seed-secret",) if secret else ())))
    finding = privacy_continual.judge(context, seen(honest(use), use), {})
    named = {each.name for each in finding.facts}
    known = [each for each in attested.facts(context, Finding(Status.PASS)) if each.name not in named]
    guarantees = derive_guarantees(
        (*finding.facts, *known),
        epsilon=None,
        delta=None,
        continual=privacy_continual.pledged({privacy_continual.CARD.id: finding}),
    )
    return {each.id: (each.status.value, each.epsilon) for each in guarantees}


def test_a_counter_supports_confidentiality_and_control_if_its_noise_is_secret() -> None:
    found = derived("tree-counter", secret=True)
    assert found["deletion-as-control"] == ("supported", pytest.approx(1.0))
    assert found["deletion-as-confidentiality"] == ("supported", pytest.approx(1.0))
    assert {status for status, _ in derived("tree-counter", secret=False).values()} == {"not-shown"}


@pytest.mark.parametrize("use", privacy_continual.COUNTERS)
def test_a_counter_next_to_a_learner_says_nothing_of_the_whole(use: str) -> None:
    """What a model keeps of people lies outside of the counter."""
    assert {status for status, _ in derived(use, secret=True, alone=False).values()} == {"not-shown"}


def test_a_public_directory_supports_control_and_no_confidentiality() -> None:
    found = derived("public-directory", secret=True)
    assert found["deletion-as-control"] == ("supported", pytest.approx(1.0))
    assert found["deletion-as-confidentiality"] == ("not-shown", None)


@pytest.mark.slow
def test_honest_counters_are_refused_no_more_often_than_stated() -> None:
    """Five statistics at a ten-thousandth each: among 400 honest counters hardly one is refused."""
    sigma = tree_counter.node_noise(1.0, 1e-6, 15)
    rng = np.random.default_rng(3)
    refused = 0
    for _ in range(400):
        kept, added = rng.normal(0, sigma, (2, 600))
        state = rng.normal(0, sigma, 1200)
        observed = Observed(
            tapes=300,
            state=Drawn(count=1200, squares=float((state**2).sum())),
            release=Drawn(count=600, squares=float((added**2).sum())),
            products=float((kept * added).sum()),
            moved=4.0,
        )
        refused += judged(observed).status is Status.FAIL
    assert refused <= 2


# The numbers by which a counter is refused, each at its boundary

STATE, RELEASE = 1200, 600
ONCE = share(privacy_continual.TEST) / 6
"""How often each statistic refuses an honest counter."""


def measured(**changes: Any) -> Observed:
    """Plays of a counter that draws the very noise that its rule asks for."""
    sigma = tree_counter.node_noise(1.0, 1e-6, 15)
    usual: dict[str, Any] = {
        "tapes": 300,
        "state": Drawn(count=STATE, squares=STATE * sigma**2),
        "release": Drawn(count=RELEASE, squares=RELEASE * sigma**2),
        "products": 0.0,
        "moved": 4.0,
    }
    return Observed(**(usual | changes))


def broken(**changes: Any) -> tuple[str, ...]:
    finding = judged(measured(**changes))
    assert isinstance(finding.derived, Derived)
    doubted = "privacy.continual.doubted" in {each.code for each in finding.reasons}
    assert finding.status is (Status.FAIL if finding.derived.broken else Status.INCONCLUSIVE if doubted else Status.PASS)
    return finding.derived.broken


@pytest.mark.parametrize(("which", "count"), [("state", STATE), ("release", RELEASE)])
def test_less_noise_than_chance_hardly_ever_leaves_is_refused(which: str, count: int) -> None:
    least = tree_counter.node_noise(1.0, 1e-6, 15) ** 2 * chi2.ppf(ONCE, count)
    assert broken(**{which: Drawn(count=count, squares=least * (1 + 1e-6))}) == ()
    assert broken(**{which: Drawn(count=count, squares=least * (1 - 1e-6))}) == (f"{which}-noise",)


@pytest.mark.parametrize("sign", [1, -1])
def test_two_draws_that_go_together_are_refused_beyond_bernstein_s_bound(sign: int) -> None:
    tail = math.log(2 / ONCE)
    far = (math.sqrt(2 * tail / RELEASE) + tail / RELEASE) * RELEASE * tree_counter.node_noise(1.0, 1e-6, 15) ** 2
    assert broken(products=sign * far * (1 - 1e-9)) == ()
    assert broken(products=sign * far * (1 + 1e-9)) == ("one-draw",)


def test_one_person_may_move_the_sums_by_the_sensitivity_and_by_rounding() -> None:
    """Four levels of a horizon of 15, and a millionth of that."""
    assert broken(moved=4 * (1 + 1e-6)) == ()
    assert broken(moved=4 * (1 + 1.01e-6)) == ("sensitivity",)


def test_answers_may_be_off_by_rounding_alone() -> None:
    assert broken(off=1e-6) == ()
    assert broken(off=1.01e-6) == ("data-dependent",)


def told(left: int) -> Law:
    return Law(adversary="one-intrusion", adapts=False, event=Event.NUMBER, runs=2000, left=left, right=100)


def test_games_refute_at_half_the_share_of_the_check_which_they_share() -> None:
    """At a level of 2e-5, 432 of 2000 runs against 100 exceed an epsilon of 1; two games have half of it each."""
    assert broken(games=(told(432),)) == ("told-apart",)
    assert broken(games=(told(431),)) == ()
    assert broken(games=(told(437), told(100))) == ()
    assert broken(games=(told(438), told(100))) == ("told-apart",)


@pytest.mark.parametrize(("left", "broken"), [(400, ()), (432, ("told-apart",))])
def test_a_policy_that_asks_for_more_than_was_promised_refutes_no_noise_that_keeps_its_promise(
    left: int, broken: tuple[str, ...]
) -> None:
    """A game that shows an epsilon of .8 is beyond the policy and within the noise: the check fails by its bound alone."""
    finding = judged(measured(games=(told(left),)), policy=Policy(max_epsilon=0.5))
    assert finding.status is Status.FAIL
    assert isinstance(finding.derived, Derived)
    assert finding.derived.broken == broken
    assert [each.name for each in finding.facts if each.how is Provenance.REFUTED] == ["pan-private"] * len(broken)
    assert (finding.derived.for_a_person is None) is bool(broken)


def test_tapes_differ_and_agree_in_low_bits() -> None:
    tapes = continual._tapes(1, 300)
    assert len(set(tapes)) == 300
    assert len({each % 2**24 for each in tapes[1::4]}) == 1
    one = [part.normal() for each in tapes[:8] for part in tape.parts(each, 1)]
    assert len(set(one)) == 8
    assert Play(tapes[3], ()).tape.bit_length() > 96
