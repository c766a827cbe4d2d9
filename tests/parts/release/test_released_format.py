"""Judges of files in a library's own format: only the rerun's very file passes, and a part never speaks for the whole."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from auditor.base.domain import Provenance, Status
from auditor.pages.words import basis, sentence
from auditor.parts.release.judging.model_reproduced import Observed, judge
from auditor.parts.release.judging.released_format import FileDerived, FileSeen, Loaded
from auditor.settings.learning import Foreign, Wrapped
from auditor.verdict.checks.finding import Finding
from judging import case_facts, declared

NEAR = 1e-6
"""What chance and another machine may move a value of a file by."""
APART = 1e-3
"""How far answers of two files of one model may lie from each other, relative to the largest."""

SAME: dict[str, Any] = {"kind": "lightgbm", "bytes": 1000, "saved": "same", "again": True, "predicts_again": True}
ALONE: dict[str, Any] = {"lacking": (), "ended": None, "saved": None, "differing": None, "moved": 0.0, "largest": 1.0}


def judged(loaded: dict[str, Any] | None = ALONE, part: str | None = None, **changes: Any) -> Finding:
    nothing = dict.fromkeys(("parameters", "shipped_parameters", "difference", "self_check_difference", "differing", "free_bits"))
    seen = Observed(
        **nothing,
        largest=0.0,
        container=(),
        on_grid=None,
        loaded=None if loaded is None else Loaded(**{**ALONE, **loaded}),
        file=FileSeen(**{**SAME, **changes}),
    )
    procedure = Wrapped(entry="model.py:build", seed=1)
    return judge(declared(procedure=procedure, case=case_facts(model="trees.txt", model_part=part)), seen, {})


def covers(finding: Finding) -> str | None:
    assert isinstance(finding.derived, FileDerived)
    return finding.derived.covers


def test_the_very_file_that_predicts_by_itself_passes() -> None:
    finding = judged()
    assert (finding.status, finding.value, finding.threshold, covers(finding)) == (Status.PASS, 0.0, 0.0, "all")
    assert [(each.name, each.how) for each in finding.facts] == [("release-reproduced", Provenance.MEASURED)]
    assert "the very file that the rerun saves" in sentence(finding.facts[0].evidence)
    assert "LightGBM's text format" in basis(finding.reasons)


def test_a_step_of_a_pipeline_passes_for_itself_and_feeds_no_guarantee() -> None:
    finding = judged(part="trees", loaded={"moved": None, "largest": None})
    assert (finding.status, covers(finding)) == (Status.PASS, "part")
    assert [(each.name, each.how) for each in finding.facts] == [("release-reproduced", Provenance.UNKNOWN)]
    assert "the step trees of a pipeline and no more" in basis(finding.reasons)


@pytest.mark.parametrize(
    ("loaded", "said"),
    [
        (None, "Nothing here loads this file"),
        ({"lacking": ("load",), "moved": None, "largest": None}, "Nothing here loads this file"),
        ({"ended": "refused", "moved": None, "largest": None}, "refused it"),
        ({"ended": "failed", "moved": None, "largest": None}, "gave no such predictions"),
        ({"moved": 1e-15}, "predicts otherwise"),
    ],
)
def test_a_file_that_is_not_tied_to_what_predicts_passes_only_as_a_declared_part(loaded: Any, said: str) -> None:
    finding = judged(loaded)
    assert (finding.status, finding.facts, covers(finding)) == (Status.INCONCLUSIVE, (), None)
    assert said in basis(finding.reasons)


@pytest.mark.parametrize("part", [None, "trees"])
@pytest.mark.parametrize(
    ("changes", "status", "said"),
    [
        ({"again": None}, Status.INCONCLUSIVE, "No second run"),
        ({"again": False}, Status.INCONCLUSIVE, "not deterministic"),
        ({"saved": "none", "again": None}, Status.INCONCLUSIVE, "no save()"),
        ({"saved": "unreadable"}, Status.INCONCLUSIVE, "[model] part"),
        ({"saved": "other"}, Status.INCONCLUSIVE, "another spelling"),
        (
            {"saved": "other", "besides": 2, "field": "pandas_categorical"},
            Status.INCONCLUSIVE,
            "2 values that describe it differ",
        ),
        ({"saved": "other", "of_model": 1, "tree": 3, "field": "leaf_value", "largest": NEAR}, Status.INCONCLUSIVE, "may hide"),
        ({"saved": "other", "of_model": 1, "tree": 3, "field": "leaf_value", "largest": 1.01 * NEAR}, Status.FAIL, "in tree 3"),
        ({"saved": "other", "of_model": 2, "largest": None}, Status.FAIL, "2 values differ"),
        # What differs between two runs speaks against nobody.
        ({"saved": "other", "of_model": 2, "largest": None, "again": False}, Status.INCONCLUSIVE, "not deterministic"),
        ({"saved": "other", "of_model": 2, "largest": None, "again": None}, Status.INCONCLUSIVE, "No second run"),
    ],
)
def test_everything_but_the_rerun_s_very_file_keeps_from_pass(changes: Any, status: Status, said: str, part: str | None) -> None:
    finding = judged(part=part, **changes)
    assert (finding.status, finding.value, covers(finding)) == (status, None, None)
    assert said in basis(finding.reasons)
    assert bool(finding.facts) is (status is Status.FAIL)
    assert all(each.how is Provenance.REFUTED for each in finding.facts)


OTHER: dict[str, Any] = {"saved": "other", "of_model": 2, "largest": None}


@pytest.mark.parametrize(("batch", "said"), [(0, "before every erasure of the log"), (1, "after 1 of the log's")])
def test_a_file_of_an_earlier_model_fails_as_any_other_and_says_which_it_is(batch: int, said: str) -> None:
    other, earlier = judged(**OTHER), judged(**OTHER, of_batch=batch)
    assert (other.status, earlier.status) == (Status.FAIL, Status.FAIL)
    assert (earlier.value, earlier.derived, earlier.facts) == (other.value, other.derived, other.facts)
    assert said in basis(earlier.reasons)
    assert said not in basis(other.reasons)


def test_nothing_but_another_model_can_be_an_earlier_one() -> None:
    for changes in ({"saved": "same"}, {"saved": "other", "besides": 1}, {**OTHER, "again": False}):
        with pytest.raises(ValidationError, match="another one than the rerun's"):
            judged(**changes, of_batch=0)
    assert "earlier" not in basis(judged(**OTHER, of_batch=99).reasons), "a batch that the log does not have"


@pytest.mark.parametrize("saved", ["none", "unreadable"])
def test_predictions_on_probes_can_speak_against_a_file_and_never_for_it(saved: str) -> None:
    again = None if saved == "none" else True
    near = judged({"moved": 0.0}, kind="onnx", saved=saved, again=again)
    assert near.status is Status.INCONCLUSIVE
    assert "by predictions on these rows alone" in basis(near.reasons)
    far = judged({"moved": 1.01 * APART}, kind="onnx", saved=saved, again=again)
    assert far.status is Status.FAIL
    at_most = judged({"moved": APART}, kind="onnx", saved=saved, again=again)
    assert (at_most.status, at_most.reasons[-1].code) == (Status.INCONCLUSIVE, "model.reproduced.file.by-probes")
    doubled = judged({"moved": 2 * APART, "largest": 2.0}, kind="onnx", saved=saved, again=again)
    assert doubled.status is Status.INCONCLUSIVE, "relative to the largest answer"
    step = judged({"moved": 1.01 * APART}, saved="unreadable")
    assert step.status is Status.INCONCLUSIVE, "it may be a step that nobody declared as one"
    open_ = judged({"moved": 1.01 * APART}, kind="onnx", saved=saved, again=again, predicts_again=False)
    assert open_.status is Status.INCONCLUSIVE, "another training may predict otherwise too"


def test_an_observation_that_contradicts_itself_is_refused() -> None:
    for changes in ({"of_model": 1}, {"besides": 1}, {"tree": 0}):
        with pytest.raises(ValidationError):
            FileSeen(**{**SAME, **changes})
    with pytest.raises(ValidationError):
        judged(saved="other", of_model=-1)


def test_foreign_classes_are_held_to_the_same() -> None:
    seen = Observed(
        **dict.fromkeys(("parameters", "shipped_parameters", "difference", "self_check_difference", "differing", "free_bits")),
        largest=0.0,
        container=(),
        on_grid=None,
        loaded=None,
        file=FileSeen(**SAME),
    )
    finding = judge(declared(procedure=Foreign(entry="model.py:Own"), case=case_facts(model="m.ubj")), seen, {})
    assert finding.status is Status.INCONCLUSIVE
