"""Makes this case: python sample_models/tiny-transformer/build.py."""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
from datetime import datetime, timedelta, timezone
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from net import BASE, HEADS, LENGTH, WIDTH, WORDS, Block, Tagger  # noqa: E402  (it lies in this folder)

from auditor.base.records import Dataset  # noqa: E402
from auditor.base.tensors import canonical  # noqa: E402
from auditor.case.rewriting import rounded  # noqa: E402
from auditor.parts.networks.learning.making import make, network_of  # noqa: E402
from auditor.settings.values import power_of_two  # noqa: E402

DRAW = 20261102
LABELS, CUSTOMERS, UNSEEN, PUBLIC = 3, 360, 150, 3000
REQUESTS, BATCHES = 8, 4


def messages(rng: np.random.Generator, count: int, *, mixed: float) -> tuple[np.ndarray, np.ndarray]:
    """Made messages: each label prefers some words, follows one with the next, and the rest is chance.

    Args:
        rng: Draws them.
        count: How many.
        mixed: The share of words that say nothing of the label.

    Returns:
        Words, shape (count, LENGTH), and labels, shape (count,).
    """
    labels = rng.integers(LABELS, size=count)
    own = (labels[:, None] * (WORDS // LABELS) + rng.integers(WORDS // LABELS, size=(count, LENGTH))) % WORDS
    chance = rng.integers(WORDS, size=(count, LENGTH))
    return np.where(rng.random((count, LENGTH)) < mixed, chance, own), labels


def base(rng: np.random.Generator) -> None:
    """Train the block on public messages of nobody, and write it with what a Hugging Face folder says of a model."""
    torch.manual_seed(DRAW)
    words, labels = (torch.from_numpy(each) for each in messages(rng, PUBLIC, mixed=0.5))
    block, head = Block(), nn.Linear(WIDTH, LABELS)
    optimiser = torch.optim.Adam([*block.parameters(), *head.parameters()], lr=3e-3)
    for _ in range(4):
        for at in torch.randperm(PUBLIC).split(64):
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(head(block(words[at])), labels[at]).backward()
            optimiser.step()
    BASE.parent.mkdir(exist_ok=True)
    save_file(block.state_dict(), BASE, {"format": "pt"})
    says = {
        "architectures": ["Block"], "model_type": "tiny-transformer", "vocab_size": WORDS, "hidden_size": WIDTH,
        "num_attention_heads": HEADS, "max_position_embeddings": LENGTH, "_name_or_path": "example/tiny-transformer-base",
    }  # fmt: skip
    (BASE.parent / "config.json").write_text(json.dumps(says, indent=2) + "\n", encoding="utf-8")
    (BASE.parent / "vocab.txt").write_text("".join(f"word-{each:02d}\n" for each in range(WORDS)), encoding="utf-8")


def table(rng: np.random.Generator, first: int, count: int) -> Dataset:
    """Messages of customers."""
    words, labels = messages(rng, count, mixed=0.6)
    return Dataset(words.astype(np.float64), labels, np.array([f"msg-{number:05d}" for number in range(first, first + count)]))


def write(name: str, data: Dataset) -> None:
    """Write records as npz."""
    np.savez(HERE / name, features=data.features, labels=data.labels, ids=data.ids)


def requests(rng: np.random.Generator, ids: np.ndarray) -> list[dict[str, object]]:
    """Eight people ask; every week those who asked are removed together."""
    start = datetime(2026, 3, 2, 9, 30, tzinfo=timezone(timedelta(hours=1)))
    chosen = rng.choice(len(ids), size=REQUESTS, replace=False)
    return [
        {
            "request_id": f"REQ-2026-{number + 1:04d}",
            "record_ids": [str(ids[at])],
            "subject": "s-" + hashlib.sha256(f"{DRAW}:{number}".encode()).hexdigest()[:12],
            "received_at": (start + timedelta(weeks=number // 2, hours=5 * number)).isoformat(),
            "executed_at": (start + timedelta(weeks=number // 2, days=9)).isoformat(),
            "batch": f"week-{number // 2 + 1}",
            "seen_releases": 0,
            "basis": "GDPR Art. 17(1)(b)",
        }
        for number, at in enumerate(chosen)
    ]


def release(train: Dataset, gone: list[np.ndarray]) -> None:
    """Learn and unlearn as audit.toml declares, and write the head, rounded to its grid."""
    audit = tomllib.loads((HERE / "audit.toml").read_text(encoding="utf-8"))
    declared, seed = audit["procedure"], int(audit["procedure"]["seed"])
    keys = ("epochs", "batch", "rate", "momentum", "dtype", "params")
    settings = {key: declared[key] for key in keys if key in declared}
    own = make(features=LENGTH, classes=list(range(LABELS)), module=Tagger, **settings)
    model, data = own.learn(train, seed), train
    for number, ids in enumerate(gone, start=1):
        forget = np.flatnonzero(np.isin(data.ids, ids)).astype(np.int64)
        model = own.unlearn(model, data, forget, seed + number)
        data = data.subset(np.setdiff1d(np.arange(len(data)), forget))
    values = rounded(own.parameters(model), power_of_two(audit["model"]["grid"]))
    network = network_of(None, Tagger, declared["params"], features=LENGTH, classes=LABELS, dtype="float64")
    (HERE / "model.safetensors").write_bytes(canonical(network.layout().tensors_of(values)))


rng = np.random.default_rng(DRAW)
base(rng)
train, unseen = table(rng, 0, CUSTOMERS), table(rng, CUSTOMERS, UNSEEN)
log = requests(rng, train.ids)
batches = [
    np.array([record for row in log if row["batch"] == f"week-{week + 1}" for record in row["record_ids"]])
    for week in range(BATCHES)
]  # type: ignore[attr-defined]
write("train.npz", train)
write("holdout.npz", unseen)
write("store.npz", train.subset(np.flatnonzero(~np.isin(train.ids, np.concatenate(batches)))))
(HERE / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in log), encoding="utf-8")
release(train, batches)
