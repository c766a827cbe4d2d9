"""Whole audits of linear models above a private feature extractor: its ε and δ are part of every promise, never *shown*."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import rfc8785

from auditor.base.domain import ClaimStatus, Provenance, Status
from auditor.document.evidence import Evidence
from auditor.maths.certificates import derive
from cases import audited, check_of, copy_of, guarantee_of, replace
from rechecks import findings
from small_cases import attest, problem, write

KEY = "extractor = {{ epsilon = {}, delta = {} }}"
CLAIM = "[claims]\ncertified_removal = {{ epsilon = {}, delta = {} }}\n"


def case(
    folder: Path, *, epsilon: float = 0.05, delta: float = 1e-6, claim: tuple[float, float] | None = None, **more: Any
) -> Path:
    """Three records are removed; without an extractor the small case passes at ε = 1, δ = 1e-4."""
    features, labels = problem(200, 4, seed=5)
    attest(write(folder, features, labels, procedure="\n".join([KEY.format(epsilon, delta), *more.pop("keys", ())]), **more))
    if claim is not None:
        replace(folder, "[claims]\n", CLAIM.format(*claim))
    return folder


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    return audited(case(tmp_path_factory.mktemp("extractor")))


def test_the_extractor_of_the_whole_group_comes_on_top(evidence: Evidence) -> None:
    budget, guarantee = check_of(evidence, "removal.budget"), guarantee_of(evidence, "certified-removal")
    assert budget.status is Status.PASS
    # What is named for the procedure is the removal's own.
    assert (budget.details["epsilon"], budget.details["delta"]) == (1.0, 1e-4)
    given = {"extractor_epsilon": 0.05, "extractor_delta": 1e-6, "size": 3}
    whole = derive("dp-extractor", given | {"epsilon": 1.0, "delta": 1e-4}).outputs
    assert guarantee.status is ClaimStatus.SUPPORTED
    assert (guarantee.epsilon, guarantee.delta) == (whole["epsilon"], whole["delta"])
    assert budget.details["epsilon_spent"] < 1.0 < guarantee.epsilon
    premises = {premise.fact.partition(".")[0]: premise.how for premise in guarantee.derivation[0].premises}
    private = [how for fact, how in premises.items() if "extractor" in fact]
    assert private == [Provenance.ATTESTED, Provenance.ATTESTED]
    assert "Theorem 5" in guarantee.derivation[0].rule
    assert not any("preprocessing was fitted" in fact for fact in premises)
    assert findings(evidence.to_bytes()) == []


def test_a_claim_is_of_all_that_is_released(tmp_path: Path) -> None:
    found = audited(case(tmp_path, claim=(0.5, 5e-5)))
    budget, guarantee = check_of(found, "removal.budget"), guarantee_of(found, "certified-removal")
    assert budget.details["epsilon"] == pytest.approx(0.35, rel=1e-12)
    assert budget.details["epsilon"] < 0.35
    assert budget.details["delta"] < 5e-5 - 3e-6
    assert guarantee.epsilon == pytest.approx(0.15 + budget.details["epsilon"], rel=1e-12)
    assert guarantee.epsilon <= 0.5
    assert findings(found.to_bytes()) == []


@pytest.mark.parametrize(
    ("keys", "claim"),
    [
        ((), (0.1, 5e-5)),
        (('unlearn = "retrain"',), (0.5, 1e-6)),
        *(
            pytest.param(keys, claim, marks=pytest.mark.slow)
            for keys, claim in (
                ((), (0.5, 1e-6)),
                (('unlearn = "retrain"',), (0.1, 5e-5)),
                (('perturbation = "laplace"',), (0.1, 5e-5)),
                (('perturbation = "laplace"',), (0.5, 1e-6)),
            )
        ),
    ],
)
def test_an_extractor_that_spends_more_than_is_claimed_fails(
    tmp_path: Path, keys: tuple[str, ...], claim: tuple[float, float]
) -> None:
    found = audited(case(tmp_path, claim=claim, keys=keys))
    assert check_of(found, "removal.budget").status is Status.FAIL
    assert found.verdict == "fail"
    guarantee = guarantee_of(found, "certified-removal")
    # Training the linear model anew does not undo what the extractor learned.
    assert guarantee.epsilon is None if not keys or "retrain" not in keys[0] else guarantee.epsilon == pytest.approx(0.15)
    assert findings(found.to_bytes()) == []


def test_noise_at_release_is_supported_above_it_and_no_more(tmp_path: Path) -> None:
    folder = copy_of("digits-newton-noised", tmp_path)
    replace(folder, 'use = "certified-removal"', 'use = "certified-removal"\nextractor = { epsilon = 0.001, delta = 1e-7 }')
    replace(folder, "certified_removal = { epsilon = 1.0, delta = 1e-4 }", "certified_removal = { epsilon = 1.1, delta = 2e-4 }")
    replace(folder, '"settings-fixed"', '"settings-fixed", "extractor-private"')
    replace(folder, "max_epsilon = 1.0\nmax_delta = 1e-4", "max_epsilon = 1.1\nmax_delta = 2e-4")
    found = audited(folder, only=("model.reproduced", "removal.residual", "removal.budget", "removal.output-noise"))
    assert check_of(found, "removal.output-noise").status is Status.PASS
    guarantee = guarantee_of(found, "certified-removal")
    assert guarantee.status is ClaimStatus.SUPPORTED
    hows = {premise.fact.split()[0] + premise.fact.split()[1]: premise.how for premise in guarantee.derivation[0].premises}
    assert hows["Theremoval"] is Provenance.COMPUTED
    assert "not retrained" in guarantee.statement
    assert findings(found.to_bytes()) == []


def test_a_group_whose_delta_is_one_is_promised_nothing(tmp_path: Path) -> None:
    found = audited(case(tmp_path, epsilon=5.0, delta=1e-3))
    assert guarantee_of(found, "certified-removal").status is ClaimStatus.NOT_SHOWN
    assert findings(found.to_bytes()) == []


def test_the_sample_passes_with_the_group_in_its_promise(tmp_path: Path) -> None:
    found = audited(copy_of("digits-dp-extractor", tmp_path), only=("model.reproduced", "removal.residual", "removal.budget"))
    assert {check_of(found, name).status for name in ("model.reproduced", "removal.residual", "removal.budget")} == {Status.PASS}
    guarantee = guarantee_of(found, "certified-removal")
    assert guarantee.status is ClaimStatus.SUPPORTED
    assert check_of(found, "removal.budget").details["epsilon_spent"] < 0.75
    assert guarantee.epsilon == pytest.approx(6 * 0.2 + 0.75, rel=1e-12)
    assert guarantee.delta == pytest.approx(5e-5 + 1e-7 * math.expm1(1.2) / math.expm1(0.2), rel=1e-9)
    assert findings(found.to_bytes()) == []


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "no extractor": lambda value: value["procedure"]["settings"].update(extractor=None),
    "a more private one": lambda value: value["procedure"]["settings"]["extractor"].update(epsilon=0.01),
    "a smaller promise": lambda value: value["guarantees"][0].update(epsilon=0.15),
    "one record": lambda value: next(each for each in value["certificates"] if each["kind"] == "dp-extractor")["inputs"].update(
        size=1
    ),
    "no certificate": lambda value: value.update(certificates=[x for x in value["certificates"] if x["kind"] != "dp-extractor"]),
    "shown": lambda value: value["guarantees"][0].update(status="shown"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_changed_document_is_found(evidence: Evidence, change: Callable[[dict[str, Any]], object]) -> None:
    value = json.loads(evidence.to_bytes())
    change(value)
    assert findings(rfc8785.dumps(value)) != []
