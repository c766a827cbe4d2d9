"""Evidence of released versions, changed in one place and written canonically again, and what a recheck says of it."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import rfc8785

from auditor.recheck.derivations import derive_again, recheck_evidence
from auditor.recheck.files import read_evidence
from cases import once

GOLDEN = Path(__file__).resolve().parent / "golden"
LATEST = GOLDEN / "0.2.0"
Change = Callable[[dict[str, Any]], object]


@functools.cache
def golden(name: str) -> bytes:
    """The bytes of an evidence document that version 0.2.0 wrote."""
    return (LATEST / f"{name}.json").read_bytes()


@functools.cache
def derived(name: str) -> bytes:
    """The bytes that this very version gives for what an evidence document declares and observed: evidence that agrees."""
    return once(f"{name}.derived.json", lambda: derive_again(read_evidence(golden(name), name).evidence).to_bytes())


def document(name: str = "digits-newton") -> dict[str, Any]:
    """The same as JSON, to be changed."""
    value: dict[str, Any] = json.loads(golden(name))
    return value


def changed(change: Change, name: str = "digits-newton") -> bytes:
    """Canonical bytes of an evidence document after a change in place."""
    value = document(name)
    change(value)
    return canonical(value)


def canonical(value: dict[str, Any]) -> bytes:
    """Canonical bytes, piece by piece: what no test has changed is written once for all of them."""
    parts = []
    for key in sorted(value):
        part = value[key]
        pieces = b"[%s]" % b",".join(map(_piece, part)) if isinstance(part, list) else _piece(part)
        parts.append(b"%s:%s" % (rfc8785.dumps(key), pieces))
    return b"{%s}" % b",".join(parts)


def _piece(value: Any) -> bytes:
    return _written(json.dumps(value))


@functools.lru_cache(maxsize=2048)
def _written(text: str) -> bytes:
    return rfc8785.dumps(json.loads(text))


@functools.cache
def honest(name: str) -> bool:
    """Whether nothing in an evidence document of version 0.2.0 disagrees, rechecked once for all that change it."""
    return not findings(golden(name))


def findings(content: bytes) -> list[str]:
    """Every disagreement in an evidence document, one line each."""
    return [str(finding) for finding in recheck_evidence(read_evidence(content, "evidence.json"), "evidence.json").findings]


def check(value: dict[str, Any], check_id: str) -> dict[str, Any]:
    """One check of a document, to be changed."""
    found: dict[str, Any] = next(each for each in value["checks"] if each["id"] == check_id)
    return found


def holder(value: dict[str, Any], check_id: str, key: str) -> dict[str, Any]:
    """What a check derived or observed, whichever holds that key, to be changed."""
    found = check(value, check_id)
    return next(part for part in (found["derived"], found["observed"]) if part is not None and key in part)


def certificate(value: dict[str, Any], kind: str) -> dict[str, Any]:
    """The first certificate of a kind, to be changed."""
    found: dict[str, Any] = next(each for each in value["certificates"] if each["kind"] == kind)
    return found


def premise(value: dict[str, Any], fact: str) -> dict[str, Any]:
    """The first premise of that fact, to be changed."""
    return next(
        each
        for guarantee in value["guarantees"]
        for derivation in guarantee["derivation"]
        for each in derivation["premises"]
        if each["fact"] == fact
    )
