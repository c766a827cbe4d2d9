"""Comparisons of noisy gradient descent in `epsilon.consistency`: each number changed alone is found by a recheck."""

from __future__ import annotations

from typing import Any

import pytest
import rfc8785

import rechecks

SAMPLE = "breast-cancer-noisy-gd-adaptive"


def row(document: dict[str, Any], test: str, at: int = 0) -> dict[str, Any]:
    rows = rechecks.check(document, "epsilon.consistency")["derived"]["comparisons"]
    found: dict[str, Any] = [each for each in rows if each.get("test") == test][at]
    return found


def lower(document: dict[str, Any], test: str, at: int, method: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in row(document, test, at)["lower"] if each["method"] == method)
    return found


def without(document: dict[str, Any], test: str) -> None:
    derived = rechecks.check(document, "epsilon.consistency")["derived"]
    derived["comparisons"] = [each for each in derived["comparisons"] if each.get("test") != test]


def test_as_it_is_it_agrees() -> None:
    assert rechecks.findings(rechecks.golden(SAMPLE)) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda document: without(document, "swap"),
        lambda document: without(document, "chains"),
        lambda document: row(document, "swap").update(epsilon=0.5),
        lambda document: row(document, "swap")["lower"].pop(),
        lambda document: lower(document, "swap", 0, "whole-set").update(epsilon=0.25),
        lambda document: lower(document, "swap", 0, "swap").update(decides=True),
        lambda document: row(document, "chains", 0).update(epsilon=5.0),
        lambda document: row(document, "chains", 1).update(epsilon=5.0),
        lambda document: row(document, "chains", 2).update(epsilon=5.0),
        lambda document: row(document, "chains", 2).update(order=7.0),
        lambda document: row(document, "chains", 2)["lower"].pop(),
        lambda document: lower(document, "chains", 2, "reencoding").update(confidence=0.5),
        lambda document: lower(document, "chains", 0, "two-records").update(epsilon=0.3),
        lambda document: lower(document, "chains", 1, "two-sample").update(epsilon=0.3),
        lambda document: lower(document, "chains", 2, "membership-tests").update(epsilon=0.3),
        lambda document: rechecks.check(document, "epsilon.consistency")["derived"].pop("chains"),
        lambda document: rechecks.check(document, "epsilon.consistency")["derived"]["chains"].update(count=10),
        lambda document: rechecks.check(document, "epsilon.consistency")["derived"]["chains"].update(confidence=0.5),
        lambda document: rechecks.certificate(document, "renyi-lower")["inputs"].update(hits=1),
    ],
)
def test_each_number_changed_alone_is_found(change: rechecks.Change) -> None:
    document = rechecks.document(SAMPLE)
    change(document)
    assert rechecks.findings(rfc8785.dumps(document))
