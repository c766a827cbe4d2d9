"""What a way of unlearning can be told, and what is said where it is told something else."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from auditor.parts.networks.settings import PARAMS, NegativeGradient, SelectiveDampening, Sharded, read


@pytest.mark.parametrize("name", PARAMS)
def test_every_table_is_complete_by_itself_and_reads_its_own_defaults_back(name: str) -> None:
    defaults = read(PARAMS[name], {})
    assert read(PARAMS[name], defaults.model_dump()) == defaults


def test_what_is_told_is_kept() -> None:
    assert read(SelectiveDampening, {"selection": 5, "dampening": 0.5}) == SelectiveDampening(selection=5.0, dampening=0.5)
    assert read(NegativeGradient, {"retain_weight": 0.9}).retain_weight == 0.9
    assert read(Sharded, {"key": "spring"}) == Sharded(shards=5, key="spring")


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("ssd", {"selection": 0.0}, "unlearn_params.selection: expected a number greater than 0, found 0.0"),
        ("ssd", {"dampening": "strong"}, 'unlearn_params.dampening: expected a number, found "strong"'),
        ("ssd", {"dampenin": 1.0}, "unlearn_params.dampenin: expected one of selection, dampening (did you mean dampening?)"),
        ("fisher", {"noise": float("nan")}, "unlearn_params.noise: expected a finite number, found nan"),
        ("fisher", {"noise": float("inf")}, "unlearn_params.noise: expected a finite number, found inf"),
        ("fine-tune", {"epochs": 0}, "unlearn_params.epochs: expected a number of at least 1, found 0"),
        ("fine-tune", {"epochs": True}, "unlearn_params.epochs: expected an integer, found true"),
        ("salun", {"sparsity": 1.5}, "unlearn_params.sparsity: expected a number of at most 1, found 1.5"),
        ("neg-grad", {"retain_weight": 1.0}, "unlearn_params.retain_weight: expected a number less than 1, found 1.0"),
        ("sisa", {"shards": 1}, "unlearn_params.shards: expected a number of at least 2, found 1"),
        ("sisa", {"key": "a\nb"}, "unlearn_params.key: expected text without control characters, found the character U+000A"),
        ("retrain", {"epochs": 3}, 'unlearn_params.epochs: expected no keys, found "epochs"'),
        ("none", {"\x1b[2J": 3}, "unlearn_params.?: expected no keys"),
    ],
)
def test_what_is_wrong_is_named_with_its_key(name: str, values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match="unlearn_params") as caught:
        read(PARAMS[name], values)
    assert str(caught.value).startswith(message)


def test_every_problem_is_told_at_once() -> None:
    with pytest.raises(ValueError, match="unlearn_params") as caught:
        read(PARAMS["fisher"], {"noise": -1, "floor": 0, "what": 2})
    assert [line.partition(":")[0] for line in str(caught.value).splitlines()] == [
        "unlearn_params.noise",
        "unlearn_params.floor",
        "unlearn_params.what",
    ]


def test_a_case_is_checked_without_pytorch() -> None:
    code = "import sys; import auditor.parts.networks.settings; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
