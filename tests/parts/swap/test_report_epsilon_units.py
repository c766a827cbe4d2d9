"""A Rényi ε and an ε at a δ never share an axis, a sentence or a comparison."""

from __future__ import annotations

import re

import report_examples as examples
from auditor.base.domain import Status
from auditor.pages import render
from auditor.parts.swap.judging.epsilon_consistency.rows import Row
from auditor.parts.swap.telling import epsilon_words
from auditor.parts.swap.telling.figures import epsilon_axis


def renyi_row(epsilon, shown, order=2.0, against="claimed data deletion", **changes):
    given = {
        "claim": "data_deletion",
        "epsilon": epsilon,
        "delta": None,
        "order": order,
        "lower": [examples.lower_end("two-records", "chains with either of two records", shown)],
        "gap": shown - epsilon,
    }
    return examples.row(against, **{**given, **changes})


def rows(*given):
    return [Row.model_validate(each) for each in given]


def mixed(*more):
    return rows(*examples.statements(1.7), *more)


def axis(chart):
    return chart.named("title-across")[0].text


def statements(chart):
    """Each statement in one line: its name, which may take two, and its terms."""
    said = "\n".join(note.text for note in chart.named("statement"))
    return [" ".join(each.split("\n")) for each in re.findall(r"(?:[^≤\n]+\n)+[^\n]*≤[^\n]*", said)]


def test_each_unit_has_an_axis_of_its_own_with_its_statements_alone():
    every = mixed(renyi_row(0.01, 0.5), renyi_row(0.02, 0.001), renyi_row(3.0, 0.0, order=8.0))
    assert epsilon_words.orders(every) == (None, 2.0, 8.0)
    drawn = {order: epsilon_axis.epsilon(every, order) for order in epsilon_words.orders(every)}
    assert [len(chart.named("wall")) for chart in drawn.values()] == [2, 2, 1]
    assert axis(drawn[None]).startswith("ε: ")
    assert axis(drawn[2.0]).startswith("Rényi ε at order 2: ")
    assert all("Rényi" not in said for said in statements(drawn[None]))
    assert statements(drawn[8.0]) == ["claimed data deletion: Rényi ε ≤ 3 at order 8"]
    assert [note.y for note in drawn[2.0].named("refuted")] == [drawn[2.0].named("statement")[1].y]
    assert epsilon_axis.epsilon(every, 3.0) is None


def test_what_is_refuted_is_told_in_its_own_unit():
    said = epsilon_words.refutations(mixed(renyi_row(0.01, 0.5)))
    assert len(said) == 2
    assert said[1].startswith("Refuted: claimed data deletion: Rényi ε ≤ 0.01 at order 2. ")
    assert said[1].endswith(
        "Chains with either of two records shows Rényi ε of at least 0.5 at order 2 with 98.3\u00a0% confidence."
    )
    assert "Rényi" not in said[0]


def test_equal_lower_ends_at_two_orders_are_two_findings():
    said = epsilon_words.refutations(rows(renyi_row(0.01, 0.5), renyi_row(0.01, 0.5, order=3.0)))
    assert ["order 2" in said[0], "order 3" in said[1]] == [True, True]


def test_a_claim_whose_order_is_not_named_is_still_called_renyi():
    (row,) = rows(renyi_row(0.01, 0.0, order=None, compared=False, why=examples.written("not played")))
    assert epsilon_words.terms(row) == "Rényi ε ≤ 0.01"
    assert not epsilon_words.compared(row)
    assert epsilon_words.why(row) == "not played"


def test_long_statements_that_end_otherwise_stay_apart_in_the_figure():
    same = "data deletion by noisy gradient descent, as its certificate has it for one deletion from the training data"
    longer = f"{same} after a request of somebody who saw a model"
    chart = epsilon_axis.epsilon(rows(renyi_row(0.1, 0.0, against=same), renyi_row(0.2, 0.0, against=longer)), 2.0)
    said = " ".join(statements(chart))
    assert said.count("data deletion by noisy") == 2
    assert "somebody who saw a model: Rényi ε ≤ 0.2" in said
    assert max(len(note.text) for note in chart.named("statement")) <= 117


def test_the_page_draws_every_unit_and_names_the_order():
    base = examples.failing()
    judged = examples.consistency_check(Status.FAIL, 1.7, renyi_row(0.01, 0.5))
    checks = tuple(judged if each.id == "epsilon.consistency" else each for each in base.checks)
    page = render.html(examples.changed(base, checks=checks))
    assert page.count("ε from both sides") == 2
    assert "claimed data deletion, Rényi order 2" in page


def test_an_upper_bound_is_rounded_up_a_lower_one_down_and_a_weak_test_is_called_none():
    given = {"epsilon": 1.00001, "delta": 0.0}
    lower = [examples.lower_end("swap", "an attack", 2.99999, confidence=0.95)]
    (found,) = rows(examples.row(lower=lower, noticed=1.5, **given))
    assert epsilon_words.terms(found) == "ε ≤ 1.001 at δ = 0"
    assert epsilon_words.tested(found)
    (said,) = epsilon_words.refutations(rows(examples.row(lower=lower, **given)))
    assert "shows ε of at least 2.999" in said
    (untested,) = rows(examples.row(lower=[{**lower[0], "epsilon": 0.0}], noticed=3.2, **given))
    assert not epsilon_words.tested(untested)
