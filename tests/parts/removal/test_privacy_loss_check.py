"""The diagnostic beside `removal.budget`: only where the formula speaks, and never with the secret perturbation."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from auditor import case as cases
from auditor.audit.replay import Replay
from auditor.base.deletion_log.deletions import replayable
from auditor.case import Case
from auditor.parts.removal.observing import certified
from cases import SAMPLES


@pytest.fixture(scope="module")
def case() -> Case:
    return cases.read(SAMPLES / "digits-newton")


def replay_of(case: Case, *, retrained: bool = False) -> Replay:
    batches = replayable(case.requests, case.known_ids)
    place = {record: position for position, record in enumerate(case.train.ids)}
    forgotten = tuple(np.array([place[record] for record in batch.record_ids]) for batch in batches)
    return cast("Replay", SimpleNamespace(batches=batches, retrained=[retrained] * len(batches), forgotten=forgotten))


def test_the_sample_s_losses_are_about_what_the_theorem_takes_them_for(case: Case) -> None:
    found = certified.diagnosed(case, cast("Any", case.settings.procedure), replay_of(case))
    assert found is not None
    assert 0.5 < found.deviation / found.shift < 2
    assert abs(found.mean) < found.largest < 0.1


@pytest.mark.parametrize(
    "changed", [{"unlearn": "retrain"}, {"perturbation": "laplace"}, {"loss": "least-squares"}, {"sigma": 0.0}]
)
def test_it_is_silent_where_the_formula_does_not_speak(case: Case, changed: dict[str, Any]) -> None:
    procedure = cast("Any", case.settings.procedure).model_copy(update=changed)
    assert certified.diagnosed(case, procedure, replay_of(case)) is None


def test_it_is_silent_where_a_batch_was_answered_by_retraining_or_the_work_is_too_much(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    procedure = cast("Any", case.settings.procedure)
    assert certified.diagnosed(case, procedure, replay_of(case, retrained=True)) is None
    monkeypatch.setattr(certified, "_MOST_WORK", 1.0)
    assert certified.diagnosed(case, procedure, replay_of(case)) is None


def test_the_secret_seed_moves_nothing(case: Case) -> None:
    procedure = cast("Any", case.settings.procedure)
    other = procedure.model_copy(update={"seed": procedure.seed + 1})
    first, second = (certified.diagnosed(case, each, replay_of(case)) for each in (procedure, other))
    assert first == second
