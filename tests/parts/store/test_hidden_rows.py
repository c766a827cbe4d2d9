"""Deleted rows that are kept in a form that no search knows: `data.erased` asks of every byte what accounts for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from auditor.base.domain import Status
from auditor.document.evidence import Evidence
from auditor.parts.store.judging.data_erased import Derived
from cases import audited
from rechecks import findings
from small_cases import case_with

PROCEDURES = Path(__file__).with_name("hiding_procedures.py")
CLEAN = ("code-clean",)
EVERYTHING = ("code-clean", "procedure-honest", "store-holds-no-copies", "copies-are-others")


def erased(folder: Path, name: str, *words: str) -> tuple[Evidence, Status, Derived]:
    (folder / "procedure.py").write_text(PROCEDURES.read_text(encoding="utf-8"), encoding="utf-8")
    listed = ", ".join(f'"{each}"' for each in words)
    claims = f'attested = [{listed}]\nattested_by = "A. N. Other"\nattested_at = 2026-01-31\n'
    evidence = audited(case_with(folder, f'entry = "procedure.py:{name}"', claims=claims), only=("data.erased",))
    (check,) = (each for each in json.loads(evidence.to_bytes())["checks"] if each["id"] == "data.erased")
    return evidence, Status(check["status"]), Derived.model_validate(check["derived"])


def test_an_honest_retrainer_has_nothing_unexplained(tmp_path: Path) -> None:
    evidence, status, derived = erased(tmp_path, "Honest", *CLEAN)
    assert (status, derived.unexplained, derived.beyond) == (Status.PASS, (), ())
    assert [each.word for each in derived.by_word] == ["code-clean"]
    assert findings(evidence.to_bytes()) == []


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("InState", "data.erased.place.state"),
        pytest.param("InFile", "data.erased.place.saved", marks=pytest.mark.slow),  # the same bytes, saved
        pytest.param("InAttribute", "data.erased.place.object", marks=pytest.mark.slow),  # the same walk as in the last test
    ],
)
def test_encrypted_rows_are_unexplained_whatever_is_attested(tmp_path: Path, name: str, place: str) -> None:
    _, status, derived = erased(tmp_path, name, *EVERYTHING)
    assert status is Status.INCONCLUSIVE
    assert place in {each.place.code for each in derived.unexplained}
    assert all(each.word is None for each in derived.unexplained)


@pytest.mark.parametrize(
    "name", ["InAnswers", *(pytest.param(each, marks=pytest.mark.slow) for each in ("Halfway", "HalfwayInState"))]
)
def test_answers_or_parameters_that_depend_on_deleted_rows_rest_on_the_controllers_word(tmp_path: Path, name: str) -> None:
    _, status, derived = erased(tmp_path, name, *CLEAN)
    assert status is Status.INCONCLUSIVE
    assert "data.erased.place.parameters" in {each.place.code for each in derived.unexplained}


def test_with_the_word_every_item_beyond_the_parameters_is_listed(tmp_path: Path) -> None:
    _, status, derived = erased(tmp_path, "HalfwayInState", *EVERYTHING)
    assert status is Status.PASS
    assert {"state", "object"} <= {each.kind for each in derived.beyond}
