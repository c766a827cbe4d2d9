"""A conclusion goes in passes of one direction: what one handed over, no later one changes, and all of it follows again."""

from __future__ import annotations

import ast
import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from auditor.base.domain import ClaimStatus, Guarantee
from auditor.base.terms import ControlTerms, DeletionTerms, NoTerms, ReportedControlTerms, Terms, UnlearningTerms
from auditor.document.evidence_files import read
from auditor.recheck.derivations import declared_in, observed_in
from auditor.verdict import assembly
from auditor.verdict.assembly import conclude, covered, dated
from auditor.verdict.digests import digested
from auditor.verdict.judgement import judged
from auditor.verdict.premises import resting, unsaid
from auditor.verdict.promises import promised
from auditor.verdict.ruling import relied_on, ruled, ruled_by_default, strength_of
from rechecks import LATEST

QUICK = ("breast-cancer-noisy-gd", "digits-answers", "digits-newton", "digits-own-procedure", "group-deletion", "tree-counter")
"""One document of each kind of case; the others are slow."""
GOLDEN = [
    pytest.param(path, id=path.stem, marks=() if path.stem in QUICK else pytest.mark.slow)
    for path in sorted(LATEST.glob("*.json"))
]
PASSES = ("judgement", "promises", "required", "ruling", "premises", "digests", "assembly")
"""In their order."""


def in_passes(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """What each pass gives for a document, and how it was written down before any later pass ran."""
    evidence = read(path)
    declared, observed = declared_in(evidence), dict(observed_in(evidence))
    given: dict[str, Any] = {}
    written: dict[str, str] = {}

    def keep(name: str, output: Any) -> Any:
        given[name], written[name] = output, repr(output)
        return output

    sections = keep("dated", dated(declared))
    found = keep("judged", judged(sections.context, observed))
    promises = keep("promised", promised(found))
    ruling = keep("ruled", ruled(found, promises, sections.environment))
    usual = keep("by default", ruled_by_default(found.context, observed, sections.environment))
    keep("relied on", relied_on(found, observed, ruling, usual, sections.environment))
    rested = keep("premises", resting(found, observed, promises, ruling, sections.environment, sections.outside))
    keep("strength", strength_of(ruling, found.context, unsaid=bool(unsaid(rested))))
    keep("covered", covered(sections.requests, promises.guarantees))
    keep("digested", digested(sections, ruling))
    return given, written


@pytest.mark.parametrize("path", GOLDEN)
def test_no_pass_changes_what_an_earlier_one_gave_and_together_they_are_the_document(path: Path) -> None:
    given, written = in_passes(path)
    assert {name: repr(output) for name, output in given.items()} == written
    stated = read(path)
    evidence = conclude(declared_in(stated), dict(observed_in(stated)))
    assert given["promised"].guarantees == given["ruled"].guarantees == evidence.guarantees
    assert (given["ruled"].verdict, given["by default"].verdict) == (evidence.verdict, evidence.default_policy_verdict)
    assert (given["relied on"], given["strength"]) == (evidence.reliance, evidence.strength)
    assert given["premises"] == evidence.premises
    assert given["covered"] == evidence.requests
    assert given["digested"].audit == evidence.audit


@pytest.mark.parametrize("path", GOLDEN)
def test_to_conclude_twice_gives_the_same(path: Path) -> None:
    evidence = read(path)
    declared, observed = declared_in(evidence), dict(observed_in(evidence))
    first = conclude(declared, observed)
    assert conclude(declared, observed) == first
    assert first.to_bytes() == path.read_bytes()
    # What was concluded is declared again where a document is rechecked, and nothing follows otherwise from it.
    assert conclude(declared_in(first), observed) == first


def test_what_a_pass_gives_cannot_be_changed() -> None:
    given, _ = in_passes(LATEST / "digits-newton.json")
    for name in ("judged", "promised", "ruled", "digested"):
        for field in dataclasses.fields(given[name]):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(given[name], field.name, None)
            assert not isinstance(getattr(given[name], field.name), list | dict | set), (name, field.name)
    for mapping in (given["judged"].findings, given["ruled"].statuses):
        assert isinstance(mapping, Mapping)
        with pytest.raises(TypeError):
            mapping["log.consistency"] = None


def test_no_pass_imports_a_later_one() -> None:
    room = Path(assembly.__file__).parent
    for place, name in enumerate(PASSES):
        tree = ast.parse((room / f"{name}.py").read_text("utf-8"))
        modules = [each.module for each in ast.walk(tree) if isinstance(each, ast.ImportFrom)]
        imported = {module.rpartition(".")[2] for module in modules if module and module.startswith("auditor.verdict.")}
        assert imported.isdisjoint(PASSES[place:]), name


@pytest.mark.parametrize("path", sorted(LATEST.glob("*.json")), ids=lambda path: path.stem)
def test_terms_are_read_and_written_as_they_stand(path: Path) -> None:
    stated = json.loads(path.read_bytes())["guarantees"]
    for each in stated:
        guarantee = TypeAdapter(Guarantee).validate_python(each)
        kinds = {
            "data-deletion": DeletionTerms,
            "deletion-as-control": ControlTerms,
            "adaptive-unlearning": NoTerms | UnlearningTerms,
        }
        assert isinstance(guarantee.terms, kinds.get(each["id"], NoTerms))
        written = TypeAdapter(Guarantee).dump_python(guarantee, mode="json")["terms"]
        assert written == each["terms"]
        assert {name: type(value) for name, value in written.items() if not isinstance(value, float)} == {
            name: type(each["terms"][name]) for name, value in written.items() if not isinstance(value, float)
        }


@pytest.mark.parametrize(
    ("terms", "written"),
    [
        (NoTerms(), {}),
        (ControlTerms(by_noise=False), {"by_noise": False}),
        (ReportedControlTerms(by_noise=True), {"by_noise": True, "reported": True}),
        (UnlearningTerms(1.0, 1e-6), {"epsilon": 1.0, "delta": 1e-6}),
    ],
)
def test_each_kind_of_terms_is_told_by_its_keys(terms: Terms, written: dict[str, Any]) -> None:
    guarantee = Guarantee("any", ClaimStatus.SHOWN, None, None, (), terms=terms)
    content = TypeAdapter(Guarantee).dump_json(guarantee)
    assert json.loads(content)["terms"] == written
    assert TypeAdapter(Guarantee).validate_json(content) == guarantee
    assert type(TypeAdapter(Guarantee).validate_json(content).terms) is type(terms)
