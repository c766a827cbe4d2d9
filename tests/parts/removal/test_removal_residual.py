"""`removal.residual`: the released weights against the last bound of the log, and what a rerun says of retraining."""

from __future__ import annotations

import pytest

from auditor.base.domain import Provenance, Status
from auditor.pages.words import basis, sentence
from auditor.parts.networks.settings import Torch
from auditor.parts.removal.judging.measurements import Released
from auditor.parts.removal.judging.residual import Derived, judge
from auditor.parts.removal.rules.residual import ROWS
from auditor.settings.learning import Foreign, Sklearn
from auditor.verdict.checks.finding import Finding
from judging import declared
from removal_examples import FIRST, SECOND, observed, procedure, removing, second_trained, walked


def known(finding: Finding) -> dict[str, Provenance]:
    return {each.name: each.how for each in finding.facts}


def derived(finding: Finding) -> Derived:
    assert isinstance(finding.derived, Derived)
    return finding.derived


def test_weights_within_the_bound_of_the_log_pass() -> None:
    finding = judge(removing(), observed(), {})
    (certificate,) = finding.certificates
    assert (finding.status, finding.value) == (Status.PASS, 2e-5)
    assert finding.threshold == certificate.outputs["betas"]["local"][-1] == derived(finding).beta
    assert certificate.kind == "removal-residual"
    assert (certificate.inputs["rows"], certificate.inputs["forgotten"]) == ([100, 99], [1, 2])
    # What training left is taken for no less than the tolerance of its optimiser.
    assert certificate.inputs["leftover"] == 1e-8
    assert basis(finding.reasons).startswith("‖∇L_b‖₂ of the shipped weights on the records that are left, against the bound β")


def test_weights_beyond_the_bound_fail() -> None:
    finding = judge(removing(), observed(released=Released(norms=(1.0,), optimum=None)), {})
    assert (finding.status, finding.value) == (Status.FAIL, 1.0)
    assert derived(finding).optimum_gradient is None


def test_the_series_has_training_and_every_batch() -> None:
    finding = judge(removing(), observed(), {})
    training, first, second = derived(finding).series
    assert (training.batch, training.removed, training.rows_left, training.retrained) == ("training", 0, 100, True)
    assert training.increment is None
    assert training.solver_error is None
    assert (first.request_ids, first.removed, first.rows_left) == (("R-1",), 1, 99)
    assert (second.batch, second.removed, second.rows_left) == ("B", 3, 97)
    assert second.distance_to_optimum is None
    assert [entry.beta["measured"] for entry in (training, first, second)] == [1e-9, 1e-5, 2e-5]
    assert set(first.increment or ()) == set(ROWS)
    assert second.beta["local"] == pytest.approx((first.beta["local"] or 0) + (second.increment or {})["local"])


@pytest.mark.parametrize(
    ("changes", "model", "words"),
    [
        ({}, None, "weights of the rerun on the records"),
        ({"release_noise": 0.1, "residual_budget": 0.1}, "model.npz", "shipped weights, less the noise of the release, on the"),
    ],
)
def test_it_says_whose_weights_were_measured(changes: dict[str, float], model: str | None, words: str) -> None:
    finding = judge(removing({"model": model}, **changes), observed(), {})
    assert words in basis(finding.reasons)
    assert derived(finding).subject == ("rerun" if model is None else "shipped")


@pytest.mark.parametrize(("count", "words"), [(1, "1 training record was longer"), (7, "7 training records were longer")])
def test_it_says_how_many_rows_were_scaled(count: int, words: str) -> None:
    assert words in basis(judge(removing(), observed(rows_scaled=count), {}).reasons)


def test_weights_of_another_shape_fail_and_the_log_is_bounded_all_the_same() -> None:
    finding = judge(removing(), observed(released=None), {})
    assert (finding.status, finding.value) == (Status.FAIL, None)
    assert finding.threshold == derived(finding).beta is not None
    assert len(derived(finding).series) == 3


def test_a_norm_that_float64_does_not_hold_fails() -> None:
    finding = judge(removing(), observed(released=Released(norms=(None,), optimum=None)), {})
    assert (finding.status, finding.value) == (Status.FAIL, None)


def test_measurements_that_contradict_one_another_are_no_bound() -> None:
    walk = walked(measured=(1e-5, 1.0))
    finding = judge(removing(), observed(walk=walk), {})
    assert (finding.status, finding.value, finding.threshold) == (Status.INCONCLUSIVE, 2e-5, None)


def test_a_log_that_removes_nothing_leaves_it_open() -> None:
    finding = judge(removing({"records_left": 100}), observed(batches=(), walk=None, released=None), {})
    assert (finding.status, finding.derived, finding.facts, finding.certificates) == (Status.INCONCLUSIVE, None, (), ())
    assert "there is no removal to judge" in basis(finding.reasons)


def test_what_float64_does_not_hold_is_named() -> None:
    finding = judge(removing(), observed(walk=None, beyond=("row_norm", "measured"), released=None), {})
    assert finding.status is Status.INCONCLUSIVE
    assert basis(finding.reasons) == ("No bound could be derived: float64 does not hold what was measured of row_norm, measured.")


def test_batches_that_are_not_those_of_the_log_are_refused() -> None:
    with pytest.raises(ValueError, match="removed in the rerun"):
        judge(removing({"records_left": 98}), observed(), {})


@pytest.mark.parametrize(("perturbation", "together"), [("gaussian", 2e-5 * 3**0.5), ("laplace", 6e-5)])
def test_several_classes_come_together(perturbation: str, together: float) -> None:
    finding = judge(removing({"classes": 3}, perturbation=perturbation), observed(3), {})
    (certificate,) = finding.certificates
    assert certificate.kind == "joint-residual"
    assert certificate.inputs["classes"] == 3
    assert certificate.inputs["leftovers"] == [1e-8] * 3
    assert finding.value == pytest.approx(together, rel=1e-9)
    assert derived(finding).series[-1].beta["measured"] == pytest.approx(together, rel=1e-9)
    assert finding.status is Status.PASS


def test_a_squared_loss_has_one_model_and_no_lipschitz_constant() -> None:
    (certificate,) = judge(removing({"classes": 0}, loss="least-squares"), observed(), {}).certificates
    assert certificate.kind == "removal-residual"
    assert (certificate.inputs["lipschitz"], certificate.inputs["gradient_bound"]) == (0.0, 0.0)


def test_a_batch_that_was_trained_from_scratch_starts_over() -> None:
    finding = judge(removing(), second_trained(1e-10), {})
    assert finding.certificates[0].inputs["batch_leftover"] == [0.0, 1e-8]
    assert derived(finding).series[-1].increment == dict.fromkeys(ROWS)


def test_what_the_built_in_procedure_does_is_computed_and_the_rest_is_not_its_to_say() -> None:
    assert known(judge(removing(), observed(), {})) == {
        "objective-strongly-convex": Provenance.COMPUTED,
        "perturbation-gaussian": Provenance.COMPUTED,
        "seed-unguessable": Provenance.COMPUTED,
    }
    assert "perturbation-laplace" in known(judge(removing(perturbation="laplace"), observed(), {}))


@pytest.mark.parametrize(("bits", "how"), [(95, Provenance.REFUTED), (96, Provenance.COMPUTED)])
def test_a_seed_of_96_bits_is_not_found_by_trying(bits: int, how: Provenance) -> None:
    finding = judge(removing(context={"seed_bits": bits}), observed(), {})
    assert known(finding)["seed-unguessable"] is how
    assert known(finding).get("seed-secret") is (Provenance.REFUTED if how is Provenance.REFUTED else None)


RETRAINED = tuple(each.model_copy(update={"retrained": True}) for each in (FIRST, SECOND))


@pytest.mark.parametrize("trained", [Sklearn(estimator="sklearn.svm.SVC"), Torch(model="mlp", epochs=1, rate=0.1)])
def test_retraining_by_code_of_ours_is_a_fact_of_its_own(trained: Sklearn | Torch) -> None:
    context = declared(procedure=trained)
    finding = judge(context, observed(batches=RETRAINED, walk=None, released=None), {})
    assert (finding.status, finding.derived) == (Status.SKIPPED, None)
    assert basis(finding.reasons) == 'Applies to [procedure] use = "certified-removal" only.'
    assert known(finding) == {"retrained": Provenance.COMPUTED}
    assert sentence(finding.facts[-1].evidence) == f"built-in procedure {trained.use}, every batch"
    kept = judge(context, observed(batches=RETRAINED, walk=None, released=None, loses_labels=True), {})
    assert known(kept)["retrained"] is Provenance.REFUTED


@pytest.mark.parametrize(
    "trained",
    [
        Sklearn(estimator="sklearn.svm.SVC", unlearn="none"),
        Torch(model="mlp", epochs=1, rate=0.1, unlearn="fine-tune"),
        Torch(entry="net.py:Net", epochs=1, rate=0.1),
        Foreign(entry="procedure.py:Procedure"),
    ],
)
def test_nothing_is_known_of_the_retraining_of_others(trained: Sklearn | Torch | Foreign) -> None:
    assert judge(declared(procedure=trained), observed(batches=RETRAINED, walk=None, released=None), {}).facts == ()


@pytest.mark.parametrize("batches", [(), (FIRST, RETRAINED[1])])
def test_retraining_counts_where_every_batch_was(batches: tuple[object, ...]) -> None:
    assert judge(declared(), observed(batches=batches, walk=None, released=None), {}).facts == ()


def test_retraining_at_the_budget_does_not_count_even_where_every_batch_came_to_it() -> None:
    seen = observed(batches=RETRAINED)
    assert "retrained" not in known(judge(removing(retrain_at_budget=True), seen, {}))
    assert known(judge(removing(unlearn="retrain"), seen, {}))["retrained"] is Provenance.COMPUTED


def test_the_table_says_how_many_models_it_trains() -> None:
    assert [procedure().models(classes) for classes in (0, 2, 3, 10)] == [1, 1, 3, 10]
    assert procedure(loss="least-squares").models(10) == 1
