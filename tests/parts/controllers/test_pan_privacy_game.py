"""The pan-privacy game: it finds what one look at the state gives away, and nothing of a counter that keeps its promise."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from test_privacy_continual import PROMISED, OneDraw, SecondUse, Twin, attesting, honest, judged, seen, whole

from auditor.base.domain import ClaimStatus, Fact, Message, Provenance, Status
from auditor.base.histories import Vocabulary
from auditor.parts.controllers.judging import privacy_continual
from auditor.parts.controllers.judging.history.observed import Event
from auditor.parts.controllers.judging.privacy_continual import Observed, refuted_epsilon
from auditor.parts.controllers.learning.batch import BatchCount
from auditor.parts.controllers.observing.games import pan_privacy
from auditor.settings.controller import NothingLearned
from auditor.settings.tables import Policy, PrivacyClaim
from auditor.verdict.checks.finding import Finding
from auditor.verdict.guarantees import derive_guarantees
from benchmarks.in_process import InProcess
from judging import declared
from played_controllers import BROUGHT, VOCABULARIES

COUNTS = VOCABULARIES["tree-counter"]


def told(make: Any, use: str = "tree-counter", *, seed: int = 3) -> Observed:
    return Observed(games=pan_privacy.play(InProcess(make), VOCABULARIES[use], seed=seed))


class KeepsIds(Twin):
    """Deleting somebody takes nothing away."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        return None if operation == "delete" else super().activate(channel, operation, argument)


class KeepsItsNoise:
    """A count whose noise stands beside it, so that a report is the count for whoever looks."""

    def initialize(self, seed: int) -> None:
        self.count, self.noise = 0, random.Random(seed).gauss(0, 20)

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        self.count += operation == "add"
        return str(self.count + self.noise) if operation == "tick" else None

    def state(self) -> bytes:
        return f"{self.count + self.noise} {self.noise}".encode()


class ByChance(KeepsItsNoise):
    def initialize(self, seed: int) -> None:
        super().initialize(random.SystemRandom().getrandbits(32))


class Silent(KeepsItsNoise):
    """Noise, and nothing of anybody."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        return str(self.noise) if operation == "tick" else None


@pytest.mark.parametrize("use", privacy_continual.COUNTERS)
def test_no_adversary_refutes_what_an_honest_counter_promises(use: str) -> None:
    found = told(honest(use), use)
    assert len(found.games) == len(pan_privacy.ADVERSARIES) + 1
    assert refuted_epsilon(found, PROMISED["delta"]) < PROMISED["epsilon"]


@pytest.mark.parametrize("twin", [OneDraw, SecondUse])
def test_noise_used_twice_cancels_in_a_weighted_sum(twin: type[Twin]) -> None:
    found = told(twin)
    assert any(each.event is Event.SUM and (each.left, each.right) == (each.runs, 0) for each in found.games)
    finding = judged(seen(twin).model_copy(update={"games": found.games}))
    assert finding.status is Status.FAIL
    assert {reason.code for reason in finding.reasons} >= {"privacy.continual.told-apart", "privacy.continual.games"}


def test_a_name_that_stays_is_seen_in_the_state() -> None:
    found = told(KeepsIds)
    assert any(each.event is Event.HOLDS and each.left == each.runs for each in found.games)


def foreign(found: Observed, *, epsilon: float = 1.0) -> Finding:
    claims = attesting("seed-secret").model_copy(update={"dp": PrivacyClaim(epsilon=epsilon, delta=1e-6)})
    return privacy_continual.judge(replace(declared(claims=claims), controller=whole(None, entry="c.py:C")), found, {})


def test_code_of_the_case_can_be_refuted_and_never_passes() -> None:
    finding = foreign(told(KeepsItsNoise))
    assert (finding.status, finding.threshold) == (Status.FAIL, 1.0)
    assert finding.value is not None
    assert finding.value > 2
    # Nine is more than as many runs could refute.
    assert foreign(told(KeepsItsNoise), epsilon=9.0).status is Status.INCONCLUSIVE
    assert foreign(told(Silent)).status is Status.INCONCLUSIVE
    assert foreign(Observed()).status is Status.INCONCLUSIVE


def test_two_runs_of_chance_are_no_view() -> None:
    assert told(ByChance).games == ()


def test_without_a_clock_there_is_no_such_game() -> None:
    assert pan_privacy.play(InProcess(Silent), Vocabulary({"add": ()}, frozenset({"add"})), seed=1) == ()


@pytest.mark.slow
def test_where_nothing_is_counted_hardly_any_game_refutes_anything() -> None:
    assert sum(refuted_epsilon(told(Silent, seed=seed), 0.0) > 0 for seed in range(200)) <= 1


class KeepsItsData(BatchCount):
    """The count is private, and who was counted stays."""

    def activate(self, channel: str, operation: str, argument: str | None) -> str | None:
        if operation == "tick":
            self.kept = sorted(self._records or ())
        return super().activate(channel, operation, argument)

    def state(self) -> bytes:
        return super().state() + repr(getattr(self, "kept", ())).encode()


class Exact(BatchCount):
    """The count itself."""

    def _mechanism(self, records: list[list[float]]) -> str:
        return str(len(records))


def once(make: Any, *, use: str = "batch-count", **changes: Any) -> Finding:
    controller = whole(use, params=changes.pop("params", {"epsilon": 1.0}), operations={"add": (), "tick": ()})
    return judged(told(make, use), controller=controller, procedure=NothingLearned(seed="1"), **changes)


@pytest.mark.parametrize("use", ["batch-count", pytest.param("batch-model", marks=pytest.mark.slow)])
def test_one_private_report_supports_control_where_its_noise_is_secret(use: str) -> None:
    finding = once(BROUGHT[use], use=use)
    assert (finding.status, finding.value) == (Status.PASS, 1.0)
    secret = Fact("seed-secret", Provenance.ATTESTED, Message("fact.not-examined"))
    for facts, standing in (((*finding.facts, secret), ClaimStatus.SUPPORTED), (finding.facts, ClaimStatus.NOT_SHOWN)):
        derived = derive_guarantees(
            facts, epsilon=None, delta=None, continual=privacy_continual.pledged({privacy_continual.CARD.id: finding})
        )
        control = next(each for each in derived if each.id == "deletion-as-control")
        assert (control.status, control.epsilon) == (standing, 1.0 if standing is ClaimStatus.SUPPORTED else None)


@pytest.mark.parametrize("twin", [KeepsItsData, Exact])
def test_a_batch_that_keeps_its_data_or_adds_no_noise_fails(twin: type[BatchCount]) -> None:
    finding = once(twin)
    assert finding.status is Status.FAIL
    assert [each.name for each in finding.facts] == ["batch-private"]
    assert finding.facts[0].how is Provenance.REFUTED


def test_an_epsilon_at_one_delta_says_nothing_at_a_smaller_one() -> None:
    controller = whole("batch-model", params={"epsilon": 1.0, "delta": 1e-6})
    finding = judged(told(BROUGHT["batch-count"], "batch-count"), controller=controller, policy=Policy(max_delta=1e-9))
    assert finding.status is Status.INCONCLUSIVE
