"""The rules of data deletion: which premise fails, what is null and why, and the ends of every range."""

from __future__ import annotations

import math
from typing import Any

import pytest

from auditor.base.domain import Certificate, Provenance
from auditor.maths.certificates import derive
from auditor.maths.certificates.calculator import parse_and_derive

CONVEX = {"q": 2, "lipschitz": 1, "l2": 0.05, "smoothness": 0.25, "sigma2": 0.01, "n": 500}
NONCONVEX = {
    "q": 2,
    "sigma2": 4,
    "bound_b": 1.5,
    "lipschitz": 1,
    "l2": 0.5,
    "smoothness": 1,
    "rate": 1e-6,
    "d": 10,
    "n": 40,
    "r": 1,
    "learn_steps": 40_000_000,
    "unlearn_steps": 30_000_000,
}
DESCENT = {"lipschitz": 1, "l2": 0.05, "smoothness": 0.25, "sigma2": 0.01, "n": 500, "rate": 1.5, "steps": 10}
BATCHES = {"lipschitz": 1, "l2": 0.05, "smoothness": 0.25, "sigma2": 0.01, "batch": 100, "batches": 5, "rate": 1.6, "epochs": 5}
GAMES = {"wins": 640, "games": 1000, "confidence": 0.95}


def assumed(certificate: Certificate) -> list[str]:
    return [condition.name for condition in certificate.conditions if condition.how is Provenance.UNKNOWN]


@pytest.mark.parametrize(
    ("kind", "given", "words"),
    [
        ("noisy-gd-convex", CONVEX, "exactly one of steps and target is given (found neither)"),
        ("noisy-gd-convex", {**CONVEX, "steps": 1, "target": 0.1}, "(found steps and target)"),
        ("noisy-gd-convex", {**CONVEX, "steps": 1, "q": 1}, "q > 1 (found 1)"),
        ("noisy-gd-convex", {**CONVEX, "steps": 1, "sigma2": 0}, "sigma2 > 0 (found 0)"),
        ("noisy-gd-convex", {**CONVEX, "steps": -1}, "steps >= 0 (found -1)"),
        ("noisy-gd-convex", {**CONVEX, "target": 0}, "target > 0 (found 0)"),
        ("noisy-gd-nonconvex", {**NONCONVEX, "bound_b": 1}, "bound_b > 1 (found 1)"),
        ("noisy-gd-nonconvex", {**NONCONVEX, "r": 41}, "1 <= r <= 40 (found 41)"),
        ("noisy-gd-nonconvex", {**NONCONVEX, "unlearn_steps": 0}, "25724352 unlearning steps would do"),
        ("noisy-gd-nonconvex", {**NONCONVEX, "unlearn_steps": 0}, "not covered by the theorem as printed"),
        ("noisy-gd-nonconvex", {**NONCONVEX, "n": 1}, "found 20; it takes more records, more noise or fewer steps (18))"),
        (
            "noisy-gd-nonconvex",
            {**NONCONVEX, "rate": 0.01},
            "found 125; it takes more records, more noise or fewer steps (18) and a smaller rate (19))",
        ),
        (
            "noisy-gd-nonconvex",
            {**NONCONVEX, "bound_b": 1e9, "d": 1, "rate": 1e-20},
            "found 41.4465; it takes more learning steps (19))",
        ),
        (
            "noisy-gd-gaussian",
            {**DESCENT, "rate": 6.7},
            "rate <= 2/(l2 + smoothness): no step moves two models apart (found c = 1.01",
        ),
        ("noisy-gd-gaussian", {**DESCENT, "l2": 0}, "every step brings models together, or learn_steps is given (found c = 1)"),
        ("noisy-gd-gaussian", {**DESCENT, "size": 501}, "1 <= size <= 500 (found 501)"),
        ("noisy-gd-batches", {**BATCHES, "rate": 6.7}, "no step moves two models apart (found c = 1.01"),
        ("noisy-gd-batches", {**BATCHES, "l2": 0}, "every step brings models together, or learn_epochs is given (found c = 1)"),
        ("noisy-gd-batches", {**BATCHES, "epochs": 0}, "epochs >= 1 (found 0)"),
        ("advantage", {"q": 1, "epsilon": 0.1}, "q > 1 (found 1)"),
        ("conversion", {"q": 2, "epsilon": 0.1, "delta": 1.5}, "0 <= delta <= 1 (found 1.5)"),
        ("adaptive", {"epsilon_dd": 0.1, "epsilon_dp": -1, "seen": 1}, "epsilon_dp >= 0 (found -1)"),
        ("refutation", {"q": 2, "advantage": 1.1}, "0 <= advantage <= 1 (found 1.1)"),
        ("compliance", {**GAMES, "wins": 1001}, "0 <= wins <= 1000 (found 1001)"),
        ("compliance", {**GAMES, "games": 2_000_000}, "1 <= games <= 1000000 (found 2000000)"),
        ("tree-counter", {"epsilon": 1, "delta": 0.1, "horizon": 0}, "horizon >= 1 (found 0)"),
    ],
)
def test_a_premise_that_fails_is_named_and_gives_no_number(kind: str, given: dict[str, Any], words: str) -> None:
    certificate = derive(kind, given)
    assert certificate.epsilon is None
    assert words in certificate.outputs["reason"]
    assert all(value is None for key, value in certificate.outputs.items() if key != "reason")


@pytest.mark.parametrize(
    ("kind", "given", "words"),
    [
        ("noisy-gd-convex", {**CONVEX, "steps": 1, "l2": 1e-320}, "range"),
        ("noisy-gd-convex", {**CONVEX, "steps": 1, "lipschitz": 1e200}, "range"),
        ("noisy-gd-convex", {**CONVEX, "smoothness": 1e30, "target": 1e-3}, "more than 9007199254740992 steps"),
        ("noisy-gd-gaussian", {**DESCENT, "lipschitz": 1e308, "sigma2": 1e-300}, "range"),
        ("noisy-gd-batches", {**BATCHES, "lipschitz": 1e308, "sigma2": 1e-300}, "range"),
        ("conversion", {"q": 2, "epsilon": 0.1, "delta": 0}, "no finite epsilon holds at delta = 0"),
        ("conversion", {"q": 1 + 2**-52, "epsilon": 1.7e308, "delta": 5e-324}, None),
        ("adaptive", {"epsilon_dd": 1e308, "epsilon_dp": 1e308, "seen": 2}, "range"),
        ("tree-counter", {"epsilon": 1, "delta": 0, "horizon": 10}, "no finite noise"),
    ],
)
def test_what_has_no_number_is_null_with_a_reason(kind: str, given: dict[str, Any], words: str | None) -> None:
    certificate = derive(kind, given)
    if words is None:
        assert all(math.isfinite(value) for value in certificate.outputs.values())
        return
    assert certificate.epsilon is None
    assert words in certificate.outputs["reason"]
    assert all(condition.holds for condition in certificate.conditions)


def test_the_ends_of_the_ranges() -> None:
    assert derive("conversion", {"q": 2, "epsilon": 0, "delta": 1}).outputs == {
        "mironov": pytest.approx(0, abs=1e-14),
        "tight": 0,
    }
    assert derive("advantage", {"q": 2, "epsilon": 0}).outputs["pinsker"] == 0
    assert derive("advantage", {"q": 2, "epsilon": 0}).outputs["bound"] == 0
    assert derive("advantage", {"q": 1e308, "epsilon": 0.01}).outputs["renyi"] == pytest.approx(math.expm1(0.01), rel=1e-10)
    assert derive("advantage", {"q": 3, "epsilon": 50}).outputs["bound"] == 1
    assert derive("adaptive", {"epsilon_dd": 0, "epsilon_dp": 0, "seen": 5}).epsilon == 0
    assert derive("refutation", {"q": 2, "advantage": 0}).outputs == {"epsilon_lower": 0}
    assert derive("refutation", {"q": 1e15, "advantage": 1}).outputs["epsilon_lower"] == pytest.approx(math.log(2), rel=1e-10)
    assert derive("tree-counter", {"epsilon": 0, "delta": 1, "horizon": 9}).outputs["node_sigma"] == 0
    assert derive("noisy-gd-gaussian", {**DESCENT, "lipschitz": 0}).outputs == {"mu": 0}
    assert derive("noisy-gd-batches", {**BATCHES, "lipschitz": 0}).outputs == {"mu": 0}
    assert derive("noisy-gd-batches", {**BATCHES, "l2": 1, "smoothness": 0, "rate": 1}).outputs == {"mu": 0}
    assert derive("compliance", {**GAMES, "wins": 0}).outputs["interval"][0] == 0


def test_an_advantage_beyond_every_number_is_null_and_the_others_stay() -> None:
    outputs = derive("advantage", {"q": 2, "epsilon": 1e6}).outputs
    assert outputs["renyi"] is None
    assert "no information" in outputs["reason"]
    assert outputs["bound"] == 1


def test_a_step_that_brings_all_models_together_forgets_at_once() -> None:
    """c = 0: one step without the record, and nothing is left of it."""
    at_once = {**DESCENT, "l2": 0.5, "smoothness": 0, "rate": 2}
    left = derive("noisy-gd-gaussian", {**at_once, "steps": 0}).outputs["mu"]
    assert left == pytest.approx(2 * 2 / 500 / math.sqrt(4 * 0.01), rel=1e-12)
    assert derive("noisy-gd-gaussian", {**at_once, "steps": 0, "learn_steps": 9}).outputs["mu"] == left
    assert derive("noisy-gd-gaussian", {**at_once, "steps": 1}).outputs == {"mu": 0}


def test_what_nobody_examined_is_said_to_be_assumed() -> None:
    convex = derive("noisy-gd-convex", {**CONVEX, "steps": 60})
    assert len(assumed(convex)) == 5
    assert [c.found for c in convex.conditions if "rate 1/(2(l2 + smoothness))" in c.name] == [
        "a rate of 1.66667; taken as given by this formula"
    ]
    assert [c.found for c in convex.conditions if "centred Gaussian" in c.name] == [
        "a variance of 0.208696; taken as given by this formula"
    ]
    bounded = next(c for c in derive("noisy-gd-nonconvex", NONCONVEX).conditions if "absolute value" in c.name)
    assert (bounded.found, bounded.how) == ("0.405465; taken as given by this formula", Provenance.UNKNOWN)
    for kind, given in (
        ("noisy-gd-gaussian", DESCENT),
        ("noisy-gd-batches", BATCHES),
        ("adaptive", {"epsilon_dd": 0.1, "epsilon_dp": 0.1, "seen": 1}),
        ("refutation", {"q": 2, "advantage": 0.5}),
        ("advantage", {"q": 2, "epsilon": 0.5}),
        ("conversion", {"q": 2, "epsilon": 0.5, "delta": 0.1}),
        ("compliance", GAMES),
        ("tree-counter", {"epsilon": 1, "delta": 0.1, "horizon": 3}),
    ):
        assert assumed(derive(kind, given)), kind


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        (
            "noisy-gd-convex --q 2 --lipschitz 1 --l2 .05 --smoothness .25 --sigma2 .01 --n 500 --steps 60",
            "epsilon_dp epsilon_dd kappa",
        ),
        (
            "noisy-gd-convex --q 2 --lipschitz 1 --l2 .05 --smoothness .25 --sigma2 .01 --n 500 --target 1e-3",
            "epsilon_dp epsilon_dd kappa steps",
        ),
        (
            (
                "noisy-gd-nonconvex --q 2 --sigma2 4 --bound-b 1.5 --lipschitz 1 --l2 .5 --smoothness 1 --rate 1e-6 --d 10"
                " --n 40 --r 1 --learn-steps 4e7 --unlearn-steps 3e7"
            ),
            "epsilon_dp epsilon_dd",
        ),
        ("advantage --q 50 --epsilon .05", "pinsker renyi bound"),
        ("conversion --q 8 --epsilon .05 --delta 1e-5", "mironov tight"),
        ("adaptive --epsilon-dd .1 --epsilon-dp .2 --seen 3", "epsilon"),
        ("refutation --q 20 --advantage .9", "epsilon_lower"),
        (
            (
                "noisy-gd-gaussian --lipschitz 1 --l2 .05 --smoothness .25 --sigma2 .01 --n 500 --rate 1 --steps 9"
                " --learn-steps 5 --size 2"
            ),
            "mu",
        ),
        (
            (
                "noisy-gd-batches --lipschitz 1 --l2 .05 --smoothness .25 --sigma2 .01 --batch 100 --batches 5 --rate 1"
                " --epochs 5 --learn-epochs 9 --size 2"
            ),
            "mu",
        ),
        ("compliance --wins 640 --games 1000 --confidence .95", "success interval epsilon_lower"),
        ("tree-counter --epsilon 1 --delta 1e-6 --horizon 1000", "node_sigma release_sigma pan_private_release_sigma"),
    ],
)
def test_options_and_keys_have_their_names(line: str, keys: str) -> None:
    kind, *words = line.split()
    outputs = parse_and_derive(kind, dict(zip(words[::2], words[1::2], strict=True))).outputs
    assert list(outputs) == keys.split()
    assert None not in outputs.values()
