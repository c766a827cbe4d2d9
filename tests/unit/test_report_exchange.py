"""JUnit and SARIF: counts agree with the evidence, and nothing but a pass is left out."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import pytest

import report_examples as examples
from auditor.domain import Status, Verdict
from auditor.evidence import digest
from auditor.report import exchange

EXAMPLES = [examples.passing, examples.failing, examples.broken_off]


@pytest.mark.parametrize("example", EXAMPLES)
def test_junit_counts_agree_with_the_cases_and_the_evidence(example):
    evidence = example()
    suite = ET.fromstring(exchange.junit(evidence)).find("testsuite")
    count = {status: sum(check.status is status for check in evidence.checks) for status in Status}
    assert int(suite.get("tests")) == len(suite.findall("testcase")) == 1 + len(evidence.checks)
    no_pass = evidence.verdict is not Verdict.PASS
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure")) == count[Status.FAIL] + no_pass
    assert int(suite.get("errors")) == len(suite.findall("testcase/error")) == count[Status.ERROR]
    expected = count[Status.SKIPPED] + count[Status.INCONCLUSIVE]
    assert int(suite.get("skipped")) == len(suite.findall("testcase/skipped")) == expected
    assert all(case.get("message") for case in suite.iter("skipped"))
    assert suite.findtext("system-out") == evidence.sentence
    properties = {item.get("name"): item.get("value") for item in suite.iter("property")}
    assert properties["verdict"] == evidence.verdict.value
    assert properties["evidence_sha256"] == digest(evidence.evidence.to_bytes())


@pytest.mark.parametrize(
    ("example", "kind"),
    [(examples.passing, None), (examples.failing, "fail"), (examples.broken_off, "error"), (examples.held_back, "inconclusive")],
)
def test_junit_s_first_case_is_the_verdict_and_is_green_for_a_pass_alone(example, kind):
    evidence = example()
    first = ET.fromstring(exchange.junit(evidence)).find("testsuite").findall("testcase")[0]
    assert first.get("name") == "verdict"
    assert [each.get("type") for each in first] == ([] if kind is None else [kind])
    assert all(each.get("message") == evidence.sentence for each in first)


@pytest.mark.parametrize("render", [exchange.junit, exchange.sarif])
def test_what_a_pass_is_worth_stands_in_the_properties(render):
    written = render(examples.weak())
    for name, value in (("strength", "E"), ("default_policy_verdict", "inconclusive"), ("examined", "store procedure")):
        assert re.search(f'"{name}"(: | value=)"{value}"', written)


def test_junit_calls_an_inconclusive_check_inconclusive():
    suite = ET.fromstring(exchange.junit(examples.broken_off()))
    messages = [item.get("message") for item in suite.iter("skipped")]
    assert any(message.startswith("inconclusive: ") for message in messages)


@pytest.mark.parametrize("example", EXAMPLES)
def test_sarif_has_a_result_for_each_check_that_did_not_pass(example):
    evidence = example()
    (run,) = json.loads(exchange.sarif(evidence))["runs"]
    left = [check.id for check in evidence.checks if check.status is not Status.PASS]
    assert [result["ruleId"] for result in run["results"]] == left
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    assert all(result["message"]["text"] and result["locations"] for result in run["results"])
    assert {(r["kind"] == "fail") == (r["level"] != "none") for r in run["results"]} == {True}
    assert [r["ruleId"] for r in run["results"] if r["level"] == "error"] == [
        check.id for check in evidence.checks if check.status is Status.FAIL
    ]
    assert run["properties"]["verdict"] == evidence.verdict.value


def test_sarif_says_when_the_run_broke_off():
    (run,) = json.loads(exchange.sarif(examples.broken_off()))["runs"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert len(invocation["toolExecutionNotifications"]) == 3
