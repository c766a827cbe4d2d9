"""Makes this case: python sample_models/breast-cancer-noisy-gd-adaptive/build.py."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tumours import build_tumours  # noqa: E402  (it lies next to the samples' folders)

build_tumours(HERE, seed=229911823746556473829101928374655647382, unlearn_steps=100, seers=3, one_each=True)
