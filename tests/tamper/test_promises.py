"""Evidence whose guarantees promise more than its facts give: a recheck derives every promise again, and finds it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import rechecks
from auditor.base.domain import Strength
from auditor.base.errors import InputError
from auditor.base.promises import MOST_STEPS
from auditor.pages.words.rendered_evidence import tell
from auditor.recheck.derivations import derive_again
from auditor.recheck.files import read_evidence
from auditor.verdict.grade import guesses

Promise = dict[str, Any]
Forgery = Callable[[Promise], Promise | None]

TREE, NEWTON, NOISED, TRAINED = "tree-counter", "digits-newton", "digits-newton-noised", "digits-mlp-dp"
CERTAIN = {"kind": "approximate", "epsilon": 1.0, "delta": 1.0}
LONG = {"kind": "subsampled-gaussian", "steps": MOST_STEPS}
DESCENT, ABOVE = "breast-cancer-noisy-gd", "digits-dp-extractor"


def promised(value: dict[str, Any], guarantee: str) -> dict[str, Any]:
    terms: dict[str, Any] = next(each for each in value["guarantees"] if each["id"] == guarantee)["terms"]
    return terms


def forged(name: str, guarantee: str, forgery: Forgery) -> bytes:
    """What this version derives for a sample, with another promise in one guarantee."""
    value = json.loads(rechecks.derived(name))
    terms = promised(value, guarantee)
    found = forgery(terms.pop("promise"))
    if found is not None:
        terms["promise"] = found
    return rechecks.canonical(value)


def smaller(key: str, by: float = 0.999999) -> Forgery:
    return lambda promise: {**promise, key: promise[key] * by}


def other(**changes: Any) -> Forgery:
    return lambda promise: {**promise, **changes}


def part(at: str, index: int, change: Forgery) -> Forgery:
    def made(promise: Promise) -> Promise:
        return {**promise, at: [change(each) if index == number else each for number, each in enumerate(promise[at])]}

    return made


FORGERIES = [
    (TREE, "deletion-as-control", smaller("mu")),
    (TREE, "deletion-as-control", lambda _: {"kind": "pure", "epsilon": 0.0}),
    (TREE, "deletion-as-control", lambda _: None),
    (TREE, "deletion-as-confidentiality", smaller("mu")),
    (NEWTON, "certified-removal", smaller("mu")),
    (NEWTON, "certified-removal", lambda promise: {"kind": "several", "promises": [promise, {"kind": "pure", "epsilon": 0.1}]}),
    (NOISED, "certified-removal", smaller("mu")),
    (TRAINED, "deletion-as-control", smaller("noise_multiplier", 1.5)),
    pytest.param(TRAINED, "deletion-as-control", smaller("sample_rate"), marks=pytest.mark.slow),
    pytest.param(TRAINED, "deletion-as-control", other(steps=299), marks=pytest.mark.slow),
    pytest.param(TRAINED, "deletion-as-control", other(group=2), marks=pytest.mark.slow),
    (DESCENT, "data-deletion", part("promises", 0, smaller("mu", 0.5))),
    (DESCENT, "data-deletion", part("promises", 1, smaller("rho"))),
    (DESCENT, "data-deletion", part("promises", 1, other(two_sided=True))),
    (ABOVE, "certified-removal", part("parts", 0, smaller("mu"))),
    (ABOVE, "certified-removal", part("parts", 1, smaller("epsilon"))),
    (ABOVE, "certified-removal", lambda promise: promise["parts"][0]),
]


@pytest.mark.parametrize(("name", "guarantee", "forgery"), FORGERIES)
def test_a_promise_better_than_its_facts_is_found(name: str, guarantee: str, forgery: Forgery) -> None:
    (found, *_) = rechecks.findings(forged(name, guarantee, forgery))
    assert f"{guarantee}: terms" in found


def test_a_promise_of_a_guarantee_that_does_not_hold_is_found() -> None:
    value = json.loads(rechecks.derived("digits-newton-overrun"))
    promised(value, "certified-removal")["promise"] = {"kind": "gaussian", "mu": 0.1}
    assert any("certified-removal: terms.promise" in found for found in rechecks.findings(rechecks.canonical(value)))


@pytest.mark.parametrize(
    "promise",
    [
        {"kind": "gaussian", "mu": 1e308},
        {"kind": "laplace", "shift": 5e-324},
        {"kind": "concentrated", "rho": 1.7e308},
        {"kind": "renyi", "points": [[1.0000001, 1e300], [1e300, 1.7e308]]},
        CERTAIN,
        {
            "kind": "subsampled-gaussian",
            "noise_multiplier": 5e-324,
            "sample_rate": 5e-324,
            "steps": MOST_STEPS,
            "group": MOST_STEPS,
        },
        {"kind": "subsampled-gaussian", "noise_multiplier": 1e300, "sample_rate": 1.0, "steps": MOST_STEPS},
        {
            "kind": "composition",
            "parts": [{"kind": "approximate", "epsilon": 1.0, "delta": 1.0}, {"kind": "gaussian", "mu": 1.0}],
        },
        {"kind": "composition", "parts": [{"kind": "pure", "epsilon": 1e308}, {"kind": "laplace", "shift": 1e308}]},
    ],
)
def test_a_hostile_promise_is_found_and_read_without_a_traceback(promise: Promise) -> None:
    content = forged(TREE, "deletion-as-control", lambda _: promise)
    assert rechecks.findings(content)
    evidence = read_evidence(content, "evidence.json").evidence
    control = next(each for each in evidence.guarantees if each.id == "deletion-as-control")
    share = guesses(control)
    assert share is not None
    assert 0.5 <= share <= 1.0
    tell(evidence)


@pytest.mark.parametrize(
    "promise",
    [
        {"kind": "gaussian", "mu": -0.1},
        {"kind": "gaussian", "mu": "0.1"},
        {"kind": "gaussian"},
        {"kind": "magic"},
        {"kind": "several", "promises": [{"kind": "several", "promises": [{"kind": "pure", "epsilon": 1.0}]}]},
        {"kind": "several", "promises": [{"kind": "pure", "epsilon": 1.0}] * 65},
        [],
        0.5,
    ],
)
def test_what_is_no_promise_is_refused_in_one_place(promise: Any) -> None:
    with pytest.raises(InputError, match=r"^[^\n]*guarantees\.1\.terms[^\n]*$"):
        rechecks.findings(forged(TREE, "deletion-as-control", lambda _: promise))


def test_what_a_later_version_says_more_of_a_promise_is_read_without_it_and_another_kind_is_refused() -> None:
    value = json.loads(rechecks.derived(DESCENT))
    value["schema"] = "auditor.evidence/2.7"
    at = next(number for number, each in enumerate(value["guarantees"]) if each["id"] == "data-deletion")
    promise = promised(value, "data-deletion")["promise"]
    promise["promises"][0]["later"] = promise["later"] = 1
    read = read_evidence(rechecks.canonical(value), "evidence.json")
    place = f"guarantees.{at}.terms.promise"
    assert set(read.unknown) == {f"{place}.later", f"{place}.promises.0.later"}
    promise["promises"][0] = {"kind": "later"}
    with pytest.raises(InputError, match=r"guarantees\.\d+\.terms"):
        read_evidence(rechecks.canonical(value), "evidence.json")


@pytest.mark.parametrize(
    ("name", "guarantee", "right", "strength"),
    [
        (NOISED, "certified-removal", 54.7, Strength.A),
        (NEWTON, "certified-removal", 54.0, Strength.B),
        (TREE, "deletion-as-control", 54.7, Strength.C),
        (TREE, "deletion-as-confidentiality", 54.7, Strength.C),
        ("square-root-counter", "deletion-as-control", 52.5, Strength.C),
        ("batch-model", "deletion-as-control", 54.7, Strength.C),
        ("public-directory", "deletion-as-control", 54.7, Strength.C),
        (TRAINED, "deletion-as-control", 62.7, Strength.C),
    ],
)
def test_samples_are_worth_what_their_theorem_proves(name: str, guarantee: str, right: float, strength: Strength) -> None:
    evidence = derive_again(read_evidence(rechecks.golden(name), name).evidence)
    share = guesses(next(each for each in evidence.guarantees if each.id == guarantee))
    assert share is not None
    assert round(100 * share, 1) == right
    assert evidence.strength is strength
