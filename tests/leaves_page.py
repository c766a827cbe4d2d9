"""Writes the list of every leaf of evidence, and docs/leaves.md from it: `python -m tests.leaves_page`.

The list says of each leaf what it rests on. A leaf of a section that it lacks gets nothing from here: whoever adds one says it.
Leaves of what a check observed or derived rest on what their model is of.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic.json_schema import models_json_schema

from auditor.document import leaves
from auditor.document.leaves import ANY, BELOW, CHECKS, RestsOn
from auditor.verdict import published
from auditor.verdict.checks import definitions

PAGE = Path(__file__).parents[1] / "docs" / "leaves.md"
_HEAD = """# Reference: every leaf of evidence

Written from the list that `auditor verify` and [`recheck_minimal.py`](recheck_minimal.py) read (`make reference`).
`auditor schema --leaves` prints it as JSON: pointers by what they rest on.

| rests on | what it means | leaves |
| --- | --- | --- |
| derived | `verify` derives it again from what was declared and observed; changed alone, it does not agree | {derived} |
| declared | taken on trust; a declaration that another one rules out does not agree | {declared} |
| observed | taken on trust; an observation that the case or another one rules out does not agree | {observed} |

`*` stands for any member of a list or key of a table, `**` for anything below.
A check is named by its id; `checks/*` holds for every check, and for those of third parties.
"""


_WHOLE = ("conclusions", "promise")
"""What is derived whole, and holds itself or guarantees: no leaf of it is listed alone."""


def of_schema() -> Iterator[str]:
    """Every leaf that a document of this version can have, as a pointer."""
    whole = published.schema()
    parts = whole["$defs"]
    seen = {each["if"]["properties"]["id"]["const"]: each["then"]["properties"]["observed"] for each in parts["Check"]["allOf"]}
    yield from _below({key: value for key, value in whole.items() if key != "$defs"}, parts, "", ())
    for check_id, definition in definitions().items():
        yield from _below(seen[check_id], parts, f"/{CHECKS}/{check_id}/observed", ())
        yield f"/{CHECKS}/{check_id}/derived"
        _, derived = models_json_schema([(each, "serialization") for each in definition.derived])
        for each in definition.derived:
            name = f"#/$defs/{each.__name__}"
            yield from _below({"$ref": name}, _named(derived.get("$defs", {}), each), f"/{CHECKS}/{check_id}/derived", ())


def _named(parts: Mapping[str, Any], model: type[Any]) -> Mapping[str, Any]:
    """The same with a model under its own name, which pydantic lengthens where two have it."""
    long = f"{model.__module__}.{model.__qualname__}".replace(".", "__")
    return parts if long not in parts else {**parts, model.__name__: parts[long]}


def _below(schema: Mapping[str, Any], parts: Mapping[str, Any], pointer: str, within: tuple[str, ...]) -> Iterator[str]:
    """The leaves of a part of a JSON Schema; an object or a list is one itself where it may be empty."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name in within:
            yield f"{pointer}/{BELOW}"
        else:
            yield from _below(parts[name], parts, pointer, (*within, name))
        return
    alternatives = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    for each in alternatives:
        yield from _below(each, parts, pointer, within)
    if "properties" in schema or "additionalProperties" in schema:
        yield from _of_object(schema, parts, pointer, within)
    elif schema.get("type") == "array":
        if not schema.get("minItems"):
            yield pointer
        for each in (*schema.get("prefixItems", ()), *([schema["items"]] if isinstance(schema.get("items"), Mapping) else ())):
            yield from _below(each, parts, f"{pointer}/{ANY}", within)
    elif not alternatives:
        yield pointer if schema.keys() & {"type", "const", "enum"} else f"{pointer}/{BELOW}"


def _of_object(schema: Mapping[str, Any], parts: Mapping[str, Any], pointer: str, within: tuple[str, ...]) -> Iterator[str]:
    fields, more = schema.get("properties", {}), schema.get("additionalProperties", False)
    if not schema.get("required") and more is not True and pointer:
        yield pointer
    for key, each in fields.items():
        if key in _WHOLE:
            yield f"{pointer}/{key}/{BELOW}"
        else:
            yield from _below(each, parts, f"{pointer}/{key}", within)
    if more is True:
        yield f"{pointer}/{BELOW}"
    elif more:
        yield from _below(more, parts, f"{pointer}/{ANY}", within)


def completed() -> dict[str, RestsOn]:
    """The list with the leaves of the schema alone, each with what it rests on.

    Raises:
        ValueError: If it does not say of a leaf of a section what it rests on.
    """
    known = leaves.table()
    found: dict[str, RestsOn] = {}
    for pointer in sorted({*of_schema()}):
        room = pointer.split("/")[3:4] if pointer.startswith(f"/{CHECKS}/") else []
        usual = {"observed": RestsOn.OBSERVED, "derived": RestsOn.DERIVED}.get(*room) if room else None
        rests_on = known.get(pointer, usual)
        if rests_on is None:
            raise ValueError(f"{leaves.FILE.name} does not say what {pointer} rests on")
        found[pointer] = rests_on
    return found


def written(listed: Mapping[str, RestsOn]) -> str:
    """The list as its file holds it."""
    sorted_by = {each.value: sorted(pointer for pointer, rests_on in listed.items() if rests_on is each) for each in RestsOn}
    return json.dumps(sorted_by, indent=1, ensure_ascii=False) + "\n"


def page() -> str:
    """docs/leaves.md."""
    listed = leaves.table()
    counted = {each.value: sum(rests_on is each for rests_on in listed.values()) for each in RestsOn}
    return _HEAD.format(**counted) + "".join(_sections(listed))


def _sections(listed: Mapping[str, RestsOn]) -> Iterator[str]:
    groups: dict[str, dict[str, list[str]]] = {}
    for pointer, rests_on in listed.items():
        _, first, *rest = pointer.split("/")
        title = f"{CHECKS}: {rest[0]}" if first == CHECKS and rest[:1] not in ([], [ANY]) else first if rest else "the document"
        inner = "/".join(rest[1:] if title.startswith(f"{CHECKS}: ") else rest or [first])
        groups.setdefault(title, {}).setdefault(rests_on.value, []).append(inner)
    for title, by_kind in sorted(groups.items()):
        yield f"\n## {title}\n"
        for kind, those in sorted(by_kind.items()):
            yield f"\n**{kind}**: {', '.join(f'`{each}`' for each in sorted(those))}\n"


if __name__ == "__main__":
    leaves.FILE.write_text(written(completed()), encoding="utf-8")
    leaves.table.cache_clear()
    PAGE.write_text(page(), encoding="utf-8")
