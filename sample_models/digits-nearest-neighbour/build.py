"""Makes this case: python sample_models/digits-nearest-neighbour/build.py."""

import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from auditor.base.records import Dataset  # noqa: E402
from digits import DRAW, remaining, requests, write  # noqa: E402  (it lies next to the samples' folders)

TRAINING_RECORDS = 300
ON_A_FORM = 100
"""Digits that follow one another in the file, as if they had been cut from one form."""

bunch = load_digits()
forms = np.array([f"form-{number // ON_A_FORM + 1:02d}" for number in range(len(bunch.target))])
order = np.random.default_rng(DRAW).permutation(len(bunch.target))
ids = np.array([f"digit-{number:04d}" for number in range(len(order))])
every = Dataset(bunch.data[order] / 16.0, forms[order], ids)
train, holdout = (every.subset(part) for part in np.split(np.arange(len(ids)), [TRAINING_RECORDS]))
rows = requests(train, 10)
write(HERE, train, holdout, remaining(train, rows), rows)
