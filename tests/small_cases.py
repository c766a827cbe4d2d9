"""Small synthetic cases, written from nothing, for tests of what a hostile or unlucky controller may hand in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from auditor.base.records import Dataset
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval

SECRET = 278189252447704765151761555871619860438
REQUIRED = ("log.consistency", "data.erased", "removal.residual", "removal.budget")
WORDS = (
    *("log-complete", "requests-fixed", "seen-releases", "preprocessing-clean", "seed-secret", "residual-independent"),
    *("settings-fixed", "release-reproduced", "code-clean", "procedure-honest", "copies-are-others", "store-holds-no-copies"),
    *("extractor-private", "every-extractor", "subjects-complete", "loss-convex", "loss-constants"),
)
ATTESTED = f'attested = {json.dumps(WORDS)}\nattested_by = "A. N. Other"\nattested_at = 2026-01-31\n'
"""Every word that the guarantees of small cases may rest on."""
AUDIT = """
[case]
name = "small"

[data]
train = "train.npz"
task = "classification"
{data}

[procedure]
{procedure}
seed = "{seed}"

[deletions]
log = "deletions.jsonl"

{rest}
"""


def problem(n: int = 60, d: int = 5, *, seed: int = 0) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Features of norm at most 1, shape (n, d), and noisy labels 0 and 1, shape (n,)."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, d))
    features /= np.maximum(1.0, np.linalg.norm(features, axis=1))[:, None]
    labels = (features @ rng.normal(size=d) + 0.3 * rng.normal(size=n) > 0).astype(np.int64)
    labels[:4] = [0, 1, 0, 1]
    return features, labels


def write(
    folder: Path,
    features: npt.NDArray[Any],
    labels: npt.NDArray[Any],
    *,
    ids: list[str] | None = None,
    deleted: list[list[str]] | None = None,
    procedure: str = "",
    data: str = "",
    model: npt.NDArray[Any] | None = None,
    required: tuple[str, ...] | None = REQUIRED,
    seed: int = SECRET,
    **settings: float,
) -> Path:
    """Write a case for certified removal: each list in `deleted` is a request of its own."""
    names = ids or [f"rec-{index:04d}" for index in range(len(features))]
    np.savez(folder / "train.npz", features=features, labels=labels, ids=np.array(names))
    declared = {"l2": 1e-2, "sigma": 1.0, "epsilon": 1.0, "delta": 1e-4, "tolerance": 1e-8, **settings}
    lines = ['use = "certified-removal"', *(f"{key} = {value!r}" for key, value in declared.items()), procedure]
    rest = "" if required is None else f"[policy]\nrequired = {json.dumps(list(required))}\n"
    if model is not None:
        np.savez(folder / "model.npz", parameters=model)
        rest += '\n[model]\npath = "model.npz"\n'
    text = AUDIT.format(data=data, procedure="\n".join(lines), seed=seed, rest=rest)
    (folder / "audit.toml").write_text(text, encoding="utf-8")
    write_log(folder, deleted or [[names[0]], [names[1], names[2]]])
    return folder


def attest(folder: Path, words: str = ATTESTED) -> Path:
    """Let the controller of a case attest everything, or those words."""
    text = (folder / "audit.toml").read_text(encoding="utf-8")
    before, table, after = text.partition("[claims]\n")
    changed = f"{before}{table}{words}{after}" if table else f"{text}\n[claims]\n{words}"
    (folder / "audit.toml").write_text(changed, encoding="utf-8")
    return folder


def released(
    features: npt.NDArray[np.float64],
    labels: npt.NDArray[Any],
    batches: list[list[int]],
    *,
    unlearn: Literal["newton", "retrain"],
) -> npt.NDArray[np.float64]:
    """The parameters that an honest controller would release for a case of `write` with its default settings, shape (d,)."""
    procedure = CertifiedRemoval(l2=1e-2, sigma=1.0, tolerance=1e-8, unlearn_by=unlearn)
    data = Dataset(features, labels, np.array([f"rec-{index:04d}" for index in range(len(features))]))
    model = procedure.learn(data, SECRET)
    left = np.arange(len(features))
    for number, batch in enumerate(batches, start=1):
        model = procedure.unlearn(model, data.subset(left), np.flatnonzero(np.isin(left, batch)), SECRET + number)
        left = left[~np.isin(left, batch)]
    return procedure.parameters(model)


def write_log(folder: Path, deleted: list[list[str]], **more: Any) -> None:
    """One executed request a list, a day apart."""
    rows = [
        {
            "request_id": f"R-{number}",
            "record_ids": records,
            "received_at": f"2026-01-{1 + number:02d}T08:00:00Z",
            "executed_at": f"2026-01-{1 + number:02d}T09:00:00Z",
            **more,
        }
        for number, records in enumerate(deleted)
    ]
    (folder / "deletions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def foreign(folder: Path, body: str, *, keys: str = "", isolation: str | None = None) -> None:
    """Put the controller's own class, made of `body`, in place of the built-in procedure.

    It runs at the level of the sandbox that starts soonest, unless another is named.
    """
    from levels import isolation as soonest  # noqa: PLC0415 - benchmarks take other things from here, and need no levels

    isolation = isolation or soonest()
    source = "import numpy as np\n\n\nclass Procedure:\n" + "".join(
        f"    {line}\n" if line else "\n" for line in body.splitlines()
    )
    (folder / "procedure.py").write_text(source, encoding="utf-8")
    text = (folder / "audit.toml").read_text(encoding="utf-8")
    start, end = text.index("[procedure]"), text.index("[deletions]")
    table = (
        f'[procedure]\nentry = "procedure.py:Procedure"\nseed = 1\n{keys}\n\n'
        f'[sandbox]\nisolation = "{isolation}"\ntimeout_s = 30.0\n\n'
    )
    (folder / "audit.toml").write_text(text[:start] + table + text[end:], encoding="utf-8")


def case_with(folder: Path, procedure: str, *, claims: str = "", rest: str = "") -> Path:
    """Write a case of sixty records, of which two batches delete three, with a procedure, claims and further tables."""
    features, labels = problem()
    ids = np.array([f"rec-{index:04d}" for index in range(60)])
    left = np.setdiff1d(np.arange(60), [1, 2, 3])
    np.savez(folder / "train.npz", features=features, labels=labels, ids=ids)
    np.savez(folder / "store.npz", features=features[left], labels=labels[left], ids=ids[left])
    write_log(folder, [["rec-0001"], ["rec-0002", "rec-0003"]])
    (folder / "audit.toml").write_text(
        '[case]\nname = "small"\n[data]\ntrain = "train.npz"\nstore = "store.npz"\ntask = "classification"\n'
        f'[procedure]\n{procedure}\nseed = 5\n[deletions]\nlog = "deletions.jsonl"\n[claims]\n{claims}\n'
        f'[sandbox]\nisolation = "auto"\ntimeout_s = 60.0\n{rest}',
        encoding="utf-8",
    )
    return folder


LEARNER = """
def learn(self, data, seed):
    order = ORDER
    weights = START
    for row, label in zip(data.features[order], data.labels[order] * 2.0 - 1):
        weights += 0.1 * (label - row @ weights) * row
    return weights

def unlearn(self, model, data, forget, seed):
    BEFORE
    return self.learn(data.subset(np.setdiff1d(np.arange(len(data.ids)), forget)), seed)

def predict(self, model, features):
    p = 1 / (1 + np.exp(-features @ model))
    return np.stack([1 - p, p], axis=1)

def parameters(self, model):
    return model
"""
"""Methods of a learner that takes records one after another: ORDER, START and BEFORE are to be replaced."""
