"""The page on data deletion in print and on screen: whole, deaf to what its strings say, and told in every rendering."""

from __future__ import annotations

import dataclasses
import io
import json

import pytest
from rich.console import Console

import deletion_examples as examples
from auditor.base.errors import ReportError
from auditor.pages import junit, markdown, render, sarif, terminal
from auditor.pages.words.rendered_evidence import tell
from hostile_text import HOSTILE, INVISIBLE, Skeleton, harmless, with_spoiled_values, without_drawings

EXAMPLES = [examples.deleting, examples.falling_short, examples.not_covered]


@pytest.mark.parametrize("example", EXAMPLES)
def test_hostile_details_change_no_tag(example):
    tame, wild = (Skeleton(render.html(with_spoiled_values(example(), text))) for text in (harmless(HOSTILE), HOSTILE))
    assert without_drawings(wild.tags) == without_drawings(tame.tags)
    assert set(wild.tags) == set(tame.tags)
    assert not INVISIBLE & set(" ".join(wild.text))


@pytest.mark.parametrize(
    "odd",
    [
        {"premises": "x", "orders": {}, "membership": [], "conversions": 3, "gaussian": "x", "noise": [], "curve": "x"},
        {"premises": [{}], "orders": [{}], "membership": {}, "conversions": [{}], "gaussian": {}, "noise": {}, "curve": [{}]},
        {"steps": {"declared": 3}, "batches": [{}], "cost": {}, "utility": {}, "sources": [{}], "settings": "x", "theorem": 5},
        {
            "order": "2",
            "epsilon_dd": "0.1",
            "epsilon_dp": True,
            "theorem": "unheard of",
            "per_request": [{}],
            "game": {"refuted": 3},
        },
        {"per_request": 4, "seen": "3", "source_of_seen": None, "carried": [{}], "cases": [{}], "updates": -1, "game": [1]},
    ],
)
def test_what_no_judge_derives_is_refused(odd):
    evidence = examples.deleting().evidence
    checks = tuple(
        dataclasses.replace(check, derived={**(check.derived or {}), **odd})
        if check.id.startswith(("deletion.", "state."))
        else check
        for check in evidence.checks
    )
    with pytest.raises(ReportError, match="no words for what the evidence says"):
        tell(evidence.model_copy(update={"checks": checks}))


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_rendering_for_machines_and_reviewers_lists_the_checks(example):
    evidence = example()
    listed = markdown.summary(evidence)
    cases = junit.xml(evidence)
    run = json.loads(sarif.log(evidence))["runs"][0]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    for name in ("deletion.renyi", "deletion.adaptive", "state.stateless"):
        assert f"| {name} |" in listed
        assert f'name="{name}"' in cases
        assert name in rules
    failed = {result["ruleId"] for result in run["results"] if result["level"] == "error"}
    assert failed == {check.id for check in evidence.checks if check.status.value == "fail"}


def test_markdown_states_the_order_of_a_renyi_epsilon():
    listed = markdown.summary(examples.deleting())
    assert "| Data deletion of the model | ◆ supported | 0.005254 (Rényi, order 2) | – |" in listed


def test_the_terminal_says_what_a_deleted_person_is_promised():
    out = io.StringIO()
    terminal.details(examples.deleting(), Console(file=out, width=1000))
    assert "ε_dd" in out.getvalue()
    assert "◆ supported: Data deletion of the model" in out.getvalue()
    fallen = io.StringIO()
    terminal.details(examples.falling_short(), Console(file=fallen, width=1000))
    assert "Data deletion is not shown: a premise was found false" in fallen.getvalue()
