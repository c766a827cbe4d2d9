"""What the digits samples share: scikit-learn's bundled digits, a log of requests, and the writing of a case.

Each sample's `build.py` calls `build`, `build_without_model` or `build_noisy` with its own numbers. Everything is drawn from
fixed seeds, and weights are rounded to a grid far coarser than what machines differ by, so a rebuilt case is the same.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits

from auditor.base.records import Dataset, Floats
from auditor.case.containers import canonical
from auditor.case.rewriting import rounded
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval
from auditor.settings.values import power_of_two

TRAINING_RECORDS = 300
LABEL_NOISE = 0.2
TRAINING_RECORDS_OF_TEN = 900
DRAW = 20260115
"""Seed of the split, the label noise and the choice of records; the perturbation has its own, secret one in audit.toml."""


@dataclass(frozen=True)
class Sample:
    """What makes one sample differ from the next."""

    folder: Path
    removals: int
    """How many records the log deletes."""
    seed: int
    """Of the perturbation; also in the sample's audit.toml."""
    ship_unlearned: bool
    """Whether the shipped model is the one after the removals, or the old one."""
    procedure: Any = field(default_factory=lambda: CertifiedRemoval(l2=1e-3, sigma=1.0, tolerance=1e-9))
    """What the sample's audit.toml declares."""
    seers: int = 0
    """How many people had seen one published model before they asked, by the log; the others none."""
    one_each: bool = False
    """Whether nobody has more than one record."""
    replies: bool = False
    """Whether the log says what a reply to each person needs."""


def digits() -> tuple[Dataset, Dataset]:
    """Training data with 20 % of the labels flipped, and a clean holdout; every row has norm 1, which needs no fitting."""
    bunch = load_digits()
    chosen = np.isin(bunch.target, (3, 8))
    features, labels = bunch.data[chosen], bunch.target[chosen]
    features = features / np.linalg.norm(features, axis=1, keepdims=True)
    rng = np.random.default_rng(DRAW)
    order = rng.permutation(len(labels))
    features, labels = features[order], labels[order]
    flipped = rng.random(TRAINING_RECORDS) < LABEL_NOISE
    noisy = np.where(flipped, 11 - labels[:TRAINING_RECORDS], labels[:TRAINING_RECORDS])
    ids = np.array([f"digit-{number:04d}" for number in range(len(labels))])
    train = Dataset(features[:TRAINING_RECORDS], noisy, ids[:TRAINING_RECORDS])
    return train, Dataset(features[TRAINING_RECORDS:], labels[TRAINING_RECORDS:], ids[TRAINING_RECORDS:])


def ten_digits() -> tuple[Dataset, Dataset]:
    """All ten digits with their own labels, training data and holdout; a pixel is divided by its largest value, 16."""
    bunch = load_digits()
    order = np.random.default_rng(DRAW).permutation(len(bunch.target))
    ids = np.array([f"digit-{number:04d}" for number in range(len(order))])
    every = Dataset(bunch.data[order] / 16.0, bunch.target[order], ids)
    cut = TRAINING_RECORDS_OF_TEN
    return every.subset(np.arange(cut)), every.subset(np.arange(cut, len(every)))


def ten_digits_of_norm_one() -> tuple[Dataset, Dataset]:
    """The same split with every image scaled to norm 1, which needs no fitting."""
    train, holdout = (
        Dataset(part.features / np.linalg.norm(part.features, axis=1, keepdims=True), part.labels, part.ids)
        for part in ten_digits()
    )
    return train, holdout


def noisy_ten_digits() -> tuple[Dataset, Dataset]:
    """The same split with one training label in five replaced by another digit, drawn evenly; the holdout keeps its own."""
    train, holdout = ten_digits()
    rng = np.random.default_rng(DRAW + 2)
    wrong = rng.random(len(train)) < LABEL_NOISE
    others = (train.labels + rng.integers(1, 10, size=len(train))) % 10
    return Dataset(train.features, np.where(wrong, others, train.labels), train.ids), holdout


def requests(train: Dataset, removals: int, *, seers: int = 0) -> list[dict[str, Any]]:
    """A log that deletes `removals` records.

    Most requests name one record, some two; two are carried out in one batch; the last finds nothing.
    """
    rng = np.random.default_rng(DRAW + 1)
    waiting = train.ids[rng.choice(len(train), size=removals, replace=False)].tolist()
    received = datetime(2026, 1, 7, 9, 12, tzinfo=timezone(timedelta(hours=1)))
    rows: list[dict[str, Any]] = []
    while waiting:
        number = len(rows) + 1
        named = [waiting.pop() for _ in range(min(2 if number % 5 == 0 else 1, len(waiting)))]
        executed = received + timedelta(days=int(rng.integers(2, 26)), hours=int(rng.integers(0, 7)))
        rows.append(
            {
                "request_id": f"REQ-2026-{number:04d}",
                "record_ids": named,
                "subject": "s-" + hashlib.sha256(f"{DRAW}:{number}".encode()).hexdigest()[:12],
                "received_at": received.isoformat(),
                "executed_at": executed.isoformat(),
                "seen_releases": int(number <= seers),
                "basis": "GDPR Art. 17(1)(b)",
            }
        )
        received += timedelta(days=int(rng.integers(1, 9)) if removals <= 20 else int(rng.integers(0, 4)), minutes=37)
    for row in rows[6:8]:
        row["batch"] = "2026-02"
        row["executed_at"] = max(other["executed_at"] for other in rows[6:8])
    rows.append(
        {
            "request_id": f"REQ-2026-{len(rows) + 1:04d}",
            "record_ids": [_nobody(str(train.ids[0]))],
            "received_at": received.isoformat(),
            "status": "no_match",
            "note": "no record of this person was found",
        }
    )
    return rows


def _nobody(known: str) -> str:
    """An id of nobody, written like that of a record: with fewer digits it would be that of another one, without its zeros."""
    prefix, _, number = known.partition("-")
    return f"{prefix}-{'9' * max(4, len(number))}"


def one_record_each(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same log where no person has two records: who asked for two becomes two people, answered in one batch."""
    found: list[dict[str, Any]] = []
    for row in rows:
        if len(row["record_ids"]) == 1:
            found.append(row)
            continue
        batch = {"batch": f"{row['request_id']}-together"}
        for number, record in enumerate(row["record_ids"], 1):
            subject = "s-" + hashlib.sha256(f"{row['subject']}:{number}".encode()).hexdigest()[:12]
            found.append(
                row | {"request_id": f"{row['request_id']}-{number}", "record_ids": [record], "subject": subject} | batch
            )
    return found


def in_order(rows: list[dict[str, Any]]) -> list[list[str]]:
    """Batches in the order in which they were carried out."""
    batches: dict[str, tuple[str, list[str]]] = {}
    for row in rows:
        if "executed_at" in row:
            name = row.get("batch", row["request_id"])
            _, named = batches.setdefault(name, (row["executed_at"], []))
            named.extend(row["record_ids"])
    return [named for _, named in sorted(batches.values(), key=lambda item: datetime.fromisoformat(item[0]))]


def _save(path: Path, data: Dataset) -> None:
    np.savez_compressed(path, features=data.features, labels=data.labels, ids=data.ids)


def build(sample: Sample, data: tuple[Dataset, Dataset] | None = None) -> None:
    """Write train, holdout, store, log and model of one sample; training data and holdout are `digits()` if left out."""
    train, holdout = digits() if data is None else data
    rows, procedure = requests(train, sample.removals, seers=sample.seers), sample.procedure
    rows = one_record_each(rows) if sample.one_each else rows
    model, left = procedure.learn(train, sample.seed), train
    shipped = model
    for number, named in enumerate(in_order(rows), start=1):
        forget = np.flatnonzero(np.isin(left.ids, named)).astype(np.int64)
        model = procedure.unlearn(model, left, forget, sample.seed + number)
        left = left.subset(np.delete(np.arange(len(left)), forget))
    if sample.ship_unlearned:
        shipped = model
    rows = [with_reply(each, kept=[]) for each in answered(rows)] if sample.replies else rows
    write(sample.folder, train, holdout, left, rows)
    ship(sample.folder, procedure.parameters(shipped))


def ship(folder: Path, parameters: Floats) -> None:
    """Write the model file of a sample, rounded to the grid that its audit.toml declares, in the canonical form."""
    grid = power_of_two(tomllib.loads((folder / "audit.toml").read_text(encoding="utf-8"))["model"]["grid"])
    (folder / "model.safetensors").write_bytes(canonical(rounded(parameters, grid), ".safetensors"))


def build_without_model(folder: Path, *, removals: int) -> None:
    """Write train, holdout, store and log of a sample that audits a procedure on all ten digits."""
    train, holdout = ten_digits()
    rows = requests(train, removals)
    write(folder, train, holdout, remaining(train, rows), rows)


def build_noisy(folder: Path, *, removals: int, clear_store: bool, one_each: bool = False) -> None:
    """Write train, holdout, store and log of a sample that audits a procedure on ten digits with noisy labels.

    The store holds what remains, or, unless `clear_store`, everything still.
    """
    train, holdout = noisy_ten_digits()
    rows = one_record_each(requests(train, removals)) if one_each else requests(train, removals)
    write(folder, train, holdout, remaining(train, rows) if clear_store else train, rows)


def answered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same log with when each person was informed: a day after erasure, three after receipt where nothing was found.

    A log that says it of some of its rows has said it of all.
    """
    if any("answered_at" in row for row in rows):
        return rows
    told = []
    for row in rows:
        done = datetime.fromisoformat(row.get("executed_at", row["received_at"]))
        told.append(row | {"answered_at": (done + timedelta(days=1 if "executed_at" in row else 3)).isoformat()})
    return told


def with_reply(row: dict[str, Any], kept: list[dict[str, str]]) -> dict[str, Any]:
    """A row with what the reply to the person says; `kept` of data that were erased, and under California's law no ground."""
    checked = datetime.fromisoformat(row["received_at"]) + timedelta(days=1)
    proof = [each["resumed_at"] for each in row.get("clock_pauses", []) if each["awaits"] == "identity"]
    said: dict[str, Any] = {
        "identity_check": "the proof of identity that you sent" if proof else "a code to the e-mail address of the account",
        "identity_checked_at": proof[-1] if proof else checked.isoformat(),
        "signatory": "Kim Example, data protection officer",
    }
    if "executed_at" in row:
        ground = {} if row.get("regime") == "ccpa" else {"erasure_ground": "b"}
        told = row.get("answered_at", row["executed_at"])
        said |= ground | {"kept": kept, "recipients_notified": [{"name": "Example Hosting BV", "notified_at": told}]}
    return row | {name: each for name, each in said.items() if name not in row}


def remaining(train: Dataset, rows: list[dict[str, Any]]) -> Dataset:
    """`train` without the records that the log deletes."""
    gone = [record for named in in_order(rows) for record in named]
    return train.subset(np.flatnonzero(~np.isin(train.ids, gone)))


def write(folder: Path, train: Dataset, holdout: Dataset | None, left: Dataset, rows: list[dict[str, Any]]) -> None:
    """Write train, holdout where there is one, store and log of a case."""
    _save(folder / "train.npz", train)
    if holdout is not None:
        _save(folder / "holdout.npz", holdout)
    _save(folder / "store.npz", left)
    with (folder / "deletions.jsonl").open("w", encoding="utf-8") as log:
        log.writelines(json.dumps(row) + "\n" for row in answered(rows))
