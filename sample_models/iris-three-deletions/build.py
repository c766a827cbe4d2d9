"""Makes this case: python sample_models/iris-three-deletions/build.py."""

import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_iris

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from auditor.base.records import Dataset  # noqa: E402
from digits import DRAW, remaining, requests, write  # noqa: E402  (it lies next to the samples' folders)

TRAINING_RECORDS = 120

bunch = load_iris()
order = np.random.default_rng(DRAW).permutation(len(bunch.target))
ids = np.array([f"flower-{number:04d}" for number in range(len(order))])
every = Dataset(bunch.data[order], bunch.target[order], ids)
train, holdout = (every.subset(part) for part in np.split(np.arange(len(ids)), [TRAINING_RECORDS]))
rows = requests(train, 10)
write(HERE, train, holdout, remaining(train, rows), rows)
