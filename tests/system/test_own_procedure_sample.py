"""The sample with the controller's own class: it passes behind walls, and runs nowhere without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from auditor.base.domain import ClaimStatus, Status, Verdict
from auditor.base.errors import SandboxError
from auditor.sandbox import Level, available
from cases import SAMPLES, audited, check_of, copy_of, outcome, replace
from sample_cases import golden

SAMPLE = "digits-own-procedure"


def test_it_passes_behind_walls() -> None:
    evidence = golden(SAMPLE)
    assert evidence.verdict is Verdict.PASS
    assert evidence.audit.exit_code == 0
    assert evidence.environment.isolation in {Level.CONFINED.value, Level.NAMESPACED.value}
    assert not evidence.environment.capped
    assert {check_of(evidence, check_id).status for check_id in evidence.policy.required} == {Status.PASS}
    assert check_of(evidence, "model.reproduced").status is Status.SKIPPED
    assert check_of(evidence, "release.exact").details["route"] == "clean-room"
    assert check_of(evidence, "swap.quality").status is Status.SKIPPED
    assert evidence.case.classes == 10
    assert evidence.procedure.settings["params"] == {"hidden": 32, "penalty": 1e-2, "most_steps": 150}
    # What the class says of itself is no evidence that it retrained.
    assert all(item.status is ClaimStatus.NOT_SHOWN for item in evidence.guarantees)


@pytest.mark.slow
def test_it_comes_out_alike_today_where_it_can_be_shut_in_and_else_does_not_run(tmp_path: Path) -> None:
    evidence = audited(copy_of(SAMPLE, tmp_path))
    shut_in = available() >= Level.CONFINED
    assert evidence.audit.exit_code == (0 if shut_in else 4)
    if shut_in:
        assert {check_of(evidence, check_id).status for check_id in evidence.policy.required} == {Status.PASS}


@pytest.mark.parametrize("level", [Level.PROCESS, Level.NO_NETWORK])
def test_behind_weaker_walls_it_does_not_run(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("auditor.audit.auditing.available", lambda: level)
    found = outcome(SAMPLES / SAMPLE)
    assert isinstance(found.failure, SandboxError)
    assert found.evidence.audit.exit_code == 4
    assert found.evidence.verdict is Verdict.INCONCLUSIVE
    assert check_of(found.evidence, "data.erased").status is Status.ERROR


@pytest.mark.slow
def test_a_class_that_keeps_the_deleted_rows_fails(tmp_path: Path) -> None:
    case = copy_of(SAMPLE, tmp_path)
    code = case / "procedure.py"
    text = code.read_text(encoding="utf-8")
    honest = "return self.parameters(model).tobytes()"
    assert honest in text
    # The rows that a first network was trained on are kept beside the weights.
    text = text.replace(honest, "return self._kept.tobytes()").replace(
        "        network = MLPClassifier(",
        '        self._kept = getattr(self, "_kept", data.features)\n        network = MLPClassifier(',
    )
    code.write_text(text, encoding="utf-8")
    replace(case, 'isolation = "auto"', 'isolation = "none"')
    replace(case, "most_steps = 150", "most_steps = 5")
    evidence = audited(case, only=("data.erased",))
    erased = check_of(evidence, "data.erased")
    assert (erased.status, erased.value) == (Status.FAIL, 12.0)
    assert evidence.audit.exit_code == 1
