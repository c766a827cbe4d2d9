"""Whole audits of networks: what retraining lets be said, what doing nothing never does, and what a hostile network comes to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sandboxed import ask

from auditor import case as cases
from auditor.audit.auditing import Outcome
from auditor.audit.replay import Replaying, specification
from auditor.base.domain import ClaimStatus, Provenance, Status, Verdict
from auditor.base.errors import ProcedureError
from auditor.document.evidence import Evidence
from auditor.sandbox import Learn, Level, Parameters, Predict, Worker, available
from auditor.sandbox.jobs import run
from cases import REPLAY_CHECKS, audited, check_of, guarantee_of, outcome
from network_cases import own_network, write_case
from rechecks import findings
from small_cases import SECRET, attest

MODEL = '[model]\npath = "model.npz"\n'
RECORDS = ("log.consistency", "log.deadlines", "data.erased", "model.reproduced")
REPLAY = f"[policy]\nrequired = {json.dumps(list(RECORDS))}\n{MODEL}"


def ship(folder: Path, *, model: str) -> None:
    """Ship the parameters of one model of the rerun: `learn` for the first, `unlearn` for the last."""
    np.savez(folder / "model.npz", parameters=np.zeros(1))
    whole, _ = Replaying(cases.read(folder), seed=0, level=available()).jobs
    ((*answers,),) = run([whole], workers=1, on_step=lambda *_: None)
    trajectory = [answer.array for answer in answers if isinstance(answer.step, Parameters)]
    np.savez(folder / "model.npz", parameters=trajectory[0 if model == "learn" else -1])


def replayed(folder: Path, **options: Any) -> Outcome:
    """What the replay shows, without the many models that the attack on a release trains."""
    wanted = tuple(each for each in REPLAY_CHECKS if each != "release.remembers")
    return outcome(folder, only=wanted + RECORDS[:2], workers=2, **options)


def removal(evidence: Evidence) -> tuple[ClaimStatus, float | None]:
    found = guarantee_of(evidence, "certified-removal")
    return found.status, found.epsilon


def test_retraining_is_reproduced_to_the_bit_and_supports_its_guarantee(tmp_path: Path) -> None:
    case = attest(write_case(tmp_path, tables=REPLAY))
    ship(case, model="unlearn")
    found = replayed(case)
    evidence = found.evidence
    assert found.failure is None
    assert (evidence.procedure.use, evidence.procedure.unlearn, evidence.procedure.entry) == ("torch", "retrain", None)
    assert evidence.procedure.settings["params"] == {"hidden": [16]}
    assert check_of(evidence, "data.erased").status is Status.PASS
    assert check_of(evidence, "model.reproduced").details["bit_identical"]
    assert removal(evidence) == (ClaimStatus.SUPPORTED, 0.0)
    assert str(SECRET).encode() not in evidence.to_bytes()
    assert findings(evidence.to_bytes()) == []


@pytest.mark.slow
@pytest.mark.parametrize("unlearn", ["none", "sisa", "fisher"])
def test_no_other_way_of_unlearning_supports_the_guarantee_of_retraining(tmp_path: Path, unlearn: str) -> None:
    case = write_case(tmp_path, keys=f'unlearn = "{unlearn}"', tables=REPLAY)
    ship(case, model="unlearn")
    evidence = replayed(case).evidence
    assert check_of(evidence, "model.reproduced").status is Status.PASS
    assert removal(evidence) == (ClaimStatus.NOT_SHOWN, None)
    derivation = guarantee_of(evidence, "certified-removal").derivation[0]
    assert not any(premise.name == "retrained" and premise.how is Provenance.COMPUTED for premise in derivation.premises)
    assert findings(evidence.to_bytes()) == []


@pytest.mark.slow
def test_shipping_the_old_model_fails(tmp_path: Path) -> None:
    case = write_case(tmp_path, tables=REPLAY)
    ship(case, model="learn")
    evidence = replayed(case).evidence
    assert check_of(evidence, "model.reproduced").status is Status.FAIL
    assert evidence.verdict is Verdict.FAIL
    assert removal(evidence)[0] is ClaimStatus.NOT_SHOWN


GAME = '[policy]\nrequired = ["swap.quality", "swap.controls"]\n[swap]\npairs = 3\nmodels = 2\n'


@pytest.mark.slow
@pytest.mark.parametrize("keys", ["", 'unlearn = "none"\nbatch = 8\noptimizer = "adam"\nweight_decay = 1e-3'])
def test_a_quick_audit_of_everything_and_the_same_seed_gives_the_same_evidence(tmp_path: Path, keys: str) -> None:
    case = write_case(tmp_path, keys=keys.replace("rate", "#"), tables=GAME)
    first, second = (audited(case, quick=True, workers=2, seed=7) for _ in range(2))
    for evidence in (first, second):
        controls = check_of(evidence, "swap.controls")
        assert controls.value == 1.0
        assert controls.details["deterministic"]
        assert evidence.verdict is Verdict.INCONCLUSIVE  # a quick run decides nothing
    one, two = (json.loads(evidence.to_bytes())["checks"] for evidence in (first, second))
    for left, right in zip(one, two, strict=True):
        for each in (left, right):
            each["observed"] = {name: held for name, held in (each["observed"] or {}).items() if not name.startswith("seconds_")}
        if left["id"] != "cost.speedup":
            assert left == right
    quality = check_of(first, "swap.quality")
    same = quality.value == quality.details["do_nothing"]["quality"]
    assert same is bool(keys)
    assert findings(first.to_bytes()) == []


HOSTILE = {
    "exits": ("os._exit(7)", "Identity()", "exit status 7"),
    "leaves": ("raise SystemExit(7)", "Identity()", "ended without an answer"),
    "raises": ("raise KeyError('rec-0005')", "Identity()", "it raised KeyError"),
    "not finite": ("return logits * float('nan')", "Identity()", "finite"),
    "not finite later": ("SEEN.append(1)\nreturn logits * (float('nan') if len(SEEN) > 10 else 1)", "Identity()", "finite"),
    "random": ("return logits + torch.randn(logits.shape)", "Identity()", "draws no random numbers"),
    "other rows": ("return logits - logits.mean(dim=0)", "Identity()", "each row to be judged on its own"),
    "shape": ("return logits[:, :9]", "Identity()", "expected logits of shape"),
    "text": ("return 'rec-0005'", "Identity()", "expected logits of shape"),
}


ALIKE = ("raises", "not finite later", "text")
"""Refused in the same place as another one of them."""


@pytest.mark.parametrize("kind", [pytest.param(each, marks=pytest.mark.slow if each in ALIKE else ()) for each in HOSTILE])
def test_a_network_of_the_controllers_that_cannot_be_had_is_refused(tmp_path: Path, kind: str) -> None:
    forward, norm, words = HOSTILE[kind]
    case = cases.read(own_network(tmp_path, forward, norm=norm))
    steps = (Learn("model", np.arange(len(case.train)), 1), Predict("model", "train", 10))
    with pytest.raises(ProcedureError) as caught:
        ask(Worker(specification(case), {"train": case.train}), steps)
    assert words in str(caught.value)
    assert "rec-0005" not in str(caught.value)


def test_such_a_network_ends_the_audit(tmp_path: Path) -> None:
    found = replayed(own_network(tmp_path, "return logits - logits.mean(dim=0)"))
    assert found.evidence.audit.exit_code == 4
    assert found.failure is not None
    assert "expected each row to be judged on its own in eval mode" in str(found.failure)
    assert {check_of(found.evidence, check_id).status for check_id in REPLAY_CHECKS if check_id != "release.remembers"} == {
        Status.ERROR
    }


# Foreign code is not believed: test_whole_audits.py and test_cap_audits.py.
@pytest.mark.slow
def test_a_network_that_leaves_the_case_alone_is_audited_but_not_believed(tmp_path: Path) -> None:
    case = own_network(tmp_path, "return logits", keys="params = { width = 10 }", tables=REPLAY)
    ship(case, model="unlearn")
    found = replayed(case)
    assert found.failure is None
    evidence = found.evidence
    assert (evidence.procedure.use, evidence.procedure.entry) == ("torch", "net.py:Net")
    assert "net.py" in {each.path for each in evidence.case.inputs}
    assert check_of(evidence, "model.reproduced").status is Status.PASS
    assert removal(evidence) == (ClaimStatus.NOT_SHOWN, None)
    assert findings(evidence.to_bytes()) == []


@pytest.mark.parametrize("isolation", ["auto", pytest.param("none", marks=pytest.mark.slow)])
def test_a_network_of_the_controllers_needs_the_walls_of_foreign_code(
    tmp_path: Path, isolation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = own_network(tmp_path, "return logits", tables=f'[sandbox]\nisolation = "{isolation}"\n')
    monkeypatch.setattr("auditor.audit.auditing.available", lambda: Level.NO_NETWORK)
    found = replayed(case)
    if isolation == "auto":
        assert found.failure is not None
        assert "level confined or stronger" in str(found.failure)
        assert found.evidence.audit.exit_code == 4
    else:
        assert found.evidence.environment.capped
        assert found.evidence.verdict is Verdict.INCONCLUSIVE
