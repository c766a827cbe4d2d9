"""Writes docs/reference.md from the tables that audit.toml and a deletion log are read with: `python -m tests.reference_page`.

The sentence of a key is the docstring under its field; what it takes is what the field's JSON Schema says.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel

from auditor.base.deletion_log import log_chain
from auditor.base.deletion_log.requests import ClockPause, Extension, KeptData, Recipient, Request, Undertaking
from auditor.case.log_values import READ, REQUIRED
from auditor.pages.words.attestations import WORDS
from auditor.parts.networks.settings import ARCHITECTURES, PARAMS
from auditor.settings.builtin import entries
from auditor.settings.controller import controllers
from auditor.settings.documents import OutsidePlace
from auditor.settings.learning import Foreign
from auditor.settings.lineage import Descendant
from auditor.settings.places import Embeds, PeopleTable, PlaceKeys
from auditor.settings.receipts import Receipt
from auditor.settings.tables import TABLES

PAGE = Path(__file__).parents[1] / "docs" / "reference.md"
_HEAD = """# Reference: every key and column

Written from the code that reads them (`make reference`); a key that is not here is refused.
[Writing a case](cases.md) explains them in their order, [deletion logs](logs.md) the log.
A dot means a key of a table inside a table, such as `[claims] dp = { epsilon = 1, delta = 1e-5 }`.
"""
_ATTESTED = """
# What can be attested

The names that `[claims] attested` takes ([when to attest what](cases.md#what-only-the-controller-can-know)).

| name | what it says | where it is false |
| --- | --- | --- |
"""
_RECORDS = """
# Tables of records

`[data] train`, `holdout` and `store` are .npz, CSV or Parquet.
In CSV and Parquet the keys of `[data]` name the columns; features are those of `inputs`, or all that no key names.

| array of an .npz | holds |
| --- | --- |
| `features` | one row of numbers for each record, shape (n, d). |
| `labels` | one label for each record, shape (n,). |
| `ids` | one identifier for each record, text, shape (n,). |
| `sensitivity` | optional: one weight for each record, shape (n,). |

A model file holds the array `parameters`, shape (p,), and nothing else.
"""
MOST_SHOWN = 10**9
"""Limits from here on keep numbers out that nobody means."""
INNER: Mapping[str, type[Any]] = {
    "extension": Extension,
    "clock_pauses": ClockPause,
    "recipients_notified": Recipient,
    "kept": KeptData,
    "undertaking": Undertaking,
}
"""What the cells are that are tables, or lists of tables."""
_CHAIN = {
    log_chain.PREVIOUS: "The hash of the row before; `auditor log append` writes it.",
    log_chain.ENTRY: "The hash of this row, SHA-256 over its RFC 8785 form without this column and without missing values.",
    log_chain.AMENDS: "Of a row that amends an earlier one: the `entry_hash` of that; `auditor log amend` writes it.",
    log_chain.AMENDED_AT: "When that was done.",
}


def page() -> str:
    """The page as the tables have it."""
    return _HEAD + "".join(_section(*each) for each in _sections()) + _ATTESTED + _attested() + _RECORDS + _log()


def rows_of(model: type[BaseModel], before: str = "") -> Iterator[tuple[str, str, str, str]]:
    """Name, kind, default and sentence of each key, those of tables inside included."""
    said, schema = sentences(model), model.model_json_schema(mode="validation")
    for name, field in model.model_fields.items():
        kind = schema["properties"][name]
        default = "required" if field.is_required() else _written(kind.get("default"))
        yield f"{before}{name}", _kind(kind, schema.get("$defs", {})), default, said.get(name, "")
        for inner in _tables_in(field.annotation):
            yield from rows_of(inner, f"{before}{name}.")


def sentences(kind: type[Any]) -> dict[str, str]:
    """The docstrings under the fields of a class and of those that it inherits from, in one line each."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        if not each.__module__.startswith("auditor."):
            continue
        (defined,) = ast.parse(textwrap.dedent(inspect.getsource(each))).body
        assert isinstance(defined, ast.ClassDef)
        for field, after in zip(defined.body, defined.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(after, ast.Expr):
                found[field.target.id] = " ".join(str(ast.literal_eval(after.value)).split())
    return found


def _sections() -> Iterator[tuple[str, type[BaseModel]]]:
    for name in ("case", "data", "model"):
        yield f"`[{name}]`", TABLES[name]
    for use, entry in entries().items():
        yield f'`[procedure]` with `use = "{use}"`', entry.table
    for name, params in ARCHITECTURES.items():
        yield f'`params` with `model = "{name}"`', params
    for name, params in PARAMS.items():
        yield f'`unlearn_params` with `unlearn = "{name}"`', params
    yield "`[procedure]` with `entry`", Foreign
    for name, model in TABLES.items():
        if name not in {"case", "data", "model"}:
            yield f"`[{name}]`", model
    for name, controller in controllers().items():
        if controller.params is not None:
            yield f'`params` with `[controller] use = "{name}"`', controller.params
    yield "`[[outside]]`", OutsidePlace
    yield "`[[lineage]]`", Descendant
    yield "`[[receipts]]`", Receipt
    yield "`[places]`", Embeds
    yield "`[places]`, under each name", PlaceKeys
    yield "`[data]` with `[places]`", PeopleTable


def _section(title: str, model: type[BaseModel]) -> str:
    purpose = " ".join((model.__doc__ or "").split("\n\n")[0].split())
    rows = [f"| `{name}` | {kind} | {default} | {_spoken(says)} |" for name, kind, default, says in rows_of(model)]
    listed = ["| key | takes | if left out | says |", "| --- | --- | --- | --- |", *rows] if rows else ["It has no keys."]
    return "\n".join([f"\n## {title}\n", f"{purpose}\n", *listed, ""])


def _attested() -> str:
    return "".join(f"| `{name}` | {each.means} | {each.otherwise} |\n" for name, each in WORDS.items())


def _log() -> str:
    said = sentences(Request) | _CHAIN
    inner = {name: sentences(kind) for name, kind in INNER.items()}
    rows = []
    for name in (*READ, *_CHAIN):
        rows.append(f"| `{name}` | {'yes' if name in REQUIRED else ''} | {_spoken(said[name])} |")
        rows += [f"| `{name}.{key}` | | {_spoken(says)} |" for key, says in inner.get(name, {}).items()]
    head = "\n# Columns of a deletion log\n\nOther columns are named as not read.\n"
    return "\n".join([head, "| column | required | says |", "| --- | --- | --- |", *rows, ""])


def _tables_in(annotation: Any) -> list[type[BaseModel]]:
    kinds = (annotation, *get_args(annotation))
    return [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]


def _kind(schema: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    """What a key takes, in words."""
    if "anyOf" in schema:
        return " or ".join(_kind(each, known) for each in schema["anyOf"] if each.get("type") != "null")
    if "$ref" in schema:
        return "a table"
    words = schema.get("enum", [schema["const"]] if "const" in schema else [])
    if words:
        return " or ".join(f'`"{word}"`' for word in words)
    match schema.get("type"):
        case "array":
            return "a list of texts" if _kind(schema.get("items", {}), known) == "text" else "a list of numbers"
        case "object":
            return "a table"
        case "boolean":
            return "true or false"
        case "string":
            return "a date" if schema.get("format") == "date" else "text"
        case "integer":
            return f"a whole number{_limits(schema)}"
        case "number":
            return f"a number{_limits(schema)}"
        case _:
            return "any value that JSON can hold"


def _limits(schema: Mapping[str, Any]) -> str:
    words = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    limits = [f"{sign} {schema[key]:g}" for key, sign in words.items() if key in schema and schema[key] < MOST_SHOWN]
    return f" {', '.join(limits)}" if limits else ""


def _written(default: Any) -> str:
    match default:
        case None | {} | []:
            return ""
        case bool():
            return str(default).lower()
        case str():
            return f'`"{default}"`'
        case list():
            return f"`[{', '.join(map(str, default))}]`"
        case _:
            return f"{default:g}" if isinstance(default, float) else str(default)


def _spoken(says: str) -> str:
    """A docstring as it reads on a page: no code, and no bar that would end a cell."""
    plain = re.sub(r"\bNone\b(?= (?:where|while|for|means))", "left out", says.replace("|", "/"))
    return plain if re.match(r"\w\b", plain) else plain[:1].upper() + plain[1:]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
