"""A letter on data deletion is rechecked: its standing from its premises, its numbers against the evidence."""

from __future__ import annotations

import json

import pytest
import rfc8785

import deletion_examples as examples
from auditor.domain import How
from auditor.letters import extract
from auditor.verify.letters import against_evidence, read_letter, recheck_alone

HER = "REQ-2026-0001"
WAYS = [
    {},
    {"seen": 3},
    {"source": "5.2"},
    {"source": "gaussian", "seen": 1},
    {"epsilon": 0.0, "source": "twins"},
    {"deletion_bound_met": How.REFUTED},
    {"deletion_unrefuted": How.REFUTED},
]


def written(given):
    evidence = examples.promised(examples.deleting(), given).evidence
    return evidence, extract(evidence, HER).to_bytes()


def findings(content):
    return [problem for part in recheck_alone(read_letter(content, "letter.json")) for problem in part.findings]


@pytest.mark.parametrize("way", WAYS)
def test_an_honest_letter_stands_alone_and_beside_its_evidence(way):
    evidence, content = written(examples.guarantees(**way))
    assert findings(content) == []
    assert list(against_evidence(read_letter(content, "letter.json"), evidence, evidence.to_bytes())) == []


def changed(content, **changes):
    value = json.loads(content)
    (item,) = [each for each in value["guarantees"] if each["id"] == "data-deletion"]
    item.update(changes)
    return rfc8785.dumps(value)


@pytest.mark.parametrize("change", [{"epsilon": 1e-9}, {"order": 50.0}, {"status": "shown"}, {"delta": 1e-5}])
def test_a_number_or_a_standing_that_was_changed_is_found(change):
    evidence, content = written(examples.guarantees())
    spoiled = changed(content, **change)
    assert list(against_evidence(read_letter(spoiled, "letter.json"), evidence, evidence.to_bytes()))
    if "status" in change or "delta" in change:
        assert findings(spoiled)


def test_a_premise_left_out_is_found_in_the_letter_alone():
    _, content = written(examples.guarantees())
    value = json.loads(content)
    (item,) = [each for each in value["guarantees"] if each["id"] == "data-deletion"]
    del item["derivation"][0]["premises"][0]
    assert findings(rfc8785.dumps(value))
