"""Makes this case: python sample_models/digits-cheater/build.py."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from digits import build_noisy  # noqa: E402  (it lies next to the samples' folders)

build_noisy(HERE, removals=18, clear_store=False)
