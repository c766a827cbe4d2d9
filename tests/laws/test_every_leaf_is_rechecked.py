"""Whatever an evidence document says is found when it is changed, or was declared or observed, which `verify` takes as stated."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rfc8785

from auditor.errors import InputError
from auditor.verify.derivations import derive_again, recheck_evidence
from auditor.verify.reading import read_evidence
from rechecks import LATEST

DERIVED_IN_SECTIONS = re.compile(
    r"audit\.(id|exit_code)|case\.digest|procedure\.(seed_salt)|environment\.capped|deletion_log\.(requests|overdue.*)"
    r"|policy\.(required.*|digest|claims_not_examined.*)|requests\[\]\.guarantees.*"
)
"""What follows from the rest inside sections that are otherwise declared."""
DECLARED = re.compile(r"(audit|case|procedure|policy|sizes|environment|deletion_log)\b.*|requests\[\].*")
OBSERVED = re.compile(r"checks\[[a-z._-]+\]\.observed\b.*")
GOLDEN = sorted(LATEST.glob("*.json"))


def leaves(value: Any, path: str = "", kind: str = "") -> Iterator[tuple[str, list[Any], Any]]:
    """Each leaf: its kind (positions in lists left out, checks and certificates by name), the way to it, and its value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            for found, way, leaf in leaves(inner, f"{path}.{key}", f"{kind}.{key}" if kind else key):
                yield found, [key, *way], leaf
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            name = (
                inner.get("id", inner.get("kind", "")) if isinstance(inner, dict) and kind in {"checks", "certificates"} else ""
            )
            for found, way, leaf in leaves(inner, f"{path}[{index}]", f"{kind}[{name}]"):
                yield found, [index, *way], leaf
    else:
        yield kind, [], value


def other(value: Any) -> Any:
    """Another value of the same type, or the nearest to it."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1 if value >= 0 else value - 1
        case str():
            return {"pass": "fail", "shown": "supported", "attested": "computed"}.get(value, f"{value} and more")
        case None:
            return 1
        case _:
            return ["something"] if isinstance(value, list) else {"something": 1}


def changed(document: Any, way: list[Any]) -> bytes:
    """The document with another leaf at the end of the way, canonical."""
    copy = json.loads(json.dumps(document))
    inside = copy
    for step in way[:-1]:
        inside = inside[step]
    inside[way[-1]] = other(inside[way[-1]])
    return rfc8785.dumps(copy)


def is_found(content: bytes) -> bool:
    """Whether a recheck finds something, or cannot even read it."""
    try:
        return bool(recheck_evidence(read_evidence(content, "evidence.json"), "evidence.json").findings)
    except InputError:
        return True


def kinds(path: Path) -> dict[str, list[Any]]:
    """The way to the last leaf of each kind."""
    return {kind: way for kind, way, _ in leaves(json.loads(path.read_bytes()))}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_changed_leaf_is_found_unless_it_was_declared_or_observed(path: Path) -> None:
    document, missed = json.loads(path.read_bytes()), []
    for kind, way in kinds(path).items():
        if OBSERVED.fullmatch(kind) or (DECLARED.fullmatch(kind) and not DERIVED_IN_SECTIONS.fullmatch(kind)):
            continue
        if not is_found(changed(document, way)):
            missed.append(kind)
    assert not missed


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_every_golden_document_comes_out_of_its_own_context_and_observations(path: Path) -> None:
    content = path.read_bytes()
    assert derive_again(read_evidence(content, path.name).evidence).to_bytes() == content
