"""Makes this case: python sample_models/digits-noisy-gd-softmax/build.py."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from auditor.parts.data_deletion.learning.making import make  # noqa: E402
from digits import Sample, build, ten_digits_of_norm_one  # noqa: E402  (it lies next to the samples' folders)

PROCEDURE = make(loss="softmax", l2=0.02, sigma2=5e-4, learn_steps=1200, unlearn_steps=500, features=64, classes=list(range(10)))
SEED = 241905538172664509183746105928374650192
build(Sample(HERE, 12, SEED, ship_unlearned=True, procedure=PROCEDURE), ten_digits_of_norm_one())
