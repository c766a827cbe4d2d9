"""Makes this case: python sample_models/breast-cancer-mini-batches/build.py."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tumours import build_in_batches  # noqa: E402  (it lies next to the samples' folders)

build_in_batches(HERE, seed=241907733518264490175529306418827365190)
