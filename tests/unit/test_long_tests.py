"""The list of tests that take long: that it names tests there are, and what is taken from a run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import long_tests

ROOT = Path(__file__).parents[2]


def test_each_is_there_and_listed_once():
    lines = long_tests.LIST.read_text(encoding="utf-8").splitlines()
    assert lines == sorted(set(lines))
    missing = []
    for line in lines:
        file, *within = line.split("::")
        text = (ROOT / file).read_text(encoding="utf-8") if (ROOT / file).is_file() else ""
        missing += [line for each in within if not re.search(rf"\b{re.escape(each)}\b", text)]
    assert missing == []


def test_a_test_is_long_by_the_mean_over_its_parameters(tmp_path):
    run = tmp_path / "junit.xml"
    here = "tests.unit.test_long_tests"
    cases = [(here, "test_a[1]", 3.0), (here, "test_a[x::y]", 1.0), (f"{here}.TestB", "test_b", 0.1), ("", "left_out", 9.0)]
    rows = "".join(f'<testcase classname="{of}" name="{name}" time="{seconds}" />' for of, name, seconds in cases)
    run.write_text(f"<testsuites><testsuite>{rows}</testsuite></testsuites>", encoding="utf-8")
    file = "tests/unit/test_long_tests.py"
    assert long_tests.measured([run, run]) == {f"{file}::test_a": 2.0, f"{file}::TestB::test_b": pytest.approx(0.1)}
    assert long_tests.of(f"{file}::test_a[x::y]") == f"{file}::test_a"


def test_what_is_listed_is_marked(request):
    """This one takes no time."""
    assert request.node.get_closest_marker("long") is None
    marked = {each.nodeid for each in request.session.items if each.get_closest_marker("long")}
    functions = long_tests.listed()
    assert {each.nodeid for each in request.session.items if long_tests.of(each.nodeid) in functions} == marked


def test_both_parts_are_run_where_all_has_to_pass():
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert {"make test", "make test-long"} <= set(lines)
