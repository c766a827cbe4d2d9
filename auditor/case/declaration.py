"""From the bytes of audit.toml to Settings, or every problem with every key.

Each table is checked by itself, so that a wrong key in one never hides a wrong key in another, and so that the files
named by sound keys can still be read and checked beside them.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from auditor.case import estimators
from auditor.case.certified import CertifiedRemoval
from auditor.case.files import Source
from auditor.case.learning import Foreign, Sklearn
from auditor.case.problems import show, text_fault, unknown
from auditor.case.settings import TABLES, Settings
from auditor.case.uses import AUDITED_PROCEDURES, DOCUMENTED_PROCEDURES
from auditor.case.values import LONGEST_TEXT, json_fault
from auditor.domain import Problem

LIMIT: Final = 1024 * 1024
"""Bytes of audit.toml."""

_ORDER: Final = ("case", "data", "model", "procedure", "deletions", "claims", "policy", "sandbox", "swap", "inference")
_OPTIONAL: Final = ("claims", "policy", "sandbox", "swap", "inference")
_ENTRY: Final = re.compile(r"(?P<file>[^:]+\.py):(?P<name>[^:]+)")

_EXPECTED: Final = {
    "string_type": "text in quotes",
    "string_too_short": "text that is not empty",
    "string_too_long": "text of at most {max_length} characters",
    "float_type": "a number",
    "int_type": "an integer",
    "bool_type": "true or false",
    "finite_number": "a finite number",
    "greater_than": "a number greater than {gt}",
    "greater_than_equal": "a number of at least {ge}",
    "less_than": "a number less than {lt}",
    "less_than_equal": "a number of at most {le}",
    "literal_error": "one of {expected}",
    "tuple_type": "an array",
    "model_type": "a table",
    "dict_type": "a table",
}


@dataclass(frozen=True, slots=True)
class Declaration:
    """What could be read of audit.toml, sound or not."""

    settings: Settings | None
    """None where anything is wrong."""
    tables: Mapping[str, BaseModel]
    """The tables that are sound."""
    raw: Mapping[str, Any]
    """The document as parsed. It may hold the secret seed: never print it."""
    problems: tuple[Problem, ...] = field(repr=False)

    def text(self, table: str, key: str) -> str | None:
        """The text under a key, even where other keys of its table are wrong; None where there is none that can be used."""
        found = self.raw.get(table)
        value = found.get(key) if isinstance(found, dict) else None
        return value if isinstance(value, str) and len(value) <= LONGEST_TEXT and not text_fault(value) else None


def declare(source: Source) -> Declaration:
    """Read and check audit.toml, all of it."""
    file = source.name
    raw = _parse(source)
    if isinstance(raw, Problem):
        return Declaration(None, {}, {}, (raw,))
    problems = _tables_known(file, raw)
    tables: dict[str, BaseModel] = {}
    controller = "controller" in raw
    for name in _ORDER:
        if name not in raw and name not in _OPTIONAL:
            if name == "case" or (name != "model" and not controller):
                problems.append(Problem(file, name, f"a [{name}] table", "no such table"))
            continue
        content = raw.get(name, {})
        if not isinstance(content, dict):
            problems.append(Problem(file, name, f"a [{name}] table", _shown(name, content)))
            continue
        found = _procedure(file, content) if name == "procedure" else _table(file, name, TABLES[name], content)
        if isinstance(found, BaseModel):
            tables[name] = found
        else:
            problems.extend(found)
    settings = None if problems else Settings.model_validate({"model": None, **tables})
    return Declaration(settings, tables, raw, tuple(problems))


def _tables_known(file: str, raw: dict[str, Any]) -> list[Problem]:
    problems: list[Problem] = []
    for name in raw:
        if name == "controller":
            expected = "no such table: this version audits learning procedures, and reads no controllers yet"
            problems.append(Problem(file, "controller", expected, "a [controller] table"))
        elif name not in _ORDER:
            problems.append(Problem(file, name if name.isprintable() else "", *unknown("table", name, _ORDER)))
    return problems


def _parse(source: Source) -> dict[str, Any] | Problem:
    try:
        return tomllib.loads(source.data.decode("utf-8-sig"))
    except RecursionError:
        return Problem(source.name, "", "TOML", "tables or arrays nested too deeply")
    except UnicodeDecodeError as error:
        return Problem(source.name, f"byte {error.start}", "TOML in UTF-8", "bytes that are not UTF-8")
    except ValueError as error:
        return Problem(source.name, "", "TOML", str(error))


def _shown(name: str, value: object) -> str:
    return "no table" if name == "procedure" else show(value)


def _table(file: str, name: str, model: type[BaseModel], content: dict[str, Any]) -> BaseModel | list[Problem]:
    try:
        return model.model_validate(content)
    except ValidationError as error:
        return [_problem(file, name, model, item) for item in error.errors(include_url=False)]


def _procedure(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    if ("use" in content) == ("entry" in content):
        both = "both" if "use" in content else "neither"
        return [Problem(file, "procedure", "either use (a built-in procedure) or entry (file.py:ClassName)", both)]
    if "entry" in content:
        return _foreign(file, content)
    if content["use"] in DOCUMENTED_PROCEDURES:
        # The keys of another procedure are not known here: one problem, not one for each of its keys.
        found = _table(file, "procedure", CertifiedRemoval, {"use": content["use"], "l2": 1.0, "sigma": 1.0})
        return found if isinstance(found, list) else []
    if _nearest(content["use"]) == "sklearn":
        return _sklearn(file, content)
    found = _table(file, "procedure", CertifiedRemoval, content)
    if ("epsilon" in content) == ("delta" in content):
        return found
    present, absent = ("epsilon", "delta") if "epsilon" in content else ("delta", "epsilon")
    problem = Problem(file, f"procedure.{absent}", f"{absent} beside {present}: the removal budget needs both", "no such key")
    return [*(found if isinstance(found, list) else []), problem]


def _nearest(use: object) -> str | None:
    """The built-in procedure that was meant: its keys are then known, however its name is spelt."""
    near = difflib.get_close_matches(use[:LONGEST_TEXT], AUDITED_PROCEDURES, n=1) if isinstance(use, str) else []
    return near[0] if near else None


def _sklearn(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    params = content.get("params", {})
    problems = _json_problems(file, "procedure.params", params) if isinstance(params, dict) else []
    found = _table(file, "procedure", Sklearn, content if not problems else {**content, "params": {}})
    problems.extend(found if isinstance(found, list) else [])
    name = content.get("estimator")
    if isinstance(name, str) and not any(problem.where == "procedure.estimator" for problem in problems):
        problems.extend(estimators.problems(file, name, params if isinstance(params, dict) else {}))
    return problems or found


def _json_problems(file: str, place: str, values: dict[str, Any]) -> list[Problem]:
    """The free keys of a table whose values JSON cannot hold."""
    return [
        Problem(file, f"{place}.{key}" if key.isprintable() else place, "a value that JSON can hold", fault)
        for key, value in values.items()
        if (fault := json_fault(value))
    ]


def _foreign(file: str, content: dict[str, Any]) -> BaseModel | list[Problem]:
    params = {key: value for key, value in content.items() if key not in {"entry", "seed"}}
    problems = _json_problems(file, "procedure", params)
    if isinstance(content["entry"], str):
        match = _ENTRY.fullmatch(content["entry"])
        if not match or not match["name"].isidentifier():
            problems.append(Problem(file, "procedure.entry", '"file.py:ClassName"', show(content["entry"])))
    given = {key: value for key, value in content.items() if key in {"entry", "seed"}}
    found = _table(file, "procedure", Foreign, {**given, "params": {} if problems else params})
    if isinstance(found, list):
        return [*problems, *found]
    return problems or found


def _problem(file: str, table: str, model: type[BaseModel], item: ErrorDetails) -> Problem:
    location = [str(part) for part in item["loc"]]
    where = ".".join([table, *location])
    context = item.get("ctx", {})
    match item["type"]:
        case "wrong":
            return Problem(file, where, str(context["expected"]), str(context["found"]))
        case "missing":
            return Problem(file, where, "a value: this key is required", "no such key")
        case "extra_forbidden":
            known = list(_model_at(model, location[:-1]).model_fields)
            place = where if where.isprintable() else table
            return Problem(file, place, *unknown("key", location[-1], known))
        case "literal_error" if isinstance(item["input"], str):
            return Problem(file, where, *unknown("value", item["input"], re.findall(r"'([^']*)'", context["expected"])))
        case kind:
            expected = _EXPECTED[kind].format(**context) if kind in _EXPECTED else item["msg"]
            found = "something else (a seed is not shown)" if location[-1:] == ["seed"] else show(item["input"])
            return Problem(file, where, expected, found)


def _model_at(model: type[BaseModel], location: list[str]) -> type[BaseModel]:
    for part in location:
        annotation = model.model_fields[part].annotation
        nested = [kind for kind in (annotation, *get_args(annotation)) if isinstance(kind, type) and issubclass(kind, BaseModel)]
        model = nested[0]
    return model
