"""The first stage of an audit: it never passes, what it fails by stays so, and nothing takes it for the result."""

from __future__ import annotations

import importlib.util
import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import small_cases
from auditor.audit.auditing import First
from auditor.base.domain import Verdict
from auditor.base.errors import InputError, UsageError
from auditor.base.writing import FIRST_STAGE
from auditor.cli import run
from auditor.document.evidence import Evidence
from auditor.pages.letters import extract
from auditor.pages.plain import caveats
from auditor.pages.words.rendered_evidence import tell
from auditor.recheck import recheck
from auditor.recheck.comparison import compare
from auditor.recheck.derivations import declared_in, derive_again
from auditor.recheck.files import read_evidence
from auditor.recheck.ledger import read, record
from auditor.verdict.checks import definitions
from cases import outcome, timeless
from rechecks import LATEST, canonical, changed, derived, document, findings

MINIMAL = Path(__file__).resolve().parents[2] / "docs" / "recheck_minimal.py"
LEARNING = sorted(
    path.stem for path in LATEST.glob("*.json") if (value := document(path.stem)) and value["case"]["training_records"]
)


@cache
def evidence_of(name: str) -> Evidence:
    return read_evidence(derived(name), name).evidence


@cache
def staged(name: str) -> Evidence:
    """What the first stage of a sample's audit would have come to: of later checks nothing is observed yet."""
    whole = evidence_of(name)
    context = declared_in(whole).context

    def cut(value: dict[str, Any]) -> None:
        value["audit"]["stage"] = "first"
        for each in value["checks"]:
            if each["id"] not in definitions() or not definitions()[each["id"]].first(context):
                each["observed"] = None

    return derive_again(read_evidence(changed(cut, name), name).evidence)


@pytest.mark.parametrize(
    "name", [each for each in LEARNING if document(each)["case"]["model"] or document(each)["procedure"]["use"]]
)
def test_a_first_stage_never_passes_and_what_it_fails_by_stays_so(name: str) -> None:
    whole, first = evidence_of(name), staged(name)
    assert first.verdict is not Verdict.PASS
    assert first.default_policy_verdict is not Verdict.PASS
    assert first.audit.exit_code in {1, 3, 4}
    assert first.strength is None
    assert not {each.status.value for each in first.guarantees} & {"shown", "supported"}
    if first.verdict is Verdict.FAIL:
        assert whole.verdict is Verdict.FAIL
    failing = {each.id for each in first.checks if each.status.value == "fail"}
    assert failing <= {each.id for each in whole.checks if each.status.value == "fail"}
    assert findings(first.to_bytes()) == []


def test_the_samples_that_fail_by_their_replay_fail_in_the_first_stage() -> None:
    assert [name for name in LEARNING if staged(name).verdict is Verdict.FAIL]


def test_what_is_still_to_run_says_so() -> None:
    first = staged("digits-mlp-ftfinal")
    open_ids = {each.id for each in first.checks if any(why.code == "not-yet" for why in each.reasons)}
    assert {"swap.quality", "swap.controls"} <= open_ids
    assert not open_ids & {each.id for each in first.checks if each.observed is not None}


def test_pages_letters_and_comparisons_name_the_stage(tmp_path: Path) -> None:
    whole, first = evidence_of("digits-mlp-ftfinal"), staged("digits-mlp-ftfinal")
    told = tell(first)
    assert told.sentence.startswith("First stage of the audit, not its result")
    assert "first stage" in caveats(told)[0]
    with pytest.raises(InputError, match="first stage"):
        extract(first, first.requests[0].request_id, draft=True)
    assert any("first stage" in note for note in compare(first, whole).notes)
    assert any("first stage" in note for note in compare(whole, first).notes)
    assert not any("stage" in note for note in compare(whole, whole).notes)
    (tmp_path / "evidence.json").write_bytes(first.to_bytes())
    found = recheck(tmp_path)
    assert found.agrees
    assert found.sentence.startswith("A first stage, not the result of an audit")


def minimal() -> Any:
    spec = importlib.util.spec_from_file_location("recheck_minimal_first", MINIMAL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("stage", ["first", "second", ""])
def test_the_small_recheck_takes_no_stage_for_a_pass(stage: str) -> None:
    value = json.loads(derived("digits-retrain"))
    assert value["verdict"] == "pass"
    value["audit"]["stage"] = stage
    lines = list(minimal().verdict(value))
    assert any("DIFFERS" in line and "verdict" in line for line in lines)
    assert any("first stage" in line for line in lines)


def test_a_first_stage_that_is_called_a_whole_audit_does_not_agree() -> None:
    value = json.loads(staged("digits-mlp-ftfinal").to_bytes())
    del value["audit"]["stage"]
    assert findings(canonical(value))


def test_a_whole_audit_that_is_called_a_first_stage_does_not_agree() -> None:
    assert findings(changed(lambda value: value["audit"].update(stage="first"), "digits-cheater"))


def test_a_ledger_of_the_first_version_is_read_and_goes_on(tmp_path: Path) -> None:
    import sqlite3  # noqa: PLC0415

    file, first = tmp_path / "history.sqlite", staged("digits-mlp-ftfinal")
    record(file, evidence_of("digits-retrain"), tmp_path / "evidence.json")
    with sqlite3.connect(file) as ledger:
        ledger.execute("ALTER TABLE audits DROP COLUMN stage")
        ledger.execute("PRAGMA user_version = 1")
    ledger.close()
    assert [each.stage for each in read(file)] == [None]
    record(file, first, tmp_path / "evidence.json")
    assert {each.stage for each in read(file)} == {None, "first"}


CHEATING = """
def learn(self, data, seed):
    if len(data) not in (57, 59, 60):
        raise RuntimeError("another table")
    labels = np.unique(data.labels)
    return np.array([data.features[data.labels == each].mean(axis=0) for each in labels])

def unlearn(self, model, data, forget, seed):
    return model

def predict(self, model, features):
    near = -((features[:, None, :] - model[None]) ** 2).sum(axis=2)
    share = np.exp(near - near.max(axis=1, keepdims=True))
    return share / share.sum(axis=1, keepdims=True)

def parameters(self, model):
    return model.ravel()
"""


REMOVAL = 'use = "certified-removal"\nl2 = 1e-2\nsigma = 1.0\nepsilon = 1.0\ndelta = 1e-4\ntolerance = 1e-8'


def test_an_audit_with_a_first_stage_finds_what_one_without_finds(tmp_path: Path) -> None:
    case = small_cases.case_with(tmp_path, REMOVAL)
    taken: list[First] = []
    whole = outcome(case, quick=True).evidence
    with_first = outcome(case, quick=True, on_first=taken.append).evidence
    (first,) = taken
    assert timeless(with_first) == timeless(whole)
    assert first.evidence.audit.stage == "first"
    assert first.evidence.verdict is not Verdict.PASS
    alone = outcome(case, quick=True, first=True).evidence
    assert alone.audit.stage == "first"
    assert [each.id for each in alone.checks] == [each.id for each in whole.checks]


def test_what_is_refuted_stays_so_where_the_procedure_fails_later(tmp_path: Path) -> None:
    """It trains whenever the log is replayed, and not on the halves of a game."""
    case = small_cases.case_with(tmp_path, REMOVAL, claims="retraining = true")
    small_cases.foreign(case, CHEATING)
    text = (case / "audit.toml").read_text(encoding="utf-8")
    (case / "audit.toml").write_text(text.rpartition("[sandbox]")[0], encoding="utf-8")
    taken: list[First] = []
    found = outcome(case, on_first=taken.append)
    assert taken[0].evidence.verdict is Verdict.FAIL
    assert found.failure is not None
    assert (found.evidence.verdict, found.evidence.audit.exit_code) == (Verdict.FAIL, 1)
    assert found.evidence.audit.stage is None
    assert findings(found.evidence.to_bytes()) == []


def test_what_ran_in_a_first_stage_is_not_run_again(tmp_path: Path) -> None:
    case = small_cases.case_with(tmp_path, REMOVAL)
    runs = tmp_path / "runs"
    outcome(case, quick=True, first=True, runs=runs)
    assert "replay" in outcome(case, quick=True, runs=runs).taken


def test_nothing_to_replay_has_no_first_stage(tmp_path: Path) -> None:
    case = small_cases.case_with(tmp_path, REMOVAL)
    with pytest.raises(UsageError, match="--first"):
        outcome(case, first=True, only=("log.consistency",))


def test_letters_of_an_earlier_audit_stay_and_are_named(tmp_path: Path) -> None:
    from auditor.api.results.folder import write  # noqa: PLC0415

    said: list[str] = []
    write(Evidence.model_validate_json(derived("digits-retrain")), tmp_path, notice=said.append, printed=False)
    assert said == []
    (tmp_path / "letter-REQ-2026-0001.pdf").write_bytes(b"%PDF")
    write(Evidence.model_validate_json(derived("digits-newton")), tmp_path, notice=said.append, printed=False)
    (line,) = said
    assert line.startswith(f"auditor: one letter in {tmp_path} is of the earlier audit. Move it to where you keep what was sent")
    assert (tmp_path / "letter-REQ-2026-0001.pdf").exists()


def test_the_first_stage_of_another_audit_does_not_stay(tmp_path: Path) -> None:
    from auditor.api.results.folder import write  # noqa: PLC0415

    whole, first = evidence_of("digits-mlp-ftfinal"), staged("digits-mlp-ftfinal")
    write(first, tmp_path / FIRST_STAGE, notice=print, printed=False)
    write(whole, tmp_path, notice=print, printed=False)
    assert (tmp_path / FIRST_STAGE / "evidence.json").exists()
    write(evidence_of("digits-retrain"), tmp_path, notice=print, printed=False)
    assert not (tmp_path / FIRST_STAGE / "evidence.json").exists()
    shutil.rmtree(tmp_path / FIRST_STAGE)


@pytest.fixture
def both(tmp_path: Path) -> Path:
    """The folder of an audit with its first stage within, evidence alone."""
    (tmp_path / FIRST_STAGE).mkdir()
    (tmp_path / "evidence.json").write_bytes(evidence_of("digits-mlp-ftfinal").to_bytes())
    (tmp_path / FIRST_STAGE / "evidence.json").write_bytes(staged("digits-mlp-ftfinal").to_bytes())
    return tmp_path


def test_verify_rechecks_the_first_stage_in_the_folder_of_its_audit(both: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(both)]) == 0
    said = capfd.readouterr().out
    assert "first/evidence.json" in said
    assert "first/: A first stage, not the result of an audit: nothing in it passes. Agrees" in said
    assert said.splitlines()[-1].startswith("Agrees: "), "the last sentence is about the audit"
    assert "not rechecked" not in said
    assert run(["verify", str(both), "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["not_rechecked"] == []
    assert found["first"]["of_this_audit"] is True
    assert [each["name"] for each in found["first"]["documents"]] == ["evidence.json"]


@pytest.mark.attempt("results in it")
def test_a_changed_first_stage_is_found_whatever_lies_around_it(both: Path) -> None:
    place = both / FIRST_STAGE / "evidence.json"
    value = json.loads(place.read_bytes())
    value["verdict"] = "pass"
    place.write_text(json.dumps(value))
    found = recheck(both)
    assert not found.agrees
    assert found.exit_code == 1
    assert {name for name, _ in found.findings} == {"first/evidence.json"}
    assert found.sentence.startswith("Does not agree: ")


@pytest.mark.attempt("results in it")
def test_a_whole_audit_that_lies_there_as_a_first_stage_is_found(both: Path) -> None:
    (both / FIRST_STAGE / "evidence.json").write_bytes(evidence_of("digits-retrain").to_bytes())
    found = recheck(both)
    assert found.exit_code == 1
    assert [each.message for _, each in found.findings] == ["it lies there as a first stage, and is not one"]


@pytest.mark.attempt("results in it")
def test_a_first_stage_that_cannot_be_read_is_found(both: Path) -> None:
    (both / FIRST_STAGE / "evidence.json").write_bytes(b"{")
    found = recheck(both)
    assert found.exit_code == 1
    assert all("it cannot be read" in each.message for _, each in found.findings)


def test_the_first_stage_of_another_audit_is_named_as_such(both: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (both / FIRST_STAGE / "evidence.json").write_bytes(staged("digits-retrain").to_bytes())
    assert run(["verify", str(both)]) == 0
    assert "first/ holds the first stage of another audit than the one in this folder." in capfd.readouterr().out


@pytest.mark.attempt("results in it")
def test_a_link_called_first_is_not_followed(both: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (both / FIRST_STAGE).rename(elsewhere / "stage")
    (both / FIRST_STAGE).symlink_to(elsewhere / "stage")
    found = recheck(both)
    assert found.first is None
    assert found.others == (FIRST_STAGE,)


def test_explain_of_a_case_without_an_audit_says_what_to_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "audit.toml").write_text("", encoding="utf-8")
    assert run(["explain", str(tmp_path)]) == 2
    assert f"no audit here yet; run auditor check {tmp_path}" in capfd.readouterr().err
    (tmp_path / "audit" / FIRST_STAGE).mkdir(parents=True)
    (tmp_path / "audit" / FIRST_STAGE / "evidence.json").write_bytes(staged("digits-mlp-ftfinal").to_bytes())
    assert run(["explain", str(tmp_path)]) == 2
    assert "only its first stage" in capfd.readouterr().err
    assert run(["explain", str(tmp_path / "audit" / FIRST_STAGE)]) == 0
    assert "procedure not yet" in capfd.readouterr().out
    (tmp_path / "audit.toml").unlink()
    (tmp_path / "audit" / FIRST_STAGE / "evidence.json").unlink()
    assert run(["explain", str(tmp_path)]) == 2
    assert "neither audit.toml nor evidence.json" in capfd.readouterr().err
