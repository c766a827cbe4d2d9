"""Whole audits with the SWAP test: what retraining and doing nothing come to, and procedures that would like to pass."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from auditor.base.domain import ClaimStatus, Status, Verdict
from auditor.cli import run
from auditor.document.evidence import Evidence
from cases import audited, check_of, guarantee_of, outcome
from swap_games import certified, random_tree, write_case

SWAP = ("swap.quality", "swap.strong", "swap.controls", "epsilon.consistency")
CLAIM = "[claims]\ncertified_removal = { epsilon = 0.1, delta = 1e-5 }\n"
OWN = 'entry = "procedure.py:Procedure"\nseed = 1'
VOTES = """\
import numpy as np

SEEN = {{}}


def fitted(features, labels):
    return np.array(features), np.array(labels)


class Procedure:
    def learn(self, data, seed):
        {learn}
        return fitted(data.features, data.labels)

    def unlearn(self, model, data, forget, seed):
        left = np.delete(np.arange(len(data.ids)), forget)
        {unlearn}

    def predict(self, model, features):
        kept, labels = model
        near = np.exp(-60.0 * ((features[:, None, :] - kept[None]) ** 2).sum(axis=2))
        one = (near @ labels + 0.05) / (near.sum(axis=1) + 0.1)
        return np.column_stack([1.0 - one, one])
"""
"""Every record votes for its label in its neighbourhood: a model that remembers, and needs no training."""
ANEW = "return fitted(data.features[left], data.labels[left])"
REMEMBER = "SEEN.update({{row.tobytes(): (row.copy(), label) for row, label in zip(data.features, data.labels)}})"


def votes(folder: Path, unlearn: str = ANEW, *, learn: str = "pass", tables: str = "", size: int = 130) -> Path:
    write_case(folder, OWN, tables=tables, size=size)
    (folder / "procedure.py").write_text(VOTES.format(learn=learn.format(), unlearn=unlearn), encoding="utf-8")
    return folder


def pairs(number: int, more: str = "") -> str:
    return f"{more}[swap]\npairs = {number}\n"


def judged(folder: Path, also: tuple[str, ...] = (), **options: Any) -> Evidence:
    return audited(folder, only=SWAP + also, workers=2, **options)


def statuses(evidence: Evidence) -> dict[str, Status]:
    return {check_id: check_of(evidence, check_id).status for check_id in SWAP}


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(10, Status.INCONCLUSIVE), (50, Status.FAIL)])
def test_an_estimator_that_does_nothing_fails_and_its_claim_is_refuted(tmp_path: Path, number: int, status: Status) -> None:
    """Ten pairs refute the claim, and are too few for the exact test of quality, which says with how many it would fail."""
    evidence = audited(write_case(tmp_path, random_tree("none"), tables=pairs(number, CLAIM)), workers=2)
    check = check_of(evidence, "swap.quality")
    assert check.status is status
    reasons = evidence.evidence.check("swap.quality").reasons
    (needed,) = [each.parameters["needed"] for each in reasons if each.code == "swap.quality.not-certain"] or [None]
    assert (needed is not None and 10 < needed <= 50) is (status is Status.INCONCLUSIVE)
    assert list(check.interval) == list(check.details["do_nothing"]["interval"])
    assert check_of(evidence, "swap.controls").status is Status.PASS
    assert check_of(evidence, "epsilon.consistency").status is Status.FAIL
    assert evidence.verdict is Verdict.FAIL
    removal = guarantee_of(evidence, "certified-removal")
    assert (removal.status, removal.epsilon) == (ClaimStatus.REFUTED, None)
    assert evidence.policy.claims_not_examined == ()


@pytest.mark.slow
def test_an_estimator_that_is_trained_anew_is_not_blamed(tmp_path: Path) -> None:
    evidence = judged(write_case(tmp_path, random_tree("retrain"), tables=pairs(10, CLAIM)))
    quality = check_of(evidence, "swap.quality")
    assert quality.status in {Status.PASS, Status.INCONCLUSIVE}
    assert quality.details["do_nothing"]["interval"][1] < quality.value
    assert check_of(evidence, "swap.controls").status is Status.PASS
    assert check_of(evidence, "epsilon.consistency").status is not Status.FAIL
    assert guarantee_of(evidence, "certified-removal").status is not ClaimStatus.REFUTED


def test_own_procedures_come_out_whole_by_retraining_and_below_the_threshold_by_doing_nothing(tmp_path: Path) -> None:
    found = {}
    for name, unlearn in (("anew", ANEW), ("nothing", "return model")):
        folder = tmp_path / name
        folder.mkdir()
        found[name] = judged(votes(folder, unlearn, tables=pairs(6)))
    anew = check_of(found["anew"], "swap.quality")
    assert (anew.value, anew.interval[1]) == (1.0, 1.0)
    assert anew.interval[0] < 0.95  # six pairs leave room for models that are not unlearned
    assert anew.status is Status.INCONCLUSIVE
    assert statuses(found["nothing"])["swap.quality"] is Status.INCONCLUSIVE  # six pairs fail nobody
    assert all(statuses(evidence)["swap.controls"] is Status.PASS for evidence in found.values())


CHEATS = {
    # The model of the other side of the pair, if this process, or one before it in the same folder, has met it.
    "globals": "return SEEN.setdefault(np.sort(data.features[left], axis=0).tobytes(), model)",
    "files": """\
import hashlib, os, pickle
        kept = hashlib.sha256(np.sort(data.features[left], axis=0).tobytes()).hexdigest()
        if not os.path.exists(kept):
            pickle.dump(model, open(kept, "wb"))
        return pickle.load(open(kept, "rb"))""",
    # A model of everything that this process ever saw: T of one pair is in R or F of others.
    "everything": "return fitted([row for row, _ in SEEN.values()], [label for _, label in SEEN.values()])",
}


# Whatever is kept in the process helps nobody for one reason, and a process keeps all of it in "everything".
@pytest.mark.parametrize("cheat", [pytest.param(each, marks=() if each == "everything" else pytest.mark.slow) for each in CHEATS])
def test_what_is_remembered_from_other_runs_helps_nobody(tmp_path: Path, cheat: str) -> None:
    """The model keeps all of F. Were there two pairs to a process, those of the second would be forgotten in part."""
    evidence = judged(votes(tmp_path, CHEATS[cheat], learn=REMEMBER if cheat == "everything" else "pass", tables=pairs(7)))
    quality = check_of(evidence, "swap.quality")
    assert quality.status is Status.INCONCLUSIVE
    assert "too few to fail a procedure" in quality.basis
    assert quality.value == quality.details["do_nothing"]["quality"]
    assert statuses(evidence)["swap.controls"] is Status.PASS


def test_a_learner_that_goes_by_the_clock_is_named(tmp_path: Path) -> None:
    clock = """\
import time
        rng = np.random.default_rng(time.perf_counter_ns())
        return rng.normal(size=(9, 2)), rng.integers(2, size=9)"""
    evidence = judged(votes(tmp_path, learn=clock, tables=pairs(5)))
    controls = check_of(evidence, "swap.controls")
    assert controls.status is Status.INCONCLUSIVE
    assert not controls.details["deterministic"]
    assert "The learner is not deterministic given its seed" in controls.basis
    assert evidence.verdict is Verdict.INCONCLUSIVE


def test_a_model_that_says_nothing_is_inconclusive_and_ends_no_audit(tmp_path: Path) -> None:
    """No attack can tell anything apart, not even where nothing was unlearned; claims are still compared."""
    folder = votes(tmp_path, "return model", tables=pairs(5, CLAIM))
    text = (folder / "procedure.py").read_text(encoding="utf-8")
    (folder / "procedure.py").write_text(
        text.replace("return np.column_stack", "one[:] = 0.5; return np.column_stack"), encoding="utf-8"
    )
    evidence = judged(folder)
    quality = check_of(evidence, "swap.quality")
    assert (quality.status, quality.interval) == (Status.INCONCLUSIVE, pytest.approx((1.0, 1.0), abs=1e-15))
    assert "cannot tell good from bad" in quality.basis
    assert statuses(evidence)["epsilon.consistency"] is not Status.FAIL
    assert evidence.verdict is not Verdict.PASS


def test_regression_is_skipped_and_stays_open(tmp_path: Path) -> None:
    folder = write_case(tmp_path, random_tree("none").replace("ExtraTreeClassifier", "ExtraTreeRegressor"), tables=pairs(5))
    text = (folder / "audit.toml").read_text(encoding="utf-8").replace('"classification"', '"regression"')
    (folder / "audit.toml").write_text(text, encoding="utf-8")
    evidence = judged(folder, also=("release.remembers",))
    assert set(statuses(evidence).values()) == {Status.SKIPPED}
    assert "this case has no classes" in check_of(evidence, "swap.quality").basis
    assert {"swap.quality", "swap.controls"} <= set(evidence.policy.required)
    released = check_of(evidence, "release.remembers")
    assert (released.status, released.details["first"]["value"]) == (Status.INCONCLUSIVE, 0.05)
    assert evidence.verdict is Verdict.INCONCLUSIVE


def test_too_few_records_are_inconclusive(tmp_path: Path) -> None:
    evidence = judged(write_case(tmp_path, certified("retrain"), size=80, tables=pairs(5)))
    check = check_of(evidence, "swap.quality")
    assert (check.status, check.value) == (Status.INCONCLUSIVE, None)
    assert "a split has 4 records to forget; at least 5 are needed" in check.basis
    assert check_of(evidence, "swap.controls").status is Status.INCONCLUSIVE
    assert check_of(evidence, "swap.strong").status is Status.SKIPPED
    assert evidence.verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("unlearn", ["return model", pytest.param(ANEW, marks=pytest.mark.slow)])
def test_a_quick_audit_decides_nothing(tmp_path: Path, unlearn: str) -> None:
    evidence = judged(votes(tmp_path, unlearn, tables=pairs(20, CLAIM)), quick=True)
    found = statuses(evidence)
    assert {found["swap.quality"], found["swap.controls"], found["epsilon.consistency"]} == {Status.INCONCLUSIVE}
    assert check_of(evidence, "swap.quality").details["pairs"] == 5
    assert evidence.verdict is Verdict.INCONCLUSIVE
    assert guarantee_of(evidence, "certified-removal").status is not ClaimStatus.REFUTED


def test_only_the_quality(tmp_path: Path) -> None:
    evidence = audited(write_case(tmp_path, certified("retrain"), tables=pairs(5)), only=("swap.quality",))
    assert check_of(evidence, "swap.quality").value is not None
    for check_id in ("swap.strong", "swap.controls", "data.erased", "removal.residual"):
        assert check_of(evidence, check_id).status is Status.SKIPPED
    assert evidence.verdict is not Verdict.PASS


def test_an_unknown_attack_is_named_before_anything_runs(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = write_case(tmp_path, certified("retrain"), tables='[swap]\nattacks = ["loss", "clairvoyance"]\n')
    assert run(["check", str(folder), "--quiet"]) == 2
    error = capfd.readouterr().err
    assert "clairvoyance" in error
    assert "swap.attacks" in error
    assert "lira-offline" in error
    assert not (folder / "audit").exists()


def test_finished_runs_are_taken_again(tmp_path: Path) -> None:
    folder, kept = votes(tmp_path, tables=pairs(5)), tmp_path / "runs"
    first, second = (outcome(folder, only=SWAP, workers=2, runs=kept) for _ in range(2))
    assert first.taken == ()
    assert len(second.taken) > 4
    assert any(name.startswith("swap-") for name in second.taken)
    one, two = (json.loads(each.evidence.to_bytes())["checks"] for each in (first, second))
    assert one == two
    other = outcome(folder, only=SWAP, workers=2, runs=kept, seed=1)
    assert other.taken == ()
