"""`removal.budget`: the largest bound along the log against the budget at the strictest (ε, δ) on record."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from auditor.base.domain import Message, Provenance, Status
from auditor.maths.certificates.rounding import ceiling
from auditor.pages.words import basis, sentence
from auditor.parts.removal.judging import residual
from auditor.parts.removal.judging.budget import Derived, Held, HeldGaussian, Observed, applies, judge
from auditor.parts.removal.judging.chain import asked, target
from auditor.parts.removal.judging.measurements import pledged
from auditor.parts.removal.rules.extractor import of_group
from auditor.settings.tables import Claims, Policy, PrivacyClaim
from auditor.verdict.checks.finding import Finding
from auditor.verdict.guarantees import Pledge
from auditor.verdict.judgement import judge_all
from judging import attesting, audit_facts, declared
from removal_examples import earlier, observed, removals, removing, second_trained, walked

NOTHING = Observed(worst_margins=(None, None))


def held(finding: Finding) -> Held:
    assert isinstance(finding.derived, Held)
    return finding.derived


def criterion(finding: Finding) -> tuple[Provenance, str]:
    (fact,) = finding.facts
    assert fact.name == "criterion-met"
    assert isinstance(fact.evidence, Message)
    return fact.how, sentence(fact.evidence)


def test_a_residual_within_the_budget_passes() -> None:
    context = removing()
    before = earlier(context)
    finding = judge(context, NOTHING, before)
    (certificate,) = finding.certificates
    beta = before[residual.CARD.id].certificates[0].outputs["beta"]
    assert finding.status is Status.PASS
    assert finding.threshold == 1.0
    assert finding.value == ceiling(Fraction(beta) / Fraction(certificate.outputs["budget"]))
    assert (certificate.kind, certificate.inputs["beta"]) == ("removal-budget", beta)
    assert certificate.inputs["beta_as_printed"] > certificate.inputs["beta_tightened"] > 0
    assert isinstance(held(finding), HeldGaussian)
    assert [entry.batch for entry in held(finding).series] == ["training", "A", "B"]
    assert criterion(finding) == (Provenance.COMPUTED, f"removal.budget: worst β/(σμ) = {finding.value:.4g}")
    assert basis(finding.reasons) == (
        "Worst β_t/(σμ) over training and 2 batches, the optimiser's leftover included; none retrained from scratch. This is the "
        "paper's criterion; the guarantee that it feeds rests on an attested assumption."
    )


def test_a_residual_beyond_it_fails() -> None:
    context = removing(sigma=1e-4)
    finding = judge(context, NOTHING, earlier(context))
    assert finding.status is Status.FAIL
    assert criterion(finding)[0] is Provenance.REFUTED
    assert "went on past the budget without retraining" in basis(finding.reasons)
    context = removing(sigma=1e-4, retrain_at_budget=True)
    assert "went on" not in basis(judge(context, NOTHING, earlier(context)).reasons)


def test_batches_that_were_trained_from_scratch_are_counted() -> None:
    context = removing()
    finding = judge(context, Observed(worst_margins=(None,)), earlier(context, second_trained(3e-5)))
    assert "; 1 of them retrained from scratch." in basis(finding.reasons)


def test_a_density_of_the_laplace_type_has_a_rule_of_its_own() -> None:
    context = removing(perturbation="laplace")
    finding = judge(context, NOTHING, earlier(context))
    assert finding.certificates[0].kind == "removal-budget-laplace"
    assert not isinstance(finding.derived, HeldGaussian)
    assert basis(finding.reasons).startswith("Worst β_t/(σε) over")


@pytest.mark.parametrize("named", [{"epsilon": None, "delta": None}, {"epsilon": None}, {"delta": None}])
def test_without_a_target_it_stays_open_and_shows_the_series(named: dict[str, None]) -> None:
    context = removing(**named)
    finding = judge(context, NOTHING, earlier(context))
    assert (finding.status, finding.value, finding.threshold) == (Status.INCONCLUSIVE, None, None)
    assert type(finding.derived) is Derived
    assert len(finding.derived.series) == 3
    assert (finding.facts, finding.certificates) == ((), ())
    assert basis(finding.reasons).startswith("No threshold")


def test_without_a_bound_it_stays_open() -> None:
    context = removing()
    finding = judge(context, NOTHING, earlier(context, observed(walk=walked(measured=(1e-5, 1.0)))))
    assert (finding.status, finding.facts) == (Status.INCONCLUSIVE, ())
    assert basis(finding.reasons).startswith("No bound: ")


def test_where_nothing_was_removed_it_says_so() -> None:
    context = removing({"records_left": 100})
    before = earlier(context, observed(batches=(), walk=None, released=None))
    finding = judge(context, Observed(), before)
    assert (finding.status, finding.reasons) == (Status.INCONCLUSIVE, before[residual.CARD.id].reasons)


def test_it_needs_a_random_term_in_the_loss() -> None:
    assert applies(removing(), {}) is None
    assert applies(removing(sigma=0.0, release_noise=0.1, residual_budget=0.1), {}) == Message("removal.budget.no-random-term")
    assert applies(declared(), {}) == Message("removal.other-procedure")


def claiming(epsilon: float, delta: float) -> dict[str, Any]:
    return {"claims": Claims(certified_removal=PrivacyClaim(epsilon=epsilon, delta=delta))}


def test_the_strictest_of_procedure_claim_and_policy_is_the_target() -> None:
    goal = target(removing(context={**claiming(0.5, 1e-3), "policy": Policy(max_epsilon=2.0, max_delta=1e-6)}))
    assert goal is not None
    assert (goal.epsilon, goal.delta) == (0.5, 1e-6)
    assert [(each.source, each.epsilon, each.delta) for each in goal.sources] == [
        ("procedure", 1.0, 1e-4),
        ("claim", 0.5, 1e-3),
        ("policy", 2.0, 1e-6),
    ]
    assert target(declared(**claiming(0.5, 1e-3))) is None


EXTRACTOR = {"epsilon": 0.05, "delta": 1e-6}


def test_an_extractor_takes_its_share_of_what_is_claimed_and_its_certificate_comes_last() -> None:
    context = removing(extractor=EXTRACTOR, context=claiming(0.5, 5e-5))
    finding = judge(context, NOTHING, earlier(context))
    assert pledged(context) == Pledge(*of_group(0.05, 1e-6, 3))
    assert held(finding).epsilon == pytest.approx(0.35)
    assert [each.kind for each in finding.certificates] == ["removal-budget", "dp-extractor"]
    assert finding.certificates[-1].inputs["size"] == 3
    assert basis(finding.reasons).endswith("what the private extractor below spends is subtracted from their ε and δ.")
    assert pledged(removing()) is None
    assert pledged(declared()) is None


def test_an_extractor_that_spends_more_than_is_claimed_leaves_no_budget() -> None:
    context = removing(extractor=EXTRACTOR, context=claiming(0.1, 5e-5))
    finding = judge(context, NOTHING, earlier(context))
    assert (finding.status, finding.value) == (Status.FAIL, None)
    assert "The budget is zero, and something is left to hide." in basis(finding.reasons)
    assert criterion(finding) == (Provenance.REFUTED, "removal.budget: no threshold")


@pytest.mark.parametrize(
    ("changes", "how"),
    [
        ({}, None),
        ({"unlearn": "retrain"}, Provenance.COMPUTED),
        ({"retrain_at_budget": True}, Provenance.COMPUTED),
        ({"release_noise": 0.1, "residual_budget": 0.1}, Provenance.COMPUTED),
    ],
)
def test_every_extractor_would_keep_the_criterion_where_it_is_enforced(changes: dict[str, Any], how: Provenance | None) -> None:
    context = removing(extractor=EXTRACTOR, **changes)
    known = {fact.name: fact.how for fact in earlier(context)[residual.CARD.id].facts}
    assert ("extractor-private" in known, known.get("every-extractor")) == (False, how)


def test_that_an_extractor_is_private_is_attested_by_name_with_what_it_costs() -> None:
    context = removing(extractor=EXTRACTOR, context={"claims": attesting("extractor-private")})
    (known,) = (fact for fact in earlier(context)[residual.CARD.id].facts if fact.name == "extractor-private")
    assert known.how is Provenance.ATTESTED
    assert sentence(known.evidence).startswith("attested by A. N. Other: ε = ")


def test_an_extractor_whose_group_is_promised_nothing_is_not_private() -> None:
    context = removing(extractor={"epsilon": 5.0, "delta": 1e-3})
    known = {fact.name: fact.how for fact in earlier(context)[residual.CARD.id].facts}
    assert known["extractor-private"] is Provenance.REFUTED
    assert "every-extractor" not in known


def test_where_noise_is_added_at_release_the_extractor_s_certificate_stands_with_that() -> None:
    context = removing(extractor=EXTRACTOR, release_noise=0.1, residual_budget=0.1)
    assert [each.kind for each in judge(context, NOTHING, earlier(context)).certificates] == ["removal-budget"]


def test_the_first_newton_removal_of_each_size_is_compared() -> None:
    assert asked([(1, False), (2, False), (1, False), (2, False), (3, False)]) == (1, 2, 5)
    assert asked([(1, True), (1, False), (2, True)]) == (2,)
    assert asked([(1, True), (2, True)]) == ()
    assert asked([(size, False) for size in range(1, 9)]) == (4, 5, 6, 7, 8)


def test_the_hardest_records_stand_beside_the_batch_in_whose_place_they_went() -> None:
    context = removing()
    harder = removals(batches=1, local_curvature_norm=(1e-2,), measured=(1e-3,))
    finding = judge(context, Observed(worst_margins=(None, harder)), earlier(context))
    first, second = held(finding).hardest
    assert (first.number, first.batch, first.records, first.hardest, first.inputs) == (1, "A", 1, None, None)
    assert first.reason == Message("removal.budget.hardest-unreached")
    assert (second.number, second.batch, second.records, second.reason) == (2, "B", 2, None)
    assert second.hardest is not None
    assert second.hardest["measured"] == 1e-3
    assert second.hardest["local"] > second.log["local"] > 0
    assert second.log["measured"] == 2e-5
    assert (second.inputs or {})["rows"] == [99]
    # They decide nothing.
    assert finding.value == judge(context, NOTHING, earlier(context)).value


def test_a_removal_of_the_hardest_without_a_bound_says_why() -> None:
    context = removing()
    odd = removals(batches=1, step_predictions_norm=(9.0,))
    finding = judge(context, Observed(worst_margins=(odd, None)), earlier(context))
    reason = held(finding).hardest[0].reason
    assert reason is not None
    assert "norms of each step fit together" in sentence(reason)


def test_a_criterion_rests_on_measurements_that_are_left_out_of_the_list() -> None:
    context = removing(context={"audit": audit_facts(only=("removal.budget",))})
    seen = {"removal.residual": observed(), "removal.budget": NOTHING}
    found = judge_all(context, seen)
    assert found["removal.budget"].status is Status.PASS
    left = found["removal.residual"]
    assert (left.status, left.value, left.derived, left.reasons) == (Status.SKIPPED, None, None, (Message("left-out"),))
    # What the guarantee needs besides is known all the same.
    assert "objective-strongly-convex" in {fact.name for fact in left.facts}
    assert [each.kind for each in left.certificates] == ["removal-residual"]
