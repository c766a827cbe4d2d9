"""Each method does what its paper says, where the answer is known."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from auditor.parts.networks.learning.network import copied
from auditor.parts.networks.learning.training import descend
from auditor.parts.networks.learning.unlearning import METHODS, parts
from auditor.parts.networks.learning.unlearning.importance import (
    _wrong_labels,
    empirical_fisher,
    expected_fisher,
    gradient,
    saliency,
)
from unlearning_examples import NETWORKS, RECIPE, loss, network, records, run, same, task

kinds = pytest.mark.parametrize("kind", NETWORKS)


@kinds
def test_retraining_is_learning_on_what_remains_to_the_bit(kind: str) -> None:
    given = task(network(kind))
    rest = given.rows(given.retain)
    assert same(run("retrain", given), descend(given.network, given.network.initial(given.seeds), *rest, RECIPE, given.seeds))


def test_doing_nothing_gives_equal_values_in_tensors_of_their_own() -> None:
    given = task(network())
    after = run("none", given)
    assert same(after, given.parameters)
    assert all(after[name].data_ptr() != given.parameters[name].data_ptr() for name in after)


def test_fine_tuning_without_a_schedule_or_momentum_is_descent_on_what_remains() -> None:
    # One step of a batch that holds every row: w − rate·∇(mean loss of what remains), in whatever order.
    plain = replace(RECIPE, momentum=0.0, weight_decay=0.0, schedule="constant", batch=100)
    given = replace(task(network()), recipe=plain)
    after = run("fine-tune", given, epochs=1, rate=0.3)
    slope = gradient(given.network, given.parameters, *given.rows(given.retain))
    for name, each in after.items():
        torch.testing.assert_close(each, given.parameters[name] - 0.3 * slope[name], rtol=1e-10, atol=1e-12)


def test_fine_tuning_lowers_the_loss_of_what_remains() -> None:
    given = task(network("linear"), rows=60)
    after = run("fine-tune", given, epochs=20)
    assert (loss(given, after, given.retain) < loss(given, given.parameters, given.retain)).all()


@kinds
@pytest.mark.parametrize("weight", [0.0, 0.5])
def test_a_negative_gradient_raises_the_loss_of_what_is_forgotten(kind: str, weight: float) -> None:
    given = task(network(kind))
    after = run("neg-grad", given, retain_weight=weight)
    assert (loss(given, after, given.forget) > loss(given, given.parameters, given.forget)).all()


@pytest.mark.parametrize(("weight", "beta"), [(0.0, 0.0), (0.25, 0.25), (0.9, 0.9), (None, 24 / 30)])
def test_one_step_of_neg_grad_is_a_step_on_its_objective(weight: float | None, beta: float) -> None:
    plain = replace(RECIPE, momentum=0.0, weight_decay=0.0, schedule="constant", batch=100)
    given = replace(task(network(), rows=30, gone=6), recipe=plain)
    after = run("neg-grad", given, epochs=1, rate=0.1, retain_weight=weight)
    keep = gradient(given.network, given.parameters, *given.rows(given.retain))
    drop = gradient(given.network, given.parameters, *given.rows(given.forget))
    for name, each in after.items():
        wanted = given.parameters[name] - 0.1 * (beta * keep[name] - (1 - beta) * drop[name])
        torch.testing.assert_close(each, wanted, rtol=1e-10, atol=1e-12)


def test_a_climb_that_runs_away_is_an_error_and_no_result() -> None:
    given = task(network())
    with pytest.raises(ArithmeticError, match="is not finite"):
        run("neg-grad", given, epochs=500, rate=1e30, retain_weight=0.0)


@pytest.mark.parametrize("name", ["ftfinal", "retrfinal"])
@kinds
def test_all_layers_but_the_last_stay_as_they_are_to_the_bit(name: str, kind: str) -> None:
    given = task(network(kind))
    after = run(name, given)
    for key, each in after.items():
        assert torch.equal(each, given.parameters[key]) == (key not in given.network.final)


def test_retraining_the_last_layer_forgets_what_it_was_and_fine_tuning_does_not() -> None:
    given = task(network())
    moved = replace(given, parameters=copied(given.parameters))
    for name in given.network.final:
        moved.parameters[name].add_(1.0)
    assert same(run("retrfinal", given), run("retrfinal", moved))
    assert not same(run("ftfinal", given), run("ftfinal", moved))


def test_retraining_the_only_layer_for_as_long_is_learning_it_anew_in_another_order() -> None:
    given = task(network("linear"))
    drawn, rest = given.network.initial(given.seeds), given.rows(given.retain)
    wanted = descend(given.network, drawn, *rest, given.recipe, given.seeds, purpose="retrfinal")
    assert same(run("retrfinal", given), wanted)


def test_fisher_noise_has_the_variance_that_the_rule_gives() -> None:
    # noise²·F^(−1/2) with F = mean p(1 − p)·x² in closed form; 400 models with the same weights and data, and a seed each.
    one = task(network("linear"), models=1)
    count, given = 400, one
    many = replace(
        given,
        parameters={name: each.expand(count, *each.shape[1:]) for name, each in one.parameters.items()},
        inputs=one.inputs.expand(count, -1, -1),
        labels=one.labels.expand(count, -1),
        forget=one.forget.expand(count, -1),
        seeds=range(count),
    )
    moved = run("fisher", many, noise=0.3, floor=1e-9)["weight"] - one.parameters["weight"]
    inputs, _ = one.rows(one.retain)
    chances = one.network.logits(one.parameters, inputs).softmax(dim=2)
    information = torch.einsum("kni,knj->kij", (chances * (1 - chances)).detach(), inputs**2)[0] / inputs.shape[1]
    standardised = moved / (0.3 * information**-0.25)
    # The mean square of 400 standard normal numbers is 1 ± 0.071; of all 48 · 400 of them, 1 ± 0.0102.
    assert float((standardised.square().mean(dim=0) - 1).abs().max()) < 5 * 0.071
    assert abs(float(standardised.square().mean()) - 1) < 5 * 0.0102
    assert abs(float(standardised.mean())) < 5 / 19200**0.5


def test_weights_that_no_row_depends_on_get_the_noise_of_the_floor_and_no_more() -> None:
    given = task(network("linear"), models=1)
    given.inputs[:, :, 3] = 0.0
    first, second = (
        run("fisher", given, noise=0.1, floor=floor)["weight"] - given.parameters["weight"] for floor in (1e-4, 1e-8)
    )
    torch.testing.assert_close(second[:, :, 3], first[:, :, 3] * 10, rtol=1e-6, atol=0)
    assert torch.equal(second[:, :, 0], first[:, :, 0])


def test_fisher_moves_no_frozen_parameter() -> None:
    net = network("mlp")
    net.trainable = tuple(name for name in net.trainable if name.startswith("layers.1"))
    given = task(net)
    after = run("fisher", given)
    assert torch.equal(after["layers.0.weight"], given.parameters["layers.0.weight"])
    assert not torch.equal(after["layers.1.weight"], given.parameters["layers.1.weight"])


@kinds
def test_selected_weights_are_dampened_by_the_stated_factor_and_no_others(kind: str) -> None:
    given = task(network(kind))
    wanted = empirical_fisher(given.network, given.parameters, *given.rows(given.forget))
    whole = empirical_fisher(given.network, given.parameters, given.inputs, given.labels)
    after = run("ssd", given, selection=1.5, dampening=0.8)
    some = 0
    for name, each in after.items():
        selected = wanted[name] > 1.5 * whole[name]
        some += int(selected.sum())
        expected = given.parameters[name] * 0.8 * whole[name] / wanted[name]
        torch.testing.assert_close(each[selected], expected[selected], rtol=1e-12, atol=0)
        assert torch.equal(each[~selected], given.parameters[name][~selected])
    assert some


def test_a_weight_that_only_the_forgotten_row_uses_is_dampened_by_its_share() -> None:
    # Column 3 is 0 but in the one row to forget: I_F = n·I_D there exactly, so the weights shrink to λ/n of what they were.
    given = task(network("linear"), models=1, rows=20, gone=1)
    given.inputs[:, :, 3] = 0.0
    given.inputs[0, given.forget[0, 0], 3] = 2.0
    after = run("ssd", given, selection=19.9, dampening=1.0)["weight"]
    torch.testing.assert_close(after[:, :, 3], given.parameters["weight"][:, :, 3] / 20, rtol=1e-10, atol=0)


def test_no_weight_grows_and_a_selection_of_n_over_m_selects_nothing() -> None:
    given = task(network(), rows=30, gone=6)
    after = run("ssd", given, selection=0.1, dampening=50.0)
    assert all((after[name].abs() <= given.parameters[name].abs()).all() for name in after)
    assert same(run("ssd", given, selection=5.0 * (1 + 1e-9)), given.parameters)


@kinds
def test_weights_outside_the_mask_stay_as_they_are_to_the_bit(kind: str) -> None:
    given = task(network(kind))
    slope = gradient(given.network, given.parameters, *given.rows(given.forget))
    masks = saliency(given.network, slope, 0.5)
    after = run("salun", given, sparsity=0.5)
    for name, each in after.items():
        still = masks[name] == 0
        assert torch.equal(each[still], given.parameters[name][still])
        assert not (each[~still] == given.parameters[name][~still]).any()


@pytest.mark.parametrize(("sparsity", "least"), [(0.0, 0.1), (0.25, 0.2), (0.5, 0.3), (0.75, 0.4)])
def test_the_mask_keeps_the_largest_gradients_of_all_weights_together(sparsity: float, least: float) -> None:
    net = network("linear")
    net.trainable = ("weight", "bias")
    slope = {"weight": torch.tensor([[[-0.4, 0.1]]]), "bias": torch.tensor([[0.3, -0.2]])}
    masks = saliency(net, slope, sparsity)
    assert all(torch.equal(masks[name] == 1, each.abs() >= least) for name, each in slope.items())


def test_a_mask_of_everything_moves_nothing_and_a_zero_gradient_is_never_salient() -> None:
    given = task(network("linear"))
    given.inputs[:, :, 3] = 0.0
    assert same(run("salun", given, sparsity=1.0), given.parameters)
    after = run("salun", given, sparsity=0.0)
    assert torch.equal(after["weight"][:, :, 3], given.parameters["weight"][:, :, 3])


def test_of_two_classes_both_weights_of_a_pair_are_salient_or_neither() -> None:
    given = task(network("mlp", classes=2))
    slope = gradient(given.network, given.parameters, *given.rows(given.forget))
    for sparsity in (0.1, 0.37, 0.5, 0.81):
        masks = saliency(given.network, slope, sparsity)
        assert all(torch.equal(masks[name][:, 0], masks[name][:, 1]) for name in given.network.final)


@pytest.mark.parametrize("classes", [2, 3])
def test_wrong_labels_are_wrong_and_even(classes: int) -> None:
    given = task(network("linear", classes=classes), models=2, rows=1500, gone=1200)
    right, wrong = given.labels.gather(1, given.forget), _wrong_labels(given)
    assert (wrong != right).all()
    assert ((wrong >= 0) & (wrong < classes)).all()
    if classes == 3:  # a fair coin between the two others: 2,400 throws have a standard deviation of 0.0102
        assert abs(float(((wrong - right) % 3 == 1).double().mean()) - 0.5) < 5 * 0.0102


@pytest.mark.parametrize(("alpha", "share"), [(0.0, 1.0), (3.0, 0.25), (None, 6 / 30)])
def test_one_step_of_salun_is_a_step_on_its_objective(alpha: float | None, share: float) -> None:
    plain = replace(RECIPE, momentum=0.0, weight_decay=0.0, schedule="constant", batch=100)
    given = replace(task(network("linear"), rows=30, gone=6), recipe=plain)
    after = run("salun", given, epochs=1, rate=0.1, sparsity=0.0, retain_weight=alpha)
    keep = gradient(given.network, given.parameters, *given.rows(given.retain))
    inputs, _ = given.rows(given.forget)
    drop = gradient(given.network, given.parameters, inputs, _wrong_labels(given))
    for name, each in after.items():
        wanted = given.parameters[name] - 0.1 * (share * drop[name] + (1 - share) * keep[name])
        torch.testing.assert_close(each, wanted, rtol=1e-10, atol=1e-12)


def test_weights_are_balanced_as_they_are_said_to_be() -> None:
    given = task(network(), rows=30, gone=6)
    weights = parts.balanced(given, forget=-0.25, retain=0.75)
    values = torch.rand(weights.shape, dtype=weights.dtype)
    wanted = 0.75 * values.gather(1, given.retain).mean(dim=1) - 0.25 * values.gather(1, given.forget).mean(dim=1)
    torch.testing.assert_close((weights * values).mean(dim=1), wanted)


@pytest.mark.parametrize("name", ["retrain", "fine-tune", "ftfinal", "retrfinal", "fisher", "salun"])
def test_where_no_record_remains_nothing_is_made_up(name: str) -> None:
    given = task(network(), rows=6, gone=6)
    with pytest.raises(ValueError, match="at least one record to remain, found all 6"):
        run(name, given)


@pytest.mark.parametrize("name", ["neg-grad", "ssd", "salun"])
def test_where_no_record_is_forgotten_nothing_is_made_up(name: str) -> None:
    given = task(network(), gone=0)
    with pytest.raises(ValueError, match="at least one record to forget, found none"):
        run(name, given)


@pytest.mark.parametrize("name", METHODS)
def test_settings_that_a_method_does_not_take_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"unlearn_params\.strength: "):
        run(name, task(network()), strength=3)


def test_one_class_leaves_no_wrong_label() -> None:
    net = network("linear", classes=1)
    inputs, _ = records(net)
    given = replace(task(network("linear")), network=net, labels=torch.zeros(inputs.shape[:2], dtype=torch.int64))
    with pytest.raises(ValueError, match="at least 2 classes"):
        _wrong_labels(given)


def test_expected_fisher_differs_from_the_empirical_one_where_labels_are_wrong() -> None:
    given = task(network("linear"))
    expected = expected_fisher(given.network, given.parameters, given.inputs)
    empirical = empirical_fisher(given.network, given.parameters, given.inputs, given.labels)
    assert not torch.allclose(expected["weight"], empirical["weight"], rtol=0.05)
