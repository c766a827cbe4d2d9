"""`removal.output-noise`: the noise of the release against what the residual budget allows to be left."""

from __future__ import annotations

from typing import Any

import pytest

from auditor.base.domain import Message, Provenance, Status
from auditor.pages.words import basis, sentence
from auditor.parts.removal.judging.output_noise import Derived, Observed, applies, judge
from auditor.settings.tables import Policy
from auditor.verdict.checks.context import Context
from auditor.verdict.checks.finding import Finding
from judging import attesting, declared, log_facts
from removal_examples import earlier, observed, removing, walked


def noised(*, context: dict[str, Any] | None = None, **changes: Any) -> Context:
    return removing(context=context, **{"release_noise": 0.1, "residual_budget": 0.01, **changes})


def judged(context: Context, **seen: Any) -> Finding:
    return judge(context, Observed(), earlier(context, observed(**seen)))


def known(finding: Finding) -> dict[str, tuple[Provenance, str]]:
    return {fact.name: (fact.how, sentence(fact.evidence)) for fact in finding.facts if isinstance(fact.evidence, Message)}


def test_noise_that_hides_the_budget_passes() -> None:
    finding = judged(noised())
    last, every = finding.certificates
    assert finding.status is Status.PASS
    assert 0 < (finding.value or 0) < 1.0 == finding.threshold
    assert finding.value == last.outputs["epsilon_spent"]
    assert (last.inputs["rows"], every.inputs["rows"]) == ([97], [99, 97])
    assert isinstance(finding.derived, Derived)
    assert finding.derived.measured == 2e-5
    assert finding.derived.epsilon_if_every_batch_is_released > finding.value
    assert known(finding) == {
        "release-noise": (Provenance.COMPUTED, "built-in procedure certified-removal, s = 0.1"),
        "residual-enforced": (Provenance.COMPUTED, "built-in procedure certified-removal, r = 0.01; measured 2 × 10⁻⁵ at most"),
        "noise-criterion-met": (Provenance.COMPUTED, f"removal.output-noise: ε = {finding.value:.4g} of 1"),
    }
    assert basis(finding.reasons).startswith("ε at δ of one release with its noise")


def test_noise_that_does_not_hide_it_fails() -> None:
    finding = judged(noised(release_noise=1e-3))
    assert finding.status is Status.FAIL
    assert known(finding)["noise-criterion-met"][0] is Provenance.REFUTED


def test_noise_without_a_finite_epsilon_fails() -> None:
    finding = judged(noised(release_noise=1e-300))
    assert (finding.status, finding.value) == (Status.FAIL, None)
    assert basis(finding.reasons).startswith("No finite ε: ")
    assert known(finding)["noise-criterion-met"] == (Provenance.REFUTED, "removal.output-noise: ε = none of 1")


@pytest.mark.parametrize(
    "seen",
    [
        {"policy": Policy(before_and_after=True)},
        {"log": log_facts(max_seen_releases=1)},
        # A log that does not say counts for every model that was published.
        {"log": log_facts(max_seen_releases=None)},
    ],
)
def test_where_earlier_releases_were_seen_fresh_noise_is_the_controller_s_word(seen: dict[str, Any]) -> None:
    how, words = known(judged(noised(context=seen)))["release-noise"]
    assert how is Provenance.UNKNOWN
    assert "earlier releases were seen, and nobody attests" in words
    how, words = known(judged(noised(context={**seen, "claims": attesting("requests-fixed")})))["release-noise"]
    assert how is Provenance.ATTESTED
    assert "A. N. Other attests" in words


def test_a_residual_above_the_budget_voids_it() -> None:
    context = noised(residual_budget=1.5e-5)
    finding = judged(context)
    assert finding.status is Status.FAIL
    assert "nothing follows from the budget" in basis(finding.reasons)
    assert known(finding)["residual-enforced"][0] is Provenance.REFUTED


def test_what_rounding_may_have_added_is_no_excess() -> None:
    context = noised(residual_budget=1.5e-5)
    finding = judged(context, walk=walked(rounding_floor=(1e-5, 1e-5)))
    assert known(finding)["residual-enforced"][0] is Provenance.COMPUTED
    assert finding.certificates[0].inputs["measured"] == 1.5e-5


def test_without_a_target_it_stays_open() -> None:
    finding = judged(noised(epsilon=None, delta=None))
    assert (finding.status, finding.derived, finding.certificates) == (Status.INCONCLUSIVE, None, ())
    assert set(known(finding)) == {"release-noise", "residual-enforced"}


def test_the_extractor_s_certificate_comes_last() -> None:
    finding = judged(noised(extractor={"epsilon": 0.05, "delta": 1e-6}))
    assert [each.kind for each in finding.certificates] == ["output-noise", "output-noise", "dp-extractor"]


def test_where_nothing_was_removed_it_says_so() -> None:
    context = removing({"records_left": 100}, release_noise=0.1, residual_budget=0.01)
    finding = judged(context, batches=(), walk=None, released=None)
    assert finding.status is Status.INCONCLUSIVE
    assert "no removal to judge" in basis(finding.reasons)


def test_it_needs_noise_at_release() -> None:
    assert applies(noised(), {}) is None
    assert applies(removing(), {}) == Message("removal.output-noise.no-noise")
    assert applies(declared(), {}) == Message("removal.other-procedure")
