"""Every rule of `auditor calc` at the ends of its inputs: a result or one clean message, never an error of the auditor's own."""

from __future__ import annotations

import json
import math
import shlex
from itertools import pairwise
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.base.domain import Certificate
from auditor.base.errors import InputError
from auditor.cli import run
from auditor.maths.certificates import disagreements, rules
from auditor.maths.certificates.calculator import parse_and_derive

FINITE: Final = (
    *("0", "-0.0", "1", "0.9999999999999999", "1.0000000000000002", "0.5", "2", "3", "-1", "5e-324", "1e-300", "1e-16", "1e-5"),
    *("1e5", "1e16", "9007199254740992", "1e300", "1.7976931348623157e308"),
)
"""Numbers at which ranges end, and the least and largest that there are."""
NONE: Final = ("1e400", "nan", "inf", "-inf", "")
"""Texts that spell no finite number."""
LONG: Final = frozenset({"dp-sgd"})
"""Rules that take seconds: they have a test of their own that tries less."""
QUICK: Final = sorted(rules().keys() - LONG)


def example(kind: str) -> dict[str, str]:
    """The options of the example that a rule prints."""
    words = shlex.split(rules()[kind].example)[3:]
    return {option.lstrip("-"): text for option, text in zip(words[::2], words[1::2], strict=True)}


def names(kind: str) -> list[str]:
    return [name.replace("_", "-") for name in rules()[kind].inputs.model_fields]


def put(kind: str, options: dict[str, str], name: str, text: str) -> dict[str, str]:
    """Give one option another text; a list gets it in every place."""
    several = "tuple" in str(rules()[kind].inputs.model_fields[name.replace("-", "_")].annotation)
    count = len(options[name].split(",")) if several and name in options else 1
    return {**options, name: ",".join([text] * count)}


def tried(kind: str, options: dict[str, str]) -> Certificate | None:
    """What comes of it; None where every problem is named instead."""
    try:
        found = parse_and_derive(kind, options)
    except InputError as error:
        return _named(error)
    for each in (found.epsilon, found.delta):
        assert each is None or (math.isfinite(each) and each >= 0)
    assert found.delta is None or found.delta <= 1
    # No NaN and no infinity, and the same when it is derived again from what is written down.
    json.dumps([dict(found.inputs), dict(found.outputs), [each.value for each in found.bounds]], allow_nan=False)
    assert disagreements(found) == ()
    return found


def _named(error: InputError) -> None:
    assert error.problems
    assert all(problem.expected and problem.where for problem in error.problems)


@pytest.mark.parametrize("kind", QUICK)
def test_every_end_of_every_input_gives_a_result_or_a_message(kind: str) -> None:
    base = example(kind)
    assert tried(kind, base) is not None
    for name in names(kind):
        tried(kind, {each: text for each, text in base.items() if each != name})
        for text in FINITE:
            tried(kind, put(kind, base, name, text))
        for text in NONE:
            found = tried(kind, put(kind, base, name, text))
            assert found is None or (text == "" and name in base and "," in base[name]) or text == ""
    for text in FINITE:
        changed = base
        for name in base:
            changed = put(kind, changed, name, text)
        tried(kind, changed)


@pytest.mark.parametrize("kind", sorted(LONG))
def test_what_takes_seconds_is_tried_at_fewer_ends(kind: str) -> None:
    base = example(kind)
    for name in names(kind):
        for text in ("0", "-1", "5e-324", "1.7976931348623157e308", *NONE):
            tried(kind, put(kind, base, name, text))
    tried(kind, base | {"noise-multiplier": "5e-324", "sample-rate": "1"})


@st.composite
def changed(draw: st.DrawFn) -> tuple[str, dict[str, str]]:
    kind = draw(st.sampled_from(QUICK))
    options = example(kind)
    for name in draw(st.lists(st.sampled_from(names(kind)), min_size=2, max_size=5, unique=True)):
        options = put(kind, options, name, draw(st.sampled_from(FINITE)))
    return kind, options


@settings(max_examples=400, deadline=None)
@given(changed())
def test_several_ends_at_once_do_too(given_: tuple[str, dict[str, str]]) -> None:
    tried(*given_)


# On the safe side: what is worse gives no better number, up to the ends


GROWS: Final = [
    ("adaptive", "epsilon-dd", "epsilon"),
    ("adaptive", "epsilon-dp", "epsilon"),
    ("adaptive", "seen", "epsilon"),
    ("adaptive-unlearning", "epsilon", "alpha"),
    ("adaptive-unlearning", "delta", "gamma"),
    ("compliance", "wins", "epsilon_lower"),
    ("dp-extractor", "extractor-epsilon", "epsilon"),
    ("dp-extractor", "extractor-delta", "delta"),
    ("dp-extractor", "size", "epsilon"),
    ("dp-extractor", "epsilon", "epsilon"),
    ("gaussian", "epsilon", "mu"),
    ("gaussian", "delta", "mu"),
    ("gaussian-lower", "advantage", "mu_lower"),
    ("refutation", "advantage", "epsilon_lower"),
    ("renyi-lower", "hits", "epsilon_lower"),
    ("removal-budget", "beta", "epsilon_spent"),
    ("removal-budget-laplace", "beta", "epsilon_spent"),
    ("noisy-gd-convex", "lipschitz", "epsilon_dd"),
    ("noisy-gd-convex", "q", "epsilon_dp"),
    ("noisy-gd-gaussian", "lipschitz", "mu"),
    ("noisy-gd-batches", "lipschitz", "mu"),
    ("noisy-descent-history", "radius", "mu"),
    ("one-run", "correct", "epsilon_lower"),
    ("one-run", "alpha", "epsilon_lower"),
    ("output-noise", "residual", "epsilon_spent"),
    ("group", "epsilon", "epsilon"),
    ("group", "epsilon", "delta"),
    ("group", "delta", "delta"),
    ("group", "size", "epsilon"),
    ("group", "size", "delta"),
    ("advantage", "epsilon", "bound"),
    ("conversion", "epsilon", "tight"),
    ("swap", "epsilon", "advantage_bound"),
    ("swap", "epsilon", "sharp_advantage_bound"),
    ("swap", "delta", "sharp_advantage_bound"),
    ("square-root-counter", "horizon", "noise_sigma"),
    ("tree-counter", "horizon", "node_sigma"),
    *((kind, name, "mu") for kind in ("ftrl-tree", "ftrl-square-root") for name in ("horizon", "records")),
    *((kind, "norm", "excess_loss") for kind in ("ftrl-tree", "ftrl-square-root")),
    ("removal-residual", "leftover", "beta"),
    ("removal-residual", "local-curvature-norm", "beta"),
    ("removal-residual", "rounding-floor", "beta"),
    ("joint-residual", "local-curvature-norm", "beta"),
    ("joint-residual", "leftovers", "beta"),
]
"""Rule, input, and an output that is not smaller where the input is larger."""
FALLS: Final = [
    ("adaptive-unlearning", "beta", "gamma"),
    ("compliance", "confidence", "epsilon_lower"),
    ("compliance", "games", "epsilon_lower"),
    ("removal-budget", "sigma", "epsilon_spent"),
    ("removal-budget", "delta", "epsilon_spent"),
    ("removal-budget-laplace", "sigma", "epsilon_spent"),
    ("noisy-gd-convex", "sigma2", "epsilon_dd"),
    ("noisy-gd-convex", "n", "epsilon_dd"),
    ("noisy-gd-convex", "steps", "epsilon_dd"),
    ("noisy-gd-gaussian", "sigma2", "mu"),
    ("noisy-gd-gaussian", "steps", "mu"),
    ("noisy-gd-batches", "sigma2", "mu"),
    ("noisy-gd-batches", "epochs", "mu"),
    ("noisy-descent-history", "noise", "mu"),
    ("noisy-descent-history", "steps", "mu"),
    ("noisy-descent-history", "delta", "epsilon"),
    ("one-run", "guesses", "epsilon_lower"),
    ("one-run", "delta", "epsilon_lower"),
    ("output-noise", "release-noise", "epsilon_spent"),
    ("output-noise", "delta", "epsilon_spent"),
    ("conversion", "delta", "tight"),
    ("renyi-lower", "other-hits", "epsilon_lower"),
    ("renyi-lower", "confidence", "epsilon_lower"),
    ("square-root-counter", "epsilon", "noise_sigma"),
    ("square-root-counter", "delta", "noise_sigma"),
    ("tree-counter", "epsilon", "node_sigma"),
    ("tree-counter", "delta", "node_sigma"),
    ("ftrl-tree", "noise-multiplier", "mu"),
    ("ftrl-square-root", "noise-multiplier", "epsilon"),
    ("ftrl-square-root", "delta", "epsilon"),
]
"""Rule, input, and an output that is not larger where the input is larger."""
NUMBERS: Final = sorted({*map(float, FINITE), 1e-12, 1e-3, 0.1, 0.9, 0.99, 10.0, 20.0, 30.0, 100.0, 500.0, 1000.0, 1 - 1e-9})


@pytest.mark.parametrize(("kind", "name", "output", "sign"), [(*each, 1) for each in GROWS] + [(*each, -1) for each in FALLS])
def test_what_is_worse_gives_no_better_number_up_to_the_ends(kind: str, name: str, output: str, sign: int) -> None:
    found: list[tuple[float, float]] = []
    for number in NUMBERS:
        text = repr(int(number)) if number.is_integer() and abs(number) <= 2**53 else repr(number)
        certificate = tried(kind, put(kind, example(kind), name, text))
        value: Any = None if certificate is None else certificate.outputs.get(output)
        if value is not None:
            found.append((number, float(value)))
    assert len(found) >= 2, "nothing to compare"
    for (one, before), (other, after) in pairwise(found):
        assert sign * (after - before) >= -1e-9 * max(abs(before), abs(after)), (one, before, other, after)


def test_every_quick_rule_has_a_direction_that_is_tried() -> None:
    undirected = {"noisy-gd-nonconvex", "noisy-gd-nonconvex-utility", "noisy-gd-utility", "one-run-dp", "one-run-fdp", "tradeoff"}
    assert {kind for kind, *_ in (*GROWS, *FALLS)} == set(QUICK) - undirected


@pytest.mark.parametrize("kind", QUICK)
@pytest.mark.parametrize("text", ["0", "nan", "1e300"])
def test_the_command_says_what_is_wrong_in_its_own_words(kind: str, text: str, capfd: pytest.CaptureFixture[str]) -> None:
    for name in example(kind):
        options = put(kind, example(kind), name, text)
        code = run(["calc", kind, *(word for option, given in options.items() for word in (f"--{option}", given))])
        out, err = capfd.readouterr()
        # Where a condition fails the certificate that says so is printed too.
        assert (code == 0 and out and not err) or (code == 2 and err.startswith("auditor: "))
        assert "Traceback" not in out + err
        assert "report this" not in err
