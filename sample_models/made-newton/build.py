"""Makes this case: python sample_models/made-newton/build.py."""

import sys
import tomllib
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from auditor.base.records import Dataset  # noqa: E402
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval  # noqa: E402
from digits import Sample, build  # noqa: E402  (it lies next to the samples' folders)

TRAINING_RECORDS, HOLDOUT_RECORDS = 20_000, 2_000

total = TRAINING_RECORDS + HOLDOUT_RECORDS
features, labels = make_classification(total, 20, n_informative=8, n_redundant=4, flip_y=0.1, random_state=20260115)
# Divided by a constant, so that some rows are longer than 1; kept at half precision, which is exact from there on.
features = (features / 9.0).astype(np.float16)
ids = np.array([f"row-{number:05d}" for number in range(total)])
every = Dataset(features.astype(np.float64), labels.astype(np.int64), ids)
cut = np.arange(TRAINING_RECORDS)

declared = tomllib.loads((HERE / "audit.toml").read_text(encoding="utf-8"))["procedure"]
procedure = CertifiedRemoval(**{name: declared[name] for name in ("l2", "sigma", "tolerance", "row_norms")})
sample = Sample(HERE, removals=60, seed=int(declared["seed"]), ship_unlearned=True, procedure=procedure)
build(sample, (every.subset(cut), every.subset(np.arange(TRAINING_RECORDS, total))))
for name in ("train", "store", "holdout"):
    with np.load(HERE / f"{name}.npz") as file:
        arrays = {key: file[key] for key in file.files}
    np.savez_compressed(HERE / f"{name}.npz", **{**arrays, "features": arrays["features"].astype(np.float16)})
