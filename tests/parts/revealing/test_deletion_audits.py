"""Whole audits of noisy gradient descent, in the sandbox: what ran is what was declared, and the verdict follows."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from auditor.base.domain import ClaimStatus, Provenance, Status, Verdict
from auditor.document.evidence_files import parse
from auditor.sandbox import Level
from auditor.verdict.guarantees import CERTIFIED_REMOVAL, CONFIDENTIALITY, CONTROL, DATA_DELETION
from cases import Audited, guarantee_of, outcome
from deletion_cases import CLAIM, LOGISTIC, write
from levels import require

QUICK = LOGISTIC.replace("learn_steps = 200", "learn_steps = 80")
REQUIRED = '[policy]\nrequired = ["log.consistency", "deletion.renyi", "deletion.adaptive", "state.stateless"]\n'

NETWORK = """
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = nn.Linear(4, 2)

    def forward(self, rows):
        return self.last(rows)
"""


def audited(folder: Path, **options: object) -> Audited:
    found = outcome(folder, **options)
    assert found.failure is None
    return found.evidence


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    folder = tmp_path_factory.mktemp("case")
    write(folder, procedure=QUICK, rest=CLAIM + REQUIRED, deleted=[["rec-0010"], ["rec-0011", "rec-0012"]])
    return audited(folder)


def test_an_honest_controller_passes_and_the_guarantee_is_supported(evidence: Audited) -> None:
    assert evidence.verdict is Verdict.PASS
    assert {evidence.check(name).status for name in ("deletion.renyi", "deletion.adaptive", "state.stateless")} == {Status.PASS}
    assert [each.id for each in evidence.guarantees] == [CERTIFIED_REMOVAL, DATA_DELETION, CONTROL, CONFIDENTIALITY]
    found = guarantee_of(evidence, DATA_DELETION)
    assert (found.status, found.order) == (ClaimStatus.SUPPORTED, 2.0)
    assert found.epsilon == evidence.check("deletion.adaptive").details["epsilon_person"]
    assert evidence.policy.claims_not_examined == ()
    assert all(request.guarantees == (DATA_DELETION,) for request in evidence.requests)
    assert "No check that it meets examines the unlearning itself" not in evidence.sentence


def test_steps_and_noise_are_those_that_ran(evidence: Audited) -> None:
    details = evidence.check("deletion.renyi").details
    assert details["steps"]["counted"] == [80, 60, 60]
    assert [each["count"] for each in details["noise"]["updates"]] == [4 * 80, 4 * 60, 4 * 60]
    assert details["noise"]["low"] <= details["noise"]["measured"] <= details["noise"]["high"]
    assert details["cost"]["seconds_unlearning"] > 0


def test_the_evidence_keeps_the_order_and_its_bytes(evidence: Audited) -> None:
    content = evidence.to_bytes()
    again = parse(content, "evidence.json")
    assert again.to_bytes() == content
    assert guarantee_of(again, DATA_DELETION).order == 2.0
    written = {each["id"]: each["order"] for each in json.loads(content)["guarantees"]}
    assert written == {CERTIFIED_REMOVAL: None, DATA_DELETION: 2, CONTROL: None, CONFIDENTIALITY: None}


def test_what_only_leaves_out_founds_no_guarantee(tmp_path: Path) -> None:
    write(tmp_path, procedure=QUICK, rest=CLAIM)
    found = audited(tmp_path, only=("log.consistency", "deletion.renyi"))
    assert found.check("deletion.adaptive").basis == "Left out by --only."
    assert guarantee_of(found, DATA_DELETION).status is ClaimStatus.NOT_SHOWN
    assert "deletion.adaptive" in found.policy.required
    assert found.verdict is not Verdict.PASS


def test_both_checks_are_required_by_default(tmp_path: Path) -> None:
    write(tmp_path, procedure=QUICK.replace("unlearn_steps = 60", "unlearn_steps = 1"), rest=CLAIM.replace("0.1", "0.01"))
    found = audited(tmp_path)
    assert {"deletion.renyi", "deletion.adaptive"} <= set(found.policy.required)
    assert found.verdict is Verdict.FAIL
    assert "deletion.renyi" in found.sentence


def test_a_short_seed_leaves_the_criterion_open_and_takes_the_guarantee(tmp_path: Path) -> None:
    write(tmp_path, procedure=QUICK, rest=CLAIM + REQUIRED, seed=3)
    found = audited(tmp_path)
    assert found.verdict is Verdict.INCONCLUSIVE
    assert {found.check(name).status for name in ("deletion.renyi", "deletion.adaptive")} == {Status.INCONCLUSIVE}
    assert "The claim data_deletion is not shown" in found.sentence
    guarantee = guarantee_of(found, DATA_DELETION)
    assert guarantee.status is ClaimStatus.NOT_SHOWN
    assert [each.evidence for each in guarantee.derivation[0].premises if each.how is Provenance.REFUTED] == [
        "the seed has fewer than 96 bits, so it can be found by trying"
    ]


def test_a_shipped_model_that_is_another_takes_the_guarantee(tmp_path: Path) -> None:
    write(tmp_path, procedure=QUICK, rest=CLAIM)
    np.savez(tmp_path / "model.npz", parameters=np.ones(4))
    text = (tmp_path / "audit.toml").read_text(encoding="utf-8")
    (tmp_path / "audit.toml").write_text(text + '\n[model]\npath = "model.npz"\n', encoding="utf-8")
    found = audited(tmp_path)
    assert found.check("model.reproduced").status is Status.FAIL
    assert found.check("deletion.renyi").status is Status.PASS
    assert guarantee_of(found, DATA_DELETION).status is ClaimStatus.NOT_SHOWN


@pytest.mark.slow
def test_a_controller_s_own_network_is_no_more_than_inconclusive(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(NETWORK, encoding="utf-8")
    procedure = (
        'entry = "net.py:Net"\nl2 = 0.5\nsigma2 = 0.1\nlearn_steps = 20\nunlearn_steps = 20\nlipschitz = 2.0\nsmoothness = 1.0\n'
        f"rate = {1 / 3!r}\nconvex = true\n"
    )
    require(Level.CONFINED)
    write(tmp_path, procedure=procedure, rest=CLAIM + REQUIRED, rows=60)
    found = audited(tmp_path)
    check = found.check("deletion.renyi")
    assert check.status is Status.INCONCLUSIVE
    assert "the controller's word" in check.basis
    assert check.details["theorem"] == "5.1"
    assert found.verdict is not Verdict.PASS
