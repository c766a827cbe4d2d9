"""Certified removal on scikit-learn's threes and eights, for what stands next to the times that Guo et al. print.

Their repository is neither copied nor run: its licence bars commercial use. Hardware and data differ, so these are no ratios.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import numpy as np
from sklearn.datasets import load_digits

from auditor.base.records import Dataset
from auditor.parts.removal.learning.certified_removal import CertifiedRemoval
from benchmarks.measuring import once
from benchmarks.peers.sizes import Sizes

PRINTED: Final = {
    "MNIST, 3 and 8, linear": ("0.04 s", "15.6 s"),
    "LSUN, public extractor": ("0.48 s", "124 s"),
    "SST, public extractor": ("0.07 s", "61.5 s"),
    "SVHN, private extractor": ("0.27 s", "1.5 h"),
}
"""Guo, Goldstein, Hannun and van der Maaten, ICML 2020, Table 1: time of one removal, and of training."""


def measure(sizes: Sizes, _usable: Collection[str]) -> dict[str, Any]:
    """Time training and single removals by Newton steps."""
    features, labels = load_digits(return_X_y=True)
    rows = np.flatnonzero(np.isin(labels, (3, 8)))
    data = Dataset(
        features[rows] / np.linalg.norm(features[rows], axis=1).max(), labels[rows], np.array([f"r{each}" for each in rows])
    )
    learner = CertifiedRemoval(l2=0.01, sigma=1.0, tolerance=1e-8)
    model = learner.learn(data, 0)
    training = [once(lambda: learner.learn(data, 0))[0] for _ in range(sizes.repeats)]
    removal = [once(lambda place=place: learner.unlearn(model, data, np.array([place]), 1))[0] for place in range(sizes.repeats)]
    return {"records": len(data), "features": data.features.shape[1], "training": training, "removal": removal}
