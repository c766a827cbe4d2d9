"""One list says of every leaf of evidence what it rests on, and verify, the script without the package and a page follow it."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from auditor.cli import run
from auditor.document import leaves
from auditor.document.leaves import RestsOn
from auditor.recheck.derivations import recheck_evidence
from auditor.recheck.files import read_evidence
from auditor.verdict.checks import definitions
from rechecks import GOLDEN, document
from tests import leaves_page

DOCS = Path(__file__).resolve().parents[2] / "docs"
KEPT = sorted(GOLDEN.glob("*/*.json"))


def test_the_list_has_every_leaf_of_the_schema_and_no_other() -> None:
    schema, listed = {*leaves_page.of_schema()}, {*leaves.table()}
    assert sorted(schema - listed) == [], "run: make reference; a leaf of a section needs its line by hand"
    assert sorted(listed - schema) == []
    assert leaves.FILE.read_text(encoding="utf-8") == leaves_page.written(leaves_page.completed())


def test_the_page_is_current() -> None:
    assert leaves_page.PAGE.read_text(encoding="utf-8") == leaves_page.page(), "run: make reference"


def test_what_a_check_observed_or_derived_rests_on_just_that() -> None:
    for pointer, rests_on in leaves.table().items():
        room = pointer.split("/")[3] if pointer.startswith("/checks/") else None
        assert rests_on is {"observed": RestsOn.OBSERVED, None: rests_on}.get(room, RestsOn.DERIVED), pointer


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_leaf_of_kept_evidence_is_listed(path: Path) -> None:
    value = json.loads(path.read_bytes())
    found = list(leaves.leaves(value))
    assert [kind for _, kind, rests_on in found if rests_on is None] == []
    counts = leaves.counted(value)
    assert counts.total == len(found)
    for rests_on in RestsOn:
        assert counts.of(rests_on) == sum(each is rests_on for _, _, each in found)
    assert {check["id"] for check in value["checks"]} <= {*definitions()}


UNLISTED: dict[str, Any] = {
    "a section": lambda v: v.update(novelty={"a": [1]}),
    "a key of a section": lambda v: v["audit"].update(tempo=3),
    "a key of an observation": lambda v: v["checks"][6]["observed"].update(novelty=1),
    "a key deep inside": lambda v: v["checks"][6]["derived"]["attacks"][0].update(novelty=None),
    "a table where a value is": lambda v: v["audit"].update(seed={"a": 1}),
}


@pytest.mark.parametrize("change", UNLISTED.values(), ids=UNLISTED)
def test_a_leaf_that_is_not_listed_rests_on_nothing(change: Any) -> None:
    value = document()
    change(value)
    assert leaves.counted(value).of(None) == 1
    (kind,) = (kind for _, kind, rests_on in leaves.leaves(value) if rests_on is None)
    assert kind


def test_a_check_of_a_third_party_is_listed_as_any_check() -> None:
    value = {"checks": [{"id": "acme.check", "status": "pass", "observed": {"a": [1, {"b": 2}]}, "derived": {"c": 3}}]}
    assert [(way[2:], rests_on) for way, _, rests_on in leaves.leaves(value)] == [
        (("id",), RestsOn.DERIVED),
        (("status",), RestsOn.DERIVED),
        (("observed", "a", 0), RestsOn.OBSERVED),
        (("observed", "a", 1, "b"), RestsOn.OBSERVED),
        (("derived", "c"), RestsOn.DERIVED),
    ]


def test_the_script_has_the_sections_of_the_list() -> None:
    script = runpy.run_path(str(DOCS / "recheck_minimal.py"))
    declared = {pointer.split("/")[1] for pointer, rests_on in leaves.table().items() if rests_on is RestsOn.DECLARED}
    every = {pointer.split("/")[1] for pointer in leaves.table()}
    assert script["DECLARED"].split(", ") == sorted(declared)
    assert script["DERIVED"].split(", ") == sorted(every - declared - {"schema"})


def test_verify_says_what_is_taken_on_trust(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "evidence.json"
    path.write_bytes((GOLDEN / "0.2.0" / "digits-newton.json").read_bytes())
    counts = leaves.counted(document())
    assert run(["verify", str(path)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    declared, observed = counts.of(RestsOn.DECLARED), counts.of(RestsOn.OBSERVED)
    assert f"Taken on trust: {declared} declared and {observed} observed of {counts.total} values." in last
    assert run(["verify", str(path), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["documents"]
    assert found["leaves"] == {kind.value: counts.of(kind) for kind in RestsOn}


def test_what_was_declared_is_named_by_the_sections_that_hold_it() -> None:
    content = (GOLDEN / "0.2.0" / "tree-counter.json").read_bytes()
    declared, *_ = recheck_evidence(read_evidence(content, "e"), "e").stated
    assert declared.endswith("audit, case, controller, deletion_log, environment, policy, procedure, requests, sizes")


def test_the_list_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema", "--leaves"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert {pointer: kind for kind, pointers in printed.items() for pointer in pointers} == leaves.table()
