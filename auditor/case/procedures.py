"""The [procedure] table: which procedure is meant, and every key that is wrong for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic import BaseModel

from auditor.base import suggestions
from auditor.base.domain import Problem
from auditor.case import estimators, parsing
from auditor.settings.builtin import AUDITED_PROCEDURES, unknown_use
from auditor.settings.certified_removal import CertifiedRemoval
from auditor.settings.learning import Foreign, Sklearn, Wrapped
from auditor.settings.networks import ARCHITECTURES, Torch
from auditor.settings.ngram import Ngram
from auditor.settings.noisy_gd import NoisyGd
from auditor.settings.problems import show
from auditor.settings.unlearning import OWN, PARAMS
from auditor.settings.values import json_fault

_ENTRY: Final = re.compile(r"(?P<file>[^:]+\.py):(?P<name>[^:]+)")


def table(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:  # noqa: PLR0911 - one line a procedure
    """The table of the procedure that is meant, or every problem with it.

    Args:
        file: The name of audit.toml.
        content: What is under [procedure].
    """
    if "use" not in content:
        neither = Problem(file, "procedure", "either use (a built-in procedure) or entry (file.py:ClassName)", "neither")
        return _foreign(file, content) if "entry" in content else [neither]
    nearest = _nearest(content["use"])
    if nearest is None:
        # What the other keys should be follows from this one.
        return [Problem(file, "procedure.use", *unknown_use(content["use"]))]
    if nearest == "torch":
        return _torch(file, content)
    if nearest == "noisy-gd":
        return _noisy_gd(file, content)
    if nearest == "estimator":
        return _wrapped(file, content)
    if "entry" in content:
        return [Problem(file, "procedure", "either use (a built-in procedure) or entry (file.py:ClassName)", "both")]
    return _SIMPLE[nearest](file, content) if nearest in _SIMPLE else _certified(file, content)


def _nearest(use: object) -> str | None:
    """The built-in procedure that was meant: its keys are then known, however its name is spelt."""
    return suggestions.nearest(use, AUDITED_PROCEDURES) if isinstance(use, str) else None


def _certified(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    found = parsing.table(file, "procedure", CertifiedRemoval, content)
    if ("epsilon" in content) == ("delta" in content):
        return found
    present, absent = ("epsilon", "delta") if "epsilon" in content else ("delta", "epsilon")
    problem = Problem(file, f"procedure.{absent}", f"{absent} with {present}: the removal budget needs both", "no such key")
    return [*(found if isinstance(found, list) else []), problem]


def _sklearn(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    params = content.get("params", {})
    problems = _json_problems(file, "procedure.params", params) if isinstance(params, dict) else []
    found = parsing.table(file, "procedure", Sklearn, content if not problems else {**content, "params": {}})
    problems.extend(found if isinstance(found, list) else [])
    name = content.get("estimator")
    if isinstance(name, str) and not any(problem.where == "procedure.estimator" for problem in problems):
        problems.extend(estimators.problems(file, name, params if isinstance(params, dict) else {}))
    return problems or found


def _wrapped(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    params = content.get("params", {})
    problems = _json_problems(file, "procedure.params", params) if isinstance(params, dict) else []
    if isinstance(params, dict) and "seed" in params:
        expected = "no such key: the function gets the seed of [procedure]"
        problems.append(Problem(file, "procedure.params.seed", expected, "a value"))
    problems += _entry_problems(file, content, "function")
    found = parsing.table(file, "procedure", Wrapped, content if not problems else {**content, "params": {}})
    return [*problems, *found] if isinstance(found, list) else problems or found


def _torch(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    """Params and unlearn_params are what other keys say that they are; they come out with the defaults filled in."""
    problems: list[Problem] = []
    if ("model" in content) == ("entry" in content):
        expected = f"either model ({', '.join(ARCHITECTURES)}) or entry (file.py:ClassName of a torch.nn.Module)"
        problems.append(Problem(file, "procedure", expected, "both" if "model" in content else "neither"))
    else:
        problems += _entry_problems(file, content)
    if content.get("optimizer") == "adam" and "momentum" in content:
        problems.append(Problem(file, "procedure.momentum", "no such key: Adam takes no momentum", show(content["momentum"])))
    if content.get("unlearn") == "sisa" and "dp" in content:
        problems.append(Problem(file, "procedure.dp", 'no such key with unlearn = "sisa"', show(content["dp"])))
    if content.get("unlearn") == OWN and "entry" not in content:
        expected = 'entry with unlearn = "own": the function `unlearn` of that file is meant'
        problems.append(Problem(file, "procedure.entry", expected, "no such key"))
    params, wrong = _filled(file, "params", content, ARCHITECTURES.get(_word(content.get("model"))))
    unlearning, wrong_too = _filled(file, "unlearn_params", content, PARAMS.get(_word(content.get("unlearn", "retrain"))))
    problems += [*wrong, *wrong_too]
    found = parsing.table(file, "procedure", Torch, {**content, "params": params, "unlearn_params": unlearning})
    return [*problems, *found] if isinstance(found, list) else problems or found


def _noisy_gd(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    """Params are what the network says that they are; they come out with the defaults filled in."""
    problems = _entry_problems(file, content)
    params, wrong = _filled(file, "params", content, ARCHITECTURES.get(_word(content.get("model"))))
    found = parsing.table(file, "procedure", NoisyGd, {**content, "params": params})
    problems += wrong
    return [*problems, *found] if isinstance(found, list) else problems or found


def _word(value: object) -> str:
    return value if isinstance(value, str) else ""


def _filled(file: str, key: str, content: dict[str, Any], model: type[BaseModel] | None) -> tuple[Any, list[Problem]]:
    """The table under a key as its model fills it in, or, where no model is known, as it stands; and every problem with it."""
    values = content.get(key, {})
    if not isinstance(values, dict):
        return values, []
    if model is None:
        wrong = _json_problems(file, f"procedure.{key}", values)
        return {} if wrong else values, wrong
    checked = parsing.table(file, f"procedure.{key}", model, values)
    return ({}, checked) if isinstance(checked, list) else (checked.model_dump(mode="json"), [])


def _foreign(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    params = {key: value for key, value in content.items() if key not in {"entry", "seed"}}
    problems = _json_problems(file, "procedure", params)
    problems += _entry_problems(file, content)
    given = {key: value for key, value in content.items() if key in {"entry", "seed"}}
    found = parsing.table(file, "procedure", Foreign, {**given, "params": {} if problems else params})
    if isinstance(found, list):
        return [*problems, *found]
    return problems or found


def _entry_problems(file: str, content: dict[str, Any], names: str = "ClassName") -> list[Problem]:
    entry = content.get("entry")
    if not isinstance(entry, str):
        return []
    match = _ENTRY.fullmatch(entry)
    if match and match["name"].isidentifier():
        return []
    return [Problem(file, "procedure.entry", f'"file.py:{names}"', show(entry))]


def _json_problems(file: str, place: str, values: dict[str, Any]) -> list[Problem]:
    """The free keys of a table whose values JSON cannot hold."""
    return [
        Problem(file, f"{place}.{key}" if key.isprintable() else place, "a value that JSON can hold", fault)
        for key, value in values.items()
        if (fault := json_fault(value))
    ]


def _ngram(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    return parsing.table(file, "procedure", Ngram, content)


_SIMPLE: Final[Mapping[str | None, Callable[[str, dict[str, Any]], BaseModel | list[Problem]]]] = {
    "sklearn": _sklearn,
    "ngram": _ngram,
}
"""How the tables of procedures are read that take no entry and say no budget."""
