"""Makes this case: python sample_models/diabetes-least-squares/build.py."""

import sys
import tomllib
from pathlib import Path

import numpy as np
from sklearn.datasets import load_diabetes

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from auditor.base.records import Dataset  # noqa: E402
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval  # noqa: E402
from digits import Sample, build  # noqa: E402  (it lies next to the samples' folders)

LARGEST = np.array([100, 2, 60, 150, 320, 260, 100, 10, 8, 150], dtype=np.float64)
"""What age, sex, body mass index, blood pressure and six blood values are at most in people: nothing is fitted."""
LARGEST_TARGET = 350.0
TRAINING_RECORDS = 342


def diabetes() -> tuple[Dataset, Dataset]:
    """The 442 patients of scikit-learn's diabetes data with a constant next to ten features, rows of norm at most 1."""
    bunch = load_diabetes(scaled=False)
    columns = np.column_stack([bunch.data / LARGEST, np.ones(len(bunch.data))])
    features = columns / np.sqrt(columns.shape[1])
    ids = np.array([f"patient-{number:04d}" for number in range(len(features))])
    every = Dataset(features, bunch.target / LARGEST_TARGET, ids)
    return every.subset(np.arange(TRAINING_RECORDS)), every.subset(np.arange(TRAINING_RECORDS, len(every)))


declared = tomllib.loads((HERE / "audit.toml").read_text(encoding="utf-8"))["procedure"]
procedure = CertifiedRemoval(l2=declared["l2"], sigma=declared["sigma"], tolerance=declared["tolerance"], loss=declared["loss"])
build(Sample(HERE, removals=40, seed=int(declared["seed"]), ship_unlearned=True, procedure=procedure), diabetes())
