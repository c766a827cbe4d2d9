"""What the breast cancer samples share: scikit-learn's bundled table, its rows brought to norm 1 without fitting anything.

A measurement is taken as its decimal logarithm, less a centre that is written down here and that no record moves; then every row
is scaled by its own norm.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer

from auditor.base.records import Dataset
from auditor.parts.data_deletion.learning.making import make, make_batches
from digits import DRAW, Sample, build, one_record_each, remaining, requests, write

TRAINING_RECORDS = 429
FLOOR = 1e-4
"""A measurement below this, zero among them, counts as this."""
CENTRES = (
    *(1.1, 1.3, 1.9, 2.7, -1.0, -1.0, -1.2, -1.5, -0.7, -1.2),
    *(-0.5, 0.0, 0.4, 1.4, -2.2, -1.7, -1.6, -2.0, -1.7, -2.5),
    *(1.2, 1.4, 2.0, 2.8, -0.9, -0.7, -0.6, -1.0, -0.5, -1.1),
)
"""The logarithm that each measurement is taken relative to: of the mean, the error and the largest of ten measurements."""
CONSTANT = 0.3
"""A last column in place of an intercept, which the certificate does not allow."""


def tumours() -> tuple[Dataset, Dataset]:
    """Training data and holdout; label 1 for a benign tumour, 0 for a malignant one."""
    bunch = load_breast_cancer()
    order = np.random.default_rng(DRAW).permutation(len(bunch.target))
    relative = np.log10(np.maximum(bunch.data[order], FLOOR)) - np.array(CENTRES)
    features = np.column_stack([relative, np.full(len(order), CONSTANT)])
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    ids = np.array([f"patient-{number:04d}" for number in range(len(order))])
    every, cut = Dataset(features, bunch.target[order], ids), TRAINING_RECORDS
    return every.subset(np.arange(cut)), every.subset(np.arange(cut, len(every)))


def build_tumours(folder: Path, *, seed: int, unlearn_steps: int, seers: int = 0, one_each: bool = False) -> None:
    """Write one sample: logistic regression by noisy gradient descent, from which twelve records are deleted.

    Args:
        folder: Of the sample.
        seed: Of the noise; also in the sample's audit.toml.
        unlearn_steps: Steps on what remains, after each batch; also there.
        seers: How many people had seen one published model before they asked, by the log; the others none.
        one_each: Whether nobody has more than one record.
    """
    data = tumours()
    procedure = make(
        loss="logistic",
        l2=0.05,
        sigma2=0.01,
        learn_steps=400,
        unlearn_steps=unlearn_steps,
        features=data[0].features.shape[1],
        classes=[0, 1],
    )
    build(Sample(folder, 12, seed, ship_unlearned=True, procedure=procedure, seers=seers, one_each=one_each), data)


def build_in_batches(folder: Path, *, seed: int) -> None:
    """Write the sample of mini-batches: the settings are those of its audit.toml.

    Args:
        folder: Of the sample.
        seed: Of the noise; also in the sample's audit.toml.
    """
    data = tumours()
    procedure = make_batches(
        loss="logistic",
        l2=0.05,
        sigma2=0.01,
        batches=4,
        batch_size=125,
        learn_epochs=100,
        unlearn_epochs=5,
        features=data[0].features.shape[1],
        classes=[0, 1],
    )
    build(Sample(folder, 12, seed, ship_unlearned=True, procedure=procedure), data)


def build_stream(folder: Path, *, removals: int) -> None:
    """Write train, holdout and log of a sample that audits a procedure alone, and whose controller keeps no records."""
    train, holdout = tumours()
    rows = one_record_each(requests(train, removals))
    write(folder, train, holdout, remaining(train, rows), rows)
    (folder / "store.npz").unlink()
