"""Forget Unlearning, Table 1: the page is made of its results, and its orders are the paper's."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from benchmarks.paper import publishing, savings, savings_page

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DOCS / savings_page.NAME / publishing.RESULTS).read_text(encoding="utf-8"))
    return found


def test_the_page_in_docs_is_what_its_results_say(kept: dict[str, Any]) -> None:
    assert (DOCS / f"{savings_page.NAME}.md").read_text(encoding="utf-8") == savings_page.page(kept)


def test_the_results_in_docs_are_what_the_command_works_out(kept: dict[str, Any]) -> None:
    assert json.loads(json.dumps(savings.measure(quick=False))) == kept
    assert "nothing but that all of it runs" in savings_page.page(savings.measure(quick=True))


def test_orders_are_those_that_the_paper_prints() -> None:
    found = savings.orders(10_000, 100, 7)
    assert found["noisy-m-a-sgd"] == pytest.approx(10 * (1 - 10 / 10_000))
    assert found["perturbed-gd-secret"] == pytest.approx(10_000 * math.log(1000))
    assert found["perturbed-gd"] == pytest.approx(10_000 * math.log(1000 / math.log(700) ** 2))
    assert found["noisy-gd"] == pytest.approx(10_000 * math.log(1000))


def test_an_order_that_is_not_above_zero_says_nothing() -> None:
    few = savings.orders(2, 100, 1)
    assert set(few.values()) == {None}
    row = {"n": 2, "d": 100, "i": 1, "orders": few, "ours": savings.ours(1000, 10)}
    assert "| no | √d (1 − √d/n) | – |" in savings_page.page({**savings.measure(quick=True), "rows": [row]})
