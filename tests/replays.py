"""What a rerun of certified removal is read as, made in this process: honest, unless a test changes it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from auditor.audit.predicted import Asked, Predicted
from auditor.audit.replay import Replay
from auditor.base.deletion_log.deletions import replayable
from auditor.case import Case
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval


def plain(case: Case, **changes: Any) -> Replay:
    """A rerun of the log of a case that tells nothing but times, with these fields changed."""
    batches = replayable(case.requests, case.known_ids)
    place = {record: position for position, record in enumerate(case.train.ids.tolist())}
    fields: dict[str, Any] = {
        "batches": batches,
        "forgotten": tuple(np.array([place[record] for record in batch.record_ids]) for batch in batches),
        "trajectory": None,
        "retrained": (),
        "told": (),
        "unlearn_seconds": None,
        "retrain_seconds": 1.0,
        "warm_refit_seconds": None,
        "asked": Asked({}),
        "predicted": Predicted(None, None),
        "retrained_predicted": Predicted(None, None),
        "probed": None,
        "state": None,
        "saved": None,
        "self_check_difference": None,
    }
    return Replay(**fields | changes)


def replay_of(case: Case, *, self_check_difference: float = 0.0) -> Replay:
    """Learn, and remove every batch of the log in its order, with what `small_cases.write` declares."""
    declared = case.settings.procedure
    procedure = CertifiedRemoval(l2=declared.l2, sigma=declared.sigma, tolerance=declared.tolerance, unlearn_by="newton")
    found = plain(case, unlearn_seconds=1.0, retrain_seconds=3.0, self_check_difference=self_check_difference)
    forgotten = tuple(map(np.sort, found.forgotten))
    model = procedure.learn(case.train, declared.seed)
    trajectory, left = [procedure.parameters(model)], np.arange(len(case.train))
    for number, positions in enumerate(forgotten, start=1):
        gone = np.isin(left, positions)
        model = procedure.unlearn(model, case.train.subset(left), np.flatnonzero(gone), declared.seed + number)
        trajectory.append(procedure.parameters(model))
        left = left[~gone]
    return replace(
        found,
        forgotten=forgotten,
        trajectory=tuple(trajectory),
        retrained=(False,) * len(forgotten),
        told=({"retrained": False},) * (len(forgotten) + 1),
    )
