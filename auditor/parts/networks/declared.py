"""What the procedures `torch` and `ftrl` need beyond their tables: keys that others decide, and what follows from the data.

Networks in noisy gradient descent are declared alike, and read here as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from pydantic import BaseModel

from auditor.base.domain import Problem
from auditor.case import Case, parsing
from auditor.case.declaration import Declaration
from auditor.case.procedures import entry_problems, json_problems
from auditor.parts.networks.settings import ARCHITECTURES, OWN, PARAMS, Ftrl, Torch
from auditor.settings.builtin import Procedure
from auditor.settings.values import show


def read(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    """Read the table; params and unlearn_params are what other keys say, and come out with the defaults filled in.

    Args:
        file: The name of audit.toml.
        content: What is under [procedure].
    """
    problems: list[Problem] = []
    if ("model" in content) == ("entry" in content):
        expected = f"either model ({', '.join(ARCHITECTURES)}) or entry (file.py:ClassName of a torch.nn.Module)"
        problems.append(Problem(file, "procedure", expected, "both" if "model" in content else "neither"))
    else:
        problems += entry_problems(file, content)
    if content.get("optimizer") == "adam" and "momentum" in content:
        problems.append(Problem(file, "procedure.momentum", "no such key: Adam takes no momentum", show(content["momentum"])))
    if content.get("unlearn") == "sisa" and "dp" in content:
        problems.append(Problem(file, "procedure.dp", 'no such key with unlearn = "sisa"', show(content["dp"])))
    if content.get("unlearn") == OWN and "entry" not in content:
        expected = 'entry with unlearn = "own": the function `unlearn` of that file is meant'
        problems.append(Problem(file, "procedure.entry", expected, "no such key"))
    params, wrong = network_params(file, content)
    unlearning, wrong_too = _filled(file, "unlearn_params", content, PARAMS.get(_word(content.get("unlearn", "retrain"))))
    problems += [*wrong, *wrong_too]
    found = parsing.table(file, "procedure", Torch, {**content, "params": params, "unlearn_params": unlearning})
    return [*problems, *found] if isinstance(found, list) else problems or found


ONCE: Final = "no such key: a record is learned once, for whatever learns it again costs as much again"
"""Why there are no epochs, and no restarts that see data again."""


def read_stream(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    """Read the table of `use = "ftrl"`; params come out as the network that `model` names has them.

    Args:
        file: The name of audit.toml.
        content: What is under [procedure].
    """
    problems = [
        Problem(file, f"procedure.{key}", ONCE, show(content[key])) for key in ("epochs", "batch", "restarts") if key in content
    ]
    if content.get("unlearn", "none") != "none":
        expected = '"none": noise hides everybody from the beginning, and training again would learn records twice'
        problems.append(Problem(file, "procedure.unlearn", expected, show(content["unlearn"])))
    if "dp" in content:
        expected = "noise_multiplier, max_grad_norm and delta next to it"
        problems.append(Problem(file, "procedure.dp", expected, show(content["dp"])))
    rest = {key: value for key, value in content.items() if key not in {"epochs", "batch", "restarts", "unlearn", "dp"}}
    params, wrong = network_params(file, {"model": "mlp", **rest})
    problems += wrong
    found = parsing.table(file, "procedure", Ftrl, {**rest, "params": params})
    return [*problems, *found] if isinstance(found, list) else problems or found


def network_params(file: str, content: dict[str, Any]) -> tuple[Any, list[Problem]]:
    """Fill in `params` as the network that `model` names has them, and name every problem with them."""
    return _filled(file, "params", content, ARCHITECTURES.get(_word(content.get("model"))))


def _filled(file: str, key: str, content: dict[str, Any], model: type[BaseModel] | None) -> tuple[Any, list[Problem]]:
    """The table under a key as its model fills it in, or, where no model is known, as it stands; and every problem with it."""
    values = content.get(key, {})
    if not isinstance(values, dict):
        return values, []
    if model is None:
        wrong = json_problems(file, f"procedure.{key}", values)
        return {} if wrong else values, wrong
    checked = parsing.table(file, f"procedure.{key}", model, values)
    return ({}, checked) if isinstance(checked, list) else (checked.model_dump(mode="json"), [])


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def fits(file: str, procedure: Procedure, declared: Declaration) -> Iterator[Problem]:  # noqa: ARG001 - every network learns labels
    """Name what it cannot learn."""
    if declared.text("data", "task") == "regression":
        yield Problem(file, "data.task", '"classification" for a network, which trains on labels', '"regression"')


def of_data(case: Case, procedure: Procedure) -> dict[str, object]:  # noqa: ARG001 - alike for every network
    """Give the settings that follow from the training data: features, classes, and what a row is taken as."""
    data = case.settings.data
    shaped = {} if data.shape is None else {"shape": list(data.shape)}
    whole = {"whole": True} if data.dtype == "integer" else {}
    return {"features": case.train.features.shape[1], "classes": np.unique(case.train.labels).tolist(), **shaped, **whole}
