"""Makes this case: python sample_models/diabetes-tree/build.py."""

import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_diabetes

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from auditor.base.records import Dataset  # noqa: E402
from digits import remaining, requests, write  # noqa: E402  (it lies next to the samples' folders)

TRAINING_RECORDS = 342

bunch = load_diabetes(scaled=False)
ids = np.array([f"patient-{number:04d}" for number in range(len(bunch.data))])
every = Dataset(bunch.data, bunch.target, ids)
train, holdout = (every.subset(part) for part in np.split(np.arange(len(ids)), [TRAINING_RECORDS]))
rows = requests(train, 12)
write(HERE, train, holdout, remaining(train, rows), rows)
