"""JUnit and SARIF: whatever keeps the verdict from pass is red in both, says what to do, and nothing else is red."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import report_examples as examples
from auditor.base.domain import Status, Verdict
from auditor.document.evidence import digest
from auditor.pages import junit, markdown, sarif
from auditor.pages.remedies import of_check, remedies
from tests import checks_page
from tests.remedied import SAMPLES, golden

EXAMPLES = [examples.passing, examples.failing, examples.broken_off, examples.held_back]
SHOWN = ("digits-cheater", "digits-newton-overrun", "fixed-output")
TOLD = [
    *(pytest.param(each, id=each.__name__) for each in EXAMPLES),
    *(pytest.param(lambda n=n: golden(n), id=n, marks=() if n in SHOWN else pytest.mark.slow) for n in SAMPLES),
]


def suite_of(told):
    return ET.fromstring(junit.xml(told)).find("testsuite")


def run_of(told):
    (run,) = json.loads(sarif.log(told))["runs"]
    return run


def unmet(told):
    return [each for each in told.checks if each.id in told.policy.required and each.status is not Status.PASS]


@pytest.mark.parametrize("example", TOLD)
def test_junit_is_red_for_the_verdict_and_each_required_check_that_did_not_pass_and_for_nothing_else(example):
    told = example()
    suite = suite_of(told)
    held = {each.id for each in told.checks}
    red = {case.get("name") for case in suite.findall("testcase") if case.find("failure") is not None}
    expected = {each.id for each in unmet(told)} | {name for name in told.policy.required if name not in held}
    assert red == expected | (set() if told.verdict is Verdict.PASS else {"verdict"})
    assert not suite.findall("testcase/error")


@pytest.mark.parametrize("example", TOLD)
def test_junit_s_counts_agree_with_its_cases(example):
    suite = suite_of(example())
    assert int(suite.get("tests")) == len(suite.findall("testcase"))
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
    assert int(suite.get("skipped")) == len(suite.findall("testcase/skipped"))
    assert int(suite.get("errors")) == 0
    assert all(each.get("message") for tag in ("skipped", "failure") for each in suite.iter(tag))


@pytest.mark.parametrize(
    ("example", "kind"),
    [(examples.passing, None), (examples.failing, "fail"), (examples.broken_off, "error"), (examples.held_back, "inconclusive")],
)
def test_junit_s_first_case_is_the_verdict_and_is_green_for_a_pass_alone(example, kind):
    told = example()
    first = suite_of(told).findall("testcase")[0]
    assert first.get("name") == "verdict"
    assert [each.get("type") for each in first.iter("failure")] == ([] if kind is None else [kind])
    assert all(each.get("message") == told.sentence for each in first.iter("failure"))


def test_an_inconclusive_required_check_is_a_failure_of_type_inconclusive_with_what_to_do_in_its_body():
    told = golden("digits-newton-overrun")
    (case,) = (each for each in suite_of(told).iter("testcase") if each.get("name") == "release.remembers")
    failure = case.find("failure")
    assert failure.get("type") == "inconclusive"
    (todo,) = of_check(remedies(told), "release.remembers")
    assert todo.action in failure.text
    assert todo.proof[0].check in failure.text


def test_every_case_says_whether_it_is_required():
    told = golden("digits-newton-overrun")
    for case in suite_of(told).findall("testcase"):
        (said,) = (each.get("value") for each in case.iter("property") if each.get("name") == "required")
        assert (said == "yes") == (case.get("name") in {"verdict", *told.policy.required})


def test_a_check_that_decides_nothing_is_no_failure_and_says_so():
    (case,) = (each for each in suite_of(golden("digits-newton")).iter("testcase") if each.get("name") == "release.remembers")
    assert case.find("failure") is None
    assert case.find("skipped").get("message").startswith("Does not decide the verdict. inconclusive: ")


@pytest.mark.parametrize("render", [junit.xml, sarif.log])
def test_what_a_pass_is_worth_stands_in_the_properties(render):
    written = render(examples.weak())
    for name, value in (("strength", "E"), ("default_policy_verdict", "inconclusive"), ("examined", "store procedure")):
        assert re.search(f'"{name}"(: | value=)"{value}"', written)


def test_properties_name_verdict_and_digest():
    told = examples.failing()
    found = {each.get("name"): each.get("value") for each in suite_of(told).find("properties")}
    assert found["verdict"] == "fail"
    assert found["evidence_sha256"] == digest(told.evidence.to_bytes())
    assert run_of(told)["properties"] == found


@pytest.mark.parametrize("example", TOLD)
def test_sarif_has_a_result_for_each_check_that_did_not_pass(example):
    told = example()
    run = run_of(told)
    assert [each["ruleId"] for each in run["results"]] == [each.id for each in told.checks if each.status is not Status.PASS]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[each["ruleIndex"]] == each["ruleId"] for each in run["results"])
    assert all(each["message"]["text"] and each["locations"] for each in run["results"])


@pytest.mark.parametrize("example", TOLD)
def test_sarif_shows_what_is_required_and_open_as_a_warning_and_what_fails_as_an_error(example):
    told = example()
    level = {each["ruleId"]: each["level"] for each in run_of(told)["results"]}
    for check in unmet(told):
        assert level[check.id] == ("error" if check.status in {Status.FAIL, Status.ERROR} else "warning")
    others = {name: found for name, found in level.items() if name not in told.policy.required}
    assert set(others.values()) <= {"none", "note"}
    # A level other than none belongs to kind fail (3.27.10).
    assert all((each["kind"] == "fail") == (each["level"] != "none") for each in run_of(told)["results"])


def test_sarif_results_say_what_to_do_and_can_be_followed_from_audit_to_audit():
    told = golden("digits-newton-overrun")
    (found,) = (each for each in run_of(told)["results"] if each["ruleId"] == "removal.budget")
    assert "Train again from the start at batch REQ-2026-0021" in found["message"]["text"]
    (again,) = (each for each in run_of(golden("digits-newton-overrun"))["results"] if each["ruleId"] == "removal.budget")
    assert found["partialFingerprints"] == again["partialFingerprints"]
    prints = [each["partialFingerprints"]["case/check/v1"] for each in run_of(told)["results"]]
    assert len(set(prints)) == len(prints)


def test_sarif_s_help_is_at_hand_and_no_address_is_relative():
    rules = run_of(golden("digits-newton"))["tool"]["driver"]["rules"]
    assert rules
    for rule in rules:
        assert rule["help"]["text"]
        assert "helpUri" not in rule


def test_the_page_about_checks_says_what_their_cards_say():
    # Where this fails: python -m tests.checks_page
    assert checks_page.PAGE.read_text(encoding="utf-8") == checks_page.page()


def test_the_examples_in_the_documentation_are_true():
    page = (Path(__file__).parents[2] / "docs" / "pipelines.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(?:xml|text)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    written = junit.xml(golden("digits-newton-overrun"))
    assert len(blocks) == 2
    for line in "".join(blocks).splitlines():
        assert line.strip() in written, line


def test_sarif_says_when_the_run_broke_off():
    (invocation,) = run_of(examples.broken_off())["invocations"]
    assert invocation["executionSuccessful"] is False
    assert len(invocation["toolExecutionNotifications"]) == 3


def test_of_a_whole_controller_nothing_is_said_of_models_stores_and_records():
    told = golden("tombstone-dictionary")
    said = markdown.summary(told)
    assert "histories that were played" in said
    for word in ("No model file", "No data store", "unlearning itself"):
        assert word not in said
    assert run_of(told)["properties"]["examined"] == "program kept"
