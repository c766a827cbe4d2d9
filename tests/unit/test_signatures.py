"""A function of a case with other parameters than it is called with: one message with its name, what was expected and found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import small_cases
from auditor.base.errors import ProcedureError
from auditor.base.records import Dataset
from auditor.sandbox import signatures
from auditor.sandbox.steps import ProcedureSpec
from auditor.sandbox.worker import Worker
from levels import forking


def four(model: Any, data: Any, forget: Any, seed: Any) -> None: ...
def other_names(net: Any, rows: Any, which: Any, number: Any, more: int = 1) -> None: ...
def anything(*args: Any, **keywords: Any) -> None: ...
def three(model: Any, forget: Any, seed: Any) -> None: ...
def swapped(model: Any, forget: Any, data: Any, seed: Any) -> None: ...
def of_a_file(model: Any, retain: Any, forget: Any, seed: Any) -> None: ...
def named_only(model: Any, data: Any, *, forget: Any, seed: Any) -> None: ...


@pytest.mark.parametrize("function", [four, other_names, anything])
def test_what_can_be_called_passes(function: Callable[..., Any]) -> None:
    signatures.require_one(function, "unlearn", signatures.METHODS["unlearn"])


@pytest.mark.parametrize("function", [three, swapped, of_a_file, named_only])
def test_what_cannot_or_takes_one_thing_for_another_is_named(function: Callable[..., Any]) -> None:
    with pytest.raises(signatures.SignatureError, match=r"expected unlearn\(model, data, forget, seed\), found unlearn\(model, "):
        signatures.require_one(function, "unlearn", signatures.METHODS["unlearn"])


def test_a_function_of_a_file_gets_the_rows_that_stay() -> None:
    signatures.require_one(of_a_file, "unlearn", signatures.OWN_UNLEARN)
    with pytest.raises(signatures.SignatureError, match=r"expected unlearn\(model, retain, forget, seed\), found unlearn"):
        signatures.require_one(four, "unlearn", signatures.OWN_UNLEARN)


def test_a_key_that_it_does_not_take_is_named() -> None:
    with pytest.raises(signatures.SignatureError, match=r"expected build\(seed, depth=…\), found build\(seed, width=2\)"):
        signatures.require_one(lambda seed, width=2: (seed, width), "build", ("seed",), ["depth"])


METHODS = """def learn(self, data, seed): return 1
def unlearn(self, model, data, forget, seed): return 1
def predict(self, model, rows): return 1
"""


def started(folder: Path, text: str, *, use: str | None = None, name: str = "Procedure", **settings: Any) -> str:
    """What starting it says."""
    (folder / "code.py").write_text(text, encoding="utf-8")
    spec = ProcedureSpec(
        use=use, entry=f"{folder}/code.py:{name}", settings=settings, whole="initialize" in text, rows={"labels": [0, 1]}
    )
    features, labels = small_cases.problem(8)
    rows = Dataset(features, labels, np.array([str(number) for number in range(8)]))
    with pytest.raises(ProcedureError) as caught, Worker(spec, {"train": rows}, level=forking()):
        pass
    assert "Traceback" not in caught.value.stderr_tail
    return str(caught.value)


def of_class(body: str, head: str = "class Procedure:\n") -> str:
    return head + "".join(f"    {line}\n" for line in body.splitlines())


@pytest.mark.parametrize(
    ("text", "more", "message"),
    [
        (of_class(METHODS.replace("self, data, seed", "self, data")), {}, "expected learn(data, seed), found learn(data)"),
        (of_class(METHODS + "def save(self, model): pass"), {}, "expected save(model, path), found save(model)"),
        (of_class(METHODS), {"depth": 1}, "expected Procedure(depth=…), found Procedure()"),
        ("def make():\n    pass\n", {"use": "estimator", "name": "make"}, "expected make(seed), found make()"),
        (
            of_class("def initialize(self, seed): pass\ndef activate(self, channel, operation): pass\ndef state(self): pass"),
            {}, "expected activate(channel, operation, argument), found activate(channel, operation)",
        ),
        (of_class(METHODS), {"name": "Procedur"}, "expected code.py to define Procedur (did you mean Procedure?), found nothing"),
        (
            "def build(seed): pass", {"name": "build"},
            'expected build(), found build(seed); a function that builds an estimator needs use = "estimator" as well',
        ),
    ],
)  # fmt: skip
def test_a_case_is_refused_before_it_runs(tmp_path: Path, text: str, more: dict[str, Any], message: str) -> None:
    keys = {"unlearn_by": "retrain", "classes": [0, 1]} if more.get("use") == "estimator" else {}
    assert message in started(tmp_path, text, **keys, **more)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("def build(self, seed): pass", "expected build(), found build(seed)"),
        ("def build(self): pass\ndef loss(self, outputs): pass", "expected loss(outputs, labels), found loss(outputs)"),
        ("def build(self): pass\ndef train(self, data): pass", "expected train(module, data), found train(data)"),
    ],
)
def test_a_training_loop_is_refused_before_it_runs(tmp_path: Path, body: str, message: str) -> None:
    text = of_class(body, "from auditor.api import TrainingLoop\n\nclass Procedure(TrainingLoop):\n")
    assert message in started(tmp_path, text)
