"""What `--only` leaves out of a policy that lists what it requires: skipped, and so no pass."""

from __future__ import annotations

import json

import pytest

from auditor.verify.derivations import derive_again
from auditor.verify.reading import read_evidence
from rechecks import changed, document

QUICK = ("digits-retrain", "fixed-output", "digits-own-procedure")


def required(name: str) -> list[str]:
    assert document(name)["verdict"] == "pass"
    return list(document(name)["policy"]["listed"])


@pytest.mark.parametrize(("name", "left_out"), [(name, check_id) for name in QUICK for check_id in required(name)])
def test_a_required_check_that_is_left_out_counts_as_skipped(name: str, left_out: str) -> None:
    asked = [check_id for check_id in required(name) if check_id != left_out]
    content = changed(lambda value: value["audit"].update(only=asked), name)
    found = json.loads(derive_again(read_evidence(content, name).evidence).to_bytes())
    assert {each["status"] for each in found["checks"] if each["id"] == left_out} == {"skipped"}
    assert left_out in found["policy"]["required"]
    assert (found["verdict"], found["audit"]["exit_code"]) == ("inconclusive", 3)
    assert {each["status"] for each in found["checks"] if each["id"] in asked} == {"pass"}


def test_to_ask_for_every_required_check_leaves_nothing_out() -> None:
    for name in QUICK:
        asked = required(name)
        content = changed(lambda value, asked=asked: value["audit"].update(only=asked), name)  # type: ignore[misc]
        assert derive_again(read_evidence(content, name).evidence).verdict == "pass"
