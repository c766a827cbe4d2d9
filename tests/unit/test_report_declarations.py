"""CycloneDX and OSCAL: a requirement conforms where its check passed, and nowhere else; every reference leads somewhere."""

from __future__ import annotations

import json
import re

import pytest

import report_examples as examples
from auditor.base.domain import Status
from auditor.pages import cyclonedx, oscal
from tests.remedied import golden

EXAMPLES = [
    *(
        pytest.param(each, id=each.__name__)
        for each in (examples.passing, examples.failing, examples.broken_off, examples.held_back)
    ),
    *(pytest.param(lambda name=name: golden(name), id=name) for name in ("digits-cheater", "digits-answers", "sqlite-plain")),
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_a_requirement_conforms_where_its_check_passed_and_nowhere_else(example):
    told = example()
    document = json.loads(cyclonedx.bom(told))
    passed = {each.id for each in told.checks if each.status is Status.PASS}
    (attestation,) = document["declarations"]["attestations"]
    scores = {each["requirement"].removeprefix("requirement:"): each["conformance"]["score"] for each in attestation["map"]}
    assert scores == {name: int(name in passed) for name in told.policy.required}
    (result,) = json.loads(oscal.results(told))["assessment-results"]["results"]
    findings = result.get("findings", [])
    states = {each["target"]["target-id"]: each["target"]["status"]["state"] for each in findings}
    assert states == {name: "satisfied" if name in passed else "not-satisfied" for name in told.policy.required}
    reasons = {each["target"]["target-id"]: each["target"]["status"]["reason"] for each in findings}
    failed = {each.id for each in told.checks if each.status is Status.FAIL}
    assert {name for name, why in reasons.items() if why == "fail"} == failed & set(told.policy.required)


@pytest.mark.parametrize("example", EXAMPLES)
def test_what_is_claimed_and_not_shown_has_no_evidence_for_it(example):
    told = example()
    claims = json.loads(cyclonedx.bom(told))["declarations"]["claims"]
    for check, claim in zip(told.checks, claims, strict=True):
        assert ("evidence" in claim) is (check.status is Status.PASS)
        assert ("counterEvidence" in claim) is (check.status is Status.FAIL)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_reference_leads_to_one_thing(example):
    told = example()
    document = json.loads(cyclonedx.bom(told))
    names = re.findall(r'"bom-ref": ("(?:[^"\\]|\\.)*")', cyclonedx.bom(told))
    assert len(names) == len(set(names))
    declared = document["declarations"]
    referred = {each["target"] for each in declared["claims"]} | {each["assessor"] for each in declared["attestations"]}
    for each in declared["claims"]:
        referred |= {*each.get("evidence", ()), *each.get("counterEvidence", ())}
    for each in declared["attestations"][0]["map"]:
        referred |= {each["requirement"], *each.get("claims", ()), *each.get("counterClaims", ())}
    assert {json.dumps(each) for each in referred} <= set(names)
    results = json.loads(oscal.results(told))["assessment-results"]
    (result,) = results["results"]
    observed = {each["uuid"] for each in result.get("observations", [])}
    related = {each["observation-uuid"] for found in result.get("findings", []) for each in found.get("related-observations", [])}
    assert related <= observed
    assert results["import-ap"]["href"] == f"#{results['back-matter']['resources'][0]['uuid']}"


@pytest.mark.parametrize("render", [cyclonedx.bom, oscal.results])
def test_the_same_evidence_gives_the_same_document(render):
    assert render(examples.failing()) == render(examples.failing())
    assert render(examples.failing()) != render(examples.passing())
