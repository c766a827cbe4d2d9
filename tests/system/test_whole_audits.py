"""Cases that differ from a passing one in one place, and what the audit makes of each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from auditor.base.domain import ClaimStatus, Provenance, Status, Verdict
from auditor.base.errors import InputError, ProcedureError, SandboxError, UsageError
from auditor.sandbox import Level
from cases import arrays, audited, check_of, copy_of, guarantee_of, outcome, replace, rewrite_log, without_model
from levels import isolation


@pytest.fixture
def case(tmp_path: Path) -> Path:
    return copy_of("digits-newton", tmp_path)


def test_a_deleted_row_in_the_store_is_found_by_id_and_by_value(case: Path) -> None:
    train, store = arrays(case / "train.npz"), arrays(case / "store.npz")
    gone = int(np.flatnonzero(~np.isin(train["ids"], store["ids"]))[0])
    kept = {name: np.concatenate([store[name], train[name][gone : gone + 1]]) for name in store}
    np.savez(case / "store.npz", **kept)
    by_both = check_of(audited(case, only=("data.erased",)), "data.erased")
    kept["ids"][-1] = "renamed"
    np.savez(case / "store.npz", **kept)
    by_value = check_of(audited(case, only=("data.erased",)), "data.erased")
    assert [by_both.status, by_value.status] == [Status.FAIL, Status.FAIL]
    assert [by_both.value, by_value.value] == [1.0, 1.0]
    assert len(by_value.details["request_ids"]) == 1


def test_a_deleted_row_is_found_in_any_form_of_store(case: Path) -> None:
    """Another one in each file, so that every form has to give its own up."""
    train, store = arrays(case / "train.npz"), arrays(case / "store.npz")
    gone = np.flatnonzero(~np.isin(train["ids"], store["ids"]))
    rows = train["features"]
    folder = case / "warehouse"
    folder.mkdir()
    pd.DataFrame([rows[gone[0]]]).assign(id="x").to_csv(folder / "copy.csv", index=False)
    pd.DataFrame([rows[gone[1]]]).rename(columns=str).to_parquet(folder / "copy.parquet")
    np.save(folder / "copy.npy", np.stack([rows[np.isin(train["ids"], store["ids"])][0], rows[gone[2]]]).astype(np.float32))
    (folder / "notes.txt").write_text(f"restore {train['ids'][gone[3]]} on Monday", encoding="utf-8")
    for place, name in ((4, "copy.bin"), (5, "copy.pkl")):
        (folder / name).write_bytes(b"head" + rows[gone[place]].astype(np.float32).tobytes() + b"tail")
    replace(case, 'store = "store.npz"', 'store = "warehouse"')
    erased = check_of(audited(case, only=("data.erased",)), "data.erased")
    assert (erased.status, erased.value) == (Status.FAIL, 6.0)


def test_a_store_that_cannot_be_searched_is_inconclusive(case: Path) -> None:
    folder = case / "warehouse"
    folder.mkdir()
    (folder / "dump.tar.gz").write_bytes(b"\x1f\x8b" + bytes(100))
    replace(case, 'store = "store.npz"', 'store = "warehouse"')
    evidence = audited(case)
    assert check_of(evidence, "data.erased").status is Status.INCONCLUSIVE
    assert evidence.audit.exit_code == 3


def test_without_a_store_that_part_is_skipped_and_said(case: Path) -> None:
    replace(case, 'store = "store.npz"\n', "")
    erased = check_of(audited(case, only=("data.erased",)), "data.erased")
    assert erased.status is Status.PASS
    assert "that part is skipped" in erased.basis


def test_an_unknown_id_fails_unless_the_row_says_no_match(case: Path) -> None:
    rewrite_log(case, lambda rows: rows[-1].pop("status"))
    evidence = audited(case, only=("log.consistency",))
    assert check_of(evidence, "log.consistency").details["problems"][0]["code"] == "NOT_LOCATED"
    assert evidence.audit.exit_code == 1


def test_a_late_request_fails_the_deadline(case: Path) -> None:
    rewrite_log(case, lambda rows: rows[0].update(received_at="2025-12-01T09:00:00+01:00"))
    evidence = audited(case)
    assert check_of(evidence, "log.deadlines").details["overdue"] == ["REQ-2026-0001"]
    assert evidence.deletion_log.overdue == ("REQ-2026-0001",)
    assert evidence.audit.exit_code == 1


def test_a_log_that_deletes_nothing_shows_nothing(case: Path) -> None:
    def reopen(rows: list[dict[str, Any]]) -> None:
        for row in rows:
            row.pop("executed_at", None)
            row["status"] = "open"
            row["received_at"] = "2999-01-01T00:00:00Z"

    rewrite_log(case, reopen)
    evidence = audited(case)
    open_checks = {check.id for check in evidence.checks if check.status is Status.INCONCLUSIVE}
    assert {"data.erased", "removal.residual", "removal.budget"} <= open_checks
    assert evidence.verdict is not Verdict.PASS


def test_a_claim_stricter_than_the_procedure_is_held_against_the_budget(case: Path) -> None:
    replace(case, "certified_removal = { epsilon = 1.0,", "certified_removal = { epsilon = 0.1,")
    budget = check_of(audited(case, only=("removal.budget",)), "removal.budget")
    assert budget.status is Status.FAIL
    assert budget.details["epsilon"] == 0.1


def test_a_stricter_policy_wins_over_procedure_and_claim(case: Path) -> None:
    replace(case, "max_epsilon = 1.0", "max_epsilon = 0.2")
    assert check_of(audited(case, only=("removal.budget",)), "removal.budget").status is Status.FAIL


def test_without_any_epsilon_there_is_no_threshold(case: Path) -> None:
    replace(case, "epsilon = 1.0\ndelta = 1e-4\n", "")
    replace(case, "certified_removal = { epsilon = 1.0, delta = 1e-4 }", "")
    replace(case, "max_epsilon = 1.0\nmax_delta = 1e-4\n", "")
    evidence = audited(case)
    budget = check_of(evidence, "removal.budget")
    assert budget.status is Status.INCONCLUSIVE
    assert "No threshold" in budget.basis
    assert evidence.audit.exit_code == 3


def test_a_seed_that_can_be_guessed_supports_no_guarantee(case: Path) -> None:
    text = (case / "audit.toml").read_text(encoding="utf-8")
    seed = text.partition('seed = "')[2].partition('"')[0]
    replace(case, f'seed = "{seed}"', "seed = 7")
    without_model(case)
    evidence = audited(case)
    guarantee = guarantee_of(evidence, "certified-removal")
    assert guarantee.status is ClaimStatus.NOT_SHOWN
    assert any(item.how is Provenance.REFUTED and "seed" in item.fact for item in guarantee.derivation[0].premises)
    assert evidence.procedure.seed_digest is None


def test_without_a_model_the_audit_speaks_of_the_procedure(case: Path) -> None:
    without_model(case)
    evidence = audited(case)
    assert check_of(evidence, "model.reproduced").status is Status.SKIPPED
    assert check_of(evidence, "removal.residual").details["subject"] == "rerun"
    assert evidence.audit.exit_code == 3, "model.reproduced is in the policy's list and was skipped"
    assert evidence.case.model is None


def test_required_left_out_asks_for_what_this_version_cannot_run(case: Path) -> None:
    text = (case / "audit.toml").read_text(encoding="utf-8")
    start, end = text.index("required = ["), text.index("]\n", text.index("required = ["))
    (case / "audit.toml").write_text(text[:start] + text[end + 2 :], encoding="utf-8")
    evidence = audited(case)
    assert evidence.policy.required_by_default
    assert "swap.quality" in evidence.policy.required
    assert evidence.audit.exit_code == 3


def test_only_leaves_required_checks_skipped(case: Path) -> None:
    evidence = audited(case, only=("log.consistency", "log.deadlines"))
    assert evidence.audit.exit_code == 3
    assert check_of(evidence, "removal.budget").status is Status.SKIPPED


def test_only_names_a_check_that_exists(case: Path) -> None:
    with pytest.raises(UsageError, match=r"no check named removal\.bugdet"):
        outcome(case, only=("removal.bugdet",))


def test_retraining_every_batch_spends_nothing(case: Path) -> None:
    replace(case, 'unlearn = "newton"', 'unlearn = "retrain"')
    without_model(case)
    replace(case, '"log-complete"', '"log-complete", "release-reproduced"')
    evidence = audited(case)
    budget = check_of(evidence, "removal.budget")
    assert budget.status is Status.PASS
    assert budget.value < 1e-6
    assert all(entry["retrained"] for entry in budget.details["series"])
    guarantee = guarantee_of(evidence, "certified-removal")
    assert (guarantee.status, guarantee.epsilon) == (ClaimStatus.SUPPORTED, 0.0)


def test_retraining_at_the_budget_keeps_a_long_log_within_it(tmp_path: Path) -> None:
    case = copy_of("digits-newton-overrun", tmp_path)
    replace(case, 'unlearn = "newton"', 'unlearn = "newton"\nretrain_at_budget = true')
    without_model(case)
    budget = check_of(audited(case, only=("removal.budget",)), "removal.budget")
    retrained = sum(entry["retrained"] for entry in budget.details["series"][1:])
    assert budget.status is Status.PASS
    assert 1 <= retrained < 20


def test_a_coarse_optimiser_excuses_no_other_model(tmp_path: Path) -> None:
    case = copy_of("digits-shipped-old", tmp_path)
    replace(case, "tolerance = 1e-9", "tolerance = 0.2")
    evidence = audited(case)
    assert check_of(evidence, "model.reproduced").status is Status.FAIL
    assert check_of(evidence, "removal.residual").value > 0.2


def test_the_leftover_of_a_coarse_optimiser_is_charged(case: Path) -> None:
    replace(case, "tolerance = 1e-9", "tolerance = 0.5")
    budget = check_of(audited(case, only=("removal.budget",)), "removal.budget")
    assert budget.details["series"][0]["beta"]["local"] >= 0.5
    assert budget.status is Status.FAIL


PROCEDURE = """
import sys
import time

import numpy as np


class Procedure:
    def __init__(self, mode="good"):
        self.mode = mode

    def learn(self, data, seed):
        if self.mode == "crash":
            print("about to divide", file=sys.stderr)
            1 / 0
        if self.mode == "hang":
            time.sleep(3600)
        return data.features.mean(axis=0), np.unique(data.labels)

    def unlearn(self, model, data, forget, seed):
        kept = np.setdiff1d(np.arange(len(data.ids)), forget)
        return data.subset(kept).features.mean(axis=0), model[1]

    def predict(self, model, features):
        positive = 1 / (1 + np.exp(-features @ model[0]))
        return np.column_stack([1 - positive, positive])

    def parameters(self, model):
        return model[0]
"""


def foreign(case: Path, mode: str, sandbox: str = f'isolation = "{isolation()}"\ntimeout_s = 20.0') -> None:
    (case / "procedure.py").write_text(PROCEDURE, encoding="utf-8")
    without_model(case)
    text = (case / "audit.toml").read_text(encoding="utf-8")
    start, end = text.index("[procedure]"), text.index("[deletions]")
    table = f'[procedure]\nentry = "procedure.py:Procedure"\nmode = "{mode}"\nseed = 1\n\n[sandbox]\n{sandbox}\n\n'
    text = text[:start] + table + text[end:]
    text = text.replace('    "model.reproduced",\n', "")
    text = text.replace('    "removal.residual",\n    "removal.budget",\n', "")
    (case / "audit.toml").write_text(text, encoding="utf-8")


def test_foreign_code_behind_weak_walls_never_passes(case: Path) -> None:
    foreign(case, "good", 'isolation = "none"\ntimeout_s = 20.0')
    rewrite_log(case, lambda rows: rows.__delitem__(slice(3, None)))  # each batch is run in several processes
    evidence = audited(case)
    open_ids = {each for each in evidence.policy.required if check_of(evidence, each).status is not Status.PASS}
    assert open_ids <= {"release.exact", "data.erased", "release.remembers"}
    assert (evidence.verdict, evidence.audit.exit_code) == (Verdict.INCONCLUSIVE, 3)
    assert evidence.environment.capped


def test_foreign_code_is_refused_where_the_walls_are_too_low(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.audit.auditing.available", lambda: Level.NO_NETWORK)
    foreign(case, "good", 'isolation = "auto"')
    result = outcome(case)
    assert isinstance(result.failure, SandboxError)
    assert result.evidence.audit.exit_code == 4
    assert check_of(result.evidence, "data.erased").status is Status.ERROR


def test_a_crash_is_an_error_with_its_last_lines_kept_from_the_evidence(case: Path) -> None:
    foreign(case, "crash")
    result = outcome(case)
    assert isinstance(result.failure, ProcedureError)
    assert "about to divide" in result.failure.stderr_tail
    assert result.evidence.audit.exit_code == 4
    assert result.evidence.verdict is Verdict.INCONCLUSIVE
    assert b"about to divide" not in result.evidence.to_bytes()


def test_a_hang_is_an_error(case: Path) -> None:
    foreign(case, "hang", f'isolation = "{isolation()}"\ntimeout_s = 1.0')
    result = outcome(case)
    assert result.evidence.audit.exit_code == 4
    assert "1" in str(result.failure)


def test_cuda_is_refused_for_a_procedure_that_would_not_use_it(case: Path) -> None:
    with pytest.raises(UsageError, match="CPU"):
        outcome(case, device="cuda")


def test_a_log_that_leaves_nothing_to_learn_from_is_bad_input(case: Path) -> None:
    train = arrays(case / "train.npz")
    smaller = train["ids"][train["labels"] == 3].tolist()

    def delete_a_class(rows: list[dict[str, Any]]) -> None:
        rows[0]["record_ids"] = smaller
        del rows[1:]

    rewrite_log(case, delete_a_class)
    with pytest.raises(InputError, match="leaves records of 2 labels"):
        outcome(case)


def test_evidence_is_json_without_nan(case: Path) -> None:
    document = json.loads(audited(case).to_bytes(), parse_constant=pytest.fail)
    assert document["schema"] == "auditor.evidence/2"
